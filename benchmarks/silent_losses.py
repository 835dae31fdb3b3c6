"""Measure what `amber-wrap check` reports where a scraper would lose records.

    python benchmarks/silent_losses.py [--write] [--misses] [--filter TEXT]

A wrapper is induced from the first page of each gold template with its domain named,
and from the sample pages of rows, courts and use. The gold wrappers are tried on
damaged copies of their page (`damaged_pages`) and on pages of other sites. All wrappers
are tried on the other pages of their template, which they read right or not
(`truths.reads_right`). `--filter gold/` leaves the other corpora out, `--keep FOLDER`
stores wrappers for the next run, and `--write` writes the table into
docs/reliability.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
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
from amber_wrap.dom.markup import UNSEEN, decode, text_of
from amber_wrap.dom.parse import parse
from amber_wrap.engine.contract_report import ContractReport
from amber_wrap.engine.interpret import records_on
from amber_wrap.errors import AmberError, PageError
from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.tasks import loaded_domain
from amber_wrap.maintenance.annotator_check import check_with_annotators
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored_wrapper import from_text, to_text

UTF8_MARK = b"\xef\xbb\xbf"
"""The byte order mark, which makes a parser read a page as UTF-8, whatever the page
declares."""
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""A pattern of characters that lxml can't write."""
CUTS = (0.25, 0.5, 0.75, 0.9)
"""The shares of a page's bytes that remain of a broken download."""
TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The texts that are put in place of a list."""
BOXES, NOTHING = TEXTS["boxes"], TEXTS["nothing"]
"""The HTML that replaces a list, by kind, and messages that there are no results, by
language."""


def cut(page: bytes, share: float) -> bytes:
    """Return a page whose download broke off at a share of its bytes."""
    return page[: int(share * len(page))]


def loading(page: bytes) -> bytes:
    """Return a page of placeholders: every text is "Loading..."."""
    return with_changed_texts(page, lambda text: "Loading..." if text.strip() else text)


def zeros(page: bytes) -> bytes:
    """Return a page whose figures weren't loaded: every digit is 0."""
    return with_changed_texts(page, lambda text: re.sub(r"\d", "0", text))


def mojibake(page: bytes) -> bytes:
    """Return a page whose UTF-8 was decoded as Latin-1 and encoded again."""
    return UTF8_MARK + decode(page).encode().decode("latin-1").encode()


def without_list(page: bytes, rows: Sequence[str], html: str) -> bytes:
    """Return a page with `html` in place of the list.

    `rows` are the XPaths of the rows of the list's records.
    """
    root = parse(page).root
    elements = [element for path in rows for element in root.xpath(path)]
    first, *_ = elements
    replacement = etree.fromstring(f"<div>{html}</div>", etree.HTMLParser())[0][0]
    first.addprevious(replacement)
    for element in elements:
        if (parent := element.getparent()) is not None:
            parent.remove(element)
    return written(root)


def boxed(page: bytes, rows: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, page) with a captcha, a login form or an error in place of the list.

    `rows` are the XPaths of the records' elements.
    """
    for name, box in BOXES.items():
        yield name, without_list(page, rows, box)


def emptied(page: bytes, rows: Sequence[str]) -> Iterator[bytes]:
    """Yield pages with a message that there are no results in place of the list.

    The messages are in the page's language. `rows` are the XPaths of the records'
    elements.
    """
    messages = NOTHING.get(locale_of(parse(page)).language, NOTHING["en"])
    for message in messages:
        yield without_list(page, rows, f"<p>{message}</p>")


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
    """Return a tree as HTML in UTF-8."""
    return UTF8_MARK + etree.tostring(root, encoding="utf-8", method="html")


FOREIGN = (1, 31, 62)
"""The distances in the list of templates to three other sites.

