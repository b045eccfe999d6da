"""The scene on CART: every fraction that textbooks print for the 15 loans, and pictures that add up."""

import json
from fractions import Fraction

import pytest

from pages.learn.path import scene_of
from tests.folders import ROOT

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))["loan_a1a2a3"]
PRINTED = {
    "A1 = 1": {"A1 = 0": ("7/15", "24/49"), "A1 = 1": ("8/15", "14/64")},
    "A2 = 1": {"A2 = 0": ("8/15", "1/2"), "A2 = 1": ("7/15", "12/49")},
    "A3 = D": {"A3 ≠ D": ("12/15", "4/9"), "A3 = D": ("3/15", "4/9")},
    "A3 = S": {"A3 ≠ S": ("11/15", "56/121"), "A3 = S": ("4/15", "3/8")},
    "A3 = T": {"A3 ≠ T": ("7/15", "20/49"), "A3 = T": ("8/15", "30/64")},
}
"""Of every question, the share of the rows and the Gini index of its two bags, as printed."""


@pytest.fixture(scope="module")
def steps():
    return {step.name: step for step in scene_of("cart").steps({})}


def value_of(arithmetic):
    """What "8/15·14/64 + 7/15·24/49" comes to."""
    terms = [[Fraction(factor) for factor in term.split("·")] for term in arithmetic.split(" + ")]
    return sum(share * gini for share, gini in terms)


def gini_of(codes):
    shares = [Fraction(codes.count(code), len(codes)) for code in set(codes)]
    return 1 - sum(share**2 for share in shares)


@pytest.mark.parametrize("question", PRINTED)
def test_every_printed_fraction_is_a_number_of_the_step(steps, question):
    numbers = steps["candidates"].numbers
    for word, (share, gini) in PRINTED[question].items():
        assert numbers[f"{word} share"] == pytest.approx(float(Fraction(share)))
        assert numbers[f"{word} bag"] == pytest.approx(float(Fraction(gini)))
    weighted = sum(Fraction(share) * Fraction(gini) for share, gini in PRINTED[question].values())
    assert numbers[question] == pytest.approx(float(weighted))


def test_the_printed_decimals_are_these_numbers_rounded(steps):
    printed = GOLDEN["published"]
    assert round(steps["gini"].number.value, 3) == printed["gini"]
    for question in PRINTED:
        assert f"{steps['candidates'].numbers[question]:.3f}" == f"{printed[question.replace('=', '==')]:.3f}"


@pytest.mark.parametrize("name", ["candidates", "node 1", "node 2"])
def test_the_bags_hold_every_row_once_and_the_arithmetic_is_theirs(steps, name):
    picture = steps[name].picture
    for division in picture.divisions:
        inside = [ball for bag in division.groups for ball in bag.rows]
        assert sorted(inside) == list(range(len(picture.rows)))
        weighted = sum(
            Fraction(len(bag.rows), len(inside)) * gini_of([picture.codes[ball] for ball in bag.rows])
            for bag in division.groups
        )
        assert value_of(division.arithmetic) == weighted
        assert division.value == pytest.approx(float(weighted))
        assert division.text == f"{float(weighted):.3f}"


@pytest.mark.parametrize("name", ["candidates", "node 1", "node 2"])
def test_the_right_answer_is_the_bar_in_front(steps, name):
    step = steps[name]
    right = step.question.options[step.question.right[0]]
    best = min(step.picture.divisions, key=lambda division: division.value)
    assert [division.name for division in step.picture.divisions if division.is_best] == [best.name] == [right]


@pytest.mark.parametrize("name", ["candidates", "node 1", "node 2"])
def test_before_the_answer_no_number_shows(steps, name):
    before = steps[name].before
    assert {division.text for division in before.divisions} == {"?"}
    assert not any(division.arithmetic or division.value or division.is_best for division in before.divisions)
    assert not any("Gini" in bag.lines[0] for division in before.divisions for bag in division.groups)


def test_a_row_keeps_its_ball_from_step_to_step(steps):
    whole, *below = (
        dict(zip(steps[name].picture.rows, steps[name].picture.codes, strict=True))
        for name in ("gini", "node 1", "node 2")
    )
    assert below[0] | below[1] == whole
    assert len(below[0]) + len(below[1]) == len(whole)
