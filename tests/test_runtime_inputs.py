"""Test inputs of a run: files, folders, patterns, lists, and resumed runs."""

from __future__ import annotations

import builtins
import io
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from input_pages import (  # noqa: F401
    PAGE,
    folder,
    ids,
    needs_warc,
    numbered,
    only,
    packed,
    record,
    write,
)

from amber_wrap.dom.saved_formats import ZSTD
from amber_wrap.errors import FileError
from amber_wrap.runtime.decompression import ZSTD_LIBRARY
from amber_wrap.runtime.input_pages import BadInput, InputPage
from amber_wrap.runtime.inputs import pages
from amber_wrap.runtime.journal import Progress, RemainingPages

# Files, folders, patterns and lists.


def test_a_file_with_any_name_is_one_page():
    assert only(write("page.php")) == InputPage("page.php", PAGE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of POSIX")
def test_a_pipe_is_opened_once():
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(PAGE,))
    writer.start()
    page = only("pipe")
    writer.join()
    assert page == InputPage("pipe", PAGE)


def test_a_folder_gives_all_pages_below_in_order_without_frames():
    for name in (
        "b.HTML",
        "a.htm",
        "z/c.xhtml",
        "z/a.html.gz",
        "d/page.html",
        "d/page_files/frame.html",
        "d/own_files/page.html",
        "image.png",
        "notes.txt.gz",
    ):
        write(f"site/{name}")
    first_names = ["a.htm", "b.HTML", "d/page.html", "d/own_files/page.html"]
    expected = [f"site/{name}" for name in [*first_names, "z/a.html.gz", "z/c.xhtml"]]
    assert ids("site") == expected
    assert ids("site") == expected


def test_a_pattern_gives_sorted_files_or_the_file_of_that_name():
    for name in ("b.html", "a.html", "c.txt", "sub/d.html"):
        write(name)
    assert ids("*.html") == ["a.html", "b.html"]
    assert ids("**/*.html") == ["a.html", "b.html", "sub/d.html"]
    assert ids("s*") == ["sub/d.html"]
    write("[ab].html")
    assert ids("[ab].html") == ["[ab].html"]


def test_a_list_gives_files_and_folders_and_reports_missing_ones():
    write("a.html")
    write("site/b.html")
    write("list.txt", b"site\r\n\nnone.html\na.html\n")
    assert list(pages(["@list.txt"])) == [
        InputPage("site/b.html", PAGE),
        BadInput("none.html", "missing", "no such file"),
        InputPage("a.html", PAGE),
    ]


def test_a_list_on_stdin_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch):
    write("a.html")

    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self.asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.asked += 1
            return b"a.html\n" if self.asked == 1 else b"none-%d.html\n" % self.asked

        def __iter__(self) -> Iterator[bytes]:
            return iter(self.readline, b"")

    endless = Endless()
    stdin = type("Stdin", (), {"buffer": endless})
    monkeypatch.setattr(sys, "stdin", stdin)
    stream = pages(["@-"])
    assert next(stream).id == "a.html"
    assert endless.asked == 1
    assert next(stream).id == "none-2.html"


def test_a_dash_gives_the_page_on_stdin(monkeypatch: pytest.MonkeyPatch):
    stdin = io.TextIOWrapper(io.BytesIO(packed(PAGE)))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert only("-") == InputPage("-", PAGE)


def test_a_dash_in_a_list_is_a_file():
    write("-")
    assert ids("@" + write("list", b"-\n")) == ["./-"]


def test_a_file_that_several_inputs_name_is_read_once():
    write("site/a.html")
    write("site/b.html")
    write("list", b"site/a.html\nsite/a.html\n")
    assert ids("site/b.html", "site", "@list") == ["site/b.html", "site/a.html"]


def test_a_skipped_page_is_not_opened(monkeypatch: pytest.MonkeyPatch):
    write("a.html")
    write("b.html")
    opened = []
    real = builtins.open

    def record(path: Any, *args: Any, **options: Any) -> Any:
        opened.append(path)
        return real(path, *args, **options)

    read_pages = pages(["*.html"], skip=lambda ref: ref.id == "a.html")
    monkeypatch.setattr(builtins, "open", record)
    assert [page.id for page in read_pages] == ["b.html"]
    assert opened == ["b.html"]


