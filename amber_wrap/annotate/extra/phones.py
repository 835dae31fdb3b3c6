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
    """Annotates telephone numbers in the notation of the page's country.

    The annotations have the type `type`. `pattern` matches any text that may be a
    telephone number. If the country is unknown, the countries of the page's language
    are tried in turn. If the language is unknown, too, only international numbers such
    as "+44 20 ..." are annotated.
    """

    type: str

    pattern: ClassVar[str] = (
        r"(?<![\w+/.,$€£-])(?:\+ ?)?\(?\d(?:[ ./()-]{0,2}\d){6,13}(?!\w)"
    )

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield one annotation for each telephone number on a page."""
        regions = regions_of(locale_of(page))

        def phone_spans(text: str) -> list[MatchSpan]:
            """Return the (start, end) offsets of the telephone numbers in a text.

            The notations of the countries are tried in turn. The result has the numbers
            in the first notation in which any number is found. Return [] if no number
            is found.
            """
            if not re.search(self.pattern, text):
                return []
            spans_by_region = (spans(text, region) for region in regions)
            return next(filter(None, spans_by_region), [])

        return SpanAnnotator(self.type, "phone", phone_spans).annotate(page, texts)


def regions_of(locale: Locale) -> tuple[str, ...]:
    """Return the ISO 3166 codes of the countries whose telephone numbers a page may
    show.

    The result is ("ZZ",) if phonenumbers supports no country of the locale. In that
    case, only international numbers are found.
    """
    if locale.country in SUPPORTED_REGIONS:
        return (locale.country,)
    language = locale.language
    regions = REGIONS.get(language, (language.upper(),))
    return tuple(filter(SUPPORTED_REGIONS.__contains__, regions)) or (INTERNATIONAL,)


def spans(text: str, region: str) -> list[MatchSpan]:
    """Return the (start, end) offsets of the telephone numbers in a text.

    `region` is the ISO 3166 code of the country whose notation the numbers have. For
    "ZZ", only international numbers are found.
    """
    return [(match.start, match.end) for match in PhoneNumberMatcher(text, region)]
