"""The process-wide pool of worker threads that every run of growing shares."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_threads = max(1, os.cpu_count() or 1)


def thread_count() -> int:
    """How many threads grow trees."""
    return _threads


def shared_pool() -> ThreadPoolExecutor:
    """The pool, made at first use. Work given to it must not wait for other work in it."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(_threads, thread_name_prefix="explorer")
        return _pool


@contextmanager
def using_threads(count: int) -> Iterator[None]:
    """Grow with this many threads inside the block; the trees are the same for any number."""
    global _pool, _threads
    before = (_pool, _threads)
    with _lock:
        _pool, _threads = ThreadPoolExecutor(count, thread_name_prefix="explorer"), count
    mine = _pool
    try:
        yield
    finally:
        with _lock:
            _pool, _threads = before
        mine.shutdown(wait=True)
