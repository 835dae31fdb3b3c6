"""Annotate elements whose markup names the type of the value, such as `class="price"`
or `itemprop="address"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.headers import label_beside
from amber_wrap.annotate.markup_words import name_words
from amber_wrap.annotate.names import IconWords, label_of, tokens_of
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import NUMBER

OTHERS = frozenset(
    {
        "label",
        "old",
        "was",
        "former",
        "filter",
        "alert",
        "history",
        "per",
        "min",
    }
    | {"max", "from", "to", "range", "currency", "unit", "total", "saving", "sub"}
    | {"monthly", "weekly", "finance", "mortgage", "deposit", "fee", "tax", "code"}
    | {"previous", "original", "before", "crossed", "strike", "compare", "discount"}
    | {"drop", "cut", "reduction", "rrp", "msrp", "uvp", "votes", "reviews"}
    | {"away", "distance", "radius", "plot", "lot", "land", "garden", "grundstück"}
    | {"grundstueck", "terrain", "terreno", "parcela", "tomt", "działki", "pozemku"}
)
"""Words that change the meaning of a name: "old price" is no price."""
OTHER_TEXTS = frozenset({"icon", "make", "model", "year"})
"""Words that change the meaning of a name for texts. Icon fonts show letters, but no
digits.
"""
NAME = "name"
"""The recogniser of annotations that rest on a name in the markup."""


@dataclass(frozen=True, slots=True)
class NameAnnotator:
    """Annotates elements whose markup has a word in `names`.

    For example, `card-price` and `listingPrice` have the word "price". A name doesn't
    count if another word changes its meaning, as in `price-label`. The label of a cell
    is a name, too, and so is the name of an icon beside a number. An element is also
    annotated if a text in `labels` stands directly before the element.

    The value is the first match of `number`, or the whole text if `number` is None.
    """

    type: str
    names: frozenset[str]
    number: re.Pattern[str] | None = None
    labels: frozenset[str] = frozenset()

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield at most one annotation for each element with a matching name.

        Of nested elements, only the inner one is annotated.
        """
        by_words, by_label, icons = texts.called
        found = set().union(
            *(nodes for words, nodes in by_words if not words.isdisjoint(self.names)),
            *(by_label.get(label, ()) for label in self.labels),
        )
        named = [one for one in sorted(found) if self._is_named(page, one, icons)]
        for node, after in pairwise([*named, len(page)]):
            if not page.contains(node, after):
                yield from self._claim(page, node)

    def _claim(self, page: Page, node: NodeId) -> Iterator[Annotation]:
        shown = page.string(node)
        start, end = 0, len(shown)
        if self.number is not None:
            match = self.number.search(shown)
            if match is None:
                return
            start, end = match.span()
        text = shown[start:end]
        recogniser = NUMBER if self.number else NAME
        yield Annotation(node, TEXT, start, end, self.type, text, text, recogniser)

    def _is_named(self, page: Page, node: NodeId, icons: IconWords) -> bool:
        return (
            self._matches(tokens_of(page, node))
            or self._matches([label_beside(page, node)])
            or (self.number is not None and self._has_icon(icons.get(node, ())))
            or label_of(page, node) in self.labels
        )

    def _has_icon(self, icons: Sequence[Sequence[str]]) -> bool:
        """Return whether an element has exactly one icon, named by a word in `names`.

        `icons` holds the names of each icon. Return False for several icons, because it
        is unknown to which icon a number belongs.
        """
        return len(icons) == 1 and self._matches(icons[0])

    def _matches(self, tokens: Iterable[str]) -> bool:
        others = OTHERS if self.number else OTHERS | OTHER_TEXTS
        for token in tokens:
            words = name_words(token)
            if words & self.names and not (words - self.names) & others:
                return True
        return False
