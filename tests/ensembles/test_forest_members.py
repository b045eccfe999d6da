"""Members of forests and bagging: trees that `grow` makes on rows drawn with replacement."""

import numpy as np
import pytest

import explorer as ex

PER_NODE = ("feature", "threshold", "parent", "stats", "cat_code", "cat_branch", "stop", "impurity")


def tennis() -> ex.Dataset:
    """The 14 days."""
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def same_tree(one: ex.Tree, other: ex.Tree) -> bool:
    """Whether two trees agree in every array of their nodes."""
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in PER_NODE)


def test_bag_of_one_with_weights_of_one_is_the_tree():
    data = tennis()
    bag = ex.bagging(data, ex.CART, n_estimators=1, bootstrap=False)
    assert same_tree(bag.members[0].tree, ex.grow(data, ex.CART))
    assert np.array_equal(bag.predict(data), ex.grow(data, ex.CART).predict(data))


def test_member_is_the_plain_tree_on_its_weights():
    data = tennis()
    for member in ex.bagging(data, ex.C45, n_estimators=5, seed=3).members:
        assert member.weights.sum() == 14
        assert same_tree(member.tree, ex.grow(data.with_weights(member.weights), ex.C45))


def test_stopping_keeps_the_members_so_far():
    def stop_at_three(done: int, rounds: int) -> None:
        if done == 3:
            raise ex.Stopped

    bag = ex.bagging(tennis(), ex.CART, n_estimators=10, progress=stop_at_three)
    assert (len(bag.members), bag.n_stages) == (3, 3)
    assert bag.ended.text == "Stopped after 3 of 10 rounds."


def test_rows_are_read_once_for_all_members():
    data = tennis()
    made = ex.forest(data, ex.C45.replace(max_depth=1), n_estimators=6, max_features=1)
    frame = data.frame.drop(columns="PlayTennis")
    expected = np.mean([member.tree.predict_proba(frame) for member in made.members], axis=0)
    np.testing.assert_allclose(made.predict_proba(frame), expected)
    np.testing.assert_allclose(made.predict_proba(data), expected)
    unseen = frame.assign(Outlook="Fog", Wind=None)
    expected = np.mean([member.tree.predict_proba(unseen) for member in made.members], axis=0)
    np.testing.assert_allclose(made.predict_proba(unseen), expected)
    contributions = made.contributions(unseen.iloc[[0]])
    np.testing.assert_allclose(contributions.start + contributions.values.sum(axis=0), expected[0])


def test_a_column_that_a_member_splits_on_must_be_there_and_no_other():
    data = tennis()
    made = ex.bagging(data, ex.ID3.replace(max_depth=1), n_estimators=6)
    used = {member.tree.features[member.tree.feature[0]].name for member in made.members}
    unused = [feature.name for feature in data.features if feature.name not in used]
    frame = data.frame
    assert len(made.predict(frame.drop(columns=unused))) == 14
    with pytest.raises(ex.InputError, match="The table has no column"):
        made.predict(frame.drop(columns=sorted(used)[0]))


@pytest.mark.parametrize("recipe", [ex.ID3, ex.CART])
def test_members_that_bin_numbers_in_their_own_way_read_rows_themselves(recipe: ex.Recipe):
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    made = ex.bagging(data, recipe, n_estimators=4)
    frame = data.frame.iloc[::7]
    expected = np.mean([member.tree.predict_proba(frame) for member in made.members], axis=0)
    np.testing.assert_allclose(made.predict_proba(frame), expected)
