"""Gains of the leaves (DEFINITIONS section 8): which leaves hold the rows of a class, the richest first."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explorer.data.dataset import Dataset
from explorer.messages import message
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree


def gains(tree: Tree, data: Dataset, code: int = 0) -> pd.DataFrame:
    """The leaves by the share of a class (by its code), or by the mean of a numeric target, the largest first.

    `rows` are weights. `response` is the share of the class in the leaf, or its mean there; `index` is the response
    over that of all rows. Columns after `index` add up the leaves so far. A row that stops above the leaves counts
    where it stops.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> table = gains(grow(tennis, ID3.replace(max_depth=1)), tennis, code=1)
    >>> table.columns[:4].tolist(), table["rows"].tolist(), table["responses"].tolist()
    (['leaf', 'rows', 'share of rows', 'responses'], [4.0, 5.0, 5.0], [4.0, 3.0, 2.0])
    >>> table["response"].tolist(), [round(index, 3) for index in table["index"]]
    ([1.0, 0.6, 0.4], [1.556, 0.933, 0.622])
    """
    targets, weights = targets_of(tree, data)
    rows, ends, parts = tree.routes(data)
    counted = weights[rows] * parts
    responses = counted * (targets[rows] if tree.is_regression else targets[rows] == code)
    n = tree.n_nodes_grown
    weight, response_weight = np.bincount(ends, counted, n), np.bincount(ends, responses, n)
    leaves = np.flatnonzero(weight > 0)
    leaves = leaves[np.argsort(-response_weight[leaves] / weight[leaves], kind="stable")]
    weight, response_weight = weight[leaves], response_weight[leaves]
    total, all_responses = weight.sum(), response_weight.sum()
    so_far, responses_so_far = np.cumsum(weight), np.cumsum(response_weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        overall = all_responses / total
        columns = {
            "leaf": leaves,
            "rows": weight,
            "share of rows": weight / total,
            "responses": response_weight,
            "share of responses": response_weight / all_responses,
            "response": response_weight / weight,
            "index": response_weight / weight / overall,
            "cumulative share of rows": so_far / total,
            "cumulative share of responses": responses_so_far / all_responses,
            "cumulative response": responses_so_far / so_far,
            "cumulative index": responses_so_far / so_far / overall,
        }
    if tree.is_regression:  # a sum of means says nothing
        for name in ("responses", "share of responses", "cumulative share of responses"):
            del columns[name]
    return pd.DataFrame(columns)


def heading(name: str, is_regression: bool) -> str:
    """What a column of gains is called before a reader."""
    called = {
        "leaf": message("leaf"),
        "rows": message("rows"),
        "share of rows": message("share of rows"),
        "responses": message("responses"),
        "share of responses": message("share of responses"),
        "response": message("mean") if is_regression else message("response"),
        "index": message("index"),
        "cumulative share of rows": message("cumulative share of rows"),
        "cumulative share of responses": message("cumulative share of responses"),
        "cumulative response": message("cumulative mean") if is_regression else message("cumulative response"),
        "cumulative index": message("cumulative index"),
    }
    return called[name]
