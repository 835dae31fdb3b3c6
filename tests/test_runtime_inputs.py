"""Inputs of a run: which pages there are, in which order, and what can't be read."""

from __future__ import annotations

import builtins
import gzip
import importlib.util
import io
import os
import random
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from amber_wrap.dom.parse import parse
from amber_wrap.dom.saved_formats import GZIP, ZSTD
from amber_wrap.errors import FileError
from amber_wrap.runtime.decompression import DICTIONARY, ZSTD_LIBRARY, Inflated
from amber_wrap.runtime.input_pages import BadInput, InputOptions, InputPage
from amber_wrap.runtime.inputs import pages
from amber_wrap.runtime.journal import Progress, Remaining

packed = partial(gzip.compress, mtime=0)
"""The same bytes whenever they are made: they are in the names of tests."""
PAGE = b"<html><body><p>one</p></body></html>"
BROTLI = (
    b"\x1b#\x00\xf8\x8d\xc48F\xf1\x90h\x07\x81],\x97\xddZ\xd3\xe0\x83zA+Z\x84*L"
    b"\x80\x81?m\x0e\xc4\xdbB$"
)
"""The page, by the reference encoder."""

needs_warc = pytest.mark.skipif(
    importlib.util.find_spec("fastwarc") is None,
    reason='fastwarc is missing: pip install "amber-wrap[warc]"',
)
needs_zstd = pytest.mark.skipif(
    importlib.util.find_spec(ZSTD_LIBRARY.partition(".")[0]) is None,
    reason='backports.zstd is missing: pip install "amber-wrap[warc]"',
)
needs_parquet = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None,
    reason='pyarrow is missing: pip install "amber-wrap[parquet]"',
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, so that paths are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, body: bytes = PAGE) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(body)
    return path


def ids(*inputs: str) -> list[str]:
    return [one.id for one in pages(inputs)]


def outcomes(*inputs: str, **options: Any) -> list[Any]:
    """What is read, told briefly: bodies of pages, kinds of what is bad."""
    return [
        one.body if isinstance(one, InputPage) else one.kind
        for one in pages(inputs, InputOptions(**options))
    ]


def only(*inputs: str, **options: Any) -> InputPage | BadInput:
    (one,) = pages(inputs, InputOptions(**options))
    return one


# Files, folders, patterns and lists.


def test_a_file_is_one_page_whatever_it_is_called():
    assert only(write("page.php")) == InputPage("page.php", PAGE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of POSIX")
def test_a_pipe_is_opened_once():
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(PAGE,))
    writer.start()
    found = only("pipe")
    writer.join()
    assert found == InputPage("pipe", PAGE)


def test_a_folder_is_all_pages_below_in_order_without_frames():
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
    found = ["a.htm", "b.HTML", "d/page.html", "d/own_files/page.html"]
    expected = [f"site/{name}" for name in [*found, "z/a.html.gz", "z/c.xhtml"]]
    assert ids("site") == expected
    assert ids("site") == expected


def test_a_pattern_is_sorted_and_a_file_of_that_name_wins():
    for name in ("b.html", "a.html", "c.txt", "sub/d.html"):
        write(name)
    assert ids("*.html") == ["a.html", "b.html"]
    assert ids("**/*.html") == ["a.html", "b.html", "sub/d.html"]
    assert ids("s*") == ["sub/d.html"]
    write("[ab].html")
    assert ids("[ab].html") == ["[ab].html"]


def test_a_list_names_files_and_folders_and_a_missing_one_stops_nothing():
    write("a.html")
    write("site/b.html")
    write("list.txt", b"site\r\n\nnone.html\na.html\n")
    assert list(pages(["@list.txt"])) == [
        InputPage("site/b.html", PAGE),
        BadInput("none.html", "missing", "no such file"),
        InputPage("a.html", PAGE),
    ]


