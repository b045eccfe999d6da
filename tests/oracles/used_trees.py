"""Trees of all policies and rows that try them: missing cells, values never seen, names that try to break out."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st

import explorer as ex
from explorer.tree.constraints import FORCE, Choice
from tests.oracles import bridge
from tests.oracles.recipes import POLICIES

UNSEEN = ["node", "heaviest", "fractional", "random"]
NASTY = [
    "天气",
    'say "hi"',
    "it's",
    "two\nlines\r\n\x0c",
    "{brace} %s {0}",
    "\\N\\",
    '""" + evil() + """',
    "# coding: utf-7",
    "'; DROP TABLE rows; --",
    "x" * 1000,
    "\u2028\u202e🌧️",
]


@st.composite
def grown(draw: st.DrawFn, by_hand: bool = False) -> tuple[ex.Tree, ex.Dataset, pd.DataFrame]:
    """A tree of any policy, possibly pruned, its training rows, and rows to send down it; or one decided by hand."""
    sample = draw(bridge.samples())
    missing = draw(st.sampled_from([p for p in POLICIES if sample.classes or p != "same_class"]))
    recipe = ex.Recipe(
        impurity=None if sample.classes is None else draw(st.sampled_from(["gini", "entropy"])),
        categorical=draw(st.sampled_from(["each_value", "one_vs_rest", "subset"])),
        numeric=draw(st.sampled_from(["threshold", "threshold", "bins", "each_value"])),
        missing=missing,
        unseen=draw(st.sampled_from(UNSEEN)),
        empty_branches=draw(st.booleans()),
        costs={sample.classes[0]: {sample.classes[1]: 3}} if sample.classes and draw(st.booleans()) else None,
    )
    data = bridge.to_dataset(sample)
    try:
        tree = drawn_choices(draw, data, recipe)[0] if by_hand else ex.grow(data, recipe)
    except ex.InputError:
        assume(False)
    tree = tree.with_pruned(
        draw(st.lists(st.integers(0, 4), min_size=tree.n_nodes_grown, max_size=tree.n_nodes_grown)) == np.array(0)
    )
    return tree, data, pd.concat([bridge.to_frame(sample), draw(odd_rows(sample))], ignore_index=True)


def drawn_choice(draw, tree: ex.Tree, data: ex.Dataset) -> Choice:
    """Some choice about some node, possible or not."""
    path = tree.place(draw(st.integers(0, tree.n_nodes_grown - 1)))
    op = draw(st.sampled_from([FORCE, FORCE, FORCE, "lock", "forbid"]))
    if op == "lock":
        return Choice(op, path)
    usage = draw(st.sampled_from(tree.features))
    if op == "forbid":
        return Choice(op, path, ex.SplitRequest(usage.name))
    if usage.test == "threshold" and draw(st.booleans()):
        return Choice(
            op, path, ex.SplitRequest(usage.name, "threshold", draw(st.sampled_from([-1.0, 0.0, 0.3, 2.0, 3.5])))
        )
    if usage.labels and draw(st.booleans()):
        named = tuple(draw(st.sets(st.sampled_from(usage.labels), min_size=1)))
        return Choice(op, path, ex.SplitRequest(usage.name, "grouping", categories=named))
    kinds = ["best"] if usage.test == "threshold" else ["best", "each_value", "one_vs_rest", "subset"]
    return Choice(op, path, ex.SplitRequest(usage.name, draw(st.sampled_from(kinds))))


def drawn_choices(draw, data: ex.Dataset, recipe: ex.Recipe, most: int = 4) -> tuple[ex.Tree, ex.Choices]:
    """Up to so many choices, each about a node of the tree that the ones before it make."""
    tree, choices = ex.grow(data, recipe), ex.Choices()
    for _ in range(draw(st.integers(1, most))):
        choices = choices.with_choice(drawn_choice(draw, tree, data))
        tree = ex.grow(data, recipe, choices=choices)
    return tree, choices


@st.composite
def odd_rows(draw: st.DrawFn, sample) -> pd.DataFrame:
    """Rows of the sample's columns with missing cells and values that it does not have."""
    rows = draw(st.integers(1, 12))
    columns = {}
    for column in sample.columns:
        cell = st.sampled_from([*column.categories, "new"]) if column.categories else bridge.numbers()
        cells = draw(st.lists(st.one_of(st.none(), cell), min_size=rows, max_size=rows))
        columns[column.name] = pd.Series(cells, dtype=object if column.categories else float)
    return pd.DataFrame(columns)


def with_holes(data: ex.Dataset, seed: int = 0, rows: int = 120) -> pd.DataFrame:
    """Rows of a table, a sixth of the features' cells missing and a sixth of the categories never seen."""
    draw = np.random.default_rng(seed)
    frame = data.frame[[feature.name for feature in data.features]].reset_index(drop=True)
    frame = frame.iloc[draw.integers(0, len(frame), rows)].reset_index(drop=True)
    for feature in data.features:
        kind = object if feature.kind == "categorical" else float
        cells = np.array(frame[feature.name], dtype=kind)
        fate = draw.random(rows)
        cells[fate < 1 / 6] = None if kind is object else np.nan
        if kind is object and isinstance(feature.categories[0], str):
            cells[fate > 5 / 6] = "never seen"
        frame[feature.name] = pd.Series(cells, dtype=kind)
    return frame.where(frame.notna(), None).astype({f.name: float for f in data.features if f.kind == "numeric"})


def assert_rules_predict(rules: ex.RuleList, tree: ex.Tree, rows: pd.DataFrame) -> None:
    """Rules predict these rows as the tree does: the same classes, and shares or means equal to rounding."""
    if tree.is_regression:
        np.testing.assert_allclose(rules.predict(rows), tree.predict(rows), rtol=1e-12)
    else:
        np.testing.assert_array_equal(rules.predict(rows), tree.predict(rows))
        np.testing.assert_allclose(rules.predict_proba(rows), tree.predict_proba(rows), atol=1e-12)


def nasty_tree(name: str) -> tuple[ex.Tree, pd.DataFrame]:
    """A tree whose columns, categories and classes have this name in them."""
    frame = pd.DataFrame(
        {
            name: [name.strip(), "b", "c", None] * 6,
            f"{name}2": np.arange(24.0),
            "goal": [f"1{name}".strip(), f"3{name}".strip(), "z"] * 8,
        }
    )
    data = ex.Dataset.from_frame(frame, "goal", [name, f"{name}2"], {name: "categorical", f"{name}2": "numeric"})
    return ex.grow(data, ex.CART), frame
