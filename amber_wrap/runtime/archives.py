"""Pages in WARC files (ISO 28500), plain or compressed record by record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from amber_wrap.runtime.extras import extra_module
from amber_wrap.runtime.inflation import Inflated
from amber_wrap.runtime.pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    ReadError,
    Skip,
    too_large,
    unreadable,
)

MEDIA_TYPES: Final = ("text/html", "application/xhtml+xml")
"""The media types of pages, as HTTP headers call them."""

CUTS: Final = ("length", "time", "disconnect", "unspecified")
"""Why a crawler keeps only the start of a page (ISO 28500, WARC-Truncated)."""

MAX_HEADER: Final = 1024 * 1024
"""Bytes that a record may have beside a page."""


def archived_pages(
    path: str, options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    """The pages that were answers with status 200, in the order of the file.

    Their bodies are as a browser sees them: not chunked, not compressed.  A page that
    can't be decoded is one BadInput; a file that is truncated or corrupt is one too,
    after the pages before that place.  Raises FileError where fastwarc is missing.
    """
    warc = extra_module("fastwarc.warc", "warc", path)
    try:
        with open(path, "rb") as file:
            stream = Inflated(file)
            # All types of records are read: a file may be cut within any of them.
            for record in warc.ArchiveIterator(stream, parse_http=False):
                ref = _reference(path, record, stream)
                page = _page(ref, record, options, skip)
                if page is not None:
                    yield page
    except ReadError as fault:
        yield fault.at(path)
    except OSError as error:
        # fastwarc's own have no number: the system doesn't give, or it isn't WARC.
        corrupt = ReadError("corrupt", f"the WARC file is corrupt: {error}")
        yield (unreadable(error) if error.errno else corrupt).at(path)


def _reference(path: str, record: Any, stream: Inflated) -> PageRef:
    """The record's name; within a gzip member, the place in it belongs to that."""
    offset, within = stream.place(record.stream_pos)
    place = f"{offset}+{within}" if within else f"{offset}"
    url = record.headers.get("WARC-Target-URI", "").strip("<>")
    return PageRef(f"{path}#{place}", path, stream.consumed, url)


def _page(
    ref: PageRef, record: Any, options: InputOptions, skip: Skip
) -> InputPage | BadInput | None:
    """The page of a record, None if it holds none that is wanted.

    Raises ReadError where the file ends within the record.
    """
    length = record.content_length
    if str(record.record_type) != "response":
        _check_length(record.consume(), length, record)
        return None
    block = record.reader.read(options.max_page + MAX_HEADER)
    _check_length(len(block) + record.consume(), length, record)
    try:
        sent = _response(record, block, "none")
    except OSError as error:
        return BadInput(ref.id, "corrupt", f"the HTTP header can't be read: {error}")
    # Only what gives a page, or a BadInput of the same name, may be asked about: those
    # that go on behind it count what they are asked.
    if not _is_page(sent) or skip(ref):
        return None
    if length > len(block):
        return too_large(options.max_page).at(ref.id)
    try:
        body = _response(record, block, "all").reader.read(options.max_page + 1)
    except OSError as error:
        # Crawlers store what they have decoded, and the header as it was sent.
        body = sent.reader.read()
        if not body.lstrip().startswith(b"<"):
            return BadInput(ref.id, "corrupt", f"the body can't be decoded: {error}")
    if len(body) > options.max_page:
        return too_large(options.max_page).at(ref.id)
    cut = record.headers.get("WARC-Truncated", "").strip().lower()
    if cut and cut not in CUTS:
        cut = "unspecified"
    return InputPage(ref.id, body, ref.url, sent.http_charset or "", cut)


def _response(record: Any, block: bytes, auto_decode: str) -> Any:
    """A response apart from its archive, which goes on behind bodies that are corrupt.

    Raises OSError for an encoding that is none.
    """
    response = type(record)()
    response.is_http = True
    response.set_bytes_content(block)
    response.parse_http(auto_decode=auto_decode, max_header_len=MAX_HEADER)
    return response


def _check_length(found: int, expected: int, record: Any) -> None:
    """Raise ReadError for a record that the end of the file cuts."""
    if found < expected or not record.headers.get("Content-Length"):
        raise ReadError("truncated", "the WARC file ends within a record")


def _is_page(record: Any) -> bool:
    headers = record.http_headers
    return (
        headers is not None
        and headers.status_code == 200
        and (record.http_content_type or "").lower() in MEDIA_TYPES
    )
