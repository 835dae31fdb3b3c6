"""Run an experiment on pages with known records: read options, measure, write results.

The pages are generated or real. The result of an experiment is a text with links to
charts. `--write` puts the text between its markers in a page of docs (`<!--
accuracy-real -->` in evaluation.md), and the charts into docs/charts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import synthetic as generator
from commands import command_line
from corpus import ROOT, gold_folder, shown
from runs import PACKAGE, Runs, digest
from synthetic.corpus import PAPER, SEED, Extent, write_corpus
from tables import inserted

from amber_wrap.evaluation.gold import Corpus, read_corpus

SYNTHETIC, REAL = "synthetic", "real"
"""The names of the two sets of pages with known records: generated and real pages."""


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A set of pages whose records are known.

    `about` describes the set in a sentence.
    """

    name: str
    corpus: Corpus
    about: str


def synthetic(cache: Path, seed: int, sizes: Mapping[str, Extent]) -> GoldSet:
    """Return the generated set with the given numbers of sites and pages for each
    domain.

    The set is in a folder of `cache`, whose name has a digest of the generator, the
    seed and the sizes. If the folder is missing, the set is generated. An existing
    folder is used as it is.
    """
    generator_digest = digest([Path(generator.__file__ or "").parent])[:12]
    size = "-".join(f"{extent.sites}x{extent.pages}" for extent in sizes.values())
    folder = cache / f"synthetic-{generator_digest}-{seed}-{size}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as draft_folder:
            new_corpus = Path(draft_folder) / "corpus"
            for domain, extent in sizes.items():
                write_corpus(new_corpus, domain, extent, seed)
            os.replace(new_corpus, folder)
    corpus = read_corpus(folder)
    about = f"Generated (seed {seed}, generator `{generator_digest}`)"
    return GoldSet(SYNTHETIC, corpus, f"{about}: {described(corpus)}")


def scaled(sites: int | None, sizes: Mapping[str, Extent]) -> dict[str, Extent]:
    """Return the sizes of generated sets, with at most `sites` sites for each domain.

    The number of pages per site stays about the same. If `sites` is None, the sizes are
    returned unchanged.
    """
    return {
        domain: Extent(site_count, round(extent.pages * site_count / extent.sites))
        for domain, extent in sizes.items()
        for site_count in [min(extent.sites, sites or extent.sites)]
    }


def real(domains: Collection[str], sites: int | None = None) -> GoldSet | None:
    """Return the first `sites` sites of each domain of the real set.

    Return None if the real set is missing.
    """
    if not gold_folder().is_dir():
        return None
    gold = read_corpus(gold_folder())
    names = sorted({page.site for page in gold.pages})
    of_domains = ([it for it in names if it.startswith(f"{one}/")] for one in domains)
    chosen_sites = {site for names in of_domains for site in names[:sites]}
    pages = tuple(page for page in gold.pages if page.site in chosen_sites)
    corpus = Corpus(pages, gold.redesigns)
    return GoldSet(REAL, corpus, f"Real pages: {described(corpus)}")


def described(corpus: Corpus) -> str:
    """Return a text with the numbers of sites, pages, records and attributes of each
    domain."""
    return "; ".join(
        f"{domain} {_counted(corpus.of_domain(domain))}"
        for domain in dict.fromkeys(page.domain for page in corpus.pages)
    )


def _counted(corpus: Corpus) -> str:
    """Return a text with the numbers of sites, pages, records and attributes of a
    corpus."""
    areas = (area for page in corpus.pages for area in page.areas)
    records = [record for area in areas for record in area.records]
    sites = len({page.site for page in corpus.pages})
    return (
        f"{sites} sites, {len(corpus.pages)} pages, {len(records):,} records, "
        f"{sum(map(len, records)):,} attributes"
    )


EVALUATION = ROOT / "docs" / "evaluation.md"
"""The page of docs that has the results, unless an experiment names another page."""
BOTH = (SYNTHETIC, REAL)
"""The names of both sets of pages with known records."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of an experiment on one set of pages: a text in Markdown, and charts.

    The charts are SVG by file name. The text links to them.
    """

    text: str
    charts: Mapping[str, str] = field(default_factory=dict)


