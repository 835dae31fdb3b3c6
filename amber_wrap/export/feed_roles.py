"""Choose the fields for the title, link, date and other parts of a feed's entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.plain_xpath import Selected

_TITLES: Final = ("title", "headline", "name", "subject", "location", "address")
_LINKS: Final = ("details_page", "link", "url")
IMAGES: Final = ("image", "photo", "thumbnail", "picture", "cover", "logo")
AUTHORS: Final = ("author", "by", "user", "agent", "seller", "dealer", "publisher")


class _Field(Protocol):
    """A field's name, its kind, and whether it has several values in a record."""

    @property
    def name(self) -> str:
        """Return the field's name."""

    @property
    def kind(self) -> ValueKind:
        """Return the kind of the field's values."""

    @property
    def several(self) -> bool:
        """Return whether a record has several values."""


F = TypeVar("F", bound=_Field)


@dataclass(frozen=True, slots=True)
class Roles(Generic[F]):
    """The fields of a record by their role in a feed's entry.

    A role without a field is None.  `rest` are the fields without a role.
    """

    title: F | None
    link: F | None
    date: F | None
    image: F | None
    author: F | None
    tags: F | None
    rest: tuple[F, ...]


def roles(fields: Sequence[F]) -> Roles[F]:
    """Return the fields by their role in a feed's entry.

    The roles are chosen by the names and the kinds of the fields.
    """
    urls = [one for one in fields if one.kind is ValueKind.URL]
    texts = [one for one in fields if one.kind is ValueKind.TEXT]
    image = _named(urls, IMAGES)
    pages = [one for one in urls if one is not image]
    title = _named(texts, _TITLES) or next(iter(texts), None)
    found = Roles(
        title=title,
        link=_named(pages, _LINKS) or next(iter(pages), None),
        date=next((one for one in fields if one.kind is ValueKind.DATE), None),
        image=image,
        author=_named([one for one in texts if one is not title], AUTHORS),
        tags=next((one for one in fields if one.several), None),
        rest=(),
    )
    used = (
        *(found.title, found.link, found.date),
        *(found.image, found.author, found.tags),
    )
    rest = tuple(one for one in fields if not any(one is other for other in used))
    return Roles(*used[:6], rest=rest)


def _named(fields: Iterable[F], names: Sequence[str]) -> F | None:
    """Return the field whose name comes first in `names`.

    Return None if no field has any of the names.
    """
    by_name = {one.name: one for one in fields}
    return next((by_name[one] for one in names if one in by_name), None)


def content(fields: Iterable[Selected]) -> str:
    """Return an XPath expression that joins the names and texts of all fields.

    Return "" if there are no fields.
    """
    parts = [f'"{one.name.replace("_", " ")}: ", {one.text}' for one in fields]
    if not parts:
        return ""
    joined = ', "; ", '.join(parts)
    return f'concat({joined}, "")'
