"""Compiled functions that run in Python for a while: a server just started answers before it has compiled anything.

Each function is the same text in both forms. Results are the same too, to the last digit where no array is summed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

FEW, LONG = 2_000, 0.3
"""Numbers up to which a call runs as written; seconds that a function may take so in all, then it is compiled."""

_is_on = threading.Event()
_this_thread = threading.local()


@contextmanager
def run_as_written() -> Iterator[None]:
    """While the block runs, calls from Python that get few numbers do not wait for compiled code, nor load it.

    Within `loading`, this block goes first.
    """
    was_on, loads = _is_on.is_set(), _loads()
    _is_on.set()
    _this_thread.loads = False
    try:
        yield
    finally:
        _this_thread.loads = loads
        if not was_on:
            _is_on.clear()


@contextmanager
def loading() -> Iterator[None]:
    """While the block runs, this thread's calls load compiled code all the same: then the others' calls find it."""
    _this_thread.loads = True
    try:
        yield
    finally:
        _this_thread.loads = False


def _loads() -> bool:
    return getattr(_this_thread, "loads", False)


def _runs_as_written() -> bool:
    return _is_on.is_set() and not _loads()


class WrittenFirst(CPUDispatcher):
    """A function that Python calls: compiled, or as written within `run_as_written`."""

    _seconds = 0.0

    def _compile_for_args(self, *args, **kws):
        """What a call runs that finds nothing compiled for its types."""
        if _runs_as_written() and self._seconds < LONG and _count(args) <= FEW:
            return self._as_written
        return super()._compile_for_args(*args, **kws)

    def _as_written(self, *arguments):
        """With NumPy's numbers, which wrap around and divide by zero as compiled code does: without an error."""
        start = time.perf_counter()
        try:
            with np.errstate(all="ignore"):
                return self.py_func(
                    *(np.asarray(each)[()] if type(each) in (int, float) else each for each in arguments)
                )
        finally:
            self._seconds += time.perf_counter() - start


def _count(argument: Any) -> int:
    """How many numbers there are in an argument: a number, an array, or a record or tuple of them."""
    return sum(map(_count, argument)) if isinstance(argument, tuple) else getattr(argument, "size", 1)
