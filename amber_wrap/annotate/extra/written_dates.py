"""Annotate dates with the month in words in the page's language, with the library
dateparser.
"""

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
from amber_wrap.annotate.plugin_annotators import MatchSpan, SpanAnnotator
from amber_wrap.dom.page import Page

_SETTINGS: Final = {
    "PARSERS": ["absolute-time"],
    "REQUIRE_PARTS": ["day", "month", "year"],
    "TIMEZONE": "UTC",
}
"""Settings of dateparser that make results independent of the present day and place."""
CODES: Final = {"no": "nb", "bs": "hr"}
"""The code of a language in dateparser, by its code in this project, if they differ."""
_MONTH: Final = r"[^\W\d_]{3,12}\.?"
"""Matches a word that may be a month. The library dateparser decides whether it is."""


@dataclass(frozen=True, slots=True)
class WrittenDateAnnotator:
    """An annotator of dates with a month in words of the page's language, such as "9
    May 2024".

    If the language is unknown, nothing is annotated.
    """

    type: str
    """The name of the type that the annotations have, such as "date"."""

    pattern: ClassVar[str] = (
        r"(?<![\w.,/-])(?:"
        rf"\d{{1,2}}(?:st|nd|rd|th|er|\.|º|ª)?,? (?:of |de |d['’])?{_MONTH},?"
        r" (?:de |del )?\d{4}"
        rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
        rf"|\d{{4}}[.,]? {_MONTH} \d{{1,2}}"
        r")(?![\w/-])"
    )

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield one annotation for each date on a page."""
        parser = parser_of(locale_of(page).language)

        def date_spans(text: str) -> Iterator[MatchSpan]:
            """Yield the (start, end) offsets of the dates in a text that dateparser can
            read.
            """
            for match in re.finditer(self.pattern, text):
                if parser and parser.get_date_data(match[0]).date_obj:
                    yield match.span()

        annotator = SpanAnnotator(self.type, "written-date", date_spans)
        return annotator.annotate(page, texts)


@cache
def parser_of(language: str) -> DateDataParser | None:
    """Return a parser for dates in a language, or None if dateparser doesn't support
    the language.
    """
    code = CODES.get(language, language)
    if code not in language_order:
        return None
    return DateDataParser(languages=[code], settings=_SETTINGS)
