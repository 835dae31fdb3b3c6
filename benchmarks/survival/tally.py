"""Count how many extraction rules survive changes of a page, in tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import charts
from operators import OPERATORS
from systems import APPLY, BASELINES, BY_HAND, NAMES, OURS
from tables import table
from trials import RATES, Outcome, Results, Trial

OK = "OK"
"""The status of a page on which a check finds nothing wrong."""
NONE = "–"
"""The text of a table cell without a figure."""

Keep = Callable[[Trial], bool]
"""A function that tells whether a trial, which is a change of a page, is counted."""


@dataclass(frozen=True, slots=True)
class Share:
    """The number of changed pages on which something is true, and the number `of`
    all.
    """

    number: int
    of: int

    @property
    def value(self) -> float | None:
        """The quotient of `number` and `of`, None if `of` is 0."""
        return self.number / self.of if self.of else None

    @property
    def loss(self) -> float | None:
        """One minus the quotient of `number` and `of`, None if `of` is 0."""
        return None if self.value is None else 1 - self.value

    def __str__(self) -> str:
        return NONE if self.value is None else f"{100 * self.value:.1f}"


def share(verdicts: Iterable[bool]) -> Share:
    """Return the number of true verdicts, and the number of all verdicts."""
    all_verdicts = list(verdicts)
    return Share(sum(all_verdicts), len(all_verdicts))


# --- survivors ------------------------------------------------------------------------


def own_pages(
    results: Results, system: str, keep: Keep, records_only: bool = False
) -> Share:
    """Return the share of changed pages on which a system survives.

    A system survives if it still reads the right records, or with `records_only` if
    just the number of records is right. Pages that the system reads wrong even before
    the change don't count.
    """
    return share(
        outcome.is_whole if records_only else outcome.survives()
        for result in results[system].values()
        if result.accuracy.takes_part
        for trial, outcome in result.outcomes.items()
        if keep(trial)
    )


def all_pages(results: Results, system: str, keep: Keep) -> Share:
    """Return the share of all changed pages on which a system survives.

    A system survives if it still reads the right records. It doesn't survive if it
    reads the page wrong even before the change.
    """
    trials = {
        (page, trial)
        for by_page in results.values()
        for page in results[system]
        for trial in by_page[page].outcomes
    }
    total = sum(keep(trial) for _, trial in trials)
    return Share(own_pages(results, system, keep).number, total)


def shared_pages(
    results: Results, system: str, second_system: str
) -> dict[str, set[str]]:
    """Return the attribute types of which two systems both give values, by page.

    Pages that a system reads wrong before any change are left out.
    """
    shared_types = {}
    for page, first in results[system].items():
        second = results[second_system].get(page)
        if second and first.accuracy.takes_part and second.accuracy.takes_part:
            names = set(first.accuracy.names) & set(second.accuracy.names)
            shared_types |= {page: names} if names else {}
    return shared_types


def duel(results: Results, baseline: str, keep: Keep) -> tuple[Share, Share]:
    """Return the shares of changed pages on which this project and another system
    survive.

    A system survives if it still reads the right records. Both systems are compared on
    the same pages, and by the attribute types that both read.
    """
    pairs = [
        (outcome.survives(names), other_outcomes[trial].survives(names))
        for page, names in shared_pages(results, OURS, baseline).items()
        for other_outcomes in [results[baseline][page].outcomes]
        for trial, outcome in results[OURS][page].outcomes.items()
        if keep(trial) and trial in other_outcomes
    ]
    return share(first for first, _ in pairs), share(second for _, second in pairs)


def best_baseline(results: Results, scope: str, names: Iterable[str]) -> str:
    """Return the name of the strongest of several other systems.

    It has the fewest losses relative to this project's losses on the same changed
    pages.
    """

    def ratio(name: str) -> float:
        own, other = duel(results, name, lambda trial: trial.scope == scope)
        return (own.loss or 0.0) / max(other.loss or 0.0, 1e-9) if other.of else -1.0

    return max((name for name in names if name in results), key=ratio)


# --- tables ---------------------------------------------------------------------------


def participation(results: Results) -> str:
    """Return the table of the number of pages on which each system is measured.

    These are the pages that the system reads right before they are changed.
    """
    rows = []
    for name in _systems_with_results(results):
        pages = [result.accuracy for result in results[name].values()]
        taking_part = [page for page in pages if page.takes_part]
        count = len(taking_part) or 1
        types = sum(len(page.names) for page in taking_part) / count
        found = 100 * sum(page.found for page in taking_part) / count
        part = f"{len(taking_part)} of {len(pages)}"
        rows.append((name, part, f"{types:.1f}", f"{found:.0f}"))
    return table(("system", "pages", "types a page", "gold values found, %"), rows)


def survivors(results: Results, scope: str) -> str:
    """Return the table of how often each system survives changes, by rate of change.

    A system survives if it still reads the right records on the changed page.
    """
    counts: dict[str, Callable[[str, Keep], Share]] = {
        "": partial(own_pages, results),
        "all pages, ": partial(all_pages, results),
        "records only, ": partial(own_pages, results, records_only=True),
    }
    kept = {percent(rate): trials_at(scope, rate) for rate in RATES}
    rows = []
    for name in _systems_with_results(results):
        shares = (it(name, keep) for it in counts.values() for keep in kept.values())
        runs = own_pages(results, name, lambda trial: trial.scope == scope).of
        rows.append((name, *map(str, shares), f"{runs:,}"))
    head = [f"{prefix}{rate}" for prefix in counts for rate in kept]
    return table(("system", *head, "runs"), rows)


def duels(results: Results, scope: str) -> str:
    """Return the table of this project against each other system, on the same changed
    pages.
    """
    rows = []
    for name in (name for name in _systems_with_results(results) if name != OURS):
        cells = [name, str(len(shared_pages(results, OURS, name)))]
        for rate in RATES:
            own_share, its_share = duel(results, name, trials_at(scope, rate))
            own_loss, its_loss = own_share.loss or 0, its_share.loss
            ratio = f"{own_loss / its_loss:.2f}" if its_loss else NONE
            cells += [str(its_share), str(own_share), ratio]
        rows.append(cells)
    columns = ("it", "amber-wrap", "loss ratio")
    head = [f"{percent(rate)}: {column}" for rate in RATES for column in columns]
    return table(("against", "pages", *head), rows)


def by_operator(results: Results, scope: str, baseline: str) -> str:
    """Return the table of how often this project and `baseline` survive each sort of
    change.

    A system survives if it still reads the right records on the changed page.
    """
    rows = []
    for operator in OPERATORS:
        kept = (trials_at(scope, rate, operator) for rate in RATES)
        shares = (part for keep in kept for part in duel(results, baseline, keep))
        rows.append((operator, *map(str, shares)))
    names = ("amber-wrap", baseline)
    head = [f"{percent(rate)}: {name}" for rate in RATES for name in names]
    return table(("operator", *head), rows)


def checks(results: Results, scope: str, system: str = OURS) -> str:
    """Return the table of the errors that a system's check finds, and of its false
    alarms.

    An error is a changed page of which the system reads wrong records. A false alarm is
    a check that fails although the records are right.
    """
    rows = []
    for rate in (*RATES, None):
        outcomes = [
            outcome
            for result in results[system].values()
            for trial, outcome in result.outcomes.items()
            if trial.scope == scope and rate in (None, trial.rate) and outcome.status
        ]
        wrong = [outcome for outcome in outcomes if not outcome.survives()]
        right = [outcome for outcome in outcomes if outcome.survives()]
        broken = str(share(outcome.status == "BROKEN" for outcome in wrong))
        name = "all" if rate is None else percent(rate)
        rows.append((name, *flagged_cells(wrong), broken, *flagged_cells(right)))
    wrong_ones = ("wrong runs", "flagged, %", "by the file alone, %", "BROKEN, %")
    right_ones = ("right runs", "false alarms, %", "of the file alone, %")
    return table(("rate", *wrong_ones, *right_ones), rows)


def flagged_cells(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Return table cells: the number of changed pages, and the shares that two checks
    report.

    The first share is that of `amber-wrap check`. The second is that of the check in
    the generated file.
    """
    flagged = share(outcome.status != OK for outcome in outcomes)
    by_file = share(it.file_status != OK for it in outcomes if it.file_status)
    return f"{flagged.of:,}", str(flagged), str(by_file)


