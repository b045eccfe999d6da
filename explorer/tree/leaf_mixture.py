"""Where rows end, averages over the leaves of a row, and which class is predicted (DEFINITIONS sections 6 and 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.formatting import number, percent
from explorer.messages import listing, message
from explorer.recipe.class_weights import heaviest_classes, lowest_cost_classes
from explorer.values import Value

Floats = NDArray[np.float64]


class Routes(NamedTuple):
    """Where rows end: `stops` [n] is a node for each, −1 for a row that follows several branches.

    Those rows have entries in `rows`, `nodes` and `parts`: a row's parts add up to 1, its entries follow each other.
    """

    stops: NDArray[np.int64]
    rows: NDArray[np.int64]
    nodes: NDArray[np.int64]
    parts: NDArray[np.float64]

    def all_parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """(row, node, part) of all rows, those with a single end included, in the order of the rows."""
        if not self.rows.size:
            return np.arange(self.stops.size), self.stops, np.ones(self.stops.size)
        single = np.flatnonzero(self.stops >= 0)
        rows = np.concatenate([single, self.rows])
        order = np.argsort(rows, kind="stable")
        nodes, parts = (
            np.concatenate([self.stops[single], self.nodes]),
            np.concatenate([np.ones(single.size), self.parts]),
        )
        return rows[order], nodes[order], parts[order]


def averaged(routes: Routes, values: Floats) -> Floats:
    """Per-node values [nodes, K] averaged for each row, [rows, K]: the values of its ends, weighted by its parts."""
    averages = values[np.maximum(routes.stops, 0)]
    averages[routes.rows] = 0.0
    np.add.at(averages, routes.rows, routes.parts[:, None] * values[routes.nodes])
    return averages


def predictions_of_shares(shares: Floats, costs: Floats | None) -> NDArray[np.int32]:
    """Code of the class with the largest share in each row [n, K], or with `costs` [K, K] of least expected cost.

    >>> predictions_of_shares(np.array([[0.6, 0.4]]), np.array([[0.0, 1.0], [2.0, 0.0]]))
    array([1], dtype=int32)
    """
    return heaviest_classes(shares) if costs is None else lowest_cost_classes(shares @ costs)


def named(codes: NDArray[Any], classes: Sequence[Value]) -> NDArray[Any]:
    """The classes behind their codes, [n], in their own type where all have the same.

    >>> named(np.array([1, 0]), (3, 5))
    array([5, 3])
    """
    kinds = {type(value) for value in classes}
    fit = kinds != {int} or all(abs(int(name)) < 2**63 for name in classes)
    names = np.array(classes, dtype=kinds.pop() if fit and kinds in ({int}, {float}, {bool}) else object)
    return names[codes]


def unknown_class(name: object, classes: Sequence[Value]) -> InputError:
    """The error where a tree with these classes, none of numbers, is asked for another one."""
    listed = listing(map(repr, classes)) or message("only numbers")
    return InputError(
        message("The tree does not predict the class {name!r}: it has {classes}.", name=name, classes=listed)
    )


_CLOSE = 1e-9
"""The part by which a probability may miss a threshold by rounding and still reach it."""
LEAST = 1e-6
"""The least cutoff; the largest is 1 divided by it."""
_SHOWN = 12
"""So many cutoffs stand in a sentence."""


@dataclass(frozen=True)
class Decision:
    """One of two classes by its name, and the probability t from which on it is predicted: not the heaviest class.

    That is the prediction of least expected cost where a row wrongly predicted the class costs t, and one wrongly not
    predicted it 1 − t (Elkan 2001): one rule serves costs and thresholds.
    """

    name: Value
    threshold: float

    @classmethod
    def of(cls, classes: Sequence[Value], name: Value, threshold: float) -> Decision:
        """The decision for a tree with these classes; InputError where it has none such."""
        if len(classes) != 2:
            raise InputError(
                message(
                    "A threshold decides between two classes, but this tree has {n}. Give costs in the recipe instead.",
                    n=len(classes),
                )
            )
        if name not in classes:
            raise unknown_class(name, classes)
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 < threshold <= 1:
            raise InputError(
                message(
                    "The threshold {threshold:.40} is no probability: it must be above 0 and at most 1.",
                    threshold=repr(threshold),
                )
            )
        return cls(name, float(threshold))

    def costs(self, classes: Sequence[Value]) -> NDArray[np.float64]:
        """What predicting a class (column) for a row of a class (row) costs, [2, 2], in the order of `classes`.

        >>> Decision("ill", 0.25).costs(("well", "ill")).round(6).tolist()
        [[0.0, 0.25], [0.75, 0.0]]
        """
        own = classes.index(self.name)
        at_least = self.threshold * (1.0 - _CLOSE)
        costs = np.zeros((2, 2))
        costs[1 - own, own], costs[own, 1 - own] = at_least, 1.0 - at_least
        return costs

    def fits(self, classes: Sequence[Value]) -> bool:
        """Whether a tree of these classes, such as that of a fold, can decide so."""
        return len(classes) == 2 and self.name in classes

    def renamed(self, names: Mapping[str, Value]) -> Decision:
        """The same with classes as they are called here, by their text."""
        return replace(self, name=names.get(str(self.name), self.name))

    def to_plain(self, classes: Sequence[Value]) -> dict[str, Any]:
        """What a saved tree keeps of it."""
        return {"name": self.name, "threshold": self.threshold}

    @property
    def call(self) -> str:
        """How a script decides so."""
        return f"with_threshold({self.name!r}, {self.threshold!r})"

    @property
    def sentence(self) -> str:
        """What is predicted when, in the language in force."""
        return message(
            "“{name}” is predicted from a probability of {threshold} on.",
            name=str(self.name),
            threshold=percent(self.threshold),
        )


@dataclass(frozen=True)
class Cutoffs:
    """A cutoff for each class: the one with the largest probability divided by its cutoff is predicted.

    That is the prediction of least expected cost where a row of a class that is not predicted it costs 1 divided by
    the class's cutoff. R's randomForest calls it `cutoff`, mlr thresholds. Only ratios of cutoffs matter.
    """

    by_class: tuple[tuple[Value, float], ...]

    @classmethod
    def of(cls, classes: Sequence[Value], cutoffs: Mapping[Value, float]) -> Cutoffs:
        """The cutoffs for a tree with these classes, 1 where none is given; InputError for anything else."""
        if len(classes) < 2:
            raise InputError(message("Cutoffs decide between classes, but this tree has {n}.", n=len(classes)))
        unknown = [name for name in cutoffs if name not in classes]
        if unknown:
            raise unknown_class(unknown[0], classes)
        for name, cutoff in cutoffs.items():
            if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float)) or not LEAST <= cutoff <= 1 / LEAST:
                raise InputError(
                    message(
                        "The cutoff {cutoff:.40} of class {name!r} must be a number from {least:g} to {most:g}.",
                        cutoff=repr(cutoff),
                        name=name,
                        least=LEAST,
                        most=1 / LEAST,
                    )
                )
        return cls(tuple((name, float(cutoffs.get(name, 1.0))) for name in classes))

    def costs(self, classes: Sequence[Value]) -> Floats:
        """What predicting a class (column) for a row of a class (row) costs, [K, K], in the order of `classes`.

        >>> Cutoffs((("a", 0.5), ("b", 1.0), ("c", 1.0))).costs(("a", "b", "c")).tolist()
        [[0.0, 2.0, 2.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
        """
        cutoffs = dict(self.by_class)
        each = 1.0 / np.array([cutoffs[name] for name in classes])
        return np.asarray(each[:, None] * (1.0 - np.eye(len(classes))))

    def fits(self, classes: Sequence[Value]) -> bool:
        """Whether a tree of these classes, such as that of a fold, can decide so."""
        return set(classes) <= {name for name, _ in self.by_class}

    def renamed(self, names: Mapping[str, Value]) -> Cutoffs:
        """The same with classes as they are called here, by their text."""
        return Cutoffs(tuple((names.get(str(name), name), cutoff) for name, cutoff in self.by_class))

    def to_plain(self, classes: Sequence[Value]) -> dict[str, Any]:
        """What a saved tree keeps of it: the cutoffs in the order of its classes."""
        cutoffs = dict(self.by_class)
        return {"cutoffs": [cutoffs[name] for name in classes]}

    @property
    def call(self) -> str:
        """How a script decides so."""
        return f"with_cutoffs({dict(self.by_class)!r})"

    @property
    def sentence(self) -> str:
        """What is predicted when, in the language in force."""
        shown = [f"{name}: {number(cutoff, 4)}" for name, cutoff in self.by_class[:_SHOWN]]
        more = len(self.by_class) - len(shown)
        cutoffs = listing([*shown, *([message("{n:,} more", n=more)] if more else [])])
        return message(
            "The class with the largest probability divided by its cutoff is predicted; cutoffs: {cutoffs}.",
            cutoffs=cutoffs,
        )
