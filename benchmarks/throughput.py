"""Measure pages a second: `apply` on this machine, and the same workers on Spark.

    python benchmarks/throughput.py [--pages N] [--rounds N] [--write]

Both read one Parquet file of pages and write records, two workers each.  Spark is
measured warm: its session and its Python workers run, the first pass doesn't count; nor
does the first of `apply`.  Passes take turns; medians of wall-clock time.  `--write`
puts the table into docs/performance.md.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import pyarrow
import pyarrow.parquet
from commands import command_line
from endurance import induced, page
from pyspark.sql import SparkSession
from tables import PERFORMANCE, publish, table

from amber_wrap.runtime.bulk_run import Order, apply_many
from amber_wrap.runtime.jobs import read_job
from amber_wrap.runtime.spark import apply_on_spark

JOBS = 2
SCRIPTED = 2000
"""Entries of a page's script: some 40 kB."""
GROUP = 500
"""Pages of a row group, the unit that Spark distributes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both, print the table."""
    parser = command_line(__doc__, "--write", pages=6000, rounds=3)
    options = parser.parse_args(arguments)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{JOBS}]").appName("throughput")
    builder = builder.config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrapper = induced(folder)
        pages = folder / "pages"
        size = generate(pages, options.pages)
        target = folder / "records"

        def local() -> None:
            order = Order(
                (str(pages),), f"{target}.parquet", f"{target}.dead", jobs=JOBS
            )
            apply_many(
                read_job(wrapper), order, lambda done: nullcontext(lambda read: None)
            )

        def spark() -> None:
            apply_on_spark(read_job(wrapper), [str(pages)], str(target))

        times = measure(
            {"apply -j 2": local, "Spark, local[2]": spark}, folder, options.rounds
        )
    session.stop()
    base = times["apply -j 2"]
    rows = [
        (name, f"{options.pages / seconds:,.0f}", f"{base / seconds:.2f}")
        for name, seconds in times.items()
    ]
    told = f"{options.pages:,} pages of {size / options.pages / 1000:.1f} kB.\n\n"
    found = told + table(("", "pages a second", "x apply -j 2"), rows)
    publish({"throughput": found}, PERFORMANCE, options.write)
    return 0


def usual(number: int) -> bytes:
    """Return a page with scripts that are most of its bytes, as pages have them."""
    state = "".join(f'{{"key{i}": "{number * i % 9973}"}},' for i in range(SCRIPTED))
    script = f"<script>window.state = [{state}]</script></head>".encode()
    return page(number).replace(b"</head>", script)


def generate(folder: Path, count: int) -> int:
    """Write a Parquet file per worker into a folder; return the bytes of its pages."""
    folder.mkdir()
    size = 0
    share = -(-count // JOBS)
    for number in range(JOBS):
        numbers = range(number * share, min(count, (number + 1) * share))
        bodies = [usual(one) for one in numbers]
        size += sum(map(len, bodies))
        pyarrow.parquet.write_table(
            pyarrow.table({"html": bodies}),
            folder / f"{number}.parquet",
            row_group_size=GROUP,
        )
    return size


def measure(
    variants: dict[str, Callable[[], None]], folder: Path, rounds: int
) -> dict[str, float]:
    """Return the median seconds of each variant, in turns, without the first turn."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds + 1):
        for name, variant in variants.items():
            started = time.monotonic()
            variant()
            times[name].append(time.monotonic() - started)
            for path in folder.glob("records*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    return {name: statistics.median(found[1:]) for name, found in times.items()}


if __name__ == "__main__":
    sys.exit(main())