def test_a_list_on_stdin_is_read_as_it_comes(monkeypatch: pytest.MonkeyPatch):
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
    found = pages(["@-"])
    assert next(found).id == "a.html"
    assert endless.asked == 1
    assert next(found).id == "none-2.html"


def test_a_dash_is_one_page_on_stdin(monkeypatch: pytest.MonkeyPatch):
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


def test_what_is_skipped_is_not_even_opened(monkeypatch: pytest.MonkeyPatch):
    write("a.html")
    write("b.html")
    opened = []
    real = builtins.open

    def record(path: Any, *args: Any, **options: Any) -> Any:
        opened.append(path)
        return real(path, *args, **options)

    found = pages(["*.html"], skip=lambda ref: ref.id == "a.html")
    monkeypatch.setattr(builtins, "open", record)
    assert [one.id for one in found] == ["b.html"]
    assert opened == ["b.html"]


def test_a_list_may_have_zeros_between_its_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("1.html", "2.html"):
        Path(name).write_text("<p>")
    Path("list").write_bytes(b"\x00".join((b"1.html", b"2.html", b"")))
    assert [page.id for page in pages(["@list"])] == ["1.html", "2.html"]


def test_a_pipe_that_is_called_like_a_page_is_not_waited_for(tmp_path):
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
def test_mistakes_in_the_call_are_told_before_anything_is_read(
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
def test_a_missing_library_comes_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, path: str, module: str, extra: str
):
    monkeypatch.setitem(sys.modules, module, None)
    write(f"site/{path}", ZSTD if path.endswith(".zst") else PAGE)
    message = rf'{path} needs {module}: pip install "amber-wrap\[{extra}\]"$'
    with pytest.raises(FileError, match=message):
        pages([f"site/{path}"])
    with pytest.raises(FileError, match=message):
        list(pages(["site"]))


def test_a_file_that_goes_away_in_between_is_one_bad_input():
    write("a.html")
    write("b.html")
    found = pages(["a.html", "b.html"])
    Path("a.html").unlink()
    assert list(found) == [
        BadInput("a.html", "missing", "no such file"),
        InputPage("b.html", PAGE),
    ]


# gzip.


@pytest.mark.parametrize(
    "body",
    [
        packed(PAGE),
        packed(PAGE[:9]) + packed(b"") + packed(PAGE[9:]),
        packed(PAGE) + bytes(600),
    ],
    ids=["one member", "members", "padded"],
)
def test_gzip_is_told_by_its_first_bytes(body: bytes):
    assert outcomes(write("page.html", body)) == [PAGE]
    assert outcomes(write("plain.html.gz", PAGE)) == [PAGE]


@pytest.mark.parametrize("step", [1_000, 65_536, 1_000_000])
def test_members_of_any_length_are_read_in_steps_of_any_length(step: int):
    parts = [random.Random(i).randbytes(i * 9_000) for i in range(20)]
    body = b"".join(map(packed, parts))
    stream = Inflated(io.BytesIO(body))
    assert b"".join(iter(lambda: stream.read(step), b"")) == b"".join(parts)


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (packed(PAGE)[:-9], "truncated", "the gzip data ends too early"),
        (packed(PAGE)[:4], "truncated", "the gzip data ends too early"),
        (packed(PAGE) + b"more", "corrupt", "the gzip data is corrupt: "),
        (b"\x1f\x8b" + PAGE, "corrupt", "the gzip data is corrupt: "),
    ],
)
def test_bad_gzip_is_one_bad_input_and_the_next_page_follows(
    body: bytes, kind: str, message: str
):
    bad, good = pages([write("bad.html", body), write("good.html")])
    assert isinstance(bad, BadInput)
    assert (bad.id, bad.kind) == ("bad.html", kind)
    assert bad.message.startswith(message)
    assert good == InputPage("good.html", PAGE)


def test_a_page_may_be_as_large_as_the_limit_and_no_larger():
    for name, body in (("plain", PAGE), ("zipped", packed(PAGE))):
        write(name, body)
        assert outcomes(name, max_page=len(PAGE)) == [PAGE]
        assert only(name, max_page=len(PAGE) - 1) == BadInput(
            name, "too-large", "the page is larger than 35 bytes"
        )


