"""Annotate existing postcodes of the United Kingdom, with the library
uk-postcodes-parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from uk_postcodes_parsing import is_in_ons_postcode_directory

from amber_wrap.annotate.plugin_annotators import MatchSpan

_PATTERN: Final = r"(?<!\w)(?i:[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})(?!\w)"


def postcodes(text: str) -> Iterator[MatchSpan]:
    """Yield the (start, end) offsets of the existing postcodes in a text.

    Existing postcodes are in the directory of the Office for National Statistics.
    """
    for match in re.finditer(_PATTERN, text):
        if is_in_ons_postcode_directory(match[0]):
            yield match.span()


postcodes.pattern = _PATTERN  # type: ignore[attr-defined]
