"""The scene on the rules of pruning: its experiments by hand, in exact fractions."""

from fractions import Fraction
from functools import reduce

import pytest

from explorer.messages import chinese, spoken_in
from pages.learn.path import scene_of

N = 11
LEAVES = {"LLL": (1, 0), "LLR": (3, 1), "LR": (0, 1), "RL": (0, 3), "RR": (1, 1)}
"""The leaves of the full tree of the eleven rows by the way to them (left, right), with the rows of both classes."""


def steps():
    return {step.name: step for step in scene_of("pruning_rules").steps({})}


def risk(way: str) -> Fraction:
    """R of a node as a leaf: its Gini index times its rows / N."""
    counts = [sum(LEAVES[leaf][k] for leaf in below(way)) for k in (0, 1)]
    n = sum(counts)
    return Fraction(n, N) * (1 - sum(Fraction(count, n) ** 2 for count in counts))


def below(way: str) -> list[str]:
    return [leaf for leaf in LEAVES if leaf.startswith(way)]


def total(ways) -> Fraction:
    return sum(map(risk, ways), Fraction(0))


def strength(way: str, leaves) -> Fraction:
    here = [leaf for leaf in leaves if leaf.startswith(way)]
    return (risk(way) - total(here)) / (len(here) - 1)


def splits(leaves) -> set[str]:
    return {leaf[:end] for leaf in leaves for end in range(len(leaf))}


def cut(leaves, way: str) -> list[str]:
    return sorted({way if leaf.startswith(way) else leaf for leaf in leaves})


def breiman() -> list[tuple[Fraction, list[str]]]:
    """α and leaves of the sequence, g(t) worked out again after every cut."""
    found, leaves = [], sorted(LEAVES)
    while len(leaves) > 1:
        alpha = min(strength(way, leaves) for way in splits(leaves))
        leaves = reduce(cut, [way for way in splits(leaves) if strength(way, leaves) == alpha], leaves)
        found.append((alpha, leaves))
    return found


def test_the_largest_strength_of_the_full_tree_is_the_roots():
    by_hand = {way: strength(way, LEAVES) for way in splits(LEAVES)}
    step = steps()["largest first"]
    assert max(by_hand, key=by_hand.get) == "", "the root"
    assert step.numbers["largest"] == pytest.approx(float(by_hand[""]))
    assert step.numbers["least"] == pytest.approx(float(min(by_hand.values())))
    assert step.question.options[step.question.right[0]].startswith("t0:")


def test_with_fixed_strengths_three_leaves_have_a_larger_risk():
    again = next(total(leaves) for _, leaves in breiman() if len(leaves) == 3)
    fixed = {way: strength(way, LEAVES) for way in splits(LEAVES)}
    alpha = sorted(fixed.values())[1]
    once = total(reduce(cut, [way for way in fixed if fixed[way] <= alpha], sorted(LEAVES)))
    step = steps()["same size"]
    assert again < once
    assert step.numbers["risk again"] == pytest.approx(float(again))
    assert step.numbers["risk once"] == pytest.approx(float(once))


def test_the_sequence_has_one_tree_more_than_internal_nodes():
    step = steps()["number of trees"]
    alphas = [float(alpha) for alpha, _ in breiman()]
    assert step.number.value == len(alphas) + 1 == len(splits(LEAVES)) + 1
    assert list(step.numbers.values()) == pytest.approx(alphas)


def test_the_sequence_goes_on_to_the_root_which_random_rows_choose():
    step = steps()["to the root"]
    numbers, rows = step.numbers, step.picture.rows
    assert numbers["Gini index of the root"] == pytest.approx(1 - (48 / 100) ** 2 - (52 / 100) ** 2)
    assert numbers["error of the root"] <= numbers["least error"] + numbers["its standard error"]
    assert numbers["error of the root"] == pytest.approx(0.48), "48 of 100 rows are not of the larger class"
    assert [row[2] for row in rows] == ["7", "6", "4", "3", "2", "1"]
    assert step.question.options[step.question.right[0]] == rows[step.picture.lit[0]][2] == "1"


def test_a_leaf_is_cheaper_above_g_and_the_branch_below():
    numbers = steps()["inequality"].numbers
    assert numbers["branch below"] < numbers["leaf below"]
    assert [row[3] for row in steps()["inequality"].picture.rows] == ["as a subtree", "both alike", "as a leaf"]


def test_every_number_can_be_read_in_its_step():
    for step in steps().values():
        seen = f"{step.text} {step.number.value:.{step.number.digits}f} {step.picture}"
        hidden = [name for name, value in step.numbers.items() if f"{value:.4f}" not in seen]
        assert hidden == [], step.name


def test_in_chinese_no_english_sentence_is_left():
    with spoken_in(chinese()):
        words = [text for step in steps().values() for text in (step.title, step.text, step.source)]
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in words)
