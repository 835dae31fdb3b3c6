"""Measure how often the link to the next page is found, on pages where it is known.

    python benchmarks/pagination.py [--write]

The corpus is the folder `pagination` of $AMBER_CORPUS, or of ../shared/corpus. People
labelled the links. A found link is right if it has the address of a labelled link.
Also, XPath expressions for the link are made from single pages, and tried on the other
pages of the site. `--write` writes the tables of docs/pagination.md.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag

from commands import command_line
from corpus import corpus_folder, index
from tables import SCOREBOARD, publish, table

from amber_wrap.analysis.pagination.next_page_link import (
    Link,
    find_pagination,
    link_address,
)
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import first_address
from amber_wrap.generalise.next_page_rule import find_next_page_rule

DOCUMENT = SCOREBOARD.with_name("pagination.md")
"""The path of docs/pagination.md, which has the tables."""


@dataclass(frozen=True, slots=True)
class Case:
    """A page of the corpus with its labelled links.

    `wanted` are the addresses of links to the next page. `further` are the addresses of
    links that lead on through all pages. Where the newest entries come first, these are
    the links to older entries. `has_paginator` is True if any link to another page of
    the list is labelled.
    """

    file: str
    site: str
    url: str
    body: bytes
    wanted: tuple[str, ...]
    further: tuple[str, ...]
    has_paginator: bool


Outcome = tuple[Case, bool]
"""A page, and whether the link that was found on it is right."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how often links to the next page are found, and publish the tables.

    Return the exit code 0.
    """
    options = command_line(__doc__, "--write").parse_args(arguments)
    folder = corpus_folder() / "pagination"
    outcomes_by_way = {
        "its address known": list(measure(folder)),
        "its address unknown": list(measure(folder, with_url=False)),
    }
    page_tables = link_table(outcomes_by_way), expression_table(folder)
    publish({"pagination": "\n".join(page_tables)}, DOCUMENT, options.write)
    return 0


def cases(folder: Path) -> Iterator[Case]:
    """Yield the pages of the corpus."""
    for entry in index(folder):
        yield Case(
            entry["file"],
            entry["site"],
            entry["url"],
            (folder / "pages" / entry["file"]).read_bytes(),
            tuple(entry["next"]),
            tuple(entry["prev" if entry.get("reversed") else "next"]),
            any(entry[key] for key in ("next", "prev", "pages")),
        )


def measure(folder: Path, with_url: bool = True) -> Iterator[Outcome]:
    """Yield for each page whether the link that is found is right.

    If `with_url` is False, the address of the page isn't given to the search.
    """
    for case in cases(folder):
        page = parse(case.body, case.url if with_url else "")
        link = find_pagination(page).next
        yield case, is_wanted(parse(case.body, case.url), case, link)


def is_wanted(page: Page, case: Case, link: Link | None) -> bool:
    """Return whether a found link leads to the next page according to the labels.

    If no link is labelled, only None (no link found) is right.
    """
    if link is None or not case.wanted:
        return link is None and not case.wanted
    if link.href in case.wanted:
        return True
    address = plain(link_address(page, link))
    return bool(address) and address in addresses(page, case.wanted)


def addresses(page: Page, links: Sequence[str]) -> set[str]:
    """Return the plain addresses of links of a page."""
    return {plain(link_address(page, Link(0, href, ()))) for href in links}


def plain(address: str | None) -> str:
    """Return an address without fragment and trailing slash, "" for None."""
    return urldefrag(address or "").url.rstrip("/")


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, tuple[int, int]]:
    """Return how many pages have the right result, and how many pages there are, by
    group.

    A page of the first group has a link to the next page. A page of the second has
    links to other pages of the list only. A page of the third has no such links.
    """
    groups: dict[str, list[bool]] = {
        name: []
        for name in ("a next page", "a paginator, no next page", "no paginator")
    }
    for case, is_right in outcomes:
        without_next = 1 if case.has_paginator else 2
        name = list(groups)[0 if case.wanted else without_next]
        groups[name].append(is_right)
    return {name: (sum(right), len(right)) for name, right in groups.items()}


def shares(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the two figures that `ratchet.py` compares with recorded ones.

    "right" tells how often the right link is found on pages that have a next page.
    "given" tells how often a link is found on pages that have none. Both are shares of
    these pages.
    """
    (right, with_next), *others = figures_of(outcomes).values()
    without_next = sum(pages for _, pages in others)
    given = without_next - sum(right_pages for right_pages, _ in others)
    return {
        "right": round(right / max(1, with_next), 4),
        "given": round(given / max(1, without_next), 4),
    }


def link_table(outcomes_by_way: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the table of how often the right link to the next page is found.

    A row has a group of pages. Columns are the keys of `outcomes_by_way`, which say
    whether the page's address was known.
    """
    figures = [figures_of(outcomes) for outcomes in outcomes_by_way.values()]
    rows = (
        (name, *("{} of {}".format(*by_group[name]) for by_group in figures))
        for name in figures[0]
    )
    return table(("a page with", *outcomes_by_way), rows)


def expression_table(folder: Path) -> str:
    """Return the table about XPath expressions for the link to the next page.

    The table has the number of pages from which an expression is made, and how often it
    is right on the other pages of the site.
    """
    sites: dict[str, list[tuple[Case, Page]]] = defaultdict(list)
    for case in cases(folder):
        sites[case.site].append((case, parse(case.body, case.url)))
    has_expression: list[bool] = []
    elsewhere: dict[bool, list[bool]] = {True: [], False: []}
    for site in sites.values():
        for case, page in site:
            path = find_next_page_rule([page], [find_pagination(page)]).path
            if case.further:
                has_expression.append(path is not None)
            for other_case, other_page in site if path else ():
                if other_case is not case:
                    address = plain(first_address(other_page, path))
                    wanted = addresses(other_page, other_case.further)
                    right = address in wanted if address else not wanted
                    elsewhere[bool(wanted)].append(right)
    results_by_row = {
        "there is one": has_expression,
        "on another page of the site that leads on": elsewhere[True],
        "on another page that doesn't": elsewhere[False],
    }
    rows = (
        (name, f"{sum(results)} of {len(results)}")
        for name, results in results_by_row.items()
    )
    return table(("an expression from one page", "right"), rows)


if __name__ == "__main__":
    sys.exit(main())
