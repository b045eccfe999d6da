"""In the menu: trees kept by name, and the project as a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.formatting import leaves
from explorer.messages import in_this_language, listing, message
from pages.results import evaluation, pruned_tree, trees
from pages.results.evaluation import Score
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.kept.trees import LONGEST_NAME, KeptTree, frozen, with_tree, without
from pages.settings.settings import Settings, changed, made_of, with_kept
from pages.text import escape_markdown, score_text
from pages.uploads import project_file
from pages.uploads.project import ENDING
from pages.widgets import page_frame
from pages.widgets.controls import quiet_button

_PLACE, _NAME = "project", "project.name"


def show(settings: Settings, has_tree: bool) -> None:
    """Keep the tree of the page, where it has one; go back to a kept one; save all as a file."""
    for notice in session.take_notices(_PLACE):
        page_frame.show_notice(notice.level, notice.text)
    if settings.view.frozen:
        st.markdown(session.frozen_text())
    else:
        if has_tree:
            _offer_to_keep()
        for number, tree in enumerate(settings.kept):
            _show_kept(settings, number, tree)
    _offer_file(settings)


def _offer_to_keep() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(message("Keep this tree as"), key=_NAME, max_chars=LONGEST_NAME)
        st.button(message("Keep"), key="project.keep", on_click=_keep)


def _keep() -> None:
    """Keep the pruned tree under the name written, or under its size."""
    settings = session.read()
    try:
        tree = pruned_tree.pruned(settings)
        scores = evaluation.both_scores(settings, tree)
        name = st.session_state[_NAME].strip() or _name_of(settings, tree)
        metric = "mse" if tree.is_regression else "accuracy"
        made = frozen(made_of(settings))
        new = KeptTree(name, tree.n_leaves, metric, tuple((score.rows, score.value) for score in scores), made)
        session.keep(changed(settings, kept=with_tree(settings.kept, new)))
    except ex.ExplorerError as error:
        session.notify("error", str(error), _PLACE)
        return
    st.session_state[_NAME] = ""


def _name_of(settings: Settings, tree: ex.Tree) -> str:
    size = message("{algorithm}, {leaves}", algorithm=trees.recipe(settings).name, leaves=leaves(tree.n_leaves))
    return size[:LONGEST_NAME]


def _show_kept(settings: Settings, number: int, tree: KeptTree) -> None:
    is_shown = frozen(made_of(settings)) == tree.settings
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            escape_markdown(tree.name),
            key=f"project.open.{number}",
            icon=":material/check:" if is_shown else ":material/account_tree:",
            disabled=is_shown,
            on_click=partial(_return_to, tree),
            help=message("Go back to this tree"),
        )
        st.caption(_about(tree), width="stretch")
        quiet_button(
            "", f"project.remove.{number}", "close", partial(_remove, tree.name), about=message("Remove this tree")
        )


def _about(tree: KeptTree) -> str:
    """Its size and its scores, as they were when it was kept."""
    scored = [
        message("{rows} {score}", rows=Score(rows, value, 0.0).name, score=score_text(value, tree.metric == "mse"))
        for rows, value in tree.scores
    ]
    return message("{leaves}; {scores}", leaves=leaves(tree.leaves), scores=listing(scored))


def _return_to(tree: KeptTree) -> None:
    settings = session.read()
    try:
        wanted = with_kept(settings, tree)
        trees.check_rows(wanted)
    except ex.ExplorerError as error:
        session.notify("error", message("{error} Nothing was changed.", error=error), _PLACE)
        return
    session.keep(wanted)
    fit_target()


def _remove(name: str) -> None:
    settings = session.read()
    session.keep(changed(settings, kept=without(settings.kept, name)))


def _offer_file(settings: Settings) -> None:
    own = session.upload() if settings.upload else None
    has_rows = False
    if own is not None:
        has_rows = st.checkbox(
            message("Put the rows into the project"),
            key="project.rows",
            disabled=not project_file.holds_rows(own),
            help=message("Whoever has the file can read the rows and pass them on."),
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        name = (own.name if own is not None else trees.source(settings).name).rpartition(".")[0]
        st.download_button(
            message("Save the project"),
            in_this_language(project_file.saving(settings, own, has_rows)),
            file_name=f"{name or 'tree'}{ENDING}",
            mime="application/json",
            key="project.save",
            on_click="ignore",
        )
        st.caption(_what_it_holds(own, has_rows), width="stretch")


def _what_it_holds(own: session.Upload | None, has_rows: bool) -> str:
    if own is None:
        return message("All settings and the kept trees. Drop it on the Data page to open it again.")
    if has_rows:
        return message("All settings, the kept trees and **all rows of your file**. Drop it on the Data page.")
    return message("All settings and the kept trees, without your rows: it asks for the file when it is opened.")
