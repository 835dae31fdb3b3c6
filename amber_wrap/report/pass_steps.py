"""Describe the result of each pass on a page: as text, and as elements to highlight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.passes.analysis import Analysis

PASS_TITLES: Final[Mapping[str, str]] = {
    "pages": "parse the samples",
    "annotations": "annotate texts",
    "pointed": "find the examples",
    "candidates": "find candidate lists",
    "choices": "choose the list",
    "tried": "align attributes",
    "best": "choose the domain",
    "analysis": "add lists of the same kind",
    "presence": "compare the samples",
    "columns": "add columns",
    "written": "write expressions",
    "onward": "find the next page",
    "induced": "make the contract",
    "wrapper": "apply your decisions",
    "left_out": "leave one sample out",
    "diagnostics": "look for problems",
}
"""The tasks of the passes, by the names of their results in `pipeline`."""
_MOST: Final = 40
"""The largest number of marked candidate lists."""


@dataclass(slots=True)
class PassTimes:
    """The running time of each compiler pass in seconds, in the order of the passes.

    Call the object with the name of a pass when the pass begins, and with "" at the
    end.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    _name: str = ""
    _since: float = 0.0

    def __call__(self, name: str) -> None:
        """Stop the clock of the current pass, and start the clock of `name`."""
        now = perf_counter()
        if self._name:
            self.seconds[self._name] = now - self._since
        self._name, self._since = name, now

    def lines(self) -> Iterator[str]:
        """Yield a line with the seconds and the task of each pass, then a line with the
        sum."""
        for name, seconds in self.seconds.items():
            yield f"{seconds:7.3f} s  {PASS_TITLES[name]}"
        yield f"{sum(self.seconds.values()):7.3f} s  in total"


@dataclass(frozen=True, slots=True)
class PassStep:
    """The results of a compiler pass on a page.

    `areas` are the root elements of lists. `records` are the elements of each record.
    Each item of `values` has an element, an attribute type, and the number of a record.
    """

    title: str
    summary: str
    areas: tuple[NodeId, ...] = ()
    records: tuple[tuple[NodeId, ...], ...] = ()
    values: tuple[tuple[NodeId, str, int], ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the results as JSON data.

        The list `names` has the attribute types.  Each value refers to its type by an
        index in this list.
        """
        names = list(dict.fromkeys(name for _, name, _ in self.values))
        return {
            "title": self.title,
            "summary": self.summary,
            "names": names,
            "marks": {
                "areas": [[node, self.title] for node in self.areas],
                "records": self.records,
                "values": [
                    [node, names.index(name), number]
                    for node, name, number in self.values
                ],
            },
        }


def pass_steps(page: Page, best: Analysis) -> Iterator[PassStep]:
    """Yield the results of each pass of an analysis on its first page."""
    annotations, choice, typing = best.annotations[0], best.choices[0], best.typings[0]
    yield PassStep(
        "Annotate",
        f"{len(annotations)} texts may be values of the domain {best.domain.name}.",
        values=tuple((page.element(one.node), one.type, 0) for one in annotations),
    )
    ranked = [one.segmentation.area.root for one in choice.ranked]
    roots = tuple(dict.fromkeys(ranked))
    yield PassStep(
        "Find lists",
        f"{len(ranked)} lists of similar elements, in {len(roots)} places.",
        areas=roots[:_MOST],
    )
    chosen = tuple(one.area.root for one in choice.lists)
    yield PassStep(
        "Choose the list",
        f"The page has a list of records with a probability of "
        f"{choice.probability:.0%}; the marked list is the most likely.",
        areas=chosen,
    )
    records = tuple(one.nodes for area in typing.areas for one in area.records)
    lengths = " or ".join(map(str, sorted({len(one) for one in records})))
    yield PassStep(
        "Segment",
        f"{len(records)} records, each of {lengths or 'no'} sibling elements.",
        areas=chosen,
        records=records,
    )
    found = [some for area in typing.areas for some in area.attributes]
    noise = sum(len(one) for area in typing.areas for one in area.noise.values())
    inferred = sum(one.origin == "inferred" for some in found for one in some)
    yield PassStep(
        "Align",
        f"{sum(map(len, found))} attributes, {inferred} of them inferred from "
        f"their position; {noise} annotations are noise, because few records have a "
        "similar one at the same path.",
        areas=chosen,
        records=records,
        values=tuple(
            (page.element(one.node), one.type, number)
            for number, some in enumerate(found)
            for one in some
        ),
    )