def test_a_list_may_have_null_bytes_between_its_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("1.html", "2.html"):
        Path(name).write_text("<p>")
    Path("list").write_bytes(b"\x00".join((b"1.html", b"2.html", b"")))
    assert [page.id for page in pages(["@list"])] == ["1.html", "2.html"]


def test_a_pipe_with_the_name_of_a_page_is_reported_and_not_read(tmp_path):
    os.mkfifo(tmp_path / "1.html")
    (tmp_path / "2.html").write_text("<p>")
    pipe, page = pages([str(tmp_path)])
    assert pipe.message == "the path is a pipe or a device, not a file"
    assert page.id.endswith("2.html")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (["none.html"], r"^cannot read none\.html: No such file"),
        (["@none.txt"], r"^cannot read none\.txt: No such file"),
        (["none.warc"], r"^cannot read none\.warc: No such file"),
        (["*.html"], r"^\*\.html: no file matches this pattern$"),
        (["empty"], r"^empty: no page in this folder \(\.html, "),
        (["@empty"], r"^cannot read empty: Is a directory$"),
        (["https://example.com/"], r"save the page with amber-wrap fetch$"),
        (["-", "@-"], r"^stdin can be read only once$"),
        (["-", "-"], r"^stdin can be read only once$"),
    ],
)
def test_mistakes_in_the_call_are_reported_before_inputs_are_read(
    inputs: list[str], message: str
):
    Path("empty").mkdir()
    write("ok.htm")
    with pytest.raises(FileError, match=message):
        pages(["ok.htm", *inputs])


@pytest.mark.parametrize(
    ("path", "module", "extra"),
    [
        ("a.warc.gz", "fastwarc.warc", "warc"),
        ("a.warc.zst", ZSTD_LIBRARY, "warc"),
        ("a.parquet", "pyarrow.parquet", "parquet"),
    ],
)
def test_the_error_of_a_missing_library_has_the_command_to_install(
    monkeypatch: pytest.MonkeyPatch, path: str, module: str, extra: str
):
    monkeypatch.setitem(sys.modules, module, None)
    write(f"site/{path}", ZSTD if path.endswith(".zst") else PAGE)
    message = rf'{path} needs {module}: pip install "amber-wrap\[{extra}\]"$'
    with pytest.raises(FileError, match=message):
        pages([f"site/{path}"])
    with pytest.raises(FileError, match=message):
        list(pages(["site"]))


def test_a_file_that_disappears_during_a_run_is_one_bad_input():
    write("a.html")
    write("b.html")
    read_pages = pages(["a.html", "b.html"])
    Path("a.html").unlink()
    assert list(read_pages) == [
        BadInput("a.html", "missing", "no such file"),
        InputPage("b.html", PAGE),
    ]


# Going on where a run was cut off.


@needs_warc
def test_a_resumed_run_reads_all_inputs_that_are_left():
    # Records that hold no page don't count, and a bad record counts once.
    write(
        "in/a.warc",
        b"".join(
            [
                record(PAGE),
                record(PAGE, status="404 Not Found"),
                record(PAGE, "Content-Type: image/png"),
                record(PAGE, type="request"),
                record(b"no gzip", "Content-Encoding: gzip"),
                record(PAGE),
                record(PAGE)[:-20],
            ]
        ),
    )
    write("in/b.html")
    write("in/c.html.gz", packed(PAGE)[:-9])
    write("in/d.warc", b"nothing of the kind")
    write("in/e.warc", b"".join(numbered(3)))
    inputs = ["in", write("page")]
    everything = list(pages(inputs))
    kinds = [one.kind if isinstance(one, BadInput) else "page" for one in everything]
    told = "page corrupt page truncated page truncated corrupt page page page page"
    assert kinds == told.split()
    for done in range(len(everything) + 1):
        last = everything[done - 1].id if done else ""
        left = RemainingPages(inputs, "html", Progress("", done, last))
        assert list(left) == everything[done:]
