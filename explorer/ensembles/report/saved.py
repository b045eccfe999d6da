"""An ensemble as a dictionary of plain values, for JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from explorer.ensembles.combination import COMBINATIONS
from explorer.ensembles.members import Ensemble, Member
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

FORMAT = "explorer ensemble"
VERSION = 1


def ensemble_to_dict(ensemble: Ensemble) -> dict[str, Any]:
    """Everything but the training rows and what each member saw of them."""
    ended = ensemble.ended
    return {
        "format": FORMAT,
        "version": VERSION,
        "method": ensemble.method,
        "n_stages": ensemble.n_stages,
        "classes": list(ensemble.classes),
        "start": ensemble.start.tolist(),
        "constant": ensemble.constant.tolist(),
        "combination": ensemble.combination.name,
        "options": dict(ensemble.options),
        "ended": None if ended is None else {"code": ended.code, "values": list(ended.values)},
        "origin": ensemble.origin,
        "members": [_member_to_dict(member) for member in ensemble.members],
    }


def _member_to_dict(member: Member) -> dict[str, Any]:
    return {
        "stage": member.stage,
        "vote": float(member.vote),
        "of_class": member.of_class,
        "facts": {name: float(value) for name, value in member.facts.items()},
        "tree": member.tree.to_dict(),
    }


def ensemble_from_dict(content: Mapping[str, Any]) -> Ensemble:
    """The ensemble of such a dictionary, without training rows; InputError for anything else."""
    if content.get("format") != FORMAT or content.get("version") != VERSION:
        raise InputError(message("This is no saved ensemble of this program."))
    try:
        members = tuple(_member_from_dict(entry) for entry in content["members"])
        first = members[0].tree
        ended = content["ended"]
        return Ensemble(
            method=str(content["method"]),
            members=members,
            n_stages=int(content["n_stages"]),
            start=np.asarray(content["start"], dtype=np.float64),
            constant=np.asarray(content["constant"], dtype=np.float64),
            combination=COMBINATIONS[content["combination"]],
            recipe=first.recipe,
            options=dict(content["options"]),
            target=first.target,
            classes=tuple(content["classes"]),
            features=first.features,
            ended=None if ended is None else Remark(str(ended["code"]), tuple(ended["values"])),
            origin=str(content["origin"]),
        )
    except (KeyError, IndexError, TypeError, ValueError):
        raise InputError(message("The saved ensemble is incomplete.")) from None


def _member_from_dict(entry: Mapping[str, Any]) -> Member:
    tree = Tree.from_dict(entry["tree"])
    return Member(tree, int(entry["stage"]), float(entry["vote"]), None, None, entry["of_class"], dict(entry["facts"]))
