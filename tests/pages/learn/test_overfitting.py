"""The scene on overfitting: sizes against trees grown to that size, Mitchell's definition, and the noisy day."""

from itertools import pairwise

import pytest

import explorer as ex
from explorer.tree.metrics import score
from pages.learn.path import scene_of
from pages.results.lessons import overfitting, trees
from tests.oracles.chart_marks import marks_of
from tests.pages.app import fine, opened

TABLES = ("credit_g", "titanic")


@pytest.fixture(scope="module")
def steps():
    return {step.name: step for step in scene_of("overfitting").steps({})}


@pytest.mark.parametrize("table", TABLES)
def test_every_size_is_the_tree_that_the_grower_stops_at_so_many_leaves(table):
    sizes = overfitting.sizes(table)
    train, valid = trees.rows(table).split(overfitting.TRAINING_SHARE, seed=overfitting.SEED)
    assert (train.n_rows, valid.n_rows) == (sizes.n_train, sizes.n_valid)
    for leaves in (2, 3, 5, 17, 40):
        tree = ex.grow(train, ex.CART.replace(max_leaf_nodes=leaves))
        scores = score(tree, train), score(tree, valid)
        assert scores == pytest.approx((sizes.train[leaves - 1], sizes.valid[leaves - 1]))


@pytest.mark.parametrize("table", TABLES)
def test_a_tenth_of_the_labels_is_wrong_and_the_best_tree_loses_less_than_the_full_one(table):
    train, valid = trees.rows(table).split(overfitting.TRAINING_SHARE, seed=overfitting.SEED)
    noisy = overfitting.mislabelled(train, 10)
    assert int((noisy.y != train.y).sum()) == round(train.n_rows / 10)
    names = [feature.name for feature in train.features]
    assert noisy.frame[names].equals(train.frame[names])
    step = {step.name: step for step in scene_of("overfitting").steps({"table": table, "wrong": "10"})}["curve"]
    full = score(ex.grow(noisy, ex.CART), valid)
    assert step.number.value == pytest.approx(full)
    lost = step.numbers["points lost by the full tree"]
    assert lost == pytest.approx(100 * (score(ex.grow(train, ex.CART), valid) - full))
    assert 0 <= step.numbers["points lost by the best tree"] < lost
    assert f"the full one {lost:.1f}" in step.question.because


@pytest.mark.parametrize("table", TABLES)
def test_before_the_answer_the_curve_shows_the_full_tree_and_no_text_tells_how_the_validation_accuracy_goes(table):
    step = {step.name: step for step in scene_of("overfitting").steps({"table": table})}["curve"]
    assert step.before.shown == len(step.before.places) - 1 == step.picture.shown
    assert "best tree" not in step.text
    losses = (step.numbers[f"points lost by the {tree} tree"] for tree in ("best", "full"))
    assert not any(f"{lost:.1f}" in step.text for lost in losses)


@pytest.mark.parametrize("table", TABLES)
def test_a_split_never_lowers_the_training_accuracy(table):
    train = overfitting.sizes(table).train
    assert all(after >= before - 1e-12 for before, after in pairwise(train))


@pytest.mark.parametrize("table", TABLES)
def test_the_full_tree_overfits_as_mitchell_defines_it(table):
    step = {step.name: step for step in scene_of("overfitting").steps({"table": table})}["definition"]
    assert step.numbers["training error of h"] < step.numbers["training error of h′"]
    assert step.numbers["validation error of h"] > step.numbers["validation error of h′"]
    assert step.number.value > 0


@pytest.mark.parametrize(
    ("scene", "step", "table"),
    [*[("overfitting", "curve", table) for table in TABLES], ("choose_size", "training", "titanic")],
)
def test_the_drawn_tree_has_the_leaves_of_its_size(scene, step, table):
    picture = {each.name: each for each in scene_of(scene).steps({"table": table})}[step].picture
    drawn = picture.columns[1][0]
    for position, place in enumerate(picture.places):
        leaves, hidden = set(), set()
        for node in drawn.tree.nodes:
            if node.parent in leaves | hidden:
                hidden.add(node.number)
            elif node.test == "" or position <= drawn.leaf_until[node.number]:
                leaves.add(node.number)
        assert len(leaves) == place.at


def test_the_noisy_day_contradicts_the_tree_and_makes_it_larger(steps):
    asked = steps["noisy day"].question
    assert asked.options[asked.right[0]] == "Yes"
    assert [tree.n_leaves for tree in (steps["noisy day"].picture.tree, steps["noisy tree"].picture.tree)] == [5, 7]
    assert "Sunny, Hot, Normal, Strong" in steps["noisy day"].text


@pytest.mark.parametrize(("days", "rows"), [("14", 14), ("15", 15)])
def test_the_choice_switches_between_the_trees(days, rows):
    step = {step.name: step for step in scene_of("overfitting").steps({"days": days})}["noisy tree"]
    assert step.picture.tree.node(0).weight == rows


def test_an_unknown_table_in_a_link_is_the_first(steps):
    other = {step.name: step for step in scene_of("overfitting").steps({"table": "nowhere", "rows": "nowhere"})}
    assert other["curve"].numbers == steps["curve"].numbers
    assert other["learning curve"].numbers == steps["learning curve"].numbers


def test_the_learning_curve_has_the_gap_between_its_curves(steps):
    step = steps["learning curve"]
    marks = marks_of(step.picture)
    assert step.number.value == pytest.approx(marks["point 0"]["y"] - marks["point 1"]["y"])


def test_the_two_trees_are_offered_once_the_question_is_answered():
    """Until then the picture is the tree of 14 days, and no choice says otherwise."""
    app = fine(opened("Learn", learn="scene", scene="overfitting", scene_step="1"))
    assert "learn.choice.days" not in {group.key for group in app.button_group}
    app = fine(app.button(key="learn.answer.0").click().run())
    assert next(group for group in app.button_group if group.key == "learn.choice.days").value == "15"
    app = fine(opened("Learn", learn="scene", scene="overfitting", scene_step="2"))
    assert "learn.choice.wrong" in {group.key for group in app.button_group}, "the first picture needs it too"
