"""The tree of a drawn table as the view gets it, against the package and the definitions."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.drawing.drawn_table.answer import answer
from explorer.drawing.drawn_table.grown import grow_drawn, recipe_of
from explorer.drawing.drawn_table.points import CLASSES, FEATURES, points_of
from explorer.drawing.drawn_table.presets import preset_of
from tests.drawing.drawn_table.drawings import drawings, has_something_to_predict
from tests.oracles.examples import law


def recipes(table, algorithm, depth):
    return recipe_of("CART" if table.is_regression else algorithm, depth)


@given(table=drawings(), algorithm=st.sampled_from(["CART", "C4.5"]), depth=st.sampled_from([1, 3, None]))
@law(60)
def test_the_regions_shown_are_the_predictions(table, algorithm, depth):
    assume(has_something_to_predict(table))
    grown = grow_drawn(table, recipes(table, algorithm, depth))
    tree = answer(grown, "")["tree"]
    places = np.random.default_rng(0).uniform(0, 10, (200, 2))
    predicted = grown.tree.predict(pd.DataFrame(places, columns=list(FEATURES)))
    for (x, y), expected in zip(places, predicted, strict=True):
        inside = [
            node
            for node, (x0, x1, y0, y1) in enumerate(tree["boxes"])
            if tree["feature"][node] < 0 and x0 < x <= x1 and y0 < y <= y1
        ]
        assert len(inside) == 1, "the leaves divide the canvas"
        label = tree["label"][inside[0]]
        assert label == pytest.approx(expected, abs=1e-4) if table.is_regression else CLASSES[label] == expected


@given(table=drawings(), algorithm=st.sampled_from(["CART", "C4.5"]), depth=st.sampled_from([2, None]))
@law(40)
def test_the_tree_shown_is_that_of_the_file(table, algorithm, depth):
    assume(has_something_to_predict(table))
    recipe = recipes(table, algorithm, depth)
    shown = answer(grow_drawn(table, recipe), "")["tree"]
    rows = ex.read_table(table.csv().encode(), "drawn.csv").frame
    kinds = {"x": "numeric", "y": "numeric", table.target_name: "numeric" if table.is_regression else "categorical"}
    grown = ex.grow(ex.Dataset.from_frame(rows, table.target_name, features=["x", "y"], kinds=kinds), recipe)
    assert shown["first"] == grown.first_child.tolist()
    assert shown["weight"] == grown.weight.tolist()
    names = [None if code < 0 else FEATURES[code] for code in shown["feature"]]
    assert names == [None if code < 0 else grown.features[code].name for code in grown.feature]
    inner = grown.feature >= 0
    assert [float(text) for text in np.array(shown["threshold"])[inner]] == pytest.approx(grown.threshold[inner])
    if not table.is_regression:
        counts = np.array(shown["counts"])[:, [CLASSES.index(each) for each in grown.classes]]
        assert counts.tolist() == grown.stats.tolist()


@given(table=drawings(targets=("2", "3")), algorithm=st.sampled_from(["CART", "C4.5"]))
@law(30)
def test_the_accuracy_is_the_share_of_points_predicted_right(table, algorithm):
    assume(has_something_to_predict(table))
    grown = grow_drawn(table, recipe_of(algorithm, 2))
    frame = table.frame()
    assert grown.accuracy() == pytest.approx(float(np.mean(grown.tree.predict(frame) == frame["class"])))


@given(table=drawings(targets=("number",)))
@law(20)
def test_the_squared_error_is_that_of_the_points(table):
    assume(has_something_to_predict(table))
    grown = grow_drawn(table, recipe_of("CART", 2))
    frame = table.frame()
    assert grown.squared_error() == pytest.approx(float(np.mean((grown.tree.predict(frame) - frame["value"]) ** 2)))


@given(table=drawings(targets=("2", "3")))
@law(30)
def test_the_curves_are_the_gini_decreases_of_all_thresholds(table):
    assume(has_something_to_predict(table))

    def gini(codes):
        return 1 - sum(np.mean(codes == code) ** 2 for code in set(codes.tolist())) if len(codes) else 0

    curves = answer(grow_drawn(table, recipe_of("CART", 3)), "")["curves"]
    for feature, (thresholds, gains) in curves.items():
        values = getattr(table, feature)
        distinct = np.unique(values)
        assert thresholds == pytest.approx((distinct[:-1] + distinct[1:]) / 2, abs=1e-4)
        for threshold, gain in zip(thresholds, gains, strict=True):
            left = values <= threshold
            parts = [table.marks[left], table.marks[~left]]
            expected = gini(table.marks) - sum(len(part) / table.n_points * gini(part) for part in parts)
            assert gain == pytest.approx(expected, abs=1e-6)


@given(table=drawings(), depth=st.sampled_from([2, None]))
@law(20)
def test_a_path_leads_to_its_node(table, depth):
    assume(has_something_to_predict(table))
    grown = grow_drawn(table, recipe_of("CART", depth))
    for node in range(grown.tree.n_nodes_grown):
        assert grown.node_at(grown.path_to(node)) == node
    leaf = int(np.flatnonzero(grown.tree.is_leaf)[-1])
    assert grown.node_at(grown.path_to(leaf) + "01") == leaf, "a path ends at a leaf"


def test_the_lead_is_the_difference_to_the_other_feature():
    grown = grow_drawn(preset_of("blobs").drawn(), recipe_of("CART", 3))
    candidates = answer(grown, "")["candidates"]
    first, second = candidates["rows"]
    assert candidates["chosen"] == first["feature"]
    assert candidates["lead"] == pytest.approx(first["score"] - second["score"])
    assert second["text"] in candidates["lead_text"]


def test_equal_features_are_called_a_tie():
    table = points_of("2s2s00" + "8c8c01", "2")  # both features divide the two points
    assert answer(grow_drawn(table, recipe_of("CART", 3)), "")["candidates"]["lead_text"] == (
        "Tie: x wins as the earlier column."
    )


def test_the_answer_is_plain():
    grown = grow_drawn(preset_of("staircase").drawn(), recipe_of("CART", None))
    assert json.loads(json.dumps(answer(grown, "0")))["selected"] == 1


def test_points_of_one_class_have_no_tree():
    with pytest.raises(ex.InputError, match="single value"):
        grow_drawn(points_of("8c5k00" * 3, "2"), recipe_of("CART", 3))
