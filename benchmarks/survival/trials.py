"""Plan random changes of pages, and run each system on the changed pages.

Each operator (sort of change) is applied at each rate with each seed, to one of the
pages that it can change. The pages take turns. `plan` decides which page is changed,
without knowing any result.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from math import gcd
from typing import Any, TypeVar

from baselines.label_scraper import LabelScraperError
from mutation import Specimen
from operators import OPERATORS
from operators.draft import SCOPES
from own import GeneratedFile
from runs import Job, Runs, Types
from systems import GROUPS, HERE, Group, Runner

from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import Count, score_page
from examples import Rows

RATES = (0.01, 0.03, 0.1)
"""The rates of change: probabilities that an element, text or class name changes."""
SEEDS = 20
"""The number of random changes for each sort of change, rate and scope.

To find small differences, 200 are needed.
"""
ENOUGH = 0.95
"""The least F1 of values for which a changed page counts as read right."""
RIGHT = 0.9
"""The least F1 of values on an unchanged page for a system to be measured on the page.
"""
STRIDE = 0.618
"""The distance from one changed page to the next, as a share of all pages.

It spreads a few seeds over all pages.
"""
MUTATION = (HERE / "mutation.py", HERE / "operators")
"""The source files that decide how pages are changed."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trial:
    """A planned change of a page by an operator, at a rate, in a scope and with a
    seed."""

    operator: str
    rate: float
    scope: str
    seed: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of a system on an unchanged page.

    `takes_part` says whether the system is accurate enough to be measured on changes of
    the page. `names` are the attribute types of which the system returns values.
    `found` is the recall of all known values.
    """

    takes_part: bool
    names: tuple[str, ...]
    found: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a system on a changed page.

    `is_whole` says whether the number of records is right. `values` has for each
    attribute type the number of right, of returned, and of expected values.
    `file_status` is the result of the generated file's own check. `status` and `failed`
    are the status and the failed conditions of `amber-wrap check`. These three are
    empty for a system without a check.
    """

    is_whole: bool
    values: Mapping[str, Sequence[int]]
    file_status: str = ""
    status: str = ""
    failed: Sequence[str] = ()

    def survives(self, names: Container[str] | None = None) -> bool:
        """Return whether the system read the right records and nearly all right values.

        Only the attribute types in `names` count, or all types if `names` is None.
        """
        kept = [name for name in self.values if names is None or name in names]
        total = sum((Count(*self.values[name]) for name in kept), Count())
        f1 = total.f1 if total.given + total.gold else 1.0
        return self.is_whole and f1 >= ENOUGH


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The results of a system on a page.

    They are its accuracy on the unchanged page, and the outcome of each change.
    """

    accuracy: Accuracy
    outcomes: dict[Trial, Outcome]


Results = Mapping[str, Mapping[str, SystemResult]]
"""The results of each system on each page, by the names of both."""


def measure(
    pages: Sequence[GoldPage],
    types: Mapping[str, Types],
    runs: Runs,
    seeds: int = SEEDS,
    groups: Mapping[str, Group] = GROUPS,
) -> Results:
    """Return the results of all systems on changed copies of pages, by system and page.

    `types` are the attribute types of each domain. `seeds` is the number of random
    changes of each sort.
    """
    trials_of_page = plan(changeable(pages, runs), seeds)
    results: dict[str, dict[str, SystemResult]] = defaultdict(dict)
    for name, group in groups.items():
        jobs = []
        for page in pages:
            trials = trials_of_page.get(page.name, ())
            arguments = [page], types[page.domain], name, page, trials
            jobs.append(Job.scored(*arguments, name=f"{name} {trials}"))
        sources = (*MUTATION, HERE / "systems.py", *group.sources)
        group_runs = replace(runs, name=f"{runs.name}: {name}")
        answers = group_runs.of(run_group, jobs, sources, group.package)
        for page, answer in zip(pages, answers, strict=True):
            for system, system_result in answer.items():
                results[system][page.name] = system_result
    return results


# --- which runs there are -------------------------------------------------------------


def changeable(
    pages: Sequence[GoldPage], runs: Runs
) -> dict[tuple[str, str], list[str]]:
    """Return the names of the pages that can be changed, by scope and operator."""
    jobs = [Job.on([page], "operators", page) for page in pages]
    pages_by_operator: dict[tuple[str, str], list[str]] = defaultdict(list)
    answers = runs.of(operators_for, jobs, MUTATION, GROUPS["expressions"].package)
    for page, answer in zip(pages, answers, strict=True):
        for scope, operator in answer:
            pages_by_operator[scope, operator].append(page.name)
    return pages_by_operator


def operators_for(page: GoldPage) -> list[tuple[str, str]]:
    """Return the sorts of change that can be made to a page, as pairs of scope and
    operator.
    """
    specimen = Specimen.of(page)
    return [
        (scope, operator)
        for scope in SCOPES
        for operator in OPERATORS
        if specimen.mutate(operator, max(RATES), scope, 0) is not None
    ]


def plan(
    pages: Mapping[tuple[str, str], Sequence[str]], seeds: int = SEEDS
) -> dict[str, tuple[Trial, ...]]:
    """Return the planned changes of each page.

    `pages` are the names of the pages that can be changed, by scope and operator. For
    each operator, there are `seeds` changes at each rate.
    """
    trials_by_page: dict[str, tuple[Trial, ...]] = defaultdict(tuple)
    for operator_number, ((scope, operator), names) in enumerate(pages.items()):
        stride = _stride(len(names))
        for (rate_number, rate), seed in product(enumerate(RATES), range(seeds)):
            # Operators and rates begin with different pages.
            turn = seed + 7 * operator_number + 3 * rate_number
            name = names[turn * stride % len(names)]
            trials_by_page[name] += (Trial(operator, rate, scope, seed),)
    return trials_by_page


def _stride(number: int) -> int:
    """Return the step from one page to the next in a list of `number` pages.

    Going round the list with this step visits each page once before any page again.
    """
    steps = count(max(1, round(STRIDE * number)))
    return next(step for step in steps if gcd(step, number) == 1)


# --- a job ----------------------------------------------------------------------------


def run_group(
    types: Types, group: str, page: GoldPage, trials: Sequence[Trial]
) -> dict[str, SystemResult]:
    """Return the results of a group's systems on changed copies of a page, by system.

    `trials` are the changes to make.
    """
    body = page.path.read_bytes()
    results: dict[str, SystemResult] = {}
    runners: dict[str, tuple[Runner, Rows]] = {}
    for system, learn in GROUPS[group].systems.items():
        runner = attempt(learn, body, page)
        is_file = isinstance(runner, GeneratedFile)
        rows = runner.displayed if is_file else rows_of(runner, body)
        if runner is not None and rows:
            runners[system] = runner, rows
        results[system] = SystemResult(accuracy_of(page, rows or [], types), {})
    specimen = Specimen.of(page) if runners else None
    for trial in trials if specimen else ():
        mutation = specimen.mutate(trial.operator, trial.rate, trial.scope, trial.seed)
        for name, (runner, rows) in runners.items() if mutation else ():
            outcome = outcome_of(runner, mutation.html, mutation.expected(rows))
            results[name].outcomes[trial] = outcome
    return results


def rows_of(runner: Runner | None, body: bytes) -> Rows | None:
    """Return the records that a wrapper reads on a page.

    Return None if there is no wrapper or if it fails.
    """
    return attempt(runner, body) if runner else None


def report_of(runner: Runner | None, body: bytes) -> tuple[str, str, Sequence[str]]:
    """Return what the checks of a wrapper say about a page.

    The first text is the result of the generated file's own check. The others are the
    status and the failed conditions of `amber-wrap check`. The results are "ERROR" if a
    check raises an error, and empty if the wrapper has no check.
    """
    check = getattr(runner, "report", None)
    return attempt(check, body) or ("ERROR", "ERROR", []) if check else ("", "", [])


def attempt(function: Callable[..., T], *arguments: Any) -> T | None:
    """Return the result of a function, or None if it raises an error.

    Unexpected errors are printed.
    """
    try:
        return function(*arguments)
    except (AmberError, LabelScraperError):
        return None
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return None


def accuracy_of(page: GoldPage, rows: Rows, types: Types) -> Accuracy:
    """Return how accurate the records of an unchanged page are."""
    given = (name for row in rows for name, value in row.items() if value)
    names = tuple(dict.fromkeys(given))
    record_count = sum(len(area.records) for area in page.areas)
    score, _ = score_page(page, rows, [kind for kind in types if kind.name in names])
    all_types_score, _ = score_page(page, rows, types)
    is_right = len(rows) == record_count and score.attributes.f1 >= RIGHT
    return Accuracy(is_right, names, all_types_score.attributes.recall)


def outcome_of(runner: Runner, body: bytes, expected: Rows) -> Outcome:
    """Return the outcome of a wrapper on a changed page.

    `expected` are the records that it should read.
    """
    rows = rows_of(runner, body) or []
    if isinstance(runner, GeneratedFile):
        expected = runner.expected(expected)
    values = counts(rows, expected)
    return Outcome(len(rows) == len(expected), values, *report_of(runner, body))


def counts(rows: Rows, expected: Rows) -> dict[str, tuple[int, int, int]]:
    """Return the numbers of right, returned and expected values of each attribute
    type.
    """
    found: dict[str, tuple[Counter[tuple[int, str]], ...]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for side, side_rows in enumerate((rows, expected)):
        for place, row in enumerate(side_rows):
            for name, value in row.items():
                if value:
                    found[name][side][place, value] += 1
    return {
        name: ((given & wanted).total(), given.total(), wanted.total())
        for name, (given, wanted) in sorted(found.items())
    }
