"""Parse a spec: its samples, options and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.schema import COLUMN_NAME, ValueKind
from amber_wrap.domain.source_file import (
    SourceFile,
    TomlFile,
    parse_toml,
    read_domain_file,
)
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import (
    ColumnDecision,
    Decisions,
    full_xpath,
    value_pattern,
)
from amber_wrap.settings import DEFAULTS, Options
from amber_wrap.strategies import STRATEGIES
from amber_wrap.wrapper.ir import Constant

SPEC_SUFFIX = ".toml"
_KEYS = (
    *("samples", "after", "domain", "url", "within", "without", "read"),
    *("strategy", "distance", "ascii-names", "urls", "next_page", "records"),
    *("drop", "fields", "empty", "thresholds"),
)
COLUMN_KEYS = (
    *("from", "kind", "required", "constant", "example", "xpath", "pattern"),
)
CONSTANTS = get_args(Constant)
_ALIGN = ("infer_regular", "infer_optional", "keep_regular", "keep_optional")
_IDENTIFY = ("depth", "distance")
"""The names of AMBER's thresholds for finding data areas.

`_ALIGN` has the names of the thresholds for attributes.
"""


@dataclass(frozen=True, slots=True)
class Spec:
    """The decisions of people about a wrapper.

    `samples` are paths relative to the folder of the spec's file. `domain` is the name
    of a domain, or "" for the domain that fits the samples best. `after` is the name of
    the wrapper that was healed into this wrapper, or "".
    """

    samples: tuple[str, ...]
    domain: str = ""
    options: Options = DEFAULTS
    after: str = ""


def spec_path(path: Path) -> Path:
    """Return the path of a wrapper's spec, beside its generated file."""
    return path.with_suffix(SPEC_SUFFIX)


def read_spec(path: Path) -> Spec:
    """Return the spec in a file.

    Raise DomainError if the file can't be read or is invalid.
    """
    return parse_spec(spec_text(path), path)


def spec_text(path: Path) -> str:
    """Return the text of a spec. Raise DomainError if its file can't be read."""
    return read_domain_file(path.parent.resolve(), path.resolve()).text


def line_of(path: Path, column: str) -> int:
    """Return the number, from 1, of the line of a column in a spec.

    If the spec lacks the column, return the line of the table `fields`, or 1.
    """
    source = read_domain_file(path.parent.resolve(), path.resolve())
    return parse_toml(source).line_of("fields", column)


def parse_spec(text: str, path: Path) -> Spec:
    """Return the spec in a text.

    `path` is the file of the text. Raise DomainError for an invalid text.
    """
    folder = path.parent.resolve().name
    file = parse_toml(SourceFile(f"{folder}/{path.name}", text))
    file.check_keys(_KEYS)
    samples = file.strings("samples")
    if not samples:
        file.fail(
            'no sample: name saved pages, as in samples = ["page.html"]', "samples"
        )
    strategy, distance = file.get("role", "strategy"), file.get("fast", "distance")
    file.check_known("strategy", [strategy], tuple(STRATEGIES), "strategy")
    file.check_known("distance", [distance], tuple(DISTANCES), "distance")
    columns = tuple(_columns(file))
    _check_sources(file, columns)
    dropped = frozenset(file.strings("drop"))
    decisions = Decisions(
        columns,
        dropped,
        closed=True,
        next_page=_next_page(file),
        urls=_urls(file),
        records=_records(file),
    )
    options = Options(
        url=file.get("", "url"),
        strategy=strategy,
        distance=distance,
        within=file.get("", "within"),
        without=file.get("", "without"),
        fields=file.get("", "read"),
        examples=tuple(_examples(file)),
        ascii_names=file.get(False, "ascii-names"),
        decisions=decisions,
        empty=tuple(file.strings("empty")),
        thresholds=tuple(_thresholds(file)),
    )
    after = file.get("", "after")
    if after and not path.with_name(f"{after}.json").is_file():
        file.fail(f"there is no wrapper {after} beside this file", "after")
    return Spec(samples, file.get("", "domain"), options, after)


def spec_thresholds(strategy: str) -> tuple[str, ...]:
    """Return the names of the thresholds that a spec may set for a strategy."""
    return _ALIGN if strategy == "role" else (*_ALIGN, *_IDENTIFY)


