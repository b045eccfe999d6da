"""Uploaded files on the server's disk, each under a key that only one browser holds.

The key is random and never written: a browser's folder is named by the key's SHA-256, a file by that of its content.
What a reader typed or named is no part of a path. A file counts once its description is there, which is written last;
both are written under another name first and renamed, so that a server that dies leaves whole files or none. Several
processes may share the folder: all that is known of a file is on the disk.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import secrets
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import explorer as ex
from explorer.messages import message
from pages.uploads.limits import MEGABYTE, Limits

_KEY = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_DIGITS = re.compile(r"[0-9a-f]{16,64}", re.ASCII)
_FOLDER, _FILE = re.compile(r"[0-9a-f]{64}", re.ASCII), re.compile(r"([0-9a-f]{64})\.json", re.ASCII)
_CHUNK = 1 << 22
_UNFINISHED = 600.0
"""Seconds after which a file without a description is what a server left that died while writing."""
_UNUSED = 3600.0
"""Seconds after which the files of a browser that used none of them make room for those of others, if need be."""


def new_key() -> str:
    """A key that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_key(text: str) -> bool:
    """Whether a text has the form of a key.

    >>> is_key(new_key()), is_key("../../etc/passwd")
    (True, False)
    """
    return _KEY.fullmatch(text) is not None


@dataclass(frozen=True)
class KeptFile:
    """A file on the disk: its name as given, the SHA-256 of its content, where it lies, its bytes, its last use.

    `is_table` is false for a file that was only given for its rows to be predicted. `shape` is how many rows and
    columns it had when it was opened last, (0, 0) before. `choices` are those about it, as the query of a link.
    """

    name: str
    fingerprint: str
    path: Path
    size: int
    used: float
    is_table: bool = True
    shape: tuple[int, int] = (0, 0)
    choices: str = ""


class Store:
    """The folder of all uploads; raises OSError where the disk refuses, and where the folder is not ours alone."""

    def __init__(self, folder: Path, limits: Limits, is_own: bool = True) -> None:
        """A store in this folder, which is made if it is missing; one that `is_own` must belong to this user alone."""
        self.limits = limits
        self._folder = folder
        self._lock = threading.RLock()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_own:
            _check_private(folder)
        self.remove_expired()

    def put(self, key: str, name: str, content: bytes | memoryview, is_table: bool = True) -> KeptFile:
        """Keep a file of this browser; its oldest files make room, else InputError. A table once stays a table."""
        fingerprint = hashlib.sha256(content).hexdigest()
        with self._lock:
            before = self._find(key, fingerprint)
            if before is None:
                self._make_room(key, len(content))
                _write(self._of(key) / fingerprint, content)
            else:
                is_table = is_table or before.is_table
                if (before.name, before.is_table) == (name, is_table):
                    return self.touch(before)
            path = self._of(key) / fingerprint
            kept = before or KeptFile(name, fingerprint, path, len(content), time.time())
            _describe(dataclasses.replace(kept, name=name, is_table=is_table))
        found = self._find(key, fingerprint)
        if found is None:
            raise FileNotFoundError(fingerprint)
        return found

    def find(self, key: str, digits: str) -> KeptFile | None:
        """The file of this browser whose SHA-256 begins with these digits, 16 or more."""
        if not _DIGITS.fullmatch(digits):
            return None
        return next((file for file in self.files(key) if file.fingerprint.startswith(digits)), None)

    def files(self, key: str) -> list[KeptFile]:
        """All files of this browser that have not expired, the one used last first."""
        if not is_key(key):
            return []
        found = [file for file in self._listed(self._of(key)) if not self._is_expired(file)]
        return sorted(found, key=lambda file: -file.used)

    def touch(self, file: KeptFile) -> KeptFile:
        """Note that a file is in use: it is kept for the full time from now on."""
        os.utime(_description(file.path))
        return dataclasses.replace(file, used=time.time())

    def note(self, file: KeptFile, shape: tuple[int, int], choices: str) -> None:
        """Note how many rows and columns a file has, and the choices about it."""
        with self._lock:
            if file.path.exists():
                _describe(dataclasses.replace(file, shape=shape, choices=choices))

    def until(self, file: KeptFile) -> float:
        """When a file is removed, in seconds of the epoch, unless it is used before."""
        return file.used + self.limits.keep_hours * 3600

    def forget(self, key: str, fingerprint: str) -> bool:
        """Remove a file of this browser; false if there is none."""
        with self._lock:
            file = self.find(key, fingerprint)
            if file is None:
                return False
            _remove(file.path)
            return True

    def move(self, key: str, other: str) -> None:
        """Give all files under one key to another key; a file that is there already stays as it is."""
        with self._lock:
            for file in self.files(key) if key != other else []:
                if self._find(other, file.fingerprint):
                    _remove(file.path)
                else:
                    _move(file.path, self._of(other))

    def remove_expired(self) -> None:
        """Remove the files of all browsers that nobody used for the stated time, and what was never finished."""
        with self._lock:  # the same file may be given again at this moment
            for folder in self._folders():
                for file in self._listed(folder):
                    if self._is_expired(file):
                        _remove(file.path)
                _remove_unfinished(folder)

    def size(self) -> int:
        """Bytes of all files of all browsers, unfinished ones included."""
        return sum(entry.stat().st_size for folder in self._folders() for entry in _entries(folder))

    def _make_room(self, key: str, size: int) -> None:
        """Remove this browser's oldest files until a file of this size fits; InputError where it cannot."""
        limits, own = self.limits, self.files(key)
        if size > limits.file_mb * MEGABYTE:
            raise ex.InputError(
                message(
                    "The file has {size:,} MB, and this server takes up to {most:,} MB: upload a part of its rows.",
                    size=-(-size // MEGABYTE),
                    most=limits.file_mb,
                )
            )
        while own and (len(own) >= limits.browser_files or _bytes(own) + size > limits.browser_mb * MEGABYTE):
            _remove(own.pop().path)
        if self._excess(size) > 0:
            self.remove_expired()
        if self._excess(size) > 0:
            self._make_room_for_all(key, size)

    def _excess(self, size: int) -> int:
        """Bytes by which another file of this size goes beyond what the server takes."""
        return self.size() + size - self.limits.total_mb * MEGABYTE

    def _make_room_for_all(self, key: str, size: int) -> None:
        """Remove files that other browsers left unused, then this browser's oldest; none if that is too little."""
        going = [*self._left_unused(self._of(key)), *reversed(self.files(key))]
        if self._excess(size) > _bytes(going):
            raise ex.InputError(
                message(
                    "This server has no room for another upload now ({most:,} MB are in use): try again later, or ask "
                    "whoever runs it for more.",
                    most=self.limits.total_mb,
                )
            )
        while going and self._excess(size) > 0:
            _remove(going.pop(0).path)

    def _left_unused(self, own: Path) -> list[KeptFile]:
        """The files of other browsers that used none for an hour, those of the longest unused browser first."""
        browsers = [sorted(self._listed(folder), key=_last_use) for folder in self._folders() if folder != own]
        unused = [files for files in browsers if files and files[-1].used < time.time() - _UNUSED]
        return [file for files in sorted(unused, key=lambda files: files[-1].used) for file in files]

    def _is_expired(self, file: KeptFile) -> bool:
        return self.until(file) < time.time()

    def _of(self, key: str) -> Path:
        """The folder of a browser."""
        if not is_key(key):
            raise ValueError("not a key")
        return self._folder / hashlib.sha256(key.encode()).hexdigest()

    def _find(self, key: str, fingerprint: str) -> KeptFile | None:
        return next((file for file in self.files(key) if file.fingerprint == fingerprint), None)

    def _folders(self) -> Iterator[Path]:
        for entry in _entries(self._folder):
            if _FOLDER.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)

    def _listed(self, folder: Path) -> Iterator[KeptFile]:
        for entry in _entries(folder):
            named = _FILE.fullmatch(entry.name)
            file = _file(folder / named[1]) if named else None
            if file is not None:
                yield file


