"""One tree for several targets on the Compare page: its numbers are the package's, its choices live in the address."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.figures import target_figures
from explorer.drawing.palette import LIGHT
from explorer.drawing.tree_view.payload import TYPES, header_of, tree_payload
from tests.pages.app import fine, number_tables, opened, texts, views

HERE = {"comparison": "targets"}
CARS = {**HERE, "data": "auto_mpg", "target2": "weight", "split": "all"}


def cars(**changes):
    """The same tree by the package: the table without its names, to the depth that the page begins with."""
    sample = ex.SAMPLES["auto_mpg"]
    frame = ex.load_sample("auto_mpg").frame
    whole = ex.Dataset.from_frame(frame, sample.target, sample.features, sample.kinds)
    features = [feature.name for feature in whole.features if feature.name != "weight"]
    kinds = {feature.name: feature.kind for feature in whole.features} | dict(sample.kinds or {})
    data = ex.MultiOutputData.from_frame(whole.frame, ["mpg", "weight"], features, kinds)
    return ex.grow_multi_output(data, ex.CART.replace(max_depth=4, **changes)), data


def showing(app, tab):
    app.session_state["targets.tab"] = tab
    return fine(app.run())


def test_the_table_has_the_decrease_of_every_target():
    tree, data = cars()
    root = ex.decide_multi_output(tree, data, 0)
    app = fine(opened("Compare", **CARS))
    assert "several_targets" in views(app)
    ((headings, first, *others),) = number_tables(app)
    assert headings == ["split", "mean", "mpg", "weight"]
    assert 1 + len(others) == len(root.candidates)
    amounts = [sum(root.chosen.shares) / 2, *root.chosen.shares]
    assert first == [root.chosen.candidate.condition.text, *(f"{100 * amount:.1f} %" for amount in amounts)]


def test_one_tree_stands_beside_a_tree_for_each_target():
    tree, data = cars()
    alone = [ex.grow(one, ex.CART.replace(max_depth=4)) for one in data.outputs]
    app = showing(opened("Compare", **CARS), "One tree or several")
    frame = next(one.value for one in app.dataframe if "own tree" in one.value)
    assert frame["target"].tolist() == ["mpg", "weight"]
    assert [int(text) for text in frame["own leaves"]] == [one.n_leaves for one in alone]
    scored = ex.evaluate(tree.trees[0], data.outputs[0]).scores["mse"].value
    assert float(frame["one tree"][0]) == pytest.approx(scored, rel=1e-3)


def test_the_tree_shows_the_target_that_is_chosen():
    app = fine(opened("Compare", **CARS, shown="weight"))
    assert app.segmented_control(key="targets.shown").value == 1


def test_every_leaf_of_the_tree_has_a_bar_for_each_target():
    """A class target's bar has the shares of its classes, a numeric one its mean between the leaves' extremes."""
    tree, _ = cars()
    numeric = header_of(tree_payload(tree.trees[0], tree.trees))
    assert (numeric["target_bars"], numeric["target_names"]) == ([1, 1], ["mpg", "weight"])
    frame = pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0], "y": list("aabc"), "z": [1.0, 3.0, 6.0, 8.0]})
    mixed = ex.grow_multi_output(ex.MultiOutputData.from_frame(frame, ["y", "z"], ["x"]), ex.CART.replace(max_depth=1))
    header = header_of(content := tree_payload(mixed.trees[0], mixed.trees))
    assert header["target_bars"] == [3, 1]
    kind, start, size = header["arrays"]["target_bars"]
    bars = np.frombuffer(content, TYPES[kind], size, 4 + int.from_bytes(content[:4], "little") + start).reshape(3, 4)
    assert bars[1] == pytest.approx([1, 0, 0, 0.04])
    assert bars[2] == pytest.approx([0, 0.5, 0.5, 1])


def test_without_a_choice_the_last_feature_is_the_second_target():
    app = fine(opened("Compare", **HERE, data="play_tennis"))
    assert app.multiselect(key="targets.more").value == ["Wind"]


def test_an_algorithm_for_classes_gives_way_to_cart_for_numbers():
    app = fine(opened("Compare", **{**HERE, "data": "titanic", "target2": "age", "a.recipe": "ID3"}))
    assert "ID3 needs classes, so the tree is grown by CART." in texts(app.caption)


def test_two_targets_that_leave_no_feature_are_refused():
    names = ["Outlook", "Temperature", "Humidity", "Wind"]
    app = opened("Compare", **HERE, data="play_tennis", target2=names)
    assert "No feature is left" in texts(app.error)


def test_bars_of_leaves_show_texts_as_texts():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "<b>": ["<i>", "<i>", "y", "y"], "n": [1.0, 1.0, 2.0, 4.0]})
    data = ex.MultiOutputData.from_frame(frame, ["<b>", "n"], kinds={"n": "numeric"})
    tree = ex.grow_multi_output(data)
    html = target_figures.leaf_bars(tree.trees, tree.trees[0].leaves().tolist(), LIGHT)
    assert "<b><b>" not in html
    assert "<i>" not in html
    assert "&lt;i&gt;" in html


def test_stacked_bars_add_up_to_the_mean():
    shares = np.array([[0.5, 0.3], [0.2, 0.1]])
    figure = target_figures.stacked_decreases(["a ≤ 1", "b ≤ 2"], shares, ["p", "q"], LIGHT)
    total = np.sum([bar.x for bar in figure.data], axis=0)
    np.testing.assert_allclose(total, shares.mean(axis=1))
