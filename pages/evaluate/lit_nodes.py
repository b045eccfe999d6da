"""What the open tab lights on the tree: the path of a row, or rings on the leaves where the selected rows end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import explorer as ex
from explorer.evaluation.row_ends import ends_at_threshold, row_ends
from explorer.messages import message
from pages.evaluate import class_curves, errors, gains_table, leaf_quality, open_tab, row_set
from pages.results import evaluation
from pages.settings.settings import Settings
from pages.widgets import row_table
from pages.widgets.tree_view import Mark


@dataclass(frozen=True)
class LitNodes:
    """The nodes of a row's path, each with the row's share there, and rings."""

    path: tuple[tuple[int, float], ...] = ()
    rings: tuple[Mark, ...] = ()


def of_open_tab(settings: Settings, tree: ex.Tree) -> LitNodes:
    """What is selected in the open tab; nothing where many trees predict, since their nodes are not this tree's."""
    tab = open_tab.current(settings, tree.is_regression)
    if tab == open_tab.LEAVES:
        return _of_leaves(settings, tree)
    if evaluation.chosen(settings) == "held_out":
        return LitNodes()
    if tab == open_tab.ERRORS:
        return _of_errors(settings, tree)
    if tab == open_tab.CURVES:
        return _of_threshold(settings, tree)
    return LitNodes()


def _of_leaves(settings: Settings, tree: ex.Tree) -> LitNodes:
    """The leaves taken from the top of the gains, where one tree predicts the rows, and the leaf selected."""
    texts, leaf = {}, leaf_quality.selected_leaf(settings, tree)
    if settings.evaluate.first_leaves and evaluation.chosen(settings) != "held_out":
        code = class_curves.drawn_class(settings, evaluation.evaluation(settings)[0], tree)
        first = gains_table.first_leaves(settings, code or 0)
        texts = {node: message("Leaf {n} of the gains", n=n) for n, node in enumerate(first, 1)}
    if leaf is not None:
        texts[leaf] = message("Selected leaf")
    return LitNodes(rings=tuple(Mark(node, "ring", text) for node, text in texts.items()))


def _of_errors(settings: Settings, tree: ex.Tree) -> LitNodes:
    """The path of the selected row; without one, the leaves where the rows of the selected cell end."""
    rows = evaluation.rows(settings)
    if settings.evaluate.row is not None:
        row = row_table.numbered(rows, settings.evaluate.row)
        if row.n_rows:
            return LitNodes(path=tuple((visit.node, visit.part) for visit in ex.row_path(tree, row).visits))
    evaluated = row_set.known(settings)
    if evaluated is None or tree.is_regression:
        return LitNodes()
    cell = errors.confusion_cells(*evaluated).known(settings.evaluate.cell)
    return LitNodes() if cell is None else _rings(tree, row_ends(tree, rows, evaluated[1].rows(*cell)))


def _of_threshold(settings: Settings, tree: ex.Tree) -> LitNodes:
    """The leaves that predict the class at the selected threshold."""
    evaluated = row_set.known(settings)
    code = None if evaluated is None else class_curves.drawn_class(settings, evaluated[0], tree)
    if code is None or not settings.evaluate.threshold:
        return LitNodes()
    threshold = class_curves.threshold(settings, evaluation.class_curves(settings, code))
    return _rings(tree, ends_at_threshold(evaluation.calibration(settings), code, threshold))


def _rings(tree: ex.Tree, ends: Mapping[int, float]) -> LitNodes:
    return LitNodes(
        rings=tuple(
            Mark(node, "ring", message("{rows} of the selection end here", rows=tree.rows_text(weight)))
            for node, weight in ends.items()
        )
    )
