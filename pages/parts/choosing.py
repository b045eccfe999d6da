"""Choosing the size of the tree: cross-validation, the sealed test part, and the reasons in words."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer import evaluate, resample
from explorer.names import METRIC_NAMES
from explorer.scores import score_by
from pages.parts import cached, controls, jobs, on_demand, page, state
from pages.parts.openings import JudgedBy, Opening
from pages.parts.state import Settings
from pages.parts.words import escape_markdown

_FOLDS_HELP = "The rows are dealt into so many parts; each part judges a tree grown on all the others."
_WARNING = "Whatever is chosen from now on has seen it."


def cross_validation(settings: Settings) -> resample.CrossValidation | None:
    """Controls and progress of cross-validating the sequence; gives the result once there is one."""
    key, pool, session = _key(settings), jobs.pool(), jobs.session()
    job = pool.look(session, key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.folds(settings, _FOLDS_HELP)
        is_asked = job is not None and (job.is_active or job.state == "done")
        st.button("Cross-validate", icon=":material/cached:", key="cross_validate", on_click=_ask, disabled=is_asked)
    found = on_demand.outcome(job, key, ("Fold", settings.folds))
    return found if isinstance(found, resample.CrossValidation) else None


def known_folds(settings: Settings) -> resample.CrossValidation | None:
    """The result of cross-validation, if it was asked for and has ended."""
    job = jobs.pool().look(jobs.session(), _key(settings))
    return job.result if job is not None and isinstance(job.result, resample.CrossValidation) else None


def _key(settings: Settings) -> str:
    """What the result depends on: rows, recipe, risk, score, folds."""
    recipe = cached.recipe(settings)
    rows = cached.rows_key(cached.parts(settings), recipe)
    how = f"{recipe!r} {settings.choices!r} {settings.risk} {cached.metric(settings)}"
    return f"folds {rows} {how} {settings.folds} {settings.fold_seed}"


def _ask() -> None:
    """Give the work to the pool, under the settings of the moment of the click."""
    settings = state.read()
    found, recipe, metric = cached.parts(settings), cached.recipe(settings), cached.metric(settings)

    def work(report: jobs.Progress) -> object:
        return resample.cross_validate_path(
            found.train,
            recipe,
            folds=settings.folds,
            seed=settings.fold_seed,
            risk=settings.risk,
            metric=metric,
            progress=report,
            choices=settings.choices,
            validation=found.valid if recipe.prepruning else None,
        )

    jobs.pool().submit(jobs.session(), _key(settings), work)


def sealed_test(settings: Settings, tree: ex.Tree, words: str) -> None:
    """The sealed test part, and what is known of it; `words` name the tree in hand, such as "the tree of 8 leaves"."""
    found = cached.parts(settings)
    _show_openings(settings)
    if found.test is None:
        st.caption(
            "There is no test part. To judge the chosen tree on rows that had no say in choosing it, pick "
            "“With a test part” under “Rows for growing” on the Data page."
        )
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        rows = "1 row" if found.test.n_rows == 1 else f"{found.test.n_rows:,} rows"
        if settings.opened:
            st.markdown(f"The test part ({rows}) is no longer sealed.")
        else:
            st.markdown(f"The test part ({rows}) is sealed. Open it once, after you have chosen the size.")
        label = "Open the test part again" if settings.opened else "Open the test part"
        with st.popover(label, icon=":material/lock_open:", key=f"seal.{len(settings.opened)}"):
            told = escape_markdown(words)
            st.markdown(f"This scores {told} on the test rows. It cannot be undone: a note of it stays on this page.")
            st.button("Open it now", key="open_test", type="primary", on_click=_open, args=(tree,))


def _open(tree: ex.Tree) -> None:
    """Score the tree on the test rows and note it for good, with the score that pruned trees are judged by."""
    settings = state.read()
    parts = cached.parts(settings)
    if parts.test is None:
        return
    score, baseline = evaluate.score(tree, parts.test), evaluate.baseline(parts.train, parts.test)
    note = Opening(settings.seed, tree.n_leaves, score, baseline, _judged_by(settings, tree, parts.test)).note()
    if note not in settings.opened:
        state.keep(state.changed(settings, opened=(*settings.opened, note)))


def _judged_by(settings: Settings, tree: ex.Tree, test: ex.Dataset) -> JudgedBy | None:
    """The score that trees are judged by, where it is another one; test rows that do not allow it are told of."""
    metric = cached.metric(settings)
    if metric in ("accuracy", "mse"):
        return None
    try:
        found = score_by(tree, test, metric)
    except ex.InputError as error:
        state.notify("warning", f"The test part tells no {METRIC_NAMES[metric]}. {error}")
        return None
    return JudgedBy(metric, found.value, found.baseline)


def _show_openings(settings: Settings) -> None:
    """All openings so far, in order."""
    if not settings.opened:
        return
    is_regression = cached.data(settings).is_regression
    found = [opening for opening in map(Opening.read, settings.opened) if opening is not None]
    sentences = [opening.text(is_regression) for opening in found]
    listed = sentences if len(sentences) == 1 else [f"({i}) {sentence}" for i, sentence in enumerate(sentences, 1)]
    page.show_notice("warning", " ".join([*listed, _WARNING]))


def why(text: str) -> None:
    """Why the tree has this size: sentences to copy."""
    st.markdown("**Why this size?**")
    st.code(text, language=None, wrap_lines=True)
