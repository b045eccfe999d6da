"""What the files of scenes can call: named functions of a table, its tree and the candidates of a node."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

_REGISTRY = ("__init__", "words", "calls")


@cache
def load() -> None:
    """Add the functions of all modules here to the vocabulary."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in _REGISTRY:
            import_module(f"{__name__}.{path.stem}")
