"""Rows with missing cells in shares: the published numbers, and every subtree's predictions by brute force."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import explorer as ex
from explorer.pruning.node_score_terms import node_score_terms
from explorer.tree import metrics
from tests.oracles.examples import examples
from tests.oracles.golden_walk import GOLDEN, dataset_of, frame_of, near

C45 = ex.C45.replace(empty_branches=False)
GOLF, MELON = GOLDEN["golf_missing"], GOLDEN["watermelon_2_0_alpha_missing"]


def data_of(key: str) -> ex.Dataset:
    """A golden table with its "?" and empty cells missing."""
    entry = GOLDEN[key]
    frame = frame_of(entry["file"].split("/")[-1]).replace({"?": None, "": None})
    features = [name for name in frame.columns if name not in (entry["target"], *entry.get("ignore", ()))]
    kinds = {
        name: "numeric" if frame[name].dtype.kind == "f" else "categorical" for name in [*features, entry["target"]]
    }
    return ex.Dataset.from_frame(frame, entry["target"], features, kinds)


def check_root(best: ex.Candidate, golden: dict) -> None:
    """Known share, gain, and both forms of split information and ratio."""
    assert best.known_share == near(float(Fraction(golden["known_fraction"])))
    assert best.gain == near(golden["gain = known_fraction * gain(known)"])
    assert best.weighted_impurity == near(golden["info_after_split_known"])


@pytest.mark.parametrize(
    ("form", "info", "ratio"),
    [
        ("quinlan", "split_info_with_unknown_as_extra_group (Quinlan)", "gain_ratio (Quinlan)"),
        ("known_rows_only", "split_info_known_only", "known_fraction * ratio(known) (seed 004 reading)"),
    ],
)
def test_gain_split_information_and_ratio_over_known_rows(form, info, ratio):
    recipe = C45.replace(missing_ratio=form, mean_gain_filter="off")
    golf = data_of("golf_missing")
    outlook = ex.decide(ex.grow(golf, recipe), golf, 0).best["outlook"]
    melon = data_of("watermelon_2_0_alpha_missing")
    melons = ex.decide(ex.grow(melon, recipe), melon, 0).best
    for best, golden in [(outlook, GOLF["outlook"]), *((melons[name], MELON["root"][name]) for name in MELON["root"])]:
        check_root(best, golden)
        assert [best.split_info, best.gain_ratio] == near([golden[info], golden[ratio]])


def golf_tree() -> tuple[ex.Tree, ex.Dataset]:
    """Quinlan's tree: two branches need two rows."""
    data = data_of("golf_missing")
    recipe = C45.replace(score="gain", min_rows_leaf=2.0, min_rows_in="two", threshold_at="c45", min_score=1e-9)
    return ex.grow(data, recipe), data


def test_quinlans_golf_tree_has_his_leaf_weights():
    tree, data = golf_tree()
    assert [tree.condition(i).text for i in np.flatnonzero(tree.feature >= 0)] == ["outlook", "humidity ≤ 75", "windy"]
    found = {}
    for leaf in tree.leaves():
        way = [tree.condition(step).branch_word(branch).removeprefix("= ") for step, branch in tree.path_to(leaf)]
        found[
            way[0] + "".join({"≤": ",humidity<=75", ">": ",humidity>75"}.get(w[0], f",windy={w}") for w in way[1:])
        ] = {name: float(weight) for name, weight in zip(tree.classes, tree.node(leaf).stats, strict=True)}
    exact = {way: {c: float(Fraction(w)) for c, w in leaf.items()} for way, leaf in GOLF["exact_leaf_weights"].items()}
    assert found == {way: pytest.approx(weights) for way, weights in exact.items()}
    weights = [float(Fraction(GOLF["branch_weights_of_row_6"][group[0]])) for group in tree.condition(0).branches]
    assert list(ex.missing_row_branches(tree, data, 0)) == near(weights)
    assert "Don't Play (3 of 3.38, 88.6 %)" in ex.to_text(tree)


def test_quinlans_prediction_mixes_the_leaves():
    tree, _ = golf_tree()
    case = pd.DataFrame([GOLF["prediction"]["case"]]).astype({"humidity": float})
    shares = dict(zip(tree.classes, tree.predict_proba(case)[0], strict=True))
    assert shares["Play"] == near(float(Fraction(GOLF["prediction"]["P(Play)_exact"])))
    assert list(tree.predict(case)) == ["Don't Play"]
    rows, nodes, parts = tree.routes(case)
    assert list(rows) == [0, 0]
    assert parts == pytest.approx([26 / 70, 44 / 70])
    assert list(tree.apply(case)) == [nodes[1]]


