"""Read files that may be compressed with gzip or Zstandard.

The first bytes of a file show its compression.
"""

from __future__ import annotations

import io
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from amber_wrap.dom.saved_formats import GZIP, ZSTD
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN
from amber_wrap.runtime.input_pages import ReadError, extra_module, too_large

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DICTIONARY_START: Final = b"\x5d\x2a\x4d\x18"
"""The first bytes of a Zstandard file with a dictionary (IIPC's .warc.zst)."""

DEFLATE: Final = b"\x08"
"""The third byte of a gzip file, which stands for the compression method "deflate"."""

WARC_START: Final = b"WARC/1."
"""The first bytes of a WARC record."""

MOST_FALSE_STARTS: Final = 1_000
"""The greatest number of places in a corrupt file that are tried as the start of a WARC
record.

The number applies to each kind of compression.
"""

MAX_DICTIONARY: Final = 16 * 1024 * 1024
"""The largest size of a Zstandard dictionary that is read, in bytes."""

_HAS_ZSTD: Final = sys.version_info >= (3, 14)
ZSTD_LIBRARY: Final = "compression.zstd" if _HAS_ZSTD else "backports.zstd"

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
"""The value of zlib's parameter `wbits` for reading the gzip format."""

_CHUNK: Final = 64 * 1024
"""The number of bytes that are read at a time."""


