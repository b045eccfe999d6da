"""How much memory results may take: a share of what the machine, or the container, gives this process."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
from contextlib import suppress
from pathlib import Path

SHARE_NAME, SHARE = "EXPLORER_MEMORY_SHARE", 0.25
"""The environment variable with the share of the memory that kept results may take, and its default."""
LEAST = 64 << 20
"""However small the machine, results may take so many bytes: a page needs some of them at once."""
_CGROUP_FILES = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
_log = logging.getLogger(__name__)


def machine_bytes(cgroup_files: tuple[Path, ...] = _CGROUP_FILES) -> int:
    """The memory of the machine, or the limit of the container if that is less."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    for file in cgroup_files:
        with suppress(OSError, ValueError):
            limits.append(int(file.read_text("ascii")))  # "max" is no number: no limit
    return min(limits, default=4 << 30)


def share(text: str | None) -> float:
    """The share that a text names, as 0.25 or 25%; the default with a warning where it is neither.

    >>> share("0.1"), share("30%"), share(None)
    (0.1, 0.3, 0.25)
    """
    if text is None:
        return SHARE
    with suppress(ValueError):
        number = float(text.strip().rstrip("%")) / (100 if text.strip().endswith("%") else 1)
        if 0 < number <= 1:
            return number
    _log.warning("%s is %r: give a number above 0 and up to 1, such as 0.25. %s is used.", SHARE_NAME, text, SHARE)
    return SHARE


def most_bytes() -> int:
    """The bytes that kept results may take; they are also written to the server's log."""
    whole, part = machine_bytes(), share(os.environ.get(SHARE_NAME))
    most = max(LEAST, int(whole * part))
    _log.warning(
        "Results are kept in up to %s MB of memory: %.0f %% of %s MB (%s).",
        f"{most / 1e6:,.0f}",
        100 * part,
        f"{whole / 1e6:,.0f}",
        SHARE_NAME,
    )
    return most


def trim() -> None:
    """Collect garbage, and give memory that is free inside the process back to the system.

    What was there when the server had started is left out of garbage collections, a session of that time too: now it is
    looked at.
    """
    was_frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    gc.collect()
    if was_frozen:
        gc.freeze()
    with suppress(ImportError, AttributeError):
        import pyarrow

        pyarrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # another system than Linux with glibc
        ctypes.CDLL("libc.so.6").malloc_trim(0)
