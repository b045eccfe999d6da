"""One tree for several targets, and a tree for each of them alone: calls of the package, cached."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

import explorer as ex
from explorer.drawing.tree_view.payload import tree_payload as make_tree_payload
from explorer.evaluation.evaluation import score_by
from explorer.messages import message
from explorer.recipe.impurity import IMPURITIES
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.results.divided.division import Division
from pages.settings.memo import remembered
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, growing_of

MOST_CELLS_AT_ONCE = 20_000
"""Cells (rows × columns) up to which a tree for several targets is grown while its reader waits."""
SLOT = "left"
"""Whose settings the tree is grown by: those of side A."""
FIRST_DEPTH = 4


@dataclass(frozen=True)
class Sets:
    """The training rows, and the validation rows where there are some."""

    train: ex.MultiOutputData
    valid: ex.MultiOutputData | None


@dataclass(frozen=True)
class TargetScore:
    """A target's score by the tree for all targets and by a tree of its own, beside the baseline.

    Accuracy for classes, mean squared error for numbers, on validation rows where there are some.
    """

    target: str
    is_regression: bool
    together: float
    alone: float
    baseline: float
    leaves_alone: int


def candidates_for_targets(settings: Settings) -> list[str]:
    """The columns that can be a further target: every feature in use."""
    return [feature.name for feature in trees.data(settings).features]


@remembered
def further_targets(settings: Settings) -> tuple[str, ...]:
    """The targets beside the first one: those chosen, else the last feature in use."""
    possible = candidates_for_targets(settings)
    chosen = tuple(name for name in settings.compare.more_targets if name in possible)
    return chosen or tuple(possible[-1:])


def target_in_view(settings: Settings) -> int:
    """The position of the target whose tree is shown."""
    names = (trees.data(settings).target.name, *further_targets(settings))
    shown = settings.compare.shown_target
    return names.index(shown) if shown in names else 0


@remembered
def sets(settings: Settings) -> Sets:
    """The rows with a value of every target, split as the settings split them; raises InputError."""
    whole = trees.data(settings)
    further = further_targets(settings)
    features = tuple(feature.name for feature in whole.features if feature.name not in further)
    if not features:
        raise ex.InputError(message("No feature is left beside the targets: choose fewer targets."))
    names = (whole.target.name, *further)
    kinds = {feature.name: feature.given_kind for feature in whole.features} | dict(trees.kinds(settings))
    key = f"{trees.source(settings).key} {whole.fingerprint}"
    divided = trees.division(settings)
    return _sets(key, names, features, tuple(kinds.items()), repr(divided), divided, whole)


@remembered
def recipe(settings: Settings) -> ex.Recipe:
    """The recipe of side A where its impurity suits every target, else CART with the same limits.

    A reader who has chosen nothing sees CART to a depth that can be read.
    """
    if growing_of(settings, SLOT) == GrowSettings():
        return ex.CART.replace(max_depth=FIRST_DEPTH)
    chosen = trees.recipe(settings, SLOT)
    if needs_classes(settings):
        return ex.CART.replace(max_depth=chosen.max_depth, min_rows_leaf=chosen.min_rows_leaf)
    return chosen


def needs_classes(settings: Settings) -> bool:
    """Whether the algorithm chosen is for classes alone, and a target is numeric."""
    is_chosen = growing_of(settings, SLOT) != GrowSettings()
    has_numbers = any(one.is_regression for one in sets(settings).train.outputs)
    impurity = trees.recipe(settings, SLOT).impurity
    return is_chosen and has_numbers and impurity is not None and IMPURITIES[impurity].needs_classes


@remembered
def grown(settings: Settings) -> ex.MultiOutputTree:
    """The tree for all targets; raises InputError."""
    return _grown(*_in_use(settings), recipe(settings), sets(settings).train)


def is_at_hand(settings: Settings) -> bool:
    """Whether the tree is kept, or the table so small that growing takes no time worth mentioning."""
    train = sets(settings).train
    is_small = train.n_rows * len(train.outputs[0].features) <= MOST_CELLS_AT_ONCE
    return is_small or _grown.is_kept(*_in_use(settings), recipe(settings), train)


def job_key(settings: Settings) -> str:
    """The key of the work that grows the tree."""
    return " ".join(("several targets", *map(str, _in_use(settings))))


def work(settings: Settings) -> jobs.Work:
    """Grow the tree in the background."""
    key, chosen, train = _in_use(settings), recipe(settings), sets(settings).train
    return lambda _: _grown(*key, chosen, train)


def _in_use(settings: Settings) -> tuple[str, str, bool]:
    """What the tree depends on."""
    fingerprints = " ".join(one.fingerprint for one in sets(settings).train.outputs)
    return fingerprints, repr(recipe(settings)), settings.compare.standardises


def payload(settings: Settings) -> bytes:
    """The tree as the view reads it, with the statistics of the target in view."""
    which = target_in_view(settings)
    return _payload(*_in_use(settings), which, grown(settings))


def decision(settings: Settings, node: int) -> ex.JointDecision:
    """The candidates at a node, with the decrease of every target."""
    return _decision(*_in_use(settings), node, grown(settings), sets(settings).train)


def scores(settings: Settings) -> list[TargetScore]:
    """Every target's score by one tree for all, and by a tree of its own."""
    valid = sets(settings).valid
    fingerprint = valid.outputs[0].fingerprint if valid else ""
    return _scores(*_in_use(settings), fingerprint, grown(settings), recipe(settings), sets(settings))


