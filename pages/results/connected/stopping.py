"""Stopping an engine in the middle of a query: the job's own progress is asked several times a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.sources.query_steps import stoppable
from explorer.sources.source import Progress


@contextmanager
def interruptible(progress: Progress) -> Iterator[Progress]:
    """Within the block a query that runs is interrupted once `progress` raises; gives the progress to report to."""
    last = [0, 0]

    def report(done: int, total: int) -> None:
        last[:] = done, total
        progress(done, total)

    with stoppable(lambda: progress(*last)):
        yield report
