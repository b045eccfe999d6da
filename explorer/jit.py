"""How loops are compiled: the decorators, and a compile cache that cannot go stale.

numba caches compiled code per file and does not notice when a function in *another* file, called and inlined by the
cached one, has changed. So what was compiled from a module is dropped whenever that module, or one that it imports,
differs from the last time.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

_HERE = Path(__file__).parent
_STAMP = _HERE / "__pycache__" / "kernels.json"
_IMPORT = re.compile(r"^ *from (explorer[\w.]+) import", re.MULTILINE)
_FROM = re.compile(r"^ *from (explorer[\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_CONSTANT = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
_HOW = ("explorer.jit", "explorer.jit_parts")

LINKS_PARTS = numba.__version__.startswith("0.68.") and not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""Whether parts are linked into entries (`explorer/jit_parts.py`): by the versions of numba that this was tried with.

By any other, loops are compiled in numba's public way: results are the same, and the first start takes longer. With
`NUMBA_DISABLE_JIT=1` Python runs their text.
"""
if LINKS_PARTS:
    from explorer.jit_parts import Entry, Part

_OPTIONS: dict[str, Any] = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True}


def _decorator(is_part: bool = False, borrows: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    options = {"nogil": True, "error_model": "numpy", **options}

    def decorate(function: Callable[..., Any]) -> Any:
        if not LINKS_PARTS:
            loop: Any = numba.njit(cache=True, **options)(function)
            loop.part = loop
            return loop
        loop = (Part if is_part else Entry)(function, targetoptions={**_OPTIONS, "_nrt": not borrows, **options})
        loop.enable_caching()
        return loop

    return decorate


kernel = _decorator()
"""Compile a function to machine code that runs without the interpreter lock (many users, many threads)."""

inner = _decorator(is_part=True)
"""The same for a function that only other compiled functions call: without an entry from Python it compiles faster."""

borrowing = _decorator(borrows=True)
"""The same for a function that makes no array and returns none: it uses its caller's without counting references.

Counting is an atomic access to memory for every array of every record that is passed, twice, and took more than half
of the time where nodes are small. A function that such a one calls must not return an array either, unless `inlined`.
"""

inlined = _decorator(inline="always")
"""The same for a function that returns a part of an array: its lines are compiled as its caller's."""


@kernel
def _first():
    """Do nothing: the first compiled function of all, which is never called, knows where numba keeps compiled code."""


def compiled_sources() -> dict[str, str]:
    """The text of every compiled module, of those whose constants it uses, and of those that say how, by its name."""
    texts = {
        ".".join(("explorer", *path.relative_to(_HERE).with_suffix("").parts)): path.read_text("utf-8")
        for path in sorted(_HERE.rglob("*.py"))
    }
    compiled = {name for name, text in texts.items() if "from explorer.jit import" in text} | set(_HOW)
    imports = [found for name in compiled for found in _FROM.findall(texts[name])]
    of_constants = {module for module, names in imports if _CONSTANT.search(names)}
    return {name: text for name, text in texts.items() if name in compiled | of_constants}


def stamps_of(sources: dict[str, str]) -> dict[str, str]:
    """A fingerprint of every compiled module that changes with its text and with that of any it imports."""
    imported = {name: set(_IMPORT.findall(text)) & sources.keys() for name, text in sources.items()}
    stamps = {}
    for name in sources:
        reached, waiting = {name}, [name]
        while waiting:
            new = imported[waiting.pop()] - reached
            reached |= new
            waiting += new
        text = "\0".join(sources[module] for module in sorted(reached))
        stamps[name] = hashlib.sha256(text.encode()).hexdigest()
    return stamps


ALL_COMPILED, PAGES_COMPILED = "compiled", "pages-compiled"
"""What the names of the files begin with that say that all is compiled, or what pages need."""


def _mark(what: str) -> Path:
    """The file that says that it was compiled from today's sources by this numba for this processor."""
    loop: Any = _first
    machine = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    text = repr((sorted(stamps_of(compiled_sources()).items()), numba.__version__, machine))
    return Path(loop.stats.cache_path, f"{what}-{hashlib.sha256(text.encode()).hexdigest()[:20]}")


def is_all_compiled() -> bool:
    """Whether everything that is compiled ahead has been compiled on this machine before."""
    return _mark(ALL_COMPILED).is_file()


def mark(what: str) -> None:
    """Leave the file that says that it is compiled, if the folder can be written to."""
    with suppress(OSError):
        _mark(what).touch()


def stamps_on_disk(file: Path) -> dict[str, str]:
    """The fingerprints that were written into a file last; none where there is no file, or a damaged one."""
    try:
        stamps = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def keep_stamps(file: Path, stamps: dict[str, str]) -> None:
    """Write fingerprints into a file at once: another process may be starting, and reads all of them or none."""
    file.parent.mkdir(exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.write_text(json.dumps(stamps), "utf-8")
    draft.replace(file)


def drop_old_drafts(folder: Path) -> None:
    """Delete what processes left that were ended while they wrote compiled code; those of the last hour may go on."""
    for draft in folder.rglob("*.nbc.*"):
        with suppress(FileNotFoundError):  # another process was quicker
            if time.time() - draft.stat().st_mtime > 3600.0:
                draft.unlink()


def drop_stale_cache() -> list[str]:
    """Delete compiled code of modules that were compiled from other sources than today's; give their names."""
    today = stamps_of(compiled_sources())
    try:
        before = stamps_on_disk(_STAMP)
        if before == today:
            return []
        stale = [name for name, stamp in today.items() if before.get(name) != stamp]
        for name in stale:
            path = _HERE.parent.joinpath(*name.split("."))
            for compiled in (path.parent / "__pycache__").glob(f"{path.name}.*.nb[ic]"):
                compiled.unlink(missing_ok=True)
        drop_old_drafts(_HERE)
        keep_stamps(_STAMP, today)
    except OSError:  # a read-only installation: numba then caches under the user's own directory, keyed by version
        return []
    return stale


drop_stale_cache()
