"""Define the content of a generated record before it becomes markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from synthetic.markup import Term, Value
from synthetic.random_choices import Style


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text.

    `types` are the types of the values that the text belongs to. `terms` are the place
    names in the text.
    """

    text: str
    types: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()


Phrase = tuple[Span, ...]
"""A text that is divided into pieces.

A value, such as an address, may extend over several pieces.
"""


def phrase(*parts: str | Span | Phrase) -> Phrase:
    """Return a text that consists of the given pieces. Empty pieces are left out."""
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, str):
            part = Span(part)
        spans += [part] if isinstance(part, Span) else part
    return tuple(span for span in spans if span.text)


def joined(separator: str, phrases: Sequence[Phrase]) -> Phrase:
    """Return the phrases as one text, with `separator` between them.

    The separator is a part of a value if the text before it and the text behind it are,
    as in an address.
    """
    spans: list[Span] = []
    for next_phrase in filter(None, phrases):
        if spans:
            types = tuple(
                name for name in spans[-1].types if name in next_phrase[0].types
            )
            spans.append(Span(separator, types))
        spans += next_phrase
    return tuple(spans)


def text_of(spans: Phrase) -> str:
    """Return the text of several pieces."""
    return "".join(span.text for span in spans)


def values_of(spans: Phrase, source: str = "text") -> tuple[Value, ...]:
    """Return the values in a text, which is given in pieces.

    A value extends from the first to the last piece with its type. `source` says where
    an element shows the value: as "text", or in an HTML attribute such as "@href".
    """
    values = []
    for name in dict.fromkeys(name for span in spans for name in span.types):
        positions = [rank for rank, span in enumerate(spans) if name in span.types]
        value_spans = spans[positions[0] : positions[-1] + 1]
        terms = tuple(term for span in value_spans for term in span.terms)
        value_text = " ".join(text_of(value_spans).split())
        values.append(
            Value(name, value_text, source, terms if name == "location" else ())
        )
    return tuple(values)


@dataclass(frozen=True, slots=True)
class Fact:
    """A short statement about an offer: "3", shown as "3 bedrooms" or beside
    "Bedrooms".

    `type` is the attribute type, or empty if there is none, as for placeholders.
    """

    type: str
    label: str
    value: str
    before: str = ""
    after: str = ""

    @property
    def phrase(self) -> Phrase:
        """The value, with the words before and behind it."""
        return phrase(self.before, self.bare, self.after)

    @property
    def bare(self) -> Span:
        """The value without the words around it, as it is shown beside a label or
        an icon.
        """
        return Span(self.value, (self.type,) if self.type else ())


class Offer(Style):
    """Everything that a site shows of a record, before it becomes markup.

    `place` are the lines of the address. `extras` are amounts of money other than the
    price. `alternative` is the `alt` text of the picture.
    """


class Trade(Style):
    """A seller, with the habits of the website that shows the offers.

    `unscored` are the attribute types whose values no reader can determine.
    """

    unscored: tuple[str, ...] = ()

    def offers(self, rng: Random, count: int, market: str = "") -> list[Offer]:
        """Draw `count` offers as the site describes them.

        `market` is "sale" or "let", or empty for the site's own market.
        """
        first_number = rng.randint(1000, 90000)
        return [
            self.offer(rng, first_number + 7 * rank + rng.randint(0, 6), market)
            for rank in range(count)
        ]

    def link(self, number: int, about: str, market: str = "") -> str:
        """Return the URL of an offer's page, which may contain the words of `about`."""
        slug = about.lower().replace(" ", "-")
        return self.href.format(n=number, slug=slug, m=market, host=self.host)

    def offer(self, rng: Random, number: int, market: str) -> Offer:
        """Draw one offer. `number` is its number on the site.

        `market` is "sale" or "let", or empty for the site's own market.
        """
        raise NotImplementedError
