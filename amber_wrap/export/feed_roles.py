"""Choose the fields of records that become titles, links and authors in feeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from amber_wrap.domain.schema import ValueKind

_TITLES: Final = ("title", "headline", "name", "subject", "location", "address")

_LINKS: Final = ("details_page", "link", "url")

IMAGES: Final = ("image", "photo", "thumbnail", "picture", "cover", "logo")

AUTHORS: Final = ("author", "by", "user", "agent", "seller", "dealer", "publisher")
"""The usual names of a field with the author of a feed's entry, the preferred names
first.
"""


class _RoleField(Protocol):
    """The properties of a field that decide which part of a feed's entry it becomes.

    A part is, for example, the title or the date.
    """

    @property
    def name(self) -> str:
        """Return the field's name."""

    @property
    def kind(self) -> ValueKind:
        """Return the kind of the field's values, such as text or date."""

    @property
    def several(self) -> bool:
        """Return whether a record has several values of the field."""


F = TypeVar("F", bound=_RoleField)


@dataclass(frozen=True, slots=True)
class Roles(Generic[F]):
    """The fields that become the title, the date and other parts of a feed's entry.

    A part without a field is None.
    """

    title: F | None
    link: F | None
    date: F | None
    image: F | None
    author: F | None
    tags: F | None
    """The field with the tags of the entry.

    A record has several values of this field.
    """
    rest: tuple[F, ...]
    """All other fields, in the order of the records' columns."""


def roles(fields: Sequence[F]) -> Roles[F]:
    """Return the fields that become the title, link, date and other parts of an entry.

    A field is chosen by the kind of its values, and by usual names, such as `photo`.
    """
    url_fields = [field for field in fields if field.kind is ValueKind.URL]
    text_fields = [field for field in fields if field.kind is ValueKind.TEXT]
    image_field = _named(url_fields, IMAGES)
    link_fields = [field for field in url_fields if field is not image_field]
    link_field = _named(link_fields, _LINKS) or next(iter(link_fields), None)
    title_field = _named(text_fields, _TITLES) or next(iter(text_fields), None)
    author_field = _named(
        [field for field in text_fields if field is not title_field], AUTHORS
    )
    date_field = next((field for field in fields if field.kind is ValueKind.DATE), None)
    tags_field = next((field for field in fields if field.several), None)
    chosen = (
        title_field,
        link_field,
        date_field,
        image_field,
        author_field,
        tags_field,
    )
    rest = tuple(field for field in fields if all(field is not it for it in chosen))
    return Roles(*chosen, rest)


def _named(fields: Iterable[F], names: Sequence[str]) -> F | None:
    """Return the field with the first of the `names` that any field has.

    Return None if no field has any of the names.
    """
    by_name = {field.name: field for field in fields}
    return next((by_name[name] for name in names if name in by_name), None)
