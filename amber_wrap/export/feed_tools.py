"""Export rules for a site's pages to FreshRSS and RSS-Bridge, which make feeds.

Both tools read the records of a page by XPath.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlencode

from amber_wrap.codegen.other_languages import Written, camel, fill
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.feed import Roles, roles
from amber_wrap.export.target import WHOLE_TARGET, Exported, ExportTarget, Subject, lost
from amber_wrap.export.xpath_and_css import SelectedColumn, selection
from amber_wrap.lowering.date_patterns import SLASHED

DAY_FIRST_FORMAT: Final = "!d/m/Y+"
"""The format of dates such as "3/5/2021", for PHP's DateTime::createFromFormat.
Without this format, PHP's strtotime reads the first number as the month."""


def freshrss(subject: Subject) -> Exported:
    """Return an OPML file by which FreshRSS reads a page's records as a feed.

    Raise WrapperError if the address of the page is unknown, or if XML can't hold an
    expression.
    """
    main_list, findings = selection(subject.program)
    entry = roles(main_list.fields)
    keys = ("Title", "Content", "Uri", "Author", "Timestamp", "Thumbnail")
    feed_settings = [("xPathItem", main_list.records)]
    feed_settings += [
        (f"xPathItem{key}", xpath) for key, xpath in _entry_expressions(entry, keys)
    ]
    if entry.tags:
        feed_settings.append(("xPathItemCategories", entry.tags.nodes))
    if entry.link:
        feed_settings.append(("xPathItemUid", entry.link.nodes))
    if SLASHED in _date_forms(subject, entry):
        feed_settings.append(("xPathItemTimeFormat", DAY_FIRST_FORMAT))
    opml = fill(
        "freshrss/feed.opml.jinja",
        name=subject.name,
        url=page_address(subject),
        settings=[(Written(key), value) for key, value in feed_settings],
    )
    feed_losses = _losses(subject, entry, "FreshRSS")
    return Exported({f"{subject.name}.opml": opml}, (*findings, *feed_losses))


def rss_bridge(subject: Subject) -> Exported:
    """Return a PHP class by which RSS-Bridge reads a page's records as a feed.

    The result also has an address for RSS-Bridge's own XPathBridge. Raise WrapperError
    if the address of the page is unknown.
    """
    main_list, findings = selection(subject.program)
    entry = roles(main_list.fields)
    keys = ("TITLE", "CONTENT", "URI", "AUTHOR", "TIMESTAMP", "ENCLOSURES")
    entry_expressions = list(_entry_expressions(entry, keys))
    if entry.tags:
        entry_expressions.append(("CATEGORIES", entry.tags.nodes))
    php_constants = [("ITEM", main_list.records)]
    php_constants += [(f"ITEM_{key}", xpath) for key, xpath in entry_expressions]
    url = page_address(subject)
    php_class = fill(
        "rss-bridge/Bridge.php.jinja",
        name=subject.name,
        url=url,
        description=f"Records of {subject.name}",
        constants=[(Written(key), value) for key, value in php_constants],
    )
    query_parameters = {
        "action": "display",
        "bridge": "XPathBridge",
        "format": "Atom",
        "url": url,
        "item": main_list.records,
        **{key.lower(): xpath for key, xpath in entry_expressions},
        "raw_content": "",
        "fix_encoding": "",
    }
    query = urlencode(query_parameters)
    files = {
        f"{camel(subject.name)}Bridge.php": php_class,
        "XPathBridge.url": f"/?{query}\n",
    }
    feed_losses = _losses(subject, entry, "RSS-Bridge")
    return Exported(files, (*findings, *feed_losses))


def _entry_expressions(
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


def _date_forms(subject: Subject, entry: Roles[SelectedColumn]) -> tuple[str, ...]:
    """Return the regular expressions by which the date of a feed's entry is read.

    Return () if the entries have no date.
    """
    forms = {
        column.name: column.calendar.forms
        for page_list in subject.program.lists
        for column in page_list.columns
    }
    return forms.get(entry.date.name, ()) if entry.date else ()


def _losses(
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


FRESHRSS = ExportTarget("freshrss", "a FreshRSS feed, OPML with XPath", freshrss)
RSS_BRIDGE = ExportTarget("rss-bridge", "an RSS-Bridge bridge, PHP", rss_bridge)
