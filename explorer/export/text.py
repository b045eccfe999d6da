"""A tree as indented text: one line per node, with counts and shares."""

from explorer.explain.rule import reached_by
from explorer.export.hidden import hidden_text, nodes_below
from explorer.names import amount, number, percent, rows, spread, visible
from explorer.node import Node
from explorer.tree import Tree

INDENT = "  "


def to_text(tree: Tree, max_depth: int | None = None) -> str:
    """The open tree, one line per node: how it is reached, what it predicts, and how sure that is.

    A class line says how many of the node's training rows have the label, a regression line the mean, the standard
    deviation and the rows; what a person decided is said at the end. `max_depth` cuts lower nodes off and counts them.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.samples import load_sample
    >>> play_tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> print(to_text(grow(play_tennis, ID3)))
    PlayTennis: Yes (9 of 14, 64.3 %)
      Outlook = Sunny: No (3 of 5, 60 %)
        Humidity = High: No (3 of 3, 100 %)
        Humidity = Normal: Yes (2 of 2, 100 %)
      Outlook = Overcast: Yes (4 of 4, 100 %)
      Outlook = Rain: Yes (3 of 5, 60 %)
        Wind = Weak: Yes (3 of 3, 100 %)
        Wind = Strong: No (2 of 2, 100 %)
    """
    deepest = tree.max_depth if max_depth is None else max(max_depth, 0)
    below = nodes_below(tree) if deepest < tree.max_depth else None
    lines = []
    for node in map(tree.node, tree.preorder()):
        if node.depth > deepest:
            continue
        way = reached_by(tree, node.id) if node.depth else tree.target
        by_hand = f", {node.by_hand}" if node.by_hand else ""
        lines.append(f"{INDENT * node.depth}{visible(way)}: {finding(node)}{by_hand}")
        if below is not None and node.depth == deepest and not node.is_leaf:
            lines.append(f"{INDENT * (node.depth + 1)}{hidden_text(int(below[node.id]))}")
    return "\n".join(lines)


def finding(node: Node) -> str:
    """What a node predicts and what that rests on."""
    if node.tree.is_regression:
        prediction = number(float(node.label))
        if node.weight == 0:
            return f"{prediction} (no rows)"
        return f"{prediction} ± {spread(node.stats[2], node.weight)} ({rows(node.weight)})"
    label = visible(str(node.label))
    if node.weight == 0:
        return f"{label} (no rows)"
    own = float(node.stats[node.tree.labels[node.id]])
    return f"{label} ({amount(own)} of {amount(node.weight)}, {percent(own / node.weight)})"
