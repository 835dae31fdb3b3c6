"""Name columns without a name on the page: by usual fields, or by the kind of values.

The usual fields of records, such as "price", are looked up by words in many languages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.link_addresses import path_and_query, path_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.values.dates import DATES

UNSHOWN: Final = frozenset({"image", "website"})
"""Fields that are no texts. A class of this name belongs to an image or a link beside
the text."""
_ENGLISH: Final = "english"
_SHORTEST: Final = 3
"""The least number of letters of a word for a usual field in a class name."""
_MARKS: Final = re.compile(r"^[\s\W_]+|[\s.:\uff1a*]+$")
"""Signs around the words of a label."""
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


def usual_field(label: str) -> str:
    """Return the usual field that a label in any language names, such as "price".

    Return "" if the label names no usual field.
    """
    found, whole = _fields(), " ".join(label.split()).casefold()
    return found.get(whole) or found.get(_bare(whole), "")


def is_english_field(label: str) -> bool:
    """Return whether a label is an English word for a usual field."""
    return _bare(" ".join(label.split()).casefold()) in _fields(_ENGLISH)


def _bare(text: str) -> str:
    return _MARKS.sub("", text)


def has_usual_word(words: Iterable[str]) -> bool:
    """Return whether one of the lower-case words names a usual field, such as
    "price"."""
    return not _words().isdisjoint(words)


@cache
def _fields(*languages: str) -> Mapping[str, str]:
    """Return the usual fields by the words that name them.

    The words belong to the `languages`, or to all languages if none is given.
    """
    path = files(__package__).joinpath("data/fields.toml")
    found: dict[str, str] = {}
    for field, words in tomllib.loads(path.read_text("utf-8")).items():
        lists = [words.get(one, "") for one in languages or words]
        for one in ",".join(lists).split(","):
            if word := " ".join(one.split()).casefold():
                found.setdefault(word, field)
    return found


@cache
def _words() -> frozenset[str]:
    """Return the words for usual fields that may be parts of a class name."""
    return frozenset(
        one
        for one, field in _fields().items()
        if one.isalpha() and len(one) >= _SHORTEST and field not in UNSHOWN
    )


def kind_of(texts: Sequence[str]) -> str:
    """Return the kind of most texts: "time", "date", "email" or "description".

    Return "" if most texts have no common kind. A long text with a date is a
    description.
    """
    is_long = sum(map(len, texts)) >= COLUMN.description * len(texts) > 0
    for kind, is_one, share in (
        (TIMELY[1], TIME.fullmatch, COLUMN.nearly_all),
        (_DATE, find_date, COLUMN.half),  # Dates of today may be a time.
        ("email", EMAIL.fullmatch, COLUMN.nearly_all),
    ):
        if sum(is_one(one) is not None for one in texts) > share * len(texts):
            return "description" if is_long else kind
    return "description" if is_long else ""


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
