"""The best tree of a small table by trying all of them: rows are plain records, nothing is left out or bounded."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import explorer as ex

Row = dict[str, Any]


@dataclass(frozen=True)
class Terms:
    """What trees may be: their tests by column, their smallest leaves and nodes, and what a leaf costs.

    `tests` are "threshold", "each_value", "one_vs_rest" or "subset" by column; rows have their weight as "weight".
    """

    tests: dict[str, str]
    leaf_loss: Callable[[Sequence[Row]], float]
    price: float = 0.0
    least_leaf: float = 0.0
    least_node: float = 0.0
    two_branches: bool = False


def best_objective(rows: Sequence[Row], terms: Terms, depth: int, leaves: int | None) -> float:
    """Loss and price of the best tree with at most `depth` splits on a path and so many leaves (None: any)."""
    best = terms.leaf_loss(rows) + terms.price
    if depth == 0 or leaves == 1:
        return best
    for parts in partitions(rows, terms):
        if leaves is None:
            best = min(best, sum(best_objective(part, terms, depth - 1, None) for part in parts))
            continue
        for shares in itertools.product(range(1, leaves), repeat=len(parts)):
            if sum(shares) == leaves:
                below = (best_objective(p, terms, depth - 1, own) for p, own in zip(parts, shares, strict=True))
                best = min(best, sum(below))
    return best


def partitions(rows: Sequence[Row], terms: Terms) -> Iterator[list[list[Row]]]:
    """The branches of every test that the terms allow for some rows."""
    if weight(rows) < terms.least_node:
        return
    for column, test in terms.tests.items():
        values = sorted({row[column] for row in rows})
        for groups in _groups(values, test):
            parts = [[row for row in rows if row[column] in group] for group in groups]
            large = [weight(part) >= terms.least_leaf for part in parts]
            if sum(large) >= (min(2, len(parts)) if terms.two_branches else len(parts)):
                yield parts


def _groups(values: list[Any], test: str) -> Iterator[list[list[Any]]]:
    if len(values) < 2:
        return
    if test == "threshold":
        yield from ([values[:i], values[i:]] for i in range(1, len(values)))
    elif test == "each_value":
        yield [[value] for value in values]
    elif test == "one_vs_rest":
        yield from ([[value], [other for other in values if other != value]] for value in values)
    else:
        for size in range(1, len(values)):
            for chosen in itertools.combinations(values, size):
                yield [list(chosen), [value for value in values if value not in chosen]]


def weight(rows: Sequence[Row]) -> float:
    """The weight of some rows."""
    return float(sum(row["weight"] for row in rows))


def squared_errors(rows: Sequence[Row]) -> float:
    """The weighted squared distances of a numeric target from its mean."""
    mean = sum(row["weight"] * row["y"] for row in rows) / weight(rows)
    return float(sum(row["weight"] * (row["y"] - mean) ** 2 for row in rows))


def costs_of_errors(costs: dict[str, dict[str, float]], counted: dict[str, float]) -> Callable[[Sequence[Row]], float]:
    """The loss of the class that costs least in a leaf, where a row of a class counts so often."""

    def loss(rows: Sequence[Row]) -> float:
        def cost(predicted: str) -> float:
            return sum(
                row["weight"] * counted[row["y"]] * (costs.get(row["y"], {}).get(predicted, 1.0))
                for row in rows
                if row["y"] != predicted
            )

        return min(cost(predicted) for predicted in counted)

    return loss


@dataclass(frozen=True)
class Case:
    """A small table with a recipe and the limits of a search, and the same in the oracle's words."""

    data: ex.Dataset
    recipe: ex.Recipe
    depth: int
    max_leaves: int | None
    price_per_leaf: float
    rows: list[Row]
    terms: Terms

    def objective(self) -> float:
        """By trying all trees."""
        return best_objective(self.rows, self.terms, self.depth, self.max_leaves)

    def search(self, **options: Any) -> ex.BestSubtree:
        """By the search."""
        return ex.best_subtree(self.data, self.depth, self.recipe, self.max_leaves, self.price_per_leaf, **options)


def random_case(seed: int) -> Case:
    """Numbers, repeated numbers and categories; classes or numbers to predict; weights, costs, minima, a price."""
    rng = np.random.default_rng([2027, seed])
    n, n_classes = int(rng.integers(3, 14)), int(rng.choice([0, 2, 2, 3]))
    frame = pd.DataFrame(
        {"a": rng.integers(0, 6, n), "b": rng.normal(size=n).round(1), "c": rng.choice(list("uvwx"), n)}
    )
    names = list("pqr")[:n_classes]
    frame["y"] = [*names, *rng.choice(names, n - n_classes)] if names else rng.normal(size=n).round(3)
    frame["weight"] = rng.choice([0.5, 1.0, 2.0], n) if rng.random() < 0.3 else 1.0
    recipe = ex.CART if not names else (ex.CART, ex.C45, ex.ID3.replace(numeric="each_value"))[int(rng.integers(3))]
    if rng.random() < 0.3 and recipe.categorical == "subset":
        recipe = recipe.replace(categorical="one_vs_rest")
    if rng.random() < 0.4:
        recipe = recipe.replace(
            min_rows_leaf=float(rng.integers(0, 4)),
            min_rows_split=float(rng.integers(0, 7)),
            min_rows_in=str(rng.choice(["every", "two"])),
        )
    costs, counted = {}, dict.fromkeys(sorted(set(frame["y"])), 1.0) if names else {}
    if names and {"p", "q"} <= set(counted) and rng.random() < 0.3:
        costs, weighted = {"p": {"q": 3.0}}, {**counted, "q": 2.0}
        recipe = recipe.replace(costs=costs, class_weights={"q": 2.0})
        sums = {name: float(frame["weight"][frame["y"] == name].sum()) for name in weighted}
        scale = sum(sums.values()) / sum(sums[name] * weighted[name] for name in weighted)
        counted = {name: scale * value for name, value in weighted.items()}
    price = float(rng.choice([0.0, 0.0, 0.02, 0.1]))
    terms = Terms(
        tests={"a": _numeric(recipe), "b": _numeric(recipe), "c": recipe.categorical},
        leaf_loss=costs_of_errors(costs, counted) if names else squared_errors,
        price=price * float(frame["weight"].sum()),
        least_leaf=recipe.min_rows_leaf,
        least_node=recipe.min_rows_split,
        two_branches=recipe.min_rows_in == "two",
    )
    kinds = {"a": "numeric", "b": "numeric", "c": "categorical", "y": "categorical" if names else "numeric"}
    return Case(
        data=ex.Dataset.from_frame(frame, "y", ["a", "b", "c"], kinds, "weight"),
        recipe=recipe,
        depth=int(rng.integers(0, 4 if n < 11 else 3)),
        max_leaves=int(rng.integers(1, 5)) if rng.random() < 0.4 else None,
        price_per_leaf=price,
        rows=frame.to_dict("records"),
        terms=terms,
    )


def _numeric(recipe: ex.Recipe) -> str:
    return "each_value" if recipe.numeric == "each_value" else "threshold"
