"""All groupings of a feature's categories into two, and those of them that cut the categories sorted by a share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pages.results.cache import kept
from pages.results.lessons.trees import decision, rows


@dataclass(frozen=True)
class Groupings:
    """Categories by ascending share of a class, with the Gini index left by every cut and by every grouping.

    `counts` are their rows, `places` their places in the table's order; `all_values` ascend.
    """

    categories: tuple[str, ...]
    counts: tuple[float, ...]
    shares: tuple[float, ...]
    places: tuple[int, ...]
    cuts: tuple[float, ...]
    all_values: tuple[float, ...]

    @property
    def best(self) -> int:
        """The position of the best cut."""
        return self.cuts.index(min(self.cuts))


@kept()
def groupings(sample: str, feature: str, code: int) -> Groupings:
    """Of a feature of a built-in table with two classes and at most ten categories, over all rows."""
    data = rows(sample, (feature,))
    values, is_class = data.frame[feature].astype(str), data.y == code
    labels = [str(label) for label in dict.fromkeys(values)]
    shares = {label: float(is_class[values == label].mean()) for label in labels}
    ordered = sorted(labels, key=lambda label: shares[label])
    candidates = decision(sample, "CART", 0, (), (feature,)).candidates
    left = {
        frozenset(map(str, branch)): candidate.weighted_impurity
        for candidate in candidates
        for branch in candidate.condition.branches
    }
    return Groupings(
        categories=tuple(ordered),
        counts=tuple(float(np.sum(values == label)) for label in ordered),
        shares=tuple(shares[label] for label in ordered),
        places=tuple(labels.index(label) for label in ordered),
        cuts=tuple(left[frozenset(ordered[: k + 1])] for k in range(len(ordered) - 1)),
        all_values=tuple(sorted(candidate.weighted_impurity for candidate in candidates)),
    )
