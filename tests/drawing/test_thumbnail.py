"""Small pictures of trees: they are the top of the tree, and stay small."""

import re

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.thumbnail import MOST_LEAVES, MOST_LEVELS, thumbnail, thumbnail_svg


def grown(sample, recipe):
    known = ex.SAMPLES[sample]
    frame = ex.load_sample(sample).frame
    return ex.grow(ex.Dataset.from_frame(frame, known.target, known.features, dict(known.kinds)), recipe)


@pytest.mark.parametrize("sample", ["play_tennis", "iris", "car", "mushroom", "titanic", "auto_mpg"])
def test_the_picture_is_the_top_of_the_tree(sample):
    tree = grown(sample, ex.CART if sample == "auto_mpg" else ex.ID3)
    small = thumbnail(tree)
    levels = int(tree.depth[small.node].max())
    assert levels <= MOST_LEVELS
    assert set(small.node.tolist()) == set(np.flatnonzero(tree.depth <= levels).tolist())
    ends = small.code >= 0
    assert ends.sum() <= MOST_LEAVES or levels == 1
    assert small.has_more.tolist() == [bool(end) and not tree.node(int(node)).is_leaf for node, end in
                                       zip(small.node, ends, strict=True)]  # fmt: skip
    for row, above in enumerate(small.parent.tolist()):
        if above >= 0:
            assert tree.parent[small.node[row]] == small.node[above]
    assert (small.n_leaves, small.depth, small.root_feature) == (
        tree.n_leaves,
        tree.max_depth,
        tree.node(0).condition.feature,
    )


def test_children_stand_in_branch_order_below_their_parent():
    small = thumbnail(grown("play_tennis", ex.ID3))
    assert np.all(np.diff(small.x[small.code >= 0]) > 0)
    below = small.parent >= 0
    assert np.all(small.y[below] > small.y[small.parent[below]])
    assert small.share[0] == 1
    assert small.share[small.code >= 0].sum() == pytest.approx(1)


def test_a_wide_split_is_drawn_whole_and_no_deeper():
    frame = pd.DataFrame({"id": [f"v{i}" for i in range(60)], "y": ["a", "b"] * 30})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["id"]), ex.ID3)
    assert (thumbnail(tree).code >= 0).sum() == 60


def test_a_root_alone_is_one_leaf():
    small = thumbnail(grown("iris", ex.CART.replace(max_depth=0)))
    assert (small.code.tolist(), small.parent.tolist(), small.root_feature) == ([0], [-1], "")
    assert thumbnail_svg(small, "#123456").count("<circle") == 1


def test_leaves_take_the_colour_of_their_class():
    picture = thumbnail_svg(thumbnail(grown("play_tennis", ex.ID3)), "#888888", ["#000000", "#ffffff"])
    assert re.findall(r'fill="(#\w+)"', picture) == [
        *("#888888", "#888888", "#000000", "#ffffff"),
        *("#ffffff", "#888888", "#ffffff", "#000000"),
    ]
