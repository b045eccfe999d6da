"""The listing of + and −: the lines of the textbook's form."""

import numpy as np
import pytest

import explorer as ex
from tests.oracles import used_trees
from tests.oracles.golden_walk import dataset_of
from tests.oracles.handmade import Knot, knot, tree_of


def test_play_tennis():
    assert ex.to_listing(ex.grow(dataset_of("play_tennis"), ex.ID3)).splitlines() == [
        "[9+,5-] .64+ .36-",
        "Outlook = Sunny: [2+,3-] .40+ .60-",
        "| Humidity = High: [0+,3-] .00+ 1.00-",
        "| Humidity = Normal: [2+,0-] 1.00+ .00-",
        "Outlook = Overcast: [4+,0-] 1.00+ .00-",
        "Outlook = Rain: [3+,2-] .60+ .40-",
        "| Wind = Weak: [3+,0-] 1.00+ .00-",
        "| Wind = Strong: [0+,2-] .00+ 1.00-",
    ]


def test_mitchells_counts_and_fractions():
    tree = tree_of(
        Knot((167.0, 833.0), [Knot((116.0, 822.0), [Knot((10.6, 201.0)), Knot((0.0, 0.0))]), Knot((51, 11))])
    )
    assert ex.to_listing(tree).splitlines() == [
        "[833+,167-] .83+ .17-",
        "f0 = a: [822+,116-] .88+ .12-",
        "| f1 = a: [201+,10.6-] .95+ .05-",
        "| f1 = b: [0+,0-] .88+ .12-",
        "f0 = b: [11+,51-] .18+ .82-",
    ]


def test_either_class_may_be_plus():
    tree = tree_of(knot((3, 0), (0, 1)))
    assert ex.to_listing(tree, positive="class 0").splitlines()[0] == "[3+,1-] .75+ .25-"
    with pytest.raises(ex.InputError, match="no class 'maybe'"):
        ex.to_listing(tree, positive="maybe")


def test_a_pruned_tree_is_listed_as_it_is_open():
    tree = tree_of(knot((3, 0), (0, 1)))
    assert ex.to_listing(tree.with_pruned(np.array([True, False, False]))) == "[1+,3-] .25+ .75-"


@pytest.mark.parametrize("tree", [tree_of(Knot((1, 1, 1))), tree_of(Knot((4, 2.5, 9.0)), "variance")])
def test_other_targets_are_refused(tree):
    with pytest.raises(ex.InputError, match="Use to_text"):
        ex.to_listing(tree)


@pytest.mark.parametrize("name", used_trees.NASTY)
def test_names_stay_in_their_line(name):
    tree, _ = used_trees.nasty_tree(name)
    two = tree_of(knot((3, 0), (0, 1)))
    two = two.from_dict({**two.to_dict(), "features": tree.to_dict()["features"][:1]})
    assert len(ex.to_listing(two).splitlines()) == two.n_nodes
