"""One member grown again with a forced split: what comes before stays, and what depends on it follows."""

import numpy as np
import pytest

import explorer as ex

STUMP = ex.CART.replace(max_depth=1)


def points():
    return ex.Dataset.from_frame(ex.load_sample("lihang_8_2_regression").frame, "y", features=["x"])


def tennis():
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def forced(tree, feature, **how):
    return ex.Choices().force(tree.place(0), ex.SplitRequest(feature, **how))


def test_boosting_goes_on_from_the_forced_split():
    """Round 2 is forced to x ≤ 8.5: its leaves are the means of the residuals there, and round 3 sees what is left."""
    data = points()
    boosted = ex.gradient_boost(data, STUMP, n_estimators=3, learning_rate=1.0)
    choices = forced(boosted.members[1].tree, "x", test="threshold", threshold=8.5)
    changed = ex.regrown(boosted, 1, choices)
    assert changed.members[0].tree.threshold[0] == boosted.members[0].tree.threshold[0] == 6.5
    assert changed.members[1].tree.threshold[0] == 8.5
    y = np.asarray(data.y)
    residuals = y - np.r_[np.full(6, y[:6].mean()), np.full(4, y[6:].mean())]
    assert np.allclose(changed.members[1].target, residuals)
    left, right = residuals[:8].mean(), residuals[8:].mean()
    assert np.allclose(changed.members[1].tree.values[1:], [left, right])
    after = residuals - np.r_[np.full(8, left), np.full(2, right)]
    assert np.allclose(changed.members[2].target, after)


def test_a_choice_made_earlier_stays_in_force():
    boosted = ex.gradient_boost(points(), STUMP, n_estimators=3, learning_rate=1.0)
    first = ex.regrown(boosted, 0, forced(boosted.members[0].tree, "x", test="threshold", threshold=3.5))
    both = ex.regrown(first, 1, forced(first.members[1].tree, "x", test="threshold", threshold=8.5))
    assert [float(member.tree.threshold[0]) for member in both.members[:2]] == [3.5, 8.5]


@pytest.mark.parametrize("build", [ex.adaboost, ex.c50], ids=["adaboost", "c50"])
def test_votes_are_those_of_the_forced_tree(build):
    data = tennis()
    recipe = STUMP if build is ex.adaboost else ex.C45
    boosted = build(data, recipe)
    changed = ex.regrown(boosted, 0, forced(boosted.members[0].tree, "Wind"))
    tree = changed.members[0].tree
    assert tree.features[tree.feature[0]].name == "Wind"
    wrong = tree.predict_encoded(data) != data.y
    assert np.isclose(changed.members[0].facts["epsilon"], wrong.mean())
    following = changed.members[1].weights
    assert np.isclose(following[wrong].sum(), following.sum() / 2)


def test_newton_boosting_goes_on_too():
    boosted = ex.newton_boost(points(), n_estimators=2, max_depth=1, learning_rate=1.0)
    changed = ex.regrown(boosted, 0, forced(boosted.members[0].tree, "x", test="threshold", threshold=2.5))
    assert changed.members[0].tree.threshold[0] == 2.5
    assert not np.allclose(changed.members[1].target, boosted.members[1].target)


def test_of_a_forest_only_this_member_changes():
    data = tennis()
    forest = ex.forest(data, ex.CART, n_estimators=4, seed=2)
    changed = ex.regrown(forest, 2, forced(forest.members[2].tree, "Wind"))
    assert [a is b for a, b in zip(changed.members, forest.members, strict=True)] == [True, True, False, True]
    assert changed.members[2].tree.condition(0).feature == "Wind"
    assert np.array_equal(changed.members[2].weights, forest.members[2].weights)


def test_a_member_that_does_not_exist_and_an_ensemble_without_rows_are_refused():
    forest = ex.forest(tennis(), ex.CART, n_estimators=2)
    with pytest.raises(ex.InputError, match="no tree 7"):
        ex.regrown(forest, 7, ex.Choices())
    imported = ex.Ensemble.from_xgboost_json('[{"nodeid": 0, "leaf": 1.5}]', base_score=0.5)
    with pytest.raises(ex.InputError, match="without its training rows"):
        ex.regrown(imported, 0, ex.Choices())
