"""Write a page's records as a feed: JSON Feed 1.1 or Atom (RFC 4287).

The same records always give the same feed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote

from amber_wrap.codegen.other_languages import CONTROL, fill
from amber_wrap.dom.link_addresses import address_parts
from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.feed_roles import Roles, roles

_VERSION: Final = "https://jsonfeed.org/version/1.1"
"""The version that a JSON Feed declares."""

_DATE: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?"
)

BEGINNING: Final = "1970-01-01T00:00:00Z"
"""The date of an Atom feed without dates: the Unix epoch."""

LONGEST_TITLE: Final = 100
"""The most characters of a feed entry's title that is taken from the entry's text."""

UNSAFE: Final = "%/:=&?~#+!$,;'@()*[]"
"""The characters that stay unescaped in an address, besides letters and digits."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the records.

    `kind` is the kind of the values, such as text or date. `several` is true if one
    record has several values of the field.
    """

    name: str
    kind: ValueKind
    several: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a feed, made from one record.

    Unknown values are "".
    """

    id: str
    """An id that no other entry of the feed has."""
    title: str
    url: str
    """The address of the record's own page."""
    text: str
    """The values that are in no other part of the entry, as lines `name: value`."""
    date: str = ""
    """The date of the entry in the format of RFC 3339."""
    image: str = ""
    """The address of an image for the entry."""
    author: str = ""
    tags: tuple[str, ...] = ()


def feed_entries(
    fields: Sequence[tuple[str, ValueKind]], rows: Sequence[Mapping[str, Any]]
) -> list[_Entry]:
    """Return the feed entries of records, in the order of the records.

    `rows` are the records, as dicts from the names of fields to values.
    """
    filled_fields = [
        _Field(name, kind, kind is ValueKind.TEXTS)
        for name, kind in fields
        if any(record.get(name) is not None for record in rows)
    ]
    field_roles = roles(filled_fields)
    id_counts: Counter[str] = Counter()
    unique_entries = []
    for record in rows:
        feed_entry = _entry(field_roles, record)
        id_counts[feed_entry.id] += 1
        count = id_counts[feed_entry.id]
        if count > 1:
            feed_entry = replace(feed_entry, id=f"{feed_entry.id}#{count}")
        unique_entries.append(feed_entry)
    return unique_entries


def json_feed(name: str, url: str, entries: Sequence[_Entry]) -> str:
    """Return the JSON Feed 1.1 text of a feed with the given entries.

    `url` is the address of the records' page, "" if unknown.
    """
    feed: dict[str, Any] = {"version": _VERSION, "title": name}
    if url:
        feed["home_page_url"] = url
    feed["items"] = [_json_item(entry) for entry in entries]
    return json.dumps(feed, ensure_ascii=False, indent=1) + "\n"


def atom(name: str, url: str, entries: Sequence[_Entry]) -> str:
    """Return the XML text of an Atom feed with the given entries.

    `url` is the address of the records' page, "" if unknown. Raise WrapperError for
    text that XML can't hold.
    """
    newest = max((entry.date for entry in entries if entry.date), default=BEGINNING)
    return fill(
        "feed/atom.xml.jinja",
        name=name,
        id=url or f"urn:amber-wrap:{quote(name)}",
        url=url,
        updated=newest,
        entries=entries,
    )


def _entry(field_roles: Roles[_Field], record: Mapping[str, Any]) -> _Entry:
    """Return the feed entry of a record.

    Its id is the address of the record's own page, or else a digest of the record.
    """

    def text(field: _Field | None) -> str:
        value = record.get(field.name) if field else None
        return _clean(str(value)) if value else ""

    entry_url = absolute_address(text(field_roles.link))
    entry_text = "\n".join(_text_lines(field_roles, record))
    entry_title = (
        text(field_roles.title) or entry_text.partition("\n")[0][:LONGEST_TITLE]
    )
    digest = hashlib.sha1(
        json.dumps(record, default=str).encode(), usedforsecurity=False
    )
    tags = record.get(field_roles.tags.name) if field_roles.tags else None
    return _Entry(
        id=entry_url or f"urn:sha1:{digest.hexdigest()}",
        title=entry_title,
        url=entry_url,
        text=entry_text or entry_title,
        date=feed_date(text(field_roles.date)),
        image=absolute_address(text(field_roles.image)),
        author=text(field_roles.author),
        tags=tuple(dict.fromkeys(map(_clean, tags or ()))),
    )


def _text_lines(field_roles: Roles[_Field], record: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line `name: value` for each value that isn't shown elsewhere in an entry.

    The title and the date, for example, are shown elsewhere.
    """
    roles_with_element = (
        field_roles.title,
        field_roles.link,
        field_roles.image,
        field_roles.author,
        field_roles.tags,
    )
    fields_with_element = {field.name for field in roles_with_element if field}
    date_field = field_roles.date
    if date_field and feed_date(str(record.get(date_field.name) or "")):
        fields_with_element.add(date_field.name)
    for key, value in record.items():
        if key in fields_with_element or key.startswith("_") or value is None:
            continue
        items = value if isinstance(value, list) else [value]
        yield _clean(f"{key.replace('_', ' ')}: {', '.join(map(str, items))}")


def feed_date(date: str) -> str:
    """Return an ISO 8601 date in the format of RFC 3339, or "" for any other text.

    The default time is 00:00, and the default time zone is UTC.
    """
    date_match = _DATE.fullmatch(date)
    if not date_match:
        return ""
    day, time, seconds, zone = date_match.groups()
    offset = re.sub(r"(\d\d)(\d\d)", r"\1:\2", zone or "Z")
    return f"{day}T{time or '00:00'}{seconds or ':00'}{offset}"


def absolute_address(url: str) -> str:
    """Return an escaped http or https address, or "" for any other text."""
    is_absolute = address_parts(url).scheme in ("http", "https")
    return quote(url, safe=UNSAFE) if is_absolute else ""


def _clean(text: str) -> str:
    """Return a text without the control characters that feeds can't hold."""
    return CONTROL.sub("", text)


def _json_item(entry: _Entry) -> dict[str, Any]:
    """Return an entry as an item of a JSON Feed.

    Unknown values are left out, except the text, which may be empty.
    """
    values = {
        "url": entry.url,
        "title": entry.title,
        "content_text": entry.text,
        "image": entry.image,
        "date_published": entry.date,
    }
    feed_item: dict[str, Any] = {"id": entry.id}
    feed_item |= {key: value for key, value in values.items() if value}
    feed_item.setdefault("content_text", "")
    if entry.author:
        feed_item["authors"] = [{"name": entry.author}]
    if entry.tags:
        feed_item["tags"] = list(entry.tags)
    return feed_item