def walk_melon(tree: ex.Tree, data: ex.Dataset, node: int, golden: dict) -> int:
    """A golden node and everything below: weights, gains, and the branches by name."""
    assert tree.weight[node] == near(float(Fraction(golden["weight"])))
    stats = dict(zip(tree.classes, tree.stats[node], strict=True))
    assert stats == {name: near(float(Fraction(weight))) for name, weight in golden["weights"].items()}
    decision = ex.decide(tree, data, node)
    for name, gain in golden.get("gains", {}).items():
        assert (decision.best[name].gain if name in decision.best else 0.0) == near(gain)
    if "split" not in golden:
        return 1
    assert tree.condition(node).feature == golden["split"]
    below = {
        group[0]: child for group, child in zip(tree.condition(node).branches, tree.children_of(node), strict=True)
    }
    assert set(below) == set(golden["children"])
    return 1 + sum(walk_melon(tree, data, below[name], child) for name, child in golden["children"].items())


def test_zhous_watermelons_node_by_node():
    data = data_of("watermelon_2_0_alpha_missing")
    tree = ex.grow(data, ex.ID3.replace(missing="fractional", empty_branches=False, min_score=1e-9))
    assert walk_melon(tree, data, 0, MELON["id3_gain_tree_fractional_weights"]) == tree.n_nodes


def test_counts_of_2_3_4_give_these_shares():
    frame = pd.DataFrame({"x": [*"aabbbcccc", None], "y": [*"ppqqqrrrr", "p"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["x"]), C45)
    shares = [float(Fraction(weight)) for weight in GOLDEN["seed_004_fractional_weights"]["weights"]]
    assert list(tree.routes(frame.tail(1))[2]) == near(shares)


# -- scores of subtrees ----------------------------------------------------------------------------------------------


def holey(seed: int, regression: bool = False, rows: int = 120) -> ex.Dataset:
    """Three classes (or a number) that depend on two of three features; a quarter of the cells are missing."""
    draw = np.random.default_rng(seed)
    colour = draw.choice(list("rgbyk"), rows, p=[0.4, 0.3, 0.2, 0.08, 0.02]).astype(object)
    size, noise = draw.integers(0, 12, rows).astype(float), draw.normal(size=rows).round(1)
    goal = size * (colour == "r") + 3 * (colour == "g") + noise + draw.normal(size=rows)
    for column in (colour, size, noise):
        column[draw.random(rows) < 0.25] = None if column.dtype == object else np.nan
    frame = pd.DataFrame({"colour": colour, "size": size, "noise": noise, "weight": draw.integers(1, 4, rows) / 2})
    frame["goal"] = goal.round(1) if regression else np.array(["low", "mid", "top"])[np.digitize(goal, [1, 4])]
    kinds = {"goal": "numeric" if regression else "categorical", "colour": "categorical"}
    return ex.Dataset.from_frame(frame, "goal", ["colour", "size", "noise"], kinds, "weight" if seed % 2 else None)


RECIPES = [
    ex.C45.replace(min_rows_leaf=2.0, min_rows_in="two"),
    ex.CART.replace(missing="fractional", min_rows_leaf=3.0),
    ex.CART.replace(missing="drop", unseen="fractional", min_rows_leaf=3.0),
    ex.C45.replace(max_depth=3, unseen="fractional"),
]


def score(tree: ex.Tree, valid: ex.Dataset, metric: str) -> float:
    """The textbook score of one tree's predictions."""
    weights, truth = valid.weight_of_rows(), valid.frame["goal"]
    if metric == "mse":
        return float(np.average((tree.predict(valid.frame) - truth) ** 2, weights=weights))
    if metric == "accuracy":
        return float(np.average(tree.predict(valid.frame) == truth, weights=weights))
    shares = tree.predict_proba(valid.frame)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    own = shares[np.arange(len(truth)), [tree.classes.index(name) for name in truth]]
    if metric == "log_loss":
        return float(np.average(-np.log(np.clip(own, 1e-15, 1 - 1e-15)), weights=weights))
    present = [k for k, name in enumerate(tree.classes) if 0 < (truth == name).sum() < len(truth)]
    areas = [roc_auc_score(truth == tree.classes[k], shares[:, k].round(12), sample_weight=weights) for k in present]
    return float(np.mean(areas))


@pytest.mark.parametrize("metric", ["accuracy", "log_loss", "auc"])
@examples(20)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(RECIPES))
def test_curve_is_the_score_of_every_subtrees_own_predictions(metric, seed, recipe):
    train, valid = holey(seed).split(0.6, seed=seed)
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    expected = [score(path.subtree(position=k), valid, metric) for k in range(len(path))]
    assert path.curve(valid, metric) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@examples(20)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(RECIPES[1:3]))
