"""Where a file's bytes lie: on disk, in memory, or packed inside another file; nothing is written to disk."""

from __future__ import annotations

import io
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import IO, BinaryIO, cast

from explorer.errors import InputError
from explorer.messages import message

HEAD_BYTES = 1 << 18
BLOCK_BYTES = 1 << 20

Given = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
"""What a file may be given as."""


class Source:
    """A file that can be opened again and again; `size` is its length in bytes, or None where only reading tells.

    `companion` is a file that was packed with it and declares its columns.
    """

    def __init__(
        self,
        opener: Callable[[], BinaryIO],
        size: int | None,
        path: Path | None = None,
        companion: Source | None = None,
    ) -> None:
        self._opener, self.size, self.path, self.companion = opener, size, path, companion
        self._head: bytes | None = None

    @classmethod
    def of_bytes(cls, content: bytes) -> Source:
        """Bytes in memory; they are not copied."""
        return cls(lambda: io.BytesIO(content), len(content))

    @classmethod
    def of_path(cls, path: Path) -> Source:
        """A file on disk; `InputError` where the system refuses."""
        try:
            if path.is_dir():
                raise InputError(message("'{path}' cannot be read: it is a folder. Choose a file.", path=path))
            with path.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
        except FileNotFoundError as error:
            raise InputError(message("There is no file '{path}': check the path.", path=path)) from error
        except (OSError, ValueError) as error:
            raise InputError(
                message("'{path}' cannot be read ({error}): choose a readable file.", path=path, error=error)
            ) from error
        return cls(lambda: path.open("rb"), size, path)

    @property
    def head(self) -> bytes:
        """The first bytes, at most `HEAD_BYTES`."""
        if self._head is None:
            with self.open() as stream:
                self._head = read_fully(stream, HEAD_BYTES)
        return self._head

    def open(self) -> BinaryIO:
        """Return a binary stream at the first byte."""
        return self._opener()


def source_of(given: Given) -> tuple[Source, str]:
    """Return the source and its name; `InputError` for a file opened as text, or a path that cannot be read."""
    if isinstance(given, bytes | bytearray | memoryview):
        return Source.of_bytes(bytes(given)), "table"
    if isinstance(given, str | PathLike):
        path = Path(given)
        return Source.of_path(path), path.name
    content: object = given.read()
    if not isinstance(content, bytes):
        raise InputError(message("The file was opened as text: open it in binary mode ('rb') or give its path."))
    return Source.of_bytes(content), Path(str(getattr(given, "name", "table"))).name


def read_fully(stream: BinaryIO, size: int) -> bytes:
    """Read `size` bytes, or all that are left (a packed stream may give less at a time)."""
    parts = []
    while size > 0 and (part := stream.read(min(size, BLOCK_BYTES))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class WatchedStream(io.RawIOBase):
    """A binary stream that calls `watch(bytes so far)` after each block: to count, to show progress, or to stop."""

    def __init__(self, stream: BinaryIO, watch: Callable[[int], object]) -> None:
        super().__init__()
        self._stream, self._watch, self._count = stream, watch, 0

    def readable(self) -> bool:
        """Whether it can be read: yes."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer and report."""
        view = memoryview(cast(bytearray, buffer))
        part = self._stream.read(len(view))
        view[: len(part)] = part
        self._count += len(part)
        self._watch(self._count)
        return len(part)

    def close(self) -> None:
        """Close the stream beneath too."""
        if not self.closed:
            self._stream.close()
        super().close()


def watched(stream: BinaryIO, watch: Callable[[int], object]) -> BinaryIO:
    """Return the stream, watched and buffered."""
    return cast(BinaryIO, io.BufferedReader(WatchedStream(stream, watch), BLOCK_BYTES >> 2))
