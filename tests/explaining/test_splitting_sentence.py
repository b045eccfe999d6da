"""The sentence on a node's split: the books' numbers, ties, leaves, and splits by hand."""

import json

import pandas as pd
import pytest

import explorer as ex
from explorer.explaining.splitting_sentence import splitting_sentence
from tests.folders import ROOT
from tests.oracles.golden_walk import dataset_of


def sentences(data: ex.Dataset, tree: ex.Tree) -> list[str]:
    nodes = range(tree.n_nodes_grown)
    return [splitting_sentence(tree, ex.decide(tree, data, node), node) for node in nodes]


def test_play_tennis_has_the_books_numbers():
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3.replace(empty_branches=False))
    by_node = sentences(data, tree)
    steps = ex.growing_steps(tree)
    assert [by_node[node] for node in steps.nodes] == [
        "Root, 14 rows, entropy 0.940 bits: "
        "Outlook wins with gain 0.247, Humidity 0.152, Wind 0.0481, Temperature 0.0292.",
        "Outlook = Sunny, 5 rows, entropy 0.971 bits: Humidity wins with gain 0.971, Temperature 0.571, Wind 0.02.",
        "Outlook = Rain, 5 rows, entropy 0.971 bits: Wind wins with gain 0.971, Temperature 0.02, Humidity 0.02.",
    ]
    assert by_node[2] == "Outlook = Overcast, 4 rows, entropy 0 bits: leaf, because all rows are of one class."


def test_the_numbers_are_those_of_the_golden_file():
    golden = json.loads((ROOT / "tests/reference/golden/golden.json").read_text("utf-8"))["play_tennis"]["gain"]
    data = dataset_of("play_tennis")
    sentence = sentences(data, ex.grow(data, ex.ID3))[0]
    for feature, gain in golden.items():
        assert f"{gain:.3f}" in sentence.split(feature)[1]


@pytest.mark.parametrize(
    ("recipe", "start"),
    [
        (ex.C45, "Root, 14 rows, entropy 0.940 bits: Outlook wins with gain ratio 0.156, Humidity 0.152."),
        (ex.ID3.replace(log_base="e"), "Root, 14 rows, entropy 0.652 nats: Outlook wins with gain 0.171, "),
        # 45/98 − 10/14 · 1/2 = 5/49
        (ex.CART, "Root, 14 rows, Gini 0.459: Outlook ∈ {Sunny, Rain} wins with Gini decrease 0.102, "),
    ],
)
def test_each_algorithm_names_its_own_score(recipe, start):
    data = dataset_of("play_tennis")
    assert sentences(data, ex.grow(data, recipe))[0].startswith(start)


def test_a_tie_says_that_the_earlier_column_wins():
    frame = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["x", "x", "y", "y"], "t": ["p", "p", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "t", features=["a", "b"])
    assert sentences(data, ex.grow(data, ex.ID3))[0] == (
        "Root, 4 rows, entropy 1 bits: a ties with b at gain 1 and wins as the earlier column. Rivals: b 1."
    )


def test_a_numeric_target_has_variance():
    data = ex.Dataset.from_frame(
        pd.DataFrame({"x": [1, 2, 3, 4], "y": [1.5, 1.5, 3.5, 4.5]}), "y", kinds={"y": "numeric"}
    )
    tree = ex.grow(data, ex.CART)
    text = sentences(data, tree)
    # mean 2.75; squares 2 · 1.5625 + 0.5625 + 3.0625 = 6.75; between: 1/4 · (1.5 − 4)² = 1.5625
    assert (
        text[0] == "Root, 4 rows, variance 1.688: x ≤ 2.5 wins with variance decrease 1.562; no other feature competes."
    )
    assert text[1] == "x ≤ 2.5, 2 rows, variance 0: leaf, because all rows have the same target value."


def test_splits_and_leaves_by_hand_say_what_the_algorithm_would_do():
    data = dataset_of("play_tennis")
    choices = ex.Choices().force((), "Wind")
    tree = ex.grow(data, ex.ID3, choices=choices)
    assert sentences(data, tree)[0] == (
        "Root, 14 rows, entropy 0.940 bits: split by hand on Wind (gain 0.0481). "
        "ID3 would split on Outlook (gain 0.247)."
    )
    locked = ex.grow(data, ex.ID3, choices=ex.Choices().lock(()))
    assert sentences(data, locked)[0] == (
        "Root, 14 rows, entropy 0.940 bits: leaf, made by hand. ID3 would split on Outlook (gain 0.247)."
    )


def test_every_reason_to_stop_has_a_sentence():
    from explorer.explaining.splitting_sentence import _BECAUSE
    from explorer.recipe.parameters import EMPTY, LOCKED, STOP_REASONS

    assert {*_BECAUSE, EMPTY, LOCKED} == set(range(1, len(STOP_REASONS)))


def test_an_empty_branch_says_so():
    rows = [("x", "u", "p"), ("x", "v", "q"), ("y", "u", "r"), ("y", "u", "r"), ("z", "w", "p"), ("z", "w", "p")]
    data = ex.Dataset.from_frame(pd.DataFrame(rows, columns=["a", "b", "t"]), "t", features=["a", "b"])
    tree = ex.grow(data, ex.ID3)
    empty = next(node for node in range(tree.n_nodes_grown) if tree.node(node).is_empty)
    branch = tree.place(empty).branch_texts[-1]
    assert sentences(data, tree)[empty] == f"{branch}: leaf, because no training row has this value here."
