"""Growing the ensemble of the settings, and scoring what it is compared with.

A reader who stops the growing of an ensemble keeps the members so far: they stand under the key of the whole ensemble,
apart from it, until another is asked for.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

import explorer as ex
from explorer.ensembles.left_out import cross_validated_score
from explorer.ensembles.members import Ensemble
from explorer.evaluation.cross_validation import cross_validate_path
from explorer.evaluation.folds import most_folds, one_left_out
from explorer.messages import message
from explorer.tree import metrics
from pages.results import jobs, trees
from pages.results.cache import kept, results
from pages.results.ensembles.options import call_of, costs_by_name, explicit, member_recipe
from pages.results.memory import sessions
from pages.settings import session
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.memo import remembered
from pages.settings.settings import Settings

MOST_AT_ONCE = 1_000_000
"""Cells (rows × features) times members up to which a page grows an ensemble while its reader waits."""
MANY_NODES = 5_000_000
"""Nodes of all members from which on the page warns."""
_FOLDS, _FEW = 10, 50
"""Folds in which the single tree is pruned and scored; each row is left out once where there are fewer rows."""


@dataclass(frozen=True)
class Compared:
    """A score of the ensemble's peers on some rows: the constant, the single tree, and the same tree pruned.

    `costs` are the expected costs of the tree and the pruned one, () without costs of misclassification.
    """

    constant: float
    tree: float
    pruned: float | None
    n_leaves: int
    n_leaves_pruned: int | None
    costs: tuple[float, ...] = ()


keep = partial(session.keep_part, "ensembles")
"""Change what was chosen on the page."""


def _how(asked: EnsembleSettings) -> str:
    """A text for how the ensemble is grown, without what is selected in it."""
    return repr(dataclasses.replace(asked, stage=None, member=None, node=0, row=None, losses=False, picture=""))


def key_of(settings: Settings) -> str:
    """A text for everything that the ensemble depends on."""
    return f"ensemble {trees.parts(settings).train.fingerprint} {_how(explicit(settings))}"


def is_small(settings: Settings) -> bool:
    """Whether growing takes no time worth mentioning."""
    train, asked = trees.parts(settings).train, explicit(settings)
    per_round = max(len(train.classes), 1) if asked.method == "gradient_boosting" else 1
    return train.n_rows * len(train.features) * (asked.members or 1) * per_round <= MOST_AT_ONCE


def is_there(settings: Settings) -> bool:
    """Whether the page can show the ensemble at once."""
    return is_small(settings) or _grown.is_kept(key_of(settings), settings) or partly(settings) is not None


def check(settings: Settings) -> None:
    """Raise InputError where no ensemble can be grown; of a large table only what shows before growing."""
    if is_small(settings):
        ensemble(settings)
    else:
        member_recipe(explicit(settings), trees.parts(settings).train.classes)


@remembered
def ensemble(settings: Settings) -> Ensemble:
    """The ensemble of the settings, or its members so far where the reader stopped it; raises InputError."""
    so_far = partly(settings)
    if so_far is not None and not _grown.is_kept(key_of(settings), settings):
        return so_far
    return _grown(key_of(settings), settings)


def partly(settings: Settings) -> Ensemble | None:
    """The members that there were when the reader stopped."""
    try:
        made = results().look(("ensemble so far", sessions.current(), key_of(settings)), sessions.current())
    except KeyError:
        return None
    assert isinstance(made, Ensemble)
    return made


def forget_part(settings: Settings) -> None:
    """Let the members so far go: the whole ensemble is wanted."""
    results().drop(("ensemble so far", sessions.current(), key_of(settings)))


def grow_kept(settings: Settings, progress: jobs.Progress) -> None:
    """Grow the ensemble in a job and score its peers; a stop in the middle keeps the members so far."""
    wanted = key_of(settings)
    made, stopped = _stoppable(settings, progress)
    if stopped:
        results().put(("ensemble so far", sessions.current(), wanted), made, {sessions.current() or ""})
        raise ex.Stopped("Stopped on request.")
    results().put(_grown._key(wanted, settings), made, set())
    compared(settings, row_set(settings, made))


def _stoppable(settings: Settings, progress: jobs.Progress) -> tuple[Ensemble, bool]:
    """The ensemble, and whether somebody stopped it."""
    was_stopped = []

    def report(done: int, total: int) -> None:
        try:
            progress(done, total)
        except ex.Stopped:
            was_stopped.append(done)
            raise

    made = _make(settings, report)
    return made, bool(was_stopped)


@kept(lambda: message("Growing the ensemble …"))
def _grown(key: str, _settings: Settings) -> Ensemble:
    return _make(_settings, jobs.reporting())


def grown_on(settings: Settings, train: ex.Dataset, progress: jobs.Progress | None = None) -> Ensemble:
    """The ensemble of these options on any rows."""
    asked = explicit(settings)
    function, arguments = call_of(asked, len(train.features), train.is_regression)
    first = () if asked.method == "newton_boosting" else (member_recipe(asked, train.classes),)
    made: Ensemble = getattr(ex, function)(train, *first, **arguments, progress=progress)
    return made


def _make(settings: Settings, progress: jobs.Progress | None) -> Ensemble:
    """Grow the ensemble, and again those members in which the reader forced a split."""
    made, asked = grown_on(settings, trees.parts(settings).train, progress), explicit(settings)
    for member, choices in asked.forced:
        if member < len(made.members):
            made = ex.regrown(made, member, choices, progress)
    return made


def row_set(settings: Settings, made: Ensemble) -> str:
    """The rows that scores are compared on: validation, else out-of-bag rows, else those of the training set."""
    if trees.parts(settings).valid is not None:
        return "validation"
    return "oob" if made.has_oob else "training"


def compared(settings: Settings, rows: str) -> Compared:
    """The peers on these rows; beside out-of-bag scores, and those of folds, stand cross-validated ones."""
    subsets, asked = trees.parts(settings), explicit(settings)
    recipe = ex.CART.replace(min_rows_leaf=asked.leaf, costs=costs_by_name(asked, subsets.train.classes))
    valid = subsets.valid.fingerprint if subsets.valid else ""
    return _compared(f"{subsets.train.fingerprint} {valid} {recipe!r}", rows, recipe, subsets)


@kept()
def _compared(key: str, rows: str, _recipe: ex.Recipe, _subsets: trees.Parts) -> Compared:
    train = _subsets.train
    tree, has_costs = ex.grow(train, _recipe), _recipe.costs is not None

    def paid(on: ex.Dataset, *trees: ex.Tree) -> tuple[float, ...]:
        return tuple(metrics.expected_cost(tree, on) for tree in trees if has_costs)

    if most_folds(train) < 2:
        scores = metrics.baseline(train, train), metrics.score(tree, train)
        return Compared(*scores, None, tree.n_leaves, None, paid(train, tree))
    folded = _folded(train, _recipe, "expected_cost" if has_costs else None)
    pruned = folded.path.tree.with_pruned(ex.pruned_at(folded.path, folded.best))
    sizes = (tree.n_leaves, pruned.n_leaves)
    if rows in ("oob", "folds"):
        at, by_score = [0, folded.best], _folded(train, _recipe, None) if has_costs else folded
        tree_score, pruned_score = by_score.mean[at].tolist()
        costs = tuple(folded.mean[at].tolist()) if has_costs else ()
        return Compared(metrics.baseline(train, train), tree_score, pruned_score, *sizes, costs)
    on = _scored_on(_subsets, rows)
    scores = metrics.score(tree, on), metrics.score(pruned, on)
    return Compared(metrics.baseline(train, on), *scores, *sizes, paid(on, tree, pruned))


def _scored_on(subsets: trees.Parts, rows: str) -> ex.Dataset:
    """The validation or training rows that scores are worked out on."""
    return subsets.valid if rows == "validation" and subsets.valid is not None else subsets.train


def left_out_score(settings: Settings, made: Ensemble) -> float | None:
    """The score of such an ensemble in folds, where no other rows are held out and it takes little time; else None."""
    train, asked = trees.parts(settings).train, explicit(settings)
    n_folds = train.n_rows if train.n_rows < _FEW else _FOLDS
    work = train.n_rows * len(train.features) * max(len(made.members), 1) * n_folds
    is_wanted = row_set(settings, made) == "training" and made.costs is None and not asked.forced
    if not is_wanted or most_folds(train) < 2 or work > MOST_AT_ONCE:
        return None
    return _left_out_score(f"{key_of(settings)} {len(made.members)}", settings)


@kept()
def _left_out_score(key: str, _settings: Settings) -> float | None:
    train = trees.parts(_settings).train
    try:
        return cross_validated_score(train, lambda rows: grown_on(_settings, rows), _folds_of(train))
    except ex.InputError:  # rows of a fold of which no ensemble can be grown
        return None


def _folds_of(train: ex.Dataset) -> int | NDArray[np.int64]:
    """Folds, each row left out once where there are few."""
    return min(_FOLDS, most_folds(train)) if train.n_rows >= _FEW else one_left_out(train)


def _folded(train: ex.Dataset, recipe: ex.Recipe, metric: str | None) -> ex.CrossValidation:
    """The single tree in folds."""
    asked = jobs.reporting()
    return cross_validate_path(
        train,
        recipe,
        _folds_of(train),
        metric=metric,
        progress=None if asked is None else lambda *_: asked(1, 1),
    )


def costs(settings: Settings, made: Ensemble, rows: str) -> list[float] | None:
    """The expected cost on these rows at every stage, at 0 of the cheapest constant prediction; None without costs."""
    return None if made.costs is None else scores_by_stage(settings, made, rows, "expected_cost")


def scores_by_stage(settings: Settings, made: Ensemble, rows: str, metric: str | None = None) -> list[float]:
    """A metric on these rows at every stage: by default accuracy, or the mean squared error."""
    subsets = trees.parts(settings)
    key = f"{key_of(settings)} {len(made.members)} {rows} {subsets.valid.fingerprint if subsets.valid else ''}"
    return _scores_by_stage(key, rows, metric, made, subsets)


@kept()
def _scores_by_stage(key: str, rows: str, metric: str | None, _made: Ensemble, _subsets: trees.Parts) -> list[float]:
    if rows == "oob":
        return [float(score) for score in _made.oob_scores(metric).scores]
    return [float(score) for score in _made.staged_scores(_scored_on(_subsets, rows), metric)]


def has_many_nodes(made: Ensemble) -> int:
    """How many nodes the members have in all, where that is so many that a warning is due; else 0."""
    nodes = sum(member.tree.n_nodes_grown for member in made.members)
    return nodes if nodes >= MANY_NODES else 0
