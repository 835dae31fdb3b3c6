"""Summarise the runs: shares of survivors, tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import charts
from charts import Series
from operators import OPERATORS
from systems import APPLY, BASELINES, BY_HAND, NAMES, OURS
from tables import table
from trials import RATES, Outcome, Results, Trial

OK = "OK"
"""The status of a page that a check finds nothing wrong with."""
NONE = "–"

Keep = Callable[[Trial], bool]


@dataclass(frozen=True, slots=True)
class Share:
    """A number of runs, of so many."""

    number: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.number / self.of if self.of else None

    @property
    def loss(self) -> float | None:
        """What is missing from one."""
        return None if self.value is None else 1 - self.value

    def __str__(self) -> str:
        return NONE if self.value is None else f"{100 * self.value:.1f}"


def share(found: Iterable[bool]) -> Share:
    """Return how many are true, and of how many."""
    listed = list(found)
    return Share(sum(listed), len(listed))


# --- survivors ------------------------------------------------------------------------


def own_pages(
    results: Results, system: str, keep: Keep, records_only: bool = False
) -> Share:
    """Return the survivors among the runs on the pages that a system takes part on."""
    return share(
        outcome.is_whole if records_only else outcome.survives()
        for one in results[system].values()
        if one.accuracy.takes_part
        for trial, outcome in one.outcomes.items()
        if keep(trial)
    )


def all_pages(results: Results, system: str, keep: Keep) -> Share:
    """Return the survivors among all runs; pages without the system are lost."""
    total = sum(
        keep(trial)
        for page in results[system]
        for trial in {t for name in results for t in results[name][page].outcomes}
    )
    return Share(own_pages(results, system, keep).number, total)


def shared_pages(results: Results, system: str, other: str) -> dict[str, set[str]]:
    """Return the pages on which two systems take part, and the types that both give
    there.
    """
    found = {}
    for page, one in results[system].items():
        two = results[other].get(page)
        if two and one.accuracy.takes_part and two.accuracy.takes_part:
            found[page] = set(one.accuracy.names) & set(two.accuracy.names)
    return {page: names for page, names in found.items() if names}


def duel(results: Results, system: str, other: str, keep: Keep) -> tuple[Share, Share]:
    """Return the survivors of two systems among the same runs, by the same types."""
    pairs = [
        (outcome.survives(names), results[other][page].outcomes[trial].survives(names))
        for page, names in shared_pages(results, system, other).items()
        for trial, outcome in results[system][page].outcomes.items()
        if keep(trial) and trial in results[other][page].outcomes
    ]
    return share(one for one, _ in pairs), share(two for _, two in pairs)


def best_baseline(results: Results, scope: str, among: Iterable[str]) -> str:
    """Return the baseline against which this project's loss ratio is highest."""

    def ratio(name: str) -> float:
        ours, other = duel(results, OURS, name, lambda one: one.scope == scope)
        if not other.of:
            return -1.0
        return (ours.loss or 0.0) / max(other.loss or 0.0, 1e-9)

    return max((one for one in among if one in results), key=ratio)


# --- tables ---------------------------------------------------------------------------


def participation(results: Results) -> str:
    """Return the table of the pages that each system takes part on."""
    rows = []
    for name in _there(results):
        accuracy = [one.accuracy for one in results[name].values()]
        part = [one for one in accuracy if one.takes_part]
        found = sum(one.found for one in part) / (len(part) or 1)
        types = sum(len(one.names) for one in part) / (len(part) or 1)
        rows.append(
            (
                name,
                f"{len(part)} of {len(accuracy)}",
                f"{types:.1f}",
                f"{100 * found:.0f}",
            )
        )
    return table(("system", "pages", "types a page", "gold values found, %"), rows)


def survivors(results: Results, scope: str) -> str:
    """Return the table of the survivors of each system at each rate."""
    counts: dict[str, Callable[[str, Keep], Share]] = {
        "": partial(own_pages, results),
        "all pages, ": partial(all_pages, results),
        "records only, ": partial(own_pages, results, records_only=True),
    }
    rows = []
    for name in _there(results):
        cells = (
            str(count(name, at(scope, rate)))
            for count in counts.values()
            for rate in RATES
        )
        runs = own_pages(results, name, lambda one: one.scope == scope).of
        rows.append((name, *cells, f"{runs:,}"))
    head = [f"{what}{percent(rate)}" for what in counts for rate in RATES]
    return table(("system", *head, "runs"), rows)


