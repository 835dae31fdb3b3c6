"""Extract the HTML from saved files: compressed, zipped, MHTML, or the source view of a
browser.

The format is recognised by the file's bytes, not by its name.
"""

from __future__ import annotations

import email
import gzip
import html
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from email.message import Message
from typing import IO, Final

from lxml import etree

from amber_wrap.dom.markup import decode, parse_html
from amber_wrap.errors import PageError

MAX_PAGE: Final = 64 * 1024 * 1024
"""The largest accepted size of a page after decompression, in bytes."""

MOST_LAYERS: Final = 4
"""The greatest number of nested formats. An MHTML file in a zip archive has two."""

HEAD: Final = 16 * 1024
"""The number of bytes at the start in which a file's format and a page's address are
sought.
"""

PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".mhtml", ".mht")
"""The suffixes of files that hold one page."""

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")

HTML_TYPES: Final = ("text/html", "application/xhtml+xml")
MIME_HEADER: Final = re.compile(
    rb"\s*(?:[!-9;-~]+:.*\n(?:[ \t].*\n)*)*?content-type:\s*(?:multipart/|text/html)",
    re.I,
)
"""Matches the header fields of a message (RFC 5322), up to the content type."""

CHROME_SOURCE: Final = re.compile(rb'"line-number"[^>]*></td><td class="line-content"')
FIREFOX_SOURCE: Final = re.compile(rb'<body[^>]* id="viewsource"')

SAVED_SOURCE: Final = re.compile(rb"<!--\s*saved from url=\(\d+\)view-source:")
SAVED_FROM: Final = re.compile(
    rb"<!--\s*saved from url=\(\d+\)(?:view-source:)?(https?://[^\s>]+)"
    rb"|Page saved with SingleFile\s+url:\s*(https?://[^\s>]+)"
    rb"|<title>(?:view-source:)?(https?://[^\s<]+)</title>.*<body id=\"viewsource\""
)
_LINK: Final = re.compile(rb"<link\s[^>]*>", re.I)
CANONICAL: Final = re.compile(rb"\srel\s*=\s*[\"']?canonical[\"'\s/>]", re.I)
HREF: Final = re.compile(rb"\shref\s*=\s*[\"']?\s*(https?://[^\s\"'>]+)", re.I)


@dataclass(frozen=True, slots=True)
class Saved:
    """The HTML of a saved page, and the page's address.

    The address is "" if the file doesn't contain it.
    """

    body: bytes
    url: str = ""


def unwrap(data: bytes) -> Saved:
    """Return the page that a file contains.

    The file may be HTML, a gzip file, a zip archive with one page, MHTML (RFC 2557), or
    a source view saved by Chrome or Firefox. Raise PageError if the file contains no
    page or several pages.
    """
    url = ""
    for _ in range(MOST_LAYERS + 1):
        inner = _inner(data)
        if inner is None:
            return Saved(data, url or _address_of(data))
        data, url = inner.body, url or inner.url
    raise PageError(
        f"the page is in more than {MOST_LAYERS} nested archives: extract it"
    )


def _inner(data: bytes) -> Saved | None:
    """Return the page within a compressed file, archive or browser format, or None for
    plain HTML.

    Only the outermost format is removed. Raise PageError if the page can't be
    extracted.
    """
    if data.startswith(GZIP):
        return Saved(_gunzipped(data))
    if data.startswith(ZIP):
        return Saved(_unzipped(data))
    if data.startswith(ZSTD):
        raise PageError(
            "the page is compressed with Zstandard: decompress it with zstd -d"
        )
    if MIME_HEADER.match(data[:HEAD]):
        return _main_part(email.message_from_bytes(data.lstrip()))
    if (source := _source(data)) is not None:
        return Saved(_marked(source), _address_of(data))
    if SAVED_SOURCE.search(data[:HEAD]):
        raise PageError(
            "the file shows the source of a page in a browser: save the page "
            "itself, from a tab without view-source:"
        )
    return None


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _bounded(file)
    except (OSError, EOFError, zlib.error) as error:
        reason = "the gzip data is corrupt or cut off: save the page again"
        raise PageError(reason) from error


