"""A tree as an icon: its shape alone, without a word, small enough for a list of tables.

The *shape* is a text: an internal node is its children in parentheses, in branch order, and a leaf is one digit, the
code of its class, or in a regression tree the tenth of the range of means in which its own lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.drawing.thumbnail import Thumbnail, leaf_codes, slots, thumbnail_svg
from explorer.errors import InputError
from explorer.messages import message
from explorer.tree.tree import Tree

MOST_LEAVES, MOST_LEVELS = 16, 5
_DIGITS = 10


def tree_shape(tree: Tree) -> str:
    """The shape of the tree, cut at the deepest level that leaves at most 16 leaves; nodes there count as leaves.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree_shape(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    '((01)1(10))'
    """
    digits = leaf_codes(tree) % _DIGITS

    def shape(node: int, levels: int) -> str:
        children = tree.children_of(node)
        if not levels or tree.is_leaf[node]:
            return str(digits[node])
        return f"({''.join(shape(child, levels - 1) for child in children)})"

    for levels in range(MOST_LEVELS, 0, -1):
        text = shape(0, levels)
        if sum(sign.isdigit() for sign in text) <= MOST_LEAVES:
            return text
    return shape(0, 1)


def tree_icon(shape: str, colours: Sequence[str], line: str) -> str:
    """The icon of a shape as an SVG document; `colours` are those of the digits, `line` that of the branches.

    Raises InputError for a text that is no shape.

    >>> tree_icon("(01)", ["#111111", "#222222"], "#333333").count("<circle")
    3
    """
    signs, codes, parents, levels = iter(shape), list[int](), list[int](), list[int]()
    if not _read(signs, codes, parents, levels) or list(signs):
        raise InputError(message("{shape} is not the shape of a tree.", shape=repr(shape)))
    return thumbnail_svg(_picture(codes, parents, levels), line, colours)


def _read(
    signs: Iterator[str], codes: list[int], parents: list[int], levels: list[int], parent: int = -1, level: int = 0
) -> bool:
    """Read the next node of a shape with all below it into the lists, in preorder; False at a closing parenthesis."""
    sign = next(signs, "")
    if sign == ")":
        return False
    is_leaf = sign.isdigit() and sign.isascii()
    if sign != "(" and not is_leaf:
        raise InputError(message("The shape of a tree needs a node here, not {sign}.", sign=repr(sign)))
    node = len(codes)
    codes.append(int(sign) if is_leaf else -1)
    parents.append(parent)
    levels.append(level)
    if is_leaf:
        return True
    while _read(signs, codes, parents, levels, node, level + 1):
        pass
    if len(codes) == node + 1:
        raise InputError(message("An internal node of a shape has no children."))
    return True


def _picture(codes: list[int], parents: list[int], levels: list[int]) -> Thumbnail:
    """The picture of a shape: of its nodes nothing but places and colours is known."""
    parent, code, n = np.array(parents, dtype=np.intp), np.array(codes, dtype=np.intp), len(codes)
    return Thumbnail(
        x=slots(parent),
        y=np.array(levels) / (max(levels) or 1),
        parent=parent,
        code=code,
        feature=np.full(n, -1, dtype=np.intp),
        share=np.full(n, np.nan),
        has_more=np.zeros(n, dtype=bool),
        node=np.arange(n),
        root_feature="",
        n_leaves=int((code >= 0).sum()),
        depth=max(levels),
    )
