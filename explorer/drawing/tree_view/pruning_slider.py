"""The pruning sequence of a tree with its scores, for the slider over α."""

from __future__ import annotations

from explorer.data.dataset import Dataset
from explorer.data.division import way_of_folds
from explorer.drawing.tree_view.payload import Scores, sequence_payload, signature, tree_payload
from explorer.evaluation.cross_validation import CrossValidation
from explorer.evaluation.evaluation import score_by
from explorer.pruning.cost_complexity.path import Path
from explorer.pruning.node_score_terms import node_score_terms
from explorer.sources.source import Source
from explorer.tree.metrics import checked_metric


def to_slider(
    path: Path,
    train: Dataset | Source,
    valid: Dataset | Source | None = None,
    metric: str | None = None,
    folded: CrossValidation | None = None,
    left_out: CrossValidation | None = None,
) -> bytes:
    """A payload for `to_html(path.tree, …)`: every subtree with its score on the training set and on held-out rows.

    Held-out rows are `valid`, or each row once (`left_out`); `folded` adds cross-validation. The best tree is chosen by
    the first of `folded`, `left_out` and `valid` that is given. `metric` as in `Path.curve`.

    >>> from explorer import CART, Dataset, cost_complexity_path, grow, load_sample
    >>> train, valid = Dataset.from_frame(load_sample("iris").frame, "class").split(0.7)
    >>> slider = to_slider(cost_complexity_path(grow(train, CART)), train, valid)
    >>> b'"score_name":"accuracy","is_share":true' in slider
    True
    """
    scores = scores_along(path, train, valid, metric, folded, left_out)
    return sequence_payload(path, scores, signature(tree_payload(path.tree)))


def scores_along(
    path: Path,
    train: Dataset | Source,
    valid: Dataset | Source | None = None,
    metric: str | None = None,
    folded: CrossValidation | None = None,
    left_out: CrossValidation | None = None,
) -> Scores:
    """The scores that `to_slider` writes; raises InputError where rows or metric do not suit the tree."""
    metric = checked_metric(path.tree, metric)
    chosen_by, on_valid = folded or left_out, path.curve(valid, metric) if valid else None
    held_out = "validation" if valid else way_of_folds(train.division) if left_out else ""
    rows = valid if valid is not None and folded is None else train
    best = path.best(on_valid, metric) if chosen_by is None and on_valid is not None else None
    return Scores(
        train=path.curve(train, metric),
        baseline=score_by(path.tree, rows, metric).baseline,
        valid=left_out.mean if left_out and on_valid is None else on_valid,
        valid_se=left_out.standard_error if left_out and on_valid is None else None,
        how=held_out,
        mean=folded.mean if folded else None,
        se=folded.standard_error if folded else None,
        best=chosen_by.best if chosen_by else best,
        one_se=chosen_by.one_se if chosen_by else None,
        train_parts=node_score_terms(path.tree, train, metric),
        valid_parts=node_score_terms(path.tree, valid, metric) if valid else None,
        metric=metric,
    )