Measure = Callable[[GoldSet, Runs, Namespace], Finding]
"""A function that measures a set of pages whose records are known."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment on sets of pages with known records.

    A call runs it with command-line arguments. `sets` are the names of the sets.
    `sizes` has the domains, and the sizes of the generated set. `about` is the help
    text, and `numbers` has the defaults of further numeric options. `suite` is the
    folder of benchmarks that has the experiment. The results go into the documentation
    page `page`.
    """

    name: str
    measure: Measure
    about: str | None
    sets: Sequence[str] = BOTH
    sizes: Mapping[str, Extent] = field(default_factory=lambda: PAPER)
    numbers: Mapping[str, int] = field(default_factory=dict)
    suite: str = "paper"
    page: Path = EVALUATION

    @property
    def markers(self) -> list[str]:
        """The names of the markers, the comments in the page between which results
        go."""
        return [f"{self.name}-{set_name}" for set_name in self.sets]

    def __call__(self, arguments: Sequence[str] | None = None) -> int:
        """Measure, print the results or write them to the page, and return the exit
        code.

        The exit code is 1 if no wanted set could be measured.
        """
        options = self._options(arguments)
        if options.write:  # Report a missing marker before hours are spent.
            inserted(self.page.read_text("utf-8"), dict.fromkeys(self.markers, ""))
        runs = Runs(options.cache, options.j, self.name)
        findings: dict[str, Finding] = {}
        for gold in self._gold(options):
            finding = self.measure(gold, runs, options)
            text = f"{gold.about}. {self._command(options, gold)}\n\n{finding.text}"
            findings[f"{self.name}-{gold.name}"] = Finding(text, finding.charts)
        if options.write:
            save(findings, self.page, self.page.read_text("utf-8"))
        else:
            save(findings, options.cache / self.page.name)
            print("\n".join(finding.text for finding in findings.values()), end="")
        return int(not findings and any(name in options.on for name in self.sets))

    def _options(self, arguments: Sequence[str] | None) -> Namespace:
        """Return the options of a command line, such as the number of processes."""
        parser = command_line(self.about, "--write", "-j", seed=SEED, **self.numbers)
        add, folder = parser.add_argument, f"build/{self.suite}"
        add("--on", nargs="+", choices=BOTH, default=BOTH, help="which sets")
        add("--sites", type=int, metavar="N", help="of each domain, to try things")
        add("--cache", type=Path, default=ROOT / folder, help=f"default {folder}")
        options = parser.parse_args(arguments)
        if options.write and options.sites:
            parser.error("a part of the sites is not what the page shows")
        return options

    def _gold(self, options: Namespace) -> Iterator[GoldSet]:
        """Yield the sets to be measured.

        Print a message if the real set is missing.
        """
        for name in self.sets:
            if name not in options.on:
                continue
            if name == SYNTHETIC:
                sizes = scaled(options.sites, self.sizes)
                yield synthetic(options.cache, options.seed, sizes)
            elif real_set := real(self.sizes, options.sites):
                yield real_set
            else:
                message = (
                    f"there is no {shown(gold_folder())}: the real set is left out"
                )
                print(message, file=sys.stderr)

    def _command(self, options: Namespace, gold: GoldSet) -> str:
        """Return a Markdown text with the command that measures a set.

        It also has a digest of the package's code.
        """
        seed = f" --seed {options.seed}" if gold.name == SYNTHETIC else ""
        sites = f" --sites {options.sites}" if options.sites else ""
        command = f"python benchmarks/{self.suite} {self.name} --on {gold.name}"
        return f"`{command}{seed}{sites}`, package `{digest([PACKAGE])[:12]}`."


def save(findings: Mapping[str, Finding], page: Path, text: str = "") -> None:
    """Write texts between their markers in a page, and charts into the folder `charts`.

    `text` is the present text of the page with the markers, or "" for a new page. Raise
    ValueError for a missing marker.
    """
    texts = {name: finding.text for name, finding in findings.items()}
    empty = "".join(f"<!-- {name} -->\n<!-- /{name} -->\n" for name in texts)
    text = inserted(text or empty, texts)
    charts = page.parent / "charts"
    charts.mkdir(parents=True, exist_ok=True)
    page.write_text(text, "utf-8", newline="\n")
    for finding in findings.values():
        for name, chart in finding.charts.items():
            (charts / name).write_text(chart, "utf-8", newline="\n")


def image(name: str, label: str = "") -> str:
    """Return a Markdown link to a chart. The text of the link is `label` or `name`."""
    return f"![{label or name.removesuffix('.svg')}](charts/{name})\n"


def run(about: str | None, experiments: Sequence[Any], *further: Any) -> int:
    """Run the experiment whose name is on the command line, and return the exit code.

    Other words of the command line are options of the experiment. The name "all" runs
    all of `experiments`. Those in `further` only run by their name. Without a name,
    print `about` and a list of the experiments.
    """
    name, *options = sys.argv[1:] or [""]
    by_name = {experiment.name: experiment for experiment in (*experiments, *further)}
    if name in ("", "-h", "--help"):
        print(about)
        for experiment in by_name.values():
            summary, *_ = experiment.about.splitlines()
            print(f"{experiment.name:12} {summary}")
        print(f"\npackage {digest([PACKAGE])[:12]}")
        return 0
    if name != "all" and name not in by_name:
        names = ", ".join((*by_name, "all"))
        print(f"there is no experiment {name!r} (there are: {names})", file=sys.stderr)
        return 2
    chosen = experiments if name == "all" else [by_name[name]]
    return max(experiment(options) for experiment in chosen)
