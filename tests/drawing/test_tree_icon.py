"""The icon of a tree: its shape is the tree's, and every node is in the picture."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.thumbnail import HEIGHT, WIDTH
from explorer.drawing.tree_icon import MOST_LEAVES, tree_icon, tree_shape

COLOURS = [f"#{digit}0{digit}0{digit}0" for digit in range(10)]


def grown(sample, recipe=ex.CART):
    known = ex.SAMPLES[sample]
    frame = ex.load_sample(sample).frame
    return ex.grow(ex.Dataset.from_frame(frame, known.target, known.features, dict(known.kinds)), recipe)


def by_hand(tree, node, levels):
    """The shape again, from the nodes that the tree gives."""
    own = tree.node(node)
    if own.is_leaf or levels == 0:
        return str(tree.classes.index(own.label))
    return "(" + "".join(by_hand(tree, child, levels - 1) for child in own.children) + ")"


@pytest.mark.parametrize("sample", ["play_tennis", "golf", "iris", "car", "mushroom", "titanic"])
@pytest.mark.parametrize("recipe", [ex.ID3, ex.CART], ids=["ID3", "CART"])
def test_the_shape_is_the_top_of_the_tree(sample, recipe):
    tree, shape = grown(sample, recipe), tree_shape(grown(sample, recipe))
    fitting = [by_hand(tree, 0, levels) for levels in (5, 4, 3, 2, 1)]
    assert shape == next(text for text in fitting if len(re.findall(r"\d", text)) <= MOST_LEAVES)


def test_leaves_of_numbers_are_tenths_of_the_range_of_means():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.0, 54.0, 100.0]})
    assert tree_shape(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)) == "(0(59))"


def test_a_root_alone_is_one_digit():
    assert tree_shape(grown("iris", ex.CART.replace(max_depth=0))) == "0"


@pytest.mark.parametrize("shape", ["3", "(01)", "((01)1(10))", "(0(1(2(3(45)))))"])
def test_every_node_is_a_dot_within_the_picture_and_has_its_colour(shape):
    root = ET.fromstring(tree_icon(shape, COLOURS, "#888888"))
    dots = [dot for dot in root.iter() if dot.tag.endswith("circle")]
    leaves = re.findall(r"\d", shape)
    assert len(dots) == len(leaves) + shape.count("(")
    fills = sorted(dot.get("fill") for dot in dots if dot.get("fill") != "#888888")
    assert fills == sorted(COLOURS[int(digit)] for digit in leaves)
    x, y = (np.array([float(dot.get(name)) for dot in dots]) for name in ("cx", "cy"))
    assert x.min() > 0
    assert x.max() < WIDTH
    assert y.min() > 0
    assert y.max() < HEIGHT
    ends = sum(path.get("d").count("L") for path in root.iter() if path.tag.endswith("path"))
    assert ends == len(dots) - 1, "one branch to every node but the root"


@pytest.mark.parametrize("text", ["", "(", "()", "(0", "(0))", "a", "01", "<script>", "(0 1)"])
def test_what_is_no_shape_is_refused(text):
    with pytest.raises(ex.InputError):
        tree_icon(text, COLOURS, "#888888")
