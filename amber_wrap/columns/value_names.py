"""Name columns by the kind of their values, if the page has no name for a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.usual_fields import usual_field
from amber_wrap.dom.addresses import path_and_query, path_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.values.dates import DATES

TIME: Final = re.compile(
    r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)(?::[0-5]\d)?(?: ?[ap]\.?m\.?)?(?: ?uhr)?"
    r"|(?:0?\d|1[0-2]) ?[ap]\.?m\.?",
    re.IGNORECASE,
)
_DATE: Final = "date"
EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
TIMELY: Final = (_DATE, "time")
_LISTED: Final = {
    **dict.fromkeys(("author", "username"), "author"),
    **{one: one for one in ("tags", "category", "company", "brand", "artist")},
    **{one: one for one in ("team", "player", "country", "region", "city", "venue")},
}
"""The names of columns by the usual field that a URL folder names, for example "author"
for "username"."""


def kind_of(texts: Sequence[str]) -> str:
    """Return the kind of most texts: "time", "date", "email" or "description".

    Return "" if most texts have no common kind.
    """
    for kind, is_one, share in (
        (TIMELY[1], TIME.fullmatch, COLUMN.nearly_all),
        (_DATE, find_date, COLUMN.half),  # Dates of today may be a time.
        ("email", EMAIL.fullmatch, COLUMN.nearly_all),
    ):
        if sum(is_one(one) is not None for one in texts) > share * len(texts):
            return kind
    if sum(map(len, texts)) >= COLUMN.description * len(texts) > 0:
        return "description"
    return ""


def find_date(text: str) -> re.Match[str] | None:
    """Return the first date in a text, or None."""
    return next(filter(None, (form.search(text) for form in DATES)), None)


def folders(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the folders in the path of a link's target, the innermost first."""
    path = path_of(path_and_query(page.attributes[node].get("href", "")))
    yield from [one for one in path.strip("/").split("/")[:-1] if one][::-1]


def listed_field(page: Page, node: NodeId) -> str:
    """Return the usual field that a folder in a link's target names, or "".

    For example, return "author" for a link to `/user/17`.
    """
    found = (_LISTED.get(usual_field(one), "") for one in folders(page, node))
    return next(filter(None, found), "")
