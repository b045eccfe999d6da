"""The scene on regression: squared errors by the definition, the printed sums, and the staircase of the tree."""

import json

import numpy as np
import pytest

from pages.learn.path import scene_of
from tests.folders import ROOT
from tests.oracles.chart_marks import marks_of, named

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))["lihang_8_2_regression"]


@pytest.fixture(scope="module")
def steps():
    return {step.name: step for step in scene_of("regression").steps({})}


def squares(values):
    return float(((np.array(values) - np.mean(values)) ** 2).sum()) if len(values) else 0.0


def points_of(marks):
    return [(mark["x"], mark["y"]) for mark in named(marks, "point")]


def test_every_cut_has_the_means_and_squared_errors_of_its_sides(steps):
    picture = steps["cut"].picture
    assert [place.at for place in picture.places] == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]
    errors = []
    for at, place in enumerate(picture.places):
        marks, sums = marks_of(picture, at), marks_of(picture, at, 1)
        left, right = ([y for x, y in points_of(marks) if (x <= place.at) == side] for side in (True, False))
        means = [mark["points"][0][1] for mark in (marks["mean 0"], marks["mean 1"])]
        assert means == pytest.approx([np.mean(left), np.mean(right)])
        errors.append(sums[f"m {at}"]["y"])
        assert errors[-1] == pytest.approx(squares(left) + squares(right))
    assert errors[picture.shown] == min(errors)


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


def stairs_of(picture, place):
    """Low end, high end and mean of every leaf at a place."""
    lines = [mark["points"] for mark in named(marks_of(picture, place), "stair")]
    return [(low, high, mean) for (low, mean), (high, _) in lines]


@pytest.mark.parametrize(("limit", "name"), [("0.2", "full tree"), ("0.2", "stop"), ("2", "stop"), ("0", "stop")])
def test_the_staircase_covers_the_rows_and_has_their_errors_after_every_split(limit, name):
    picture = {step.name: step for step in scene_of("regression").steps({"limit": limit})}[name].picture
    points = points_of(marks_of(picture))
    for splits, place in enumerate(picture.places):
        leaves = stairs_of(picture, splits)
        groups = [[y for x, y in points if low < x <= high] for low, high, _ in leaves]
        assert len(leaves) == splits + 1
        assert sum(map(len, groups)) == len(points)
        assert [mean for _, _, mean in leaves] == pytest.approx([np.mean(group) for group in groups])
        assert place.reading.endswith(f"{sum(map(squares, groups)):.2f}")


@pytest.mark.parametrize("limit", ["0.05", "0.2", "2"])
def test_a_limit_stops_the_nodes_below_it_and_no_other(limit):
    picture = {step.name: step for step in scene_of("regression").steps({"limit": limit})}["stop"].picture
    points, whole = points_of(marks_of(picture)), set(stairs_of(picture, -1))
    for low, high, mean in {stair for place in range(len(picture.places)) for stair in stairs_of(picture, place)}:
        error = squares([y for x, y in points if low < x <= high])
        assert ((low, high, mean) in whole) == (error < float(limit))


def test_while_it_is_asked_for_the_best_cut_is_not_marked(steps):
    before = steps["cut"].before
    assert [len(column) for column in before.columns] == [1]
    assert not any("=" in place.reading for place in before.places)
    assert before.shown == 0
