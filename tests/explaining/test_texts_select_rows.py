"""Every text of a test is read back and applied: it selects the cells that the tree sends that way (section 10)."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.drawing.tree_view.payload import header_of, tree_payload
from explorer.explaining.node_rule import rule_terms, rule_words
from explorer.foreign.xgboost_trees import largest_to_the_left
from explorer.messages import chinese, spoken_in
from explorer.recipe.condition import Condition
from tests.oracles.condition_reader import fulfils, fulfils_branch, names_in
from tests.oracles.dot_reader import read_dot

NAMES = ["a", "b", "a, b", "b, c", "missing", "缺失", 'say "a"', "{a}", "a}", "é\\n", "= a", "is missing", "1"]
RECIPES = {
    "midpoint": ex.CART,
    "observed": ex.CART.replace(threshold_at="observed"),
    "c45": ex.C45.replace(threshold_at="c45"),
    "bins": ex.ID3,
    "own branch": ex.CART.replace(missing="own_branch"),
    "both sides": ex.CART.replace(missing="default_direction"),
    "one against the rest": ex.C45.replace(categorical="one_vs_rest", missing="own_branch"),
    "numbers": ex.ID3.replace(numeric="each_value"),
}


def numbers(kind: str, rng: np.random.Generator, rows: int) -> np.ndarray:
    """A column of close numbers of one kind."""
    steps = rng.integers(0, 12, rows)
    return {
        "decimals": lambda: np.array([float(f"{step / 10 ** (1 + rows % 3):.3f}") for step in steps * 3]),
        "milliseconds": lambda: 1.7e12 + steps,
        "dates": lambda: 20180131.0 + steps,
        "tiny": lambda: np.array([float(f"{step}e-12") for step in steps]),
        "large": lambda: 1e17 + 16.0 * steps,
        "huge": lambda: (steps - 6.0) * 1.2e307,
        "32 bits": lambda: np.float32(0.1 * steps).astype(np.float64),
        "neighbours": lambda: 0.1 + steps * np.spacing(0.1),
        "doubles": lambda: rng.normal(size=rows),
        "negative": lambda: np.array([float(f"{(step - 6) / 100:.2f}") for step in steps]),
        "cents": lambda: np.array([float(f"{1e11 + step / 100:.2f}") for step in steps]),
    }[kind]()


KINDS = ["decimals", "milliseconds", "dates", "tiny", "large", "huge", "32 bits", "neighbours", "doubles", "negative"]
KINDS += ["cents"]


def table(seed: int, lacks: bool) -> tuple[ex.Dataset, pd.DataFrame]:
    """Two columns of numbers and one of categories with awkward names, some cells missing, and two or three classes."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(6, 40))
    frame = pd.DataFrame({name: numbers(str(rng.choice(KINDS)), rng, rows) for name in ("u", "v")})
    frame["w"] = pd.Series(rng.choice(rng.choice(NAMES, 6, replace=False), rows), dtype=object)
    if lacks:
        for name in frame:
            frame.loc[rng.random(rows) < 0.15, name] = None
    frame["y"] = pd.Series(rng.choice(list("ab" if rows % 2 else "abc"), rows), dtype=object)
    frame.loc[:1, "y"] = ["a", "b"]
    kinds = {"u": "numeric", "v": "numeric", "w": "categorical"}
    return ex.Dataset.from_frame(frame, "y", ["u", "v", "w"], kinds), frame


def probes(tree: ex.Tree, frame: pd.DataFrame) -> dict[str, list[object]]:
    """Cells of every feature: those of the table, every threshold and edge, and the numbers next to them."""
    cells: dict[str, list[object]] = {}
    for i, encoding in enumerate(tree.features):
        known = frame[encoding.name].dropna().unique().tolist()
        if encoding.kind == "numeric":
            bounds = np.array([*known, *tree.threshold[tree.feature == i], *encoding.edges], dtype=float)
            bounds = bounds[np.abs(bounds) < np.finfo(float).max]  # beyond lies "missing or not"
            with np.errstate(over="ignore"):
                near = np.concatenate([bounds, np.nextafter(bounds, np.inf), np.nextafter(bounds, -np.inf)])
            cells[encoding.name] = [float(value) for value in near[np.isfinite(near)]]
        else:
            cells[encoding.name] = [str(value) for value in known]
    return cells


def goes_to(condition: Condition, cell: object) -> int | None:
    """The branch of a cell by the numbers and categories of a condition; None where it has none."""
    if condition.threshold is not None:
        return 2 if cell is None else int(cell > condition.threshold)  # type: ignore[operator]
    return next((i for i, group in enumerate(condition.branches) if cell in group), None)


def check(tree: ex.Tree, frame: pd.DataFrame) -> None:
    """The texts of every branch and of every node's rule select what the tree's own numbers select."""
    cells = probes(tree, frame)
    for node in np.flatnonzero(tree.is_inner).tolist():
        condition = tree.condition(node)
        encoding = tree.features[tree.feature[node]]
        for cell in cells[condition.feature]:
            if encoding.edges:
                expected = encoding.labels[int(np.searchsorted(encoding.edges, cell))]
                expected = goes_to(condition, expected)
            else:
                expected = goes_to(condition, cell)
            read = [
                branch
                for branch in range(condition.n_branches)
                if fulfils(cell, condition.word(branch), condition.feature)
            ]
            if expected is not None:
                assert read == [expected], (
                    cell,
                    condition.feature,
                    [condition.word(b) for b in range(condition.n_branches)],
                )
    for leaf in tree.leaves().tolist():
        on_path: dict[str, list[tuple[Condition, int]]] = {}
        for node, branch in tree.path_to(leaf):
            condition = tree.condition(node)
            on_path.setdefault(condition.feature, []).append((condition, branch))
        terms = rule_terms(tree, leaf)
        assert [term.feature for term in terms] == list(on_path)
        for term in terms:
            steps = on_path[term.feature]
            for cell in cells[term.feature]:
                selected = all(fulfils(cell, condition.word(branch), term.feature) for condition, branch in steps)
                assert fulfils(cell, term.words, term.feature) == selected, (cell, term.words)


