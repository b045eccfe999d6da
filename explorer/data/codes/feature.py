"""A column as values and codes: what is encoded once, and looked at by everything else."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.late_values import Listed, values_of
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class Feature:
    """A column's name, kind ("numeric" or "categorical") and list of values: `listed` numbers or categories."""

    name: str
    kind: str
    listed: Listed = field(default_factory=lambda: np.empty(0), repr=False)
    categories: tuple[Value, ...] = ()
    days_since: str = ""
    """The date that its numbers count days from (`explorer.data.codes.dates`); "" where they are no dates."""

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers, ascending."""
        return values_of(self.listed)

    @property
    def n_values(self) -> int:
        """How many different values there are; also the code of a missing cell."""
        return len(self.listed) if self.kind == "numeric" else len(self.categories)
