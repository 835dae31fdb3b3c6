"""Measure whether `amber-wrap check` reports when a scraper would lose records.

    python benchmarks/silent_losses.py [--write] [--misses] [--filter TEXT]

Extraction rules are made from one page of each site. The check is tried on damaged
copies of this page (`damaged_pages`), on pages of other sites, and on the other pages
with the same layout. On some of the latter the rules work, on others they don't
(`truths.reads_right`).

`--filter gold/` leaves out all corpora but one, `--keep FOLDER` stores the rules for
the next time, and `--write` writes the table into docs/reliability.md.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import truths
from commands import command_line
from corpus import built, corpus_folder, gold_folder, needed
from lxml import etree
from processes import workers
from tables import RELIABILITY, publish, table
from truths import COURTS, GOLD, ROWS, USE, TruePage, reads_right

from amber_wrap.annotate.locale import locale_of
from amber_wrap.codegen.build import import_file
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.hidden_elements import UNSEEN
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.engine.contract_report import ContractReport
from amber_wrap.engine.output_rows import records_on
from amber_wrap.errors import AmberError, PageError
from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.tasks import loaded_domain
from amber_wrap.maintenance.annotator_check import check_with_annotators
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored_wrapper import from_text, to_text

CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""A pattern of characters that lxml can't write."""
CUTS = (0.25, 0.5, 0.75, 0.9)
"""The shares of a page's bytes that are left after broken downloads."""
TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The texts and pieces of HTML that are put in place of a list."""
BOXES, NOTHING = TEXTS["boxes"], TEXTS["nothing"]
"""The HTML that may replace a list, and messages that a search found nothing.

The first is by kind, and the second by language.
"""


def without_list(root: etree._Element, rows: Sequence[str], html: str) -> bytes:
    """Return a page with the HTML text `html` in place of the list of records.

    `rows` are the XPaths of the records' elements.
    """
    root = deepcopy(root)
    elements = [element for path in rows for element in root.xpath(path)]
    replacement = etree.fromstring(f"<div>{html}</div>", etree.HTMLParser())[0][0]
    elements[0].addprevious(replacement)
    for element in elements:
        if (parent := element.getparent()) is not None:
            parent.remove(element)
    return written(root)


def with_changed_texts(page: bytes, change: Callable[[str], str]) -> bytes:
    """Return a page whose displayed texts are changed by a function."""
    root = parse(page).root

    def changed(text: str | None) -> str | None:
        return CONTROLS.sub("", change(text)) if text else text

    for node in root.iter():
        if any(ancestor.tag in UNSEEN for ancestor in node.iterancestors()):
            continue
        if node is not root:
            node.tail = changed(node.tail)
        if isinstance(node.tag, str) and node.tag not in UNSEEN:
            node.text = changed(node.text)
    return written(root)


def written(root: etree._Element) -> bytes:
    """Return a tree as HTML in UTF-8 that begins with a byte order mark.

    The mark overrides the encoding that the page declares.
    """
    return codecs.BOM_UTF8 + etree.tostring(root, encoding="utf-8", method="html")


FOREIGN = (1, 31, 62)
"""The distances, in the list of templates, from a wrapper to three other sites.