@kept()
def _sets(
    key: str,
    targets: tuple[str, ...],
    features: tuple[str, ...],
    kinds: tuple[tuple[str, object], ...],
    how: str,
    _divided: Division,
    _whole: ex.Dataset,
) -> Sets:
    frame: pd.DataFrame = _whole.frame
    given: dict[str, object] = {name: kind for name, kind in kinds if name in (*targets, *features)}
    by: dict[str, object] = {_divided.kind: _divided.column} if _whole.division else {}
    by["days_since"] = _whole.days_since
    data = ex.MultiOutputData.from_frame(frame, targets, features, given, _whole.weight_column, **by)  # type: ignore[arg-type]
    parts = _divided.split(data)
    return Sets(parts[0], parts[1] if len(parts) > 1 else None)


@kept(lambda: message("Growing one tree for all targets …"))
def _grown(
    key: str, how: str, standardises: bool, _recipe: ex.Recipe, _train: ex.MultiOutputData
) -> ex.MultiOutputTree:
    return ex.grow_multi_output(_train, _recipe, standardises, jobs.reporting())


@kept(by_language=True)
def _payload(key: str, how: str, standardises: bool, which: int, _tree: ex.MultiOutputTree) -> bytes:
    return make_tree_payload(_tree.trees[which], _tree.trees)


@kept(lambda: message("Listing the candidates …"))
def _decision(
    key: str, how: str, standardises: bool, node: int, _tree: ex.MultiOutputTree, _train: ex.MultiOutputData
) -> ex.JointDecision:
    return ex.decide_multi_output(_tree, _train, node)


@kept(lambda: message("Growing a tree for each target …"))
def _scores(
    key: str, how: str, standardises: bool, valid: str, _tree: ex.MultiOutputTree, _recipe: ex.Recipe, _sets: Sets
) -> list[TargetScore]:
    scored = _sets.valid or _sets.train
    listed = []
    for together, train, rows in zip(_tree.trees, _sets.train.outputs, scored.outputs, strict=True):
        metric = "mse" if train.is_regression else "accuracy"
        alone = ex.grow(train, _recipe)
        of_all, of_own = score_by(together, rows, metric), score_by(alone, rows, metric)
        listed.append(
            TargetScore(
                train.target.name, train.is_regression, of_all.value, of_own.value, of_all.baseline, alone.n_leaves
            )
        )
    return listed