class DecompressedFile(io.RawIOBase):
    """A binary stream over a file, decompressed if the file is gzip or Zstandard.

    Reading returns all bytes before a fault in the data, then raises ReadError. The
    constructor raises FileError if the library for Zstandard is missing.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._compressed = file.read(_CHUNK)
        self._file_bytes_read = len(self._compressed)
        self._first_bytes = self._compressed[: len(WARC_START)]
        self._dictionary: Any = None
        if self._compressed.startswith(DICTIONARY_START):
            self._dictionary = self._read_dictionary()
        self._begin(0)

    def _begin(self, start: int) -> None:
        """Choose gzip, Zstandard or no decompression, by the first bytes in the buffer.

        `start` is the offset of the buffer in the file on disk.
        """
        self._start, self._position = start, 0
        first_offset = self._file_bytes_read - len(self._compressed)
        # The starts of members: positions in the decompressed data, offsets on disk.
        self._member_starts = deque([(0, first_offset)])
        self._decompressor: Any = None
        self._format, self._format_error = "gzip", zlib.error
        if self._compressed.startswith(GZIP):
            self._new_decompressor: Callable[[], Any]
            self._new_decompressor = partial(zlib.decompressobj, _GZIP_FORMAT)
            self._decompressor = self._new_decompressor()
        elif self._dictionary or self._compressed.startswith(ZSTD):
            zstd = self._zstd_library()
            self._format, self._format_error = "zstd", zstd.ZstdError
            options = {"zstd_dict": self._dictionary}
            self._new_decompressor = partial(zstd.ZstdDecompressor, **options)
            self._decompressor = self._new_decompressor()

    def _zstd_library(self) -> Any:
        """Return the library for Zstandard.

        Raise FileError if the library is missing.
        """
        file_name = str(getattr(self._file, "name", STDIN))
        return extra_module(ZSTD_LIBRARY, "warc", file_name)

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
        read_bytes = self._inflate if self._decompressor else self._copy
        data = read_bytes(len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    @property
    def start(self) -> int:
        """Return the offset in the file on disk at which decompression began.

        The offset is 0, or the start of the record that `resume_at_record` last found.
        """
        return self._start

    @property
    def member_offset(self) -> int:
        """Return the offset in the file on disk of the current gzip member or Zstandard
        frame.
        """
        return self._member_starts[-1][1]

    def resume_at_record(self, offset: int) -> bool:
        """Restart the stream at the first WARC record from the offset `offset` on.

        Offsets refer to the file on disk. Return whether a record was found.
        """
        # Compressed data may contain the start of a record uncompressed, so records
        # come last.
        signatures = (GZIP + DEFLATE, ZSTD, WARC_START)
        likely = [signature for signature in signatures if self._begins_with(signature)]
        for signature in likely or signatures:
            for place in islice(self._places(signature, offset), MOST_FALSE_STARTS):
                try:
                    self._restart(place)
                    if self.read(len(WARC_START)) != WARC_START:
                        continue
                except (ReadError, FileError):
                    continue
                self._restart(place)
                self._first_bytes = signature
                return True
        return False

    def _begins_with(self, signature: bytes) -> bool:
        """Return whether the file begins with `signature`, the first bytes of a format.

        Return True, too, for a Zstandard file that begins with a dictionary.
        """
        if signature == ZSTD and self._dictionary:
            return True
        return self._first_bytes.startswith(signature)

    @property
    def consumed(self) -> int:
        """Return how many bytes of the file on disk have been decompressed so far.

        For Zstandard, the number may include one chunk that is still compressed.
        """
        if not self._decompressor:
            return self._start + self._position
        # Zstandard's decompressor doesn't report unused input within a frame.
        unused = len(self._compressed) + len(self._decompressor.unused_data)
        return self._file_bytes_read - unused

    def place(self, position: int) -> tuple[int, int]:
        """Return where a byte of the decompressed data comes from in the file on disk.

        The result is the offset of a gzip member or Zstandard frame, and the byte's
        position in its decompressed data. Call this method with ascending positions.
        """
        if not self._decompressor:
            return self._start + position, 0
        starts = self._member_starts
        while len(starts) > 1 and starts[1][0] <= position:
            starts.popleft()
        member_position, member_offset = starts[0]
        return member_offset, position - member_position

    def _places(self, signature: bytes, offset: int) -> Iterator[int]:
        """Yield each offset from `offset` on at which the bytes `signature` occur."""
        while True:
            self._file.seek(offset)
            chunk = self._file.read(_CHUNK)
            place = chunk.find(signature)
            while place >= 0:
                yield offset + place
                place = chunk.find(signature, place + 1)
            if len(chunk) < len(signature):
                return
            # The bytes may begin in this chunk and end in the next one.
            offset += len(chunk) - len(signature) + 1

    def _restart(self, offset: int) -> None:
        """Begin to decompress the file anew, from `offset` in the file on disk on."""
        self._file.seek(offset)
        self._compressed = self._file.read(_CHUNK)
        self._file_bytes_read = offset + len(self._compressed)
        self._begin(offset)

    def _copy(self, size: int) -> bytes:
        """Return the next bytes of an uncompressed file, at most `size` bytes.

        Return b"" at the end of the file.
        """
        if self._compressed:
            data, self._compressed = self._compressed[:size], self._compressed[size:]
            return data
        return self._file.read(size)

    def _inflate(self, size: int) -> bytes:
        """Return the next bytes of data, at most `size`, or b"" at the end of the file.

        Raise ReadError if the data is corrupt or truncated.
        """
        while True:
            # A decompressor that is at its end would collect the data as unused.
            if self._decompressor.eof and not self._next_member():
                return b""
            try:
                data: bytes = self._decompressor.decompress(self._compressed, size)
            except self._format_error as error:
                message = f"the {self._format} data is corrupt: {error}"
                raise ReadError("corrupt", message) from error
            # Zstandard's decompressor keeps the unused data itself.
            self._compressed = getattr(self._decompressor, "unconsumed_tail", b"")
            if data:
                return data
            if not (self._decompressor.eof or self._compressed or self._refill()):
                raise ReadError("truncated", f"the {self._format} data ends too early")

    def _next_member(self) -> bool:
        """Begin to read the next gzip member or Zstandard frame, after padding zeros.

        Return False at the end of the file.
        """
        self._compressed = self._decompressor.unused_data.lstrip(b"\0")
        while not self._compressed:
            if not self._refill():
                return False
            self._compressed = self._compressed.lstrip(b"\0")
        self._decompressor = self._new_decompressor()
        offset = self._file_bytes_read - len(self._compressed)
        self._member_starts.append((self._position, offset))
        return True

    def _read_dictionary(self) -> Any:
        """Return the Zstandard dictionary that the file begins with.

        Raise ReadError if the dictionary is too large, truncated or corrupt.
        """
        zstd = self._zstd_library()
        size = int.from_bytes(self._compressed[4:8], "little")
        if size > MAX_DICTIONARY:
            raise ReadError("too-large", "the dictionary of the zstd data is too large")
        further_bytes = self._file.read(size)
        self._file_bytes_read += len(further_bytes)
        data = self._compressed[8:] + further_bytes
        self._compressed = data[size:]
        if len(data) < size:
            raise ReadError("truncated", "the zstd data ends too early")
        dictionary = data[:size]
        try:
            if dictionary.startswith(ZSTD):
                unpack = zstd.ZstdDecompressor().decompress
                dictionary = unpack(dictionary, MAX_DICTIONARY)
            return zstd.ZstdDict(dictionary)
        except (zstd.ZstdError, ValueError) as error:
            raise ReadError("corrupt", f"the zstd data is corrupt: {error}") from error

    def _refill(self) -> bool:
        """Read the next chunk of the file into the buffer.

        Return False at the end of the file, else True.
        """
        self._compressed = self._file.read(_CHUNK)
        self._file_bytes_read += len(self._compressed)
        return bool(self._compressed)


def read_all(file: BinaryIO, limit: int) -> bytes:
    """Return the whole content of a file, decompressed if it is compressed.

    Raise ReadError if the content is longer than `limit` bytes.
    """
    body = read_start(DecompressedFile(file), limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


def read_start(stream: Any, size: int) -> bytes:
    """Return the first `size` bytes of a stream, or all bytes of a shorter stream."""
    start = io.BytesIO()  # It grows in place, and `getvalue` makes no copy.
    while missing := size - start.tell():
        part = stream.read(min(_CHUNK, missing))
        if not part:
            break
        start.write(part)
    return start.getvalue()
