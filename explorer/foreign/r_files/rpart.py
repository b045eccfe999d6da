"""A tree of R's rpart, with surrogate splits, ordered factors, priors and costs, from the text of our lines of R.

Rows without a value go as rpart's pred_rpart.c sends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import Surrogates
from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.limits import MOST_CLASSES, check_pairs
from explorer.foreign.r_files.fields import features_of, refuse, word_of
from explorer.foreign.r_files.rpart_table import Frame, Side, Splits
from explorer.foreign.record import Model, ModelNodes
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.class_weights import NONE, factors_of
from explorer.recipe.impurity import impurity_of
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Array = NDArray[Any]
METHODS = ("class", "anova", "poisson")
SAME = 1e-9


def tree_from_rpart(fields: Fields, target: str) -> Tree:
    """The tree of rpart, with its surrogate splits, priors, costs and limits; InputError for what is none."""
    method = word_of(fields, "method")
    if method not in METHODS:
        raise InputError(
            message(
                "The tree is fitted with method '{method}', which cannot be read. Readable: {methods}.",
                method=method[:40],
                methods=listing(METHODS),
            )
        )
    features, kinds = features_of(fields)
    frame = Frame.of(fields)
    splits = Splits(fields, features, kinds)
    if frame.n_listed != len(splits.variable):
        refuse(message("its splits are not those of its nodes"))
    own = {row: splits.at(int(frame.first_split[row])) for row in np.flatnonzero(frame.left >= 0).tolist()}
    places = _Places.of(frame, own)
    use = int(fields.record("control").whole_numbers("usesurrogate", 1, 0, 2)[0])
    classes = _classes(fields) if method == "class" else ()
    recipe, factors, told = _told(fields, frame, method, classes)
    library = f"rpart {word_of(fields, 'version')[:20]}"
    model = Model(library, features, word_of(fields, "target") or target, classes, is_strict=True)
    nodes = _nodes(frame, own, places, told, _majority(frame, places) if use == 2 else np.full(len(frame.number), -1))
    (tree,) = trees_of([nodes], model, refuse)
    surrogates = _surrogates(splits, frame, places) if use else None
    return replace(
        tree,
        recipe=recipe,
        class_factors=factors if factors.size else None,
        surrogates=surrogates,
        predictions=told["value"][places.order] if method == "poisson" else None,
        unseen_branch=tree.missing_branch.copy(),
        remarks=(*tree.remarks, *_remarks(fields, frame, own, use)),
    )


@dataclass(frozen=True, eq=False)
class _Places:
    """The rows of rpart's table breadth-first (`order`), and the place of each among them.

    Where `is_swapped`, the low side of a node's split is rpart's right one, which then is branch 0.
    """

    order: Array
    place: Array
    is_swapped: Array

    @classmethod
    def of(cls, frame: Frame, own: Mapping[int, Side]) -> _Places:
        """Their order from the paths to them, low side first."""
        is_swapped = np.zeros(len(frame.number), dtype=bool)
        is_swapped[list(own)] = [side.low_is_right for side in own.values()]
        path = np.zeros(len(frame.number), dtype=np.int64)
        for row in np.argsort(frame.number).tolist():
            path[row] += path[row] == 0  # the root has none above it
            if frame.left[row] >= 0:
                path[frame.left[row]] = 2 * path[row] + is_swapped[row]
                path[frame.right[row]] = 2 * path[row] + ~is_swapped[row]
        order = np.argsort(path)
        return cls(order, np.argsort(order), is_swapped)

    def branch(self, row: int, goes_right: Any) -> Any:
        """The branch that rpart's left or right side is."""
        return np.asarray(goes_right, dtype=np.int64) ^ int(self.is_swapped[row])


