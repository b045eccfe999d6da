"""A tree from a file pruned: by the validation rows of the table, or by its weakest links where rows are counted."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import score_by
from explorer.formatting import leaves
from explorer.messages import message, paragraph
from pages.layout import bar, shell, summary_line
from pages.prune import method_settings
from pages.results import opened_tree, trees
from pages.results.opened_tree import OpenedTree
from pages.results.pruned_tree import alpha_at
from pages.settings import labels, session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_name, score_text
from pages.widgets import open_tabs, page_frame, tree_panels, tree_view
from pages.widgets.controls import feed
from pages.widgets.tree_view import Shown

NAME = "opened_pruned"
_METHOD = "opened.method"


def show(settings: Settings, opened: OpenedTree) -> None:
    """The page while a tree from a file is open."""
    bar.show(settings)
    with shell.rail():
        names = {"validation": labels.METHODS["reduced_error"], "weakest": labels.PRUNING["slide"]}
        st.radio(
            message("Pruning"),
            list(names),
            key=feed(_METHOD, opened.method),
            format_func=lambda method: names[method],
            on_change=lambda: opened_tree.choose(method=st.session_state[_METHOD]),
        )
        if opened.method == "validation":
            st.caption(
                message(
                    "Validation rows of this table say which splits of {name} to remove.",
                    name=escape_markdown(opened.name),
                )
            )
            method_settings.reduced_error(settings)
    _workbench()


@st.fragment
def _workbench() -> None:
    settings, opened = session.read(), opened_tree.now()
    url.write()
    if opened is None:
        st.rerun()
    tree = opened_tree.tree(settings, opened)
    summary_line.show(settings, tree)
    stage, panel = shell.workbench()
    slides = opened.method == "weakest" and opened_tree.can_prune(settings, opened)
    with stage, page_frame.errors_shown():
        tree_panels.show_pruned(settings, NAME, tree, slider=_slider(settings, opened, tree) if slides else None)
    with panel, page_frame.errors_shown():
        if opened.method == "weakest":
            _by_weakest_links(settings, opened)
        else:
            _by_validation(settings, opened)


def _slider(settings: Settings, opened: OpenedTree, tree: ex.Tree) -> tree_panels.Slider:
    """The slider over α, which all pages follow where they show the pruned tree."""
    path = opened_tree.sequence(settings, opened)
    pack = opened_tree.payload(settings, opened.key, opened.tree, tree.decision)

    def take(shown: Shown) -> None:
        tree_panels.take_node("grow", max(shown.selected, 0))
        opened_tree.choose(alpha=alpha_at(path, shown.position))

    payload = opened_tree.sequence_payload(settings, opened, pack)
    return tree_panels.Slider(payload, opened_tree.position(path, opened), take)


def _by_weakest_links(settings: Settings, opened: OpenedTree) -> None:
    """Scores and sequence over α, the weakest link, and whose rows α rests on."""
    path, parts = opened_tree.sequence(settings, opened), trees.parts(settings)
    _scores(settings, opened, parts.valid)
    _choice(opened)
    names = message("Scores"), message("Sequence"), message("Weakest link")
    contents: open_tabs.Tabs = {
        part: (name, partial(tree_view.part, NAME, part, f"{NAME}.{part}"))
        for name, part in zip(names, tree_view.PARTS, strict=True)
    }
    open_tabs.show(contents, f"{NAME}.tab")
    rows = path.tree.rows_text(float(path.tree.weight[0]))
    if opened_tree.counts_rows(opened.tree):
        notes = [message("R(t) and α rest on the rows that the file counts: {rows}.", rows=rows)]
    else:
        notes = [message("R(t) and α rest on your training rows, not on the file: {rows}.", rows=rows)]
    notes.append(opened_tree.worth_of_score(settings, opened))
    if parts.valid is not None:
        notes.append(
            message(
                "There is no 1-SE tree: its standard error needs folds, and a tree from a file is not grown on them."
            )
        )
    st.caption(paragraph(notes))


def _by_validation(settings: Settings, opened: OpenedTree) -> None:
    """Leaves and score before and after, and which of the two trees the pages show."""
    valid = trees.parts(settings).valid
    if valid is None:
        st.info(
            message("Pruning needs rows that the tree was not fitted to: split off validation rows on the Data page.")
        )
        st.page_link("pages/data/page.py", label=message("Data"), icon=":material/table:")
        return
    _scores(settings, opened, valid)
    _choice(opened)
    st.caption(message("These rows chose the size, so their score is optimistic for the pruned tree."))


def _scores(settings: Settings, opened: OpenedTree, valid: ex.Dataset | None) -> None:
    """Leaves of the tree as in its file and pruned, and their scores where there are validation rows."""
    pruned = opened_tree.pruned(settings, opened)
    whole = pruned.with_pruned(opened.tree.is_pruned)
    for name, tree in ((message("As in the file"), whole), (message("Pruned"), pruned)):
        if valid is None:
            st.markdown(message("**{name}**: {leaves}.", name=name, leaves=leaves(tree.n_leaves)))
            continue
        score = score_by(tree, valid, "mse" if tree.is_regression else "accuracy").value
        st.markdown(
            message(
                "**{name}**: {leaves}, {score} {value} on {n:,} validation rows.",
                name=name,
                leaves=leaves(tree.n_leaves),
                score=score_name(tree.is_regression),
                value=score_text(score, tree.is_regression),
                n=valid.n_rows,
            )
        )


def _choice(opened: OpenedTree) -> None:
    """Which of the two trees all pages show."""
    st.toggle(
        message("Show the pruned tree on all pages"),
        value=opened.is_pruned,
        key="opened.pruned",
        on_change=lambda: opened_tree.choose(is_pruned=bool(st.session_state["opened.pruned"])),
    )
