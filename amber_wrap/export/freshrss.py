"""Export the rules for a site's pages to FreshRSS, which makes feeds."""

from __future__ import annotations

from amber_wrap.codegen.other_languages import Written, fill
from amber_wrap.export.feed_expressions import (
    DAY_FIRST_FORMAT,
    date_forms,
    entry_expressions,
    feed_losses,
    page_address,
)
from amber_wrap.export.feed_roles import roles
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.target import Exported, ExportTarget, Subject
from amber_wrap.lowering.date_patterns import SLASHED


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
        (f"xPathItem{key}", xpath) for key, xpath in entry_expressions(entry, keys)
    ]
    if entry.tags:
        feed_settings.append(("xPathItemCategories", entry.tags.nodes))
    if entry.link:
        feed_settings.append(("xPathItemUid", entry.link.nodes))
    if SLASHED in date_forms(subject, entry):
        feed_settings.append(("xPathItemTimeFormat", DAY_FIRST_FORMAT))
    opml = fill(
        "freshrss/feed.opml.jinja",
        name=subject.name,
        url=page_address(subject),
        settings=[(Written(key), value) for key, value in feed_settings],
    )
    losses = feed_losses(subject, entry, "FreshRSS")
    return Exported({f"{subject.name}.opml": opml}, (*findings, *losses))


FRESHRSS = ExportTarget("freshrss", "a FreshRSS feed, OPML with XPath", freshrss)