def test_a_bomb_is_never_in_memory():
    bomb = zlib.compressobj(9, wbits=31)
    with open("bomb.html", "wb") as file:
        for _ in range(300):
            file.write(bomb.compress(bytes(1_000_000)))
        file.write(bomb.flush())
    tracemalloc.start()
    assert outcomes("bomb.html", max_page=1_000_000) == ["too-large"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


# Zstandard.


def zstd(body: bytes, **options: Any) -> bytes:
    """A frame."""
    library = pytest.importorskip(ZSTD_LIBRARY)
    found: bytes = library.compress(body, **options)
    return found


@needs_zstd
def test_zstandard_is_told_by_its_first_bytes():
    frames = zstd(PAGE[:9]) + zstd(b"") + zstd(PAGE[9:])
    assert outcomes(write("page.html", frames)) == [PAGE]
    assert ids(str(Path(write("site/page.html.zst", frames)).parent)) == [
        "site/page.html.zst"
    ]
    parts = [random.Random(i).randbytes(i * 9_000) for i in range(20)]
    stream = Inflated(io.BytesIO(b"".join(map(zstd, parts))))
    assert b"".join(iter(lambda: stream.read(1_000), b"")) == b"".join(parts)


@needs_zstd
@pytest.mark.parametrize(
    ("cut", "added", "kind", "message"),
    [
        (-9, b"", "truncated", "the zstd data ends too early"),
        (6, b"", "truncated", "the zstd data ends too early"),
        (None, b"more", "corrupt", "the zstd data is corrupt: "),
        (4, PAGE, "corrupt", "the zstd data is corrupt: "),
    ],
)
def test_bad_zstandard_is_one_bad_input(
    cut: int | None, added: bytes, kind: str, message: str
):
    bad, good = pages([write("bad.html", zstd(PAGE)[:cut] + added), write("good.html")])
    assert isinstance(bad, BadInput)
    assert (bad.id, bad.kind) == ("bad.html", kind)
    assert bad.message.startswith(message)
    assert good == InputPage("good.html", PAGE)


@needs_zstd
def test_a_bomb_of_zstandard_is_never_in_memory():
    write("bomb.html", zstd(bytes(100_000_000)) * 3)
    tracemalloc.start()
    assert outcomes("bomb.html", max_page=1_000_000) == ["too-large"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


@needs_warc
@needs_zstd
def test_an_archive_of_zstandard_is_one_of_frames():
    frames = [zstd(one) for one in numbered(5)]
    name = write("a.warc.zst", b"".join(frames))
    assert ids(name) == [f"{name}#{sum(map(len, frames[:i]))}" for i in range(5)]
    assert outcomes(name) == outcomes(write("a.warc", b"".join(numbered(5))))
    one = write("one.warc.zst", zstd(b"".join(numbered(5))))
    assert ids(one)[:2] == [f"{one}#0", f"{one}#0+{len(numbered(1)[0])}"]


@needs_warc
@needs_zstd
def test_an_archive_of_zstandard_that_is_cut_gives_the_pages_before():
    frames = [zstd(one) for one in numbered(4)]
    write("cut.warc.zst", b"".join(frames)[: -len(frames[3]) // 2])
    found = [
        one if isinstance(one, str) else "page" for one in outcomes("cut.warc.zst")
    ]
    assert found == ["page", "page", "page", "truncated"]


@needs_warc
@needs_zstd
@pytest.mark.parametrize("compressed", [False, True])
def test_an_archive_may_bring_a_dictionary(compressed: bool):
    library = pytest.importorskip(ZSTD_LIBRARY)
    words = library.train_dict(numbered(99), 2_000)
    content = words.dict_content
    told = zstd(content) if compressed else content
    head = DICTIONARY + len(told).to_bytes(4, "little") + told
    frames = [zstd(one, zstd_dict=words) for one in numbered(3)]
    name = write("a.warc.zst", head + b"".join(frames))
    assert outcomes(name) == outcomes(write("a.warc", b"".join(numbered(3))))
    offsets = [len(head) + sum(map(len, frames[:i])) for i in range(3)]
    assert ids(name) == [f"{name}#{offset}" for offset in offsets]
    for body, kind, message in (
        (b"".join(frames), "corrupt", "Dictionary mismatch"),
        (head[:-9], "truncated", "the zstd data ends too early"),
        (DICTIONARY + b"\x04\0\0\0none", "corrupt", "Zstandard dictionary content"),
        (
            DICTIONARY + b"\xff" * 9,
            "too-large",
            "the dictionary of the zstd data is too",
        ),
    ):
        bad = only(write("bad.warc.zst", body))
        assert isinstance(bad, BadInput)
        assert bad.kind == kind
        assert message in bad.message


# WARC.


def record(body: bytes, *headers: str, status: str = "200 OK", **options: str) -> bytes:
    """A record of a WARC file; `headers` are those of the HTTP response."""
    if not any(one.startswith("Content-Type") for one in headers):
        headers = ("Content-Type: text/html", *headers)
    block = lines(f"HTTP/1.1 {status}", *headers) + b"\r\n" + body
    head = lines(
        "WARC/1.1",
        f"WARC-Type: {options.get('type', 'response')}",
        f"WARC-Target-URI: {options.get('url', 'http://example.com/')}",
        "WARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>",
        "WARC-Date: 2024-01-01T00:00:00Z",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
        *([f"WARC-Truncated: {options['cut']}"] if "cut" in options else []),
    )
    return head + b"\r\n" + block + b"\r\n\r\n"


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\r\n" for text in texts).encode()


def chunked(body: bytes, size: int = 7) -> bytes:
    parts = [body[i : i + size] for i in range(0, len(body), size)]
    sent = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return sent + b"0\r\n\r\n"


def numbered(count: int) -> list[bytes]:
    """Records of pages that aren't alike, some larger than a buffer."""
    noise = random.Random(count)
    return [record(b"<p>%d</p>" % i + noise.randbytes(i * 9_000)) for i in range(count)]


@needs_warc
def test_an_archive_gives_the_pages_that_were_answers():
    answer = record(
        PAGE, "Content-Type: TEXT/HTML; charset=ISO-8859-2", url="<http://a.example/x>"
    )
    xhtml = record(PAGE, "Content-Type: application/xhtml+xml")
    others = [
        record(PAGE, type="request"),
        record(PAGE, type="metadata"),
        record(PAGE, type="resource"),
        record(PAGE, type="revisit"),
        record(PAGE, status="404 Not Found"),
        record(PAGE, "Content-Type: image/png"),
        record(PAGE, "Content-Type: text/plain"),
        record(PAGE, "Content-Type: image/svg+xml", "Content-Encoding: gzip"),
        record(b"x", "Content-Type: image/png", "Content-Encoding: none-such"),
    ]
    write("a.warc", b"".join([*others, answer, *others, xhtml, *others]))
    first = len(b"".join(others))
    second = 2 * first + len(answer)
    assert list(pages(["a.warc"])) == [
        InputPage(f"a.warc#{first}", PAGE, "http://a.example/x", "iso-8859-2"),
        InputPage(f"a.warc#{second}", PAGE, "http://example.com/"),
    ]


@needs_warc
def test_a_page_of_an_archive_is_named_by_its_offset():
    records = numbered(5)
    members = [packed(one) for one in records]
    for name, parts in (("plain.warc", records), ("members.warc.gz", members)):
        write(name, b"".join(parts))
        offsets = [sum(map(len, parts[:i])) for i in range(5)]
        assert ids(name) == [f"{name}#{offset}" for offset in offsets]
    # Where a member starts, reading can start: the rest of the file is an archive too.
    found = outcomes("members.warc.gz")
    rest = write("rest.warc.gz", Path("members.warc.gz").read_bytes()[offsets[2] :])
    assert outcomes(rest) == found[2:]


@needs_warc
def test_pages_of_an_archive_in_one_member_have_names_of_their_own():
    name = write("one.warc.gz", packed(b"".join(numbered(30))))
    found = ids(name)
    assert found[:2] == [f"{name}#0", f"{name}#0+{len(numbered(1)[0])}"]
    assert len(set(found)) == 30
    assert ids(name) == found


@needs_warc
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (chunked(PAGE), ["Transfer-Encoding: chunked"]),
        (packed(PAGE), ["Content-Encoding: gzip"]),
        (zlib.compress(PAGE), ["Content-Encoding: deflate"]),
        (BROTLI, ["Content-Encoding: br"]),
        (
            chunked(packed(PAGE)),
            ["Content-Encoding: gzip", "Transfer-Encoding: chunked"],
        ),
        (PAGE, ["Content-Encoding: gzip"]),
        (PAGE, ["Transfer-Encoding: chunked"]),
        (PAGE, ["Content-Encoding: none-such"]),
    ],
    ids=[
        "chunked",
        "gzip",
        "deflate",
        "br",
        "both",
        "was gzip",
        "was chunked",
        "unknown",
    ],
)
def test_bodies_of_an_archive_are_decoded(body: bytes, headers: list[str]):
    assert outcomes(write("a.warc", record(body, *headers))) == [PAGE]


@needs_warc
def test_a_body_that_cannot_be_decoded_costs_one_page():
    bad = record(b"\0" + packed(PAGE), "Content-Encoding: gzip")
    good = record(PAGE)
    for one in pages([write("a.warc", good + bad + good)]):
        if isinstance(one, BadInput):
            assert one.id == f"a.warc#{len(good)}"
            assert one.message.startswith("the body can't be decoded: ")
    assert outcomes("a.warc") == [PAGE, "corrupt", PAGE]


@needs_warc
def test_a_page_that_the_crawler_cut_says_so():
    cuts = ["length", "Time", "for fun"]
    write("a.warc", record(PAGE) + b"".join(record(PAGE, cut=one) for one in cuts))
    found = [one.cut for one in pages(["a.warc"]) if isinstance(one, InputPage)]
    assert found == ["", "length", "time", "unspecified"]


@needs_warc
def test_a_header_may_be_long_but_not_endless():
    for size, expected in ((100_000, PAGE), (3_000_000, "corrupt")):
        answer = record(PAGE, "Set-Cookie: " + "a" * size)
        write("a.warc", answer + record(PAGE))
        assert outcomes("a.warc") == [expected, PAGE]


@needs_warc
def test_pages_of_an_archive_are_limited_too():
    sizes = [100, 101, 5_000]
    bodies = [b"<" + b"a" * (size - 1) for size in sizes]
    zipped = [record(packed(one), "Content-Encoding: gzip") for one in bodies]
    image = record(b"x" * 5_000, "Content-Type: image/png")
    write("a.warc", b"".join([*zipped, image, *map(record, bodies)]))
    assert outcomes("a.warc", max_page=240) == [
        bodies[0],
        bodies[1],
        "too-large",
        bodies[0],
        bodies[1],
        "too-large",
    ]


@needs_warc
@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("cut", ["response", "metadata"])
def test_a_truncated_archive_gives_the_pages_before(zipped: bool, cut: str):
    whole = numbered(3)
    last = record(PAGE * 9, type=cut)
    if zipped:
        whole, last = [packed(one) for one in whole], packed(last)
    before = b"".join(whole)
    good = write("good.html")
    places = range(1, len(last) - 8 if zipped else last.index(b"</html>"), 3)
    for place in places:
        path = write("cut.warc", before + last[:place])
        found = list(pages([path, good]))
        assert [isinstance(one, InputPage) for one in found] == [True] * 3 + [
            False,
            True,
        ], place
        bad = found[3]
        assert isinstance(bad, BadInput)
        # Of a header that is cut nobody can tell where it began.
        starts = [len(before), len(before) - len(whole[-1])]
        assert (bad.id, bad.lost) in [
            (f"cut.warc#{start}", len(before) + place - start) for start in starts
        ]
        assert bad.kind in ("truncated", "corrupt")


@needs_warc
def test_a_corrupt_archive_gives_the_pages_before():
    members = [packed(one) for one in numbered(4)]
    broken = bytearray(members[2])
    broken[40:50] = b"\xff" * 10
    write("a.warc.gz", b"".join([*members[:2], broken]))
    told = [one if isinstance(one, str) else "page" for one in outcomes("a.warc.gz")]
    assert told == ["page", "page", "corrupt"]
    assert outcomes(write("b.warc", b"".join(numbered(2)) + b"no record")) == [
        *outcomes(write("c.warc", b"".join(numbered(2)))),
        "corrupt",
    ]
    assert outcomes(write("page.warc", PAGE)) == ["corrupt"]


def hurt(record: bytes, how: str) -> bytes:
    """A record, or the gzip member of one, with a few bytes of it changed."""
    place = {"start": 0, "middle": len(record) // 2, "checksum": -3}[how]
    return record[:place] + b"\xff\x00\xff" + record[place:][3:]


def summed(body: bytes) -> bytes:
    """A frame with a checksum."""
    library = pytest.importorskip(ZSTD_LIBRARY)
    return zstd(body, options={library.CompressionParameter.checksum_flag: 1})


@needs_warc
@pytest.mark.parametrize("how", ["start", "middle", "checksum", "header"])
@pytest.mark.parametrize("pack", [packed, summed, bytes], ids=["gzip", "zstd", "plain"])
def test_a_corrupt_archive_is_gone_on_with_at_the_next_record(
    pack: Callable[[bytes], bytes], how: str
):
    if pack is bytes and how != "header":
        pytest.skip("without checksums nothing tells that")
    records = numbered(12)
    places = [0, 5, 6, 11]
    parts = [pack(one) for one in records]
    for place in places:
        # No length of the block: the record can't be read, nor passed over.
        headless = pack(records[place].replace(b"Content-Length: ", b"Content-Length "))
        parts[place] = headless if how == "header" else hurt(parts[place], how)
    path = write("a.warc", b"".join(parts))
    offsets = [sum(map(len, parts[:i])) for i in range(13)]
    found = list(pages([path]))
    bad = [one for one in found if isinstance(one, BadInput)]
    read = [one.id for one in found if isinstance(one, InputPage)]
    whole = [f"{path}#{offsets[i]}" for i in range(12) if i not in places]
    assert [one for one in read if one in whole] == whole
    # What is wrong with a page's checksum shows when it was read.
    assert set(read) - set(whole) <= {f"{path}#{offsets[i]}" for i in places}
    assert [one.id for one in bad] == [f"{path}#{offsets[i]}" for i in (0, 5, 11)]
    lost = [offsets[1], offsets[7] - offsets[5], offsets[12] - offsets[11]]
    assert [one.lost for one in bad] == lost
    assert bad[0].kind == "corrupt"
    assert bad[0].message.endswith(
        f"; {lost[0]:,} bytes up to the next record are lost"
    )
    assert bad[2].message.endswith(f"; {lost[2]:,} bytes to the end are lost")


@needs_warc
def test_a_corrupt_archive_in_one_member_tells_what_is_lost():
    body = packed(b"".join(numbered(20)))
    half = len(body) // 2
    path = write("a.warc.gz", body[:half] + b"\xff\x00\xff" + body[half + 3 :])
    *read, bad = pages([path])
    assert len(read) > 5
    assert isinstance(bad, BadInput)
    assert bad.lost == len(body)  # Nobody knows how much of the member was read.


@needs_warc
def test_what_only_looks_like_records_costs_no_time():
    for body in (b"WARC/1.0\r\n" * 100_000, GZIP + b"\x08" * 100_000 + PAGE):
        (bad,) = pages([write("a.warc", body)])
        assert isinstance(bad, BadInput)
        assert bad.lost == len(body)


@needs_warc
def test_an_address_may_be_long():
    page = only(write("a.warc", record(PAGE, url="http://a.example/" + "a" * 40_000)))
    assert isinstance(page, InputPage)


@needs_warc
def test_pages_of_an_archive_can_be_skipped():
    write("a.warc", b"".join(numbered(3)))
    names = ids("a.warc")
    found = pages(["a.warc"], skip=lambda ref: ref.id == names[1])
    assert [one.id for one in found] == [names[0], names[2]]


# Parquet.


def table(path: str, **columns: Any) -> str:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    parquet.write_table(arrow.table(columns), path, row_group_size=70)
    return path


@needs_parquet
def test_a_table_gives_a_page_a_row():
    bodies = [b"<p>%d" % i for i in range(250)]
    path = table("a.parquet", html=bodies, other=list(range(250)))
    assert list(pages([path])) == [
        InputPage(f"a.parquet#{i}", body) for i, body in enumerate(bodies)
    ]


@needs_parquet
def test_a_table_may_tell_addresses_and_names():
    columns = {"url": ["http://a/", None], "id": ["x", "y"], "page": [PAGE, PAGE]}
    path = table("a.parquet", **columns)
    assert list(pages([path], InputOptions(html="page"))) == [
        InputPage("a.parquet#x", PAGE, "http://a/"),
        InputPage("a.parquet#y", PAGE),
    ]


@needs_parquet
@pytest.mark.parametrize("names", [["x", "x"], ["x", None], [0.5, 1.5]])
def test_names_in_a_table_that_tell_nothing_apart_are_not_used(names: list[Any]):
    path = table("a.parquet", html=[PAGE, PAGE], id=names)
    assert ids(path) == ["a.parquet#0", "a.parquet#1"]


@needs_parquet
def test_texts_in_a_table_are_decoded_whatever_they_declare():
    text = '<meta charset="iso-8859-1"><p>£5 – Łódź</p>'
    page = only(table("a.parquet", html=[text]))
    assert isinstance(page, InputPage)
    assert "£5 – Łódź" in parse(page.body).text


@needs_parquet
def test_rows_of_a_table_without_a_page_or_with_too_large_a_one():
    path = table("a.parquet", html=[None, b"x" * 101, b"x" * 100])
    assert outcomes(path, max_page=100) == ["missing", "too-large", b"x" * 100]


@needs_parquet
def test_rows_of_a_table_can_be_skipped():
    path = table("a.parquet", html=[PAGE] * 3)
    found = pages([path], skip=lambda ref: ref.id == "a.parquet#1")
    assert [one.id for one in found] == ["a.parquet#0", "a.parquet#2"]


@needs_parquet
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"body": [PAGE], "at": [1]},
            'no column "html": name one of these with --html: at, body',
        ),
        (
            {"html": [1]},
            'column "html" has type int64, not HTML: name another with --html',
        ),
    ],
)
def test_a_table_without_pages_says_what_it_has(columns: Any, message: str):
    path = table("a.parquet", **columns)
    size = Path(path).stat().st_size
    assert only(path) == BadInput(path, "unreadable", message, size)