def _last_use(file: KeptFile) -> float:
    return file.used


def _bytes(files: list[KeptFile]) -> int:
    return sum(file.size for file in files)


def _check_private(folder: Path) -> None:
    """Refuse a folder that another user of the machine may have put there."""
    found = os.lstat(folder)
    own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    if not stat.S_ISDIR(found.st_mode) or not own or (os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077):
        raise PermissionError(f"{folder} is not a folder of this user alone")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds now; nothing where it is gone."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _description(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def _describe(file: KeptFile) -> None:
    """Write the description of a file beside it; that is a use of the file."""
    description = {"name": file.name, "sha256": file.fingerprint, "bytes": file.size, "uploaded": time.time()}
    description |= {"table": file.is_table, "shape": file.shape, "choices": file.choices}
    _write(_description(file.path), json.dumps(description).encode())


def _file(path: Path) -> KeptFile | None:
    """The file at a path as its description has it; None where one of them is missing, damaged or of another size."""
    try:
        described, used = json.loads(_description(path).read_bytes()), _description(path).stat().st_mtime
        name, size, is_table = str(described["name"]), int(described["bytes"]), bool(described.get("table", True))
        n_rows, n_columns = map(int, described.get("shape", (0, 0)))
        choices = str(described.get("choices", ""))
        if path.stat().st_size != size or described["sha256"] != path.name:
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return KeptFile(name, path.name, path, size, used, is_table, (n_rows, n_columns), choices)


def _write(path: Path, content: bytes | memoryview) -> None:
    """Write a whole file or none: under another name, to the disk, then renamed."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    unfinished = path.with_name(f"{secrets.token_hex(8)}.part")
    view = memoryview(content)
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for begin in range(0, len(view), _CHUNK):
                file.write(view[begin : begin + _CHUNK])
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _move(path: Path, folder: Path) -> None:
    """Move a file into another folder; its description goes last, so that no half of it is found there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for part in (path, _description(path)):
        part.replace(folder / part.name)


def _remove(path: Path) -> None:
    """Remove a file; its description goes first, so that no half of it is found."""
    _description(path).unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _remove_unfinished(folder: Path) -> None:
    """Remove what is no file with a description, and the folder if that leaves it empty; what is new may be growing."""
    described = {file.name for file in folder.glob("*.json")}
    for entry in _entries(folder):
        is_whole = entry.name in described or f"{entry.name}.json" in described
        if not is_whole and _age(Path(entry.path)) > _UNFINISHED:
            Path(entry.path).unlink(missing_ok=True)
    if not _entries(folder) and _age(folder) > _UNFINISHED:
        _remove_folder(folder)


def _age(path: Path) -> float:
    """Seconds since a file or folder was changed; 0 where it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _remove_folder(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return  # somebody has just put a file into it
