"""Read pages from WARC files (ISO 28500), plain or compressed record by record."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.dom.saved_formats import HEAD
from amber_wrap.runtime.decompression import Inflated, read_most
from amber_wrap.runtime.input_pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    ReadError,
    Skip,
    file_size,
    too_large,
    unreadable,
)
from amber_wrap.runtime.optional_libraries import extra_module

MEDIA_TYPES: Final = ("text/html", "application/xhtml+xml")
"""The media types of pages in HTTP headers."""

CUTS: Final = ("length", "time", "disconnect", "unspecified")
"""The reasons why a crawler truncates a page (ISO 28500, WARC-Truncated)."""

NO_CODING: Final = ("", "identity")
DECODERS: Final[Mapping[str, tuple[str, Mapping[str, bool]]]] = {
    "chunked": ("ChunkedReader", {}),
    "gzip": ("GzipReader", {}),
    "x-gzip": ("GzipReader", {}),
    "deflate": ("GzipReader", {"zlib": True}),
    "br": ("BrotliReader", {}),
    "zstd": ("ZstdReader", {}),
}
"""The readers of `fastwarc.stream_io` for encodings of HTTP (RFC 9110)."""

MAX_HEADER: Final = 1024 * 1024
"""The largest size of a record's headers, in bytes."""

MOST_VAIN: Final = 100
"""The number of consecutive failed attempts to resume reading after which the rest of a
corrupt file is given up."""


