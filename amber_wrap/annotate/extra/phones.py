"""Annotate telephone numbers that can be dialled, with the library phonenumbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from phonenumbers import SUPPORTED_REGIONS, PhoneNumberMatcher

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.locale import Locale, locale_of
from amber_wrap.annotate.plugin_annotators import MatchSpan, SpanAnnotator
from amber_wrap.dom.page import Page

REGIONS: Final = {
    "en": ("GB", "US"),
    "de": ("DE", "AT", "CH"),
    "pt": ("PT", "BR"),
    "cs": ("CZ",),
    "sv": ("SE",),
    "da": ("DK",),
}
"""The countries whose telephone numbers are tried for each language.

A language without an entry is tried with the country of the same code, such as "FR" for
"fr".
"""
INTERNATIONAL: Final = "ZZ"
"""The region for which the library phonenumbers finds only numbers with a country
code."""


@dataclass(frozen=True, slots=True)
class PhoneAnnotator:
    """An annotator of telephone numbers in the notation of the page's country or
    language.

    If both are unknown, only international numbers such as "+44 20 ..." are annotated.
    """

    type: str
    """The name of the type that the annotations have, such as "phone"."""

    pattern: ClassVar[str] = (
        r"(?<![\w+/.,$€£-])(?:\+ ?)?\(?\d(?:[ ./()-]{0,2}\d){6,13}(?!\w)"
    )

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield one annotation for each telephone number on a page."""
        regions = regions_of(locale_of(page))

        def phone_spans(text: str) -> list[MatchSpan]:
            """Return the (start, end) offsets of the telephone numbers in a text.

            The notations of several countries are tried, and the first one that finds a
            number is used.
            """
            if not re.search(self.pattern, text):
                return []
            spans_by_region = (spans(text, region) for region in regions)
            return next(filter(None, spans_by_region), [])

        return SpanAnnotator(self.type, "phone", phone_spans).annotate(page, texts)


def regions_of(locale: Locale) -> tuple[str, ...]:
    """Return the ISO 3166 codes of the countries whose telephone numbers a page may
    show.

    Return ("ZZ",), which stands for international numbers, if phonenumbers supports no
    such country.
    """
    if locale.country in SUPPORTED_REGIONS:
        return (locale.country,)
    language = locale.language
    regions = REGIONS.get(language, (language.upper(),))
    return tuple(filter(SUPPORTED_REGIONS.__contains__, regions)) or (INTERNATIONAL,)


def spans(text: str, region: str) -> list[MatchSpan]:
    """Return the (start, end) offsets of the telephone numbers in a text.

    `region` is the ISO 3166 code of a country, or "ZZ" for international numbers.
    """
    return [(match.start, match.end) for match in PhoneNumberMatcher(text, region)]