The wrapper is also tried on pages of these sites.
"""
OK = "OK"
"""The status of a page on which the check finds nothing wrong."""


class Template(NamedTuple):
    """The pages on which one wrapper (set of extraction rules) is tried.

    The wrapper is made from the page `own`. `others` are other pages with the same
    layout, and `foreign` are pages of other sites.
    """

    own: TruePage
    others: tuple[TruePage, ...]
    foreign: tuple[TruePage, ...]


class Sight(NamedTuple):
    """The result of checking a page with extraction rules.

    `row` is the name of the table row that counts the page. `status` and `records` are
    the reported status and number of records. `failed` has a message for each failed
    condition. `alone` is True if the generated file itself reports a failure, or if the
    page can't be parsed.
    """

    row: str
    page: str
    status: str
    records: int
    failed: tuple[str, ...]
    alone: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how often the check reports losses, and print the table.

    Return the exit code.
    """
    options_used = ("--filter", "--keep", "-j", "--write")
    parser = command_line(__doc__, *options_used, misses="the pages one by one")
    options = parser.parse_args(arguments)
    if options.write and options.filter:
        parser.error("a part of the corpora is not what the page shows")
    needed(gold_folder())
    chosen = [it for it in templates() if options.filter in name_of(it.own)]
    chosen.sort(key=lambda template: -template.own.file.stat().st_size)
    sights_by_row: dict[str, list[Sight]] = {row: [] for row in ROWS_OF_TABLE}
    with TemporaryDirectory() as folder, workers(options.j) as run:
        keep = options.keep or Path(folder)
        # Wrappers are tried on pages of other templates, whose wrappers must exist.
        list(run(partial(wrapper_of, folder=keep), [it.own for it in chosen]))
        for sight in chain.from_iterable(run(partial(observations, keep=keep), chosen)):
            sights_by_row[sight.row].append(sight)
    for sight in chain.from_iterable(sights_by_row.values()):
        if options.misses and is_missed(sight):
            outcome = f"{sight.status}, {sight.records} records"
            print(sight.row, sight.page, outcome, *sight.failed, sep="; ")
    rows = map(cells, sights_by_row, sights_by_row.values())
    publish({"losses": table(HEAD, rows)}, RELIABILITY, options.write)
    return 0


LOSS, QUIET = "flagged", "OK"
"""The two values of the column "should be".

A lost list should be flagged, and any other page should be OK.
"""
WORSE = "another page, read worse than its sample"
"""The name of the row for pages that a wrapper reads worse than its sample page."""
ROWS_OF_TABLE = {
    **{f"cut at {share:.0%} of its bytes": LOSS for share in CUTS},
    **{f"{box} in place of the list": LOSS for box in BOXES},
    'every text "Loading..."': LOSS,
    "all digits 0": LOSS,
    "mojibake": LOSS,
    "a page of another site": LOSS,
    "an honest page without results of another site": LOSS,
    WORSE: LOSS,
    "an honest page without results": QUIET,
    "the sample itself": QUIET,
    **{f"another page, read right: {one}": QUIET for one in (GOLD, ROWS, COURTS, USE)},
}
"""For each row of the table, "flagged" if the check should report a loss, else "OK"."""
HEAD = (
    *("page", "should be", "pages"),
    *("as it should be", "share", "by the file alone", "its share"),
)
"""The head of the table."""


def is_missed(sight: Sight) -> bool:
    """Return whether the check is wrong about a page.

    It is wrong if it doesn't report a loss of records, or reports a page without a
    loss.
    """
    return (sight.status == OK) == (ROWS_OF_TABLE[sight.row] == LOSS)


def cells(row: str, sights: Sequence[Sight]) -> Sequence[str]:
    """Return the cells of the table row with the name `row`.

    `sights` are the results of checking the pages of this row. Without pages, the
    shares are dashes.
    """
    expected = ROWS_OF_TABLE[row]
    if not sights:
        return row, expected, "0", "–", "–", "–", "–"
    cells_of_row = [row, expected, str(len(sights))]
    for count in (
        sum(not is_missed(sight) for sight in sights),
        sum(sight.alone == (expected == LOSS) for sight in sights),
    ):
        cells_of_row += [str(count), f"{100 * count / len(sights):.1f} %"]
    return cells_of_row


# --- the pages ------------------------------------------------------------------------


def templates() -> Iterator[Template]:
    """Yield the pages to make wrappers from, each with the pages to try the wrapper on.

    If a site was redesigned, its other pages are left out, because they may have
    another layout.
    """
    groups = truths.templates(corpus_folder())
    samples = [first_page for first_page, *_ in groups if first_page.corpus == GOLD]
    redesigns = read_corpus(gold_folder()).redesigns
    for number, (sample, *others) in enumerate(groups):
        foreign = (samples[(number + step) % len(samples)] for step in FOREIGN)
        if sample.gold and sample.site in redesigns:
            others = []
        yield Template(sample, tuple(others), tuple(foreign) if sample.gold else ())


def name_of(page: TruePage) -> str:
    """Return the corpus and the site of a page as "corpus/site"."""
    return f"{page.corpus}/{page.site}"


# --- what is seen on them -------------------------------------------------------------


