"""Run the slow tasks of the studio in processes that report progress and can be ended.

A thread couldn't be ended while it parses a page.
"""

from __future__ import annotations

import multiprocessing
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, Literal

from amber_wrap.child_processes import end_with_parent
from amber_wrap.codegen.build import Built
from amber_wrap.dom.parse import parse
from amber_wrap.domain.project import domains_to_try
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import records_on
from amber_wrap.errors import AmberError, Diagnostic, SelectionError
from amber_wrap.files import read_saved_page, read_wrapper
from amber_wrap.generalise.user_decisions import UNDECIDED, UNHELD
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import Watch, analyse_samples
from amber_wrap.report.pass_steps import PASS_TITLES, PassTimes, explanation, pass_steps
from amber_wrap.settings import Options
from amber_wrap.spec.building import (
    column_sources,
    compile_samples,
    first_stated_address,
    try_spec,
)
from amber_wrap.spec.drafting import Draft
from amber_wrap.spec.reader import parse_spec, spec_path, spec_thresholds
from amber_wrap.spec.writer import Changes, with_spec_columns, without_column

State = Literal["running", "done", "failed", "cancelled"]
ReportProgress = Callable[[int, int, str], None]
"""A function that reports progress: the number of finished steps, the number of all
steps, and the name of the current step."""
_MOST_JOBS: Final = 20
"""The number of jobs (tasks in processes) whose results are kept."""
_MOST_SECONDS: Final = 600.0
"""The number of seconds after which a job (task in a process) is ended."""
SPAWN: Final = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class _Job:
    """A running or finished task in a process, with its progress."""

    process: BaseProcess
    started: float
    """The time of the job's start, as a value of `time.monotonic` in seconds."""
    state: State = "running"
    done: int = 0
    """The number of finished parts of the task."""
    total: int = 0
    """The number of all parts of the task."""
    step: str = ""
    """The name of the current part of the task."""
    result: Any = None
    """The result of the task if the state is "done", else None."""
    error: str = ""
    """The message of a failed task, "" for other tasks."""

    def data(self) -> dict[str, Any]:
        """Return the state of the job as JSON data for the browser."""
        return {
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "step": self.step,
            "seconds": round(time.monotonic() - self.started, 1),
            "error": self.error,
            "result": self.result if self.state == "done" else None,
        }


@dataclass(slots=True)
class Jobs:
    """The running task and the last finished tasks, by their random names."""

    _jobs: OrderedDict[str, _Job] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def start(
        self,
        task: Callable[..., Any],
        *arguments: Any,
        then: Callable[[Any], Any] = lambda result: result,
    ) -> str:
        """Start `task` in a process of its own, and return the job's random name.

        `then` turns the result of the task into data for the browser. Raise AmberError
        if another job is running.
        """
        with self._lock:
            if any(job.state == "running" for job in self._jobs.values()):
                raise AmberError("another job is running: wait, or cancel it")
            results, sender = SPAWN.Pipe()
            process = SPAWN.Process(
                target=_run, args=(sender, task, arguments), daemon=True
            )
            job = _Job(process, time.monotonic())
            job_name = secrets.token_urlsafe(9)
            self._jobs[job_name] = job
            while len(self._jobs) > _MOST_JOBS:
                self._jobs.popitem(last=False)
        process.start()
        sender.close()
        Thread(target=self._follow, args=(job, results, then), daemon=True).start()
        return job_name

    def get(self, name: str) -> _Job:
        """Return the job called `name`, or raise AmberError for an unknown name."""
        if name not in self._jobs:
            raise AmberError("the job no longer exists")
        return self._jobs[name]

    def cancel(self, name: str) -> None:
        """End a job, but keep its result if it has finished.

        Raise AmberError for an unknown name.
        """
        job = self.get(name)
        with self._lock:
            if job.state == "running":
                job.state = "cancelled"
        job.process.kill()

    def close(self) -> None:
        """End all jobs."""
        for job_name in list(self._jobs):
            self.cancel(job_name)

    def _follow(
        self, job: _Job, results: Connection, then: Callable[[Any], Any]
    ) -> None:
        """Receive the progress and the result of a job until the job ends.

        `then` turns the result into data for the browser.
        """
        kind = "failed"
        message = "the process ended without a result: the page may be too large"
        try:
            while True:
                seconds_left = job.started + _MOST_SECONDS - time.monotonic()
                if not results.poll(max(seconds_left, 0)):
                    message = f"the job took more than {_MOST_SECONDS:.0f} seconds"
                    break
                kind, message = results.recv()
                if kind != "progress":
                    break
                job.done, job.total, job.step = message
                kind, message = "failed", "the process ended without a result"
        except (EOFError, OSError):
            pass
        job.process.kill()
        job.process.join()
        with self._lock:
            if job.state != "running":
                return
            try:
                if kind == "done":
                    job.result = then(message)
                else:
                    job.error = message
            except AmberError as error:
                kind, job.error = "failed", str(error)
            except OSError as error:
                kind, job.error = "failed", f"cannot write: {error.strerror}"
            job.state = "done" if kind == "done" else "failed"


