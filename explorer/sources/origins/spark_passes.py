"""Passes of Spark's workers over the blocks of a working table."""

from __future__ import annotations

import importlib.util
import pickle
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import ModuleType, SimpleNamespace

from explorer.messages import Words
from explorer.sources.blocks import worker_counts
from explorer.sources.blocks.engine import Question
from explorer.sources.blocks.worker_counts import Partial
from explorer.sources.origins.spark_session import SparkQueries

LEAST_PARTS = 64
"""A table of more partitions is answered for in so many parts, or one per core where these are more."""


@cache
def by_value(module: ModuleType) -> ModuleType:
    """A module for workers under a name that cannot be imported: so pickle sends its functions and not their names."""
    name = f"sent_{module.__name__.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec is not None, "it is a file of Python"
    assert spec.loader is not None, "of which Python knows how to load it"
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy


class SparkPasses:
    """Runs passes over the blocks that a session keeps; `types` are those of their arrays, `n_parts` partitions."""

    def __init__(self, session: SparkQueries, types: dict[str, str], n_parts: int) -> None:
        self._session, self._types = session, types
        self.n_parts = min(n_parts, max(session.n_cores, LEAST_PARTS))

    def __call__(
        self, what: Words, text: Callable[[], str], arrays: Sequence[str], way: SimpleNamespace, asked: list[Question]
    ) -> list[list[Partial]]:
        """The answers of every partition to the questions; reads these arrays only. Raises EngineError."""
        types = {name: self._types[name] for name in arrays}
        answer = partial(by_value(worker_counts).answer_in_batches, types=types, way=way, asked=asked)
        return list(map(pickle.loads, self._session.over_blocks(what, text(), arrays, answer, self.n_parts)))

    def close(self) -> object:
        """Let Spark forget the blocks; may be called twice."""
        return self._session.close()
