"""Export CSS selectors to html2rss, which makes feeds."""

from __future__ import annotations

from typing import Final

from amber_wrap.codegen.other_languages import Written, fill
from amber_wrap.errors import WrapperError
from amber_wrap.export.css_selectors import css_of
from amber_wrap.export.feed_roles import Roles, roles
from amber_wrap.export.plain_xpath import SelectedColumn, selection
from amber_wrap.export.selectors_and_patterns import (
    css_or_none,
    pattern_losses,
    source_losses,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost

PUBLISHED: Final = "published_at"
"""The key for the date of a feed's item in an html2rss configuration."""


def html2rss(subject: Subject) -> Exported:
    """Return the html2rss configuration of a feed.

    Raise WrapperError if the address of the page is unknown, or if CSS can't express
    the selection of the records.
    """
    if not subject.url:
        raise WrapperError("a feed needs the address of its page: give it with --url")
    main_list, findings = selection(subject.program)
    try:
        records_selector = css_of(main_list.rows)
    except ValueError as error:
        raise WrapperError(
            f"html2rss needs CSS, which {main_list.rows} has no form in: {error}"
        ) from error
    if main_list.rows != main_list.records:
        findings.append(lost("", "hidden rows are read as records, too"))
    names = html2rss_names(roles(main_list.fields))
    yaml_fields, category_names = [], []
    for column in main_list.fields:
        selectors = [
            css_or_none(alternative.plain) for alternative in column.alternatives
        ]
        css_selector = next(filter(None, selectors), "")
        if not css_selector:
            findings.append(lost(column.name, "left out: CSS can't express it"))
            continue
        name = names.get(column.name, column.name)
        if column.name not in names:
            category_names.append(name)
        attribute = column.alternatives[0].attribute
        extractor = "text"
        if attribute:
            extractor = "href" if attribute == "href" else "attribute"
        yaml_fields.append(
            {
                "name": name,
                "css": css_selector,
                "attribute": "" if attribute == "href" else attribute,
                "extractor": Written(extractor),
                "processes": [Written("parse_time")] if name == PUBLISHED else [],
            }
        )
        if len(column.alternatives) > 1:
            findings.append(lost(column.name, "its second expression is left out"))
        findings += [*source_losses(column), *pattern_losses(column, "html2rss")]
        if column.several:
            findings.append(lost(column.name, "reads only its first item"))
    html2rss_yaml = fill(
        "html2rss/feed.yml.jinja",
        name=subject.name,
        url=subject.url,
        items=records_selector,
        fields=yaml_fields,
        tags=category_names,
    )
    return Exported({f"{subject.name}.yml": html2rss_yaml}, tuple(findings))


def html2rss_names(entry: Roles[SelectedColumn]) -> dict[str, str]:
    """Return a dict from fields of records to the names that html2rss gives to parts of
    an entry.

    A part of an entry is, for example, the title.
    """
    fields = {
        "title": entry.title,
        "url": entry.link,
        "enclosure": entry.image,
        "author": entry.author,
        PUBLISHED: entry.date,
    }
    return {field.name: name for name, field in fields.items() if field}


HTML2RSS = ExportTarget("html2rss", "an html2rss feed, YAML with CSS", html2rss)
