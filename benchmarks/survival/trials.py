"""Plan the runs of the mutation suite, and run each system in them.

A run is a page, an operator, a rate, a scope and a seed. Each operator has one run at
each rate for each seed, on pages that the operator can change. The pages take turns.
`plan` decides which page has which run, without knowing any result.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Any, TypeVar

from baselines.label_scraper import LabelScraperError
from mutation import Specimen
from operators import OPERATORS
from operators.draft import SCOPES
from own import GeneratedFile
from runs import Job, Runs
from systems import GROUPS, HERE, Group, Runner

from amber_wrap.domain.schema import AttributeType
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import Count, score_page
from examples import Rows

RATES = (0.01, 0.03, 0.1)
"""The rates: probabilities with which a unit of a page, such as an element, changes."""
SEEDS = 20
"""The number of seeds of each operator, rate and scope; small differences need 200
seeds."""
ENOUGH = 0.95
"""The least F1 of values in a run that survives."""
RIGHT = 0.9
"""The least F1 of values on an unchanged page for a system to take part on the page."""
STRIDE = 0.618
"""The step from page to page, as a share of all pages, which spreads few seeds over all
pages."""
MUTATION = (HERE / "mutation.py", HERE / "operators")
"""The source files on which mutations depend."""

Types = tuple[AttributeType, ...]
"""The types that are scored."""
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

    `takes_part` says whether the system is accurate enough to be measured on the page.
    `names` are the types of which the system returns values. `found` is the recall of
    the gold values of all types.
    """

    takes_part: bool
    names: tuple[str, ...]
    found: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a system in a run.

    `is_whole` says whether the number of records is right. `values` has, for each type,
    the numbers of values that are right, that are given, and that are expected.
    `file_status` is the verdict of the generated file alone. `status` and `failed` are
    the status and the failed conditions of the check. These three are empty for a
    system without a check.
    """

    is_whole: bool
    values: Mapping[str, Sequence[int]]
    file_status: str = ""
    status: str = ""
    failed: Sequence[str] = ()

    def survives(self, names: Container[str] | None = None) -> bool:
        """Return whether the records and values are those expected on the changed page,
        with few exceptions among the values.

        Only the types in `names` count, all types if `names` is None.
        """
        counts = [
            Count(*self.values[name])
            for name in self.values
            if names is None or name in names
        ]
        total = sum(counts, Count())
        f1 = total.f1 if total.given + total.gold else 1.0
        return self.is_whole and f1 >= ENOUGH


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The results of a system on a page: its accuracy on the unchanged page, and the
    outcome of each run."""

    accuracy: Accuracy
    outcomes: dict[Trial, Outcome]


Results = Mapping[str, Mapping[str, SystemResult]]
"""The results by system and page."""


def measure(
    pages: Sequence[GoldPage],
    types: Mapping[str, Types],
    runs: Runs,
    seeds: int = SEEDS,
    groups: Mapping[str, Group] = GROUPS,
) -> Results:
    """Return the results of all systems in the runs on the pages."""
    trials_of_page = plan(changeable(pages, runs), seeds)
    pages_with_trials = [(page, trials_of_page.get(page.name, ())) for page in pages]
    results: dict[str, dict[str, SystemResult]] = defaultdict(dict)
    for name, group in groups.items():
        jobs = []
        for page, trials in pages_with_trials:
            kinds = types[page.domain]
            question = f"{name} {trials} {[kind.name for kind in kinds]}"
            jobs.append(Job.on([page], question, name, page, trials, kinds))
        sources = (*MUTATION, HERE / "systems.py", *group.sources)
        group_runs = replace(runs, name=f"{runs.name}: {name}")
        answers = group_runs.of(run_group, jobs, sources, group.package)
        for (page, _), answer in zip(pages_with_trials, answers, strict=True):
            for system, system_result in answer.items():
                results[system][page.name] = system_result
    return results


# --- which runs there are -------------------------------------------------------------


def changeable(
    pages: Sequence[GoldPage], runs: Runs
) -> dict[tuple[str, str], list[str]]:
    """Return the names of the pages that each operator can change in each scope."""
    jobs = [Job.on([page], "operators", page) for page in pages]
    pages_by_operator: dict[tuple[str, str], list[str]] = defaultdict(list)
    package = GROUPS["expressions"].package
    answers = runs.of(operators_for, jobs, MUTATION, package)
    for page, answer in zip(pages, answers, strict=True):
        for scope, operator in answer:
            pages_by_operator[scope, operator].append(page.name)
    return pages_by_operator


