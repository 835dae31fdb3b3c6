"""Extract the HTML page from a gzip file, zip archive, MHTML file or saved source view.

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

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.errors import PageError

MAX_PAGE: Final = 64 * 1024 * 1024
"""The largest accepted size of a page after decompression, in bytes."""

MOST_LAYERS: Final = 4
"""The greatest number of nested formats in a file.

For example, an MHTML file in a zip archive has two.
"""

HEAD: Final = 16 * 1024
"""The number of bytes at the start of a file in which the file's format and the page's
address are sought.
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
"""Matches the first line of the source in a source view that Chrome saved."""
FIREFOX_SOURCE: Final = re.compile(rb'<body[^>]* id="viewsource"')
"""Matches the start of the source in a source view that Firefox saved."""

SAVED_SOURCE: Final = re.compile(rb"<!--\s*saved from url=\(\d+\)view-source:")
"""Matches the comment in a file that was saved from a source view of a browser."""
SAVED_FROM: Final = re.compile(
    rb"<!--\s*saved from url=\(\d+\)(?:view-source:)?(https?://[^\s>]+)"
    rb"|Page saved with SingleFile\s+url:\s*(https?://[^\s>]+)"
    rb"|<title>(?:view-source:)?(https?://[^\s<]+)</title>.*<body id=\"viewsource\""
)
"""Matches the address of a page that a browser or SingleFile stored in the file."""
_LINK: Final = re.compile(rb"<link\s[^>]*>", re.I)
CANONICAL: Final = re.compile(rb"\srel\s*=\s*[\"']?canonical[\"'\s/>]", re.I)
HREF: Final = re.compile(rb"\shref\s*=\s*[\"']?\s*(https?://[^\s\"'>]+)", re.I)


@dataclass(frozen=True, slots=True)
class SavedPage:
    """The HTML of a saved page, and the page's address."""

    body: bytes
    url: str = ""
    """The address, or "" if the file doesn't state it."""


def extract_page(data: bytes) -> SavedPage:
    """Return the page in a file: HTML, gzip, zip, MHTML (RFC 2557) or a browser's
    source view.

    Raise PageError if the file contains no page or several pages.
    """
    url = ""
    for _ in range(MOST_LAYERS + 1):
        inner_page = _page_within(data)
        if inner_page is None:
            return SavedPage(data, url or _address_of(data))
        data, url = inner_page.body, url or inner_page.url
    raise PageError(
        f"the page is in more than {MOST_LAYERS} nested archives: extract it"
    )


def _page_within(data: bytes) -> SavedPage | None:
    """Return the page that a file contains in a format such as gzip, or None for an
    HTML file.

    Only the outermost format is removed. Raise PageError if the page can't be
    extracted.
    """
    if data.startswith(GZIP):
        return SavedPage(_gunzipped(data))
    if data.startswith(ZIP):
        return SavedPage(_unzipped(data))
    if data.startswith(ZSTD):
        raise PageError(
            "the page is compressed with Zstandard: decompress it with zstd -d"
        )
    if MIME_HEADER.match(data[:HEAD]):
        return _main_part(email.message_from_bytes(data.lstrip()))
    if (source := _viewed_source(data)) is not None:
        return SavedPage(_with_byte_order_mark(source), _address_of(data))
    if SAVED_SOURCE.search(data[:HEAD]):
        raise PageError(
            "the file shows the source of a page in a browser: save the page "
            "itself, from a tab without view-source:"
        )
    return None


def _gunzipped(data: bytes) -> bytes:
    """Return the content of a gzip file.

    Raise PageError if the file is corrupt, or if the content is too large.
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _read_bounded(file)
    except (OSError, EOFError, zlib.error) as error:
        reason = "the gzip data is corrupt or cut off: save the page again"
        raise PageError(reason) from error


def _unzipped(data: bytes) -> bytes:
    """Return the only page in a zip archive.

    Raise PageError if the archive is corrupt, or doesn't contain exactly one page.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            name = _only_page_name(archive.namelist())
            with archive.open(name) as file:
                return _read_bounded(file)
    except RuntimeError as error:
        # NotImplementedError, for an unknown compression method, is a RuntimeError.
        reason = f"the zip archive can't be read ({error}): extract the page from it"
        raise PageError(reason) from error
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, zlib.error) as error:
        reason = "the zip archive is corrupt or cut off: zip the page again"
        raise PageError(reason) from error


