"""Whether the loops are being compiled: meanwhile small tables are grown by definition, and larger ones wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from explorer.threads import REPORT_EVERY

CELLS_BY_DEFINITION = 20_000
"""Cells up to which a table is grown by definition while the loops are still being compiled."""

_is_warming = threading.Event()
_has_loops = threading.Event()
_has_loops.set()


@contextmanager
def compiling(beside: bool = False) -> Iterator[None]:
    """While the block runs, small tables are grown by definition instead of waiting for the compiled loops.

    With `beside`, other processes compile them, and larger tables wait: until `let_large_tables_grow` is called, or
    the block ends.
    """
    _is_warming.set()
    if beside:
        _has_loops.clear()
    try:
        yield
    finally:
        _is_warming.clear()
        _has_loops.set()


def let_large_tables_grow() -> None:
    """Their loops have been compiled: large tables need not wait any longer."""
    _has_loops.set()


def wait_for_loops(n_rows: int, progress: Callable[[int, int], None] | None) -> None:
    """Wait while another process compiles: doing the same here would take no less time and make pages wait."""
    while not _has_loops.wait(REPORT_EVERY):
        if progress is not None:
            progress(0, n_rows)


def waits_for_loops() -> bool:
    """Whether large tables have to wait for their loops."""
    return not _has_loops.is_set()


def is_compiling() -> bool:
    """Whether the loops are still being compiled: times measured now say little about growing."""
    return _is_warming.is_set()