def operators_for(page: GoldPage) -> list[tuple[str, str]]:
    """Return the scopes and operators that can change a page."""
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
    """Return the runs on each page.

    `pages` are the names of the pages that can be changed, by scope and operator. Each
    operator has `seeds` runs at each rate.
    """
    trials_by_page: dict[str, list[Trial]] = defaultdict(list)
    for operator_number, ((scope, operator), names) in enumerate(pages.items()):
        stride = _stride(len(names))
        for rate_number, rate in enumerate(RATES):
            for seed in range(seeds):
                # Operators and rates begin with different pages.
                turn = seed + 7 * operator_number + 3 * rate_number
                name = names[turn * stride % len(names)]
                trials_by_page[name].append(Trial(operator, rate, scope, seed))
    return {name: tuple(trials) for name, trials in trials_by_page.items()}


def _stride(number: int) -> int:
    """Return a step that visits each of `number` pages before it comes to a page
    again."""
    step = max(1, round(STRIDE * number))
    while gcd(step, number) > 1:
        step += 1
    return step


# --- a job ----------------------------------------------------------------------------


def run_group(
    group: str, page: GoldPage, trials: Sequence[Trial], types: Types
) -> dict[str, SystemResult]:
    """Return the results of the systems of a group in the runs on a page."""
    body = page.path.read_bytes()
    results: dict[str, SystemResult] = {}
    runners: dict[str, Runner] = {}
    displayed_rows: dict[str, Rows] = {}
    for system, learn in GROUPS[group].systems.items():
        runner = attempt(learn, body, page)
        rows = displayed_by(runner, body)
        if runner is not None and rows:
            runners[system], displayed_rows[system] = runner, rows
        results[system] = SystemResult(accuracy_of(page, rows or [], types), {})
    specimen = Specimen.of(page) if runners else None
    for trial in trials if specimen else ():
        mutation = specimen.mutate(trial.operator, trial.rate, trial.scope, trial.seed)
        if mutation is None:
            continue
        for name, runner in runners.items():
            expected = mutation.expected(displayed_rows[name])
            outcome = outcome_of(runner, mutation.html, expected)
            results[name].outcomes[trial] = outcome
    return results


def displayed_by(runner: Runner | None, body: bytes) -> Rows | None:
    """Return the records, as displayed, that a wrapper reads on its sample page; None
    if it fails."""
    if isinstance(runner, GeneratedFile):
        return runner.displayed
    return rows_of(runner, body)


def rows_of(runner: Runner | None, body: bytes) -> Rows | None:
    """Return the records that a wrapper reads on a page, None if there is no wrapper or
    if it fails."""
    return attempt(runner, body) if runner else None


def report_of(runner: Runner | None, body: bytes) -> tuple[str, str, Sequence[str]]:
    """Return what a wrapper reports about a page: the verdict of the generated file
    alone, the status of the check, and the failed conditions.

    The verdict and the status are "ERROR" if the check fails with an error. All are
    empty for a wrapper without a check.
    """
    check = getattr(runner, "report", None)
    if check is None:
        return "", "", []
    return attempt(check, body) or ("ERROR", "ERROR", [])


def attempt(function: Callable[..., T], *arguments: Any) -> T | None:
    """Return the result of a function, None if it raises an error; unexpected errors
    are printed."""
    try:
        return function(*arguments)
    except (AmberError, LabelScraperError):
        return None
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return None


def accuracy_of(page: GoldPage, rows: Rows, types: Types) -> Accuracy:
    """Return how accurate the records of an unchanged page are."""
    names = given_types(rows)
    record_count = sum(len(area.records) for area in page.areas)
    score, _ = score_page(page, rows, [kind for kind in types if kind.name in names])
    all_types_score, _ = score_page(page, rows, types)
    is_right = len(rows) == record_count and score.attributes.f1 >= RIGHT
    return Accuracy(is_right, names, all_types_score.attributes.recall)


def given_types(rows: Rows) -> tuple[str, ...]:
    """Return the types of which a record has a value."""
    return tuple(
        dict.fromkeys(name for row in rows for name, value in row.items() if value)
    )


def outcome_of(runner: Runner, body: bytes, expected: Rows) -> Outcome:
    """Return the outcome of a wrapper on a changed page."""
    rows = rows_of(runner, body)
    if isinstance(runner, GeneratedFile):
        expected = runner.expected(expected)
    values = counts(rows or [], expected)
    return Outcome(len(rows or []) == len(expected), values, *report_of(runner, body))


def counts(rows: Rows, expected: Rows) -> dict[str, tuple[int, int, int]]:
    """Return the numbers of right, given and expected values of each type."""
    given, wanted = _by_type(rows), _by_type(expected)
    return {
        name: (
            sum((given[name] & wanted[name]).values()),
            given[name].total(),
            wanted[name].total(),
        )
        for name in sorted({*given, *wanted})
    }


def _by_type(rows: Rows) -> dict[str, Counter[tuple[int, str]]]:
    """Return the values of each type with the numbers of their records."""
    values_by_type: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
    for place, row in enumerate(rows):
        for name, value in row.items():
            if value:
                values_by_type[name][place, value] += 1
    return values_by_type
