"""Files read as what they hold: gzip is told by its first bytes, not by a name."""

from __future__ import annotations

import io
import zlib
from collections import deque
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from amber_wrap.runtime.pages import ReadError, too_large

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP: Final = b"\x1f\x8b"

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_CHUNK: Final = 64 * 1024


class Inflated(io.RawIOBase):
    """What a file holds, from its start on: decompressed where it is gzip.

    No more is in memory than what is asked for, whatever a few bytes expand to.  Raises
    ReadError, after all bytes before the fault were read.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._compressed = file.read(_CHUNK)
        self._consumed = len(self._compressed)
        self._position = 0
        self._is_gzip = self._compressed.startswith(GZIP)
        self._member = zlib.decompressobj(_GZIP_FORMAT)
        self._starts = deque([(0, 0)])

    def readable(self) -> bool:
        """It can be read, and only that."""
        return True

    def tell(self) -> int:
        """The bytes that were read, decompressed."""
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read up to as many bytes as fit; 0 at the end."""
        view = memoryview(buffer).cast("B")
        data = self._inflate(len(view)) if self._is_gzip else self._copy(len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    def place(self, position: int) -> tuple[int, int]:
        """Where in the file a decompressed position is.

        The offset of the gzip member that holds it, and the decompressed bytes before
        it in that member; in a file that isn't gzip the position itself, and 0.  The
        positions that are asked for must ascend.
        """
        if not self._is_gzip:
            return position, 0
        while len(self._starts) > 1 and self._starts[1][0] <= position:
            self._starts.popleft()
        start, offset = self._starts[0]
        return offset, position - start

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
                data = self._member.decompress(self._compressed, size)
            except zlib.error as error:
                message = f"the gzip data is corrupt: {error}"
                raise ReadError("corrupt", message) from error
            self._compressed = self._member.unconsumed_tail
            if data:
                return data
            if not (self._member.eof or self._compressed or self._refill()):
                raise ReadError("truncated", "the gzip data ends too early")

    def _next_member(self) -> bool:
        """Go on behind a member and the zeros that may fill up its block."""
        self._compressed = self._member.unused_data.lstrip(b"\0")
        while not self._compressed:
            if not self._refill():
                return False
            self._compressed = self._compressed.lstrip(b"\0")
        self._member = zlib.decompressobj(_GZIP_FORMAT)
        offset = self._consumed - len(self._compressed)
        self._starts.append((self._position, offset))
        return True

    def _refill(self) -> bool:
        self._compressed = self._file.read(_CHUNK)
        self._consumed += len(self._compressed)
        return bool(self._compressed)


def read_all(file: BinaryIO, limit: int) -> bytes:
    """All that a file holds, decompressed; raises ReadError beyond `limit` bytes."""
    stream = Inflated(file)
    parts: list[bytes] = []
    while part := cast(bytes, stream.read(_CHUNK)):
        parts.append(part)
        if stream.tell() > limit:
            raise too_large(limit)
    return b"".join(parts)
