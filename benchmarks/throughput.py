"""Measure pages a second: `apply` on this machine, and the same workers on Spark.

    python benchmarks/throughput.py [--pages N] [--rounds N] [--write]

`amber-wrap apply` and Spark read the same pages in Parquet files and write records,
with two workers each. Spark is measured while its session and its Python workers run.
The first round of each doesn't count. The two take turns, and the figures are medians
of real time. `--write` puts the table into docs/performance.md.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pyarrow
import pyarrow.parquet
from commands import command_line
from endurance import induced, page
from pyspark.sql import SparkSession
from tables import PERFORMANCE, publish, table
from timing import timed

from amber_wrap.runtime.bulk_run import RunOptions, apply_many
from amber_wrap.runtime.page_reader import read_job
from amber_wrap.runtime.spark import apply_on_spark

JOBS = 2
"""The number of workers."""
SCRIPTED = 2000
"""The number of entries in a page's script, which are some 40 kB."""
GROUP = 500
"""The number of pages of a Parquet row group, which Spark distributes as a unit."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure `amber-wrap apply` and Spark, publish the table, and return 0."""
    parser = command_line(__doc__, "--write", pages=6000, rounds=3)
    options = parser.parse_args(arguments)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{JOBS}]").appName("throughput")
    builder = builder.config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        wrapper = induced(folder)
        pages = folder / "pages"
        size = generate(pages, options.pages)

        def new_output_path() -> str:
            return f"{tempfile.mkdtemp(dir=folder)}/records"

        def local() -> None:
            output = new_output_path()
            files = (str(pages),), f"{output}.parquet", f"{output}.dead"
            silent = nullcontext(lambda read: None)
            apply_many(
                read_job(wrapper), RunOptions(*files, jobs=JOBS), lambda _: silent
            )

        def spark() -> None:
            apply_on_spark(read_job(wrapper), [str(pages)], new_output_path())

        runs_by_way = {"apply -j 2": local, "Spark, local[2]": spark}
        turns = [
            {way: timed(run, time.monotonic) for way, run in runs_by_way.items()}
            for _ in range(options.rounds + 1)
        ]
    session.stop()
    rates = {
        way: options.pages / statistics.median(turn[way] for turn in turns[1:])
        for way in runs_by_way
    }
    rows = [
        (way, f"{rate:,.0f}", f"{rate / rates['apply -j 2']:.2f}")
        for way, rate in rates.items()
    ]
    text = f"{options.pages:,} pages of {size / options.pages / 1000:.1f} kB.\n\n"
    text += table(("", "pages a second", "x apply -j 2"), rows)
    publish({"throughput": text}, PERFORMANCE, options.write)
    return 0


def usual(number: int) -> bytes:
    """Return a page most of whose bytes are scripts, as on usual pages."""
    state = "".join(f'{{"key{i}": "{number * i % 9973}"}},' for i in range(SCRIPTED))
    script = f"<script>window.state = [{state}]</script></head>".encode()
    return page(number).replace(b"</head>", script)


def generate(folder: Path, count: int) -> int:
    """Write a Parquet file for each worker into a folder; return the number of bytes of
    all pages."""
    folder.mkdir()
    size = 0
    pages_per_file = -(-count // JOBS)
    for number in range(JOBS):
        numbers = range(
            number * pages_per_file, min(count, (number + 1) * pages_per_file)
        )
        bodies = [usual(number) for number in numbers]
        size += sum(map(len, bodies))
        pyarrow.parquet.write_table(
            pyarrow.table({"html": bodies}),
            folder / f"{number}.parquet",
            row_group_size=GROUP,
        )
    return size


if __name__ == "__main__":
    sys.exit(main())
