"""The reader's own tree beside an ensemble: the one of the Prune page, scored as its summary line scores it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.tree import metrics
from pages.results import evaluation, opened_tree, pruned_tree, trees
from pages.settings.settings import Settings


@dataclass(frozen=True)
class OwnTree:
    """The pruned tree and its score on some rows, or without them; the expected cost is None where it is not known.

    `file` is the name of the file that it is open from, "" for one grown here.
    """

    score: float
    n_leaves: int
    is_pruned: bool
    cost: float | None = None
    file: str = ""


def own_tree(settings: Settings, made: Ensemble, rows: str) -> OwnTree | None:
    """The reader's tree on the rows that the ensemble is scored on ("validation", "oob", "training" or "folds").

    None where it is not grown yet, cannot be, or has no score on these rows. Only a small tree is grown for this.
    """
    try:
        if settings.connected or not trees.has_grown(settings) or not trees.has_curves(settings):
            return None
        opened = opened_tree.now()
        grown = pruned_tree.pruned(settings) if opened is None else opened_tree.tree(settings, opened)
        tree = pruned_tree.predicting(settings, grown) if opened is None else grown
        score = _score(settings, tree, rows)
    except ex.ExplorerError:  # which Grow reports
        return None
    if score is None:
        return None
    whole = trees.grown(settings).tree if opened is None else opened.tree
    file = "" if opened is None else opened.name
    return OwnTree(score, tree.n_leaves, tree.n_leaves < whole.n_leaves, _cost(settings, made, tree, rows), file)


def _score(settings: Settings, tree: ex.Tree, rows: str) -> float | None:
    if rows == "training":
        return evaluation.both_scores(settings, tree)[0].value
    held_out = evaluation.held_out_score(settings, tree)
    if (held_out.rows == "validation") != (rows == "validation") or held_out.rows == "training":
        return None
    return held_out.value


def _cost(settings: Settings, made: Ensemble, tree: ex.Tree, rows: str) -> float | None:
    """What its predictions cost under the costs of the ensemble; of predictions without each row nothing is known."""
    subsets = trees.parts(settings)
    data = {"validation": subsets.valid, "training": subsets.train}.get(rows)
    if made.costs is None or data is None:
        return None
    true, weights = metrics.targets_of(tree, data)
    return float(np.average(made.costs[true.astype(np.intp), tree.predict_encoded(data)], weights=weights))