def _only_page_name(names: list[str]) -> str:
    """Return the name of the only page in a zip archive.

    Frames of the page, in folders such as `page_files`, don't count. Raise PageError if
    there is no page, or if there are several pages.
    """
    page_names = [
        name
        for name in names
        if name.lower().endswith(PAGE_SUFFIXES)
        and "_files/" not in name
        and not name.startswith("__MACOSX/")
    ]
    if not page_names:
        suffixes = ", ".join(PAGE_SUFFIXES)
        raise PageError(f"the zip archive contains no page ({suffixes}): name a page")
    if len(page_names) > 1:
        listed = ", ".join(sorted(page_names)[:3])
        if len(page_names) > 3:
            listed += ", …"
        raise PageError(
            f"the zip archive contains {len(page_names)} pages ({listed}): extract the "
            "right ones"
        )
    return page_names[0]


def _read_bounded(file: IO[bytes] | gzip.GzipFile) -> bytes:
    """Return the decompressed content of a file.

    Raise PageError if the content has more than `MAX_PAGE` bytes.
    """
    body = file.read(MAX_PAGE + 1)
    if len(body) > MAX_PAGE:
        raise PageError(f"the decompressed page is larger than {MAX_PAGE:,} bytes")
    return body


def _main_part(message: Message) -> SavedPage:
    """Return the main page in an MHTML message.

    It is the HTML part that the parameter `start` names, or else the first HTML part.
    Raise PageError if there is no HTML part.
    """
    html_parts = [
        part for part in message.walk() if part.get_content_type() in HTML_TYPES
    ]
    if not html_parts:
        raise PageError("the MHTML file contains no HTML: save the page again, as HTML")
    start = message.get_param("start")
    start_parts = (part for part in html_parts if start and part["Content-ID"] == start)
    main_part = next(start_parts, html_parts[0])
    body = main_part.get_payload(decode=True)
    assert isinstance(body, bytes)
    charset = main_part.get_content_charset("")
    text = decode(body, charset)
    if text != decode(body):
        body = _with_byte_order_mark(text)
    locations = (main_part["Content-Location"], message["Snapshot-Content-Location"])
    urls = (str(url).removeprefix("view-source:") for url in locations if url)
    web_urls = (url for url in urls if url.startswith(("http://", "https://")))
    return SavedPage(body, next(web_urls, ""))


def _viewed_source(data: bytes) -> str | None:
    """Return the HTML that a saved source view displays.

    Return None if a file is no source view, or displays no HTML.
    """
    head = data[:HEAD]
    if CHROME_SOURCE.search(head):
        cells = parse_html(data).iter("td")
        lines = (_text(cell) for cell in cells if cell.get("class") == "line-content")
        source = "\n".join(lines)
    elif FIREFOX_SOURCE.search(head):
        source = "".join(_text(body) for body in parse_html(data).iter("body"))
    else:
        return None
    # Pages that display programs or diffs have numbered lines, too.
    return source if source.lstrip("\ufeff \n").startswith("<") else None


def _text(node: etree._Element) -> str:
    """Return the text of an element, hidden text included, with its white space."""
    return etree.tostring(node, method="text", encoding="unicode", with_tail=False)


def _with_byte_order_mark(text: str) -> bytes:
    """Return a text as UTF-8 bytes with a byte order mark.

    The mark overrides an encoding that the text declares.
    """
    return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")


def _address_of(body: bytes) -> str:
    """Return the address of a saved page, or "" if the address is unknown.

    A browser may have stored the address in a comment of the file. Otherwise, the
    address is in the page's `<link rel="canonical">`.
    """
    head = body[:HEAD]
    stored = SAVED_FROM.search(head)
    url = next(filter(None, stored.groups()), b"") if stored else b""
    if not url:
        for link in _LINK.findall(head):
            if CANONICAL.search(link) and (href := HREF.search(link)):
                url = href[1]
                break
    return html.unescape(url.decode("utf-8", "replace"))
