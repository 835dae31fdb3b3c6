"""Variants of the system, and what of one serves another.

Most changes leave most of what is made on the way to a wrapper as it is.  So a process
remembers it, and many variants cost little more than a few.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

import amber_wrap
from amber_wrap.analysis.align import align_attributes
from amber_wrap.analysis.extraction_typing import AreaTyping, Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.run import annotate, annotators
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType, Domain, Schema
from amber_wrap.generalise.rules import generalise
from amber_wrap.passes.analysis import Analysis
from amber_wrap.pipeline import ANALYSIS, run_passes
from amber_wrap.selectors.area_groups import Typed
from amber_wrap.settings import Options
from amber_wrap.wrapper.ir import Sample, Wrapper

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """Something else under a name of a module, or of a class ("module:Class").

    What another module imported by name is a name of that module, too: `everywhere`.
    Of `passes`, what is not remembered can be changed.
    """

    owner: str
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Variant:
    """The system but for some changes; the domain is named, or all compete.

    Changes have to be picklable: of functions those that a module defines.
    """

    changes: tuple[Change, ...] = ()
    strategy: str = "role"
    named: bool = True


@cache
def imports() -> Sequence[tuple[str, str, str]]:
    """(importer, module, name) of all that modules of the package import by name."""
    package = Path(amber_wrap.__file__).parent
    return [
        (".".join(path.relative_to(package.parent).with_suffix("").parts), module, name)
        for path in sorted(package.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (module := node.module)
        for name in (alias.name for alias in node.names)
    ]


def everywhere(owner: str, name: str, value: object) -> tuple[Change, ...]:
    """A change of a name in a module and in those that import it from there.

    Functions that import it when they are called find it changed there.
    """
    importers = {
        one
        for one, *what in imports()
        if what == [owner, name] and hasattr(resolve_name(one), name)
    }
    return tuple(Change(one, name, value) for one in (owner, *sorted(importers)))


@contextmanager
def made(changes: Iterable[Change]) -> Iterator[None]:
    """Make changes; undo them.  Raises AttributeError for a name that isn't there."""
    undo = []
    try:
        for one in changes:
            owner = resolve_name(one.owner)
            undo.append((owner, one.name, getattr(owner, one.name)))
            setattr(owner, one.name, one.value)
        yield
    finally:
        for owner, name, value in reversed(undo):
            setattr(owner, name, value)


_memory: dict[object, Any] = {}
"""What was made of the sample that is at work, by what it was made of."""
_wrappers: dict[object, Any] = {}
"""All wrappers, by their typings."""


def forget() -> None:
    """Forget what was made for any variant."""
    _memory.clear()
    _wrappers.clear()


@contextmanager
def made_for(sample: str, changes: Sequence[Change]) -> Iterator[None]:
    """As `made`, and what was made of the same sample before is remembered."""
    if _memory.get("sample") != sample:
        _memory.clear()
        _memory["sample"] = sample
    for known in _memory.values():
        if isinstance(known, Page):
            known.memo.clear()
    with made((*_remembering(changes), *changes)):
        yield


def _remembering(changes: Sequence[Change]) -> Iterator[Change]:
    """What remembers pages, annotations, typings and wrappers of other variants.

    What a pass makes is up to what it is given, and to the changes in modules that it
    can know: its own, and those that it imports.
    """

    def told(known: Container[str]) -> str:
        return repr([one for one in changes if one.owner.partition(":")[0] in known])

    page, said = imported("dom.parse"), imported("annotate.run")
    aligned = said | imported("analysis.align")
    output = {one for one, *_ in imports() if one.startswith(OUTPUT)}
    typed = {one for one, *_ in imports()} - output
    # Of what is imported there, the analysis has done its part: in the typing.
    written = output | {module for one, module, _ in imports() if one in output}
    written |= imported("wrapper.interpret")
    for name, stand_in in {
        "parse": partial(_parse, told(page)),
        "annotators": _itself,  # They are made where they are needed.
        "annotate": partial(_annotate, told(said)),
        "align_attributes": partial(_align, told(aligned)),
    }.items():
        yield Change("amber_wrap.passes.analysis", name, stand_in)
    yield Change(
        "amber_wrap.passes.generalisation",
        "generalise",
        partial(_generalise, told(written)),
    )
    analysis = (
        ("analysed", partial(_analyse, told(typed))),
        ("tried", _tried),
        ("analysis", _best),
    )
    yield Change("amber_wrap.pipeline", "ANALYSIS", analysis)
    yield Change("amber_wrap.evaluation.tasks", "parse", partial(_parse, told(page)))


OUTPUT = (
    *("amber_wrap.generalise", "amber_wrap.selectors", "amber_wrap.columns"),
    *("amber_wrap.contract", "amber_wrap.wrapper"),
)


@cache
def imported(module: str) -> frozenset[str]:
    """A module of the package, and all that it imports."""
    found: set[str] = set()
    pending = [f"amber_wrap.{module}"]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            for importer, module, name in imports():
                if importer == one:
                    pending += [module, f"{module}.{name}"]  # It may be a module, too.
    return frozenset(found)


def _once(memory: dict[object, Any], key: object, make: Callable[[], T]) -> T:
    if key not in memory:
        memory[key] = make()
    found: T = memory[key]
    return found


def _parse(told: str, body: bytes, url: str = "") -> Page:
    return _once(_memory, (told, body, url), lambda: parse(body, url))


def _itself(domain: Domain) -> Domain:
    return domain


def _annotate(
    told: str, page: Page, schema: Schema, domain: Domain
) -> tuple[Annotation, ...]:
    return _once(
        _memory,
        (told, page, domain.name, schema),
        lambda: annotate(page, schema, annotators.__wrapped__(domain)),  # type: ignore[attr-defined]
    )


def _align(
    told: str,
    page: Page,
    found: Segmentation,
    annotations: Sequence[Annotation],
    schema: Schema,
    *others: Any,
) -> AreaTyping:
    *_, manner = others
    return _once(
        _memory,
        (told, page, found, schema, manner),
        lambda: align_attributes(page, found, annotations, schema, *others),
    )


def _analyse(
    told: str, pages: tuple[Page, ...], domains: Sequence[Domain], options: Options
) -> tuple[tuple[Analysis, ...], Analysis]:
    def make() -> tuple[tuple[Analysis, ...], Analysis]:
        known = {"pages": pages, "domains": domains, "options": options}
        made = run_passes(ANALYSIS, known)
        return made["tried"], made["analysis"]

    return _once(
        _memory, (told, pages, tuple(one.name for one in domains), options), make
    )


def _tried(analysed: tuple[tuple[Analysis, ...], Analysis]) -> tuple[Analysis, ...]:
    return analysed[0]


def _best(analysed: tuple[tuple[Analysis, ...], Analysis]) -> Analysis:
    return analysed[1]


def _generalise(
    told: str,
    typed: Sequence[Typed],
    samples: Sequence[Sample],
    domain: Domain,
    kinds: Sequence[AttributeType] = (),
) -> Wrapper:
    typings = repr([one.typing for one in typed]).encode()
    return _once(
        _wrappers,
        (told, tuple(samples), domain.name, tuple(kinds), sha256(typings).digest()),
        lambda: generalise(typed, samples, domain, kinds),
    )
