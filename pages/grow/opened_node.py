"""The inspector of a node of a tree from a file: what the file says of it, and what competed on the reader's rows."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.formatting import rows
from explorer.messages import listing, message, paragraph
from pages.grow import candidates_table, formula_tab, node_panel, split_evidence
from pages.results import opened_tree, trees
from pages.results.opened_tree import OpenedTree
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import node_text, open_tabs, page_frame, tables


def what_competes() -> str:
    """What the settings of growing are for while a model from a file is open."""
    return message("The splits are those of the file. What else competed on your rows is compared by these settings:")


def show(
    settings: Settings,
    opened: OpenedTree,
    node_id: int,
    place: str,
    with_rows: open_tabs.Tabs,
    without_rows: open_tabs.Tabs,
    fitted_to: str = "",
) -> None:
    """The node of a tree of a file, and the tabs, more of them where the table has its columns.

    `place` keeps which tab is open, `fitted_to` says what a member was fitted to, where that is not the target.
    """
    tree = opened_tree.named(settings, opened.tree)
    st.subheader(node_panel.title(tree, node_id), anchor=False)
    _of_file(tree, node_id)
    try:
        counted = opened_tree.counted(settings, opened)
        decision = opened_tree.decision(settings, opened, node_id)
    except ex.InputError as error:
        st.info(
            message("What competed here needs a table with its columns. {error}", error=escape_markdown(str(error))),
            icon=":material/table:",
        )
        open_tabs.show(without_rows, place)
        return
    page_frame.show_sample(settings)
    train = opened_tree.train(settings, opened)
    _of_rows(train, counted, decision, node_id)
    notes, otherwise = [fitted_to] if fitted_to else [], opened_tree.read_otherwise(settings, tree)
    if opened_tree.placed(settings, opened.tree) is not opened.tree:
        notes.append(message("The file names no columns: they are those of the table, in order."))
    if otherwise:
        notes.append(message("Read as the tree reads them: {columns}.", columns=escape_markdown(listing(otherwise))))
    if counted.recipe.numeric != trees.recipe(settings).numeric:
        notes.append(message("Numbers compete by thresholds, as in the tree."))
    if notes:
        st.caption(paragraph(notes))
    contents = {
        "candidates": (message("Candidates"), partial(_candidates, counted, decision, node_id)),
        "formula": (message("Formula"), partial(formula_tab.show, counted, decision, node_id)),
        "thresholds": (message("Thresholds"), partial(node_panel.thresholds, counted, decision)),
        "rows": (message("Rows"), partial(tables.rows_at, counted, train, node_id)),
    }
    open_tabs.show({**contents, **with_rows, **without_rows}, place)


def _of_file(tree: ex.Tree, node_id: int) -> None:
    """What the file says of the node: no number that it does not hold."""
    node = tree.node(node_id)
    predicted = node_text.predicted(node, tree.is_regression)
    has_weights = _has_weights(tree)
    if not has_weights and not node.is_leaf:
        st.markdown(message("**In the file**: no numbers of rows, so this node's class shares are not known."))
        return
    if has_weights:
        amount = tree.rows_text(node.row_weight)
        text = message("**In the file**: {rows}, predicts **{label}**.", rows=amount, label=predicted)
    else:
        text = message("**In the file**: predicts **{label}**; it holds no numbers of rows.", label=predicted)
    st.markdown(text)
    if not tree.is_regression:
        st.html(class_bar.class_bar(tree.classes, node.stats, page_frame.colours(), tree.counts_rows))


def _has_weights(tree: ex.Tree) -> bool:
    """Whether the file says how many rows its leaves had, or their weight: readers let leaves without weigh 1 each."""
    return tree.counts_rows or bool((tree.weight[tree.feature < 0] != 1.0).any())


def _of_rows(train: ex.Dataset, counted: ex.Tree, decision: ex.Decision, node_id: int) -> None:
    """The reader's rows at the node, and what the algorithm would do with them."""
    measure = node_text.impurity_name(counted.recipe, counted.is_regression)
    impurity = message("{impurity} {value}", impurity=measure, value=number(float(counted.impurity[node_id])))
    shown = rows(decision.n_rows)
    st.markdown(message("**Your rows**: {rows} · {impurity}", rows=shown, impurity=impurity))
    if decision.n_rows:
        node_panel.distribution(counted, node_id, train)
        st.markdown(node_text.stop_text(counted.node(node_id), decision))


def _candidates(counted: ex.Tree, decision: ex.Decision, node_id: int) -> None:
    """Every feature's best split on the reader's rows, with the split of the file."""
    if not decision.candidates and decision.chosen is None:
        st.markdown(message("No split was tried here."))
        return
    candidates_table.show_with_notes(decision, counted, node_id)
    condition = counted.condition(node_id)
    if condition is not None and decision.surrogates:
        split_evidence.surrogates(condition, decision)
