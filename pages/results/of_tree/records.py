"""The sets of rows, a grown tree, and the scores along its pruning path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import explorer as ex


@dataclass(frozen=True)
class Parts:
    """The training, validation and test set in memory; `how` is "all", "two" or "three".

    Of a connected table they are samples, and `all_rows` has the sets themselves.
    """

    how: str
    train: ex.Dataset
    valid: ex.Dataset | None = None
    test: ex.Dataset | None = None


@dataclass(frozen=True)
class Grown:
    """A tree, and the seconds that growing it took; None while the loops are still being compiled, which takes most."""

    tree: ex.Tree
    seconds: float | None


@dataclass(frozen=True)
class Curves:
    """Scores of every entry of a pruning path; `how` says which rows the validation curve comes from.

    Leaving out row by row (`left_out`) also gives standard errors, and the smallest tree within one of the best.
    """

    train: NDArray[np.float64]
    valid: NDArray[np.float64] | None
    how: str
    baseline: float
    best: int | None
    left_out: ex.CrossValidation | None = None

    @property
    def se(self) -> NDArray[np.float64] | None:
        """The standard error of every held-out score, where there is one."""
        return self.left_out.standard_error if self.left_out else None

    @property
    def one_se(self) -> int | None:
        """The smallest tree within one standard error of the best, where there are such errors."""
        return self.left_out.one_se if self.left_out else None
