"""Figures of scores hold the numbers of the package, and names of tables as text."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.figures import score_figures as figures
from explorer.drawing.palette import DARK, LIGHT
from explorer.evaluation.feature_importance import PermutationImportance


@pytest.fixture(scope="module")
def stump():
    """Play tennis by Outlook alone: shares of Yes are 2/5, 1 and 3/5."""
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    return ex.grow(data, ex.ID3.replace(max_depth=1)), data


def test_the_curves_of_a_class_by_hand(stump):
    curves = ex.class_curves(*stump, "Yes")
    roc = figures.roc_figure(curves, "#000000", LIGHT).data[0]
    assert (9 * np.array(roc.y)).round(9).tolist() == [0, 4, 7, 9]
    assert (5 * np.array(roc.x)).round(9).tolist() == [0, 0, 2, 5]
    assert roc.customdata[2] == "predicted probability ≥ 60.0 %"
    precision, share = figures.precision_figure(curves, "#000000", LIGHT).data
    assert np.array(precision.y)[1:] == pytest.approx([1, 7 / 9, 9 / 14])
    assert share.y == pytest.approx((9 / 14, 9 / 14))
    lift = figures.lift_figure(curves, "#000000", DARK).data[0]
    assert np.array(lift.y)[1:] == pytest.approx([14 / 9, 7 / 9 / (9 / 14), 1])


def test_leaves_stand_by_their_size_in_the_colours_of_their_predictions(stump):
    tree, data = stump
    sizes = ex.leaf_sizes(tree)
    bars = figures.leaf_size_figure(sizes, tree.labels[sizes.nodes].tolist(), tree.classes, LIGHT).data
    assert {bar.name: (list(bar.x), list(bar.y)) for bar in bars} == {"No": ([1], [5]), "Yes": ([2, 3], [5, 4])}
    assert bars[1].customdata[1] == [2, "node 2: 4 rows (28.6 %), purity 100 %"]
    assert sum(len(bar.x) for bar in figures.leaf_size_figure(sizes, [0, 1, 1], tree.classes, LIGHT, most=2).data) == 2
    dots = figures.calibration_figure(ex.leaf_calibration(tree, data), 1, "share of Yes", "#000000", LIGHT).data[0]
    assert np.array(dots.x) == pytest.approx(np.array(dots.y)), "on the training rows leaves keep what they promise"
    assert [mark[0] for mark in dots.customdata] == [1, 2, 3], "a mark knows its node"


def test_the_words_at_the_diagonal_stand_above_all_dots(stump):
    (words,) = figures.calibration_figure(ex.leaf_calibration(*stump), 0, "No", "#000000", LIGHT).layout.annotations
    assert (words.text, words.yref, words.y, words.yanchor) == ("predicted = observed", "paper", 1, "bottom")


def test_the_leaf_chosen_stands_out_in_both_pictures(stump):
    tree, data = stump
    sizes, kept = ex.leaf_sizes(tree), ex.leaf_calibration(tree, data)
    dots = figures.calibration_figure(kept, 1, "share of Yes", "#000000", LIGHT, chosen=3).data[0]
    assert dots.marker.line.width == (1, 1, 3)
    bars = figures.leaf_size_figure(sizes, tree.labels[sizes.nodes].tolist(), tree.classes, LIGHT, chosen=3).data
    assert {bar.name: bar.marker.line.width for bar in bars} == {"No": (1,), "Yes": (3, 1)}


def test_importance_has_the_largest_on_top_and_names_as_text():
    lost = {
        name: PermutationImportance(np.array([loss, loss])) for name, loss in {"<b>a": 0.1, "c": 0.3, "d": 0.0}.items()
    }
    figure = figures.importance_figure({"<b>a": 0.7, "c": 0.3, "d": 0.0}, lost, "increase of the error rate", LIGHT)
    own, shuffled = figure.data
    assert own.customdata == ("d", "c", "&lt;b&gt;a"), "plotly counts from below"
    assert (own.x, shuffled.x) == ((0.0, 0.3, 0.7), (0.0, 0.3, 0.1))
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1], (
        "one stands above the other: titles have room"
    )
    alone = figures.importance_figure({"c": 0.3, "d": 0.7}, None, "increase of the error rate", LIGHT)
    assert [bar.x for bar in alone.data] == [(0.3, 0.7)], "without shuffled columns there is one picture"


def test_residuals_of_many_rows_are_thinned_evenly():
    dots = figures.residual_figure(np.arange(100.0), -np.arange(100.0), LIGHT, most=4).data[0]
    assert dots.x.tolist() == [0, 33, 66, 99]
    assert dots.y.tolist() == [0, -33, -66, -99]


def test_the_learning_curve_has_a_line_for_either_kind_of_rows():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(20) % 2, "y": list("ab") * 10}), "y")
    curve = ex.learning_curve(data, ex.CART, folds=2)
    figure = figures.learning_figure(curve, "accuracy", DARK)
    assert [line.name for line in figure.data] == ["training rows", "held-out rows"]
    assert figure.data[1].y.tolist() == curve.valid.tolist()
    assert figure.data[1].error_y.array.tolist() == curve.valid_error.tolist()
