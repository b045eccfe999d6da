"""The scores along a pruning path: on the rows that its tree was grown on, and on held-out rows."""

from __future__ import annotations

import explorer as ex
from explorer.data.division import way_of_folds
from explorer.evaluation import cross_validation
from explorer.evaluation.evaluation import score_by
from explorer.evaluation.folds import one_left_out
from pages.results.connected.opened import Rows
from pages.results.divided.division import SMALL_TABLE
from pages.results.of_tree.grown_on import grown_on
from pages.results.of_tree.records import Curves, Parts


def curves_of(path: ex.Path, subsets: Parts | Rows, risk: str, metric: str) -> Curves:
    """Scores of every entry of a path; without validation rows a small table is left out row by row."""
    train, tree = subsets.train, path.tree
    used = grown_on(train, tree.recipe)
    on_train = path.curve(used, metric)
    if subsets.valid is not None:
        scores, level = path.curve(subsets.valid, metric), score_by(tree, subsets.valid, metric).baseline
        return Curves(on_train, scores, "validation", level, path.best(scores, metric))
    if isinstance(train, ex.Dataset) and train.n_rows < SMALL_TABLE and metric != "auc":
        left_out = cross_validation.cross_validate_path(
            train, tree.recipe, one_left_out(train), risk=risk, metric=metric, choices=tree.choices
        )
        level = score_by(tree, train, metric).baseline
        return Curves(on_train, left_out.mean, way_of_folds(train.division), level, left_out.best, left_out)
    return Curves(on_train, None, "", score_by(tree, used, metric).baseline, None)
