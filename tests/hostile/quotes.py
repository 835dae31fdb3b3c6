"""Text that would run, in every place of a page that reaches a generated file."""

from __future__ import annotations

import html
from random import Random

from hostile.case import Case, Family, Make, learned, listing

PAYLOADS = (
    '"', "'", '"""', "'''", "\\", '\\"', "\n", "\r", "\u2028", "\x85", "]]>", "-->",
    '"""\nprint()\n"""', '" + str(print()) + "', "'); print(); ('", "{print()}", "%s%n",
    "{{ 7 * 7 }}", "{% raw %}", "${7*7}", "<?php echo 1 ?>", "</script><script>",
    "\\N{DASH}", "\\x22", "\\", "r'", "# coding: utf-7", "]", "[", "|", "//*",
    "' or '1'='1", '"] | //*[@x="', "--", "/*", "*/", "\x1b]0;x\x07", "&quot;", "a\\",
    "(?", "(?P<value>", "\\1", "[a-", "(a+)+$", "$", "^", "{1,99999}", "\\p{L}", "\\Z",
)  # fmt: skip
"""What means something in Python, XPath, CSS, PHP, XML, JSON, Jinja, or a pattern."""

PLACES = {
    "text": '<b class="q">{} %d</b>',
    "value": '<b class="q">{}</b><i>%d</i>',
    "class": '<b class="q {}">%d things</b>',
    "only class": '<b class="{}">%d things</b>',
    "id": '<b id="{}%d">%d things</b>',
    "data": '<b data-testid="{}">%d things</b>',
    "property": '<b itemprop="{}">%d things</b>',
    "link": '<a href="/{}/%d">more</a>',
    "picture": '<img src="{}%d.png" alt="{}">',
    "label": "<dl><dt>{}<dd>%d things</dl>",
    "before a colon": "<p>{}: %d things</p>",
    "title": '<b title="{}">%d</b>',
    "unit": "<b>%d {}</b>",
    "price": '<span class="price">{}%d.00</span>',
    "date": "<time datetime='{}'>%d {} 2024</time>",
    "style": '<b style="{}">%d</b>',
}
"""Places in a record; "{}" is the text."""
FRAMES = {
    "area id": '<div id="{}">',
    "area class": '<div class="{}">',
    "heading": "<h2>{}</h2>",
    "base": '<base href="{}">',
    "pager": '<a class="next" href="?{}=2">Next</a>',
    "canonical": '<link rel="canonical" href="{}">',
    "island": '<script type="application/ld+json">{{"@id": "{}"}}</script>',
}
"""Places before the list."""
OPTIONS = {
    "--url": "https://shop.example/{}",
    "--within": "{}",
    "--without": "{}",
    "--rename": "price={}",
    "--drop": "{}",
    "--example": "thing={}",
    "--fields": "{}",
    "--kind": "price={}",
    "--domain": "{}",
}
"""Words of the call."""


def _in_records(shown: str) -> Make:
    def make(random: Random) -> Case:
        text = shown.replace("{}", _text(random))
        return learned(listing(random, last=text))

    return make


def _before(shown: str) -> Make:
    def make(random: Random) -> Case:
        return learned(listing(random, before=shown.replace("{}", _text(random))))

    return make


def _option(option: str, shown: str) -> Make:
    def make(random: Random) -> Case:
        text = _text(random).replace("\0", "")
        page = listing(random, last=f"<b class=q>%d {html.escape(text)}</b>")
        given = text if random.random() < 0.5 else f"1 {text}"
        return learned(page, option, shown.replace("{}", given))

    return make


def tables(random: Random) -> Case:
    """Header cells with such texts."""
    heads = "".join(f"<th>{_text(random)}</th>" for _ in range(3))
    rows = "".join(
        f"<tr><td>Lamp {row}<td>£{row}.50<td>{_text(random)}</tr>" for row in range(8)
    )
    return learned(f"<html><body><table><tr>{heads}</tr>{rows}</table></body></html>")


def _text(random: Random) -> str:
    """A few of the payloads; often as text, sometimes as they are."""
    text = "".join(random.choices((*PAYLOADS, "a", " "), k=random.choice([1, 1, 2, 9])))
    return html.escape(text) if random.random() < 0.8 else text


KINDS: Family = {
    **{name: _in_records(shown) for name, shown in PLACES.items()},
    **{name: _before(shown) for name, shown in FRAMES.items()},
    **{name: _option(name, shown) for name, shown in OPTIONS.items()},
    "tables": tables,
}
