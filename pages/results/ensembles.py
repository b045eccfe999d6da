"""The ensemble of the settings, and what it is compared with: calls of the package, cached.

A reader who stops the growing of an ensemble keeps the members so far: they stand under the key of the whole ensemble,
apart from it, until another is asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.evaluation.cross_validation import cross_validate_path
from explorer.messages import message
from explorer.tree import metrics
from pages.results import jobs, trees
from pages.results.cache import kept, results
from pages.results.memory import sessions
from pages.settings import session
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.memo import remembered
from pages.settings.settings import Settings, changed

MOST_AT_ONCE = 400_000
"""Cells (rows × features) times members up to which a page grows an ensemble while its reader waits."""
MANY_NODES = 5_000_000
"""Nodes of all members from which on the page warns."""
_FOLDS = 10
"""Folds in which the single tree is pruned and scored; each row is left out once where there are fewer rows."""
_VOTING = ("forest", "bagging", "extra_trees")
_DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "forest": {"members": 100, "depth": 0, "leaf": 1, "draws": "sqrt"},
    "bagging": {"members": 100, "depth": 0, "leaf": 1, "draws": "all"},
    "extra_trees": {"members": 100, "depth": 0, "leaf": 1, "draws": "sqrt"},
    "gradient_boosting": {"members": 100, "depth": 3, "leaf": 1, "draws": "all", "rate": 0.1},
    "adaboost": {"members": 50, "depth": 1, "leaf": 1, "draws": "all", "rate": 1.0, "criterion": "gini"},
    "c50": {"members": 10, "depth": 0, "leaf": 2, "draws": "all", "criterion": "entropy"},
    "newton_boosting": {"members": 100, "depth": 6, "leaf": 1, "draws": "all", "rate": 0.3},
}
"""What a method takes where the reader leaves it open."""


@dataclass(frozen=True)
class Compared:
    """A score of the ensemble's peers on some rows: the constant, the single tree, and the same tree pruned."""

    constant: float
    tree: float
    pruned: float | None
    n_leaves: int
    n_leaves_pruned: int | None


def keep(**changes: object) -> None:
    """Change what was chosen on the page."""
    settings = session.read()
    ensembles: EnsembleSettings = dataclasses.replace(settings.ensembles, **changes)  # type: ignore[arg-type]
    session.keep(changed(settings, ensembles=ensembles))


def keep_method(**changes: object) -> None:
    """Change how the ensemble is grown: what was selected in the one before is cleared."""
    keep(**{**dataclasses.asdict(_unselected(session.read())), **changes})


def _unselected(settings: Settings) -> EnsembleSettings:
    return settings.ensembles.with_other_ensemble()


def methods(is_regression: bool) -> tuple[str, ...]:
    """The methods that suit the target."""
    of_classes = () if is_regression else ("adaboost", "c50")
    return (*_VOTING, "gradient_boosting", *of_classes, "newton_boosting")


def losses(train: ex.Dataset) -> tuple[str, ...]:
    """The losses of gradient boosting that suit the target."""
    if train.is_regression:
        return ("squared_error", "absolute_error", "huber", "quantile")
    return ("log_loss", "exponential") if len(train.classes) == 2 else ("log_loss",)


def _is_one_line(train: ex.Dataset) -> bool:
    """A small table with one numeric feature: a few stumps, drawn as a staircase, show everything."""
    return train.n_rows < trees.SMALL_TABLE and [feature.kind for feature in train.features] == ["numeric"]


def first_method(train: ex.Dataset) -> str:
    """What a table begins with."""
    if train.is_regression:
        return "gradient_boosting"
    return "adaboost" if _is_one_line(train) else "forest"


def explicit(settings: Settings) -> EnsembleSettings:
    """The choices with nothing left open."""
    return explicit_for(settings.ensembles, trees.parts(settings).train)


def explicit_for(chosen: EnsembleSettings, train: ex.Dataset) -> EnsembleSettings:
    """The same for a training set; what does not suit its target goes back to the default."""
    method = chosen.method if chosen.method in methods(train.is_regression) else first_method(train)
    defaults = {**_DEFAULTS[method], **(_few_rounds(method) if _is_one_line(train) else {})}
    if method in _VOTING[::2] and train.is_regression:
        defaults["draws"] = "all" if method == "extra_trees" else "third"
    defaults["loss"] = losses(train)[0]
    blank = (None, "")
    filled = {name: value for name, value in defaults.items() if getattr(chosen, name) in blank}
    loss = chosen.loss if chosen.loss in losses(train) else losses(train)[0]
    return dataclasses.replace(chosen, **{**filled, "method": method, "loss": loss})  # type: ignore[arg-type]


def _few_rounds(method: str) -> dict[str, object]:
    """A first picture that can be followed round by round, as the textbooks have it."""
    if method == "gradient_boosting":
        return {"members": 6, "depth": 1, "rate": 1.0}
    if method == "newton_boosting":
        return {"members": 6, "depth": 1}
    return {"members": 3, "criterion": "error"} if method == "adaboost" else {}


