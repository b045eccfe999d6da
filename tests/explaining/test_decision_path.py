"""The decision path of one row: by hand where a value is known, missing or unknown, by prediction on random tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.samples import load_sample
from explorer.explaining import row_path
from tests.oracles.examples import examples
from tests.oracles.recipes import RECIPES_BY_NAME
from tests.oracles.tables import small_table


@pytest.fixture
def tennis():
    return ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")


DAY = pd.DataFrame({"Outlook": ["Rain"], "Temperature": ["Mild"], "Humidity": ["High"], "Wind": ["Weak"]})


def visits_of(path):
    """Node, share of the row, and the remark of every visit."""
    return [(visit.node, visit.part, visit.remark) for visit in path.visits]


def test_known_values_lead_to_one_leaf(tennis):
    path = row_path(ex.grow(tennis, ex.ID3), DAY)
    assert visits_of(path) == [(0, 1.0, ""), (3, 1.0, ""), (6, 1.0, "")]
    assert [(visit.value, visit.reached) for visit in path.visits[1:]] == [
        ("Rain", "Outlook = Rain"),
        ("Weak", "Wind = Weak"),
    ]
    assert [(visit.prediction, visit.share, visit.weight) for visit in path.visits] == [
        ("Yes", pytest.approx(9 / 14), 14.0),
        ("Yes", pytest.approx(3 / 5), 5.0),
        ("Yes", 1.0, 3.0),
    ]
    assert [visit.node for visit in path.ends] == [6]


def test_a_pruned_tree_ends_earlier(tennis):
    tree = ex.grow(tennis, ex.ID3)
    path = row_path(tree.with_pruned(np.arange(tree.n_nodes_grown) == 3), DAY)
    assert path.sentence == (
        "Prediction for PlayTennis: Yes, because Outlook = Rain. "
        "60.0 % of the 5 training rows at this node have class Yes."
    )


def test_a_row_in_shares_is_a_mixture(tennis):
    # at Rain three days have weak wind and two strong: the row goes 3/5 to Yes and 2/5 to No
    path = row_path(ex.grow(tennis, ex.C45), DAY.assign(Wind=None))
    spread = "Wind is missing, so the row follows every branch: "
    assert visits_of(path) == [
        (0, 1.0, ""),
        (3, 1.0, ""),
        (6, pytest.approx(0.6), spread + "60.0 % of its weight goes here"),
        (7, pytest.approx(0.4), spread + "40.0 % of its weight goes here"),
    ]
    assert path.sentence == (
        "Prediction for PlayTennis: Yes with probability 60.0 %, the average of 2 leaves: Wind is missing."
    )


def test_a_value_that_no_row_had_stops_the_row(tennis):
    path = row_path(ex.grow(tennis, ex.ID3), DAY.assign(Outlook="Foggy"))
    assert visits_of(path) == [(0, 1.0, "Outlook = Foggy has no branch at this node, so the row stops here")]
    assert path.sentence == (
        "Prediction for PlayTennis: Yes. 64.3 % of the 14 training rows at this node have class Yes. "
        "Outlook = Foggy has no branch at this node, so the row stops here."
    )
    heaviest = row_path(ex.grow(tennis, ex.ID3.replace(unseen="heaviest")), DAY.assign(Outlook="Foggy"))
    assert heaviest.visits[1].node == 1, "Sunny and Rain have five days each"
    assert heaviest.visits[1].remark == ("Outlook = Foggy has no branch at this node; such rows follow this branch")


def test_a_surrogate_stands_in():
    frame = pd.DataFrame({"x": [0, 1, 2, 7, 8, None, 9], "z": [0, 0, 1, 1, 1, 1, 1], "y": list("aaabbbb")})
    data = ex.Dataset.from_frame(frame, "y", ["x", "z"], {"x": "numeric", "z": "numeric"})
    tree = ex.grow(data, ex.CART)
    path = row_path(tree, pd.DataFrame({"x": [None], "z": [0]}))
    assert visits_of(path) == [(0, 1.0, ""), (1, 1.0, "x is missing; the surrogate split z ≤ 0.5 decides")]
    assert path.sentence == (
        "Prediction for y: a, because x ≤ 4.5. All 3 training rows at this node have class a. "
        "x is missing; the surrogate split z ≤ 0.5 decides."
    )
    neither = row_path(tree, pd.DataFrame({"x": [None], "z": [None]}))
    assert neither.visits[1].remark == "x is missing; such rows follow this branch"


def test_missing_may_be_a_branch_of_its_own():
    frame = pd.DataFrame({"x": [1.0, 2.0, None, None, 4.0, 5.0], "y": list("aabbcc")})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    path = row_path(ex.grow(data, ex.CART.replace(missing="own_branch")), data, 2)
    assert [(visit.reached, visit.value, visit.remark) for visit in path.visits[1:]] == [("x is missing", None, "")]
    assert path.prediction == "b"


def test_fractional_rows_are_described_by_their_weight():
    # the row without x goes to x = p with 2/3 and to x = q with 1/3 of it: as much as known rows are there
    frame = pd.DataFrame({"x": ["p", "p", "q", None], "y": list("aaba")})
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    tree = ex.grow(data, ex.C45)
    assert row_path(tree, data, 0).sentence == (
        "Prediction for y: a, because x = p. All training rows at this node (total weight 2.67) have class a."
    )
    assert row_path(tree, data, 2).sentence == (
        "Prediction for y: b, because x = q. 75.0 % of the training rows at this node (total weight 1.33) have class b."
    )


def test_numbers_are_predicted_by_their_mean():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.0, 4.0, 9.5]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"})
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    assert row_path(tree, data, 0).sentence == (
        "Prediction for y: 2, because x ≤ 2.5. This is the mean of the 2 training rows at this node."
    )
    assert row_path(tree, data, 2).sentence == (
        "Prediction for y: 9.5, because x > 2.5. The one training row at this node has this value."
    )
    assert row_path(tree, data, 2).visits[1].share is None
    fitted = tree.with_predictions([0.0, 1.5, 7.0])
    assert row_path(fitted, data, 0).sentence == (
        "Prediction for y: 1.5, because x ≤ 2.5. "
        "This is the node’s value in its model, which need not be the mean of its training rows."
    )


def test_a_row_s_value_has_all_digits_and_a_rounded_mean_says_so():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 1.0, 1234567.890123]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"})
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    assert row_path(tree, data, 3).sentence.startswith("Prediction for y: 1234567.890123, because x > 3.5. The one")
    assert row_path(tree, data, 0).sentence.startswith(
        "Prediction for y: ≈ 0.666667, because x ≤ 3.5. This is the mean"
    )


@pytest.mark.parametrize("name", RECIPES_BY_NAME)
@examples(15)
@given(seed=st.integers(0, 9_999), position=st.integers(0, 23))
def test_the_decision_path_is_that_of_prediction(name, seed, position):
    data = small_table(seed, missing=0.25)
    tree = ex.grow(data.take(range(12)), RECIPES_BY_NAME[name])
    path = row_path(tree, data, position)
    nodes, parts = tree.routes(data.take([position]))[1:]
    assert {visit.node: visit.part for visit in path.ends} == pytest.approx(dict(zip(nodes, parts, strict=True)))
    assert path.prediction == tree.predict(data.take([position]))[0]
    part = {visit.node: visit.part for visit in path.visits}
    for visit in path.visits:
        node = tree.node(visit.node)
        assert node.id == 0 or node.parent in part
        below = sum(part.get(child, 0.0) for child in node.children)
        own = visit.part if visit.ends else 0.0
        assert visit.part == pytest.approx(below + own), "nothing gets lost on the way"
        if node.id and not visit.remark and visit.value is not None:
            condition = tree.condition(node.parent)
            branch = node.id - int(tree.first_child[node.parent])
            if condition.threshold is not None:
                assert (visit.value <= condition.threshold) == (branch == 0)
            elif condition.kind != "bins":
                assert visit.value in condition.branches[branch]


def test_rows_that_are_not_there_are_refused(tennis):
    with pytest.raises(ex.InputError, match=r"There is no row -1\. The positions of the rows are 0 to 13"):
        row_path(ex.grow(tennis, ex.ID3), tennis, -1)
