"""The rows that the tree is evaluated on, what a score on them is worth, and the scores."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import RowPredictions
from explorer.evaluation.out_of_fold import OutOfFold, out_of_fold
from pages.results import evaluation, jobs, pruned_tree, trees
from pages.settings.settings import Settings
from pages.widgets import job_button
from pages.widgets.controls import feed

Found = tuple[ex.Evaluation, RowPredictions]

_REMARKS = {
    "valid": "These rows had no say in growing the tree.",
    "chosen": "These rows had no say in growing the tree, but if they chose its size, they flatter it: only a sealed "
    "test part has had no say at all.",
    "train": "The tree has seen these rows, so this is how well it has learnt them, not how well it will do.",
    "held_out": "Every row is answered by a tree grown without it and pruned in the same way.",
    "by_hand": "Every row is answered by a tree grown without it and pruned at the same α. What was pruned by hand is "
    "not in these trees: it was decided by looking at one of them.",
}
DECIDED = (
    "What was decided by hand on the Grow page holds in each of these trees that has the same tests above. It was "
    "decided with all rows in view, which flatters it."
)


def choose_rows(settings: Settings) -> None:
    """The rows in force, and what a score on them is worth."""
    names, which = evaluation.choices(settings), evaluation.chosen(settings)
    st.segmented_control(
        "Judged on",
        list(names),
        key=feed("judged.rows", which),
        format_func=lambda name: names[name],
        required=True,
        on_change=lambda: evaluation.keep_changes(rows=st.session_state["judged.rows"], cell=None, row=None),
        help="A tree is to be judged by rows that it has not seen.",
    )
    remark = _REMARKS[_remark(settings, which)]
    st.caption(f"{remark} {DECIDED}" if which == "held_out" and settings.choices else remark)


def _remark(settings: Settings, which: str) -> str:
    by_hand = bool(pruned_tree.known_manual_steps(settings, trees.grown(settings).tree))
    if which == "valid" and (by_hand or settings.alpha is not None):
        return "chosen"
    return "by_hand" if which == "held_out" and by_hand else which


def evaluated(settings: Settings) -> Found | None:
    """Scores and predictions on the rows in force; None until held-out folds are there."""
    if evaluation.chosen(settings) != "held_out":
        return evaluation.evaluation(settings)
    if evaluation.leaves_one_out(settings):
        return _both(evaluation.left_out_one_by_one(settings))
    key = evaluation.left_out_key(settings)
    steps = "Fold", settings.folds
    result = job_button.on_folds("held_out", "Answer held-out rows", steps, key, _work(settings), settings)
    return _both(result) if isinstance(result, OutOfFold) else None


def _both(result: OutOfFold) -> Found:
    return result.evaluation, result.predictions


def _work(settings: Settings) -> jobs.Work:
    """Predicting every row by its fold's tree."""
    parts, recipe = trees.parts(settings), trees.recipe(settings)
    position = pruned_tree.position(settings, trees.path(settings))

    def work(progress: jobs.Progress) -> object:
        return out_of_fold(
            parts.train,
            recipe,
            position,
            settings.folds,
            settings.fold_seed,
            settings.risk,
            progress=progress,
            choices=settings.choices,
        )

    return work
