"""An ensemble as plain lists and values for JSON, and back; the text may come from anybody (section 16)."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.base_ensemble import BaseEnsemble, Member
from explorer.ensembles.combination import COMBINATIONS
from explorer.errors import InputError
from explorer.foreign.limits import MOST_TREES, check_members_and_features
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.serialize import classes_of, encodings_of, plain_encoding, recipe_of, tree_to_dict
from explorer.tree.tree import Tree

FORMAT, READABLE = 2, (1, 2)
"""Format 1 repeated the features in every member."""
MOST_NODES = 20_000_000
METHODS = ("forest", "bagging", "extra_trees", "adaboost", "c50", "gradient_boosting", "newton_boosting")
_KEYS = ("method", "n_stages", "start", "constant", "combination", "recipe", "options", "target", "classes", "features")


def ensemble_to_dict(ensemble: BaseEnsemble, with_rows: bool = True) -> dict[str, Any]:
    """Everything of an ensemble but its training set; the members' weights and targets only `with_rows`."""
    settings = ensemble.table_settings
    return {
        "format": FORMAT,
        "method": ensemble.method,
        "n_stages": ensemble.n_stages,
        "start": ensemble.start.tolist(),
        "constant": ensemble.constant.tolist(),
        "combination": ensemble.combination.name,
        "recipe": dataclasses.asdict(ensemble.recipe),
        "options": dict(ensemble.options),
        "target": ensemble.target,
        "classes": list(ensemble.classes),
        "features": list(map(plain_encoding, ensemble.features)),
        "ended": None if ensemble.ended is None else ensemble.ended.to_plain(),
        "origin": ensemble.origin,
        "version": ensemble.version,
        **({} if settings is None else {"table_settings": dict(settings)}),
        "members": [_member_to_dict(member, ensemble.features, with_rows) for member in ensemble.members],
    }


def _member_to_dict(member: Member, features: tuple[FeatureEncoding, ...], with_rows: bool) -> dict[str, Any]:
    """A member; features that are those of the whole ensemble are left out."""
    return {
        "tree": tree_to_dict(member.tree, with_features=member.tree.features != features),
        "stage": member.stage,
        "vote": float(member.vote),
        "weights": _numbers_of(member.weights if with_rows else None),
        "target": _numbers_of(member.target if with_rows else None),
        "of_class": member.of_class,
        "facts": {name: float(value) for name, value in member.facts.items() if math.isfinite(value)},
    }


def _numbers_of(array: NDArray[np.float64] | None) -> list[int] | list[float] | None:
    """The numbers of an array; whole ones without a decimal point."""
    if array is None:
        return None
    whole = array.astype(np.int64)
    return whole.tolist() if (whole == array).all() else array.tolist()