@needs_parquet
def test_a_corrupt_table_is_one_bad_input():
    path = table("a.parquet", html=[PAGE * 100] * 5)
    whole = Path(path).read_bytes()
    for body in (whole[:-40], PAGE, b"", whole[:20] + b"\xff" * 60 + whole[80:]):
        write(path, body)
        found = list(pages([path, write("good.html")]))
        assert found[-1].id == "good.html"
        (bad,) = [one for one in found if isinstance(one, BadInput)]
        assert (bad.id, bad.kind) == (path, "corrupt")
        assert bad.message.startswith("the Parquet file is corrupt: ")


def wrong_text(*bodies: bytes) -> Any:
    """A column that says it is text, which nobody checks as it is written."""
    import pyarrow as arrow

    made = arrow.array(bodies, arrow.binary())
    return arrow.StringArray.from_buffers(len(bodies), *made.buffers()[1:])


@needs_parquet
def test_rows_of_a_table_that_are_no_text_cost_themselves():
    texts = wrong_text(PAGE, b"<p>\xff\xfe", PAGE)
    others = {"url": wrong_text(b"http://a/", b"", b"\xff"), "id": texts}
    found = list(pages([table("a.parquet", html=texts, **others)]))
    assert [one.id for one in found] == [f"a.parquet#{i}" for i in range(3)]
    first, bad, last = found
    assert isinstance(first, InputPage)
    assert isinstance(last, InputPage)
    assert (first.url, last.url) == ("http://a/", "")
    message = "the row is declared as UTF-8, but is not UTF-8"
    assert bad == BadInput("a.parquet#1", "corrupt", message)


