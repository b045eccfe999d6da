"""What every round began with, worked out again when it is asked for: rows × members numbers would fill the memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State")


class Replay(Generic[State]):
    """The state of the rows before every round, from the first one and the steps of the rounds since.

    A step takes a state to the next one by the operations that the round itself did, so that the numbers are the same
    to the last digit. It keeps little: a byte or a bit per row.

    >>> doubling = Replay(1)
    >>> for _ in range(3):
    ...     doubling.add(lambda state: 2 * state)
    >>> [doubling.before(stage) for stage in (1, 2, 4)]
    [1, 2, 8]
    """

    def __init__(self, first: State) -> None:
        """Begin with the state before round 1."""
        self.first = first
        self.steps: list[Callable[[State], State]] = []
        self._latest = (1, first)

    def add(self, step: Callable[[State], State]) -> None:
        """Append the step of the next round."""
        self.steps.append(step)

    def before(self, stage: int) -> State:
        """The state before a round; the last one asked for is kept, as rounds are mostly looked at in order."""
        begin, state = self._latest
        if begin > stage:
            begin, state = 1, self.first
        for step in self.steps[begin - 1 : stage - 1]:
            state = step(state)
        self._latest = stage, state
        return state


def small(ids: NDArray[np.int64]) -> NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.int64]:
    """Ids from 0 on in the smallest type that holds them."""
    largest = int(ids.max(initial=0))
    if largest < 2**8:
        return ids.astype(np.uint8)
    return ids.astype(np.uint16) if largest < 2**16 else ids
