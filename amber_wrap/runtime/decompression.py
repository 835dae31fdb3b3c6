"""Read files that may be compressed with gzip or Zstandard.

The first bytes of a file show its compression.
"""

from __future__ import annotations

import io
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from amber_wrap.dom.saved_formats import GZIP, ZSTD
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN
from amber_wrap.runtime.input_pages import ReadError, too_large
from amber_wrap.runtime.optional_libraries import extra_module

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""The first bytes of a Zstandard file with a dictionary (IIPC's .warc.zst)."""

DEFLATE: Final = b"\x08"
"""The third byte of a gzip member: the compression method (RFC 1952)."""

WARC: Final = b"WARC/1."
"""The first bytes of a WARC record."""

MOST_SIGNS: Final = 1_000
"""The number of false record starts after which the search ends."""

MAX_DICTIONARY: Final = 16 * 1024 * 1024
ZSTD_LIBRARY: Final = (
    "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
)

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_CHUNK: Final = 64 * 1024


class Inflated(io.RawIOBase):
    """A binary stream over a file, decompressed if the file is gzip or Zstandard.

    Each call to read decompresses no more bytes than requested.  If the data is corrupt
    or truncated, the bytes before the fault are read first.  The next call raises
    ReadError. Raise FileError if the library for Zstandard is missing.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._compressed = file.read(_CHUNK)
        self._consumed = len(self._compressed)
        self._first = self._compressed[: len(WARC)]
        self._words: Any = None
        if self._compressed.startswith(DICTIONARY):
            self._words = self._dictionary()
        self._begin(0)

    def _begin(self, start: int) -> None:
        """Start decompression of the bytes in the buffer.

        `start` is the offset of the buffer in the file on disk.
        """
        self._base, self._position = start, 0
        self._starts = deque([(0, self._consumed - len(self._compressed))])
        self._member: Any = None
        self._format, self._fault = "gzip", zlib.error
        if self._compressed.startswith(GZIP):
            self._new: Callable[[], Any] = lambda: zlib.decompressobj(_GZIP_FORMAT)
            self._member = self._new()
        elif self._words or self._compressed.startswith(ZSTD):
            zstd = self._library()
            self._format, self._fault = "zstd", zstd.ZstdError
            self._new = lambda: zstd.ZstdDecompressor(zstd_dict=self._words)
            self._member = self._new()

    def _library(self) -> Any:
        name = str(getattr(self._file, "name", STDIN))
        return extra_module(ZSTD_LIBRARY, "warc", name)

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def tell(self) -> int:
        """Return the number of decompressed bytes that were read."""
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer as far as possible, and return the number of bytes read.

        The number is 0 at the end of the data.
        """
        view = memoryview(buffer).cast("B")
        data = self._inflate(len(view)) if self._member else self._copy(len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    @property
    def start(self) -> int:
        """Return the offset in the file on disk from which decompression began."""
        return self._base

    @property
    def member(self) -> int:
        """Return the offset in the file on disk of the current gzip member or Zstandard
        frame.
        """
        return self._starts[-1][1]

    def go_on(self, offset: int) -> bool:
        """Resume reading at the next WARC record.

        Return whether a record was found. `offset` is the byte of the file on disk
        where the search begins.  Afterwards `tell` counts the bytes from the start of
        the record.
        """
        # Compressed data may contain the start of a record uncompressed, so records
        # come last.
        signs = (GZIP + DEFLATE, ZSTD, WARC)
        for sign in [one for one in signs if self._begins_with(one)] or signs:
            for found in islice(self._places(sign, offset), MOST_SIGNS):
                try:
                    self._restart(found)
                    if self.read(len(WARC)) != WARC:
                        continue
                except (ReadError, FileError):
                    continue
                self._restart(found)
                self._first = sign
                return True
        return False

    def _begins_with(self, sign: bytes) -> bool:
        return self._first.startswith(sign) or (bool(self._words) and sign == ZSTD)

    @property
    def consumed(self) -> int:
        """Return the number of bytes of the file on disk that were read so far.

        For Zstandard the number may be up to one chunk too high.
        """
        if not self._member:
            return self._base + self._position
        # Zstandard's decompressor doesn't report unused input within a frame.
        return self._consumed - len(self._compressed) - len(self._member.unused_data)

    def place(self, position: int) -> tuple[int, int]:
        """Return where a byte of the decompressed data lies in the file on disk.

        `position` is the number of the byte.  The first result is the offset of the
        gzip member or Zstandard frame that holds the byte.  The second result is the
        byte's position in the decompressed member or frame.  For an uncompressed file,
        the results are the byte's offset and 0.  Calls must ask for positions in
        ascending order.
        """
        if not self._member:
            return self._base + position, 0
        while len(self._starts) > 1 and self._starts[1][0] <= position:
            self._starts.popleft()
        start, offset = self._starts[0]
        return offset, position - start

    def _places(self, sign: bytes, offset: int) -> Iterator[int]:
        """Yield the offsets at which the bytes `sign` occur in the file, from `offset`
        on.
        """
        while True:
            self._file.seek(offset)
            data = self._file.read(_CHUNK)
            place = data.find(sign)
            while place >= 0:
                yield offset + place
                place = data.find(sign, place + 1)
            if len(data) < len(sign):
                return
            # The bytes may begin in this chunk and end in the next one.
            offset += len(data) - len(sign) + 1

    def _restart(self, offset: int) -> None:
        self._file.seek(offset)
        self._compressed = self._file.read(_CHUNK)
        self._consumed = offset + len(self._compressed)
        self._begin(offset)

    def _copy(self, size: int) -> bytes:
        if self._compressed:
            data, self._compressed = self._compressed[:size], self._compressed[size:]
            return data
        return self._file.read(size)

    def _inflate(self, size: int) -> bytes:
        while True:
            # A decompressor that is at its end would collect the data as unused.
            if self._member.eof and not self._next_member():
                return b""
            try:
                data: bytes = self._member.decompress(self._compressed, size)
            except self._fault as error:
                message = f"the {self._format} data is corrupt: {error}"
                raise ReadError("corrupt", message) from error
            # Zstandard's decompressor keeps the unused data itself.
            self._compressed = getattr(self._member, "unconsumed_tail", b"")
            if data:
                return data
            if not (self._member.eof or self._compressed or self._refill()):
                raise ReadError("truncated", f"the {self._format} data ends too early")

    def _next_member(self) -> bool:
        """Begin to read the next gzip member or Zstandard frame.

        Padding zeros are skipped.  Return False at the end of the file.
        """
        self._compressed = self._member.unused_data.lstrip(b"\0")
        while not self._compressed:
            if not self._refill():
                return False
            self._compressed = self._compressed.lstrip(b"\0")
        self._member = self._new()
        offset = self._consumed - len(self._compressed)
        self._starts.append((self._position, offset))
        return True

    def _dictionary(self) -> Any:
        """Return the Zstandard dictionary at the start of the file, decompressed.

        Raise ReadError if the dictionary is too large, truncated or corrupt.
        """
        zstd = self._library()
        size = int.from_bytes(self._compressed[4:8], "little")
        if size > MAX_DICTIONARY:
            raise ReadError("too-large", "the dictionary of the zstd data is too large")
        more = self._file.read(size)
        self._consumed += len(more)
        words, self._compressed = self._compressed[8:] + more, b""
        if len(words) < size:
            raise ReadError("truncated", "the zstd data ends too early")
        words, self._compressed = words[:size], words[size:]
        try:
            if words.startswith(ZSTD):
                words = zstd.ZstdDecompressor().decompress(words, MAX_DICTIONARY)
            return zstd.ZstdDict(words)
        except (zstd.ZstdError, ValueError) as error:
            raise ReadError("corrupt", f"the zstd data is corrupt: {error}") from error

    def _refill(self) -> bool:
        self._compressed = self._file.read(_CHUNK)
        self._consumed += len(self._compressed)
        return bool(self._compressed)


def read_all(file: BinaryIO, limit: int) -> bytes:
    """Return the whole decompressed content of a file.

    Raise ReadError if the content is longer than `limit` bytes.
    """
    body = read_most(Inflated(file), limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


def read_most(stream: Any, most: int) -> bytes:
    """Return the first `most` bytes of a stream, or all bytes of a shorter stream."""
    found = io.BytesIO()  # It grows in place, and `getvalue` makes no copy.
    while (left := most - found.tell()) and (part := stream.read(min(_CHUNK, left))):
        found.write(part)
    return found.getvalue()
