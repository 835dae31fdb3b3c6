"""Export the rules for a site's pages to RSS-Bridge, which makes feeds."""

from __future__ import annotations

from urllib.parse import urlencode

from amber_wrap.codegen.other_languages import Written, camel, fill
from amber_wrap.export.feed_expressions import (
    entry_expressions,
    feed_losses,
    page_address,
)
from amber_wrap.export.feed_roles import roles
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.target import Exported, ExportTarget, Subject


def rss_bridge(subject: Subject) -> Exported:
    """Return a PHP class by which RSS-Bridge reads a page's records as a feed.

    The result also has an address for RSS-Bridge's own XPathBridge. Raise WrapperError
    if the address of the page is unknown.
    """
    main_list, findings = selection(subject.program)
    entry = roles(main_list.fields)
    keys = ("TITLE", "CONTENT", "URI", "AUTHOR", "TIMESTAMP", "ENCLOSURES")
    expressions = list(entry_expressions(entry, keys))
    if entry.tags:
        expressions.append(("CATEGORIES", entry.tags.nodes))
    php_constants = [("ITEM", main_list.records)]
    php_constants += [(f"ITEM_{key}", xpath) for key, xpath in expressions]
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
        **{key.lower(): xpath for key, xpath in expressions},
        "raw_content": "",
        "fix_encoding": "",
    }
    query = urlencode(query_parameters)
    files = {
        f"{camel(subject.name)}Bridge.php": php_class,
        "XPathBridge.url": f"/?{query}\n",
    }
    losses = feed_losses(subject, entry, "RSS-Bridge")
    return Exported(files, (*findings, *losses))


RSS_BRIDGE = ExportTarget("rss-bridge", "an RSS-Bridge bridge, PHP", rss_bridge)
