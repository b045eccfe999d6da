"""A temporary folder for one connected table, removed when it is closed; those of killed processes are removed too."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from pathlib import Path

PREFIX = "decision-tree-explorer-work"
_NAME = re.compile(rf"{PREFIX}-(?P<host>.+)-(?P<process>\d+)-\w+")


def new_work_folder() -> Path:
    """Make a folder whose name holds this process, after removing those of processes that are gone."""
    remove_abandoned()
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}-{_host()}-{os.getpid()}-"))


def remove_work_folder(folder: Path) -> None:
    """Remove a folder with everything in it; it may be gone already."""
    shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned() -> None:
    """Remove the folders that killed processes of this machine and user have left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}-*"):
        named = _NAME.fullmatch(folder.name)
        if named and named["host"] == _host() and not _runs(int(named["process"])):
            remove_work_folder(folder)


def _host() -> str:
    return re.sub(r"\W", "_", socket.gethostname())


def _runs(process: int) -> bool:
    """Whether there is a process of this number (of another user too)."""
    if os.name == "nt":  # there, signal 0 would end it: leave the folder
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
