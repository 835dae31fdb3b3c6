"""Features of the tags of records."""

from __future__ import annotations

from typing import Final

from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.view import CandidateView
from amber_wrap.annotate.titles import HEADINGS

_INLINE: Final = frozenset("span b strong em i u font small label".split())
BOXES: Final = frozenset("ul ol table tbody dl section".split())


def _tagged(name: str, *tags: str) -> None:
    def share(view: CandidateView) -> float:
        return mean(view.page.tag[one] in tags for one in view.starts)

    share.__name__ = name
    share.__doc__ = f"The share of the records that are {' or '.join(tags)}."
    feature(share)


_tagged("are_items", "li")
_tagged("are_rows", "tr")
_tagged("are_cells", "td", "th")


@feature
def are_links(view: CandidateView) -> float:
    """Return the share of records that are `a` elements.

    Return 0 if any record consists of an inline element and a text after the element.
    """
    if view.goes_on:
        return 0.0
    return mean(view.page.tag[one] == "a" for one in view.starts)


_tagged("are_articles", "article")
_tagged("are_boxes", *sorted(BOXES))
_tagged("are_divisions", "div")
_tagged("are_paragraphs", "p", "blockquote", "pre")
_tagged("are_headings", *sorted(HEADINGS))
_tagged("are_inline", *sorted(_INLINE))
_tagged("are_terms", "dt", "dd")
_tagged("are_forms", "form", "fieldset", "label", "select", "button")
