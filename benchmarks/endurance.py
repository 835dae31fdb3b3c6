"""Test `amber-wrap apply` on many pages, with poison among them and with kills.

    python benchmarks/endurance.py [--pages N] [--kills K] [-j N] [--write]

`amber-wrap apply` reads N generated pages in Parquet, WARC and other files. One page in
a thousand is poison of one of six kinds (`POISON`). The first run isn't disturbed. The
second run is killed at K random moments and resumed each time. No innocent page may be
lost, and both runs must return the same records. The table also has the memory of the
first run's processes, as medians of tenths of the run. `--write` puts the table into
docs/performance.md.
"""

from __future__ import annotations

import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from commands import command_line
from corpus import built
from made_pages import homes
from tables import PERFORMANCE, publish, table

from amber_wrap.files import write_wrapper
from amber_wrap.settings import Source

POISON_EVERY = 1000
"""Among this number of pages, one is poison: it kills, hangs or exhausts a process."""
POISON = ("crash", "hang", "memory", "attributes", "gzip bomb", "truncated WARC")
"""The kinds of pages that kill, hang or exhaust a process.

No page is known that makes libxml2 crash. This benchmark's workers therefore simulate
the first two kinds.
"""
DEADLINE, MEMORY = 3.0, 384
"""Two limits: the seconds for a page, and the MiB of memory for a worker."""
SAMPLE_SECONDS = 0.2
"""The number of seconds between two measurements of memory."""
TENTHS = "first, sixth and last tenth"
"""The parts of a run whose memory the table shows."""
WARC_PAGES = 500
"""The number of pages in a WARC file. The file ends in the middle of the last page."""
DRIVER = """
import os, signal, sys, time
from amber_wrap.runtime import worker_process
START = '''
import os, signal, time
from amber_wrap.runtime import worker_process
read = worker_process.report_page
def read_page(router, page):
    if page.body.startswith(b"<!-- crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if page.body.startswith(b"<!-- hang"):
        time.sleep(3600)
    return read(router, page)
worker_process.report_page = read_page
worker_process.main()
'''
worker_process.WORKER_COMMAND = (sys.executable, "-P", "-c", START)
from amber_wrap.cli.main import main
main()
"""
"""A Python program that runs the command line with workers that simulate crashes and
hangs."""


class Inputs(NamedTuple):
    """The pages that `amber-wrap apply` reads.

    `names` are files and folders. `innocent` is the number of normal pages. `poison`
    has the number of harmful pages by kind, such as "hang".
    """

    names: tuple[str, ...]
    innocent: int
    poison: Counter[str]


