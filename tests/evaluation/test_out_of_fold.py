"""Out-of-fold predictions against cross-validation of the pruning sequence, and by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.out_of_fold import out_of_fold
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.tables import noisy_table


@examples(15)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES), share=st.floats(0, 1))
def test_accuracy_at_every_size_is_that_of_cross_validation(seed, recipe, share):
    data = noisy_table(seed)
    known = ex.cross_validate_path(data, recipe, folds=4, seed=seed)
    position = round(share * (len(known.alphas) - 1))
    found = out_of_fold(data, recipe, position, folds=4, seed=seed)
    assert found.fold_of_row.tolist() == known.fold_of_row.tolist()
    assert found.evaluation.scores["accuracy"].value == pytest.approx(known.mean[position], abs=1e-12)
    assert found.evaluation.scores["accuracy"].baseline == pytest.approx(known.mean[-1], abs=1e-12)


@examples(5)
@given(seed=st.integers(0, 10_000))
def test_squared_error_is_that_of_cross_validation(seed):
    data = noisy_table(seed, regression=True)
    known = ex.cross_validate_path(data, ex.CART, folds=4, seed=seed)
    found = out_of_fold(data, ex.CART, 0, folds=4, seed=seed)
    assert found.evaluation.scores["mse"].value == pytest.approx(known.mean[0])
    assert found.evaluation.scores["mse"].baseline == pytest.approx(known.mean[-1])
    assert found.predictions.labels == ()


def test_what_was_decided_by_hand_holds_in_every_fold():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    choices = ex.Choices().force((), "Wind").lock((0,))
    known = ex.cross_validate_path(data, ex.ID3, folds=np.arange(14), choices=choices)
    found = out_of_fold(data, ex.ID3, 0, folds=np.arange(14), choices=choices)
    assert found.evaluation.scores["accuracy"].value == pytest.approx(known.mean[0], abs=1e-12)
    # the branch of weak wind holds 6 Yes and 2 No and is a leaf: each of its rows is answered Yes without itself
    weak = data.frame["Wind"].to_numpy() == "Weak"
    assert {found.predictions.labels[int(code)] for code in found.predictions.predictions[weak]} == {"Yes"}


def four(classes="aabb", **options):
    return ex.Dataset.from_frame(pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0], "y": list(classes)}), "y", **options)


def test_shares_and_costs_of_all_folds_are_scored_together():
    # of x = 0 one row grows with each fold, a; of x = 1 one b: all four rows are answered rightly and surely
    recipe = ex.CART.replace(costs={"a": {"b": 1}, "b": {"a": 4}})
    found = out_of_fold(four(), recipe, 0, folds=np.array([0, 1, 0, 1])).evaluation
    assert found.confusion.tolist() == [[2, 0], [0, 2]]
    assert found.scores["log_loss"].value == pytest.approx(0, abs=1e-12)
    # the root of either fold holds one a and one b and answers b, which costs less: 1 for each of the two a
    assert (found.scores["expected_cost"].value, found.scores["expected_cost"].baseline) == (0, 2 / 4)
    assert found.scores["log_loss"].baseline == pytest.approx(np.log(2))
    assert "auc" not in found.scores, "shares of different trees rank no rows"


def test_a_class_that_a_fold_never_met_is_predicted_as_another():
    # without its only row of c, the fold's tree knows a and b and says b, as x = 1 does there
    data = four("abbc")
    found = out_of_fold(data, ex.CART, 0, folds=np.array([0, 1, 0, 1]))
    assert found.evaluation.labels == ("a", "b", "c")
    assert found.evaluation.confusion[2].tolist() == [0, 1, 0]
    assert found.predictions.rows(2, 1).tolist() == [3]


def test_weights_count_in_out_of_fold_scores():
    one = out_of_fold(four("abbb", weights=[1.0, 3.0, 1.0, 1.0]), ex.CART, 0, folds=np.array([0, 1, 0, 1])).evaluation
    # a is answered b by its twin (weight 1), which is answered a by it (weight 3): 2 of 6 right
    assert one.scores["accuracy"].value == pytest.approx(2 / 6)


def test_progress_is_reported_and_may_stop():
    told = []
    out_of_fold(four(), ex.CART, 0, folds=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]

    def stop(done, total):
        raise ex.Stopped("enough")

    with pytest.raises(ex.Stopped):
        out_of_fold(four(), ex.CART, 0, folds=2, progress=stop)


def test_the_largest_errors_come_first():
    frame = pd.DataFrame({"x": [0.0, 0.0, 1.0], "y": [0.0, 2.0, 6.0]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", kinds={"y": "numeric"}), ex.CART)  # answers 1 and 6
    other = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0], "y": [1.5, 6.0, -3.0, 7.0]})
    found = row_predictions(tree, ex.Dataset.from_frame(other, "y", kinds={"y": "numeric"}))
    assert found.residuals.tolist() == [0.5, 0.0, -4.0, 1.0]
    assert found.worst.tolist() == [2, 3, 0]