def observations(template: Template, keep: Path) -> list[Sight]:
    """Return the results of checking all pages that a template's wrapper is tried on.

    The result is empty if no wrapper can be made.
    """
    stored = wrapper_of(template.own, keep)
    if stored is None:
        return []
    wrapper, source = stored
    file = import_file(source)
    domain = loaded_domain(wrapper.domain)

    def see(row: str, name: str, body: bytes) -> Sight:
        try:
            report: ContractReport = check_with_annotators(wrapper, parse(body), domain)
        except PageError as error:
            return Sight(row, name, "BROKEN", 0, (str(error),), True)
        failed = (
            f"{it['clause']} {it['field']}: {it['message']}" for it in report["failed"]
        )
        figures = report["status"], report["records"], tuple(failed)
        return Sight(row, name, *figures, bool(file.check(body)))

    name, corpus = name_of(template.own), template.own.corpus
    sights = []
    for page in template.others:
        if reads_right(wrapper, page, template.own):
            row = f"another page, read right: {corpus}"
        elif reads_right(wrapper, template.own, template.own):
            row = WORSE
        else:
            continue
        sights.append(see(row, f"{name}/{page.file.name}", page.file.read_bytes()))
    sample = template.own.file.read_bytes()
    sights.append(see("the sample itself", name, sample))
    if corpus != GOLD:
        return sights
    sights += [see(row, name, body) for row, body in damaged_pages(wrapper, sample)]
    for foreign_page in template.foreign:
        foreign_name = f"{name} on {foreign_page.site}"
        body = foreign_page.file.read_bytes()
        sights.append(see("a page of another site", foreign_name, body))
        if foreign_wrapper := wrapper_of(foreign_page, keep):
            empty = next(emptied(foreign_wrapper[0], parse(body)))
            row = "an honest page without results of another site"
            sights.append(see(row, foreign_name, empty))
    return sights


def damaged_pages(wrapper: Wrapper, sample: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of the sample page, each with the name of a table row.

    Examples of damage are a broken download, an error message in place of the list, and
    UTF-8 that was decoded as Latin-1.
    """
    page = parse(sample)
    for share in CUTS:
        yield f"cut at {share:.0%} of its bytes", sample[: int(share * len(sample))]
    rows = row_paths(wrapper, page)
    for box, html in BOXES.items():
        yield f"{box} in place of the list", without_list(page.root, rows, html)
    loading = with_changed_texts(sample, lambda it: "Loading..." if it.strip() else it)
    yield 'every text "Loading..."', loading
    yield "all digits 0", with_changed_texts(sample, partial(re.sub, r"\d", "0"))
    changed = codecs.BOM_UTF8 + decode(sample).encode().decode("latin-1").encode()
    if text_of(parse(changed).root) != text_of(page.root):
        yield "mojibake", changed
    for body in emptied(wrapper, page):
        yield "an honest page without results", body


def emptied(wrapper: Wrapper, page: Page) -> Iterator[bytes]:
    """Yield copies of a page with a message such as "no results" in place of the list.

    The messages are in the language of the page.
    """
    rows = row_paths(wrapper, page)
    for message in NOTHING.get(locale_of(page).language, NOTHING["en"]):
        yield without_list(page.root, rows, f"<p>{message}</p>")


def row_paths(wrapper: Wrapper, page: Page) -> list[str]:
    """Return the XPaths of all elements of the records that a wrapper finds on a
    page.
    """
    rows = [row for record in records_on(wrapper, page.root) for row in record.rows]
    return list(map(page.root.getroottree().getpath, rows))


def wrapper_of(sample: TruePage, folder: Path) -> tuple[Wrapper, str] | None:
    """Return the wrapper of a page, and the source code of its generated file.

    Both are stored in `folder`, and read from there the next time. Return None if no
    wrapper can be made.
    """
    body = sample.file.read_bytes()
    key = hashlib.sha256(body).hexdigest()[:16]
    kept_file = folder / f"{sample.corpus}-{key}.json"
    if not kept_file.exists():
        try:
            made = built(Source(sample.file.name, body), sample.domain)
            to_store = to_text(made.stored), made.source
        except AmberError:
            to_store = None
        kept_file.write_text(json.dumps(to_store), "utf-8")
    stored = json.loads(kept_file.read_text("utf-8"))
    return stored and (from_text(stored[0].encode()).wrapper, stored[1])


if __name__ == "__main__":
    sys.exit(main())
