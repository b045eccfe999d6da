"""The cross-validation of the pruning sequence that the reader has started."""

from __future__ import annotations

import explorer as ex
from pages.results import jobs, trees
from pages.settings.settings import Settings


def known_folds(settings: Settings) -> ex.CrossValidation | None:
    """The result of cross-validation, if it was started and has ended."""
    job = jobs.pool().look(jobs.session(), folds_key(settings))
    return job.result if job is not None and isinstance(job.result, ex.CrossValidation) else None


def folds_key(settings: Settings) -> str:
    """What the result depends on: rows, recipe, risk, score, folds."""
    recipe = trees.recipe(settings)
    rows = trees.rows_key(trees.parts(settings), recipe)
    how = f"{recipe!r} {settings.choices!r} {settings.risk} {trees.metric(settings)}"
    return f"folds {rows} {how} {settings.folds} {settings.fold_seed}"
