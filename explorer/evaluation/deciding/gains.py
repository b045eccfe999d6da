"""Gains: the leaves, the richest in a class first, and what calling the rows of the first ones brings (section 8)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.evaluation import SAME_DIGITS
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree

Profits = tuple[float, float, float, float]
"""What a true positive, a false positive, a false negative and a true negative bring."""
FEW_ROWS = 10
"""A share of fewer rows than this is mostly chance: its standard error, up to 0.5/√n, can be above 0.16."""


def gains(
    tree: Tree, data: Dataset | Source, code: int = 0, profits: Profits | None = None, by_training: bool = False
) -> pd.DataFrame:
    """The leaves by the share of a class (by its code), or by the mean of a numeric target, the largest first.

    Of equal ones the leaf with more rows comes first, then the smaller id. `rows` are weights. `response` is the share
    of the class in the leaf, or its mean there, `training response` the same of the training rows (nan without any);
    `index` is the response over that of all rows. Cumulative columns add up the leaves so far. A row that stops above
    the leaves counts where it stops. In the order `by_training` response, in which the tree itself ranks new rows, no
    leaf comes first by luck on these rows.

    With `profits`, those of `ClassCurves.profit`, there is also the mean `profit` of a leaf's rows if the class is
    predicted for them, and the `cumulative profit`: the mean over all rows, if it is predicted in the leaves so far.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> table = gains(grow(tennis, ID3.replace(max_depth=1)), tennis, code=1, profits=(1, -1, 0, 0))
    >>> table.columns[:4].tolist(), table["rows"].tolist(), table["responses"].tolist()
    (['leaf', 'rows', 'share of rows', 'responses'], [4.0, 5.0, 5.0], [4.0, 3.0, 2.0])
    >>> table["response"].tolist(), [round(index, 3) for index in table["index"]]
    ([1.0, 0.6, 0.4], [1.556, 0.933, 0.622])
    >>> table["profit"].round(9).tolist(), (14 * table["cumulative profit"]).round(9).tolist()
    ([1.0, 0.2, -0.2], [4.0, 5.0, 4.0])
    """
    used = as_rows(tree, data)
    targets, weights = targets_of(tree, used)
    rows, ends, parts = tree.routes(used)
    counted = weights[rows] * parts
    own = counted * (targets[rows] if tree.is_regression else targets[rows] == code)
    n = tree.n_nodes_grown
    weight, responses = (np.bincount(ends, each, n).astype(np.float64) for each in (counted, own))
    leaves = np.flatnonzero(weight > 0)
    response = _training_response(tree, leaves, code) if by_training else responses[leaves] / weight[leaves]
    leaves = leaves[np.lexsort((leaves, -weight[leaves], -np.round(response, SAME_DIGITS)))]
    weight, responses = weight[leaves], responses[leaves]
    columns = _columns(leaves, weight, responses, _training_response(tree, leaves, code))
    if tree.is_regression:  # a sum of means says nothing
        for name in ("responses", "share of responses", "cumulative share of responses"):
            del columns[name]
    elif profits is not None:
        columns |= _profits(weight, responses, profits)
    return pd.DataFrame(columns)


def _columns(leaves: NDArray[np.intp], weight: Floats, responses: Floats, training: Floats) -> dict[str, object]:
    total, all_responses = weight.sum(), responses.sum()
    so_far, responses_so_far = np.cumsum(weight), np.cumsum(responses)
    with np.errstate(divide="ignore", invalid="ignore"):
        overall = all_responses / total
        return {
            "leaf": leaves,
            "rows": weight,
            "share of rows": weight / total,
            "responses": responses,
            "share of responses": responses / all_responses,
            "response": responses / weight,
            "training response": training,
            "index": responses / weight / overall,
            "cumulative share of rows": so_far / total,
            "cumulative share of responses": responses_so_far / all_responses,
            "cumulative response": responses_so_far / so_far,
            "cumulative index": responses_so_far / so_far / overall,
        }


def _training_response(tree: Tree, leaves: NDArray[np.intp], code: int) -> Floats:
    """The share of the class among the training rows of nodes, or their mean; nan where a node has none."""
    if tree.is_regression:
        return np.asarray(tree.values[leaves])
    stats = tree.row_stats[leaves]
    total = stats.sum(axis=1)
    return np.divide(stats[:, code], total, out=np.full(len(leaves), np.nan), where=total > 0)


def _profits(weight: Floats, responses: Floats, profits: Profits) -> dict[str, Floats]:
    """Of the rows of each leaf if the class is predicted for them, and of all rows if it is in the leaves so far."""
    hit, false_alarm, miss, rest = profits
    predicted = responses * hit + (weight - responses) * false_alarm
    if_not = responses * miss + (weight - responses) * rest
    so_far = if_not.sum() + np.cumsum(predicted - if_not)
    return {"profit": predicted / weight, "cumulative profit": so_far / weight.sum()}


def most_profitable(table: pd.DataFrame, profits: Profits) -> int:
    """How many of the first leaves of `gains` with these profits bring most together; the fewest of equally good ones.

    It is 0 where predicting the class for no row brings as much.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, ID3.replace(max_depth=1))        # Yes: 4 of 4, 3 of 5, 2 of 5
    >>> each = (1, -1, 0, 0), (1, -2, 0, 0), (-1, -1, 0, 0)
    >>> [most_profitable(gains(tree, tennis, 1, profits), profits) for profits in each]
    [2, 1, 0]
    """
    each = [profit_of_none(table, profits), *table["cumulative profit"]]
    return int(np.argmax(np.round(each, SAME_DIGITS)))


def profit_of_none(table: pd.DataFrame, profits: Profits) -> float:
    """The mean profit of the rows of `gains` if the class is predicted for none of them.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> round(14 * profit_of_none(gains(grow(tennis, ID3), tennis, 1), (1, -1, -2, 0.5)), 9)  # 9 Yes, 5 No
    -15.5
    """
    _, _, miss, rest = profits
    rows, responses = table["rows"].sum(), table["responses"].sum()
    return float((responses * miss + (rows - responses) * rest) / rows)


def gains_heading(name: str, is_regression: bool) -> str:
    """What a column of gains is called before a reader."""
    called = {
        "leaf": message("leaf"),
        "rows": message("rows"),
        "share of rows": message("share of rows"),
        "responses": message("responses"),
        "share of responses": message("share of responses"),
        "response": message("mean") if is_regression else message("response"),
        "training response": message("training mean") if is_regression else message("training response"),
        "index": message("index"),
        "profit": message("profit"),
        "cumulative share of rows": message("cumulative share of rows"),
        "cumulative share of responses": message("cumulative share of responses"),
        "cumulative response": message("cumulative mean") if is_regression else message("cumulative response"),
        "cumulative index": message("cumulative index"),
        "cumulative profit": message("cumulative profit"),
    }
    return called[name]
