"""The points that one draws: two features from 0 to 10, and a class or a number each, as a short text or a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Kind
from explorer.errors import InputError
from explorer.messages import message

FEATURES = ("x", "y")
CLASSES = ("A", "B", "C")
TARGETS = ("2", "3", "number")
"""Two classes, three classes, or a number between 0 and 10."""
EXTENT = 10.0
"""Both features reach from 0 to here, in steps of 1/100; a numeric target in steps of 1/10."""
MOST_POINTS = 500
_STEPS, _VALUE_STEPS = 1000, 100
LETTERS = 6
"""A point as text: x, y and its mark as two digits each, to base 36."""

Steps = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """Points in the order they were drawn: [n] steps of x and y, and marks: class codes or steps of the number."""

    x_steps: Steps
    y_steps: Steps
    marks: Steps
    target: str = "2"

    @property
    def n_points(self) -> int:
        """How many points there are."""
        return len(self.marks)

    @property
    def is_regression(self) -> bool:
        """Whether the points have numbers instead of classes."""
        return self.target == "number"

    @property
    def target_name(self) -> str:
        """The name of the target's column."""
        return "value" if self.is_regression else "class"

    @property
    def x(self) -> NDArray[np.float64]:
        """The first feature, [n]."""
        return self.x_steps / (_STEPS / EXTENT)

    @property
    def y(self) -> NDArray[np.float64]:
        """The second feature, [n]."""
        return self.y_steps / (_STEPS / EXTENT)

    @property
    def kinds(self) -> dict[str, Kind]:
        """The type of every column."""
        return {"x": "numeric", "y": "numeric", self.target_name: "numeric" if self.is_regression else "categorical"}

    def frame(self) -> pd.DataFrame:
        """The points as a table: x, y, and class (A, B, C) or value."""
        if self.is_regression:
            return pd.DataFrame({"x": self.x, "y": self.y, "value": self.marks / (_VALUE_STEPS / EXTENT)})
        return pd.DataFrame({"x": self.x, "y": self.y, "class": np.array(CLASSES, dtype=object)[self.marks]})

    def csv(self) -> str:
        """The table as a CSV file.

        >>> print(points_of("00rs01", "2").csv(), end="")
        x,y,class
        0.0,10.0,B
        """
        return str(self.frame().to_csv(index=False, lineterminator="\n"))

    def dataset(self) -> Dataset:
        """The table ready for growing; InputError where there are not two classes, or two values, to tell apart."""
        return Dataset.from_frame(self.frame(), self.target_name, features=FEATURES, kinds=self.kinds)

    def text(self) -> str:
        """The points as a short text, of which `points_of` makes them again."""
        columns = (self.x_steps.tolist(), self.y_steps.tolist(), self.marks.tolist())
        return "".join(_PAIRS[step] for point in zip(*columns, strict=True) for step in point)


def _pair(step: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[step // 36] + digits[step % 36]


_PAIRS = [_pair(step) for step in range(_STEPS + 1)]
_STEP_OF = {pair: step for step, pair in enumerate(_PAIRS)}


def points_of(text: str, target: str) -> DrawnTable:
    """The points of a text, for a kind of target (see `TARGETS`).

    InputError for a text that is none, for marks that the target does not have, and for too many points.

    >>> points_of("8c5k00", "2").frame().to_dict("records")
    [{'x': 3.0, 'y': 2.0, 'class': 'A'}]
    """
    most = _VALUE_STEPS if target == "number" else int(target) - 1
    steps = [_STEP_OF.get(text[at : at + 2], -1) for at in range(0, len(text), 2)]
    marks = steps[2::3]
    if len(text) % LETTERS or min(steps, default=0) < 0 or max(marks, default=0) > most:
        raise InputError(message("The points of the link cannot be read: draw them again."))
    if len(marks) > MOST_POINTS:
        raise InputError(message("There are {n} points: draw at most {most}.", n=len(marks), most=MOST_POINTS))
    x, y, mark = (np.array(steps[place::3], dtype=np.int64) for place in range(3))
    return DrawnTable(x, y, mark, target)
