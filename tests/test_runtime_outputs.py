"""Outputs of a run: the formats, and what is there after it was cut short."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import io
import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amber_wrap.errors import FileError
from amber_wrap.runtime import parquet_output
from amber_wrap.runtime.outputs import open_sink

FIELDS = ("title", "price")
ROWS: list[dict[str, Any]] = [
    {"_page": "a.html", "title": 'Füße, "neu"\r\nzwei', "price": 1200},
    {"_page": "a.html", "title": None, "price": 0.5},
    {"_page": "b.html", "title": "=1+1", "price": "1 – 2 €"},
]
MORE: list[dict[str, Any]] = [{"_page": "c.html", "title": "-5 %", "price": None}]

needs_parquet = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None,
    reason='pyarrow is missing: pip install "amber-wrap[parquet]"',
)
formats = pytest.mark.parametrize(
    "name",
    [
        "out.jsonl",
        "out.csv",
        "out.jsonl.gz",
        "out.CSV.gz",
        pytest.param("out.parquet", marks=needs_parquet),
    ],
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, so that paths are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(
    name: str, *batches: list[dict[str, Any]], ended: bool = True, **options: Any
) -> list[int]:
    """Write batches, each made durable; the positions behind them."""
    positions = []
    with open_sink(name, FIELDS, **options) as sink:
        for batch in batches:
            sink.write(batch)
            sink.flush()
            positions.append(sink.position())
        if ended:
            sink.end()
    return positions


def read(name: str) -> list[dict[str, Any]]:
    """The rows of an output as its readers see them, all values of a CSV as texts."""
    if name.endswith(".parquet"):
        import pyarrow.parquet as parquet

        rows: list[dict[str, Any]] = parquet.read_table(name).to_pylist()
        return rows
    body = Path(name).read_bytes()
    text = (gzip.decompress(body) if name.endswith(".gz") else body).decode()
    if ".csv" in name.lower():
        return list(csv.DictReader(io.StringIO(text, newline="")))
    return [json.loads(line) for line in text.splitlines()]


def texts(rows: list[dict[str, Any]], none: str | None) -> list[dict[str, Any]]:
    """Rows as a format of texts holds them."""
    return [
        {name: none if one is None else str(one) for name, one in row.items()}
        for row in rows
    ]


def expected(name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if "jsonl" in name:
        return rows
    return texts(rows, None if name.endswith(".parquet") else "")


@formats
def test_what_is_written_is_read_by_others(name: str):
    write(name, ROWS, [], MORE)
    assert read(name) == expected(name, [*ROWS, *MORE])
    assert list(read(name)[0]) == ["_page", "title", "price"]


def test_lines_of_each_format_to_the_byte():
    write("out.jsonl", [dict(reversed(ROWS[0].items()))], MORE)
    assert Path("out.jsonl").read_text("utf-8") == (
        '{"_page": "a.html", "title": "Füße, \\"neu\\"\\r\\nzwei", "price": 1200}\n'
        '{"_page": "c.html", "title": "-5 %", "price": null}\n'
    )
    write("out.csv", ROWS[:1], ROWS[2:], MORE)
    assert Path("out.csv").read_bytes().decode() == (
        "_page,title,price\r\n"
        'a.html,"Füße, ""neu""\r\nzwei",1200\r\n'
        "b.html,=1+1,1 – 2 €\r\n"
        "c.html,-5 %,\r\n"
    )


def test_other_names_are_json_lines():
    write("out.txt", MORE)
    assert read("out.txt") == MORE


@formats
def test_a_field_that_a_record_lacks(name: str):
    lacking = {"_page": "a.html", "price": 3}
    write(name, [lacking])
    whole = {"_page": "a.html", "title": None, "price": 3}
    assert read(name) == expected(name, [lacking if "jsonl" in name else whole])


@formats
def test_an_output_is_resumed_where_it_was_durable(name: str):
    first, _ = write(name, ROWS, MORE, ended=False)
    write(name, MORE, MORE, position=first)
    assert read(name) == expected(name, [*ROWS, *MORE, *MORE])


@formats
def test_an_output_is_resumed_from_its_start(name: str):
    write(name, ROWS)
    write(name, MORE, position=0)
    assert read(name) == expected(name, MORE)


@formats
def test_what_was_flushed_is_there_after_a_crash(name: str):
    script = (
        "import json, os, sys\n"
        "from amber_wrap.runtime.outputs import open_sink\n"
        f"sink = open_sink({name!r}, {FIELDS!r})\n"
        f"sink.write({ROWS!r})\n"
        "sink.flush()\n"
        "print(sink.position())\n"
        "sys.stdout.flush()\n"
        f"sink.write({MORE!r})\n"
        "os._exit(1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 1, done.stderr
    write(name, MORE, position=int(done.stdout))
    assert read(name) == expected(name, [*ROWS, *MORE])


@formats
def test_the_position_moves_when_the_output_is_durable(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with open_sink(name, FIELDS) as sink:
        start = sink.position()
        synced.clear()
        sink.write(ROWS)
        assert sink.position() == start
        assert not synced
        sink.flush()
        assert sink.position() > start
        assert synced


@formats
def test_an_output_that_is_there_stays_as_it_is(name: str):
    write(name, ROWS)
    message = f"^{name} already exists: name another output, or overwrite it with"
    with pytest.raises(FileError, match=message):
        open_sink(name, FIELDS)
    assert read(name) == expected(name, ROWS)


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv.gz"])
def test_an_output_that_lost_something_is_not_resumed(name: str):
    (position,) = write(name, ROWS)
    before = Path(name).read_bytes()
    with pytest.raises(FileError, match=r"the run can't be resumed$"):
        open_sink(name, FIELDS, position + 1)
    assert Path(name).read_bytes() == before


@needs_parquet
def test_a_folder_that_lost_a_part_is_not_resumed():
    write("out.parquet", ROWS, MORE, ended=False)
    Path("out.parquet/.part-000000").unlink()
    with pytest.raises(FileError, match="lacks some of the 2 parts that were written"):
        open_sink("out.parquet", FIELDS, 2)
    assert os.listdir("out.parquet") == [".part-000001"]


@needs_parquet
def test_only_parts_are_removed_when_a_folder_is_resumed():
    write("out.parquet", ROWS, MORE, ended=False)
    Path("out.parquet/part-notes.parquet").write_bytes(b"mine")
    Path("out.parquet/.part").write_bytes(b"half")
    write("out.parquet", position=1)
    assert sorted(os.listdir("out.parquet")) == [
        "part-000000.parquet",
        "part-notes.parquet",
    ]


@needs_parquet
def test_parts_are_merged_at_the_end(monkeypatch: pytest.MonkeyPatch):
    import pyarrow.parquet as parquet

    monkeypatch.setattr(parquet_output, "MERGED", 7)
    monkeypatch.setattr(parquet_output, "GROUP", 2)
    batches = [ROWS, ROWS, MORE, ROWS, MORE]
    write("out.parquet", *batches, ended=False)
    with open_sink("out.parquet", FIELDS, 5) as sink:
        sink.end()
        assert sink.position() == 5
    assert sorted(os.listdir("out.parquet")) == [
        "part-000000-000002.parquet",
        "part-000003-000004.parquet",
    ]
    merged = parquet.ParquetFile("out.parquet/part-000000-000002.parquet").metadata
    assert [merged.row_group(i).num_rows for i in range(3)] == [2, 3, 2]
    assert read("out.parquet") == texts([*chain(*batches)], None)


class KilledError(Exception):
    pass


class Reader:
    """Who opens a folder at any moment, in the ways that readers have."""

    def __init__(self, name: str) -> None:
        self._folder = Path(name)
        self._files: dict[str, bytes] = {}
        self.pages: list[str] = []

    def look(self) -> None:
        """No record is there twice, none is gone, and no file that was is another."""
        import pyarrow.dataset as dataset

        table = dataset.dataset(self._folder, format="parquet").to_table()
        pages = table.column("_page").to_pylist() if table.num_columns else []
        assert len(set(pages)) == len(pages)
        assert set(pages) >= set(self.pages)
        self.pages = pages
        files = {
            path.name: path.read_bytes() for path in self._folder.glob("*.parquet")
        }
        assert files.items() >= self._files.items()
        self._files = files


def numbered(*sizes: int) -> list[list[dict[str, Any]]]:
    """Batches of so many records, no two of which are alike."""
    numbers = iter(range(sum(sizes)))
    return [
        [
            {"_page": f"{next(numbers):03}", "title": "a", "price": 1}
            for _ in range(size)
        ]
        for size in sizes
    ]


@needs_parquet
def test_readers_see_no_records_before_all_are_written():
    reader = Reader("out.parquet")
    with open_sink("out.parquet", FIELDS) as sink:
        for batch in numbered(3, 1):
            sink.write(batch)
            sink.flush()
            reader.look()
            assert reader.pages == []
        sink.end()
        reader.look()
    assert len(reader.pages) == 4


@needs_parquet
@pytest.mark.parametrize(
    ("sizes", "merged", "steps"),
    [
        *(((3, 1, 3, 1, 3), parquet_output.MERGED, steps) for steps in range(8)),
        *(((3, 1, 3, 1, 3), 7, steps) for steps in range(11)),
        *(((3,), parquet_output.MERGED, steps) for steps in range(3)),
    ],
)
def test_a_kill_while_parts_are_merged_costs_nothing_and_shows_nothing_twice(
    sizes: tuple[int, ...], merged: int, steps: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(parquet_output, "MERGED", merged)
    *batches, more = numbered(*sizes, 1)
    write("out.parquet", *batches, ended=False)
    reader = Reader("out.parquet")
    left = iter(range(steps))

    def mortal(step: Any) -> Any:
        def call(*words: Any) -> Any:
            reader.look()
            if next(left, None) is None:
                raise KilledError
            found = step(*words)
            reader.look()
            return found

        return call

    def watched(step: Any) -> Any:
        def call(*words: Any) -> Any:
            found = step(*words)
            reader.look()
            return found

        return call

    def end(sink: Any, way: Any) -> None:
        with monkeypatch.context() as patch:
            for name in ("fsync", "replace", "unlink"):
                patch.setattr(os, name, way(getattr(os, name)))
            sink.end()

    with pytest.raises(KilledError):
        end(open_sink("out.parquet", FIELDS, len(sizes)), mortal)
    with open_sink("out.parquet", FIELDS, len(sizes)) as sink:
        reader.look()
        sink.write(more)
        sink.flush()
        assert sink.position() == len(sizes) + 1
        end(sink, watched)
    assert read("out.parquet") == texts([*chain(*batches), *more], None)
    assert all(name.endswith(".parquet") for name in os.listdir("out.parquet"))


@needs_parquet
def test_records_go_to_disk_in_groups(monkeypatch: pytest.MonkeyPatch):
    import pyarrow.parquet as parquet

    monkeypatch.setattr(parquet_output, "GROUP", 4)
    write("out.parquet", [*ROWS, *ROWS, *ROWS, *MORE])
    file = parquet.ParquetFile("out.parquet/part-000000.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(3)] == [4, 4, 2]
    assert read("out.parquet") == texts([*ROWS, *ROWS, *ROWS, *MORE], None)


@needs_parquet
def test_numbers_are_numbers_in_parquet_and_ranges_are_kept():
    write("out.parquet", ROWS, MORE, types={"price": float})
    found = [(row["price"], row["price_as_text"]) for row in read("out.parquet")]
    assert found == [(1200.0, None), (0.5, None), (None, "1 – 2 €"), (None, None)]


@needs_parquet
def test_a_number_may_be_larger_than_any_integer_in_parquet():
    write("out.parquet", [{"price": 10**20, "title": "1e20"}], types={"price": float})
    assert [row["price"] for row in read("out.parquet")] == [1e20]


@formats
def test_lists(name: str):
    given = [["wool", "red; blue"], None, "a text", ["\udce9"]]
    write(name, [{"_page": "a", "title": one} for one in given], types={"title": list})
    assert [row["title"] for row in read(name)] == (
        ["wool; red; blue", "", "a text", "\\udce9"]
        if "csv" in name.lower()
        else [["wool", "red; blue"], None, ["a text"], ["\\udce9"]]
        if "parquet" in name
        else given
    )


@formats
def test_names_of_files_that_are_no_text_are_written_as_an_escape(name: str):
    page = os.fsdecode(b"caf\xe9.html")
    write(name, [{"_page": page, "title": None, "price": None}])
    found = read(name)[0]["_page"]
    assert found == (page if "jsonl" in name else "caf\\udce9.html")


def test_stdout_stays_open(monkeypatch: pytest.MonkeyPatch):
    stdout = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stdout)
    assert write("-", MORE, MORE) == [0, 0]
    assert stdout.buffer.getvalue().count(b"\n") == 2
    assert not stdout.closed
    with pytest.raises(FileError, match=r"^- can't be resumed: name a file with -o$"):
        open_sink("-", FIELDS, 0)


def test_a_reader_that_has_enough_is_no_mistake(monkeypatch: pytest.MonkeyPatch):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb", buffering=0) as pipe:
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=pipe))
        with pytest.raises(BrokenPipeError):
            write("-", MORE)


@pytest.mark.skipif(os.name != "posix", reason="devices are those of POSIX")
def test_a_device_is_written_to_though_it_is_there():
    assert write("/dev/null", ROWS) == [0]
    with pytest.raises(FileError, match=r"^/dev/null can't be resumed"):
        open_sink("/dev/null", FIELDS, 0)


@formats
def test_says_what_cannot_be_written(name: str):
    with pytest.raises(FileError, match=rf"^cannot write none/{name}: No such file"):
        open_sink(f"none/{name}", FIELDS)


@formats
def test_says_that_the_disk_is_full(name: str, monkeypatch: pytest.MonkeyPatch):
    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    sink = open_sink(Path(name).absolute().as_posix(), FIELDS)
    sink.write(ROWS)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError, match=rf"^cannot write .*/{name}: No space left"):
        sink.flush()
    assert sink.position() == 0
    monkeypatch.undo()
    sink.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_says_that_a_device_is_full():
    sink = open_sink("/dev/full", FIELDS)
    sink.write(MORE)
    for end in (sink.flush, sink.close):
        with pytest.raises(FileError, match=r"^cannot write /dev/full: No space left"):
            end()


def test_a_missing_library_comes_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
):
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r'pip install "amber-wrap\[parquet\]"$'):
        open_sink("out.parquet", FIELDS)
    assert not Path("out.parquet").exists()
