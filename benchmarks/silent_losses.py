"""What `amber-wrap check` says of pages on which a scraper would lose in silence.

    python benchmarks/silent_losses.py [--write] [--misses] [--gold] [--filter TEXT]

From the first page of each template of the gold, the domain named, and from the sample
pages of rows, courts and use a wrapper is induced.  Those of the gold are tried on what
`losses.py` makes of their page and on pages of other sites; all of them on the other
pages of their template, which the wrapper reads right or not (`read_right.py`).
`--gold` leaves the other corpora out, `--keep FOLDER` keeps wrappers from one run to
the next, `--write` writes the table into docs/reliability.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import losses
import rows
from ratchet import gold_folder
from read_right import Target, is_right
from tables import inserted, table
from truths import COURTS, GOLD, ROWS, USE

from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.dom.markup import text_of
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains
from amber_wrap.engine.contract import ContractReport
from amber_wrap.engine.interpret import found_on
from amber_wrap.errors import AmberError, PageError
from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.evaluation.tasks import load
from amber_wrap.maintenance.recognition import check_with_annotators
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored import from_text, to_text

FOREIGN = (1, 31, 62)
"""How far away in the list of templates pages of other sites are taken from."""
OK = "OK"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "reliability.md"


@dataclass(frozen=True, slots=True)
class Template:
    """A page to induce from, and the others; its domain, "" for any."""

    corpus: str
    name: str
    own: Target
    others: tuple[Target, ...] = ()
    domain: str = ""
    foreign: tuple[Template, ...] = ()

    @property
    def sample(self) -> Path:
        """The page to induce from."""
        return self.own.path


class Sight(NamedTuple):
    """What a check said of a page of a row of the table; `alone` is the answer of the
    generated file."""

    row: str
    page: str
    status: str
    records: int
    failed: tuple[str, ...]
    alone: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--misses", action="store_true", help="the pages one by one")
    parser.add_argument("--gold", action="store_true", help="the gold alone")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of wrappers")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--write", action="store_true", help=f"into docs/{PAGE.name}")
    options = parser.parse_args(arguments)
    if options.write and (options.filter or options.gold):
        parser.error("a part of the corpora is not what the page shows")
    if not gold_folder().is_dir():
        print("silent_losses: there is no corpus, nothing is measured")
        return 0
    corpora = (GOLD,) if options.gold else (GOLD, ROWS, COURTS, USE)
    tried = [
        one
        for one in templates(gold_folder(), corpora)
        if options.filter in f"{one.corpus}/{one.name}"
    ]
    tried.sort(key=lambda one: -one.sample.stat().st_size)
    found: dict[str, list[Sight]] = defaultdict(list)
    with TemporaryDirectory() as folder, ProcessPoolExecutor(options.j) as pool:
        keep = options.keep or Path(folder)
        # Pages of one site are shown to the wrappers of others: all are made first.
        list(pool.map(partial(wrapper_of, keep=keep), tried))
        for seen in pool.map(partial(sights, keep=keep), tried):
            for one in seen:
                found[one.row].append(one)
    if options.misses:
        for row in ROWS_OF_TABLE:
            for one in found[row]:
                if is_missed(one):
                    told = f"{one.status}, {one.records} records"
                    print(row, one.page, told, *one.failed, sep="; ")
    text = table(HEAD, map(cells, ROWS_OF_TABLE.items(), map(found.get, ROWS_OF_TABLE)))
    print(text)
    if options.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(inserted(page, {"losses": text}), "utf-8", newline="\n")
    return 0


LOSS, QUIET = "flagged", "OK"
WORSE = "another page, read worse than its sample"
ROWS_OF_TABLE = {
    **{f"cut at {share:.0%} of its bytes": LOSS for share in losses.CUTS},
    **{f"{box} in place of the list": LOSS for box in losses.BOXES},
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
"""By row of the table what the check should say."""
HEAD = (
    *("page", "should be", "pages", "as it should be", "share"),
    *("by the file alone", "its share"),
)


def is_missed(one: Sight) -> bool:
    """Whether the check said what it shouldn't."""
    return (one.status == OK) == (ROWS_OF_TABLE[one.row] == LOSS)


def cells(row: tuple[str, str], found: Sequence[Sight] | None) -> Sequence[str]:
    """A row of the table."""
    name, wanted = row
    if not found:
        return name, wanted, "0", "–", "–", "–", "–"
    right = sum(not is_missed(one) for one in found)
    alone = sum(one.alone == (wanted == LOSS) for one in found)
    shares = [f"{100 * count / len(found):.1f} %" for count in (right, alone)]
    return name, wanted, str(len(found)), str(right), shares[0], str(alone), shares[1]


# --- the pages ------------------------------------------------------------------------


def templates(gold: Path, corpora: Sequence[str]) -> Iterator[Template]:
    """What wrappers are induced from."""
    yield from gold_templates(gold)
    for kind in corpora:
        folder = gold.parent / kind
        if kind in (ROWS, COURTS):
            for sample, *others in rows.read(folder):
                own, *targets = (
                    Target(one.file, rows=one.rows) for one in (sample, *others)
                )
                yield Template(kind, sample.site, own, tuple(targets))
        elif kind == USE:
            yield from use_templates(folder)


