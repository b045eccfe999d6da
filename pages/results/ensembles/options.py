"""The options of an ensemble with nothing left open, and the call of the package that they stand for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.out_of_bag import VOTING
from explorer.values import Value
from pages.results import trees
from pages.settings.ensemble_settings import CRITERIA, EnsembleSettings, Forced, codes_in
from pages.settings.settings import Settings, changed

WITH_COSTS = (*VOTING, "c50")
"""Methods that take costs of misclassification: their members vote for a class."""
COMPARED_LOSSES = ("squared_error", "absolute_error", "huber")
"""The losses that stand side by side."""
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


def with_option(settings: Settings, **changes: object) -> EnsembleSettings:
    """The choices with another option: what was selected in the ensemble before is cleared."""
    return dataclasses.replace(settings.ensembles.with_other_ensemble(), **changes)  # type: ignore[arg-type]


def methods(is_regression: bool) -> tuple[str, ...]:
    """The methods that suit the target."""
    of_classes = () if is_regression else ("adaboost", "c50")
    return (*VOTING, "gradient_boosting", *of_classes, "newton_boosting")


def losses(train: ex.Dataset) -> tuple[str, ...]:
    """The losses of gradient boosting that suit the target."""
    if train.is_regression:
        return ("squared_error", "absolute_error", "huber", "quantile")
    return ("log_loss", "exponential") if len(train.classes) == 2 else ("log_loss",)


def _is_one_line(train: ex.Dataset) -> bool:
    """A small table with one numeric feature: a few stumps, drawn as a staircase, show everything."""
    return train.n_rows < trees.SMALL_TABLE and [feature.type for feature in train.features] == ["numeric"]


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
    if method in VOTING[::2] and train.is_regression:
        defaults["draws"] = "all" if method == "extra_trees" else "third"
    defaults["loss"] = losses(train)[0]
    blank = (None, "")
    filled = {name: value for name, value in defaults.items() if getattr(chosen, name) in blank}
    loss = chosen.loss if chosen.loss in losses(train) else losses(train)[0]
    has_costs = method in WITH_COSTS and codes_in(chosen.costs) <= set(range(len(train.classes)))
    fitting = {"method": method, "loss": loss, "costs": chosen.costs if has_costs else ()}
    return dataclasses.replace(chosen, **{**filled, **fitting})  # type: ignore[arg-type]


def _few_rounds(method: str) -> dict[str, object]:
    """A first picture that can be followed round by round, as the textbooks have it."""
    if method == "gradient_boosting":
        return {"members": 6, "depth": 1, "rate": 1.0}
    if method == "newton_boosting":
        return {"members": 6, "depth": 1}
    return {"members": 3, "criterion": "error"} if method == "adaboost" else {}


def costs_by_name(asked: EnsembleSettings, classes: tuple[Value, ...]) -> dict[Value, dict[Value, float]] | None:
    """The costs of misclassification by class, as recipes take them; None without any."""
    named: dict[Value, Value] = dict(enumerate(classes))
    return {named[true]: {named[k]: cost for k, cost in row} for true, row in asked.costs} or None


def member_recipe(asked: EnsembleSettings, classes: tuple[Value, ...]) -> ex.Recipe:
    """The recipe of the members for these classes: CART, or C4.5 for C5.0's boosting, within the size chosen."""
    fields: dict[str, object] = {"max_depth": asked.depth or None, "costs": costs_by_name(asked, classes)}
    if (asked.leaf or 1) > 1:  # boosting makes rows lighter than 1: a least size of 1 would keep single rows apart
        fields["min_rows_leaf"] = asked.leaf
    if asked.method == "c50":
        return ex.C45.replace(**fields)
    if asked.method == "adaboost" or (asked.method in VOTING and asked.criterion):
        fields["impurity"] = asked.criterion
    return ex.CART.replace(**fields)


def _draws(asked: EnsembleSettings, n_features: int) -> int | str | None:
    """How many features are drawn at a node, as the package takes it."""
    if asked.draws == "third":
        return max(n_features // 3, 1)
    if asked.draws in ("sqrt", "log2"):
        return asked.draws
    return None if asked.draws == "all" else min(int(asked.draws), n_features)


def call_of(asked: EnsembleSettings, n_features: int, trains_numbers: bool) -> tuple[str, dict[str, object]]:
    """The function of the package and its arguments beside rows and recipe; a start F₀ is for numbers only."""
    count, seeded = {"n_estimators": asked.members}, {"seed": asked.seed}
    if asked.method == "bagging":
        return "bagging", {**count, **seeded}
    if asked.method in VOTING:
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
        start = {"base_score": asked.start} if trains_numbers else {}
        return "newton_boost", {**count, **regularised, "learning_rate": asked.rate, **size, **start}
    own = {"delta": asked.delta, "alpha": asked.alpha} if asked.loss == "huber" else {}
    own |= {"alpha": asked.alpha} if asked.loss == "quantile" else {}
    step = {"learning_rate": asked.rate, "subsample": asked.subsample}
    start = {"base_score": asked.start} if trains_numbers else {}
    return "gradient_boost", {**count, "loss": asked.loss, **step, **own, **start, **seeded}


_SETTING_OF = {
    "n_estimators": "members",
    "trials": "members",
    "learning_rate": "rate",
    "base_score": "start",
    **{name: name for name in ("bootstrap", "seed", "loss", "subsample", "delta", "vote", "update")},
    **{name: name for name in ("reg_lambda", "gamma", "min_child_weight")},
}
"""The setting that an argument of a call stands for, as far as its value stands for itself."""


def settings_of(made: Ensemble) -> EnsembleSettings:
    """The choices that stand for the call that made an ensemble; what pages cannot choose is left out."""
    options, recipe = made.options, made.recipe
    fields: dict[str, Any] = {to: options[name] for name, to in _SETTING_OF.items() if options.get(name) is not None}
    if made.method in VOTING:
        fields.pop("vote", None)
        fields["draws"] = str(options.get("max_features") or "all")
    if isinstance(options.get("alpha"), float) and options.get("loss") in ("huber", "quantile"):
        fields["alpha"] = options["alpha"]
    fields |= {"depth": recipe.max_depth or 0, "leaf": recipe.min_rows_leaf}
    if made.method in (*VOTING, "adaboost") and recipe.impurity in CRITERIA:
        fields["criterion"] = recipe.impurity
    return EnsembleSettings(made.method, **fields)


def shows_losses(settings: Settings) -> bool:
    """Whether three losses stand side by side: gradient boosting of a number."""
    asked = explicit(settings)
    return asked.losses and asked.method == "gradient_boosting" and trees.data(settings).is_regression


def with_loss(settings: Settings, loss: str) -> Settings:
    """The settings with another loss, all else the same."""
    return changed(settings, ensembles=dataclasses.replace(settings.ensembles, loss=loss))


def forced_at(settings: Settings, forced: Forced, member: int) -> EnsembleSettings:
    """The choices with members grown again by the reader's splits; the member stays open at its root's split."""
    return dataclasses.replace(settings.ensembles, forced=forced, member=member)