def _run(
    pipe: Connection, task: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Run a task in this process, and send its progress and result through `pipe`."""
    end_with_parent()

    def progress(done: int, total: int, step: str) -> None:
        pipe.send(("progress", (done, total, step)))

    try:
        pipe.send(("done", task(progress, *arguments)))
    except AmberError as error:
        pipe.send(("failed", str(error)))
    except (Exception, RecursionError) as error:
        pipe.send(("failed", f"internal error ({type(error).__name__}: {error})"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The extraction rules made from a person's decisions, with warnings and errors."""

    spec: str
    """The text of the file with the person's decisions."""
    built: Built
    """The wrapper and its generated file."""
    notes: tuple[str, ...]
    """The warnings and errors about the extraction rules."""
    lost: tuple[str, ...] = ()
    """The names of columns that were removed from `spec`, for lack of values."""
    unheld: tuple[str, ...] = ()
    """The messages about columns that the person decided on, and that have no values
    any more."""

    def check(self) -> None:
        """Raise SelectionError if a column that the person decided on has no values any
        more."""
        if self.unheld:
            raise SelectionError("; ".join(self.unheld))


def induce_for_studio(
    progress: ReportProgress,
    folder: Path,
    page: Path,
    target: Path,
    domain: str,
    within: str,
    examples: Sequence[Any],
) -> Outcome:
    """Return new extraction rules for a page, and the text of their decisions file.

    No file is written. `target` is the path of the new generated file. `within` is a
    selector of the elements with the records, "" for the whole page.
    """
    progress(0, 1, "read the page")
    page_sources = [read_saved_page(str(page))]
    options = Options(within=within, examples=tuple(examples))
    example_values = {example.name: example.value for example in options.examples}
    changes = Changes(examples=example_values)
    draft_path, url = spec_path(target), first_stated_address(page_sources)
    draft = Draft.begin(draft_path, True, [str(page)], domain, options, changes, url)
    spec = draft.spec
    domains = domains_to_try(spec.domain, folder)
    watch = pass_watch(progress)
    compilation, wrapper_files = compile_samples(
        page_sources, domains, spec.domain, spec.options, watch
    )
    columns = column_sources(compilation.wrapper)
    spec_source = with_spec_columns(draft.text, columns, draft.is_new)
    warnings = warnings_of(wrapper_files.findings)
    return Outcome(spec_source, wrapper_files.built, warnings)


def compile_spec(
    progress: ReportProgress,
    folder: Path,
    text: str,
    path: Path,
    needed: Collection[str],
) -> Outcome:
    """Return the extraction rules made from a person's decisions. No file is written.

    Columns without values are removed from the decisions, unless one of these columns
    is in `needed`. `text` has the decisions, and `path` is their file.
    """
    progress(0, 1, "read the spec")

    def compile_text(text: str) -> tuple[Built, Sequence[Diagnostic]]:
        spec, watch = parse_spec(text, path), pass_watch(progress)
        wrapper_files = try_spec(spec, path, domains_to_try(spec.domain, folder), watch)
        return wrapper_files.built, wrapper_files.findings

    built, findings = compile_text(text)
    lost = tuple(finding.where for finding in findings if finding.code == UNHELD)
    if lost and not {*lost} & {*needed}:
        text = reduce(without_column, lost, text)
        built, findings = compile_text(text)
    else:
        lost = ()
    unheld = [finding for finding in findings if finding.code == UNHELD]
    messages = tuple(f"{finding.where}: {finding.message}" for finding in unheld)
    others = [finding for finding in findings if finding.code != UNHELD]
    return Outcome(text, built, warnings_of(others), lost, messages)


def pass_watch(progress: ReportProgress) -> Watch:
    """Return a function that reports to `progress` when a step of the compiler begins.

    The function takes the key of the step in `PASS_TITLES`, or "" after the last step.
    """
    names = list(PASS_TITLES)

    def watch(name: str) -> None:
        if name:
            progress(names.index(name), len(names), PASS_TITLES[name])

    return watch


def explain_page(
    progress: ReportProgress, folder: Path, page: Path, text: str, spec_file: Path
) -> Any:
    """Return the findings of each step of the compiler on a page, as JSON data.

    `text` has a person's decisions, of which only the domain and the options are used.
    """
    progress(0, 1, "read the page")
    parsed = parse_spec(text, spec_file) if text else None
    options = replace(parsed.options, decisions=UNDECIDED) if parsed else Options()
    options = replace(options, examples=())
    domains = domains_to_try(parsed.domain if parsed else "", folder)
    pages = parse_samples([read_saved_page(str(page))], options)
    pass_times, report_pass = PassTimes(), pass_watch(progress)

    def watch(name: str) -> None:
        pass_times(name)
        report_pass(name)

    analyses, best = analyse_samples(pages, domains, options, watch)
    thresholds = best.domain.with_thresholds(dict(options.thresholds)).thresholds
    time_lines = ["seconds of each pass:", *pass_times.lines(), ""]
    return {
        "text": "\n".join(time_lines) + "\n" + explanation(pages[0], analyses, best),
        "passes": [step.data() for step in pass_steps(pages[0], best)],
        "thresholds": {
            name: [getattr(thresholds, name), getattr(best.domain.thresholds, name)]
            for name in spec_thresholds(options.strategy)
        },
    }


def warnings_of(findings: Sequence[Diagnostic]) -> tuple[str, ...]:
    """Return the messages of the `findings` that are warnings or errors."""
    levels = ("warning", "error")
    return tuple(str(finding) for finding in findings if finding.level in levels)


def check_pages(
    progress: ReportProgress, stored: Path, pages: Sequence[tuple[str, Path]]
) -> list[Any]:
    """Test stored extraction rules on each page, and return a dict for each page.

    Its keys are `page`, `status`, `records`, `failures` and `fill`. Under `fill` is the
    number of values in each column.
    """
    wrapper = read_wrapper(str(stored))
    columns = [name for name, _ in wrapper.fields if name in wrapper.keys]
    page_rows: list[Any] = []
    for number, (page_name, page_path) in enumerate(pages):
        progress(number, len(pages), page_name)
        row: dict[str, Any] = {"page": page_name, "status": "UNREAD", "records": 0}
        try:
            saved_page = read_saved_page(str(page_path)).saved
            parsed_page = parse(saved_page.body, saved_page.url)
            contract_report = check_page(wrapper, parsed_page)
            records = records_on(wrapper, parsed_page.root)
            row |= {"status": contract_report["status"], "records": len(records)}
            row["failures"] = [
                f"{failure['field']} {failure['message']}".strip()
                for failure in contract_report["failed"]
            ]
            row["fill"] = {
                column: sum(column in record.values for record in records)
                for column in columns
            }
        except AmberError as error:
            row["failures"] = [str(error)]
        page_rows.append(row)
    return page_rows
