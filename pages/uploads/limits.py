"""How much readers may upload, and how long it is kept: from the server's environment."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Megabytes of one file, of one browser's files and of all; files of one browser; hours after the last use."""

    file_mb: int = 500
    browser_mb: int = 1024
    total_mb: int = 10240
    browser_files: int = 5
    keep_hours: float = 24.0

    @classmethod
    def from_environment(cls) -> Limits:
        """The limits with what the environment sets; ValueError where that is no number above zero."""
        file_mb = int(_number("EXPLORER_UPLOAD_MB", cls.file_mb))
        total_mb = int(_number("EXPLORER_UPLOAD_TOTAL_MB", cls.total_mb))
        return cls(
            file_mb=file_mb,
            browser_mb=max(cls.browser_mb, file_mb),
            total_mb=total_mb,
            keep_hours=_number("EXPLORER_KEEP_HOURS", cls.keep_hours),
        )


def _number(name: str, default: float) -> float:
    """A number above zero from the environment."""
    text = os.environ.get(name, "")
    if not text:
        return default
    with suppress(ValueError):
        number = float(text)
        if 0 < number < float("inf"):
            return number
    raise ValueError(f"{name} is {text}: set a number above zero")


def folder() -> tuple[Path, bool]:
    """The folder of uploads, and whether it is ours to make and check.

    `EXPLORER_UPLOADS` names one; without it, it is one of this user's own among the system's temporary files, where
    others may write too.
    """
    named = os.environ.get("EXPLORER_UPLOADS", "")
    if named:
        return Path(named), False
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"decision-tree-explorer-{user}", True
