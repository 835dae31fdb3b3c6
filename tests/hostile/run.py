"""Run one case through every command, the generated file and every export."""

from __future__ import annotations

import ast
import io
import json
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from lxml import etree
from typer.main import get_command

from amber_wrap.cli.main import app
from amber_wrap.codegen.build import are_alike, harmless_source, import_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain import loader
from amber_wrap.errors import AmberError
from amber_wrap.export.target_list import TARGETS
from amber_wrap.files import read_stored
from amber_wrap.lowering.program import program_from_data
from hostile.case import SHOP, Case, listing

SECONDS = 10.0
"""Of processor time, that each step may take."""


class TooLong(BaseException):
    """A step took longer than it may."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: what went wrong, whether a wrapper came of its page, and
    the seconds of processor time that its slowest step took."""

    failures: tuple[str, ...]
    is_learned: bool
    slowest: float
    slowest_step: str


class Run:
    """The run of one case, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failures: list[str] = []
        self.times: dict[str, float] = {}

    def through(self, case: Case) -> Outcome:
        """Take a case through all steps."""
        sample, page = self.folder / "sample.html", self.folder / "page.html"
        wrapper = self.folder / "made.py"
        learns = not case.page and case.stored is None
        sample.write_bytes(case.sample if learns else harmless())
        page.write_bytes(case.sample if learns else case.page or harmless())
        if learns:
            call = ["induce", str(sample), "-o", str(wrapper), "--force", *case.options]
            self._command(
                "induce", *call, *(() if "--url" in call else ("--url", SHOP))
            )
            self._command("explain", "explain", str(sample))
        is_learned = wrapper.exists()
        if not is_learned:
            self._write_harmless(wrapper)
        stored = wrapper.with_suffix(".json")
        if case.stored is not None:
            stored.write_bytes(case.stored(stored.read_bytes()))
        for name, more in (
            ("apply", ()),
            ("check", ("--json",)),
            ("next", ()),
            ("explain", ("--html", str(self.folder / "view.html"))),
        ):
            self._command(f"{name} WRAPPER", name, str(wrapper), str(page), *more)
        if is_learned or case.stored is not None:
            for target in TARGETS:
                self._export(wrapper, target)
        if case.stored is None:
            with self._step("file"):
                self._try_file(wrapper, page.read_bytes())
        slowest = max(self.times, key=lambda step: self.times[step])
        return Outcome(tuple(self.failures), is_learned, self.times[slowest], slowest)

    def _write_harmless(self, wrapper: Path) -> None:
        for ending, text in harmless_wrapper(wrapper.parent).items():
            wrapper.with_suffix(ending).write_bytes(text)

    def _command(self, step: str, *words: str) -> None:
        """Run one command: it succeeds, or refuses with a message."""
        with self._step(step):
            run_command(*words)

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Note the exception that a step raises, and the time that it takes."""
        started = time.process_time()
        try:
            with limited(SECONDS):
                yield
        except TooLong:
            self.failures.append(f"{name}: more than {SECONDS:.0f} s {_place(None)}")
        except (Exception, RecursionError) as error:
            self.failures.append(f"{name}: {_error_text(error)} {_place(error)}")
        self.times[name] = time.process_time() - started

    def _export(self, wrapper: Path, target: str) -> None:
        """Export, and read what was written where we know how."""
        folder = self.folder / "exported" / target
        step = f"export {target}"
        self._command(
            step, *("export", str(wrapper), "--to", target, "-o", f"{folder}/"),
            *("--url", SHOP),
        )  # fmt: skip
        readers: dict[str, Callable[[bytes], Any]] = {
            ".py": ast.parse,
            ".json": json.loads,
            ".opml": etree.fromstring,
            ".xml": etree.fromstring,
        }
        with self._step(f"{step}, read"):
            for path in folder.rglob("*"):
                if path.suffix in readers:
                    readers[path.suffix](path.read_bytes())

    def _try_file(self, wrapper: Path, page: bytes) -> None:
        """The generated file: known code only, and the tree that the analysis has."""
        source = wrapper.read_text("utf-8")
        stored = read_stored(str(wrapper))
        program = program_from_data(stored.program)
        reference = harmless_source(program, stored.command)
        if not are_alike(ast.parse(source), ast.parse(reference)):
            self.failures.append("file: it differs from its skeleton in more than data")
        module = import_file(source)
        for body in (page, page.decode("utf-8", "replace")):
            json.dumps(module.extract(body, SHOP))
            module.check(body)
            if hasattr(module, "next_page"):
                module.next_page(body, SHOP)
        try:
            seen = elements(parse(page).root)
        except AmberError:
            return
        if elements(module.tree(page)) != seen:
            self.failures.append("file: its tree isn't that of the analysis")


def run_command(*words: str) -> str:
    """Run `amber-wrap` in this process; return what it wrote to standard output.

    The commands are set up once, and a domain is loaded once for all of them: both
    take longer than most cases.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(loader, "load_domain", _load_domain),
    ):
        with suppress(AmberError, SystemExit):
            _commands().main(list(words), "amber-wrap")
        out.flush()
    return out.buffer.getvalue().decode()


_commands = cache(lambda: get_command(app))
_load_domain = lru_cache(maxsize=16)(loader.load_domain)


def run(case: Case, folder: Path) -> Outcome:
    """Take a case through everything; `folder` is empty, and not cleaned up."""
    return Run(folder).through(case)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong after so many seconds of processor time."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def harmless() -> bytes:
    """The listing before anything hostile is put into it."""
    return listing(Random(1)).encode()


_harmless_files: dict[str, bytes] = {}


def harmless_wrapper(folder: Path) -> dict[str, bytes]:
    """The files of its wrapper by ending, made once."""
    if not _harmless_files:
        sample, made = folder / "harmless.html", folder / "harmless.py"
        sample.write_bytes(harmless())
        run_command("induce", str(sample), "-o", str(made))
        for ending in (".py", ".json"):
            _harmless_files[ending] = made.with_suffix(ending).read_bytes()
    return _harmless_files


def elements(root: etree._Element) -> list[tuple[Any, ...]]:
    """All elements that expressions reach, in document order, with what they hold."""
    return [
        (one.tag, one.items(), one.text, one.tail)
        for top in (root, *root.itersiblings())
        for one in top.iter()
    ]


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def _place(error: BaseException | None) -> str:
    """Return where an error was raised, the last line of the package first."""
    stack = traceback.extract_tb(error.__traceback__) if error else []
    own = [one for one in stack if "amber_wrap" in one.filename] or stack
    return " < ".join(
        f"{Path(one.filename).stem}:{one.lineno}" for one in reversed(own[-4:])
    )
