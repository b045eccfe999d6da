"""What the files of scenes can call: named functions of a table, its tree and the candidates of a node."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

_REGISTRY = ("__init__", "words", "calls")


@cache
def load() -> None:
    """Add the functions of all modules here to the vocabulary."""
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        if path.stem not in _REGISTRY:
            import_module(".".join((__name__, *path.relative_to(folder).with_suffix("").parts)))
