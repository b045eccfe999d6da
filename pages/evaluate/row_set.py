"""The rows that the tree is evaluated on, what a score on them is worth, and the scores."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import RowPredictions
from explorer.evaluation.out_of_fold import OutOfFold, out_of_fold
from explorer.messages import message, paragraph
from pages.results import cross_validation, evaluation, jobs, opened_tree, pruned_tree, tree_size, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls, job_button
from pages.widgets.controls import feed

Evaluated = tuple[ex.Evaluation, RowPredictions]


def choose_rows(settings: Settings, tree: ex.Tree) -> None:
    """Which tree is evaluated, and on which rows."""
    names = evaluation.choices(settings)
    st.radio(
        message("Evaluated on"),
        list(names),
        key=feed("evaluated.rows", evaluation.chosen(settings)),
        format_func=lambda name: names[name],
        on_change=lambda: evaluation.keep_changes(
            rows=st.session_state["evaluated.rows"], cell=None, row=None, threshold=0
        ),
        help=message("A score on rows that the tree was grown on is too good."),
    )
    if opened_tree.now() is None:
        controls.smoothing(settings, tree)
    st.caption(message("Evaluated: {tree}.", tree=escape_markdown(tree_size.tree_words(settings, tree))))
    st.page_link("pages/prune/page.py", label=message("Choose its size"), icon=":material/content_cut:")


def remark(settings: Settings) -> str:
    """What a score on the rows in force is worth."""
    which = evaluation.chosen(settings)
    opened = opened_tree.now()
    if opened is not None and not opened_tree.has_its_split(settings, opened.tree):
        return opened_tree.worth_of_score(settings, opened)
    if which == "valid":
        worth = tree_size.worth_of_validation(settings, cross_validation.known_folds(settings))
        return paragraph(filter(None, (worth, evaluation.repeated_text(settings))))
    if which == "train":
        return message("The tree was grown on these rows: this score shows its fit, not how well it predicts new rows.")
    parts = [_held_out_text(settings)]
    if trees.parts(settings).valid is not None:
        parts.insert(0, message("Training rows only; the validation rows take no part."))
    if pruned_tree.known_manual_steps(settings, trees.grown(settings).tree):
        parts.append(message("Nodes pruned by hand are not pruned in these trees: they were chosen in this tree."))
    if settings.choices:
        parts.append(decided_by_hand())
    return paragraph(parts)


def _held_out_text(settings: Settings) -> str:
    kind = trees.division(settings).kind
    if kind == "groups":
        return message("Each row is predicted by a tree grown without any row of its group and pruned at the same α.")
    if kind == "time":
        return message(
            "Each row is predicted by a tree grown on earlier rows and pruned at the same α. The first rows are not "
            "predicted."
        )
    return message("Each row is predicted by a tree grown without it and pruned at the same α.")


def decided_by_hand() -> str:
    """What trees of folds take from the choices made on the Grow page."""
    return message(
        "Splits chosen by hand on the Grow page are used in each of these trees that has the same splits above them. "
        "They were chosen with all rows in view, so the score is optimistic."
    )


def known(settings: Settings) -> Evaluated | None:
    """Scores and predictions on the rows in force as far as they are known; draws nothing."""
    if evaluation.chosen(settings) != "held_out":
        return evaluation.evaluation(settings)
    result = _held_out(settings)
    return None if result is None else _both(result)


def _held_out(settings: Settings) -> OutOfFold | None:
    """The rows in force predicted by the trees of their folds, as far as they are known."""
    if evaluation.leaves_one_out(settings):
        return evaluation.left_out_one_by_one(settings)
    return evaluation.of_folds(settings)


def predicted(settings: Settings) -> ex.Dataset:
    """The rows in force that have predictions: of held-out ones by time, the first have none."""
    rows = evaluation.rows(settings)
    result = _held_out(settings) if evaluation.chosen(settings) == "held_out" else None
    return rows if result is None else rows.take(result.rows)


def evaluated(settings: Settings) -> Evaluated | None:
    """The same, with a button that predicts held-out folds; None until they are there."""
    if evaluation.chosen(settings) != "held_out" or evaluation.leaves_one_out(settings):
        return known(settings)
    key, steps = evaluation.left_out_key(settings), (message("Fold"), cross_validation.n_folds(settings))
    label = message("Predict held-out rows")
    result = job_button.on_folds("held_out", label, steps, key, _work(settings), settings)
    if not isinstance(result, OutOfFold):
        return None
    if st.session_state.get(_SUMMED_UP) != key:  # the line above the tree has the score too
        st.session_state[_SUMMED_UP] = key
        st.rerun(scope="app")
    return _both(result)


_SUMMED_UP = "evaluate.summed_up"
"""The folds whose score the line above the tree has."""


def of_one_tree(settings: Settings) -> Evaluated | None:
    """The same where one tree predicts all the rows in force; if not, the page says what to do."""
    if evaluation.chosen(settings) != "held_out":
        return evaluation.evaluation(settings)
    if trees.parts(settings).valid is None:
        st.markdown(
            message(
                "Held-out rows are predicted by many trees, but these curves and leaves are those of one tree. Choose "
                "“Training rows” in the rail, or split off validation rows on the Data page."
            )
        )
    else:
        st.markdown(
            message(
                "Held-out rows are predicted by many trees, but these curves and leaves are those of one tree. Choose "
                "other rows in the rail."
            )
        )
    return None


def _both(result: OutOfFold) -> Evaluated:
    return result.evaluation, result.predictions


def _work(settings: Settings) -> jobs.Work:
    """Predicting every row by its fold's tree."""
    parts, recipe = trees.parts(settings), trees.recipe(settings)
    position = pruned_tree.position(settings, trees.path(settings))
    predicting = pruned_tree.predicting(settings, trees.grown(settings).tree)
    folds = cross_validation.n_folds(settings)

    def work(progress: jobs.Progress) -> object:
        return out_of_fold(
            parts.train,
            recipe,
            position,
            folds,
            settings.fold_seed,
            settings.risk,
            progress=progress,
            choices=settings.choices,
            smoothing=predicting.smoothing,
            decision=predicting.decision,
        )

    return work
