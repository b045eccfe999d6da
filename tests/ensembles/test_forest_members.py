"""Members of forests and bagging: trees that `grow` makes on rows drawn with replacement."""

import numpy as np

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
