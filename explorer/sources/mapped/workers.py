"""A few threads that share tasks in a fixed way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers:
    """So many threads, started when there is work for two; compiled loops run in them at the same time."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads)

    def each(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
        """The results of all tasks, in their order; an error is raised once no thread works any more."""
        shares = [tasks[i :: self.threads] for i in range(min(self.threads, len(tasks)))]
        if len(shares) < 2:
            return [work(task) for task in tasks]
        futures = [self._pool.submit(lambda share: [work(task) for task in share], share) for share in shares]
        wait(futures)
        done = [future.result() for future in futures]
        return [done[i % self.threads][i // self.threads] for i in range(len(tasks))]

    def close(self) -> None:
        """End the threads; may be called twice."""
        self._pool.shutdown()
