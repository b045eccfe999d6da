"""Reduced-error pruning: the watermelons by the book, every pruning of small trees by brute force, and laws."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.pruning import bottom_up_loops, validation_loss
from explorer.pruning.validation_loss import node_validation_losses
from explorer.tree.metrics import node_predictions, targets_of
from tests.oracles import bridge, brute_force
from tests.oracles.golden_walk import GOLDEN, frame_of
from tests.oracles.laws import pick
from tests.oracles.reduced_error import Scored
from tests.oracles.tables import mixed_data

ENTRY = GOLDEN["watermelon_pruning"]
STRICT = "bottom-up, prune only if validation accuracy strictly improves (seed 004, Zhou)"
QUINLAN = "bottom-up, prune if not worse (Quinlan REP)"
MITCHELL = "best-first, repeat until harmful (seed 002, Mitchell); ties in accuracy broken towards the smaller tree"
ORDERS, TIES = ("best_first", "bottom_up"), ("prune", "keep")


@pytest.fixture(scope="module")
def melons():
    frame = frame_of("watermelon_2_0.csv")
    data = ex.Dataset.from_frame(frame, "好瓜", features=ENTRY["tie_preference_used"], classes=["是", "否"])
    train = data.take([int(number) in (1, 2, 3, 6, 7, 10, 14, 15, 16, 17) for number in frame["编号"]])
    valid = data.take([int(number) in (4, 5, 8, 9, 11, 12, 13) for number in frame["编号"]])
    return ex.grow(train, ex.ID3), train, valid


def nested(tree, node=0):
    """The tree as golden writes it."""
    here = tree.node(node)
    if here.is_leaf:
        return here.label
    names = [group[0] for group in here.condition.branches]
    return {here.condition.feature: {n: nested(tree, c) for n, c in zip(names, here.children, strict=True)}}


def path_name(tree, node):
    """A node as golden names it: /feature=value and so on."""
    steps = [tree.node(above).condition for above, _ in tree.path_to(node)]
    branches = [branch for _, branch in tree.path_to(node)]
    return "".join(f"/{c.feature}={c.branches[b][0]}" for c, b in zip(steps, branches, strict=True))


def accuracy(tree, valid):
    return np.mean(tree.predict(valid) == valid.frame["好瓜"].to_numpy())


def test_the_unpruned_watermelon_tree(melons):
    tree, train, valid = melons
    assert nested(tree) == ENTRY["unpruned"]["tree"]
    assert tree.n_leaves == ENTRY["unpruned"]["leaves"]
    assert accuracy(tree, valid) == pytest.approx(3 / 7)
    assert accuracy(tree, train) == 1


@pytest.mark.parametrize(
    ("name", "order", "ties"),
    [(STRICT, "bottom_up", "keep"), (QUINLAN, "bottom_up", "prune"), (MITCHELL, "best_first", "prune")],
)
def test_the_pruned_watermelon_trees(melons, name, order, ties):
    tree, _, valid = melons
    pruned, golden = ex.reduced_error_prune(tree, valid, order, ties), ENTRY[name]
    assert nested(pruned) == golden["tree"]
    assert pruned.n_leaves == golden["leaves"]
    assert accuracy(pruned, valid) == pytest.approx(float(Fraction(golden["valid_acc"])))
    steps = ex.reduced_error_steps(tree, valid, order, ties)
    told = steps if order == "bottom_up" else steps[:-1]
    for step, line in zip(told, golden["log"], strict=True):
        assert path_name(tree, step.node) == line["node"].removeprefix("root")
        assert (step.before, step.after) == pytest.approx([float(Fraction(line[k])) for k in ("before", "after")])
        assert step.pruned == line.get("pruned", True)
    assert not steps[-1].pruned


def test_a_step_in_words(melons):
    tree, _, valid = melons
    first, second, last = ex.reduced_error_steps(tree, valid)
    assert first.text == (
        "Node 2: of 2 validation rows, a leaf misclassifies 1 and its 7 leaves 2, "
        "so accuracy would change from 42.9 % to 57.1 %: pruned."
    )
    assert (second.node, second.before, second.after) == (1, pytest.approx(4 / 7), pytest.approx(5 / 7))
    assert (last.node, last.after, last.leaves_below) == (0, pytest.approx(3 / 7), 3)
    assert last.text.endswith("from 71.4 % to 42.9 %: kept.")


def test_squared_errors_in_words():
    frame = {"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 2.0, 10.0, 12.0]}
    data = ex.Dataset.from_frame(ex.read_table(b"x,y\n1,0\n2,2\n3,10\n4,12\n", name="t.csv").frame, "y", ["x"])
    assert list(data.y) == frame["y"]
    tree = ex.grow(data, ex.CART)
    valid = ex.Dataset.from_frame(ex.read_table(b"x,y\n1,1\n2,1\n3,11\n4,12\n", name="v.csv").frame, "y", ["x"])
    steps = ex.reduced_error_steps(tree, valid, "bottom_up")  # node 1 (mean 1): 0 for 1 + 1; node 2 (mean 11): 1 for 1
    assert [(step.node, step.loss_as_leaf, step.loss_below, step.pruned) for step in steps] == [
        (1, 0.0, 2.0, True),
        (2, 1.0, 1.0, True),
        (0, 111.0, 1.0, False),  # around 6: 25 + 25 + 25 + 36
    ]
    assert "squared error is 0 with a leaf and 2 with its 2 leaves" in steps[0].text
    assert "from 0.75 to 0.25: pruned" in steps[0].text


def tamed(sample):
    """The sample without targets so large that losses, in exact fractions, differ by less than counts as equal."""
    return sample if sample.classes else replace(sample, target=tuple(min(one, 100.0) for one in sample.target))


@st.composite
def cases(draw, regression=None):
    """A grown tree and validation rows, some of which stop at split nodes."""
    sample = tamed(draw(bridge.samples(regression=regression, weights="whole")))
    rules, data = draw(bridge.rules_for(sample)), bridge.to_dataset(sample)
    different = next(row for row, target in enumerate(sample.target) if target != sample.target[0])
    rows = sorted({0, different, *draw(st.sets(st.integers(0, data.n_rows - 1)))})
    train, valid = data.take(rows), data.take(draw(st.lists(st.integers(0, data.n_rows - 1), min_size=1)))
    if not brute_force.training_rows(pick(sample, rows), rules):
        rules = replace(rules, missing="most_common")
    tree = ex.grow(train, bridge.to_recipe(rules))
    assume(tree.n_nodes > 1 and tree.n_leaves < 9)
    return tree, valid


def outermost(tree):
    return frozenset(np.flatnonzero(tree.is_pruned & tree.is_kept & (tree.feature >= 0)).tolist())


@given(cases())
def test_bottom_up_finds_the_smallest_of_the_best_prunings(case):
    tree, valid = case
    scored = Scored(tree, valid)
    assert outermost(ex.reduced_error_prune(tree, valid, "bottom_up")) == scored.best_of_all()


@given(cases(), st.sampled_from(TIES))
def test_bottom_up_decides_as_written(case, ties):
    tree, valid = case
    assert outermost(ex.reduced_error_prune(tree, valid, "bottom_up", ties)) == Scored(tree, valid).bottom_up(ties)


@given(cases(), st.sampled_from(TIES))
def test_best_first_removes_what_the_literal_loop_removes(case, ties):
    tree, valid = case
    scored = Scored(tree, valid)
    removed = scored.best_first(ties)
    assert outermost(ex.reduced_error_prune(tree, valid, "best_first", ties)) == {node for node, _ in removed}
    steps = [step for step in ex.reduced_error_steps(tree, valid, "best_first", ties) if step.pruned]
    noise = 1e-9 * float(1 + scored.as_leaf[0])
    found = {step.node: step.loss_below - step.loss_as_leaf for step in steps}
    assert found == pytest.approx({node: float(decrease) for node, decrease in removed}, abs=noise)
    if not tree.is_regression:
        assert [step.node for step in steps] == [node for node, _ in removed]


@given(cases(), st.sampled_from(ORDERS), st.sampled_from(TIES))
def test_pruning_never_raises_the_loss_and_keeps_the_ids(case, order, ties):
    tree, valid = case
    pruned = ex.reduced_error_prune(tree, valid, order, ties)
    assert node_validation_losses(pruned, valid).of_tree <= node_validation_losses(tree, valid).of_tree + 1e-12
    assert pruned.n_nodes_grown == tree.n_nodes_grown
    assert (pruned.parent == tree.parent).all()
    assert (pruned.is_kept <= tree.is_kept).all()
    again = bridge.through_json(pruned)
    assert list(again.leaves()) == list(pruned.leaves())


@given(cases(), st.sampled_from(ORDERS))
def test_keeping_ties_leaves_a_tree_that_contains_the_other(case, order):
    tree, valid = case
    smaller, larger = (ex.reduced_error_prune(tree, valid, order, ties) for ties in TIES)
    assert (smaller.is_kept <= larger.is_kept).all()


@given(cases(), st.sampled_from(ORDERS), st.sampled_from(TIES), st.randoms(use_true_random=False))
def test_the_order_of_validation_rows_does_not_matter(case, order, ties, random):
    tree, valid = case
    rows = list(range(valid.n_rows))
    random.shuffle(rows)
    pruned, shuffled = (ex.reduced_error_prune(tree, part, order, ties) for part in (valid, valid.take(rows)))
    assert list(pruned.leaves()) == list(shuffled.leaves())


@given(cases(), st.sampled_from(TIES), st.sampled_from(ORDERS))
def test_the_steps_end_at_the_pruned_tree(case, ties, order):
    tree, valid = case
    steps = ex.reduced_error_steps(tree, valid, order, ties)
    pruned = ex.reduced_error_prune(tree, valid, order, ties)
    closed = np.zeros(tree.n_nodes_grown, dtype=bool)
    closed[[step.node for step in steps if step.pruned]] = True
    assert list(tree.with_pruned(closed).leaves()) == list(pruned.leaves())
    score = node_validation_losses(pruned, valid).of_tree
    last = next((step.after for step in reversed(steps) if step.pruned), steps[0].before)
    assert last == pytest.approx(score if tree.is_regression else 1 - score, rel=1e-9, abs=1e-9)


def test_losses_far_from_the_mean_keep_their_digits():
    # squares around the root's mean are near 0.25·10¹⁶: from their sums a 1 in the last place could not be told
    y = [1e8, 1e8 + 1, -1e8, -1e8 - 1]
    frame = ex.read_table("\n".join(["x,y", *(f"{i},{v}" for i, v in enumerate(y))]).encode(), name="t.csv").frame
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    tree = ex.grow(data, ex.CART)
    assert sorted(node_validation_losses(tree, data).as_leaf)[:6] == [0, 0, 0, 0, 0.5, 0.5]
    assert tree.n_leaves == ex.reduced_error_prune(tree, data, "bottom_up").n_leaves == 4


def test_a_large_loss_of_rows_that_stop_hides_no_other():
    # as a leaf the root would add 1/4 for the row with x = 0; the other stops there either way, with (10⁶ − 1/2)²
    train = ex.read_table(b"x,y\n0,0\n1,1\n", name="t.csv").frame
    valid = ex.read_table(b"x,y\n0,0\n,1000000\n", name="v.csv").frame
    data = [ex.Dataset.from_frame(frame, "y", ["x"], kinds=dict.fromkeys("xy", "numeric")) for frame in (train, valid)]
    tree = ex.grow(data[0], ex.CART.replace(missing="drop"))
    for order in ORDERS:
        assert ex.reduced_error_prune(tree, data[1], order).n_leaves == 2


@pytest.mark.parametrize(
    ("options", "fact"),
    [
        ({"order": "top_down"}, "no order called 'top_down': choose one of best_first, bottom_up"),
        ({"ties": "random"}, "Ties cannot be treated as 'random': choose one of prune, keep"),
    ],
)
def test_odd_options_are_refused(melons, options, fact):
    tree, _, valid = melons
    with pytest.raises(ex.InputError, match=fact):
        ex.reduced_error_prune(tree, valid, **options)
    with pytest.raises(ex.InputError, match=fact):
        ex.reduced_error_steps(tree, valid, **options)


def test_nodes_without_validation_rows_are_ties(melons):
    tree, _, valid = melons
    only_flat = valid.take(valid.frame["脐部"].to_numpy() == "平坦")
    step = next(s for s in ex.reduced_error_steps(tree, only_flat, "bottom_up") if s.node == 1)
    assert step.text == "Node 1: no validation row reaches it, so 3 leaves or one leaf make no difference: pruned."
    assert ex.reduced_error_prune(tree, only_flat, ties="keep").n_leaves == 11


@pytest.mark.parametrize("target", ["two", "four", "number"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_dividing_rows_gives_the_losses_of_walking_up_every_path(target, missing, monkeypatch):
    # to the last digit: sums of fractions depend on their order, which is that of the rows
    monkeypatch.setattr(validation_loss, "ROWS_OF_A_BLOCK", 30)  # so that there are several parts
    data = mixed_data(target, "fractions", missing, rows=400)
    recipe = (ex.CART if target == "number" else ex.C45).replace(missing="most_common", unseen="node")
    train = data.take(np.flatnonzero(data.frame["c6"] != "v04"))  # the others have a value that the tree does not know
    tree, valid = ex.grow(train.take(range(150)), recipe), data.take(range(120, 400))
    rows, stops, _ = tree.routes(valid)
    assert tree.is_inner[stops].any(), "some rows stop above the leaves"
    targets, weights = targets_of(tree, valid)
    arrays = stops, targets[rows], weights[rows], tree.parent, node_predictions(tree)
    found = node_validation_losses(tree, valid)
    expected = bottom_up_loops.losses_on_paths(tree.is_regression, *arrays)
    np.testing.assert_array_equal((found.at_node, found.below, found.weight), expected)