@needs_parquet
@pytest.mark.parametrize("name", ["html", "id", "url"])
def test_a_page_that_a_table_repeats_is_in_memory_once(name: str):
    import pyarrow as arrow

    columns = {"html": [PAGE] * 30, name: [b"<p>" + b"a" * 2**22] * 30}
    if name != "html":
        columns[name] = [one.decode() for one in columns[name]]
    path = table("a.parquet", **columns)
    assert Path(path).stat().st_size < 2**22
    pool = arrow.default_memory_pool()
    most = sum(max(0, pool.bytes_allocated() - 2**25) for _ in pages([path]))
    assert most == 0


@needs_parquet
def test_a_table_that_expands_beyond_all_measure_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
):
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    from amber_wrap.runtime import parquet_input

    monkeypatch.setattr(parquet_input, "MOST_EXPANDED", (2**20, 500))
    rows = arrow.table({"html": [b"<p>" + b"a" * 2**19] * 4})
    path = "a.parquet"
    parquet.write_table(rows, path, compression="zstd", use_dictionary=False)
    bad = only(path)
    assert isinstance(bad, BadInput)
    assert bad.kind == "too-large"
    assert bad.message.startswith('column "html" expands from ')
    assert bad.lost == Path(path).stat().st_size


# How far reading is.