def written(tree: ex.Tree) -> dict[str, set[str]]:
    """The tests in each kind of export, as they are drawn."""
    graph = read_dot(ex.to_dot(tree))
    svg = html.unescape(ex.to_svg(tree))
    return {
        "text": {line.strip() for line in ex.to_text(tree).split("\n")},
        "DOT": {edge.get("labeltooltip", "") for edge in graph.edges.values()},
        "SVG": {svg},
        "view": set(header_of(tree_payload(tree))["branch_texts"]),
    }


def check_exports(tree: ex.Tree) -> None:
    """Every export writes every branch of the tree by the same text."""
    texts = written(tree)
    for node in np.flatnonzero(tree.is_inner).tolist():
        condition = tree.condition(node)
        for branch in range(condition.n_branches):
            word = condition.word(branch)
            shown = ex.formatting.visible(word)
            assert any(line.startswith(f"{shown}: ") for line in texts["text"]), word
            assert shown in texts["DOT"], (word, texts["DOT"])
            assert shown in next(iter(texts["SVG"])), word
            own = "missing" if condition.is_missing(branch) else condition.branch_word(branch)
            assert own in texts["view"], word


@pytest.mark.law
@given(st.integers(0, 2**32), st.sampled_from(sorted(RECIPES)), st.booleans())
def test_texts_select_what_the_tree_selects(seed, recipe, lacks):
    data, frame = table(seed, lacks)
    tree = ex.grow(data, RECIPES[recipe].replace(max_depth=4))
    check(tree, frame)
    check_exports(tree)
    with spoken_in(chinese()):
        check(tree, frame)


@pytest.mark.law
@given(st.integers(0, 2**32), st.sampled_from(["midpoint", "observed", "c45"]))
def test_a_changed_row_is_written_as_it_is(seed, recipe):
    """The change is read back from its words, made, and gets the other prediction."""
    data, frame = table(seed, lacks=False)
    tree = ex.grow(data, RECIPES[recipe].replace(max_depth=4))
    for change in ex.flips(tree, data, 0):
        changed = frame.iloc[[0]].copy()
        for each in change.changes:
            words = re.fullmatch(rf"{each.feature}: (.*) → (.*)", each.words, re.DOTALL)
            assert words is not None
            old, new = words.groups()
            own = frame[each.feature].iloc[0]
            is_number = each.feature != "w"
            assert (float(old) if is_number else names_in(old)[0]) == own
            changed[each.feature] = float(new) if is_number else names_in(new)[0]
        assert tree.apply(changed)[0] == change.node


@pytest.mark.law
@given(
    st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2.0**120), max_value=2.0**120),
    st.integers(-3, 3),
)
def test_a_test_of_xgboost_is_worded_as_it_compares_in_32_bits(limit, steps):
    threshold = float(largest_to_the_left(np.array([limit]))[0])
    condition = Condition("x", "threshold", threshold, is_strict=True)
    sign, text = condition.branch_word(0).split(" ")
    assert (sign, condition.branch_word(1)) == ("<", f"≥ {text}")
    near = [
        limit,
        threshold,
        float(np.nextafter(threshold, np.inf)),
        float(np.nextafter(np.float32(limit), np.float32(steps))),
    ]
    for value in (*near, limit * (1 + steps * 1e-9), limit + steps):
        below = np.float32(value) < np.float32(text) if abs(limit) < 2**24 else value < float(text)
        assert bool(below) == (value <= threshold)


def test_a_whole_number_that_32_bits_round_is_on_the_side_of_its_text():
    """The 32-bit number of 20180131 is 20180132, so XGBoost sends it right of 20180132."""
    threshold = float(largest_to_the_left(np.array([20180132.0]))[0])
    assert np.float32(20180131) == np.float32(20180132)
    assert threshold < 20180131
    assert Condition("day", "threshold", threshold, is_strict=True).word(0) == "day < 20180131"


def test_rules_of_xgboost_merge_strict_tests():
    dump = {"nodeid": 0, "split": "n", "split_condition": 5, "yes": 1, "no": 2, "missing": 1}
    below = {"nodeid": 1, "split": "n", "split_condition": 1, "yes": 3, "no": 4, "missing": 3}
    below["children"] = [{"nodeid": 3, "leaf": 1.0}, {"nodeid": 4, "leaf": 2.0}]
    dump["children"] = [below, {"nodeid": 2, "leaf": 3.0}]
    tree = ex.Ensemble.from_xgboost_json(json.dumps([dump]), base_score=0.0).members[0].tree
    assert [rule_words(tree, leaf) for leaf in tree.leaves().tolist()] == ["n ≥ 5", "n < 1", "1 ≤ n < 5"]
    assert tree.condition(0).text == "n < 5"


@pytest.mark.law
@given(st.lists(st.text(max_size=6), min_size=1, max_size=5, unique=True))
def test_a_set_is_read_back_as_it_was(names):
    values = (*names, None)
    text = Condition("c", "subset", None, (values, ("x", "y"))).branch_word(0)
    assert names_in(text.removeprefix("∈ {").removesuffix("}")) == list(values)
    for name in names:
        assert fulfils_branch(name, text)
