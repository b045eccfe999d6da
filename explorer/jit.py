"""How loops are compiled: the decorators, and a compile cache that cannot go stale.

numba caches compiled code per file and does not notice when a function in *another* file, called and inlined by the
cached one, has changed. So the cache is dropped whenever any of the compiled sources differs from the last time.
"""

import hashlib
from pathlib import Path
from typing import Any

from numba import njit

_HERE = Path(__file__).parent
_STAMP = _HERE / "__pycache__" / "kernels.sha256"

_options: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": True,
}

kernel = njit(**_options)
"""Compile a function to machine code that runs without the interpreter lock (many users, many threads)."""

inner = njit(**{**_options, "no_cpython_wrapper": True})
"""The same for a function that only other compiled functions call: without an entry from Python it compiles faster."""

borrowing = njit(**{**_options, "_nrt": False})
"""The same for a function that makes no array and returns none: it uses its caller's without counting references.

Counting is an atomic access to memory for every array of every record that is passed, twice, and took more than half
of the time where nodes are small. A function that such a one calls must not return an array either, unless `inlined`.
"""

inlined = njit(**_options, inline="always")
"""The same for a function that returns a part of an array: its lines are compiled as its caller's."""


def _compiled_sources() -> list[Path]:
    return sorted(path for path in _HERE.rglob("*.py") if "from explorer.jit import" in path.read_text("utf-8"))


def drop_stale_cache() -> bool:
    """Delete compiled code made from other sources than today's; say whether there was any."""
    sources = _compiled_sources()
    today = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    try:
        if _STAMP.is_file() and _STAMP.read_text("ascii") == today:
            return False
        for folder in {path.parent / "__pycache__" for path in sources}:
            for compiled in (*folder.glob("*.nbi"), *folder.glob("*.nbc")):
                compiled.unlink(missing_ok=True)
        _STAMP.parent.mkdir(exist_ok=True)
        _STAMP.write_text(today, "ascii")
    except OSError:  # a read-only installation: numba then caches under the user's own directory, keyed by version
        return False
    return True


drop_stale_cache()
