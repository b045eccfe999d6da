"""Why the pruned tree has its size: the facts for the two sentences on the Prune page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import explorer as ex
from explorer.evaluation.evaluation import score_by
from explorer.evaluation.folds import left_out_text
from explorer.formatting import METRIC_NAMES, leaves
from explorer.messages import message, paragraph
from explorer.pruning.cost_complexity.choose_size import SizeFacts, size_lines, why_this_size
from pages.results import cross_validation, evaluation, opened_tree, pruned_tree, trees
from pages.results.of_tree.grown_on import n_left_out
from pages.settings.settings import Settings
from pages.text import metric_text, number


@dataclass(frozen=True)
class _HeldOutScores:
    """A held-out score for every entry of the sequence, and how it came about."""

    scores: NDArray[np.float64]
    errors: NDArray[np.float64] | None
    best: int
    one_se: int | None
    how: str
    count: int
    baseline: float


def lines(settings: Settings, pruned: ex.Tree, folded: ex.CrossValidation | None) -> tuple[str, ...]:
    """What the scores are, and a line for each tree that matters; none where no rows were held out."""
    facts = _facts_of(settings, pruned, folded)
    return () if facts is None else size_lines(facts)


def sentences(settings: Settings, pruned: ex.Tree, folded: ex.CrossValidation | None) -> str:
    """Two sentences with numbers, ready to quote; what is missing where no rows were held out."""
    facts = _facts_of(settings, pruned, folded)
    if facts is not None:
        other = "" if facts.mine == "by_hand" else other_best(settings, folded)
        return paragraph([why_this_size(facts), other]) if other else why_this_size(facts)
    if _held_out_scores(settings, folded) is None:
        return message(
            "This is {tree}. No rows are held out to evaluate it. Use a validation set (Data page) or cross-validate "
            "to see which size predicts new rows best.",
            tree=tree_words(settings, pruned),
        )
    return message(
        "This is {tree}. Its score on held-out rows is unknown: a tree pruned by hand needs a validation set.",
        tree=tree_words(settings, pruned),
    )


def _facts_of(settings: Settings, pruned: ex.Tree, folded: ex.CrossValidation | None) -> SizeFacts | None:
    """The facts about the pruned tree; None where no held-out score of it is known."""
    is_by_hand = bool(pruned_tree.known_manual_steps(settings, pruned))
    held_out = _held_out_scores(settings, None if is_by_hand else folded)
    if held_out is None or not is_by_hand:
        return None if held_out is None else _facts(settings, held_out, None)
    valid = trees.all_rows(settings).valid
    if valid is None:
        return None
    return _facts(settings, held_out, (pruned.n_leaves, score_by(pruned, valid, trees.metric(settings)).value))


def other_best(settings: Settings, folded: ex.CrossValidation | None) -> str:
    """That the validation rows have another best size than cross-validation, which then decides; else empty."""
    curves, valid, path = trees.curves(settings), trees.all_rows(settings).valid, trees.path(settings)
    if folded is None or valid is None or curves.valid is None or curves.best in (None, folded.best):
        return ""
    metric = trees.metric(settings)
    best, marked = (metric_text(float(curves.valid[at]), metric) for at in (curves.best, folded.best))
    shown = {
        "rows": valid.n_rows,
        "leaves": leaves(int(path.n_leaves[curves.best])),
        "metric": METRIC_NAMES[metric],
        "score": best,
        "fewer": leaves(int(path.n_leaves[folded.best])),
    }
    if best == marked:
        return message(
            "On the {rows:,} validation rows a tree with {leaves} scores as well ({metric} {score}) as the tree "
            "marked ★, the best by cross-validation, with {fewer}.",
            **shown,
        )
    return message(
        "On the {rows:,} validation rows another size is best, {leaves} with {metric} {score}; the best by "
        "cross-validation, {fewer}, has {other} there and is marked ★.",
        other=marked,
        **shown,
    )


def which_score(settings: Settings, folded: ex.CrossValidation | None) -> str:
    """On which rows the curves are, and which of them the line above the tree has."""
    rows, name = trees.all_rows(settings), METRIC_NAMES[trees.metric(settings)]
    n_grown_on = rows.train.n_rows - n_left_out(trees.grown(settings).tree)
    shown = {"metric": name, "train": n_grown_on}
    division = trees.parts(settings).train.division
    if rows.valid is None and evaluation.leaves_one_out(settings) and division is not None:
        held = left_out_text(division)
    elif rows.valid is None and evaluation.leaves_one_out(settings):
        held = message(
            "Leave-one-out {metric}: each of the {train:,} rows is predicted by a tree grown on all others.", **shown
        )
    elif rows.valid is None:
        held = ""
    else:
        held = message(
            "Validation {metric}: on {valid:,} rows that the tree was not grown on.",
            metric=name,
            valid=rows.valid.n_rows,
        )
        held = f"{held} {evaluation.repeated_text(settings)}".rstrip()
    if folded is not None:
        above = message("The line above the tree has it.") if held else ""
        by_folds = message(
            "Cross-validated {metric}, by which ★ and ◇ go: the mean of {folds} folds of {rows:,} training rows, each "
            "predicted by a tree grown on other rows.",
            metric=name,
            folds=folded.n_folds,
            rows=int(np.count_nonzero(folded.fold_of_row >= 0)),
        )
        held = " ".join(filter(None, [held, above, by_folds]))
    trained = message("Training {metric}: on the {train:,} rows it was grown on, so the full tree looks best.", **shown)
    return f"{held} {trained}".strip()


def worth_of_validation(settings: Settings, folded: ex.CrossValidation | None) -> str:
    """What a score of the pruned tree on the validation rows is worth, by what they were used for."""
    if trees.recipe(settings).prepruning:
        return message(
            "Validation rows decided on the splits of this tree, so this score is optimistic; use a test set for an "
            "unbiased one."
        )
    path = trees.path(settings)
    if pruned_tree.known_manual_steps(settings, path.tree):
        return message(
            "Validation rows were not used to grow the tree. It was pruned by hand: if their scores guided that, this "
            "score is optimistic; use a test set for an unbiased one."
        )
    position = pruned_tree.position(settings, path)
    if position == 0:
        return message("Validation rows were used neither to grow the tree nor to choose its size: it is unpruned.")
    if folded is not None and position in (folded.best, folded.one_se):
        return message(
            "Cross-validation of the training rows chose this size. Validation rows were used neither for that nor to "
            "grow the tree, so this score is not optimistic."
        )
    if position == trees.curves(settings).best:
        return message(
            "Validation rows were not used to grow the tree, but this size is the best on them: if they chose it, this "
            "score is optimistic. Use a test set for an unbiased one."
        )
    return message(
        "Validation rows were not used to grow the tree. If they chose its size, this score is optimistic; use a "
        "test set for an unbiased one."
    )


def tree_words(settings: Settings, pruned: ex.Tree) -> str:
    """The pruned tree as a sentence names it."""
    opened = opened_tree.now()
    if opened is not None:
        return message("{name}, a tree of {leaves}", name=opened.name, leaves=leaves(pruned.n_leaves))
    path = trees.path(settings)
    if pruned_tree.known_manual_steps(settings, pruned):
        return message("the tree of {leaves}, pruned by hand", leaves=leaves(pruned.n_leaves))
    position = pruned_tree.position(settings, path)
    if position == 0:
        return message("the unpruned tree of {leaves}", leaves=leaves(pruned.n_leaves))
    alpha = number(float(path.alphas[position]))
    return message("the tree of {leaves} at α = {alpha}", leaves=leaves(pruned.n_leaves), alpha=alpha)


def _held_out_scores(settings: Settings, folded: ex.CrossValidation | None) -> _HeldOutScores | None:
    """The scores of the sequence by cross-validation where it was run, else on validation rows; else None."""
    curves, subsets = trees.curves(settings), trees.all_rows(settings)
    if folded is not None:
        level = score_by(trees.grown(settings).tree, subsets.train, trees.metric(settings)).baseline
        return _HeldOutScores(
            folded.mean,
            folded.standard_error,
            folded.best,
            folded.one_se,
            cross_validation.way(settings, folded),
            folded.n_folds,
            level,
        )
    if curves.valid is None or curves.best is None:
        return None
    count = (subsets.valid or subsets.train).n_rows if curves.left_out is None else curves.left_out.n_folds
    return _HeldOutScores(curves.valid, curves.se, curves.best, curves.one_se, curves.how, count, curves.baseline)


def _facts(settings: Settings, held_out: _HeldOutScores, by_hand: tuple[int, float] | None) -> SizeFacts:
    """The facts of the subtree at the settings' α, or of the hand-pruned tree given as (leaves, score)."""
    path = trees.path(settings)
    now = pruned_tree.position(settings, path)
    size, score = by_hand or (int(path.n_leaves[now]), float(held_out.scores[now]))
    one_se = held_out.one_se
    return SizeFacts(
        leaves=size,
        score=score,
        metric=trees.metric(settings),
        how=held_out.how,
        count=held_out.count,
        baseline=held_out.baseline,
        best_leaves=int(path.n_leaves[held_out.best]),
        best_score=float(held_out.scores[held_out.best]),
        full_leaves=int(path.n_leaves[0]),
        full_score=float(held_out.scores[0]),
        mine="by_hand" if by_hand else _selection(now, held_out),
        alpha_from=float(path.alphas[now]),
        alpha_to=float(path.alphas[now + 1]) if now + 1 < len(path) else np.inf,
        one_se_leaves=None if one_se is None else int(path.n_leaves[one_se]),
        one_se_score=None if one_se is None else float(held_out.scores[one_se]),
        standard_error=None if held_out.errors is None else float(held_out.errors[held_out.best]),
    )


def _selection(now: int, held_out: _HeldOutScores) -> str:
    if now == held_out.best:
        return "best"
    return "one_se" if now == held_out.one_se else "neither"
