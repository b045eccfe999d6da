"""The bytes of a model's file or folder, looked at once for all readers; nothing in them is trusted."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from explorer.errors import InputError
from explorer.json_text import parsed
from explorer.messages import message

LARGEST_FILE = 256_000_000
"""The most bytes of a file, and of all files of a folder or a zip once they are unpacked."""
MOST_FILES = 2_000


@dataclass(frozen=True)
class Content:
    """A file's bytes, or the files of a folder by their path within it; `name` is what messages call it."""

    name: str
    data: bytes
    folder: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, given: str | Path | bytes, name: str | None = None) -> Content:
        """Read a path, or take the bytes; InputError for anything else."""
        if isinstance(given, (bytes, bytearray, memoryview)):
            _check_size(len(given))
            return cls(name or "model", bytes(given))
        if not isinstance(given, (str, Path)):
            raise InputError(message("Give the path of a file, or its bytes, not {type}.", type=type(given).__name__))
        path = Path(given)
        try:
            if path.is_dir():
                files = [each for each in sorted(path.rglob("*")) if each.is_file() and not each.is_symlink()]
                _check_count(len(files))
                _check_size(sum(each.stat().st_size for each in files))
                found = {each.relative_to(path).as_posix(): each.read_bytes() for each in files}
                return cls(name or path.name, b"", found)
            _check_size(path.stat().st_size)
            return cls(name or path.name, path.read_bytes())
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(message("'{name}' cannot be read: {reason}.", name=path.name, reason=reason)) from None

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """The files of the folder, or of the zip, by their path below what all share; empty for any other file."""
        if self.folder or not self.data.startswith(b"PK\x03\x04"):
            return _below_common(self.folder)
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                entries = [each for each in archive.infolist() if each.filename and not each.filename.endswith("/")]
                _check_count(len(entries))
                _check_size(sum(each.file_size for each in entries))
                return _below_common({each.filename: _unpacked(archive, each) for each in entries})
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
            raise InputError(message("The zip file is damaged, or packed in a way that cannot be read.")) from None

    @cached_property
    def text(self) -> str | None:
        """The file as text; None where it is none."""
        try:
            return None if b"\0" in self.data[:4096] else self.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    @cached_property
    def plain(self) -> Any:
        """The values of a JSON file; None for any other."""
        if self.text is None or self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return parsed(self.text, _NotJsonError)
        except _NotJsonError:
            return None

    def names(self) -> set[str]:
        """The names in the record that a JSON file holds; empty for any other."""
        if self.text is None or not self.text.lstrip().startswith("{"):  # a long list of rows is not read for it
            return set()
        return set(self.plain) if isinstance(self.plain, Mapping) else set()


class _NotJsonError(InputError):
    """The text is no JSON."""

    def __init__(self) -> None:
        super().__init__("")


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry, which are as many as the zip says."""
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    _check_size(len(content))
    return content


def _below_common(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The same by their paths below the folder that all of them lie in; what macOS adds to a zip is left out."""
    found = {PurePosixPath(name).parts: content for name, content in files.items()}
    found = {parts: content for parts, content in found.items() if parts and parts[0] != "__MACOSX"}
    depth = 0
    while found and min(map(len, found)) > depth + 1 and len({parts[depth] for parts in found}) == 1:
        depth += 1
    return {"/".join(parts[depth:]): content for parts, content in found.items()}


def _check_size(size: int) -> None:
    if size > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise InputError(
            message(
                "The model takes {size:,} MB, and up to {most:,} MB can be read.", size=size // 1_000_000, most=most
            )
        )


def _check_count(count: int) -> None:
    if count > MOST_FILES:
        raise InputError(
            message("The model has {n:,} files, and up to {most:,} can be read.", n=count, most=MOST_FILES)
        )
