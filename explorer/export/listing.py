"""A tree of two classes as Mitchell (1997) prints it: counts and shares of + and − on every line."""

import numpy as np

from explorer.conditions import Value
from explorer.errors import InputError
from explorer.explain.rule import reached_by
from explorer.names import visible
from explorer.tree import Tree

INDENT = "| "


def to_listing(tree: Tree, positive: Value | None = None) -> str:
    """The open tree of two classes, one line per node: `[9+,5-] .64+ .36-` are the training rows and shares.

    An empty branch has its parent's shares. `positive` is the class counted as +, the last one unless given; the first
    line is the root. Weights that are no whole numbers have one decimal. Raises InputError for other numbers of classes
    and for a class that is not there.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.samples import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> print(to_listing(grow(data, ID3.replace(max_depth=1))))
    [9+,5-] .64+ .36-
    Outlook = Sunny: [2+,3-] .40+ .60-
    Outlook = Overcast: [4+,0-] 1.00+ .00-
    Outlook = Rain: [3+,2-] .60+ .40-
    """
    if len(tree.classes) != 2:
        found = "a number" if tree.is_regression else f"{len(tree.classes)} classes"
        raise InputError(f"The listing counts + and −, but '{tree.target}' is {found}: use to_text.")
    if positive is not None and positive not in tree.classes:
        raise InputError(
            f"'{tree.target}' has no class {positive!r}: it has {tree.classes[0]!r} and {tree.classes[1]!r}."
        )
    plus = 1 if positive is None else tree.classes.index(positive)
    empty = (tree.weight == 0)[:, None]
    shares = np.where(empty, tree.shares, tree.stats / np.where(empty, 1.0, tree.weight[:, None]))
    lines = []
    for node in tree.preorder():
        way = f"{INDENT * (int(tree.depth[node]) - 1)}{visible(reached_by(tree, node))}: " if node else ""
        counts = f"[{_count(tree.stats[node, plus])}+,{_count(tree.stats[node, 1 - plus])}-]"
        lines.append(f"{way}{counts} {_share(shares[node, plus])}+ {_share(shares[node, 1 - plus])}-")
    return "\n".join(lines)


def _count(weight: float) -> str:
    """A whole number of rows, or one decimal.

    >>> _count(201.0), _count(10.6)
    ('201', '10.6')
    """
    whole = round(weight)
    return str(whole) if abs(weight - whole) < 1e-9 * max(weight, 1.0) else f"{weight:.1f}"


def _share(share: float) -> str:
    """Two decimals without the leading zero.

    >>> _share(0.833), _share(1.0)
    ('.83', '1.00')
    """
    return f"{share:.2f}".removeprefix("0")
