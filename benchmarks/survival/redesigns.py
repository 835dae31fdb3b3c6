"""Redesigns: run the extraction rules for a site's old design on its next design.

The file `redesigns.toml` has pairs of pages with known records. The table has the F1 of
records and of values on the new page, for each function of `STEPS` that reads it.
"""

from __future__ import annotations

import tomllib
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

import own
import tally
from campaign import on_real
from corpus import gold_folder
from experiment import Finding, GoldSet
from measurement import types_of
from own import OwnWrapper
from runs import Job, Runs, Types
from systems import GROUPS, HERE, by_hand
from tables import share, table
from trials import attempt, report_of, rows_of

from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import loaded_domain
from amber_wrap.maintenance.healing import heal_wrapper
from amber_wrap.settings import Source
from examples import Rows

PAIRS = HERE / "redesigns.toml"
"""The file that lists the pairs of pages."""
CAN_DO = 0.95
"""The least F1 of records for a page to count as read well."""


def old_wrapper(old: GoldPage, new: GoldPage) -> Rows | None:
    """Return the records that the wrapper of the old page reads on the new page.

    A wrapper is a set of rules for records. Without a wrapper, return no records.
    """
    wrapper = own.with_fallbacks(old.path.read_bytes(), old)
    return rows_of(wrapper, new.path.read_bytes()) or []


def old_css(old: GoldPage, new: GoldPage) -> Rows | None:
    """Return the records that the old page's handwritten CSS reads on the new page.

    Return None if both pages are in one folder, because the CSS was then written for
    both.
    """
    is_known = old.site == new.site
    return None if is_known else rows_of(by_hand(b"", old), new.path.read_bytes()) or []


def healed(old: GoldPage, new: GoldPage) -> Rows | None:
    """Return the records that the old page's wrapper reads on the new page after its
    repair.

    Both pages are used for the repair. Return no records if there is no wrapper, or if
    the repair fails.
    """
    body, new_body = old.path.read_bytes(), new.path.read_bytes()
    if (wrapper := own.with_fallbacks(body, old)) is None:
        return []
    sources = [[Source("sample", page_body)] for page_body in (body, new_body)]
    domains = [loaded_domain(old.domain)]
    healing = attempt(heal_wrapper, wrapper.wrapper, *sources, domains)
    if healing is None or healing.wrapper is None:
        return []
    return rows_of(OwnWrapper(healing.wrapper), new_body) or []


def new_wrapper(old: GoldPage, new: GoldPage) -> Rows | None:
    """Return the records that a wrapper made from the new page reads on this page.

    This is the best result that can be expected.
    """
    body = new.path.read_bytes()
    return rows_of(own.with_fallbacks(body, new), body) or []


STEPS: dict[str, Callable[[GoldPage, GoldPage], Rows | None]] = {
    "old CSS by hand": old_css,
    "old wrapper": old_wrapper,
    "healed": healed,
    "induced anew": new_wrapper,
}
"""The functions that read the new page of a pair, by their name in the table."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the table of all pairs of pages, and a sentence on how many are read well.

    Pairs whose pages don't exist are left out.
    """
    types = types_of(read_corpus(gold_folder()))
    pages = {page.name: page for page in gold.corpus.pages}
    named = [pair for pair in read_pairs() if pages.keys() >= set(pair)]
    pairs = [(pages[old], pages[new]) for old, new in named]
    jobs = [Job.scored(pair, types[pair[1].domain], *pair) for pair in pairs]
    sources = [*GROUPS["own"].sources, *GROUPS["by hand"].sources, HERE / "trials.py"]
    results = runs.of(compare, jobs, sources)
    rows = [
        (
            old.name,
            new.name.removeprefix(f"{old.site}/"),
            *(cell for step in STEPS for cell in cells(result[step])),
            result["status"],
        )
        for (old, new), result in zip(pairs, results, strict=True)
    ]
    names = ("records F1", "attributes")
    head = [f"{step}: {name}" for step in STEPS for name in names]
    text = table(("old page", "new page", *head, "check of the old wrapper"), rows)
    return Finding(f"{text}\n{conclusion(results)}\n")


def cells(figures: Sequence[float] | None) -> list[str]:
    """Return table cells for the F1 of records and that of values, dashes for None."""
    return [tally.NONE] * 2 if figures is None else list(map(share, figures))


def read_pairs() -> list[tuple[str, str]]:
    """Return the names of the old and the new page of each pair."""
    pairs = tomllib.loads(PAIRS.read_text("utf-8"))["pair"]
    return [(pair["old"], pair["new"]) for pair in pairs]


def compare(types: Types, old: GoldPage, new: GoldPage) -> dict[str, Any]:
    """Return the F1 of records and of values on the new page, by function of `STEPS`.

    The entry is None if the function gave no result. The result also has the status
    that `amber-wrap check` reports for the new page with the old wrapper.
    """
    results: dict[str, Any] = {}
    for name, step in STEPS.items():
        rows = step(old, new)
        score = score_page(new, rows or [], types)[0]
        figures = score.records.f1, score.attributes.f1
        results[name] = None if rows is None else figures
    wrapper = own.with_fallbacks(old.path.read_bytes(), old)
    _, results["status"], _ = report_of(wrapper, new.path.read_bytes())
    return results


def conclusion(results: Sequence[dict[str, Any]]) -> str:
    """Return a sentence about how many pairs of pages each function of `STEPS`
    reads well.
    """
    possible = [pair for pair in results if pair["induced anew"][0] >= CAN_DO]
    step_results = []
    for step in STEPS:
        done = [pair[step][0] >= CAN_DO for pair in possible if pair[step]]
        step_results.append(f"{step} {sum(done)} of {len(done)}")
    return (
        f"Of {len(results)} pairs {len(possible)} have a new page that can be "
        f"done at all (records F1 of {CAN_DO} where induced anew). Of these are done, "
        f"by {', '.join(step_results)}."
    )


main = on_real("redesigns", measure, __doc__)
