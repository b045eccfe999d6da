"""Whether loops are being compiled, and which are there: meanwhile small tables are grown by definition.

Larger tables wait for the loops that they need, which are compiled next.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from explorer.threads import REPORT_EVERY

CELLS_BY_DEFINITION = 20_000
"""Cells up to which a table is grown by definition while its loops are still being compiled."""

PLAIN, PLAIN_PARTS, PLAIN_BY_ALL_THREADS = "plain", "plain, parts", "plain, all threads"
PAGES, PAGES_WITH_GAPS, RAISING, MEMBERS, SELDOM = "pages", "pages, missing cells", "raising", "members", "seldom"
ENGINE, ENGINE_BY_ALL_THREADS, FRACTIONAL_ROWS = "engine", "engine, all threads", "fractional rows"
NEEDED_BY_PAGES = (PLAIN, PLAIN_PARTS, PAGES)
"""What the pages need of a table without a missing cell, for a single tree of ID3, C4.5 or CART."""
IN_ORDER_OF_NEED = (
    *NEEDED_BY_PAGES,
    *(ENGINE, PLAIN_BY_ALL_THREADS, PAGES_WITH_GAPS, RAISING),
    *(ENGINE_BY_ALL_THREADS, FRACTIONAL_ROWS, MEMBERS, SELDOM),
)
"""The tasks of `explorer/compile_tasks.py`. What shares parts with another comes after it: they are on disk by then."""

_is_warming, _is_beside = threading.Event(), threading.Event()
_changed = threading.Condition()
_done: set[str] = set()
_waiting: list[tuple[str, ...]] = []
"""Tasks whose loops are there, and those that each table waits for."""


@contextmanager
def compiling(beside: bool = False) -> Iterator[None]:
    """While the block runs, small tables are grown by definition unless `has_loops`.

    With `beside`, other processes compile, and larger tables wait for them.
    """
    _is_warming.set()
    if beside:
        _is_beside.set()
    try:
        yield
    finally:
        _is_beside.clear()
        _is_warming.clear()
        _done.clear()
        with _changed:
            _changed.notify_all()


def let_grow(task: str) -> None:
    """The loops of a task are there: what needs them waits no longer."""
    with _changed:
        _done.add(task)
        _changed.notify_all()


def has_loops(*tasks: str) -> bool:
    """Whether the loops of these tasks are there."""
    return not _is_warming.is_set() or _done.issuperset(tasks)


def wait_for_loops(tasks: tuple[str, ...], n_rows: int, progress: Callable[[int, int], None] | None) -> None:
    """Wait while another process compiles these tasks, which come next.

    Doing the same here would take no less time and make pages wait.
    """
    _waiting.append(tasks)
    try:
        while _is_beside.is_set() and not has_loops(*tasks):
            with _changed:
                _changed.wait(REPORT_EVERY)
            if progress is not None:
                progress(0, n_rows)
    finally:
        _waiting.remove(tasks)


def take_next(tasks: list[str]) -> str:
    """Take a task out of the list: the first that is asked for, else the first."""
    with _changed:
        task = next((task for wanted in tuple(_waiting) for task in wanted if task in tasks), tasks[0])
        tasks.remove(task)
    return task


def waits_for_loops() -> bool:
    """Whether a large table waits for its loops."""
    return bool(_waiting) and _is_beside.is_set()


def compiles_beside() -> bool:
    """Whether other processes still compile, so that a large table may have to wait."""
    return _is_beside.is_set()


def is_compiling() -> bool:
    """Whether the loops are still being compiled: times measured now say little about growing."""
    return _is_warming.is_set()
