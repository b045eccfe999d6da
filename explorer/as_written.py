"""Compiled functions that run in Python for a while: a server just started answers before it has compiled anything.

Each function is the same text in both forms. Results are the same too, to the last digit where no array is summed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

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


def runs_as_written() -> bool:
    """Whether a call from Python, in this thread and now, is to run as written if it gets few numbers."""
    return _is_on.is_set() and not _loads()