def _unzipped(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            (name,) = _only_page(archive.namelist())
            with archive.open(name) as file:
                return _bounded(file)
    except RuntimeError as error:
        # NotImplementedError, for an unknown compression method, is a RuntimeError.
        reason = f"the zip archive can't be read ({error}): extract the page from it"
        raise PageError(reason) from error
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, zlib.error) as error:
        reason = "the zip archive is corrupt or cut off: zip the page again"
        raise PageError(reason) from error


def _only_page(names: list[str]) -> list[str]:
    """Return a list with the name of the only page in a zip archive.

    The frames of a saved page, in a folder `*_files`, don't count. Raise PageError if
    there is no page, or if there are several pages.
    """
    pages = [
        name
        for name in names
        if name.lower().endswith(PAGE_SUFFIXES)
        and "_files/" not in name
        and not name.startswith("__MACOSX/")
    ]
    if not pages:
        known = ", ".join(PAGE_SUFFIXES)
        raise PageError(f"the zip archive contains no page ({known}): name a page")
    if len(pages) > 1:
        some = ", ".join(sorted(pages)[:3]) + ", …" * (len(pages) > 3)
        raise PageError(
            f"the zip archive contains {len(pages)} pages ({some}): extract the "
            "right ones"
        )
    return pages


def _bounded(file: IO[bytes] | gzip.GzipFile) -> bytes:
    """Return the decompressed content of a file.

    Raise PageError if the content is larger than `MAX_PAGE`.
    """
    body = file.read(MAX_PAGE + 1)
    if len(body) > MAX_PAGE:
        raise PageError(f"the decompressed page is larger than {MAX_PAGE:,} bytes")
    return body


def _main_part(message: Message) -> Saved:
    """Return the page in an MHTML message.

    The page is the part that the parameter `start` names, or else the first HTML part.
    Raise PageError if there is no HTML part.
    """
    parts = [one for one in message.walk() if one.get_content_type() in HTML_TYPES]
    if not parts:
        raise PageError("the MHTML file contains no HTML: save the page again, as HTML")
    start = message.get_param("start")
    named = (one for one in parts if start and one["Content-ID"] == start)
    main = next(named, parts[0])
    body = main.get_payload(decode=True)
    assert isinstance(body, bytes)
    charset = main.get_content_charset("")
    text = decode(body, charset)
    if text != decode(body):
        body = _marked(text)
    places = (main["Content-Location"], message["Snapshot-Content-Location"])
    urls = (str(one).removeprefix("view-source:") for one in places if one)
    known = (one for one in urls if one.startswith(("http://", "https://")))
    return Saved(body, next(known, ""))


def _source(data: bytes) -> str | None:
    """Return the HTML that a saved source view displays, or None if a file is no source
    view.
    """
    head = data[:HEAD]
    if CHROME_SOURCE.search(head):
        cells = parse_html(data).iter("td")
        lines = (_text(one) for one in cells if one.get("class") == "line-content")
        source = "\n".join(lines)
    elif FIREFOX_SOURCE.search(head):
        source = "".join(_text(one) for one in parse_html(data).iter("body"))
    else:
        return None
    # Pages that display programs or diffs have numbered lines, too.
    return source if source.lstrip("\ufeff \n").startswith("<") else None


def _text(node: etree._Element) -> str:
    """Return the text of an element with its white space."""
    return etree.tostring(node, method="text", encoding="unicode", with_tail=False)


def _marked(text: str) -> bytes:
    """Return a text as UTF-8 bytes with a byte order mark.

    The mark overrides an encoding that the text declares.
    """
    return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")


def _address_of(body: bytes) -> str:
    """Return the address of a saved page, or "" if it is unknown.

    The address is the one that the browser stored, or else the canonical address.
    """
    head = body[:HEAD]
    found = SAVED_FROM.search(head)
    url = next(filter(None, found.groups()), b"") if found else b""
    for link in () if url else _LINK.findall(head):
        if CANONICAL.search(link) and (href := HREF.search(link)):
            url = href[1]
            break
    return html.unescape(url.decode("utf-8", "replace"))
