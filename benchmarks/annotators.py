"""Measure what the annotators of the extra `values` cost, as multiples of a bare parse.

    python benchmarks/annotators.py [PAGE...] [--rounds N]

By default, the pages are those of the golden cases. The annotators take turns in one
process. Printed are ratios of CPU time over the pages, and the additional cost of the
first use of each annotator, which imports its library or loads a language.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

from commands import command_line
from tables import percentile
from timing import bare_parse, timed

from amber_wrap.annotate.annotate_page import annotators
from amber_wrap.annotate.annotator import Annotator, Texts
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.plugin_annotators import PluginAnnotator
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.recognisers import load_plugin

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
"""The folder of the golden cases, whose pages are measured by default."""
BARE = "bare lxml parse"
"""The name of the bare parse, which is the unit of all costs."""
VALUES = ("uk-postcode", "phone", "price", "written-date")
"""The names of the measured annotators, which find values such as prices on pages."""
DOMAIN = "real-estate"
"""The domain whose own annotators are measured, too, for comparison."""


def main() -> None:
    """Measure the annotators, and print a line for each."""
    parser = command_line(__doc__, rounds=5)
    parser.add_argument("pages", nargs="*", type=Path)
    arguments = parser.parse_args()
    pages = arguments.pages or sorted(GOLDEN.glob("*/*.html"))

    first_ratios: dict[str, float] = {}
    ratios: dict[str, list[float]] = defaultdict(list)
    claim_counts: dict[str, int] = defaultdict(int)
    for page in pages:
        body = page.read_bytes()
        times: dict[str, list[float]] = defaultdict(list)
        for _ in range(arguments.rounds):
            calls = runs(body)
            for name, call in calls.items():
                times[name].append(timed(call))
        floor = statistics.median(times[BARE]) or 1e-9
        for name, seconds in times.items():
            ratios[name].append(statistics.median(seconds) / floor)
            first_ratios.setdefault(name, seconds[0] / floor)
            claim_counts[name] += calls[name]()
    print(f"{'x bare lxml parse':28} median   95 %    max  first  claims a page")
    for name, values in ratios.items():
        high = percentile(sorted(values), 0.95)
        print(
            f"{name:28} {statistics.median(values):6.2f} {high:6.2f} "
            f"{max(values):6.2f} {first_ratios[name]:6.0f} "
            f"{claim_counts[name] / len(values):6.1f}"
        )
    print(f"{len(pages)} pages")


def runs(body: bytes) -> dict[str, Callable[[], int]]:
    """Return the functions whose time is measured on a page, by name.

    Each function runs annotators on the page, and returns the number of texts found.
    One function only parses the page, and returns 0.
    """
    page = parse(body)
    texts = Texts(page)
    own_annotators = annotators(for_locale(load_domain(DOMAIN), locale_of(page)))

    def claimed(annotator: Annotator) -> int:
        return sum(1 for _ in annotator.annotate(page, texts))

    def plugin(name: str) -> Callable[[], int]:
        return lambda: claimed(PluginAnnotator("kind", loaded(name)))

    return {
        BARE: lambda: 0 * len(bare_parse(body)),
        f"all of {DOMAIN}'s own": lambda: sum(map(claimed, own_annotators)),
        **{name: plugin(name) for name in VALUES},
    }


loaded = cache(load_plugin)
"""Return the annotator with a name, which is loaded only once."""


if __name__ == "__main__":
    main()
