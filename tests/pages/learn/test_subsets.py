"""The scene on groups of values: all groupings by brute force, and where the two rules part."""

from fractions import Fraction
from itertools import product

import pytest

import explorer as ex
from pages.learn.path import scene_of
from tests.oracles.chart_marks import marks_of, named


@pytest.fixture(scope="module")
def steps():
    return {step.name: step for step in scene_of("subsets").steps({})}


def weighted_gini(groups):
    """The Gini indices of groups of (rows of a class, rows), weighted by their rows."""
    whole = sum(rows for group in groups for _, rows in group)
    left = Fraction(0)
    for group in groups:
        inside, rows = sum(one for one, _ in group), sum(n for _, n in group)
        share = Fraction(inside, rows)
        left += Fraction(rows, whole) * 2 * share * (1 - share)
    return float(left)


@pytest.fixture(scope="module")
def purposes():
    """The rows of every purpose, and how many of them are bad, straight from the table."""
    frame = ex.load_sample("credit_g").frame
    return {str(name): (int((group["class"] == "bad").sum()), len(group)) for name, group in frame.groupby("purpose")}


def test_the_categories_ascend_by_share_and_have_the_rows_of_the_table(steps, purposes):
    picture = steps["ordering"].picture
    drawn = named(marks_of(picture), "")
    texts = {mark["key"].removesuffix(" text"): mark["text"] for mark in drawn if mark["key"].endswith(" text")}
    shares = {name: next(mark for mark in drawn if mark["key"] == name)["x"][1] for name in texts}
    rows = {name: int(text.split(" · ")[1]) for name, text in texts.items()}
    assert {name: (round(shares[name] * rows[name]), rows[name]) for name in texts} == purposes
    assert list(shares.values()) == sorted(shares.values())
    first = [mark["y"][0] for mark in named(marks_of(picture, 0), "") if mark["key"] in texts]
    assert sorted(first) != first
    assert len(set(first)) == len(texts)


def test_the_best_of_all_groupings_is_a_cut_of_the_order(steps, purposes):
    picture = steps["ordering"].picture
    names = [key.removesuffix(" name") for key in marks_of(picture) if key.endswith(" name")]
    every = []
    for chosen in product((True, False), repeat=len(names) - 1):
        second = [True, *chosen]
        if not all(second):
            every.append(
                weighted_gini(
                    [[purposes[n] for n, s in zip(names, second, strict=True) if s == side] for side in (0, 1)]
                )
            )
    assert len(every) == 2 ** (len(names) - 1) - 1
    spread = marks_of(picture, panel=1)
    assert [mark["points"][0][0] for mark in named(spread, "grouping")] == pytest.approx(sorted(every))
    cuts = [mark["x"] for mark in named(spread, "cut")]
    for k, value in enumerate(cuts):
        assert value == pytest.approx(
            weighted_gini([[purposes[n] for n in names[: k + 1]], [purposes[n] for n in names[k + 1 :]]])
        )
    assert cuts[picture.shown - 1] == pytest.approx(min(every))


def test_three_values_have_the_same_splits_by_both_rules():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    left = []
    for test in ("one_vs_rest", "subset"):
        recipe = ex.CART.replace(categorical=test)
        candidates = ex.decide(ex.grow(data, recipe), data, 0).candidates
        left.append(sorted(candidate.weighted_impurity for candidate in candidates))
    assert left[0] == pytest.approx(left[1])


def test_four_values_part_the_rules(steps):
    numbers = steps["four values"].numbers
    assert numbers["single"] == pytest.approx(3 / 4 * 0 + 9 / 12 * (1 - (3 / 9) ** 2 - (6 / 9) ** 2))
    assert numbers["grouped"] == 0
    assert (numbers["single values"], numbers["groups"]) == (4, 2**3 - 1)


@pytest.mark.parametrize(("rule", "leaves"), [("one_vs_rest", 3), ("subset", 2)])
def test_the_rules_grow_trees_of_three_and_of_two_leaves(rule, leaves):
    step = {step.name: step for step in scene_of("subsets").steps({"test": rule})}["two trees"]
    assert step.number.value == leaves == step.picture.tree.n_leaves
