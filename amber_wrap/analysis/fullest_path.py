"""Find paths whose texts contain the texts at another path of the same records.

For example, a record shows the town at one path, and the street and the town at
another. AMBER takes the first path in document order (section 3.5).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    ShownText,
    TextSpan,
    ValuePlace,
    whole_source,
)
from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.dom.page import Page

_WORD = re.compile(r"\w+")


def fuller_paths(
    page: Page,
    cuts: Mapping[ValuePlace, Trimming],
    varieties: Mapping[ValuePlace, float],
    texts_at: Mapping[ValuePlace, Sequence[ShownText]],
    own: AnnotationsByRecord,
    lines: Mapping[ValuePlace, str],
) -> Mapping[ValuePlace, frozenset[ValuePlace]]:
    """Return for each path the other paths that have a fuller text in most records.

    A fuller text contains all words of another text, and more characters in recognised
    values. For example, "1 High Street, Oxford" is fuller than "Oxford". A path with
    fuller texts is left out if its values vary less than the values at the first path.

    `cuts` has the parts to remove from the texts at each path. A path without an entry
    in `cuts` is ignored. `varieties` has for each path how much its values vary.
    `texts_at` has the texts at each path. `own` has the annotations of one type in each
    record. `lines` maps a path to the part of the text that is the value, such as the
    first line.
    """
    by_text = {
        place: {one.text: one for one in texts} for place, texts in texts_at.items()
    }
    times, more = Counter[ValuePlace](), Counter[tuple[ValuePlace, ValuePlace]]()
    for found in own:
        here: dict[ValuePlace, ShownText] = {}
        for claim in found:
            place = claim.place
            if place in here or place not in cuts:
                continue
            source = lines.get(place) or whole_source(
                page, claim.node, place[1], claim.annotation
            )
            text = page.source_text(claim.node, source)
            if text in by_text[place]:
                here[place] = by_text[place][text].within(cuts[place].of(text))
        times.update(here.keys())
        for (place, less), (other, full) in permutations(here.items(), 2):
            more[place, other] += _says_more(full, less)
    found_at: dict[ValuePlace, set[ValuePlace]] = defaultdict(set)
    for (place, other), count in more.items():
        if 2 * count > times[place] and varieties[other] >= varieties[place]:
            found_at[place].add(other)
    return {place: frozenset(others) for place, others in found_at.items()}


def _says_more(full: ShownText, less: ShownText) -> bool:
    """Return whether `full` contains the words of `less`, and more characters in
    recognised values.
    """
    words, others = (f" {' '.join(_WORD.findall(one.text))} " for one in (full, less))
    return (
        len(words) > len(others)
        and others in words
        and span_size([full.parts]) > span_size([less.own])
    )


def span_size(spans: Iterable[Sequence[TextSpan]]) -> int:
    """Return the total number of characters in spans."""
    return sum(end - start for found in spans for start, end in found)
