"""The scene on regression: squared errors by the definition, the printed sums, and the staircase of the tree."""

import json

import numpy as np
import pytest

from pages.learn.path import scene_of
from tests.folders import ROOT

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))["lihang_8_2_regression"]


@pytest.fixture(scope="module")
def steps():
    return {step.name: step for step in scene_of("regression").steps({})}


def squares(values):
    return float(((np.array(values) - np.mean(values)) ** 2).sum()) if len(values) else 0.0


def test_every_cut_has_the_means_and_squared_errors_of_its_sides(steps):
    picture = steps["cut"].picture
    assert [cut.threshold for cut in picture.cuts] == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]
    for cut in picture.cuts:
        left = [y for x, y in picture.points if x <= cut.threshold]
        right = [y for x, y in picture.points if x > cut.threshold]
        assert (cut.left_mean, cut.right_mean) == pytest.approx((np.mean(left), np.mean(right)))
        assert cut.squared_error == pytest.approx(squares(left) + squares(right))
    assert picture.cuts[picture.best].squared_error == min(cut.squared_error for cut in picture.cuts)


def test_the_printed_sums_are_these_but_for_three_that_the_step_names(steps):
    numbers, source = steps["cut"].numbers, steps["cut"].source
    for s, printed in GOLDEN["published m(s)"].items():
        if f"{numbers[f'm({s})']:.2f}" != f"{printed:.2f}":
            assert f"m({s}) = {printed:.2f}" in source
            assert f"{numbers[f'm({s})']:.3f}" in source
        else:
            assert f"m({s})" not in source
    best = GOLDEN["best"]
    assert (round(numbers["left mean"], 2), round(numbers["right mean"], 2)) == (best["left_mean"], best["right_mean"])


@pytest.mark.parametrize(("limit", "name"), [("0.2", "full tree"), ("0.2", "stop"), ("2", "stop"), ("0", "stop")])
def test_the_staircase_covers_the_rows_and_has_their_errors_after_every_split(limit, name):
    picture = {step.name: step for step in scene_of("regression").steps({"limit": limit})}[name].picture
    for splits, squared_error in enumerate(picture.squared_errors):
        leaves = [
            stair
            for stair in picture.stairs
            if stair.since <= splits and (stair.until is None or stair.until >= splits)
        ]
        groups = [[y for x, y in picture.points if leaf.low < x <= leaf.high] for leaf in leaves]
        assert len(leaves) == splits + 1
        assert sum(map(len, groups)) == len(picture.points)
        assert [leaf.mean for leaf in leaves] == pytest.approx([np.mean(group) for group in groups])
        assert sum(map(squares, groups)) == pytest.approx(squared_error, abs=1e-9)


@pytest.mark.parametrize("limit", ["0.05", "0.2", "2"])
def test_a_limit_stops_the_nodes_below_it_and_no_other(limit):
    picture = {step.name: step for step in scene_of("regression").steps({"limit": limit})}["stop"].picture
    for stair in picture.stairs:
        error = squares([y for x, y in picture.points if stair.low < x <= stair.high])
        assert (stair.until is None) == (error < float(limit))


def test_while_it_is_asked_for_the_best_cut_is_not_marked(steps):
    before = steps["cut"].before
    assert before.best is None
    assert not before.has_curve
    assert before.shown == 0
