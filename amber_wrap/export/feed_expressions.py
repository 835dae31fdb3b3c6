"""Choose the XPath expressions for the entries of feeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.feed_roles import Roles
from amber_wrap.export.plain_xpath import SelectedColumn
from amber_wrap.export.target import WHOLE_TARGET, Subject, lost

DAY_FIRST_FORMAT: Final = "!d/m/Y+"
"""The format of dates such as "3/5/2021", for PHP's DateTime::createFromFormat.
Without this format, PHP's strtotime reads the first number as the month."""


def entry_expressions(
    entry: Roles[SelectedColumn], keys: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Yield the key and the XPath expression of each part of a feed's entry.

    `keys` are the tool's keys for title, content, link, author, date and image, in this
    order.
    """

    def nodes(field: SelectedColumn | None) -> str:
        return field.nodes if field else ""

    expressions = (
        nodes(entry.title),
        joined_texts(entry.rest),
        nodes(entry.link),
        nodes(entry.author),
        nodes(entry.date),
        nodes(entry.image),
    )
    for key, xpath in zip(keys, expressions, strict=True):
        if xpath:
            yield key, xpath


def joined_texts(fields: Iterable[SelectedColumn]) -> str:
    """Return an XPath expression that joins the names and values of all fields.

    The expression gives a text such as `rooms: 3; price: 900`. Return "" without
    fields.
    """
    named_texts = [
        f'"{field.name.replace("_", " ")}: ", {field.text}' for field in fields
    ]
    if not named_texts:
        return ""
    concat_arguments = ', "; ", '.join(named_texts)
    return f'concat({concat_arguments}, "")'


def page_address(subject: Subject) -> str:
    """Return the address of the page whose records become a feed.

    Raise WrapperError if the address is unknown.
    """
    if not subject.url:
        raise WrapperError("a feed needs the address of its page: give it with --url")
    return subject.url


def date_forms(subject: Subject, entry: Roles[SelectedColumn]) -> tuple[str, ...]:
    """Return the regular expressions by which the date of a feed's entry is read.

    Return () if the entries have no date.
    """
    forms = {
        column.name: column.calendar.forms
        for page_list in subject.program.lists
        for column in page_list.columns
    }
    return forms.get(entry.date.name, ()) if entry.date else ()


def feed_losses(
    subject: Subject, entry: Roles[SelectedColumn], tool: str
) -> Iterator[Diagnostic]:
    """Yield a warning for each part of the records that a tool's feed can't express."""
    entry_fields = (
        entry.title,
        entry.link,
        entry.date,
        entry.image,
        entry.author,
        entry.tags,
        *entry.rest,
    )
    for entry_field in filter(None, entry_fields):
        if any(alternative.pattern for alternative in entry_field.alternatives):
            yield lost(entry_field.name, f"{WHOLE_TARGET}: {tool} has no patterns")
        if entry_field.several and entry_field is not entry.tags:
            yield lost(
                entry_field.name,
                f"reads only its first item: {tool} has one list in an entry",
            )
    for entry_field in entry.rest:
        yield lost(
            entry_field.name,
            f"becomes a part of the content: {tool} has no field for it",
        )
    if subject.program.next_page:
        yield lost("", f"{tool} reads one page and doesn't follow next pages")
