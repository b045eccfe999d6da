"""Smoothed class probabilities: a leaf of few rows claims no certainty (explorer/ensembles/DEFINITIONS.md section 24).

Of a node with n_k rows of class k, n in all, smoothing makes (n_k + m·π_k)/(n + m): as if m more rows had come with
the shares π. Laplace's rule has m = K and equal shares, the m-estimate those of the root. Labels do not change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message

Floats = NDArray[np.float64]
NO_SMOOTHING, LAPLACE, M_ESTIMATE = "none", "laplace", "m_estimate"
METHODS = (NO_SMOOTHING, LAPLACE, M_ESTIMATE)


@dataclass(frozen=True)
class Smoothing:
    """A rule of smoothing by its name: "laplace", or "m_estimate" with its m (C5.0 predicts with m = 1).

    Raises InputError for another name, and for an m that is not a positive number. "none" leaves shares as they are.
    """

    method: str = LAPLACE
    m: float = 1.0

    def __post_init__(self) -> None:
        """Refuse invalid values."""
        if self.method not in METHODS:
            raise InputError(
                message(
                    "There is no smoothing '{method:.40}'. Choose one of {methods}.",
                    method=str(self.method),
                    methods=listing(METHODS),
                )
            )
        if isinstance(self.m, bool) or not isinstance(self.m, (int, float)) or not 0 < self.m < math.inf:
            raise InputError(
                message("The m of smoothing is {m:.40}. It must be a number above 0, such as 1.", m=repr(self.m))
            )

    @classmethod
    def of(cls, smoothing: Smoothing | str | None) -> Smoothing | None:
        """A rule given by itself or by its name; None where nothing is smoothed.

        >>> Smoothing.of("laplace"), Smoothing.of("none")
        (Smoothing(method='laplace', m=1.0), None)
        """
        rule = cls(smoothing) if isinstance(smoothing, str) else smoothing
        return None if rule is None or rule.method == NO_SMOOTHING else rule

    def added(self, root_shares: Floats) -> Floats:
        """What is added to the rows of every class, [K]: m·π_k.

        >>> Smoothing("m_estimate", m=2).added(np.array([0.25, 0.75])).tolist()
        [0.5, 1.5]
        """
        if self.method == M_ESTIMATE:
            return self.m * np.asarray(root_shares, dtype=np.float64)
        return np.full(len(root_shares), 1.0 if self.method == LAPLACE else 0.0)

    def probabilities(self, class_weights: Floats, root_shares: Floats) -> Floats:
        """Probabilities [n, K] from class weights [n, K] of nodes with rows.

        >>> overcast = np.array([[4.0, 0.0]])
        >>> Smoothing("laplace").probabilities(overcast, np.array([9 / 14, 5 / 14])).round(4).tolist()    # 5/6
        [[0.8333, 0.1667]]
        >>> Smoothing("m_estimate").probabilities(overcast, np.array([9 / 14, 5 / 14])).round(4).tolist()    # 13/14
        [[0.9286, 0.0714]]
        """
        numerators = class_weights + self.added(root_shares)
        totals = numerators.sum(axis=1, keepdims=True)
        return np.asarray(numerators / np.where(totals > 0, totals, 1.0))

    @property
    def sentence(self) -> str:
        """What the rule does, in the language in force."""
        if self.method == LAPLACE:
            return message("Probabilities are smoothed by Laplace’s rule: (rows of the class + 1) / (rows + classes).")
        return message(
            "Probabilities are m-estimates with m = {m:g}: (rows of the class + m · its share at the root) / (rows + "
            "m).",
            m=self.m,
        )

    def to_plain(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {"method": self.method, "m": self.m}

    @classmethod
    def from_plain(cls, plain: object) -> Smoothing:
        """The rule that `to_plain` wrote."""
        if not isinstance(plain, dict) or set(plain) != {"method", "m"}:
            raise InputError(message("The saved tree is damaged: its smoothing cannot be read. Save it again."))
        return cls(plain["method"], plain["m"])
