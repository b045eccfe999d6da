"""The cross-validation of the pruning sequence that the reader has started."""

from __future__ import annotations

from collections.abc import Callable

import explorer as ex
from explorer.data.division import way_of_folds
from explorer.evaluation.cross_validation import cross_validate_path
from explorer.evaluation.folds import most_folds
from pages.results import jobs, trees
from pages.settings.settings import Settings, choices_of


def known_folds(settings: Settings) -> ex.CrossValidation | None:
    """The result of cross-validation, if it was started and has ended."""
    job = jobs.pool().look(jobs.session(), folds_key(settings))
    return job.result if job is not None and isinstance(job.result, ex.CrossValidation) else None


def way(settings: Settings, folded: ex.CrossValidation) -> str:
    """What its folds are called."""
    return way_of_folds(trees.parts(settings).train.division, folded.n_folds)


def n_folds(settings: Settings) -> int:
    """The number of folds in force: the one chosen, as far as the training set has so many rows, groups or times."""
    return max(2, min(settings.folds, most_folds(trees.parts(settings).train)))


def folding(settings: Settings, slot: str = "grow") -> Callable[[jobs.Progress | None], ex.CrossValidation]:
    """The cross-validation of a slot's sequence under these settings, as work that tells its progress."""
    subsets, recipe, metric = trees.parts(settings), trees.recipe(settings, slot), trees.metric(settings, slot)
    folds, choices = n_folds(settings), choices_of(settings, slot)

    def work(report: jobs.Progress | None) -> ex.CrossValidation:
        return cross_validate_path(
            subsets.train,
            recipe,
            folds=folds,
            seed=settings.fold_seed,
            risk=settings.risk,
            metric=metric,
            progress=report,
            choices=choices,
            validation=subsets.valid if recipe.prepruning else None,
        )

    return work


def folds_key(settings: Settings) -> str:
    """What the result depends on: rows, recipe, risk, score, folds."""
    recipe = trees.recipe(settings)
    rows = trees.rows_key(trees.parts(settings), recipe)
    how = f"{recipe!r} {settings.choices!r} {settings.risk} {trees.metric(settings)}"
    return f"folds {rows} {how} {n_folds(settings)} {settings.fold_seed}"
