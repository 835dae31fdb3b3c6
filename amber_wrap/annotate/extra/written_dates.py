"""Dates with the month in words, in the language of the page (dateparser)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from dateparser.data.languages_info import language_order
from dateparser.date import DateDataParser

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.locale import locale_of
from amber_wrap.annotate.spans import MatchSpan, SpanAnnotator
from amber_wrap.dom.page import Page

_SETTINGS: Final = {
    "PARSERS": ["absolute-time"],
    "REQUIRE_PARTS": ["day", "month", "year"],
    "TIMEZONE": "UTC",
}
"""Of dateparser: nothing that depends on the day or the place where it runs."""
CODES: Final = {"no": "nb", "bs": "hr"}
"""Languages that have another code there."""
_MONTH: Final = r"[^\W\d_]{3,12}\.?"
"""What may be a month: any word; dateparser tells."""


@dataclass(frozen=True, slots=True)
class WrittenDateAnnotator:
    """Claims dates of a day, a month in words and a year, in the page's language.

    The language is the page's (`annotate.locale`) and never guessed from a date; on a
    page without one nothing is claimed.
    """

    type: str

    pattern: ClassVar[str] = (
        r"(?<![\w.,/-])(?:"
        rf"\d{{1,2}}(?:st|nd|rd|th|er|\.|º|ª)?,? (?:of |de |d['’])?{_MONTH},?"
        r" (?:de |del )?\d{4}"
        rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
        rf"|\d{{4}}[.,]? {_MONTH} \d{{1,2}}"
        r")(?![\w/-])"
    )

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """One annotation per date."""
        parser = parser_of(locale_of(page).language)

        def find(text: str) -> Iterator[MatchSpan]:
            for match in re.finditer(self.pattern, text):
                if parser and parser.get_date_data(match[0]).date_obj:
                    yield match.span()

        return SpanAnnotator(self.type, "written-date", find).annotate(page, texts)


@cache
def parser_of(language: str) -> DateDataParser | None:
    """Return a parser for dates in one language, None if dateparser doesn't know
    it.
    """
    code = CODES.get(language, language)
    if code not in language_order:
        return None
    return DateDataParser(languages=[code], settings=_SETTINGS)