def _nodes(
    frame: Frame, own: Mapping[int, Side], places: _Places, told: Mapping[str, Array], default: Array
) -> ModelNodes:
    """The nodes breadth-first."""
    n, order = len(frame.number), places.order
    feature, threshold, pairs = np.full(n, -1), np.full(n, np.nan), [np.empty((0, 3), dtype=np.int64)]
    for row, side in own.items():
        feature[row], threshold[row] = side.feature, side.cut
        node = np.full(len(side.levels), places.place[row])
        pairs.append(np.column_stack([node, side.levels[:, 0], places.branch(row, side.levels[:, 1])]))
    table = np.concatenate(pairs)
    check_pairs(len(table))
    sides = np.column_stack([frame.left, frame.right])
    sides[places.is_swapped] = sides[places.is_swapped, ::-1]
    inner = order[frame.left[order] >= 0]
    return ModelNodes(
        child_count=np.where(frame.left[order] >= 0, 2, 0),
        children=places.place[sides[inner]].ravel(),
        feature=feature[order],
        threshold=threshold[order],
        missing_branch=default[order],
        pairs=table,
        **{name: values[order] for name, values in told.items()},
    )


def _majority(frame: Frame, places: _Places) -> Array:
    """The branch with more rows, whatever their weights; −1 where they are as many: rpart then stops at the node."""
    rows = frame.numbers("n", 0.0)
    lead = rows[frame.left] - rows[frame.right]
    sides = np.where(places.is_swapped, lead > 0, lead < 0).astype(np.int64)
    return np.where((frame.left >= 0) & (lead != 0), sides, -1)


def _classes(fields: Fields) -> tuple[str, ...]:
    """The levels of the target."""
    classes = fields.items("classes")
    if not 1 <= len(classes) <= MOST_CLASSES or not all(isinstance(name, str) for name in classes):
        refuse(message("'{field}' is not {expected}", field="classes", expected=message("a list of names and numbers")))
    if len(set(classes)) < len(classes):
        refuse(message("its classes are not a list of different values"))
    return tuple(classes)


def _told(
    fields: Fields, frame: Frame, method: str, classes: tuple[str, ...]
) -> tuple[Recipe, Array, dict[str, Array]]:
    """The recipe, the factors of the classes, and value, weight and impurity of every node."""
    control = fields.record("control")
    least_split, least_leaf, deepest = (
        int(control.whole_numbers(name, 1, 0, 2**31 - 1)[0]) for name in ("minsplit", "minbucket", "maxdepth")
    )
    recipe = CART.replace(
        name="rpart",
        missing="surrogate",
        unseen="heaviest",
        min_rows_split=float(least_split),
        min_rows_leaf=float(least_leaf),
        max_depth=deepest or None,
    )
    weight = frame.numbers("wt", 0.0)
    if method != "class":
        deviance = np.maximum(frame.numbers("dev"), 0.0)
        impurity = np.divide(deviance, weight, out=np.zeros(len(weight)), where=weight > 0)
        recipe = recipe.replace(impurity="poisson" if method == "poisson" else "variance")
        return recipe, NONE, {"value": frame.numbers("yval"), "weight": weight, "impurity": impurity}
    n_classes, n = len(classes), len(weight)
    table = frame.fields.record("frame").numbers("yval2", n * (2 * n_classes + 2), 0.0, LARGEST_SUMMED)
    columns = table.reshape(2 * n_classes + 2, n)
    counts, shares = columns[1 : n_classes + 1].T, columns[n_classes + 1 : -1].T
    parms = fields.record("parms")
    prior = parms.numbers("prior", n_classes, 0.0, 1.0)
    loss = parms.numbers("loss", n_classes**2, 0.0, LARGEST_SUMMED).reshape(n_classes, n_classes).T
    kind = "entropy" if parms.whole_numbers("split", 1, 1, 2)[0] == 2 else "gini"
    changes, factors, costs = _priors_and_costs(prior, loss, counts[frame.number == 1][0], classes)
    stats = shares * costs
    totals = (counts * (factors if factors.size else 1.0)).sum(axis=1)
    recipe = recipe.replace(impurity=kind, **changes)
    impurity = np.array([impurity_of(recipe.impurity_for(False), each) for each in stats])
    return recipe, factors, {"value": stats, "weight": totals, "impurity": impurity}


