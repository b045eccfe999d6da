"""An ensemble from a file on the table in use: under its names, and scored on its rows."""

from __future__ import annotations

import dataclasses
from typing import Literal

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture import picture_of
from explorer.ensembles.scores import evaluation_of, shuffled_importance
from explorer.evaluation.comparison.recount import named_as
from explorer.evaluation.evaluation import RowPredictions
from explorer.messages import message
from explorer.tree import metrics
from pages.results import opened_tree, trees
from pages.results.cache import kept
from pages.results.evaluation import Score
from pages.results.opened_tree import OpenedTree
from pages.settings.ensemble_settings import METHODS
from pages.settings.memo import remembered
from pages.settings.settings import Settings

MOST_AT_ONCE = 20_000_000
"""Rows × members (× features) up to which scores by stage, or shuffled columns, are worked out while a reader waits."""


def score_on_table(settings: Settings, key: str, made: Ensemble) -> Score:
    """Accuracy, or the mean squared error, on validation rows where there are some; `key` is the hash of its file.

    Raises InputError where the table has not its columns, or another target.
    """
    named, (rows, which) = _on_table(settings, made), scored_rows(settings)
    called = "table" if which == "training" else which
    return _score(_key(settings, key, named), called, named, rows, trees.parts(settings).train)


def _on_table(settings: Settings, made: Ensemble) -> Ensemble:
    """The ensemble with the table's names of target, classes and features; InputError where it has not the classes."""
    return named_as(_placed(settings, made), trees.data(settings), settings.model_classes)


@remembered
def as_table(settings: Settings, made: Ensemble) -> Ensemble:
    """The ensemble with those of the table's names that suit it: of features alone where its target is another."""
    try:
        return _on_table(settings, made)
    except ex.InputError:
        return _placed(settings, made)


def _placed(settings: Settings, made: Ensemble) -> Ensemble:
    """The ensemble with the table's names of features, where its file only numbers them, and its members named so."""
    members = [dataclasses.replace(each, tree=opened_tree.named(settings, each.tree)) for each in made.members]
    features = members[0].tree.features if members else made.features
    return dataclasses.replace(made, features=features, members=tuple(members))


def member(settings: Settings, key: str, made: Ensemble, position: int) -> OpenedTree:
    """A member as a tree of a file of its own."""
    name = message("Tree {n:,}", n=position + 1)
    return OpenedTree(name, f"{key} {position}", made.members[position].tree, classes=as_table(settings, made).classes)


def scored_rows(settings: Settings) -> tuple[ex.Dataset, Literal["validation", "training"]]:
    """The rows that it is scored on: those for validation, else those for training."""
    subsets = trees.parts(settings)
    return (subsets.train, "training") if subsets.valid is None else (subsets.valid, "validation")


def _key(settings: Settings, key: str, named: Ensemble) -> str:
    """A text for the ensemble under the table's names, and for the rows."""
    names = (named.target, named.classes, tuple(feature.name for feature in named.features))
    subsets = trees.parts(settings)
    rows = f"{subsets.train.fingerprint} {subsets.valid.fingerprint if subsets.valid else ''}"
    return f"{key} {named.n_stages} {names!r} {rows}"


def payload(settings: Settings, key: str, made: Ensemble) -> bytes:
    """The ensemble as the view reads it, under the table's names; with its scores by stage where rows have them."""
    named, (rows, which) = as_table(settings, made), scored_rows(settings)
    is_scored = rows.n_rows * len(made.members) <= MOST_AT_ONCE
    try:
        score_on_table(settings, key, made)
    except ex.InputError:
        is_scored = False
    return _payload(_key(settings, key, named), named, rows if is_scored else None, which)


def evaluated(settings: Settings, key: str, made: Ensemble) -> tuple[ex.Evaluation, RowPredictions]:
    """All its scores on the scored rows, and its predictions; raises InputError as `score_on_table`."""
    named = _on_table(settings, made)
    return _evaluated(_key(settings, key, named), named, scored_rows(settings)[0], trees.parts(settings).train)


@kept()
def _evaluated(
    key: str, _made: Ensemble, _rows: ex.Dataset, _train: ex.Dataset
) -> tuple[ex.Evaluation, RowPredictions]:
    return evaluation_of(_made, _rows, _train)


def permuted(settings: Settings, key: str, made: Ensemble) -> dict[str, ex.PermutationImportance] | None:
    """Permutation importance on the scored rows; None where it takes long. Raises InputError as `score_on_table`."""
    named, rows = _on_table(settings, made), scored_rows(settings)[0]
    if rows.n_rows * len(named.tested_features()) * len(named.members) > MOST_AT_ONCE:
        return None
    return _permuted(_key(settings, key, named), named, rows)


@kept()
def _permuted(key: str, _made: Ensemble, _rows: ex.Dataset) -> dict[str, ex.PermutationImportance]:
    return shuffled_importance(_made, _rows)


def has_rate_in_leaves(made: Ensemble) -> bool:
    """Whether the file's leaves are those of boosting, already times the learning rate."""
    return bool(made.origin) and made.method == "newton_boosting"


def adds_to_scores(made: Ensemble) -> bool:
    """Whether the members are those of gradient boosting: fitted to gradients, their leaves added up."""
    return made.method in ("gradient_boosting", "newton_boosting")


def method_name(made: Ensemble) -> str:
    """What the method is called: that of XGBoost by its name, that of other libraries gradient boosting."""
    is_other = has_rate_in_leaves(made) and not made.origin.startswith("XGBoost")
    return METHODS["gradient_boosting" if is_other else made.method]


@kept(by_language=True)
def _payload(key: str, _made: Ensemble, _rows: ex.Dataset | None, which: Literal["validation", "training"]) -> bytes:
    return picture_payload(picture_of(_made, _rows, method=method_name(_made), valid_are=which))


@kept()
def _score(key: str, which: str, _made: Ensemble, _rows: ex.Dataset, _train: ex.Dataset) -> Score:
    return Score(which, float(_made.staged_scores(_rows)[-1]), metrics.baseline(_train, _rows))
