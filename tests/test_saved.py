"""Test saved pages as people have them: a case is a file, and the page in it.

`packed` lists the formats around the file, from the inside: "gzip", or the names of the
file in a zip archive.  `cut` is the number of bytes that are left.  `page` is left out
if the file is the page.  `bytes` are hexadecimal.
"""

from __future__ import annotations

import gzip
import io
import tomllib
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amber_wrap.dom import saved_formats
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.saved_formats import GZIP, ZIP, extract_page
from amber_wrap.errors import PageError

CASES = sorted((Path(__file__).parent / "cases" / "saved").glob("*.toml"))


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return tomllib.loads(request.param.read_text("utf-8"))


def zipped(body: bytes, names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names.split(", "):
            archive.writestr(name, body)
    return file.getvalue()


def data_of(case: dict[str, Any]) -> bytes:
    data = bytes.fromhex(case["bytes"]) if "bytes" in case else case["file"].encode()
    for packed in case.get("packed", ()):
        data = gzip.compress(data) if packed == "gzip" else zipped(data, packed)
    return data[: case.get("cut")]


def test_a_page_is_unwrapped_or_refused_with_a_reason(case: dict[str, Any]) -> None:
    data = data_of(case)
    if "error" in case:
        with pytest.raises(PageError) as error:
            extract_page(data)
        assert str(error.value) == case["error"]
        return
    extracted = extract_page(data)
    if "page" in case:
        assert decode(extracted.body).strip() == case["page"].strip()
    else:
        assert extracted.body == data
    assert extracted.url == case.get("url", "")


def test_an_encrypted_archive_is_refused() -> None:
    data = bytearray(zipped(b"<p>", "a.html"))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(mark) + at] |= 1
    with pytest.raises(PageError, match=r"is encrypted.*\): extract the page from it$"):
        extract_page(bytes(data))


@pytest.mark.parametrize("pack", [gzip.compress, lambda body: zipped(body, "a.html")])
def test_a_compressed_bomb_is_not_unpacked(
    pack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_formats, "MAX_PAGE", 1000)
    assert extract_page(pack(b" " * 1000)).body == b" " * 1000
    with pytest.raises(PageError, match="decompressed page is larger than 1,000 bytes"):
        extract_page(pack(b" " * 1001))


@given(
    start=st.sampled_from(
        (
            b"",
            GZIP,
            *ZIP,
            b"Content-Type: multipart/related; boundary=x\n\n--x\n",
            b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n",
            b'<td class="line-number"></td><td class="line-content">',
            b'<body id="viewsource"><pre>',
            b"<!-- saved from url=(0001)http://",
        )
    ),
    rest=st.binary(),
)
def test_any_bytes_are_a_page_or_refused(start: bytes, rest: bytes) -> None:
    with suppress(PageError):
        assert isinstance(extract_page(start + rest).body, bytes)
