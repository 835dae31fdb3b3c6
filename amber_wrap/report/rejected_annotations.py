"""List the annotations of a page that didn't become attributes, with the reasons."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import Page
from amber_wrap.passes.analysis import Analysis


@dataclass(frozen=True, slots=True)
class RejectedAnnotation:
    """An annotation that didn't become an attribute, and the reason."""

    annotation: Annotation
    reason: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that describe the annotation and the reason."""
        by = f"annotated by {self.annotation.recogniser}"
        return (
            f"{self.annotation.type}? {self.annotation.text}",
            f"rejected: {self.reason}",
            by,
        )


def rejected_annotations(
    page: Page, analysis: Analysis
) -> Iterator[RejectedAnnotation]:
    """Yield the annotations of the first sample that didn't become attributes."""
    areas = analysis.typings[0].areas
    starts: list[int] = []
    read: list[dict[str, tuple[int, str]]] = []
    spans: list[tuple[int, ...]] = []
    for area in areas:
        for record, found in zip(area.records, area.attributes, strict=True):
            starts.append(record.start)
            spans.append(record.nodes)
            read.append({one.type: (one.node, one.text or "") for one in found})
    order = sorted(range(len(starts)), key=starts.__getitem__)
    sorted_starts = [starts[at] for at in order]
    noise = {id(one) for area in areas for one in chain(*area.noise.values())}
    shares: dict[str, list[float]] = defaultdict(list)
    for place in chain.from_iterable(area.positions for area in areas):
        if not place.kept:
            shares[place.type].append(place.support)
    for annotation in analysis.annotations[0]:
        at = bisect_right(sorted_starts, annotation.node) - 1
        number = order[at] if at >= 0 else None
        if number is None or not any(
            page.contains(row, annotation.node) for row in spans[number]
        ):
            yield RejectedAnnotation(annotation, "the text is outside all records")
            continue
        node, text = read[number].get(annotation.type, (-1, ""))
        is_same_text = (
            node >= 0
            and page.contains(node, annotation.node)
            and text == annotation.text
        )
        if node == annotation.node or is_same_text:
            continue
        if id(annotation) in noise:
            listed = ", ".join(
                f"{one:.0%}" for one in sorted(set(shares[annotation.type]))
            )
            value = f"a value of {annotation.type}"
            reason = f"too few records have {value} at this path ({listed})"
        elif node >= 0:
            reason = f"the record has another {annotation.type}: {text}"
        else:
            value = f"a value of {annotation.type}"
            reason = f"the text at this path is not {value} in this record"
        yield RejectedAnnotation(annotation, reason)


def rejected_lines(found: Iterable[RejectedAnnotation]) -> Iterator[str]:
    """Yield a line with the number of rejected annotations for each type and reason."""
    counts = Counter(
        (one.annotation.type, one.reason.partition(":")[0].partition(" (")[0])
        for one in found
    )
    for (kind, reason), count in sorted(counts.items()):
        yield f"{kind:14} {count:5}  {reason}"
