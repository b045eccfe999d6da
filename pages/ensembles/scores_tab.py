"""Scores: the curve over the stages, the peers on the same rows, and the margins."""

from __future__ import annotations

import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.ensembles import stage, summary
from pages.layout import summary_line
from pages.results import ensembles, trees
from pages.settings import session
from pages.settings.labels import Names
from pages.settings.settings import Settings
from pages.text import escape_markdown, number, numbers_in_markdown, score_text
from pages.widgets.ensembles import view

WHAT_THEY_DO = Names(
    lambda: {
        "forest": message("Each tree grows on rows drawn by chance and a few features at each node; all trees vote."),
        "bagging": message("Each tree grows on rows drawn by chance; all trees vote."),
        "extra_trees": message("Each tree grows by thresholds drawn by chance; all trees vote."),
        "gradient_boosting": message("Each tree is fitted to the errors of all trees before it; their answers add up."),
        "adaboost": message(
            "Each tree gives more weight to the rows that the one before got wrong; good trees count more."
        ),
        "c50": message("Each round gives more weight to the rows that the one before got wrong; all trees vote."),
        "newton_boosting": message(
            "Each tree is one Newton step on the loss of all trees before it; their answers add up."
        ),
    }
)
"""What each method does, for a reader who sees it for the first time."""


def show(settings: Settings, made: Ensemble) -> None:
    """The curve, then the table of peers, then the histogram of margins."""
    rows = ensembles.row_set(settings, made)
    left_out = ensembles.left_out_score(settings, made)
    about = _about_folds() if left_out is not None else _about(rows, summary.row_names()[rows])
    st.caption(f"{WHAT_THEY_DO[ensembles.explicit(settings).method]} {about}")
    if rows == "training" and left_out is None:
        st.button(message("Use 30 % of the rows for validation"), key="en.set_aside", on_click=_set_aside)
    view.part(stage.NAME, "scores", "en.scores")
    _peers(settings, made, rows, left_out)
    if not made.is_regression:
        view.part(stage.NAME, "margins", "en.margins")
        st.caption(
            message(
                "Margin of each training row: the probability that the ensemble gives its class, less the largest that "
                "it gives another. Rows left of 0 are misclassified."
            )
        )


def _set_aside() -> None:
    session.attempt(trees.check, split="two", share=70)


def _peers(settings: Settings, made: Ensemble, rows: str, left_out: float | None) -> None:
    """The ensemble beside the single tree, the pruned tree and the constant."""
    peers, own = ensembles.compared(settings, rows), ensembles.scores_by_stage(settings, made, rows)
    is_regression = made.is_regression
    shown, costs = ensembles.stage_of(settings, made), ensembles.costs(settings, made, rows)
    stages = {message("ensemble"): -1}
    if shown < made.n_stages:
        stages[message("at stage {n}", n=shown)] = shown
    lines = [(who, "", float(own[stage])) for who, stage in stages.items()]
    yours = ensembles.own_tree(settings, made, rows)
    if yours is not None:
        lines.append((_your_tree(settings, yours), f"{yours.n_leaves:,}", yours.score))
    lines.append((_single_tree(settings, yours is not None), f"{peers.n_leaves:,}", peers.tree))
    if peers.pruned is not None and peers.n_leaves_pruned is not None:
        lines.append((message("the same, pruned"), f"{peers.n_leaves_pruned:,}", peers.pruned))
    lines.append((message("baseline"), "", peers.constant))
    name = message("MSE") if is_regression else message("accuracy")
    if costs is None:
        head = ["", message("leaves"), name]
        cells = [[who, n_leaves, score_text(score, is_regression)] for who, n_leaves, score in lines]
    else:  # the leaves have no room beside them
        of_yours = [] if yours is None else [yours.cost]
        paid = [*(costs[stage] for stage in stages.values()), *of_yours, *peers.costs, costs[0]]
        head = ["", name, message("expected cost")]
        cells = [
            [who, score_text(score, is_regression), "–" if cost is None else number(cost)]
            for (who, _, score), cost in zip(lines, paid, strict=True)
        ]
    if left_out is not None:
        folded = ensembles.compared(settings, "folds")
        apart = ensembles.own_tree(settings, made, "folds")
        of_yours = [] if yours is None else [None if apart is None else apart.score]
        held_out = [left_out, *[None] * (len(stages) - 1), *of_yours, folded.tree, folded.pruned, folded.constant]
        texts = ["–" if score is None else score_text(score, is_regression) for score in held_out]
        head = ["", message("training"), message("cross-validated")]
        both = zip(lines, texts, strict=True)
        cells = [[who, score_text(score, is_regression), text] for (who, _, score), text in both]
    cells[0] = [cell and f"**{cell}**" for cell in cells[0]]
    st.markdown(numbers_in_markdown([head, *cells]))
    if costs is not None:
        st.caption(
            message("The cost decides here: all trees are grown and pruned for it, and ★ is the stage of least cost.")
        )


def _your_tree(settings: Settings, yours: ensembles.OwnTree) -> str:
    """The tree of the other pages, and how it was grown."""
    algorithm = escape_markdown(yours.file) or summary_line.algorithm_text(settings)
    page = message("Prune") if yours.is_pruned else message("Grow")
    return message("your tree :small[({page}: {algorithm})]", page=page, algorithm=algorithm)


def _single_tree(settings: Settings, has_own: bool) -> str:
    """What the single tree is, and that the one on Grow is another where that one has no line."""
    leaf = ensembles.explicit(settings).leaf or 1
    if has_own:
        return message("full CART tree :small[(min. samples per leaf {n:,})]", n=leaf)
    return message(
        "full CART tree :small[(min. samples per leaf {n:,}; Grow: {algorithm})]",
        n=leaf,
        algorithm=summary_line.algorithm_text(settings),
    )


def _about_folds() -> str:
    return message("Cross-validated: each row is predicted by an ensemble, or a tree, grown without it.")


def _about(rows: str, name: str) -> str:
    if rows == "oob":
        return message(
            "Out-of-bag accuracy: each row is predicted by the trees that did not draw it. Single trees are "
            "cross-validated on the same rows."
        )
    if rows == "training":
        return message("On the training rows: they favour whatever fits them most closely.")
    return message(
        "On the {rows} rows, which no tree was grown on. They chose ★, the best stage, so its score is optimistic.",
        rows=name,
    )