def archived_pages(
    path: str, options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    """Yield the pages of a WARC file, in file order.

    A page is an HTML response with status 200.  Its transfer encoding and content
    encoding are removed.  A page that can't be decoded yields a BadInput.  An
    unreadable part of the file yields one BadInput, and reading resumes at the next
    record.  Raise FileError if fastwarc is missing.
    """
    warc = extra_module("fastwarc.warc", "warc", path)
    try:
        with open(path, "rb") as file:
            yield from _pages(path, Inflated(file), warc, options, skip)
    except ReadError as fault:
        yield fault.at(path, file_size(path))
    except OSError as error:
        yield unreadable(error).at(path, file_size(path))


def _pages(
    path: str, stream: Inflated, warc: Any, options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    gap: _Gap | None = None
    vain = 0
    while True:
        start, is_whole = stream.start, False
        try:
            # All types of records are read: a file may be cut within any of them.
            for record in warc.ArchiveIterator(
                stream, parse_http=False, max_header_len=MAX_HEADER
            ):
                ref, start = _reference(path, record, stream)
                is_whole = False
                block = _block(record, options)
                is_whole = True
                if gap:
                    yield gap.bad_input(path, stream.start)
                    gap, vain = None, 0
                page = block and _page(ref, record, block, options, skip)
                if page:
                    yield page
            if gap:
                yield gap.bad_input(path)
            return
        except ReadError as error:
            fault, start, is_whole = error, max(start, stream.member), False
        except OSError as error:
            if error.errno:
                raise
            # fastwarc's own errors have no `errno`.
            fault = ReadError("corrupt", f"the WARC file is corrupt: {error}")
        vain += 1
        is_found = vain < MOST_VAIN and stream.go_on(start + 1)
        if gap is None:
            # If a record was read to its end, the fault is in the next one.
            gap = _Gap(fault, stream.start if is_whole and is_found else start)
        if not is_found:
            yield gap.bad_input(path)
            return


@dataclass(frozen=True, slots=True)
class _Gap:
    """An unreadable part of a file.

    `start` is the byte where the part begins.  `fault` is the reason.
    """

    fault: ReadError
    start: int

    def bad_input(self, path: str, stop: int | None = None) -> BadInput:
        """Return the unreadable part as a BadInput.

        `stop` is the byte where the part ends.  Without `stop` the part reaches to the
        end of the file.
        """
        lost = (file_size(path) if stop is None else stop) - self.start
        which = "to the end" if stop is None else "up to the next record"
        kind = self.fault.kind
        error = ReadError(kind, f"{self.fault}; {lost:,} bytes {which} are lost")
        return error.at(f"{path}#{self.start}", lost)


def _reference(path: str, record: Any, stream: Inflated) -> tuple[PageRef, int]:
    """Return the reference to a WARC record, and the offset of the record in the file.

    In a compressed file the offset is that of the gzip member or Zstandard frame that
    holds the record.
    """
    offset, within = stream.place(record.stream_pos)
    place = f"{offset}+{within}" if within else f"{offset}"
    url = record.headers.get("WARC-Target-URI", "").strip("<>")
    return PageRef(f"{path}#{place}", path, stream.consumed, url), offset


def _block(record: Any, options: InputOptions) -> bytes:
    """Return the block of a WARC response: the HTTP header and the body as sent.

    Return b"" if the record is no response.  A block beyond the size limit is cut.
    Raise ReadError if the file ends within the record.  Raise OSError if the record
    states no length.
    """
    if not record.headers.get("Content-Length"):
        raise OSError("a record has no length")
    block = b""
    if str(record.record_type) == "response":
        block = read_most(record.reader, options.max_page + MAX_HEADER)
    if len(block) + record.consume() < record.content_length:
        raise ReadError("truncated", "the WARC file ends within a record")
    return block


def _page(
    ref: PageRef, record: Any, block: bytes, options: InputOptions, skip: Skip
) -> InputPage | BadInput | None:
    """Return the page of a response, or a BadInput if the page can't be decoded.

    Return None if the response holds no page, or if `skip` leaves the page out.
    """
    response = type(record)()
    response.is_http = True
    response.set_bytes_content(block[:MAX_HEADER])
    try:
        response.parse_http(auto_decode="none", max_header_len=MAX_HEADER)
    except OSError as error:
        return BadInput(ref.id, "corrupt", f"the HTTP header can't be read: {error}")
    # `skip` counts its calls, so it is asked only about records that give a page, or a
    # BadInput with the page's name.
    if not _is_page(response) or skip(ref):
        return None
    if record.content_length > len(block):
        return too_large(options.max_page).at(ref.id)
    body = memoryview(block)[
        min(len(block), MAX_HEADER) - len(response.reader.read()) :
    ]
    try:
        decoded = _decoded(body, response.http_headers, options.max_page + 1)
    except OSError as error:
        # Some crawlers store the decoded body with the header of the encoded one.
        if not bytes(body[:HEAD]).lstrip().startswith(b"<"):
            return BadInput(ref.id, "corrupt", f"the body can't be decoded: {error}")
        decoded = bytes(body)
    if len(decoded) > options.max_page:
        return too_large(options.max_page).at(ref.id)
    cut = record.headers.get("WARC-Truncated", "").strip().lower()
    if cut and cut not in CUTS:
        cut = "unspecified"
    return InputPage(ref.id, decoded, ref.url, response.http_charset or "", cut)


def _decoded(body: memoryview, headers: Any, most: int) -> bytes:
    """Return the body of a response without its encodings, cut at `most` bytes.

    Transfer and content encodings are removed.  Raise OSError if decoding fails.
    """
    header = ",".join(
        headers.get(name, "") for name in ("Content-Encoding", "Transfer-Encoding")
    )
    codings = [one.strip().lower() for one in header.split(",")]
    codings = [one for one in codings if one not in NO_CODING]
    if not codings:
        return bytes(body[:most])
    # With `auto_decode`, fastwarc would keep the whole body in memory: a few compressed
    # bytes may expand to gigabytes.
    readers = extra_module("fastwarc.stream_io", "warc", "")
    stream: Any = io.BytesIO(body)
    for coding in reversed(codings):
        if coding not in DECODERS:
            raise OSError(f"unknown encoding {coding}")
        name, options = DECODERS[coding]
        stream = getattr(readers, name)(stream, **options)
    return read_most(stream, most)


def _is_page(record: Any) -> bool:
    headers = record.http_headers
    return (
        headers is not None
        and headers.status_code == 200
        and (record.http_content_type or "").lower() in MEDIA_TYPES
    )