def member_recipe(asked: EnsembleSettings) -> ex.Recipe:
    """The recipe of the members: CART, or C4.5 for C5.0's boosting, within the size chosen."""
    fields: dict[str, object] = {"max_depth": asked.depth or None, "min_rows_leaf": asked.leaf}
    if asked.method == "c50":
        return ex.C45.replace(**fields)
    if asked.method == "adaboost" or (asked.method in _VOTING and asked.criterion):
        fields["impurity"] = asked.criterion
    return ex.CART.replace(**fields)


def _draws(asked: EnsembleSettings, n_features: int) -> int | str | None:
    """How many features are drawn at a node, as the package takes it."""
    if asked.draws == "third":
        return max(n_features // 3, 1)
    if asked.draws in ("sqrt", "log2"):
        return asked.draws
    return None if asked.draws == "all" else min(int(asked.draws), n_features)


def call_of(asked: EnsembleSettings, n_features: int) -> tuple[str, dict[str, object]]:
    """The function of the package and its arguments beside rows and recipe."""
    count, seeded = {"n_estimators": asked.members}, {"seed": asked.seed}
    if asked.method == "bagging":
        return "bagging", {**count, **seeded}
    if asked.method in _VOTING:
        drawn = {"max_features": _draws(asked, n_features)}
        boot = {"bootstrap": asked.bootstrap} if asked.method == "forest" else {}
        return asked.method, {**count, **drawn, **boot, **seeded}
    if asked.method == "adaboost":
        return "adaboost", {**count, "learning_rate": asked.rate, "vote": asked.vote}
    if asked.method == "c50":
        return "c50", {"trials": asked.members, "update": asked.update}
    if asked.method == "newton_boosting":
        regularised = {"reg_lambda": asked.reg_lambda, "gamma": asked.gamma}
        size = {"max_depth": asked.depth or None, "min_child_weight": asked.min_child_weight}
        return "newton_boost", {**count, **regularised, "learning_rate": asked.rate, **size}
    own = {"delta": asked.delta, "alpha": asked.alpha} if asked.loss == "huber" else {}
    own |= {"alpha": asked.alpha} if asked.loss == "quantile" else {}
    step = {"learning_rate": asked.rate, "subsample": asked.subsample}
    return "gradient_boost", {**count, "loss": asked.loss, **step, **own, **seeded}


def _how(asked: EnsembleSettings) -> str:
    """A text for how the ensemble is grown, without what is selected in it."""
    return repr(dataclasses.replace(asked, stage=None, member=None, node=0, row=None, losses=False))


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


def grow_in_job(settings: Settings, source: trees.Source, progress: jobs.Progress) -> None:
    """Grow the ensemble and score its peers; a stop in the middle keeps the members so far."""
    with trees.on_table(source):
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


def _make(settings: Settings, progress: jobs.Progress | None) -> Ensemble:
    """Grow the ensemble, and again those members in which the reader forced a split."""
    train, asked = trees.parts(settings).train, explicit(settings)
    function, arguments = call_of(asked, len(train.features))
    first = () if asked.method == "newton_boosting" else (member_recipe(asked),)
    made: Ensemble = getattr(ex, function)(train, *first, **arguments, progress=progress)
    for member, choices in asked.forced:
        if member < len(made.members):
            made = made.regrown(member, choices, progress=progress)
    return made


def row_set(settings: Settings, made: Ensemble) -> str:
    """The rows that scores are compared on: validation, else out-of-bag rows, else those of the training set."""
    if trees.parts(settings).valid is not None:
        return "validation"
    return "oob" if has_oob(made) else "training"


def has_oob(made: Ensemble) -> bool:
    """Whether members have left out rows of the training set."""
    if made.method not in _VOTING or made.train is None or not made.members:
        return False
    weights = made.members[0].weights
    return weights is not None and bool((np.asarray(weights) == 0).any())


def compared(settings: Settings, rows: str) -> Compared:
    """The peers on these rows; beside out-of-bag scores stand cross-validated ones."""
    subsets, asked = trees.parts(settings), explicit(settings)
    recipe = ex.CART.replace(min_rows_leaf=asked.leaf)
    valid = subsets.valid.fingerprint if subsets.valid else ""
    return _compared(f"{subsets.train.fingerprint} {valid} {recipe!r}", rows, recipe, subsets)


@kept()
def _compared(key: str, rows: str, _recipe: ex.Recipe, _subsets: trees.Parts) -> Compared:
    train = _subsets.train
    tree = ex.grow(train, _recipe)
    if train.n_rows < 2:
        return Compared(metrics.baseline(train, train), metrics.score(tree, train), None, tree.n_leaves, None)
    folded = cross_validate_path(train, _recipe, min(_FOLDS, train.n_rows) if train.n_rows >= 50 else range(train.n_rows))
    pruned = folded.path.tree.with_pruned(ex.pruned_at(folded.path, folded.best))
    sizes = (tree.n_leaves, pruned.n_leaves)
    if rows == "oob":
        scores = (metrics.baseline(train, train), float(folded.mean[0]), float(folded.mean[folded.best]))
    else:
        on = _subsets.valid if rows == "validation" and _subsets.valid is not None else train
        scores = (metrics.baseline(train, on), metrics.score(tree, on), metrics.score(pruned, on))
    return Compared(*scores, *sizes)
