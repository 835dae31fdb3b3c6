"""Annotate elements whose markup names the type of a value, as `class="price"` does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse, pairwise

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.definition_terms import label_beside
from amber_wrap.annotate.element_icons import IconNames
from amber_wrap.annotate.element_labels import label_of, value_beside_label
from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.naming_attributes import tokens_of
from amber_wrap.annotate.pattern_annotator import compiled_pattern
from amber_wrap.annotate.spoken_texts import displayed_child
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import FIGURES, NUMBER, Domain, ValueKind
from amber_wrap.values.numbers_and_prices import SCALE
from amber_wrap.values.regular_expressions import compose

_YEAR = r"(?<![\w.,])(?:19|20)\d\d(?![\w.,]?\d)"
"""The pattern for years in elements whose markup names a type, such as `class="year"`.
Parts of dates don't match.
"""

OTHER_MEANINGS = frozenset(
    {"label", "old", "was", "former", "filter", "alert", "history", "per", "min"}
    | {"max", "from", "to", "range", "currency", "unit", "total", "saving", "sub"}
    | {"monthly", "weekly", "finance", "mortgage", "deposit", "fee", "tax", "code"}
    | {"previous", "original", "before", "crossed", "strike", "compare", "discount"}
    | {"drop", "cut", "reduction", "rrp", "msrp", "uvp", "votes", "reviews"}
    | {"ratingcount", "ratingscount", "starcount", "starscount"}
    | {"fraction", "fractional", "cents", "decimal", "decimals", "symbol"}
    | {"away", "distance", "radius", "plot", "lot", "land", "garden", "grundstück"}
    | {"grundstueck", "terrain", "terreno", "parcela", "tomt", "działki", "pozemku"}
)
"""Words that change the meaning of a class or label: "old price" is no price."""

FORMER = frozenset({"old", "was", "former", "previous", "original", "before"})
"""Words in the label of a former value: in "Was: £20", the number is no price."""

RATERS = frozenset(
    "review reviews rating ratings vote votes bewertung bewertungen rezension "
    "rezensionen stimmen avis évaluations opinión opiniones reseña reseñas "
    "valoraciones recensione recensioni opinioni avaliação avaliações opiniões "
    "beoordeling beoordelingen recensie recensies opinia opinie opinii ocen "
    "recenzja recenzje recenzji recenze recenzí hodnocení recenzia recenzie "
    "hodnotení omdöme omdömen recension recensioner anmeldelse anmeldelser "
    "bedømmelser omtaler arvostelu arvostelut arvostelua arviot értékelés vélemény "
    "recenzii recenzija recenzije recenzijų atsauksmes arvustust κριτικές "
    "αξιολογήσεις отзыв отзыва отзывов отзывы оценок відгук відгуки відгуків отзива "
    "değerlendirme yorum "
    "レビュー 评价 리뷰".split()
)
"""Words behind the number of people who rated something: "15 reviews" is no rating."""

_SMALL_DECIMAL = re.compile(r"\d\d?[.,]\d\d?")
"""Matches a number such as 4.5, which may be a rating, but is no number of reviews."""

_NEXT_WORD = re.compile(r" ?([^\W\d_]+)")
"""Matches the word directly behind a number."""

OTHER_MEANINGS_OF_TEXTS = frozenset({"icon", "make", "model", "year"})
"""Words such as `icon` that change the meaning of a class or label, unless the value is
a number. For example, the text in an element with the class `icon` may be a sign of an
icon font, but a number is no such sign.
"""

NAME = "name"
"""The `recogniser` of an annotation whose type is known from a class or label, and
whose value is the whole text of the element.
"""


def _counts_reviews(number: re.Match[str]) -> bool:
    """Return whether a number counts reviews, as in "15 reviews".

    Return False for the decimal in "4.5 rating".
    """
    if _SMALL_DECIMAL.fullmatch(number[0]):
        return False
    word = _NEXT_WORD.match(number.string, number.end())
    return word is not None and word[1].casefold() in RATERS


def _is_larger(number: re.Match[str]) -> bool:
    """Return whether a word behind a number makes it larger, as in "1.2 million".

    Return False for a single letter, which may be a unit.
    """
    word = _NEXT_WORD.match(number.string, number.end())
    scale = word[1] if word and len(word[1]) > 1 else ""
    return re.fullmatch(SCALE, scale, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class NameAnnotator:
    """An annotator of elements whose markup or label names the type of the value.

    A word in `names`, such as "price", must be in a class, id or other name of the
    element. Or a text in `labels`, such as "Price:", must be beside the element.
    """

    type: str
    """The name of the type that the annotations have, such as "price"."""
    names: frozenset[str]
    number: re.Pattern[str] | None = None
    """The pattern of the value, or None if the whole text is the value."""
    labels: frozenset[str] = frozenset()

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each element with a class, label or icon that names
        the type.

        Of nested elements, only the inner one is annotated.
        """
        by_words, by_label, icons = texts.named_elements
        candidates: set[NodeId] = set()
        for words, nodes in by_words:
            if not words.isdisjoint(self.names):
                candidates.update(nodes)
        for label in self.labels:
            candidates.update(by_label.get(label, ()))
        named_nodes = [
            node for node in sorted(candidates) if self._is_named(page, node, icons)
        ]
        for node, next_named in pairwise([*named_nodes, len(page)]):
            if not page.contains(node, next_named):
                yield from self._annotate_element(page, node)

    def _annotate_element(self, page: Page, node: NodeId) -> Iterator[Annotation]:
        """Yield the annotation of the value in an element.

        The value is the match of `number`, or else the whole text. Numbers of reviews,
        and numbers behind "was" or before "million", are left out.
        """
        if self.number is None:
            node = displayed_child(page, value_beside_label(page, node))
        element_text = page.string(node)
        start, end = 0, len(element_text)
        if self.number is not None:
            matches = self.number.finditer(element_text)
            match = next(filterfalse(_counts_reviews, matches), None)
            if match is None or _is_larger(match):
                return
            start, end = match.span()
            if not FORMER.isdisjoint(name_words(element_text[:start])):
                return
        value = element_text[start:end]
        recogniser = NUMBER if self.number else NAME
        yield Annotation(node, TEXT, start, end, self.type, value, value, recogniser)

    def _is_named(self, page: Page, node: NodeId, icons: IconNames) -> bool:
        """Return whether the classes, label or icon of an element name the type of the
        value.

        Return False for a number with the label of a former value, such as "Was:".
        """
        label = label_of(page, node)
        if self.number is not None and not FORMER.isdisjoint(name_words(label)):
            return False
        return (
            self._matches(tokens_of(page, node))
            or self._matches([label_beside(page, node)])
            or (self.number is not None and self._has_icon(icons.get(node, ())))
            or label in self.labels
        )

    def _has_icon(self, icons: Sequence[Sequence[str]]) -> bool:
        """Return whether an element has a single icon, whose name has a word in
        `self.names`."""
        return len(icons) == 1 and self._matches(icons[0])

    def _matches(self, names: Iterable[str]) -> bool:
        """Return whether one of the `names` from an element's markup has a word in
        `self.names`.

        A name such as `price-label` doesn't count, because "label" changes its meaning.
        """
        other_meanings = OTHER_MEANINGS
        if not self.number:
            other_meanings |= OTHER_MEANINGS_OF_TEXTS
        for name in names:
            words = name_words(name)
            if words & self.names and not (words - self.names) & other_meanings:
                return True
        return False


def number_in_named_element(
    domain: Domain, value_kind: ValueKind
) -> re.Pattern[str] | None:
    """Return the regular expression for the number in an element with a class such as
    `price`.

    `value_kind` is the kind of the number, such as money. Return None for a kind of
    values that aren't numbers.
    """
    if value_kind is ValueKind.YEAR:
        return compiled_pattern(_YEAR)
    if value_kind not in FIGURES:
        return None
    number = compose(NUMBER, domain.patterns)
    is_quantity = value_kind is ValueKind.QUANTITY
    return compiled_pattern(f"^(?:{number})$" if is_quantity else number)
