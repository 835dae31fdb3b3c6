"""Read the true records of the pages in all corpora, and compare records with them.

`TruePage.quality` rates a list of records. `reads_right` decides whether extraction
rules read a page right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import rows
from corpus import gold_records, index, sites_of
from lxml import etree

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.evaluation.gold import GoldPage, read_corpus, scored_types
from amber_wrap.evaluation.score import ScoredRow, score_page
from amber_wrap.evaluation.tasks import loaded_domain
from amber_wrap.wrapper.ir import Wrapper

HERE = Path(__file__).resolve().parent
"""The folder of the benchmarks."""
SECOND_ROUND = HERE / "second_round.txt"
"""The path of the file that lists the sites added to the corpora in the second round.

Nobody had looked at these sites when the first version was made. A line has the folder
and the site, such as "rows/agoda.com".
"""
FIRST, SECOND = "first", "second"
"""The names of the two rounds: sites were added to the corpora first, or second."""
GOLD, ROWS, COURTS, USE = "gold", "rows", "courts", "use"
"""The names of the corpora, which are the names of their folders."""
GENERIC_LABELS = frozenset("www com co org net gov edu ac or ne go".split())
"""The labels of a host name that don't name its owner."""
VALUE_ATTRIBUTES = ("href", "src", "alt", "title", "datetime", "content")
"""The HTML attributes whose values may be cells of a row."""
LEAST_SHARED = 0.5
"""The least share of text that a found record must have in common with a true
record to count as this record.
"""

Quality = Callable[[Sequence[Record]], float]
"""A function that rates how well a list of records agrees with the true records, from 0
to 1."""


