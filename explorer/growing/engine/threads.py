"""The worker threads of the process: one pool that growing a tree shares, one for many pieces of work side by side.

What a reader waits for must not stand in line behind long work. So trees and candidates that are asked for one at a
time use the shared pool, in short tasks. Independent pieces of long work (trees of a forest, folds) go to background
threads, a few at a time; each of them works alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_background: ThreadPoolExecutor | None = None
_threads = max(1, os.cpu_count() or 1)
_this_thread = threading.local()


class _InThisThread(Executor):
    """Does what it is given at once, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - as any executor: whoever asks for the result gets the error
            future.set_exception(error)
        return future


_IN_THIS_THREAD = _InThisThread()


def thread_count() -> int:
    """How many threads grow a tree: all, or one where this is a background thread."""
    return 1 if _works_alone() else _threads


def shared_pool() -> Executor:
    """The pool, made at first use. Work given to it must not wait for other work in it.

    In a background thread it is that thread: waiting for the pool there could wait for ever, and keep readers waiting.
    """
    global _pool
    if _works_alone():
        return _IN_THIS_THREAD
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(_threads, thread_name_prefix="explorer")
        return _pool


def background_pool() -> Executor:
    """Threads for pieces of long work, each done by one of them alone, made at first use.

    In such a thread it is that thread.
    """
    global _background
    if _works_alone():
        return _IN_THIS_THREAD
    with _lock:
        if _background is None:
            _background = _new_background(_threads)
        return _background


def _new_background(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, thread_name_prefix="explorer-background", initializer=_work_alone)


def _work_alone() -> None:
    """From now on this thread gives no work to others."""
    _this_thread.is_alone = True


def _works_alone() -> bool:
    return getattr(_this_thread, "is_alone", False)


@contextmanager
def using_threads(count: int) -> Iterator[None]:
    """Grow with this many threads inside the block; the trees are the same for any number."""
    global _pool, _background, _threads
    before = (_pool, _background, _threads)
    with _lock:
        _pool, _threads = ThreadPoolExecutor(count, thread_name_prefix="explorer"), count
        _background = _new_background(count)
    mine = (_pool, _background)
    try:
        yield
    finally:
        with _lock:
            _pool, _background, _threads = before
        for pool in mine:
            pool.shutdown(wait=True)