A wrapper is also tried on the pages of these sites.
"""
OK = "OK"
"""The status of a page on which the check finds nothing wrong."""


class Template(NamedTuple):
    """The pages on which one wrapper is tried.

    The wrapper is induced from the page `own`. `others` are other pages of its
    template, and `foreign` are pages of other sites.
    """

    own: TruePage
    others: tuple[TruePage, ...]
    foreign: tuple[TruePage, ...]


class Sight(NamedTuple):
    """The result of checking a page with a wrapper.

    `row` is the table's row for the page. `status` and `records` are the reported
    status and number of records. `failed` has a message for each failed condition.
    `alone` is True if the check in the generated file reports a failure, or if the page
    can't be parsed.
    """

    row: str
    page: str
    status: str
    records: int
    failed: tuple[str, ...]
    alone: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = command_line(
        __doc__, "--filter", "--keep", "-j", "--write", misses="the pages one by one"
    )
    options = parser.parse_args(arguments)
    if options.write and options.filter:
        parser.error("a part of the corpora is not what the page shows")
    needed(gold_folder())
    templates_tried = [
        template for template in templates() if options.filter in name_of(template.own)
    ]
    templates_tried.sort(key=lambda template: -template.own.file.stat().st_size)
    sights_by_row: dict[str, list[Sight]] = defaultdict(list)
    with TemporaryDirectory() as folder, workers(options.j) as run:
        keep = options.keep or Path(folder)
        # Wrappers are tried on pages of other templates, whose wrappers must exist.
        own_pages = [template.own for template in templates_tried]
        list(run(partial(wrapper_of, folder=keep), own_pages))
        for observed in run(partial(observations, keep=keep), templates_tried):
            for sight in observed:
                sights_by_row[sight.row].append(sight)
    if options.misses:
        for row in ROWS_OF_TABLE:
            for sight in sights_by_row[row]:
                if is_missed(sight):
                    outcome = f"{sight.status}, {sight.records} records"
                    print(row, sight.page, outcome, *sight.failed, sep="; ")
    rows = map(cells, ROWS_OF_TABLE.items(), map(sights_by_row.get, ROWS_OF_TABLE))
    publish({"losses": table(HEAD, rows)}, RELIABILITY, options.write)
    return 0


LOSS, QUIET = "flagged", "OK"
"""The two values of the table's column "should be": a loss is flagged, others are
OK."""
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
"""The rows of the table, and what the check should report on the pages of each."""
VERDICTS = ("as it should be", "share", "by the file alone", "its share")
"""The heads of the columns with the numbers and shares of right reports."""
HEAD = ("page", "should be", "pages", *VERDICTS)
"""The head of the table."""


def is_missed(sight: Sight) -> bool:
    """Return whether the check reported the opposite of what it should."""
    return (sight.status == OK) == (ROWS_OF_TABLE[sight.row] == LOSS)


def cells(row: tuple[str, str], sights: Sequence[Sight] | None) -> Sequence[str]:
    """Return the cells of a row of the table; without pages, the shares are dashes."""
    name, expected = row
    if not sights:
        return name, expected, "0", "–", "–", "–", "–"
    cells_of_row = [name, expected, str(len(sights))]
    for count in (
        sum(not is_missed(sight) for sight in sights),
        sum(sight.alone == (expected == LOSS) for sight in sights),
    ):
        cells_of_row += [str(count), f"{100 * count / len(sights):.1f} %"]
    return cells_of_row


# --- the pages ------------------------------------------------------------------------


def templates() -> Iterator[Template]:
    """Yield the pages to induce wrappers from, each with the pages to try the wrapper
    on.

    If a site was redesigned, its other pages are left out, because they may have
    another template.
    """
    groups = truths.templates(corpus_folder())
    samples = [first_page for first_page, *_ in groups if first_page.corpus == GOLD]
    redesigns = read_corpus(gold_folder()).redesigns
    for number, (sample, *others) in enumerate(groups):
        is_redesigned = sample.gold and sample.site in redesigns
        foreign = (samples[(number + step) % len(samples)] for step in FOREIGN)
        same_template = () if is_redesigned else tuple(others)
        yield Template(sample, same_template, tuple(foreign) if sample.gold else ())


def name_of(page: TruePage) -> str:
    """Return the corpus and the site of a page as "corpus/site"."""
    return f"{page.corpus}/{page.site}"


# --- what is seen on them -------------------------------------------------------------


def observations(template: Template, keep: Path) -> list[Sight]:
    """Return what the check reported on all pages that a template's wrapper is tried
    on.

    The result is empty if no wrapper can be induced.
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
        failures = (
            f"{failure['clause']} {failure['field']}: {failure['message']}"
            for failure in report["failed"]
        )
        figures = report["status"], report["records"], (*failures,)
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
    for row, body in damaged_pages(wrapper, sample):
        sights.append(see(row, name, body))
    for foreign_page in template.foreign:
        foreign_name = f"{name} on {foreign_page.site}"
        body = foreign_page.file.read_bytes()
        sights.append(see("a page of another site", foreign_name, body))
        if foreign_wrapper := wrapper_of(foreign_page, keep):
            empty = next(emptied(body, row_paths(foreign_wrapper[0], body)))
            row = "an honest page without results of another site"
            sights.append(see(row, foreign_name, empty))
    return sights


def damaged_pages(wrapper: Wrapper, sample: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (row, page) for each way to damage a sample page.

    `row` is the name of the table's row for the damaged page.
    """
    page, rows = parse(sample), row_paths(wrapper, sample)
    for share in CUTS:
        yield f"cut at {share:.0%} of its bytes", cut(sample, share)
    for box, body in boxed(sample, rows):
        yield f"{box} in place of the list", body
    yield 'every text "Loading..."', loading(sample)
    yield "all digits 0", zeros(sample)
    changed = mojibake(sample)
    if text_of(parse(changed).root) != text_of(page.root):
        yield "mojibake", changed
    for body in emptied(sample, rows):
        yield "an honest page without results", body


def row_paths(wrapper: Wrapper, sample: bytes) -> list[str]:
    """Return the XPaths of the elements of the records that a wrapper finds on a
    page."""
    root = parse(sample).root
    rows = [row for record in records_on(wrapper, root) for row in record.rows]
    return list(map(root.getroottree().getpath, rows))


def wrapper_of(sample: TruePage, folder: Path) -> tuple[Wrapper, str] | None:
    """Return the wrapper of a page and the source of its generated file, None if no
    wrapper can be induced.

    The result is stored in `folder`, and read from there the next time.
    """
    body = sample.file.read_bytes()
    key = hashlib.sha256(body).hexdigest()[:16]
    kept_file = folder / f"{sample.corpus}-{key}.json"
    if kept_file.exists():
        stored = json.loads(kept_file.read_text("utf-8"))
        return stored and (from_text(stored[0].encode()).wrapper, stored[1])
    try:
        built_file = built(Source(sample.file.name, body), sample.domain)
    except AmberError:
        built_file = None
    to_store = built_file and (to_text(built_file.stored), built_file.source)
    kept_file.write_text(json.dumps(to_store), "utf-8")
    return built_file and (built_file.stored.wrapper, built_file.source)


if __name__ == "__main__":
    sys.exit(main())
