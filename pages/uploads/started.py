"""The file that the server was started on, and its target: what `decision-tree-explorer table.csv --target y` names."""

from __future__ import annotations

import os
from pathlib import Path


def file() -> Path | None:
    """Where it lies; None where the server was started on none."""
    named = os.environ.get("EXPLORER_OPEN", "")
    return Path(named) if named else None


def target(name: str) -> str:
    """The target to begin with if a file of this name is that file; "" where none is named."""
    opened = file()
    return os.environ.get("EXPLORER_TARGET", "") if opened is not None and opened.name == name else ""
