"""The pruning scenes against textbook numbers, brute-force searches over pruned subtrees, and exact fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import explorer as ex
from explorer.pruning import fixed_alpha_trees
from pages.learn.path import scene_of
from pages.learn.scenes.step import Step
from pages.results.lessons import melons, pruning, tree_sizes, trees
from tests.folders import ROOT
from tests.pages.learn.numbers_prune import NUMBERS

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))
SCENES = ("cost_complexity", "weakest_link", "choose_size", "not_nested", "reduced_error", "pessimistic")
LOANS = ("loan_a1a2a3", "CART", pruning.ONE_AGAINST_REST)


@cache
def steps_of(scene: str, **chosen: str) -> dict[str, Step]:
    return {step.name: step for step in scene_of(scene).steps(chosen)}


def in_golden(path: tuple[object, ...]) -> float:
    value = GOLDEN
    for key in path:
        value = value[key]
    return float(Fraction(value)) if isinstance(value, str) else float(value)


@pytest.mark.parametrize(("source", "path", "scene", "step", "name"), NUMBERS, ids=lambda value: str(value)[-30:])
def test_textbook_numbers(source, path, scene, step, name):
    precision = 5e-4 if "published" in path else 1e-9
    assert steps_of(scene)[step].numbers[name] == pytest.approx(in_golden(path), abs=precision), source


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_has_three_to_seven_steps_and_right_answers(scene):
    steps = steps_of(scene)
    assert 3 <= len(steps) <= 7
    asked = [step.question for step in steps.values() if step.question is not None]
    assert len(asked) >= len(steps) // 2
    for question in asked:
        assert len(set(question.options)) == len(question.options)
        assert all(0 <= right < len(question.options) for right in question.right)


def test_the_cheapest_of_all_pruned_subtrees_is_that_of_the_sequence():
    path = pruning.path(*LOANS)
    every = pruning.pruned_subtrees(path.tree)
    assert len(every) == 10  # 1 + (1 + 1·2)·(1 + 1·2): each branch is whole, or pruned at one of its nodes
    for alpha in np.linspace(0.001, 0.13, 40):
        best = min(every, key=lambda subtree: (round(subtree.risk + alpha * subtree.leaves, 12), subtree.leaves))
        subtree = path.subtree(float(alpha))
        assert best.leaves == subtree.n_leaves
        assert set(best.pruned) == {n for n in subtree.leaves().tolist() if path.tree.child_count[n]}


def test_cutting_the_weakest_link_is_the_cheapest_removal_at_its_alpha():
    path = pruning.path(*LOANS)
    for position, alpha in enumerate(path.alphas[1:].tolist()):
        links = pruning.links(path.tree, pruning.pruned_nodes(path, position))
        assert min(link.strength for link in links.values()) == pytest.approx(alpha, rel=1e-12)


NOT_NESTED = {
    "9 rows": ([Fraction(2, 9), Fraction(12, 49), Fraction(16, 63)], [3, 1, 2, 1]),
    "4 rows": ([0.25, 0.2516, 0.3113], [3, 1, 2, 1]),
    "13 rows": ([0.4807, 0.5033, 0.6129], [3, 1, 2, 1]),
}


@pytest.mark.parametrize("table", NOT_NESTED)
def test_the_loss_per_node_is_not_nested(table):
    begins, leaves = NOT_NESTED[table]
    tree = pruning.not_nested(table)
    found = fixed_alpha_trees(tree, "per_node")
    assert [interval.n_leaves for interval in found] == leaves
    assert [interval.begin for interval in found[1:]] == pytest.approx([float(begin) for begin in begins], abs=1e-4)


def test_the_root_s_losses_by_hand_on_the_nine_rows():
    """A leaf: 4/9 + α. The branch with A split: 3α; with A as a leaf (12/49 on 7 of 9 rows): 4/21 + 2α."""
    numbers = steps_of("not_nested")["why"].numbers
    assert numbers["leaf, small"] == pytest.approx(4 / 9 + 0.23)
    assert numbers["subtree, small"] == pytest.approx(3 * 0.23)
    assert numbers["leaf"] == pytest.approx(4 / 9 + 0.25)
    assert numbers["subtree"] == pytest.approx(4 / 21 + 2 * 0.25)


def test_two_procedures_disagree_by_the_loss_per_node_only():
    """At α = 1/4 the root is a leaf, as (4/9 − 0)/2 = 2/9; bottom-up makes A a leaf first, and keeps two leaves."""
    numbers = steps_of("not_nested")["two procedures"].numbers
    assert numbers["alpha"] == pytest.approx(2 / 9)
    assert (numbers["bottom-up"], numbers["weakest links"]) == (2, 1)
    assert numbers["Breiman"] == numbers["Breiman, bottom-up"] == 2


@pytest.mark.parametrize("table", ["iris", "vote", "penguins", "mushroom"])
def test_the_alpha_of_weakest_links_never_falls(table):
    alphas = pruning.path(table, "CART", (), "per_node").alphas.tolist()
    assert len(alphas) > 4
    assert all(before <= after for before, after in pairwise(alphas))


def test_a_validation_set_chooses_the_tree_with_its_least_errors():
    data = trees.rows("titanic")
    for seed, draw in enumerate(tree_sizes.held_out_sizes("titanic")):
        train, valid = data.split(0.7, seed=seed)
        path = ex.cost_complexity_path(ex.grow(train, ex.CART))
        wrong = [float((path.subtree(position=k).predict_encoded(valid) != valid.y).mean()) for k in range(len(path))]
        least = [leaves for leaves, error in zip(path.n_leaves.tolist(), wrong, strict=True) if error == min(wrong)]
        assert (draw.best_leaves, draw.error) == (min(least), pytest.approx(min(wrong)))
        assert draw.n_rows == valid.n_rows


def test_breiman_s_weights_are_nested_on_the_nine_rows():
    numbers = steps_of("not_nested")["weighted"].numbers
    assert list(numbers.values()) == pytest.approx([0, 4 / 21, 16 / 63])


def test_validation_melons_go_where_the_tree_sends_them():
    grown = melons.trees()
    _, valid = melons.parts()
    for pruned in ((), (1,), (1, 2), (0,)):
        mask = [node in pruned for node in range(grown.tree.n_nodes_grown)]
        right = grown.tree.with_pruned(mask).predict_encoded(valid) == valid.y
        ends = [next((node for node in path if node in pruned), path[-1]) for path in grown.paths]
        assert (grown.tree.labels[ends] == np.array(grown.actual)).tolist() == right.tolist()


@pytest.mark.parametrize("table", ["titanic", "credit_g"])
def test_the_1_se_tree_is_the_smallest_within_one_standard_error(table):
    sizes = tree_sizes.tree_sizes(table)
    for folded in sizes.folded:
        limit = folded.mean[folded.best] + folded.standard_error[folded.best]
        assert folded.mean[folded.best] == folded.mean.min()
        assert folded.mean[folded.one_se] <= limit
        assert (folded.mean[folded.one_se + 1 :] > limit).all()


def test_training_error_never_falls_as_leaves_go():
    training = tree_sizes.tree_sizes("titanic").training
    assert training[0] < training[-1]
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(training))


def test_bits_of_the_root_are_the_likelihood_of_ten_loans_granted_and_five_refused():
    likelihood = (10 / 15) ** 10 * (5 / 15) ** 5
    assert steps_of("cost_complexity")["sequence"].numbers["bits of the root"] == pytest.approx(-np.log2(likelihood))


def test_choices_change_the_scenes():
    assert steps_of("reduced_error", ties="prune")["ties"].numbers["leaves"] == 3
    assert steps_of("not_nested", rows="4 rows")["other rows"].numbers["begin 1"] == pytest.approx(0.25)
    assert steps_of("cost_complexity", table="play_tennis")["other table"].numbers["last alpha"] == pytest.approx(
        113 / 980
    )
    titanic = steps_of("choose_size", table="titanic")["other table"].numbers
    assert titanic["1-SE leaves"] == steps_of("choose_size")["one standard error"].numbers["1-SE leaves"]
