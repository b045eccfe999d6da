"""What each method of pruning leaves of the reader's tree, with its scores; cached as in `trees`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import explorer as ex
from explorer.data.division import way_text
from explorer.evaluation.evaluation import score_by
from explorer.evaluation.pruning_times import PruningTime, pruning_times
from explorer.growing.training_rows import training_rows_of
from explorer.messages import message
from explorer.pruning.methods import PRUNING_METHODS
from explorer.pruning.subtree_raising import WHY_NOT, cannot_raise
from explorer.sources.source import Source
from explorer.tree import metrics
from pages.results import cross_validation, trees
from pages.results.cache import kept
from pages.results.connected.opened import Rows
from pages.results.of_tree.grown_on import grown_on
from pages.settings import labels
from pages.settings.growing_options import BY_FIELD
from pages.settings.settings import Settings

MOST_RAISED = 100_000
"""Raising takes about as long as growing a full tree on so many rows, and grows with their number."""

_WORTH_TIMING_AGAIN = 5_000
"""Of so few rows, the shortest of several times is taken."""


@dataclass(frozen=True)
class PrunedResult:
    """A pruned tree and its scores; `validation` is None without such rows.

    `cost` is the expected cost per validation (else training) row, if the recipe names costs.
    """

    tree: ex.Tree
    training: float
    validation: float | None
    cost: float | None = None


def times(settings: Settings) -> dict[str, PruningTime]:
    """The tree without pruning, pre-pruned and post-pruned, timed once; needs validation rows."""
    subsets, recipe = trees.parts(settings), trees.recipe(settings)
    assert subsets.valid is not None, "pre-pruning decides by validation rows"
    return _times(f"{subsets.train.fingerprint} {subsets.valid.fingerprint} {recipe!r}", recipe, subsets)


@kept()
def _times(key: str, _recipe: ex.Recipe, _subsets: trees.Parts) -> dict[str, PruningTime]:
    train, valid = _subsets.train, _subsets.valid
    assert valid is not None
    return pruning_times(train, valid, _recipe, 5 if train.n_rows <= _WORTH_TIMING_AGAIN else 1)


def results(settings: Settings) -> tuple[dict[str, PrunedResult], dict[str, str]]:
    """The trees by method, and for each method that is not possible here the reason."""
    by_method, reasons = dict[str, PrunedResult](), dict[str, str]()
    for method in labels.METHODS:
        try:
            by_method[method] = result(settings, method)
        except ex.InputError as error:
            reasons[method] = str(error)
    return by_method, reasons


def result(settings: Settings, method: str) -> PrunedResult:
    """What one method leaves; InputError where it is not possible."""
    prune = _pruner(settings, method)
    return _result(key(settings, method), trees.metric(settings), prune, trees.all_rows(settings))


def key(settings: Settings, method: str) -> str:
    """A text that stands for the rows, the tree, and the options of the method."""
    subsets, grown = trees.parts(settings), trees.grown(settings).tree
    valid = subsets.valid.fingerprint if subsets.valid else ""
    how: object = options(settings, method)
    if has_chosen_alpha(method):
        how = settings.risk, position(settings, method)
    return f"{subsets.train.fingerprint} {valid} {grown.recipe!r} {grown.choices!r} {method} {how}"


def options(settings: Settings, method: str) -> dict[str, object]:
    """The options of a method as the package has them: those that the settings hold, else the defaults."""
    if method not in PRUNING_METHODS:
        return {}
    listed = PRUNING_METHODS[method].options
    values = {option.name: getattr(settings, option.name, option.default) for option in listed}
    return values | {"raising": raises(settings)} if "raising" in values else values


def has_chosen_alpha(method: str) -> bool:
    """Whether a method is an α of the cost-complexity sequence that held-out rows choose."""
    return method in PRUNING_METHODS and PRUNING_METHODS[method].chosen_position is not None


def position(settings: Settings, method: str) -> int:
    """The position in the sequence of the best tree on held-out rows, or of the smallest within one SE of it."""
    folded, curves = cross_validation.known_folds(settings), trees.curves(settings)
    if PRUNING_METHODS[method].chosen_position == "one_se":
        chosen = folded.one_se if folded else curves.one_se
        remedy = message("Cross-validate under “Cost-complexity: drag α” to get standard errors.")
    else:
        chosen = folded.best if folded else curves.best
        remedy = message("Use a validation set, or cross-validate under “Cost-complexity: drag α”.")
    if chosen is None:
        raise ex.InputError(remedy)
    return chosen


def selected_on(settings: Settings) -> str:
    """Which held-out rows have chosen α."""
    folded = cross_validation.known_folds(settings)
    if folded is not None:
        return way_text(cross_validation.way(settings, folded), folded.n_folds)
    curves = trees.curves(settings)
    if curves.left_out is None:
        return message("the validation set") if curves.how else ""
    return way_text(curves.how, curves.left_out.n_folds)


def validation_rows(settings: Settings) -> ex.Dataset | Source:
    """The validation rows; InputError if there are none."""
    valid = trees.all_rows(settings).valid
    if valid is None:
        raise ex.InputError(message("This method needs a validation set, and there is none."))
    return valid


def _pruner(settings: Settings, method: str) -> Callable[[], ex.Tree]:
    """The work of a method; what it needs beforehand, and is not counted in its time, is made here."""
    tree = trees.grown(settings).tree
    if method == "unpruned":
        return lambda: tree
    given = arguments(settings, method)
    return lambda: PRUNING_METHODS[method].prune(tree, **given)


def arguments(settings: Settings, method: str) -> dict[str, object]:
    """What the functions of a method are given beside the tree; InputError where it cannot be had."""
    if has_chosen_alpha(method):
        return {"position": position(settings, method), "risk": settings.risk}
    needed: dict[str, object] = {}
    if "valid" in PRUNING_METHODS[method].needs:
        needed["valid"] = validation_rows(settings)
    if "train" in PRUNING_METHODS[method].needs:
        if settings.connected and method == "mdl":
            raise ex.InputError(
                message("This method reads every training row, and the rows of a connected table are counted.")
            )
        needed["train"] = trees.all_rows(settings).train
    return needed | options(settings, method)


def raises(settings: Settings) -> bool:
    """Whether the reader wants subtrees raised and this tree allows it."""
    return settings.raising and no_raising(settings) is None


def no_raising(settings: Settings) -> str | None:
    """Why subtrees of this tree are not raised; None if they can be."""
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    if tree.is_regression:
        return message("the target is numeric")
    if settings.connected:
        return message("a connected table is counted, and raising moves single rows")
    if train.n_rows > MOST_RAISED:
        return message(
            "it is available up to {most:,} training rows, and this tree has {n:,}", most=MOST_RAISED, n=train.n_rows
        )
    field = cannot_raise(tree, training_rows_of(tree, train))
    if field is None:
        return None
    option = BY_FIELD[field]
    value = option.choices[getattr(tree.recipe, field)]
    return message("“{option}: {value}” {reason}", option=option.label, value=value, reason=WHY_NOT[field])


@kept(lambda: message("Pruning …"))
def _result(key: str, metric: str, _prune: Callable[[], ex.Tree], _subsets: trees.Parts | Rows) -> PrunedResult:
    tree = _prune()
    on_valid = score_by(tree, _subsets.valid, metric).value if _subsets.valid else None
    train = grown_on(_subsets.train, tree.recipe)
    cost = None if tree.costs is None else metrics.expected_cost(tree, _subsets.valid or train)
    return PrunedResult(tree, score_by(tree, train, metric).value, on_valid, cost)