@needs_warc
@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.warc", b"".join),
        ("a.warc.gz", lambda records: b"".join(map(packed, records))),
        ("a.warc.gz", lambda records: packed(b"".join(records))),
        (
            "a.warc.gz",
            lambda records: packed(b"".join(records[:9])) + packed(records[9]),
        ),
        pytest.param(
            "a.warc.zst", lambda records: zstd(b"".join(records)), marks=needs_zstd
        ),
    ],
    ids=["plain", "members", "one-member", "two-members", "one-frame"],
)
def test_what_was_read_of_an_archive_is_told_in_bytes_on_the_disk(
    name: str, pack: Callable[[list[bytes]], bytes]
):
    noise = random.Random(1)
    records = [record(b"<p>" + noise.randbytes(400_000)) for _ in range(10)]
    path = write(name, pack(records))
    told: list[int] = []
    list(pages([path], skip=lambda ref: bool(told.append(ref.read))))
    size = Path(path).stat().st_size
    # As far as what is read ahead, here and by others, lets it be known.
    assert told == pytest.approx([size * i / 10 for i in range(10)], abs=200_000)
    assert told == sorted(told)
    assert max(told) <= size


# Going on where a run was cut off.


@needs_warc
def test_what_is_left_is_what_was_not_done_wherever_a_run_ended():
    # What gives no page is not asked about, and what gives a bad one counts once.
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
        left = Remaining(inputs, "html", Progress("", done, last))
        assert list(left) == everything[done:]
