"""An ensemble as plain lists and values for JSON, and back; the text may come from anybody (section 16)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.combination import COMBINATIONS, Combination
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

if TYPE_CHECKING:
    from explorer.ensembles.members import Ensemble, Member

FORMAT = 1
MOST_MEMBERS, MOST_NODES = 100_000, 20_000_000
METHODS = ("forest", "bagging", "extra_trees", "adaboost", "c50", "gradient_boosting", "newton_boosting")
_KEYS = ("method", "n_stages", "start", "constant", "combination", "recipe", "options", "target", "classes", "features")
_DAMAGE = (TypeError, ValueError, KeyError, AttributeError, OverflowError, IndexError)


def ensemble_to_dict(ensemble: Ensemble, with_rows: bool = True) -> dict[str, Any]:
    """Everything of an ensemble but its training set; the members' weights and targets only `with_rows`."""
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
        "features": [dataclasses.asdict(encoding) for encoding in ensemble.features],
        "ended": None if ensemble.ended is None else ensemble.ended.to_plain(),
        "origin": ensemble.origin,
        "members": [_member_to_dict(member, with_rows) for member in ensemble.members],
    }


def _member_to_dict(member: Member, with_rows: bool) -> dict[str, Any]:
    return {
        "tree": member.tree.to_dict(),
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
    if not isinstance(content, Mapping):
        raise _damaged(message("it is no record of names and values"))
    if content.get("format", FORMAT) != FORMAT:
        raise InputError(
            message(
                "The ensemble was saved in format {saved:.40}, but this version reads format {own}: save it again.",
                saved=repr(content["format"]),
                own=FORMAT,
            )
        )
    absent = [key for key in (*_KEYS, "members") if key not in content]
    if absent:
        raise _damaged(message("these keys are missing: {keys}", keys=listing(absent)))
    try:
        fields = _ensemble_fields(content)
        members = [_member_fields(each) for each in _items(content["members"])]
    except InputError:
        raise
    except _DAMAGE:
        raise _damaged(message("some of its values have another type than they should")) from None
    _check_members(fields, members)
    return fields, members


def _damaged(why: str) -> InputError:
    return InputError(message("The saved ensemble is damaged: {why}. Save it again.", why=why))


def _ensemble_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are about the whole ensemble."""
    combination = COMBINATIONS.get(str(content["combination"]))
    start, constant = _finite(content["start"]), _finite(content["constant"])
    classes = tuple(content["classes"])
    if content["method"] not in METHODS:
        raise _damaged(message("there is no method {method:.40}", method=repr(content["method"])))
    if not isinstance(content["classes"], list) or len(set(map(repr, classes))) < len(classes):
        raise _damaged(message("its classes are not a list of different values"))
    if combination is None or len(constant) != max(len(classes), 1) or not _fits(combination, len(start), len(classes)):
        raise _damaged(message("its start and its way to combine members do not fit its classes"))
    ended = content.get("ended")
    return {
        "method": _text(content["method"]),
        "n_stages": _whole(content["n_stages"], 0, MOST_MEMBERS),
        "start": start,
        "constant": constant,
        "combination": combination,
        "recipe": Recipe(**content["recipe"]),
        "options": {_text(name): value for name, value in content["options"].items()},
        "target": _text(content["target"]),
        "classes": classes,
        "features": tuple(_encoding(plain) for plain in _items(content["features"])),
        "ended": None if ended is None else Remark.from_plain(ended),
        "origin": _text(content.get("origin", "")),
    }


def _fits(combination: Combination, width: int, n_classes: int) -> bool:
    """Whether scores of this width suit the combination and the classes."""
    if combination.is_vote:
        return width == max(n_classes, 1)
    return width == (n_classes if n_classes > 2 else 1)


def _encoding(plain: Mapping[str, Any]) -> FeatureEncoding:
    return FeatureEncoding(**{**plain, "labels": tuple(plain["labels"]), "edges": tuple(plain["edges"])})


def _member_fields(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a member."""
    tree, vote = Tree.from_dict(dict(plain["tree"])), float(plain["vote"])
    if not math.isfinite(vote):
        raise _damaged(message("the vote of a member is not a finite number"))
    of_class = plain.get("of_class")
    return {
        "tree": tree,
        "stage": _whole(plain["stage"], 1, MOST_MEMBERS),
        "vote": vote,
        "weights": None if plain.get("weights") is None else _finite(plain["weights"]),
        "target": None if plain.get("target") is None else _finite(plain["target"]),
        "of_class": None if of_class is None else _whole(of_class, 0, MOST_MEMBERS),
        "facts": {_text(name): float(value) for name, value in plain.get("facts", {}).items()},
    }


def _check_members(fields: dict[str, Any], members: list[dict[str, Any]]) -> None:
    """InputError unless the members fit the ensemble and each other."""
    if len(members) > MOST_MEMBERS or sum(member["tree"].n_nodes_grown for member in members) > MOST_NODES:
        raise InputError(
            message("The saved ensemble has more than {most:,} nodes: save one of fewer trees.", most=MOST_NODES)
        )
    stages = [member["stage"] for member in members]
    if stages != sorted(stages) or sorted(set(stages)) != list(range(1, fields["n_stages"] + 1)):
        raise _damaged(message("its members do not make up its stages"))
    votes_on_classes = fields["combination"].is_vote and bool(fields["classes"])
    width, sizes = len(fields["start"]), set[int]()
    for member in members:
        tree, of_class = member["tree"], member["of_class"]
        if tree.classes != (fields["classes"] if votes_on_classes else ()):
            raise _damaged(message("a member predicts something else"))
        if of_class is not None and (votes_on_classes or of_class >= width):
            raise _damaged(message("a member belongs to a class that there is not"))
        sizes |= {len(member[name]) for name in ("weights", "target") if member[name] is not None}
    if len(sizes) > 1:
        raise _damaged(message("its members were grown on different numbers of rows"))


def _items(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _damaged(message("a list is missing"))
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _damaged(message("a text is missing"))
    return value


def _whole(value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _damaged(message("a whole number is missing or out of range"))
    return value


def _finite(value: object) -> NDArray[np.float64]:
    """A list of finite numbers as an array."""
    numbers = np.array(_items(value), dtype=np.float64)
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise _damaged(message("a list of finite numbers is missing"))
    return numbers
