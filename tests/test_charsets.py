"""Test which encoding a page is read in: the declared one, or that of its content.

A case has the encoding that a page `declared`, or "".  It `holds` texts, each with its
encoding or as hexadecimal "bytes".  A byte order `mark` may precede them.  `shown` is
the expected text.  The package and the generated file must choose alike.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.displayed_texts import read_node
from amber_wrap.lowering.helpers import helpers
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.runtime.page_reader import tree_of

CASES = sorted((Path(__file__).parent / "cases" / "charsets").glob("*.toml"))
PIECES = ("£5", "é", "thé", "©", "–", "�", "日本", "\ufeff", "\xa0", " ", "\n", "x")


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return tomllib.loads(request.param.read_text("utf-8"))


def page_of(case: dict[str, Any], declared: str) -> bytes:
    held = b"".join(
        bytes.fromhex(text) if encoding == "bytes" else text.encode(encoding)
        for encoding, text in case["holds"]
    )
    meta = f"<meta charset={declared}>" if declared else ""
    mark = bytes.fromhex(case.get("mark", ""))
    return mark + f"<html>{meta}<body><p>".encode() + held + b"</p></body></html>"


def test_the_encoding_is_judged_by_the_content_of_a_page(case: dict[str, Any]) -> None:
    page = page_of(case, case["declared"])
    for root in (parse_html(page), helpers().tree(page)):
        assert read_node(root, "text") == case["shown"]


def test_the_encoding_from_the_server_is_judged_like_a_declared_one(
    case: dict[str, Any],
) -> None:
    page = InputPage("1", page_of(case, ""), charset=case["declared"])
    assert read_node(tree_of(page), "text") == case["shown"]


@given(
    declared=st.sampled_from(["", "utf-8", "iso-8859-1", "windows-1251", "gbk"]),
    pieces=st.lists(
        st.binary(max_size=3)
        | st.builds(
            lambda text, encoding: text.encode(encoding, "replace"),
            st.sampled_from(PIECES),
            st.sampled_from(["utf-8", "cp1252"]),
        )
    ),
    around=st.sampled_from(
        [b"%s", b"<p>%s</p>", b"\xef\xbb\xbf<p>%s", b"%s<p>\xc2\xa0"]
    ),
)
def test_generated_files_and_the_package_parse_any_bytes_alike(
    declared: str, pieces: list[bytes], around: bytes
) -> None:
    meta = b"<meta charset=%s>" % declared.encode() if declared else b""
    page = around % (meta + b"".join(pieces))
    trees = [parse_html(page), parse_html(decode(page)), helpers().tree(page)]
    assert len({etree.tostring(root) for root in trees}) == 1
