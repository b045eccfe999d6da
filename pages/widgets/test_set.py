"""The test set: used once, when the size of the tree is chosen, with a record of each use."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import score_by
from explorer.formatting import METRIC_NAMES
from explorer.tree import metrics
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.settings.test_set_log import NotedTestScore, SelectionScore
from pages.text import escape_markdown
from pages.widgets import page_frame

_WARNING = "Whatever is chosen from now on has seen it."


def show(settings: Settings, tree: ex.Tree, words: str) -> None:
    """The test set and its uses so far; `words` name the pruned tree, such as "the tree of 8 leaves"."""
    subsets = trees.parts(settings)
    _show_uses(settings)
    if subsets.test is None:
        st.caption(
            "There is no test part. To judge the chosen tree on rows that had no say in choosing it, pick "
            "“With a test part” under “Rows for growing” on the Data page."
        )
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        rows = "1 row" if subsets.test.n_rows == 1 else f"{subsets.test.n_rows:,} rows"
        if settings.test_set_uses:
            st.markdown(f"The test part ({rows}) is no longer sealed.")
        else:
            st.markdown(f"The test part ({rows}) is sealed. Open it once, after you have chosen the size.")
        label = "Open the test part again" if settings.test_set_uses else "Open the test part"
        with st.popover(label, icon=":material/lock_open:", key=f"seal.{len(settings.test_set_uses)}"):
            tree_text = escape_markdown(words)
            st.markdown(
                f"This scores {tree_text} on the test rows. It cannot be undone: a note of it stays on this page."
            )
            st.button("Open it now", key="open_test", type="primary", on_click=_use, args=(tree,))


def _use(tree: ex.Tree) -> None:
    """Score the tree on the test set and log it for good, with the metric that scores pruned trees."""
    settings = session.read()
    parts = trees.parts(settings)
    if parts.test is None:
        return
    score, baseline = metrics.score(tree, parts.test), metrics.baseline(parts.train, parts.test)
    note = NotedTestScore(
        settings.seed, tree.n_leaves, score, baseline, _selection_score(settings, tree, parts.test)
    ).note()
    if note not in settings.test_set_uses:
        session.keep(changed(settings, test_set_uses=(*settings.test_set_uses, note)))


def _selection_score(settings: Settings, tree: ex.Tree, test: ex.Dataset) -> SelectionScore | None:
    """The metric that scores pruned trees, where it is another one; a notice where the test set does not allow it."""
    metric = trees.metric(settings)
    if metric in ("accuracy", "mse"):
        return None
    try:
        result = score_by(tree, test, metric)
    except ex.InputError as error:
        session.notify("warning", f"The test part tells no {METRIC_NAMES[metric]}. {error}")
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
    page_frame.show_notice("warning", " ".join([*numbered, _WARNING]))