@dataclass(frozen=True, slots=True)
class TruePage:
    """A page with its true records.

    The records are given as XPaths of their nodes or as rows of cells. A single XPath
    in `nodes` selects all records. `gold` is the page in the gold corpus, or None.
    `fields` are XPaths, relative to a record, of the wanted cells. `template` names the
    page's template if its site has several.
    """

    corpus: str
    file: Path
    site: str
    owner: str
    domain: str = ""
    nodes: tuple[tuple[str, ...], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    gold: GoldPage | None = None
    fields: tuple[str, ...] = ()
    template: str = ""

    def quality(self, page: Page) -> Quality:
        """Return a function that rates how well a list on the page agrees with the true
        records.
        """
        if self.nodes:
            return _quality_by_nodes(page, self.nodes)
        return _quality_by_rows(page, self.rows)


def round_of(corpus: str, site: str) -> str:
    """Return "first" or "second", by when a site was added to a corpus."""
    name = site if corpus == GOLD else f"{corpus}/{site}"
    is_later = corpus not in (GOLD, ROWS) or name in listed(SECOND_ROUND)
    return SECOND if is_later else FIRST


@cache
def listed(file: Path) -> frozenset[str]:
    """Return the lines of a text file, without comments and empty lines."""
    lines = file.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def true_pages(folder: Path) -> Iterator[TruePage]:
    """Yield the pages of all corpora that exist in a folder."""
    readers = {GOLD: _gold, ROWS: _rows, COURTS: _rows, USE: _use}
    for name, pages_of in readers.items():
        if (folder / name).is_dir():
            yield from pages_of(folder / name)


def templates(folder: Path) -> list[list[TruePage]]:
    """Return the pages of each template of all corpora, the sample page first."""
    groups: dict[tuple[str, str], list[TruePage]] = defaultdict(list)
    for page in true_pages(folder):
        groups[page.corpus, page.template or page.site].append(page)
    return list(groups.values())


def _gold(folder: Path) -> Iterator[TruePage]:
    """Yield the pages with known records in the folder `gold`."""
    pages = read_corpus(folder).pages
    site_of = sites_of({page.site for page in pages})
    for page in pages:
        nodes = tuple(tuple(record["nodes"]) for record in gold_records(page))
        name = owner(site_of[page.site])
        place = GOLD, page.path, page.site, name, page.domain
        yield TruePage(*place, nodes, gold=page)


def _rows(folder: Path) -> Iterator[TruePage]:
    """Yield the pages of the corpus `rows` or `courts`."""
    groups = {entry["file"]: entry.get("group", "") for entry in index(folder)}
    for page in (page for pages in rows.read(folder) for page in pages):
        group = groups[str(page.file.relative_to(folder / "pages"))]
        name = f"courts:{group}" if folder.name == COURTS else owner(page.site)
        yield TruePage(folder.name, page.file, page.site, name, rows=page.rows)


def _use(folder: Path) -> Iterator[TruePage]:
    """Yield the pages of the corpus `use`."""
    for entry in index(folder):
        wanted = (it for it in entry["fields"] if it["name"] in entry["wanted_fields"])
        file, site = folder / "pages" / entry["file"], entry["site"]
        yield TruePage(
            *(USE, file, site, owner(site)),
            nodes=((entry["record_xpath"],),),
            fields=tuple(field["xpath"] for field in wanted),
            template=entry.get("sample", entry["file"]),
        )


def owner(site: str) -> str:
    """Return the owner of a site as one word, for example "acme" for "www.acme.co.uk".

    Pages of one owner, in any corpus, are fitted and tested together.
    """
    labels = site.casefold().split(".")
    naming_labels = [it for it in labels[:-1] or labels if it not in GENERIC_LABELS]
    name = naming_labels[-1]
    first = name.partition("-")[0]
    return first if len(first) > 2 else name


def true_records(
    page: Page, xpaths: Sequence[Sequence[str]]
) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each true record of a page.

    Records without nodes are left out.
    """
    if len(xpaths) == 1 and len(xpaths[0]) == 1:  # One XPath selects all records.
        return [(node,) for node in page.select(xpaths[0][0])]
    nodes = (
        tuple(it for path in paths for it in page.select(path)) for paths in xpaths
    )
    return list(filter(None, nodes))


def _quality_by_nodes(page: Page, xpaths: Sequence[Sequence[str]]) -> Quality:
    """Return a function that rates how well a list agrees with the true records.

    The function compares the texts of records with those of the true records, whose
    nodes `xpaths` select.
    """
    true_nodes = true_records(page, xpaths)

    def quality(records: Sequence[Record]) -> float:
        pairs = [
            (share, i, j)
            for i, nodes in enumerate(true_nodes)
            for j, record in enumerate(records)
            if (share := _shared_text(page, nodes, record.nodes)) >= LEAST_SHARED
        ]
        matched_truths, matched_records, agreed = set[int](), set[int](), 0.0
        for share, i, j in sorted(pairs, reverse=True):
            if i not in matched_truths and j not in matched_records:
                matched_truths.add(i)
                matched_records.add(j)
                # One half counts that the record exists, the other half its content.
                agreed += (1 + share) / 2
        return 2 * agreed / (len(true_nodes) + len(records)) if true_nodes else 0.0

    return quality


def _shared_text(
    page: Page, first: Sequence[NodeId], second: Sequence[NodeId]
) -> float:
    """Return the share of the text of two records that both records contain, from 0 to
    1.

    `first` and `second` are the nodes of the two records.
    """
    for one, other in ((first, second), (second, first)):
        if one[-1] + page.size[one[-1]] <= other[0]:
            return 0.0

    def length(begin: NodeId, end: NodeId) -> int:
        return page.characters[end] - page.characters[begin] + 1 if begin < end else 0

    common = sum(
        length(max(a, b), min(a + page.size[a], b + page.size[b]))
        for a in first
        for b in second
    )
    total = sum(length(a, a + page.size[a]) for a in (*first, *second))
    return common / (total - common)


def _quality_by_rows(page: Page, true_rows: Sequence[Sequence[str]]) -> Quality:
    """Return a function that rates how well a list agrees with the true records.

    The function compares the texts of records with the cells of the true rows.
    """
    cells = rows.compared_cells(true_rows)

    @cache
    def shown_by(nodes: tuple[NodeId, ...]) -> str:
        texts = (_displayed_texts_and_attributes(page, node) for node in nodes)
        return rows.letters(" ".join(chain.from_iterable(texts)))

    def quality(records: Sequence[Record]) -> float:
        if len(records) > 4 * len(cells) + 20:
            return 0.0
        shown = [shown_by(record.nodes) for record in records]
        found, _ = rows.match(cells, shown)
        total = sum(len(cells[i]) for i in found)
        shown_cells = sum(
            rows.holds(shown[j], cell) for i, j in found.items() for cell in cells[i]
        )
        f1 = 2 * len(found) / (len(records) + len(cells))
        return f1 * (0.9 + 0.1 * shown_cells / max(1, total))

    return quality


def _displayed_texts_and_attributes(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the text below a node, then the values of HTML attributes such as
    `href` below it.
    """
    yield " ".join(filter(None, page.text[node : node + page.size[node]]))
    for element in page.elements(node):
        attributes = page.attributes[element]
        yield from (attributes[name] for name in VALUE_ATTRIBUTES if name in attributes)


RIGHT = 0.9
"""The least quality of a page that counts as read right.

On a page with known values, the quality is the F1 of the values of each type. On any
other page, it is the share of true cells that the records show, divided by that share
on the sample page.
"""


def reads_right(wrapper: Wrapper, page: TruePage, sample: TruePage) -> bool:
    """Return whether a wrapper (set of extraction rules) reads a page right.

    All records must be read. If only rows of cells are known, the records must also
    show nearly as many of these cells as on the sample page.
    """
    is_whole, shown = reading_quality(wrapper, page)
    if not is_whole or page.gold or page == sample:
        return is_whole
    return shown >= RIGHT * reading_quality(wrapper, sample)[1]


def reading_quality(wrapper: Wrapper, true_page: TruePage) -> tuple[bool, float]:
    """Return whether a wrapper reads all records of a page, and a share of cells.

    The share is that of the true cells that the records show. A wrapper is a set of
    extraction rules.
    """
    page = parse(true_page.file.read_bytes())
    records: list[ScoredRow] = to_rows(wrapper, page, raw=True)
    if true_page.gold:
        return reads_gold_right(true_page.gold, records), 1.0
    true_rows = true_page.rows or true_cells(page, true_page)
    count, _ = rows.score(true_rows, records)
    is_good = rows.f1(count) >= rows.GOOD
    is_whole = is_good if true_page.rows else len(records) == len(true_rows)
    return is_whole, count["shown"] / max(1, count["cells"])


def reads_gold_right(gold: GoldPage, rows: list[ScoredRow]) -> bool:
    """Return whether as many records were read as are known, and most values are right.

    The F1 of each type's values must be at least `RIGHT`.
    """
    score, _ = score_page(gold, rows, scored_types(loaded_domain(gold.domain), [gold]))
    true_count = sum(len(area.records) for area in gold.areas)
    f1_of_types = (count.f1 for count in score.types.values() if count.gold)
    return len(rows) == true_count and min(f1_of_types, default=0.0) >= RIGHT


def true_cells(page: Page, true_page: TruePage) -> list[tuple[str, ...]]:
    """Return the cells of each true record of a page whose cells are given by XPath."""
    cells = []
    for (record,) in true_records(page, true_page.nodes):
        found = (page.element_of(record).xpath(field) for field in true_page.fields)
        firsts = [selected[0] for selected in found if selected]
        is_element = etree.iselement
        cells.append(tuple(text_of(it) if is_element(it) else str(it) for it in firsts))
    return cells