def gold_templates(folder: Path) -> Iterator[Template]:
    """The templates of the gold; after a redesign pages are of another one."""
    corpus = read_corpus(folder)
    sites: dict[str, list[GoldPage]] = defaultdict(list)
    for page in corpus.pages:
        sites[page.site].append(page)
    alone = [
        Template(GOLD, site, Target(first.path, first), domain=first.domain)
        for site, (first, *_) in sites.items()
    ]
    for number, (one, (_, *others)) in enumerate(
        zip(alone, sites.values(), strict=True)
    ):
        mine = () if one.name in corpus.redesigns else others
        foreign = tuple(alone[(number + step) % len(alone)] for step in FOREIGN)
        targets = tuple(Target(page.path, gold=page) for page in mine)
        yield replace(one, others=targets, foreign=foreign)


def use_templates(folder: Path) -> Iterator[Template]:
    """The templates of `use`."""
    lines = (folder / "index.jsonl").read_text("utf-8").splitlines()
    pages = [json.loads(line) for line in lines]

    def target(page: dict[str, Any]) -> Target:
        wanted = page["wanted_fields"]
        fields = (one["xpath"] for one in page["fields"] if one["name"] in wanted)
        record = page["record_xpath"]
        path = folder / "pages" / page["file"]
        return Target(path, record=record, fields=tuple(fields))

    for page in pages:
        if page["role"] == "sample":
            others = [one for one in pages if one.get("sample") == page["file"]]
            yield Template(USE, page["site"], target(page), tuple(map(target, others)))


# --- what is seen on them -------------------------------------------------------------


def sights(template: Template, keep: Path) -> list[Sight]:
    """All that a template's wrapper is tried on; nothing where there is none."""
    stored = wrapper_of(template, keep)
    if stored is None:
        return []
    wrapper, source = stored
    file = import_file(source)
    domain = load(wrapper.domain)

    def see(row: str, name: str, body: bytes) -> Sight:
        try:
            report: ContractReport = check_with_annotators(wrapper, parse(body), domain)
        except PageError as error:
            return Sight(row, name, "BROKEN", 0, (str(error),), True)
        told = (
            f"{one['clause']} {one['field']}: {one['message']}"
            for one in report["failed"]
        )
        alone = bool(file.check(body))
        return Sight(row, name, report["status"], report["records"], (*told,), alone)

    name = f"{template.corpus}/{template.name}"
    found = []
    for one in template.others:
        if is_right(wrapper, one, template.own):
            row = f"another page, read right: {template.corpus}"
        elif is_right(wrapper, template.own, template.own):
            row = WORSE
        else:
            continue
        found.append(see(row, f"{name}/{one.path.name}", one.path.read_bytes()))
    sample = template.sample.read_bytes()
    found.append(see("the sample itself", name, sample))
    if template.corpus != GOLD:
        return found
    for row, body in lost(wrapper, sample):
        found.append(see(row, name, body))
    for other in template.foreign:
        told, body = f"{name} on {other.name}", other.sample.read_bytes()
        found.append(see("a page of another site", told, body))
        if known := wrapper_of(other, keep):
            empty = next(losses.emptied(body, held(known[0], body)))
            row = "an honest page without results of another site"
            found.append(see(row, told, empty))
    return found


def lost(wrapper: Wrapper, sample: bytes) -> Iterator[tuple[str, bytes]]:
    """What becomes of a sample, row by row of the table."""
    page, paths = parse(sample), held(wrapper, sample)
    for share in losses.CUTS:
        yield f"cut at {share:.0%} of its bytes", losses.cut(sample, share)
    for box, body in losses.boxed(sample, paths):
        yield f"{box} in place of the list", body
    yield 'every text "Loading..."', losses.loading(sample)
    yield "all digits 0", losses.zeros(sample)
    changed = losses.mojibake(sample)
    if text_of(parse(changed).root) != text_of(page.root):
        yield "mojibake", changed
    for body in losses.emptied(sample, paths):
        yield "an honest page without results", body


def held(wrapper: Wrapper, sample: bytes) -> list[str]:
    """The paths of the rows of a sample's records."""
    root = parse(sample).root
    rows = [row for one in found_on(wrapper, root) for row in one.rows]
    return list(map(root.getroottree().getpath, rows))


def wrapper_of(template: Template, keep: Path) -> tuple[Wrapper, str] | None:
    """The wrapper of a template and its generated file, None where there is none."""
    body = template.sample.read_bytes()
    key = hashlib.sha256(body).hexdigest()[:16]
    kept = keep / f"{template.corpus}-{key}.json"
    if kept.exists():
        known = json.loads(kept.read_text("utf-8"))
        return known and (from_text(known[0].encode()).wrapper, known[1])
    names = [template.domain] if template.domain else built_in_domains()
    try:
        domains = [load(name) for name in names]
        made = compile_wrapper([Source(template.sample.name, body)], domains).wrapper
        built = build_file(made, [body], "benchmark")
    except AmberError:
        built = None
    told = built and (to_text(built.stored), built.source)
    kept.write_text(json.dumps(told), "utf-8")
    return built and (built.stored.wrapper, built.source)


if __name__ == "__main__":
    sys.exit(main())