class Footprint(NamedTuple):
    """The resident memory of the processes of `amber-wrap apply` at one moment, in MiB.

    `supervisor` is the memory of the main process. `worker` is the median of all
    workers.
    """

    supervisor: float
    worker: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Test `amber-wrap apply` on generated pages, without and with kills.

    The records of both runs are compared. Return 1 if there is a problem, such as a
    lost record, and 0 otherwise.
    """
    parser = command_line(__doc__, "-j", "--write", pages=100_000, kills=20)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        wrapper = induced(folder)
        inputs = generate(folder, options.pages)
        calm, killed = folder / "calm.jsonl", folder / "killed.jsonl"
        samples: list[Footprint] = []
        seconds = run(wrapper, inputs, calm, options.j, (), samples)
        print(f"uninterrupted: {seconds:.0f} s", flush=True)
        moments = random.Random(1).choices(range(int(seconds * 900)), k=options.kills)
        periods = [moment / 1000 / max(1, options.kills / 4) for moment in moments]
        run(wrapper, inputs, killed, options.j, periods)
        problems = list(problems_of(calm, inputs))
        is_same = sorted_lines(calm) == sorted_lines(killed)
        letters = lines(Path(f"{calm}.dead.jsonl"))
        causes = Counter(letter["error"] for letter in letters).most_common()
    if not is_same:
        problems.append("the run that was killed came to other records")
    rows = [
        ("pages", f"{options.pages:,}"),
        ("innocent pages whose records came out once", f"{inputs.innocent:,}"),
        ("dead letters", ", ".join(f"{error} {count}" for error, count in causes)),
        (f"MiB of the supervisor, in the {TENTHS}", memory_told(samples, 0)),
        ("MiB of a worker, the same", memory_told(samples, 1)),
        ("kills of the driver", str(options.kills)),
        ("records after the kills", "the same" if is_same else "OTHERS"),
    ]
    for problem in problems:
        print(f"PROBLEM: {problem}")
    tables = {"endurance": table(("", ""), rows)}
    publish(tables, PERFORMANCE, options.write and not problems)
    return bool(problems)


def induced(folder: Path) -> Path:
    """Make a wrapper (extraction rules) from a generated page, and return its path."""
    path = folder / "wrapper.py"
    write_wrapper(path, built(Source("sample.html", page(0)), "real-estate"))
    return path


def page(number: int) -> bytes:
    """Return a page with twenty homes that no other page has."""
    return homes(20, 20 * number)


def poison(kind: str) -> bytes:
    """Return a page that kills, hangs or exhausts the process that reads it."""
    match kind:
        case "memory":
            return b"<p>" + b"<a>" * 15_000_000
        case "attributes":
            return b"<p " + b" ".join(b"a%d=1" % i for i in range(60_000)) + b">"
        case "gzip bomb":
            return gzip.compress(bytes(2**20), 9) * 1024
    return b"<!-- %s -->" % kind.encode() + page(0)


def generate(folder: Path, page_count: int) -> Inputs:
    """Write pages into files in a folder, and return the files and the numbers of
    pages.

    Nearly all pages are in a Parquet file. Further pages are in WARC files that end too
    early, and in gzip files that are too large when decompressed.
    """
    import pyarrow
    import pyarrow.parquet

    files, path = folder / "files", folder / "pages.parquet"
    files.mkdir()
    archive_count = max(1, page_count // POISON_EVERY // len(POISON))
    counts = Counter({"truncated WARC": archive_count, "gzip bomb": archive_count})
    for number in range(archive_count):
        first = 10**7 + number * WARC_PAGES
        body = b"".join(map(response, range(first, first + WARC_PAGES)))
        (files / f"{number}.warc").write_bytes(body[:-2000])
        (files / f"{number}.html.gz").write_bytes(poison("gzip bomb"))
    innocent = archive_count * (WARC_PAGES - 1)
    table_pages = page_count - counts.total() - innocent
    schema = pyarrow.schema([("html", pyarrow.binary())])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, table_pages, 500):
            bodies = []
            for number in range(start, min(start + 500, table_pages)):
                kind = POISON[number // POISON_EVERY % 6]
                if number % POISON_EVERY == 500 and kind in POISON[:4]:
                    bodies.append(poison(kind))
                    counts[kind] += 1
                else:
                    bodies.append(page(number))
                    innocent += 1
            writer.write_table(pyarrow.table({"html": bodies}, schema))
    return Inputs((str(path), str(files)), innocent, counts)


def response(number: int) -> bytes:
    """Return a WARC record with a generated page."""
    body = page(number)
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        "WARC-Date: 2020-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: https://shop.example/{number}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def run(
    wrapper: Path,
    inputs: Inputs,
    output: Path,
    jobs: int,
    seconds_between_kills: Sequence[float],
    samples: list[Footprint] | None = None,
) -> float:
    """Run `amber-wrap apply`, and return the number of seconds until it is done.

    The command is killed after each of the given periods, and resumed. If `samples`
    isn't None, the memory of the command's processes is added to it every
    `SAMPLE_SECONDS`.
    """
    command = [sys.executable, "-c", DRIVER, "apply", str(wrapper), *inputs.names]
    command += ["-o", str(output), "-j", str(jobs), "--deadline", str(DEADLINE)]
    command += ["--memory", str(MEMORY)]
    started = time.monotonic()
    for seconds in (*seconds_between_kills, None):
        process = subprocess.Popen([*command, "--resume"])
        while samples is not None and process.poll() is None:
            samples += memory_of(process.pid)
            time.sleep(SAMPLE_SECONDS)
        try:
            process.wait(seconds)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return time.monotonic() - started


def memory_of(supervisor: int) -> Iterator[Footprint]:
    """Yield one measurement of the present memory of a main process and its workers.

    Yield nothing if there is no worker. `supervisor` is the ID of the main process.
    This works only on Linux.
    """
    memory_by_process = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            values = dict(line.split(":", 1) for line in status.open())
        except (OSError, ValueError):
            continue  # The process has ended meanwhile.
        if supervisor in (int(values["Pid"]), int(values["PPid"])):
            size = int(values.get("VmRSS", "0 kB").split()[0])
            memory_by_process[int(values["Pid"])] = size / 1024
    own_memory = memory_by_process.pop(supervisor, 0)
    if own_memory and memory_by_process:
        yield Footprint(own_memory, statistics.median(memory_by_process.values()))


def memory_told(samples: Sequence[Footprint], field: int) -> str:
    """Return as text the median memory in the first, sixth and last tenth of `samples`.

    `samples` are measurements in order of time. `field` is 0 for the main process, and
    1 for a worker.
    """
    bounds = [len(samples) * tenth // 10 for tenth in range(11)]
    tenths = (samples[bounds[tenth] : bounds[tenth + 1]] for tenth in (0, 5, 9))
    memory = ([sample[field] for sample in tenth] for tenth in tenths if tenth)
    return ", ".join(f"{statistics.median(tenth):.0f}" for tenth in memory)


def lines(path: Path) -> Iterator[dict[str, object]]:
    """Yield the objects in a file of JSON Lines."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def problems_of(output: Path, inputs: Inputs) -> Iterator[str]:
    """Yield a message for each problem with the output of `amber-wrap apply`.

    Each innocent page must have its twenty records once, and each poison page an error.
    """
    records = Counter(str(line["_page"]) for line in lines(output))
    links = Counter(line["details_page"] for line in lines(output))
    if len(records) != inputs.innocent:
        yield f"{len(records):,} pages have records, {inputs.innocent:,} are innocent"
    if set(records.values()) != {20}:
        yield f"a page has {Counter(records.values()).most_common(2)} records"
    if set(links.values()) != {1}:
        yield "a record came out twice"
    dead_count = sum(1 for _ in lines(Path(f"{output}.dead.jsonl")))
    if dead_count != sum(inputs.poison.values()):
        yield f"{dead_count} dead letters, {dict(inputs.poison)}"


def sorted_lines(output: Path) -> list[bytes]:
    """Return the sorted lines of a file."""
    return sorted(output.read_bytes().splitlines())


if __name__ == "__main__":
    sys.exit(main())
