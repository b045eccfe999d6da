"""A tree as indented text: one line per node, with counts and shares."""

import numpy as np

from explorer.errors import InputError
from explorer.explaining.node_rule import reached_by
from explorer.formatting import amount, number, percent, visible
from explorer.messages import message
from explorer.tree.tree import Node, Tree
from explorer.tree.truncation import hidden_text, nodes_below
from explorer.values import Value

LISTING_INDENT = "| "


def to_listing(tree: Tree, positive: Value | None = None) -> str:
    """The tree of two classes, one line per node: `[9+,5-] .64+ .36-` are the training rows and shares.

    An empty branch has its parent's shares. `positive` is the class counted as +, the last one unless given; the first
    line is the root. Weights that are not whole have one decimal. Raises InputError for other numbers of classes and
    for an unknown class.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> print(to_listing(grow(data, ID3.replace(max_depth=1))))
    [9+,5-] .64+ .36-
    Outlook = Sunny: [2+,3-] .40+ .60-
    Outlook = Overcast: [4+,0-] 1.00+ .00-
    Outlook = Rain: [3+,2-] .60+ .40-
    """
    if len(tree.classes) != 2:
        raise InputError(_needs_two_classes(tree))
    if positive is not None and positive not in tree.classes:
        raise InputError(
            message(
                "'{target}' has no class {name!r}. Its classes are {first!r} and {second!r}.",
                target=tree.target,
                name=positive,
                first=tree.classes[0],
                second=tree.classes[1],
            )
        )
    plus = 1 if positive is None else tree.classes.index(positive)
    empty = (tree.weight == 0)[:, None]
    shares = np.where(empty, tree.shares, tree.stats / np.where(empty, 1.0, tree.weight[:, None]))
    lines = []
    for node in tree.preorder():
        reached = f"{LISTING_INDENT * (int(tree.depth[node]) - 1)}{visible(reached_by(tree, node))}: " if node else ""
        counts = f"[{_count(tree.stats[node, plus])}+,{_count(tree.stats[node, 1 - plus])}-]"
        lines.append(f"{reached}{counts} {_share(shares[node, plus])}+ {_share(shares[node, 1 - plus])}-")
    return "\n".join(lines)


def _needs_two_classes(tree: Tree) -> str:
    if tree.is_regression:
        return message("The listing counts + and −, but '{target}' is a number. Use to_text.", target=tree.target)
    return message(
        "The listing counts + and −, but '{target}' has {count} classes. Use to_text.",
        target=tree.target,
        count=len(tree.classes),
    )


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


INDENT = "  "


def to_text(tree: Tree, max_depth: int | None = None) -> str:
    """The tree, one line per node: its branch, its prediction, and the training rows behind it.

    A class line has the number of the node's training rows with the label, a regression line the mean, the standard
    deviation and the rows; smoothed probabilities and actions stand at the leaves, and manual decisions after the rows.
    `max_depth` cuts lower nodes off and counts them.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> play_tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> print(to_text(grow(play_tennis, ID3)))
    PlayTennis: Yes (9 of 14, 64.3 %)
      Outlook = Sunny: No (3 of 5, 60.0 %)
        Humidity = High: No (3 of 3, 100 %)
        Humidity = Normal: Yes (2 of 2, 100 %)
      Outlook = Overcast: Yes (4 of 4, 100 %)
      Outlook = Rain: Yes (3 of 5, 60.0 %)
        Wind = Weak: Yes (3 of 3, 100 %)
        Wind = Strong: No (2 of 2, 100 %)
    """
    deepest = tree.max_depth if max_depth is None else max(max_depth, 0)
    below = nodes_below(tree) if deepest < tree.max_depth else None
    lines = []
    for node in map(tree.node, tree.preorder()):
        if node.depth > deepest:
            continue
        reached = reached_by(tree, node.id) if node.depth else tree.target
        line = message("{condition}: {prediction}", condition=visible(reached), prediction=prediction_text(node))
        by_hand = f", {node.by_hand}" if node.by_hand else ""
        lines.append(f"{INDENT * node.depth}{line}{_smoothed_text(node)}{by_hand}{_action_text(node)}")
        if below is not None and node.depth == deepest and not node.is_leaf:
            lines.append(f"{INDENT * (node.depth + 1)}{hidden_text(int(below[node.id]))}")
    return "\n".join(lines)


def _action_text(node: Node) -> str:
    """What to do with the rows of a leaf, where that is said."""
    text = node.tree.node_actions[node.id] if node.tree.actions and node.is_leaf else ""
    return message(", action: {action}", action=visible(text)) if text else ""


def _smoothed_text(node: Node) -> str:
    """A leaf's probability where it is another than the share of its rows."""
    if node.tree.smoothing is None or not node.is_leaf:
        return ""
    probability = float(node.probabilities[node.tree.labels[node.id]])
    return message(", probability {probability}", probability=percent(probability))


def prediction_text(node: Node) -> str:
    """A node's prediction and the training rows behind it."""
    if node.tree.is_regression:
        prediction = number(float(node.label))
        if node.weight == 0:
            return message("{prediction} (no rows)", prediction=prediction)
        if node.deviation is None:
            return f"{prediction} ({node.tree.rows_text(node.weight)})"
        return f"{prediction} ± {number(node.deviation)} ({node.tree.rows_text(node.weight)})"
    label = visible(str(node.label))
    if node.weight == 0:
        return message("{prediction} (no rows)", prediction=label)
    own = float(node.stats[node.tree.labels[node.id]])
    if not node.tree.counts_rows:
        share, weight = percent(own / node.weight), node.tree.rows_text(node.weight)
        return message("{prediction} ({share} of {weight})", prediction=label, share=share, weight=weight)
    return message(
        "{prediction} ({own} of {rows}, {share})",
        prediction=label,
        own=amount(own),
        rows=amount(node.weight),
        share=percent(own / node.weight),
    )
