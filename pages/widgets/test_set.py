"""The test set: used once, when the size of the tree is chosen, with a record of each use."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import score_by
from explorer.formatting import METRIC_NAMES
from explorer.messages import message, plural
from explorer.sources.source import Source
from pages.results import evaluation, trees
from pages.settings import session
from pages.settings.kept.test_set_log import NotedTestScore, SelectionScore
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import page_frame


def show(settings: Settings, tree: ex.Tree, words: str) -> None:
    """The test set and its uses so far; `words` name the pruned tree, such as "the tree of 8 leaves"."""
    subsets = trees.all_rows(settings)
    _show_uses(settings)
    if subsets.test is None:
        if settings.test_set_uses:
            st.caption(message("The rows have no test set any more."))
            return
        st.caption(
            message("There is no test set. Split one off on the Data page for an unbiased score of the chosen tree.")
        )
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(_state(subsets.test.n_rows, bool(settings.test_set_uses)))
        label = message("Use the test set again") if settings.test_set_uses else message("Use the test set")
        with st.popover(label, icon=":material/lock_open:", key=f"use_test.{len(settings.test_set_uses)}"):
            st.markdown(
                message(
                    "This scores {tree} on the test set. It cannot be undone: the use is recorded on this page.",
                    tree=escape_markdown(words),
                )
            )
            st.button(message("Score on the test set"), key="open_test", type="primary", on_click=_use, args=(tree,))


def _state(n_rows: int, is_used: bool) -> str:
    """Whether the test set was used."""
    if is_used:
        return plural(n_rows, "Test set ({n:,} row): used.", "Test set ({n:,} rows): used.")
    return plural(
        n_rows,
        "Test set ({n:,} row): not used yet. Use it once, after you have chosen the size of the tree.",
        "Test set ({n:,} rows): not used yet. Use it once, after you have chosen the size of the tree.",
    )


def _use(tree: ex.Tree) -> None:
    """Score the tree on the test set and log it for good, with the metric that scores pruned trees."""
    settings = session.read()
    parts = trees.all_rows(settings)
    if parts.test is None:
        return
    score = evaluation.scored("test", tree, parts.test, parts.train)
    selection = _selection_score(settings, tree, parts.test)
    note = NotedTestScore(settings.seed, tree.n_leaves, score.value, score.baseline, selection).note()
    if note not in settings.test_set_uses:
        session.keep(changed(settings, test_set_uses=(*settings.test_set_uses, note)))


def _selection_score(settings: Settings, tree: ex.Tree, test: ex.Dataset | Source) -> SelectionScore | None:
    """The metric that scores pruned trees, where it is another one; a notice where the test set does not allow it."""
    metric = trees.metric(settings)
    if metric in ("accuracy", "mse"):
        return None
    try:
        result = score_by(tree, test, metric)
    except ex.InputError as error:
        session.notify(
            "warning", message("The test set gives no {metric}. {error}", metric=METRIC_NAMES[metric], error=error)
        )
        return None
    return SelectionScore(metric, result.value, result.baseline)


def _show_uses(settings: Settings) -> None:
    """All uses so far, in order."""
    if not settings.test_set_uses:
        return
    is_regression = trees.data(settings).is_regression
    uses = [use for use in map(NotedTestScore.read, settings.test_set_uses) if use is not None]
    sentences = [use.text(is_regression) for use in uses]
    numbered = sentences if len(sentences) == 1 else [f"({i}) {sentence}" for i, sentence in enumerate(sentences, 1)]
    warning = message("Choices made after this have seen the test set.")
    page_frame.show_notice("warning", " ".join([*numbered, warning]))
