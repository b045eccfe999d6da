"""What a step has changed, in words: each setting by the name of its control, with its value before and after."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import explorer as ex
from explorer.formatting import shortened, visible
from explorer.messages import listing, message
from explorer.pruning.methods import PRUNING_METHODS
from pages.settings import labels
from pages.settings.ensemble_settings import CRITERIA, LOSSES, METHODS, UPDATES, VOTES
from pages.settings.growing_options import BY_FIELD
from pages.settings.history import chosen
from pages.settings.labels import Names
from pages.settings.page_settings import SIDES, GrowSettings
from pages.settings.settings import COLUMNS, OF_PRUNING, ROWS, Settings, changed
from pages.settings.tables import table_of
from pages.text import number

_MOST_LETTERS, _MOST_NAMED = 30, 3
_SLOTS = ("grow", *SIDES)
_UNSET = object()
_RECORDS = ("view", "timeline", "stability", "compare", "evaluate", "rules", "predict", "ensembles")
ORDER = (
    *("repairs", *COLUMNS, *ROWS),
    *(
        *_SLOTS,
        "choices",
        *OF_PRUNING,
        "alpha",
        "manual_steps",
        "actions",
        "model_classes",
        "kept",
        "palette",
        *_RECORDS,
    ),
)
"""The settings that steps change, those first whose change sets others back."""


def _of_split() -> dict[str, str]:
    return dict.fromkeys(("divide", "divide_by", *ROWS), message("the split of the rows"))


def _of_method(method: str, *options: str) -> dict[str, str]:
    return {option.name: option.label for option in PRUNING_METHODS[method].options if option.name in options}


NAMES = Names(
    lambda: {
        "repairs": message("repairs"),
        "target": message("the target"),
        "features": message("roles"),
        "kinds": message("types"),
        "weight": message("weights"),
        **_of_split(),
        "choices": message("manual choices"),
        "pruning": message("Pruning"),
        "risk": message("Risk R(t) of a node"),
        "metric": message("Evaluated by"),
        "smoothing": message("Probabilities"),
        "smoothing_m": message("m, rows added"),
        "decide": message("Predict by this threshold"),
        "method": message("Method"),
        **_of_method("reduced_error", "order", "ties"),
        **_of_method("pessimistic", "confidence", "limit", "raising"),
        **_of_method("newton", "gamma"),
        "book": message("Example: Zhou’s watermelons"),
        "folds": message("Folds"),
        "fold_seed": message("Seed of the folds"),
        "fold_gap": message("Gap before a fold, rows"),
        "fold_rows": message("Most rows to grow on"),
        "alpha": "α",
        "manual_steps": message("Pruned by hand"),
        "actions": message("Actions of leaves"),
        "model_classes": message("Classes of the model"),
        "kept": message("kept trees"),
        "palette": message("Palette"),
        "view.class_labels": message("labels of classes"),
        "view.class_colours": message("colours of classes"),
        "timeline.order": message("Order of the splits"),
        "timeline.first": message("Order of the splits"),
        "timeline.asks": message("Ask me first"),
        "stability.rows": message("Resamples"),
        "stability.count": message("Trees"),
        "stability.seed": message("Seed"),
        "stability.tolerance": message("Alike within, %"),
        "stability.pair": message("Stability"),
        "compare.has_third": message("Add a third tree"),
        "compare.moves_together": message("Pan and zoom the trees together"),
        "compare.pair": message("Pair compared"),
        "compare.rows": message("Evaluated on"),
        "compare.x_feature": message("Horizontal axis"),
        "compare.y_feature": message("Vertical axis"),
        "compare.alphas": "α",
        "compare.pruned": message("How the trees are pruned"),
        "compare.shortest_by": message("Shortest by"),
        "compare.more_targets": message("Further targets"),
        "compare.standardises": message("As shares"),
        "evaluate.rows": message("Evaluated on"),
        "evaluate.of_class": message("Class"),
        "evaluate.threshold": message("Threshold of the predicted probability"),
        "evaluate.profits": message("Profit of a row, negative where it costs"),
        "evaluate.first_leaves": message("First … leaves"),
        "evaluate.gains_by_training": message("Order of the gains"),
        "rules.kind": message("Rules"),
        "rules.sort": message("Order"),
        "rules.of_class": message("Prediction"),
        "rules.min_rows": message("Rows, at least"),
        "rules.min_percent": message("Confidence, at least %"),
        "rules.search": message("Search"),
        "rules.estimate": message("Accuracy of a rule"),
        "rules.only_if_better": message("Only on improvement"),
        "predict.row": message("Start from row"),
        "predict.cells": message("values of the row"),
        "predict.is_full": message("Predicted by"),
        "predict.goal": message("Wanted prediction"),
        "predict.fixed": message("Keep fixed"),
        "predict.row_set": message("Rows"),
        "predict.skips_small": message("Skip small leaves"),
        "predict.names": message("names of columns and categories"),
        "ensembles.method": message("Method"),
        "ensembles.members": message("Trees"),
        "ensembles.depth": message("Max. depth"),
        "ensembles.leaf": message("Min. samples per leaf"),
        "ensembles.criterion": message("Splits compete by"),
        "ensembles.draws": message("Features per split"),
        "ensembles.bootstrap": message("Bootstrap"),
        "ensembles.loss": message("Loss"),
        "ensembles.rate": message("Learning rate ν"),
        "ensembles.start": message("Start F₀"),
        "ensembles.subsample": message("Subsample"),
        "ensembles.delta": message("δ"),
        "ensembles.alpha": message("α"),
        "ensembles.vote": message("Vote α"),
        "ensembles.update": message("Update of the weights"),
        "ensembles.costs": BY_FIELD["costs"].label,
        "ensembles.reg_lambda": message("λ"),
        "ensembles.gamma": message("γ"),
        "ensembles.min_child_weight": message("Min. child weight"),
        "ensembles.seed": message("Seed"),
        "ensembles.forced": message("manual choices"),
    }
)
"""What each setting is called, by its field, or by its record and its field; those of growing are of `BY_FIELD`."""


@cache
def _values() -> dict[str, Mapping[str, str]]:
    """The names of values, where they are words of the program."""
    return {
        "pruning": labels.PRUNING,
        "risk": labels.RISKS,
        "metric": labels.METRICS,
        "smoothing": labels.SMOOTHINGS,
        "order": labels.ORDERS,
        "ties": labels.TIES,
        "limit": labels.LIMITS,
        "method": labels.METHODS,
        "evaluate.rows": {},
        "compare.rows": {},
        "compare.shortest_by": {},
        "stability.rows": {},
        "palette": {},
        "rules.kind": {},
        "rules.sort": {},
        "rules.estimate": {},
        "predict.row_set": {},
        "timeline.order": {},
        "ensembles.method": METHODS,
        "ensembles.criterion": CRITERIA,
        "ensembles.loss": LOSSES,
        "ensembles.vote": VOTES,
        "ensembles.update": UPDATES,
        "ensembles.draws": {},
        "evaluate.of_class": {},
        "evaluate.threshold": {},
        "evaluate.profits": {},
        "decide": {},
        "rules.of_class": {},
        "predict.is_full": {},
        "book": labels.BOOK,
        "predict.goal": {},
        "compare.pair": {},
        **{field: {} for field in _of_split()},
    }


def said(
    before: Settings,
    after: Settings,
    name_of: Callable[[Settings], str],
    recipe_of: Callable[[Settings, str], ex.Recipe],
) -> str:
    """What lies between two settings: "Min. samples per leaf 5 → 1".

    `name_of` gives the name of a table, and `recipe_of` the recipe that a slot is grown by.
    """
    if table_of(before) != table_of(after):
        return _step(message("Table"), _short(name_of(before)), _short(name_of(after)))
    changes = list(dict.fromkeys(_changes(chosen(before), chosen(after), recipe_of)))
    more = ["…"] if len(changes) > _MOST_NAMED else []
    return listing(changes[:_MOST_NAMED] + more)


def _changes(before: Settings, after: Settings, recipe_of: Callable[[Settings, str], ex.Recipe]) -> Iterator[str]:
    """What was chosen, without what that alone has set back."""
    now = before
    for field in ORDER:
        old, new = getattr(now, field), getattr(after, field)
        if old == new:
            continue
        if field in _SLOTS:
            yield from _of_growing(field, (old, new), (before, after), recipe_of)
        elif field in _RECORDS:
            for part in dataclasses.fields(old):
                yield from _of(f"{field}.{part.name}", getattr(old, part.name), getattr(new, part.name))
        else:
            yield from _of(field, old, new)
        now = changed(now, **{field: new})


def _of(name: str, old: object, new: object) -> Iterator[str]:
    if old == new:
        return
    if name == "repairs":
        yield _of_repairs(old, new)  # type: ignore[arg-type]
    elif isinstance(old, tuple) and isinstance(new, tuple) and name in ("manual_steps", "actions", "kept"):
        yield _step(NAMES[name], str(len(old)), str(len(new)))
    else:
        yield _step(NAMES[name], _text(name, old), _text(name, new))


def _of_growing(
    slot: str,
    growing: tuple[GrowSettings, GrowSettings],
    settings: tuple[Settings, Settings],
    recipe_of: Callable[[Settings, str], ex.Recipe],
) -> Iterator[str]:
    """The algorithm, else each option that differs; of a side of a comparison with its letter."""
    old, new = growing
    letter = f"{SIDES[slot]}: " if slot in SIDES else ""
    try:
        recipes = [recipe_of(each, slot) for each in settings]
    except ex.ExplorerError:  # of a table that cannot be grown on now
        recipes = []
    if old.name != new.name:
        yield letter + _step(message("Algorithm"), *(recipe.name for recipe in recipes))
        return
    own, other = dict(old.changes), dict(new.changes)
    for field, option in BY_FIELD.items():
        if own.get(field, _UNSET) == other.get(field, _UNSET):
            continue
        yield letter + _step(option.label, *(option.text_of(getattr(recipe, field)) for recipe in recipes))


def _of_repairs(old: tuple[ex.Repair, ...], new: tuple[ex.Repair, ...]) -> str:
    """The repair that came or went, or else how many there are."""
    others = [repair for repair in (*old, *new) if (repair in old) != (repair in new)]
    if len(others) != 1:
        return _step(NAMES["repairs"], str(len(old)), str(len(new)))
    only = others[0]
    return f"{_short(only.column)}: {only.label}" if only.column else only.label


def _text(name: str, value: object) -> str:
    """A value in a few letters; "" where it has none."""
    names = _values().get(name)
    if names is not None:
        return names.get(str(value), "")
    if isinstance(value, bool):
        return message("on") if value else message("off")
    if isinstance(value, int | float):
        return number(float(value))
    if value is None:
        return message("none")
    return _short(value) if isinstance(value, str) else ""


def _short(text: str) -> str:
    return shortened(visible(text), _MOST_LETTERS)


def _step(name: str, *values: str) -> str:
    """A setting with its value before and after, where both have words."""
    if len(values) == 2 and all(values) and values[0] != values[1]:
        return message("{name} {before} → {after}", name=name, before=values[0], after=values[1])
    return name
