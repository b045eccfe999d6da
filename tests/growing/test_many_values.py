"""Features with many values are not in C4.5's mean gain, but compete (section 4)."""

from __future__ import annotations

import pandas as pd
import pytest

import explorer as ex
from explorer.explaining import mean_gain_formula
from tests.oracles import bridge

TENNIS = ex.load_sample("play_tennis").frame
FEATURES = ["Outlook", "Temperature", "Humidity", "Wind", "Id"]


def days_with_id(times: int) -> pd.DataFrame:
    frame = pd.concat([TENNIS] * times, ignore_index=True)
    return frame.assign(Id=[f"day {row}" for row in range(len(frame))])


def data_of(frame: pd.DataFrame, **more: str) -> ex.Dataset:
    return ex.Dataset.from_frame(frame, "PlayTennis", FEATURES, **more)


@pytest.mark.parametrize(("times", "root", "leaves"), [(4, "Id", 56), (8, "Outlook", 5)])
def test_the_trees_are_those_of_j48(times, root, leaves):
    """Weka 3.9.7, `J48 -U -M 1`: the id has the larger ratio in 56 rows, and Outlook in 112."""
    data = data_of(days_with_id(times))
    tree = ex.grow(data, ex.C45)
    assert (tree.condition(0).feature, tree.n_leaves) == (root, leaves)
    decision = ex.decide(tree, data, 0)
    gains = [decision.best[name].gain for name in FEATURES[:4]]
    assert decision.mean_gain == pytest.approx(sum(gains) / 4)
    assert decision.many_values == ("Id",)
    formula = mean_gain_formula(tree.node(0), decision)
    assert formula is not None
    assert len(formula.formulas) == 5  # four gains and their mean


@pytest.mark.parametrize(("weight", "many"), [(0.01, ("Id",)), (1.0, ("Id",)), (8.0, ())])
def test_a_weight_counts_as_so_many_rows(weight, many):
    """The 14 ids are few among 112 rows; of light rows each is one."""
    data = data_of(TENNIS.assign(Id=[f"day {row}" for row in range(14)], w=weight), weights="w")
    assert ex.decide(ex.grow(data, ex.C45), data, 0).many_values == many


def test_where_all_features_have_many_values_all_are_in_the_mean():
    data = ex.Dataset.from_frame(TENNIS[:6], "PlayTennis", ["Outlook", "Humidity", "Wind"])  # 2 of 6 are many
    tree = ex.grow(data, ex.C45)
    decision = ex.decide(tree, data, 0)
    assert decision.many_values == ()
    assert decision.mean_gain == pytest.approx(sum(best.gain for best in decision.best.values()) / 3)


def test_where_only_such_features_are_left_none_competes():
    frame = pd.DataFrame({"id": list("abcdef"), "x": [1] * 6, "y": list("ppqqpq")})
    data = ex.Dataset.from_frame(frame, "y", ["id", "x"], kinds={"x": "numeric"})
    tree = ex.grow(data, ex.C45)
    decision = ex.decide(tree, data, 0)
    assert (tree.n_leaves, decision.mean_gain) == (1, None)
    assert decision.candidates[0].rejected == "many values, and no feature with fewer to compare its gain with"
    assert ex.grow(data, ex.C45.replace(mean_gain_filter="off")).n_leaves == 6


def test_a_forest_counts_the_values_of_the_rows_it_drew():
    data = data_of(days_with_id(8))
    for member in ex.bagging(data, ex.C45, n_estimators=2).members:
        alone = ex.grow(data.with_weights(member.weights), ex.C45)
        bridge.assert_same_tree(member.tree, alone)