def trials_at(scope: str, rate: float, operator: str = "") -> Keep:
    """Return a function that selects the trials (changes of pages) with a scope and a
    rate.

    With an `operator`, only changes of this sort are selected.
    """
    return lambda trial: (
        trial.scope == scope and trial.rate == rate and operator in ("", trial.operator)
    )


def percent(rate: float) -> str:
    """Return a rate in percent."""
    return f"{100 * rate:g} %"


def _systems_with_results(results: Results) -> Sequence[str]:
    """Return the names of the systems that have results."""
    return [name for name in NAMES if name in results]


# --- charts and lists -----------------------------------------------------------------


def curves(results: Results, scope: str) -> str:
    """Draw how often systems survive changes, by rate of change.

    The systems are this project, handwritten CSS, and the best other system.
    """
    baselines = [name for name in BASELINES if name != BY_HAND]
    names = (OURS, APPLY, BY_HAND, best_baseline(results, scope, baselines))
    series = {
        name: [own_pages(results, name, trials_at(scope, rate)).value for rate in RATES]
        for name in names
        if name in results
    }
    title = f"Runs survived over the rate of changes ({scope})"
    return charts.lines(title, list(map(percent, RATES)), series, form=charts.percent)


def bars(results: Results, scope: str) -> str:
    """Draw how often each system survives changes, at each rate of change."""
    names = _systems_with_results(results)
    series = {
        percent(rate): [
            own_pages(results, name, trials_at(scope, rate)).value for name in names
        ]
        for rate in RATES
    }
    return charts.rows(f"Runs survived ({scope})", names, series, form=charts.percent)


def lost(results: Results) -> Iterator[str]:
    """Yield the lines of a table of changed pages on which this project is wrong.

    Either the records are wrong, or the check fails although the records are right.
    """
    yield "page\tscope\trate\toperator\tseed\trecords\tvalues\tstatus\tfailed"
    for page, result in results[OURS].items():
        part = "" if result.accuracy.takes_part else " (no part)"
        for trial, outcome in result.outcomes.items():
            survives = outcome.survives()
            if survives and (not outcome.status or outcome.status == OK):
                continue
            counts = outcome.values.items()
            wrong = (f"{name} {'/'.join(map(str, count))}" for name, count in counts)
            cells = f"{page}{part}", trial.scope, trial.rate, trial.operator, trial.seed
            records = "whole" if outcome.is_whole else "other number"
            values = "survived" if survives else ", ".join(wrong)
            failed = "; ".join(outcome.failed)
            yield "\t".join(map(str, (*cells, records, values, outcome.status, failed)))
