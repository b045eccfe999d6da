"""Working memory that the system has back as soon as nobody uses it.

What is freed otherwise stays with the process: at the place where it was, and with the thread that allocated it.
"""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORTH_A_CALL = 1 << 18
"""Bytes from which it is worth asking the system itself."""
WORTH_LARGE_PAGES = 1 << 22
"""Bytes from which pages of 2 MB are asked for, as numpy does: the processor finds their places faster."""


def scratch(shape: tuple[int, ...], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    """An array that is not filled; its pages take memory when they are first written to.

    The system takes about 0.3 ms for every MB of them, so this is for what is used for long or not in whole.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size < WORTH_A_CALL or not hasattr(mmap, "MAP_ANONYMOUS"):  # Windows gives back what is freed
        return np.empty(shape, dtype)
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:  # no memory, or too many such pieces: numpy finds some, or says what is wrong
        return np.empty(shape, dtype)
    if size >= WORTH_LARGE_PAGES and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system without such pages
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype).reshape(shape)


def give_back_text() -> None:
    """Let Arrow, in which columns of text are, give back what this thread has freed there."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
