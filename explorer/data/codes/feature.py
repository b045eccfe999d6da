"""A column as values and codes: what is encoded once, and looked at by everything else."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.late_values import Listed, values_of
from explorer.data.codes.scale import NUMBERS, Ordered, Scale
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class Feature:
    """A column's name, kind ("numeric" or "categorical") and list of values: `listed` numbers or categories."""

    name: str
    kind: str
    listed: Listed = field(default_factory=lambda: np.empty(0), repr=False)
    categories: tuple[Value, ...] = ()
    scale: Scale = NUMBERS
    """What its numbers stand for."""

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers, ascending."""
        return values_of(self.listed)

    @property
    def n_values(self) -> int:
        """How many different values there are; also the code of a missing cell."""
        return len(self.listed) if self.kind == "numeric" else len(self.categories)

    @property
    def type(self) -> str:
        """Its kind as readers choose it: "ordered" for numbers that are ranks of levels."""
        return "ordered" if isinstance(self.scale, Ordered) else self.kind

    @property
    def given_kind(self) -> str | Ordered:
        """What the `kinds` of `Dataset.from_frame` need to have it so again, but for the order of categories."""
        return self.scale if isinstance(self.scale, Ordered) else self.kind

    def value(self, code: int) -> Value:
        """The number, level or category of a code, as cells have it."""
        if self.kind == "categorical":
            return self.categories[code]
        return self.as_cell(float(self.values[code]))

    def as_cell(self, number: float) -> Value:
        """A number as cells have it: the level of a rank."""
        return self.scale.level(number) if isinstance(self.scale, Ordered) else number