def test_curve_of_numbers_mixes_means(seed, recipe):
    train, valid = holey(seed, regression=True).split(0.6, seed=seed)
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    expected = [score(path.subtree(position=k), valid, "mse") for k in range(len(path))]
    assert path.curve(valid) == pytest.approx(expected, rel=1e-9)


@examples(30)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(RECIPES), draw=st.randoms(use_true_random=False))
def test_a_tree_cut_by_hand_scores_what_its_predictions_score(seed, recipe, draw):
    train, valid = holey(seed).split(0.6, seed=seed)
    tree = ex.grow(train, recipe)
    some = draw.sample(range(tree.n_nodes_grown), tree.n_nodes_grown // 4)
    cut = ex.prune_by_hand(tree, [("collapse", node) for node in some if tree.feature[node] >= 0])
    expected = score(cut, valid, "accuracy")
    assert metrics.score(cut, valid) == pytest.approx(expected, rel=1e-12)
    parts, several = node_score_terms(tree, valid), bool((tree.routes(valid)[2] < 1).any())
    assert (parts is None) == several
    if parts is not None:
        right = parts.as_leaf[cut.is_leaf].sum() + parts.at_node[cut.is_kept & ~cut.is_leaf].sum()
        assert right / parts.total == pytest.approx(expected, rel=1e-12)


def test_reduced_error_says_that_it_counts_fractional_rows():
    train, valid = holey(3).split(0.6, seed=3)
    tree = ex.grow(train, RECIPES[0])
    steps = ex.reduced_error_steps(tree, valid, "bottom_up")
    assert all(("counts in each with its share" in step.text) == (step.rows > 0) for step in steps)
    rows, nodes, shares = tree.routes(valid)
    truth = np.array([tree.classes.index(name) for name in valid.frame["goal"]])
    right = valid.weight_of_rows()[rows] * shares * (tree.labels[nodes] == truth[rows])
    assert steps[0].before == pytest.approx(right.sum() / valid.weight_of_rows().sum())
    complete = dataset_of("play_tennis")
    assert "with its share" not in ex.reduced_error_steps(ex.grow(complete, ex.C45), complete)[0].text


def test_complete_rows_score_as_ever():
    data = dataset_of("play_tennis")
    path = ex.cost_complexity_path(ex.grow(data, ex.C45))
    assert node_score_terms(path.tree, data) is not None
    assert path.curve(data)[0] == 1.0


def test_every_node_of_a_large_table_has_the_weights_that_a_walk_from_the_root_gives():
    """Rows of small nodes are numbered anew where a table is large, which must change nothing."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(1_800, 3))
    y = x[:, 0] + rng.normal(size=len(x)) > 0
    x[rng.random(x.shape) < 0.1] = np.nan
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=np.where(y, "yes", "no"))
    data = ex.Dataset.from_frame(frame, "y")
    tree = ex.grow(data, ex.C45)
    of_class = np.array([data.y == k for k in range(2)], dtype=float)
    waiting = [(0, np.ones(len(x)))]
    while waiting:
        node, weight = waiting.pop()
        assert tree.stats[node] == pytest.approx(of_class @ weight, rel=1e-9, abs=1e-9)
        if tree.child_count[node]:
            value = x[:, tree.feature[node]]
            is_known, goes_left = ~np.isnan(value), value <= tree.threshold[node]
            share = weight[goes_left].sum() / weight[is_known].sum()
            first, left = tree.first_child[node], np.where(is_known, goes_left, share)
            waiting += [(first, weight * left), (first + 1, weight * (1.0 - left))]
    assert tree.n_leaves > 100
