"""How much memory this process may still take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UNKNOWN = 1 << 62
"""In place of the bytes where the system does not tell them."""
_GROUP = Path("/sys/fs/cgroup")
_FILES = (
    ("memory.max", "memory.current", "memory.stat"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
)
"""A container's limit, what it uses, and how much of that are pages of files, which give way."""


def available_bytes(machine: Path = Path("/proc/meminfo"), group: Path = _GROUP) -> int:
    """The bytes that are free on the machine, or within the limit of the container if that is less.

    What a system other than Linux has free is only known where `os.sysconf` tells it.
    """
    free = [UNKNOWN]
    with suppress(OSError, ValueError, IndexError):
        free.append(1024 * int(machine.read_text("ascii").split("MemAvailable:")[1].split()[0]))
    if len(free) == 1 and "SC_AVPHYS_PAGES" in getattr(os, "sysconf_names", ()):
        free.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES"))
    for limit, use, parts in _FILES:
        with suppress(OSError, ValueError, IndexError):  # "max" is no number: no limit
            most, used, of_use = ((group / name).read_text("ascii") for name in (limit, use, parts))
            free.append(int(most) - int(used) + int(of_use.split("inactive_file ")[-1].split()[0]))
    return max(min(free), 0)
