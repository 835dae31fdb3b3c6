"""Write the generated corpora: `python benchmarks/paper generate OUT`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from commands import command_line
from synthetic.census import statistics
from synthetic.corpus import LARGE, PAPER, SEED, write_corpus


def main(arguments: Sequence[str] | None = None) -> int:
    """Write pages and their gold; return the exit code."""
    parser = command_line(
        __doc__,
        seed=SEED,
        large="the real estate sites of section 6.2",
        statistics="print what was written and how noisy it is",
    )
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="the folder to write into")
    add("--domain", choices=sorted(PAPER), action="append", help="may be repeated")
    add("--sites", type=int, help="how many (default: as in the paper)")
    add("--pages", type=int, help="in all (default: as in the paper)")
    options = parser.parse_args(arguments)
    if options.sites is not None and options.sites < 1:
        parser.error("--sites: there must be one at least")
    if options.large:
        domains = ["real-estate"]
        sites = options.sites or LARGE.sites
        pages = options.pages or sites * LARGE.pages // LARGE.sites
    else:
        domains = options.domain or sorted(PAPER)
        sites, pages = options.sites, options.pages
    for domain in domains:
        try:
            written = write_corpus(options.out, domain, sites, pages, options.seed)
        except (ValueError, OSError) as error:
            parser.error(str(error))
        print(f"{options.out}: {written} pages of {domain}")
        if options.statistics:
            print(statistics(options.out, domain))
    return 0