def _next_page(file: TomlFile) -> str | None:
    """Return the XPath expression for the link to the next page.

    Return "" if `next_page` is `false` in the spec, and None if the key is missing.
    """
    given = file.data.get("next_page")
    if given is None or given is False:
        return None if given is None else ""
    if not (isinstance(given, str) and given.startswith("/")):
        file.fail(
            "next_page must be an XPath 1.0 expression that begins with /, in quotes, "
            "or false",
            "next_page",
        )
    try:
        return full_xpath(ColumnDecision("next_page", xpath=given))
    except SelectionError as error:
        file.fail(str(error), "next_page")


def _records(file: TomlFile) -> str:
    """Return the XPath expression for the records, or "" if the spec has none."""
    given = file.get("", "records")
    if given and not given.startswith(("/", "(/")):
        file.fail(
            "records must be an XPath 1.0 expression that begins with / or (/",
            "records",
        )
    try:
        full_xpath(ColumnDecision("records", xpath=given or "/"))
    except SelectionError as error:
        file.fail(str(error), "records")
    return given


def _thresholds(file: TomlFile) -> Iterator[tuple[str, float]]:
    """Yield the names and values of the thresholds in the spec."""
    nothing: dict[str, Any] = {}
    file.check_keys(spec_thresholds(file.get("role", "strategy")), "thresholds")
    for name, value in file.get(nothing, "thresholds").items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            file.fail(f"{name!r} must be a number", "thresholds", name)
        yield name, value


def _urls(file: TomlFile) -> str:
    """Return the regular expression for the addresses of pages, or "" if the spec has
    none."""
    given = file.get("", "urls")
    try:
        re.compile(given)
    except re.error as error:
        file.fail(f"{given!r} is not a regular expression: {error}", "urls")
    return given


def _columns(file: TomlFile) -> Iterator[ColumnDecision]:
    nothing: dict[str, Any] = {}
    for name, value in file.get(nothing, "fields").items():
        if not COLUMN_NAME.fullmatch(name):
            file.fail(
                f"{name!r} is not a valid name: use at most 41 letters, digits and "
                "underscores, beginning with a letter",
                *("fields", name),
            )
        if isinstance(value, str):
            yield ColumnDecision(name, value)
        elif isinstance(value, dict):
            yield _column(file, name)
        else:
            file.fail(
                f"{name} must be the name that induction gave, in quotes, or a table, "
                "as in { constant = 3 }",
                *("fields", name),
            )


def _column(file: TomlFile, name: str) -> ColumnDecision:
    place = ("fields", name)
    file.check_keys(COLUMN_KEYS, *place)
    given = set(file.data["fields"][name])
    kind, constant = file.get("", *place, "kind"), None
    if kind:
        file.check_known("kind", [kind], tuple(ValueKind), *place, "kind")
    if "constant" in given:
        constant = file.data["fields"][name]["constant"]
        if given != {"constant"}:
            other = sorted(given - {"constant"})[0]
            file.fail(f"{name} is a constant: delete its {other}", *place, other)
        if not isinstance(constant, CONSTANTS):
            file.fail(
                f"the constant of {name} must be a text in quotes, a number, true or "
                "false",
                *place,
            )
    if "xpath" in given and (others := given & {"from", "example"}):
        other = sorted(others)[0]
        file.fail(f"{name} has an xpath of its own: delete its {other}", *place, other)
    has_own = given & {"xpath", "constant"}
    decision = ColumnDecision(
        name,
        source="" if has_own else file.get(name, *place, "from"),
        kind=ValueKind(kind) if kind else None,
        required=file.get(False, *place, "required") if "required" in given else None,
        constant=constant,
        xpath=file.get("", *place, "xpath"),
        pattern=file.get("", *place, "pattern"),
    )
    try:
        if decision.xpath:
            full_xpath(decision)
        if decision.pattern:
            value_pattern(decision)
    except SelectionError as error:
        file.fail(str(error), *place)
    return decision


def _check_sources(file: TomlFile, columns: tuple[ColumnDecision, ...]) -> None:
    """Raise DomainError if two columns have the same induction name, or if a column is
    both in the list `drop` and in the table `fields`."""
    seen: dict[str, str] = {}
    for one in columns:
        if one.source in seen:
            file.fail(
                f"{one.source} is already {seen[one.source]}: delete one of the lines",
                *("fields", one.name),
            )
        if one.source:
            seen[one.source] = one.name
    for name in file.strings("drop"):
        if name in seen:
            file.fail(f"{name} is also in [fields]: delete it there or here", "drop")


def _examples(file: TomlFile) -> Iterator[Example]:
    nothing: dict[str, Any] = {}
    for name, value in file.get(nothing, "fields").items():
        if isinstance(value, dict) and "example" in value:
            example = file.get("", "fields", name, "example")
            yield Example(file.get(name, "fields", name, "from"), example)