def _priors_and_costs(
    prior: Array, loss: Array, counts: Array, classes: tuple[str, ...]
) -> tuple[dict[str, Any], Array, Array]:
    """Settings for priors and losses, the factor of every class in growing weights, and its sum of costs [K]."""
    n_classes, total = len(classes), counts.sum()
    changes: dict[str, Any] = {}
    if total <= 0 or np.diag(loss).any() or (n_classes > 1 and (loss.sum(axis=1) <= 0).any()):
        refuse(message("the class shares of a leaf are not shares"))
    weights = np.divide(prior * total, counts, out=np.zeros(n_classes), where=counts > 0)
    if (np.abs(weights - 1.0)[counts > 0] > SAME).any():
        changes["class_weights"] = dict(zip(classes, weights.tolist(), strict=True))
    else:
        weights = np.ones(n_classes)
    if (loss + np.eye(n_classes) != 1.0).any():
        changes["costs"] = {
            true: {to: cost for to, cost in zip(classes, row, strict=True) if to != true}
            for true, row in zip(classes, loss.tolist(), strict=True)
        }
    costs = loss.sum(axis=1) if "costs" in changes else np.ones(n_classes)
    return changes, factors_of(weights * costs, counts) if changes else NONE, costs


def _surrogates(splits: Splits, frame: Frame, places: _Places) -> Surrogates | None:
    """The surrogates of all nodes breadth-first, as rpart asks them."""
    found: list[tuple[int, Side, int]] = []
    counts = np.where(frame.left >= 0, frame.n_surrogates, 0)[places.order]
    for row in places.order[counts > 0].tolist():
        first = int(frame.first_split[row] + 1 + frame.n_competing[row])
        found += [(row, splits.at(which), which) for which in range(first, first + int(frame.n_surrogates[row]))]
    if not found:
        return None
    rows, sides, which = zip(*found, strict=True)
    check_pairs(sum(len(side.levels) for side in sides))
    cut = np.array([side.cut for side in sides])
    below = np.array([places.branch(row, side.low_is_right) for row, side in zip(rows, sides, strict=True)])
    levels = [
        np.column_stack([side.levels[:, 0], places.branch(row, side.levels[:, 1])])
        for row, side in zip(rows, sides, strict=True)
    ]
    pairs = np.concatenate(levels)
    return Surrogates(
        offset=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        feature=np.array([side.feature for side in sides], dtype=np.int32),
        cut=cut,
        below=np.where(np.isnan(cut), -1, below).astype(np.int32),
        above=np.where(np.isnan(cut), -1, 1 - below).astype(np.int32),
        agreement=splits.improve[list(which)],
        adjusted=splits.adjusted[list(which)],
        pair_offset=np.concatenate([[0], np.cumsum([len(each) for each in levels])]).astype(np.int64),
        code=pairs[:, 0].astype(np.int32),
        branch=pairs[:, 1].astype(np.int32),
    )


def _remarks(fields: Fields, frame: Frame, own: Mapping[int, Side], use: int) -> tuple[Remark, ...]:
    """What a reader would not expect: weights, rows that stay at a node, and categories that the node had no row of."""
    remarks = []
    if (np.abs(frame.numbers("wt") - frame.numbers("n")) > SAME * frame.numbers("wt")).any():
        remarks.append(Remark("weighted_rows", (word_of(fields, "weights")[:60],)))
    if use < 2:
        remarks.append(Remark("rpart_rows_stay", (use,)))
    if any(np.isnan(side.cut) for side in own.values()):
        asks = [row for row, side in own.items() if use and side.n_absent and frame.n_surrogates[row]]
        remarks.append(Remark("rpart_levels", (len(asks),)))
    return tuple(remarks)