def fields_from_dict(content: object) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields of the ensemble behind `ensemble_to_dict`'s result, and those of its members.

    Raises InputError where something is missing or does not fit: predictions do not check it again.
    """
    saved = Fields(content, _damaged)
    if saved.content.get("format", FORMAT) not in READABLE:
        raise InputError(
            message(
                "The ensemble was saved in format {saved:.40}, but this version reads format {own}: save it again.",
                saved=repr(saved.content["format"]),
                own=FORMAT,
            )
        )
    saved.need((*_KEYS, "members"))
    fields, members = _ensemble_fields(saved), saved.records("members")
    _check_size(fields["features"], members)
    made = [_member_fields(member, fields["features"]) for member in members]
    _check_members(fields, made)
    return fields, made


def _damaged(why: str) -> InputError:
    return InputError(message("The saved ensemble is damaged: {why}. Save it again.", why=why))


def _ensemble_fields(saved: Fields) -> dict[str, Any]:
    """The fields that are about the whole ensemble."""
    classes, combination = classes_of(saved), COMBINATIONS.get(saved.text("combination"))
    start, constant = saved.numbers("start", None), saved.numbers("constant", None)
    if saved.text("method") not in METHODS:
        raise _damaged(message("there is no method {method:.40}", method=repr(saved.text("method"))))
    if combination is None or len(constant) != max(len(classes), 1) or not combination.suits(len(start), len(classes)):
        raise _damaged(message("its start and its way to combine trees do not fit its classes"))
    return {
        "method": saved.text("method"),
        "n_stages": saved.whole("n_stages", 0, MOST_TREES),
        "start": start,
        "constant": constant,
        "combination": combination,
        "recipe": recipe_of(saved),
        "options": _options(saved.record("options")),
        "target": saved.text("target"),
        "classes": classes,
        "features": encodings_of(saved),
        "ended": Remark.from_plain(saved.content["ended"]) if saved.has("ended") else None,
        "origin": saved.text("origin") if saved.has("origin") else "",
        "version": saved.text("version") if saved.has("version") else "",
        "table_settings": saved.texts_by_name("table_settings") if saved.has("table_settings") else None,
    }


def _options(saved: Fields) -> dict[str, Any]:
    """The arguments of the call: texts, truth values and finite numbers."""
    for name in saved.content:
        if saved.has(name) and not isinstance(saved.content[name], (str, bool)):
            saved.number(name)
    return dict(saved.content)


def _check_size(features: tuple[FeatureEncoding, ...], members: list[Fields]) -> None:
    """InputError before any tree is built, where reading them would take too much time or memory."""
    n_nodes = sum(len(member.record("tree").items("parent")) for member in members)
    if len(members) > MOST_TREES:
        raise InputError(
            message(
                "The saved ensemble has {trees:,} trees, and up to {most:,} can be read: save one of fewer trees.",
                trees=len(members),
                most=MOST_TREES,
            )
        )
    if n_nodes > MOST_NODES:
        raise InputError(
            message("The saved ensemble has more than {most:,} nodes: save one of fewer trees.", most=MOST_NODES)
        )
    check_members_and_features(len(members), len(features))


def _member_fields(saved: Fields, features: tuple[FeatureEncoding, ...]) -> dict[str, Any]:
    """The fields of a member."""
    of_class, facts = saved.content.get("of_class"), saved.record("facts") if saved.has("facts") else None
    return {
        "tree": Tree.from_dict(saved.content["tree"], features),
        "stage": saved.whole("stage", 1, MOST_TREES),
        "vote": saved.number("vote"),
        "weights": saved.numbers("weights", None) if saved.has("weights") else None,
        "target": saved.numbers("target", None) if saved.has("target") else None,
        "of_class": None if of_class is None else saved.whole("of_class", 0, MOST_TREES),
        "facts": {} if facts is None else {name: facts.number(name) for name in facts.content},
    }


def _check_members(fields: dict[str, Any], members: list[dict[str, Any]]) -> None:
    """InputError unless the members fit the ensemble and each other."""
    stages = [member["stage"] for member in members]
    if stages != sorted(stages) or sorted(set(stages)) != list(range(1, fields["n_stages"] + 1)):
        raise _damaged(message("its trees do not make up its stages"))
    is_vote, width, sizes = fields["combination"].is_vote, len(fields["start"]), set[int]()
    votes_on_classes = is_vote and bool(fields["classes"])
    has_own_class = not is_vote and width > 1
    for member in members:
        tree, of_class = member["tree"], member["of_class"]
        if tree.classes != (fields["classes"] if votes_on_classes else ()):
            raise _damaged(message("a tree predicts something else"))
        if (of_class is not None) != has_own_class or (has_own_class and of_class >= width):
            raise _damaged(message("a tree belongs to a class that there is not"))
        if is_vote and member["vote"] < 0:
            raise _damaged(message("the vote of a tree is negative"))
        sizes |= {len(member[name]) for name in ("weights", "target") if member[name] is not None}
    if len(sizes) > 1:
        raise _damaged(message("its trees were grown on different numbers of rows"))
