"""Read pages from WARC files (ISO 28500), plain or compressed record by record."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.dom.saved_formats import HEAD
from amber_wrap.runtime.decompression import DecompressedFile, read_start
from amber_wrap.runtime.input_pages import (
    BadInput,
    Input,
    InputOptions,
    InputPage,
    PageRef,
    ReadError,
    Skip,
    extra_module,
    file_size,
    too_large,
    unreadable,
)

MEDIA_TYPES: Final = ("text/html", "application/xhtml+xml")
"""The media types of pages in HTTP headers."""

TRUNCATION_REASONS: Final = ("length", "time", "disconnect", "unspecified")
"""The reasons why a crawler truncates a page (ISO 28500, WARC-Truncated)."""

NO_CODING: Final = ("", "identity")
"""The names in HTTP headers that mean that a body isn't encoded."""

DECODERS: Final[Mapping[str, tuple[str, Mapping[str, bool]]]] = {
    "chunked": ("ChunkedReader", {}),
    "gzip": ("GzipReader", {}),
    "x-gzip": ("GzipReader", {}),
    "deflate": ("GzipReader", {"zlib": True}),
    "br": ("BrotliReader", {}),
    "zstd": ("ZstdReader", {}),
}
"""The readers of `fastwarc.stream_io` for encodings of HTTP (RFC 9110).

The dict maps an encoding to the name of a class and the keyword arguments of the class.
"""

MAX_HEADER: Final = 1024 * 1024
"""The largest size in bytes of the headers of a WARC record or of an HTTP response."""

MOST_FAILED_RESUMES: Final = 100
"""The most failed attempts in a row to find a readable record in a corrupt file.

The rest of the file is then given up.
"""


def warc_pages(path: str, options: InputOptions, skip: Skip) -> Iterator[Input]:
    """Yield the decoded HTML pages of a WARC file that have status 200, in file order.

    A page for which `skip` returns True is left out. Yield one BadInput for each page
    or part of the file that can't be read. Raise FileError if fastwarc is missing.
    """
    warc = extra_module("fastwarc.warc", "warc", path)
    try:
        with open(path, "rb") as file:
            stream = DecompressedFile(file)
            yield from _response_pages(path, stream, warc, options, skip)
    except ReadError as error:
        yield error.bad_input(path, file_size(path))
    except OSError as error:
        yield unreadable(error).bad_input(path, file_size(path))


def _response_pages(
    path: str, stream: DecompressedFile, warc: Any, options: InputOptions, skip: Skip
) -> Iterator[Input]:
    """Yield the pages of the WARC file at `path`, whose decompressed data is `stream`.

    Yield one BadInput for each page or part of the file that can't be read.
    """
    unreadable_part: _UnreadablePart | None = None
    failed_resumes = 0
    while True:
        record_start, is_record_read = stream.start, False
        try:
            # All types of records are read: a file may be cut within any of them.
            for record in warc.ArchiveIterator(
                stream, parse_http=False, max_header_len=MAX_HEADER
            ):
                ref, record_start = _reference(path, record, stream)
                is_record_read = False
                block = _response_block(record, options)
                is_record_read = True
                if unreadable_part:
                    yield unreadable_part.bad_input(path, stream.start)
                    unreadable_part, failed_resumes = None, 0
                if not block:
                    continue
                if page := _response_page(ref, record, block, options, skip):
                    yield page
            if unreadable_part:
                yield unreadable_part.bad_input(path)
            return
        except ReadError as error:
            reason = error
            record_start = max(record_start, stream.member_offset)
            is_record_read = False
        except OSError as error:
            if error.errno:
                raise
            # fastwarc's own errors have no `errno`.
            reason = ReadError("corrupt", f"the WARC file is corrupt: {error}")
        failed_resumes += 1
        is_resumed = failed_resumes < MOST_FAILED_RESUMES and stream.resume_at_record(
            record_start + 1
        )
        if unreadable_part is None:
            # If a record was read to its end, the fault is in the next record.
            is_in_next = is_record_read and is_resumed
            start = stream.start if is_in_next else record_start
            unreadable_part = _UnreadablePart(reason, start)
        if not is_resumed:
            yield unreadable_part.bad_input(path)
            return


