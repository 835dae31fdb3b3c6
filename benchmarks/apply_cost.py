"""What a generated wrapper costs, as a multiple of a bare lxml parse.

    python benchmarks/apply_cost.py [FOLDER...] [--rounds N]

A FOLDER holds saved pages of one template: a wrapper is induced from its first page and
applied to all of them.  Without one, the golden cases.  All variants run interleaved in
one process; what is printed are medians over the pages of CPU time ratios.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree
from parsel import Selector

from amber_wrap.codegen.render import render
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.embedded.markup import decode
from amber_wrap.errors import AmberError
from amber_wrap.pipeline import Source, compile_wrapper
from amber_wrap.wrapper.ir import Wrapper

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"


def main() -> None:
    """Measure, print one line per variant."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folders = arguments.folders or sorted(p.parent for p in GOLDEN.glob("*/case.toml"))

    ratios: dict[str, list[float]] = {}
    for folder in folders:
        pages = sorted([*folder.glob("*.html"), *folder.glob("*.htm")])
        try:
            wrapper = induce(pages[0])
        except AmberError as error:
            print(f"{folder.name}: {error}", file=sys.stderr)
            continue
        for page in pages:
            for name, ratio in cost(wrapper, page.read_bytes(), arguments.rounds):
                ratios.setdefault(name, []).append(ratio)
    print(f"{'':34} median   95 %    max  (x bare lxml parse)")
    for name, values in ratios.items():
        high = sorted(values)[int(0.95 * (len(values) - 1))]
        print(
            f"{name:34} {statistics.median(values):6.2f} {high:6.2f} {max(values):6.2f}"
            f"  {len(values)} pages"
        )


def induce(page: Path) -> Wrapper:
    """The wrapper of a page, of whichever domain fits best."""
    domains = [load_domain(name) for name in built_in_domains()]
    return compile_wrapper([Source(page.name, page.read_bytes())], domains).wrapper


def cost(wrapper: Wrapper, body: bytes, rounds: int) -> Iterator[tuple[str, float]]:
    """The CPU time of each variant on a page, relative to the parse, interleaved."""
    extract = load(wrapper)
    variants: dict[str, Callable[[], object]] = {
        "bare lxml parse": lambda: etree.fromstring(
            body, etree.HTMLParser(huge_tree=True)
        ),
        "decode and parsel Selector": lambda: Selector(text=decode(body)),
        "generated wrapper, raw": lambda: extract(body, raw=True),
        "generated wrapper, typed": lambda: extract(body),
        "same fields, parsel .xpath().get()": lambda: spider(wrapper, body),
    }
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds + 1):
        for name, run in variants.items():
            start = time.process_time()
            run()
            times[name].append(time.process_time() - start)
    medians = {name: statistics.median(spent[1:]) for name, spent in times.items()}
    floor = medians["bare lxml parse"] or 1e-9
    for name, spent in medians.items():
        yield name, spent / floor


def load(wrapper: Wrapper) -> Callable[..., list[dict[str, object]]]:
    """The `extract` of the generated file."""
    module = types.ModuleType("generated")
    exec(compile(render(wrapper, "benchmark"), "generated.py", "exec"), module.__dict__)
    return module.extract  # type: ignore[no-any-return]


def spider(wrapper: Wrapper, body: bytes) -> list[dict[str, str | None]]:
    """What people write by hand: one `.xpath("...").get()` per record and field."""
    page = Selector(text=decode(body))
    return [
        {
            rule.name: record.xpath(
                rule.locators[0].xpath
                + (
                    f"/{source}"
                    if (source := rule.locators[0].source)[0] == "@"
                    else ""
                )
            ).get()
            for rule in area.fields
        }
        for area in wrapper.areas
        for root in page.xpath(area.root)
        for record in root.xpath(area.record)
    ]


if __name__ == "__main__":
    main()
