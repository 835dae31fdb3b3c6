"""What fields are to a feed: its title, its link, its date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.selection import Selected

_TITLES: Final = ("title", "headline", "name", "subject", "location", "address")
_LINKS: Final = ("details_page", "link", "url")
IMAGES: Final = ("image", "photo", "thumbnail", "picture", "cover", "logo")
AUTHORS: Final = ("author", "by", "user", "agent", "seller", "dealer", "publisher")


class _Field(Protocol):
    """What is known of a field: its name, its kind, and whether it has several values
    in a record."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def kind(self) -> ValueKind:
        """What its values are."""

    @property
    def several(self) -> bool:
        """Whether a record has several."""


F = TypeVar("F", bound=_Field)


@dataclass(frozen=True, slots=True)
class Roles(Generic[F]):
    """The fields of a feed's entry; the `rest` are told in its content."""

    title: F | None
    link: F | None
    date: F | None
    image: F | None
    author: F | None
    tags: F | None
    rest: tuple[F, ...]


def roles(fields: Sequence[F]) -> Roles[F]:
    """The role of each field, by its name and its kind."""
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
    """The field that is called by the first of some names."""
    by_name = {one.name: one for one in fields}
    return next((by_name[one] for one in names if one in by_name), None)


def content(fields: Iterable[Selected]) -> str:
    """An expression for a text that tells all of some fields, "" for none."""
    parts = [f'"{one.name.replace("_", " ")}: ", {one.text}' for one in fields]
    if not parts:
        return ""
    told = ', "; ", '.join(parts)
    return f'concat({told}, "")'
