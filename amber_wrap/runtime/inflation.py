"""Files read as what they hold: what is compressed is told by its first bytes."""

from __future__ import annotations

import io
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from amber_wrap.dom.saved import GZIP, ZSTD
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN
from amber_wrap.runtime.extras import extra_module
from amber_wrap.runtime.pages import ReadError, too_large

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""What a file of Zstandard begins with if it brings a dictionary (IIPC's .warc.zst)."""

DEFLATE: Final = b"\x08"
"""What stands behind that in a gzip member, of one method or another (RFC 1952)."""

WARC: Final = b"WARC/1."
"""What a record of a WARC file begins with."""

MOST_SIGNS: Final = 1_000
"""Places that may look like the start of a record, and be none."""

MAX_DICTIONARY: Final = 16 * 1024 * 1024
ZSTD_LIBRARY: Final = (
    "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
)

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_CHUNK: Final = 64 * 1024


class Inflated(io.RawIOBase):
    """What a file holds, from its start on: decompressed where it is gzip or Zstandard.

    No more is in memory than what is asked for, whatever a few bytes expand to.  Raises
    ReadError, after all bytes before the fault were read, and FileError where the
    library for Zstandard is missing.
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
        """What is read begins with the bytes that there are, from `start` on."""
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
        """It can be read, and only that."""
        return True

    def tell(self) -> int:
        """The bytes that were read, decompressed."""
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read up to as many bytes as fit; 0 at the end."""
        view = memoryview(buffer).cast("B")
        data = self._inflate(len(view)) if self._member else self._copy(len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    @property
    def start(self) -> int:
        """The byte of the file, as it is on the disk, from which on it is read."""
        return self._base

    @property
    def member(self) -> int:
        """The byte where the gzip member or Zstandard frame that is read begins."""
        return self._starts[-1][1]

    def go_on(self, offset: int) -> bool:
        """Go on at the next record of a WARC file from a byte on, if there is one.

        That is where a gzip member or Zstandard frame begins, or the record itself in
        a file that isn't compressed.  Positions are counted from there.
        """
        # Parts of what is compressed may stand there as they are: records come last.
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
        """The bytes of the file, as it is on the disk, that what was read is made of.

        Zstandard's decompressor doesn't say what it hasn't used: up to a chunk more.
        """
        if not self._member:
            return self._base + self._position
        return self._consumed - len(self._compressed) - len(self._member.unused_data)

    def place(self, position: int) -> tuple[int, int]:
        """Where in the file a decompressed position is.

        The offset of the gzip member or Zstandard frame that holds it, and the
        decompressed bytes before it in that; in a file that isn't compressed the
        position itself, and 0.  The positions that are asked for must ascend.
        """
        if not self._member:
            return self._base + position, 0
        while len(self._starts) > 1 and self._starts[1][0] <= position:
            self._starts.popleft()
        start, offset = self._starts[0]
        return offset, position - start

    def _places(self, sign: bytes, offset: int) -> Iterator[int]:
        """Where the file, from a byte on, holds a sign."""
        while True:
            self._file.seek(offset)
            data = self._file.read(_CHUNK)
            place = data.find(sign)
            while place >= 0:
                yield offset + place
                place = data.find(sign, place + 1)
            if len(data) < len(sign):
                return
            # One may begin in this chunk and end in the next one.
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
            # A member that is at its end takes what it is given twice.
            if self._member.eof and not self._next_member():
                return b""
            try:
                data: bytes = self._member.decompress(self._compressed, size)
            except self._fault as error:
                message = f"the {self._format} data is corrupt: {error}"
                raise ReadError("corrupt", message) from error
            # Zstandard's keeps itself what it was given.
            self._compressed = getattr(self._member, "unconsumed_tail", b"")
            if data:
                return data
            if not (self._member.eof or self._compressed or self._refill()):
                raise ReadError("truncated", f"the {self._format} data ends too early")

    def _next_member(self) -> bool:
        """Go on behind a member, or frame, and the zeros that may fill up its block."""
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
        """The dictionary that the file begins with, which may be compressed itself."""
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
    """All that a file holds, decompressed; raises ReadError beyond `limit` bytes."""
    body = read_most(Inflated(file), limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


def read_most(stream: Any, most: int) -> bytes:
    """What a stream holds, at most so many bytes of it, in no more memory than that."""
    found = io.BytesIO()  # It grows in place, and gives itself away without a copy.
    while (left := most - found.tell()) and (part := stream.read(min(_CHUNK, left))):
        found.write(part)
    return found.getvalue()
