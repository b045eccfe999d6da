"""The leaves of a report's tree on the validation rows: how many come there, and how well they are predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.evaluation.held_out_nodes import HeldOutNodes, held_out_nodes
from explorer.explaining.node_rule import rule_words
from explorer.export.report.blocks import Block, Grid, Paragraph, Section
from explorer.export.report.provenance import PART_NAMES, Provenance
from explorer.formatting import number, percent, shortened, value_text
from explorer.messages import message
from explorer.tree.tree import Tree

_MOST_LEAVES, _LONGEST = 200, 120


def held_out_leaves(provenance: Provenance) -> list[Section]:
    """A line for each leaf, in the order of the tree; nothing without validation rows."""
    rows, tree = provenance.scored_sets.get(PART_NAMES[1]), provenance.tree
    if rows is None:
        return []
    nodes = held_out_nodes(tree, rows)
    kept = [node for node in tree.preorder() if tree.is_leaf[node]]
    score = message("validation MSE") if tree.is_regression else message("validation: right")
    head = [message("leaf"), message("rule"), message("training rows"), message("predicted")]
    head += [message("validation rows"), score, ""]
    shown: list[Block] = [Grid(head, list(_lines(tree, nodes, kept[:_MOST_LEAVES])))]
    if len(kept) > _MOST_LEAVES:
        shown.append(Paragraph(message("The first {n:,} of {all:,} leaves.", n=_MOST_LEAVES, all=len(kept))))
    shown.append(Paragraph(message("≠: most validation rows of the leaf have another class than the one predicted.")))
    return [Section(message("Leaves on validation rows"), shown[: -1 if tree.is_regression else None])]


def _lines(tree: Tree, nodes: HeldOutNodes, leaves: Sequence[int]) -> Iterator[list[str]]:
    for node in leaves:
        held_out, rule = float(nodes.weight[node]), shortened(rule_words(tree, node), _LONGEST)
        right = float(nodes.score[node])
        score = "–" if not held_out else number(right) if tree.is_regression else percent(right)
        at_node, differs = tree.node(node), "≠" if nodes.differs[node] else ""
        label = number(float(at_node.label)) if tree.is_regression else value_text(at_node.label)
        yield [str(node), rule, number(at_node.weight), label, number(held_out), score, differs]