@dataclass(frozen=True, slots=True)
class _UnreadablePart:
    """A part of a file that can't be read."""

    reason: ReadError
    start: int
    """The offset of the part's first byte in the file."""

    def bad_input(self, path: str, stop: int | None = None) -> BadInput:
        """Return a BadInput for the part, which ends at the offset `stop` in the file.

        The part reaches to the end of the file if `stop` is None.
        """
        extent = "to the end" if stop is None else "up to the next record"
        lost = (file_size(path) if stop is None else stop) - self.start
        message = f"{self.reason}; {lost:,} bytes {extent} are lost"
        return BadInput(f"{path}#{self.start}", self.reason.kind, message, lost)


def _reference(path: str, record: Any, stream: DecompressedFile) -> tuple[PageRef, int]:
    """Return a reference to the page in a WARC record, and an offset on disk.

    The record begins at this offset. In a compressed file, the record's gzip member or
    Zstandard frame begins at this offset.
    """
    member_offset, position = stream.place(record.stream_pos)
    place = f"{member_offset}+{position}" if position else f"{member_offset}"
    url = record.headers.get("WARC-Target-URI", "").strip("<>")
    return PageRef(f"{path}#{place}", path, stream.consumed, url), member_offset


def _response_block(record: Any, options: InputOptions) -> bytes:
    """Return the HTTP header and the body of a WARC response, or b"" for other records.

    Raise ReadError if the file ends within the record, and OSError if the record states
    no length.
    """
    if not record.headers.get("Content-Length"):
        raise OSError("a record has no length")
    block = b""
    if str(record.record_type) == "response":
        block = read_start(record.reader, options.max_page + MAX_HEADER)
    if len(block) + record.consume() < record.content_length:
        raise ReadError("truncated", "the WARC file ends within a record")
    return block


def _response_page(
    ref: PageRef, record: Any, block: bytes, options: InputOptions, skip: Skip
) -> Input | None:
    """Return the page of a WARC response, or a BadInput if the page can't be decoded.

    Return None if the response has no page, or if `skip` returns True for the page.
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
        return too_large(options.max_page).bad_input(ref.id)
    # The reader holds what follows the header in the part that was parsed.
    parsed_size = min(len(block), MAX_HEADER)
    header_size = parsed_size - len(response.reader.read())
    body = memoryview(block)[header_size:]
    try:
        decoded_body = _decoded(body, response.http_headers, options.max_page + 1)
    except OSError as error:
        # Some crawlers store the decoded body with the header of the encoded body.
        if not bytes(body[:HEAD]).lstrip().startswith(b"<"):
            return BadInput(ref.id, "corrupt", f"the body can't be decoded: {error}")
        decoded_body = bytes(body)
    if len(decoded_body) > options.max_page:
        return too_large(options.max_page).bad_input(ref.id)
    cut = record.headers.get("WARC-Truncated", "").strip().lower()
    if cut and cut not in TRUNCATION_REASONS:
        cut = "unspecified"
    return InputPage(ref.id, decoded_body, ref.url, response.http_charset or "", cut)


def _decoded(body: memoryview, headers: Any, size: int) -> bytes:
    """Return the first `size` bytes of a response's decoded body.

    Raise OSError if an encoding in the HTTP headers can't be decoded.
    """
    headers_of_codings = ("Content-Encoding", "Transfer-Encoding")
    header = ",".join(headers.get(name, "") for name in headers_of_codings)
    names = [name.strip().lower() for name in header.split(",")]
    codings = [name for name in names if name not in NO_CODING]
    if not codings:
        return bytes(body[:size])
    # With `auto_decode`, fastwarc would keep the whole body in memory: a few compressed
    # bytes may expand to gigabytes.
    stream_io = extra_module("fastwarc.stream_io", "warc", "")
    stream: Any = io.BytesIO(body)
    for coding in reversed(codings):
        if coding not in DECODERS:
            raise OSError(f"unknown encoding {coding}")
        class_name, arguments = DECODERS[coding]
        stream = getattr(stream_io, class_name)(stream, **arguments)
    return read_start(stream, size)


def _is_page(response: Any) -> bool:
    """Return whether an HTTP response has status 200 and a media type of HTML."""
    headers = response.http_headers
    return (
        headers is not None
        and headers.status_code == 200
        and (response.http_content_type or "").lower() in MEDIA_TYPES
    )
