"""The worker threads of the process: one pool that trees share, one for many pieces of work side by side.

What a reader waits for must not stand in line behind long work. So trees and candidates that are asked for one at a
time use the shared pool, in short tasks. Independent pieces of long work (trees of a forest, folds) go to background
threads, a few at a time. A worker thread of either kind gives no work to others, so none waits for a pool.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from itertools import islice
from typing import Any, TypeVar

from explorer.messages import current_catalogue, use_catalogue

Item = TypeVar("Item")
Result = TypeVar("Result")
REPORT_EVERY = 0.2
"""Seconds between two reports of progress, at most."""
ROWS_OF_A_BLOCK = 10_000
"""Rows that take so long to send down a tree that they are worth handing to another thread."""
WORTH_A_THREAD = 20_000
"""Cells from which a piece of work takes so long that it is worth handing to a background thread."""
CELLS_OF_A_PART = 40_000
"""Cells that take so long to sort, search or divide that they are worth handing to another thread."""
CELLS_OF_A_TASK = 20_000
"""Cells from which an item is handed out by itself, so that no thread waits for another that has more to do."""

_lock = threading.Lock()
_pools: dict[str, Executor] = {}
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
    """How many threads work on a tree: all, or one where this is a worker thread."""
    return 1 if _works_alone() else _threads


def shared_pool() -> Executor:
    """The pool for short tasks, made at first use; in a worker thread it is that thread."""
    return _pool_named("explorer", _cores)


def background_pool() -> Executor:
    """The threads for long pieces of work, made at first use; in a worker thread it is that thread."""
    return _pool_named("explorer-background", list)


def _pool_named(name: str, cores: Callable[[], list[int]]) -> Executor:
    if _works_alone():
        return _IN_THIS_THREAD
    with _lock:
        if name not in _pools:
            _pools[name] = ThreadPoolExecutor(_threads, name, _work_alone, (deque(cores()),))
        return _pools[name]


def _cores() -> list[int]:
    """A core for every thread of the shared pool; none where there are fewer cores, or no such choice (not Linux).

    Linux wakes a thread on the core of the one that woke it, even where another core is idle, and moves it some
    milliseconds later: a table of 10,000 rows is grown by then.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    first = os.getpid() % max(len(cores), 1)  # processes side by side do not all begin with the same core
    return cores[first:] + cores[:first] if _threads <= len(cores) else []


def _work_alone(cores: deque[int]) -> None:
    """From now on this thread gives no work to others, and keeps to the next of these cores, if there are any."""
    _this_thread.is_alone = True
    if cores:
        with suppress(OSError):  # the process may have lost it since
            os.sched_setaffinity(0, {cores.popleft()})


@contextmanager
def working_alone() -> Iterator[None]:
    """While the block runs, this thread gives no work to others, as if it were a worker thread."""
    was_alone = _works_alone()
    _this_thread.is_alone = True
    try:
        yield
    finally:
        _this_thread.is_alone = was_alone


def _works_alone() -> bool:
    return getattr(_this_thread, "is_alone", False)


def in_blocks(work: Callable[[int, int], object], n_rows: int) -> None:
    """Call `work(start, end)` for blocks that cover all rows, by the shared pool where there are enough of them.

    >>> in_blocks(print, 3)
    0 3
    """
    n_blocks = min(thread_count(), max(1, n_rows // ROWS_OF_A_BLOCK))
    if n_blocks == 1:
        work(0, n_rows)
        return
    ends = [n_rows * block // n_blocks for block in range(n_blocks + 1)]
    list(shared_pool().map(work, ends[:-1], ends[1:]))


def by_all_threads(work: Callable[[Item], Result], items: Sequence[Item], cells: int) -> list[Result]:
    """`work` for every item, in order, by the shared pool where there is enough to do: `cells` is that of an item.

    >>> by_all_threads(str.upper, ["a", "b", "c"], 30_000)
    ['A', 'B', 'C']
    """
    n_parts = min(thread_count(), len(items), len(items) * cells // CELLS_OF_A_PART)
    if n_parts < 2:
        return [work(item) for item in items]
    if cells >= CELLS_OF_A_TASK:
        return list(shared_pool().map(work, items))
    ends = [len(items) * part // n_parts for part in range(n_parts + 1)]
    parts = shared_pool().map(lambda start, end: [work(item) for item in items[start:end]], ends[:-1], ends[1:])
    return [result for part in parts for result in part]


def side_by_side(
    work: Callable[[Item], Result], items: Iterable[Item], report: Callable[[], None] | None = None
) -> Generator[Result]:
    """The results of independent pieces of work, in order, by background threads: nobody else waits for them.

    An item is taken when a thread is about to be free for it. `report` is called now and then while a result is waited
    for. An error that it raises, or the end of the iteration, leaves out the pieces that have not begun.

    >>> list(side_by_side(str.upper, ["a", "b", "c"]))
    ['A', 'B', 'C']
    """
    pool, at_once = background_pool(), thread_count() + 1
    waiting = (pool.submit(_context().run, work, item) for item in items)
    running = deque(islice(waiting, at_once))
    try:
        while running:
            while not wait([running[0]], REPORT_EVERY if report else None).done:
                if report is not None:
                    report()
            result = running.popleft().result()
            running.extend(islice(waiting, 1))
            yield result
    finally:
        for future in running:
            future.cancel()


def _context() -> Context:
    """A context for a piece of work, in which errors speak the caller's language."""
    context = copy_context()
    context.run(use_catalogue, current_catalogue())
    return context


@contextmanager
def using_threads(count: int) -> Iterator[None]:
    """Grow with this many threads inside the block; the trees are the same for any number."""
    global _pools, _threads
    before = (_pools, _threads)
    with _lock:
        _pools, _threads = {}, count
    mine = _pools
    try:
        yield
    finally:
        with _lock:
            _pools, _threads = before
        for pool in mine.values():
            pool.shutdown(wait=True)
