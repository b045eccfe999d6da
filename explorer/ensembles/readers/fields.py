"""What a reader finds in an ensemble of another program; `Ensemble` is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class ReadMember:
    """A tree, its round from 1 on, what its answer is multiplied by, and the class whose score it adds to."""

    tree: Tree
    stage: int
    vote: float
    of_class: int | None = None
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ReadEnsemble:
    """The trees in order, and how their answers become a prediction: `combination` by its name.

    `start` [1] or [K] is the score before the first tree. `constant` are class shares or the mean that votes begin
    with; None for a sum, whose link turns the start into them. `ended` says what early stopping chose.
    """

    origin: str
    method: str
    combination: str
    members: tuple[ReadMember, ...]
    start: NDArray[np.float64]
    constant: NDArray[np.float64] | None
    target: str
    classes: tuple[Value, ...]
    features: tuple[FeatureEncoding, ...]
    ended: Remark | None = None
