"""The charts of one feature at a node: heights are counts, peaks stay, names are text."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.figures.split_chart import category_chart, highest, threshold_chart
from explorer.drawing.palette import theme

LIGHT = theme("light")


def profile_of(name: str, feature: str, recipe: ex.Recipe = ex.CART, target: str | None = None):
    data = ex.Dataset.from_frame(ex.load_sample(name).frame, target or ex.SAMPLES[name].target)
    tree = ex.grow(data, recipe)
    return tree, ex.decide(tree, data, 0).profile(feature)


def test_bars_and_gains_of_mitchell_s_temperatures():
    tree, profile = profile_of("temperature6", "Temperature")
    edges, heights = profile.histogram()
    assert (edges[0], edges[-1], heights.sum()) == (40, 90, 6)
    assert profile.thresholds.tolist() == [44, 54, 66, 76, 85]
    # 54 leaves N N | Y Y Y N: 1/2 − 4/6 · 3/8 = 1/4
    assert profile.gains[1] == pytest.approx(1 / 4)
    figure = threshold_chart(profile, tree, 60.0, ("Temperature", "Gini decrease"), LIGHT)
    words = {note.text for note in figure.layout.annotations}
    assert words == {"best: ≤ 54", "yours: ≤ 60"}
    assert sum(np.sum(bar.y) for bar in figure.data if bar.type == "bar") == 6


def test_the_axis_of_a_feature_has_no_room_for_labels_only():
    tree, profile = profile_of("temperature6", "Temperature")
    figure = threshold_chart(profile, tree, 76.0, ("Temperature", "Gini decrease"), LIGHT)
    assert list(figure.layout.xaxis.range) == [40, 90]
    sides = {note.text: note.xanchor for note in figure.layout.annotations}
    assert sides == {"best: ≤ 54": "left", "yours: ≤ 76": "right"}


def test_arrows_separate_the_two_branches_and_none_stand_beside_many():
    tree, profile = profile_of("play_tennis", "Outlook")
    two = category_chart(profile, tree, ("Rain",), LIGHT)
    assert list(two.layout.xaxis.ticktext) == ["Sunny ▶", "Overcast ▶", "◀ Rain"]
    assert list(category_chart(profile, tree, (), LIGHT).layout.xaxis.ticktext) == ["Sunny", "Overcast", "Rain"]
    assert [list(bar.y) for bar in two.data] == [[3, 0, 2], [2, 4, 3]]


def test_the_heights_are_weights_where_a_column_weighs_the_rows():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "w": [2.5, 1.5, 1.0, 3.0], "y": list("aabb")})
    data = ex.Dataset.from_frame(frame, "y", weights="w")
    tree = ex.grow(data, ex.CART)
    figure = threshold_chart(ex.decide(tree, data, 0).profile("x"), tree, 2.5, ("x", "Gini decrease"), LIGHT)
    assert figure.layout.yaxis.title.text == "weight"
    assert "weight 2.5" in figure.data[0].customdata


def test_names_are_shown_as_text():
    frame = pd.DataFrame({"<b>f</b>": ["<i>u</i>", "v"] * 4, "goal": ["a", "<b>b</b>"] * 4})
    data = ex.Dataset.from_frame(frame, "goal")
    tree = ex.grow(data, ex.CART)
    profile = ex.decide(tree, data, 0).profile("<b>f</b>")
    assert "<i>" not in category_chart(profile, tree, ("v",), LIGHT).to_json()


def test_many_thresholds_are_thinned_without_losing_the_peak():
    gains = np.random.default_rng(0).random(50_000)
    gains[31_234] = 2.0
    kept = highest(gains)
    assert len(kept) == 1000
    assert 31_234 in kept
    assert (np.diff(kept) > 0).all()