def duels(results: Results, scope: str) -> str:
    """Return the table of this project against each baseline on the same runs."""
    rows = []
    for name in (one for one in _there(results) if one != OURS):
        cells = [name, str(len(shared_pages(results, OURS, name)))]
        for rate in RATES:
            ours, other = duel(results, OURS, name, at(scope, rate))
            ratio = NONE if not other.loss else f"{(ours.loss or 0) / other.loss:.2f}"
            cells += [str(other), str(ours), ratio]
        rows.append(cells)
    head = [
        f"{percent(rate)}: {what}"
        for rate in RATES
        for what in ("it", "amber-wrap", "loss ratio")
    ]
    return table(("against", "pages", *head), rows)


def by_operator(results: Results, scope: str, baseline: str) -> str:
    """Return the table of the survivors by operator, of this project and a baseline."""
    rows = []
    for operator in OPERATORS:
        cells = [operator]
        for rate in RATES:
            ours, other = duel(results, OURS, baseline, at(scope, rate, operator))
            cells += [str(ours), str(other)]
        rows.append(cells)
    head = [
        f"{percent(rate)}: {name}"
        for rate in RATES
        for name in ("amber-wrap", baseline)
    ]
    return table(("operator", *head), rows)


def checks(results: Results, scope: str, system: str = OURS) -> str:
    """Return the table of what the check says of a system's wrong and right runs."""
    rows = []
    for rate in (*RATES, None):
        outcomes = [
            outcome
            for one in results[system].values()
            for trial, outcome in one.outcomes.items()
            if trial.scope == scope and rate in (None, trial.rate) and outcome.status
        ]
        wrong = [one for one in outcomes if not one.survives()]
        right = [one for one in outcomes if one.survives()]
        flagged, alarms = share(map(is_flagged, wrong)), share(map(is_flagged, right))
        alone = [
            share(one.alone != OK for one in some if one.alone)
            for some in (wrong, right)
        ]
        rows.append(
            (
                "all" if rate is None else percent(rate),
                f"{flagged.of:,}",
                str(flagged),
                str(alone[0]),
                str(share(one.status == "BROKEN" for one in wrong)),
                f"{alarms.of:,}",
                *(str(alarms), str(alone[1])),
            )
        )
    wrong_ones = ("wrong runs", "flagged, %", "by the file alone, %", "BROKEN, %")
    right_ones = ("right runs", "false alarms, %", "of the file alone, %")
    return table(("rate", *wrong_ones, *right_ones), rows)


def is_flagged(outcome: Outcome) -> bool:
    """Return whether the check found something wrong."""
    return outcome.status != OK


def at(scope: str, rate: float, operator: str = "") -> Keep:
    """Return a filter for the runs of a scope at a rate, of one operator or of all."""
    return lambda one: (
        one.scope == scope and one.rate == rate and operator in ("", one.operator)
    )


def percent(rate: float) -> str:
    """Return a rate as it is told."""
    return f"{100 * rate:g} %"


def _there(results: Results) -> Sequence[str]:
    return [name for name in NAMES if name in results]


# --- charts and lists -----------------------------------------------------------------


def curves(results: Results, scope: str) -> str:
    """Draw survival over the rate: this project, CSS by hand, the best other."""
    others = [one for one in BASELINES if one != BY_HAND]
    names = (OURS, APPLY, BY_HAND, best_baseline(results, scope, others))
    series = [
        Series(
            name, [own_pages(results, name, at(scope, rate)).value for rate in RATES]
        )
        for name in names
        if name in results
    ]
    title = f"Runs survived over the rate of changes ({scope})"
    return charts.lines(title, list(map(percent, RATES)), series, form=charts.percent)


def bars(results: Results, scope: str) -> str:
    """Draw the survival of all systems at all rates."""
    names = _there(results)
    series = [
        Series(
            percent(rate),
            [own_pages(results, name, at(scope, rate)).value for name in names],
        )
        for rate in RATES
    ]
    return charts.rows(f"Runs survived ({scope})", names, series, form=charts.percent)


def lost(results: Results) -> Iterator[str]:
    """Yield a line for each run that this project loses, or that its check is wrong
    about.
    """
    yield "page\tscope\trate\toperator\tseed\trecords\tvalues\tstatus\tfailed"
    for page, one in results[OURS].items():
        for trial, outcome in one.outcomes.items():
            survives = outcome.survives()
            alarm = outcome.status and is_flagged(outcome) == survives
            if survives and not alarm:
                continue
            wrong = [f"{k} {a}/{b}/{c}" for k, (a, b, c) in outcome.values.items()]
            yield "\t".join(
                (
                    f"{page}{'' if one.accuracy.takes_part else ' (no part)'}",
                    *(trial.scope, str(trial.rate), trial.operator, str(trial.seed)),
                    "whole" if outcome.is_whole else "other number",
                    "survived" if survives else ", ".join(wrong),
                    *(outcome.status, "; ".join(outcome.failed)),
                )
            )
