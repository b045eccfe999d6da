"""A tree as plain lists and values for JSON, and back."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import Surrogates
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.constraints import Choices
from explorer.tree.smoothing import Smoothing

if TYPE_CHECKING:
    from explorer.tree.tree import Tree

FORMAT = 2
_ARRAYS = {
    "parent": np.int32,
    "first_child": np.int32,
    "child_count": np.int32,
    "depth": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "cat_offset": np.int64,
    "cat_code": np.int32,
    "cat_branch": np.int32,
    "missing_branch": np.int32,
    "weight": np.float64,
    "stats": np.float64,
    "impurity": np.float64,
    "stop": np.int8,
    "missing_weight": np.float64,
    "is_pruned": np.bool_,
}

_SURROGATES = {
    "offset": np.int64,
    "feature": np.int32,
    "cut": np.float64,
    "below": np.int32,
    "above": np.int32,
    "agreement": np.float64,
    "adjusted": np.float64,
    "pair_offset": np.int64,
    "code": np.int32,
    "branch": np.int32,
}


def tree_to_dict(tree: Tree) -> dict[str, Any]:
    """Everything of a tree but its evidence; a node without a threshold has None there."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "target": tree.target,
        "classes": list(tree.classes),
        "recipe": dataclasses.asdict(tree.recipe),
        "features": [dataclasses.asdict(encoding) for encoding in tree.features],
        "notes": [remark.to_plain() for remark in tree.remarks],
    }
    for name in _ARRAYS:
        content[name] = getattr(tree, name).tolist()
    if tree.origin is not None:
        content["origin"] = tree.origin.tolist()
    if tree.class_factors is not None:
        content["class_factors"] = tree.class_factors.tolist()
    if tree.validation is not None:
        content["validation"] = [None if np.isnan(pair[0]) else pair.tolist() for pair in tree.validation]
    if tree.choices is not None:
        reasons = ["" if remark is None else remark.to_plain() for remark in tree.refusals]
        content["choices"] = {"history": tree.choices.to_plain(), "not_in_force": reasons}
    if tree.forced is not None:
        content["forced"] = np.flatnonzero(tree.forced).tolist()
    if tree.predictions is not None:
        content["predictions"] = tree.predictions.tolist()
    if tree.smoothing is not None:
        content["smoothing"] = tree.smoothing.to_plain()
    if tree.surrogates is not None:
        content["surrogates"] = {name: getattr(tree.surrogates, name).tolist() for name in _SURROGATES}
        content["surrogates"]["cut"] = [None if np.isnan(cut) else cut for cut in content["surrogates"]["cut"]]
    content["threshold"] = [None if np.isnan(number) else number for number in tree.threshold.tolist()]
    return content


def fields_from_dict(content: dict[str, Any]) -> dict[str, Any]:
    """The fields of the tree behind `tree_to_dict`'s result; InputError where a field is missing."""
    if content.get("format", FORMAT) != FORMAT:
        saved = content["format"]
        raise InputError(
            message(
                "The tree was saved in format {saved}, but this version reads format {own}: save it again.",
                saved=saved,
                own=FORMAT,
            )
        )
    absent = sorted({"format", "target", "classes", "recipe", "features", *_ARRAYS} - set(content))
    if absent:
        raise InputError(message("This is not a saved tree: these keys are missing: {keys}.", keys=listing(absent)))
    arrays: dict[str, Any] = {
        name: np.asarray(content[name], dtype=dtype) for name, dtype in _ARRAYS.items() if name != "threshold"
    }
    arrays["threshold"] = np.array([np.nan if v is None else v for v in content["threshold"]], dtype=np.float64)
    if content.get("class_factors") is not None:
        arrays["class_factors"] = np.array(content["class_factors"], dtype=np.float64)
    if content.get("validation") is not None:
        pairs = [(np.nan, np.nan) if pair is None else tuple(pair) for pair in content["validation"]]
        arrays["validation"] = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    factors = arrays.pop("class_factors", None)
    _check(arrays, len(content["features"]))
    if len(content.get("origin") or arrays["parent"]) != len(arrays["parent"]):
        raise InputError(message("The saved tree is damaged: its origin has the wrong length. Save it again."))
    return dict(
        target=content["target"],
        classes=tuple(content["classes"]),
        recipe=Recipe(**content["recipe"]),
        features=tuple(
            FeatureEncoding(**{**plain, "labels": tuple(plain["labels"]), "edges": tuple(plain["edges"])})
            for plain in content["features"]
        ),
        remarks=tuple(Remark.from_plain(plain) for plain in content.get("notes", ())),
        origin=None if content.get("origin") is None else np.asarray(content["origin"], dtype=np.int32),
        class_factors=factors,
        predictions=_predictions(content, len(arrays["parent"])),
        surrogates=_surrogates(content.get("surrogates"), arrays, len(content["features"])),
        smoothing=None if content.get("smoothing") is None else Smoothing.from_plain(content["smoothing"]),
        **_choices(content, arrays["feature"]),
        **arrays,
    )


def _predictions(content: dict[str, Any], n_nodes: int) -> NDArray[np.float64] | None:
    """The replaced predictions; InputError where they do not fit the nodes."""
    if content.get("predictions") is None:
        return None
    numbers = np.asarray(content["predictions"], dtype=np.float64)
    if numbers.shape != (n_nodes,) or not np.isfinite(numbers).all() or content["classes"]:
        raise InputError(message("The saved tree is damaged: its predictions do not fit its nodes. Save it again."))
    return numbers


def _choices(content: dict[str, Any], feature: NDArray[np.int32]) -> dict[str, Any]:
    """The manual constraints; InputError where they do not fit the nodes."""
    fields: dict[str, Any] = {}
    if content.get("choices") is not None:
        choices, plain = Choices.from_plain(content["choices"]["history"]), content["choices"]["not_in_force"]
        reasons = tuple(Remark.from_plain(reason) if reason else None for reason in plain)
        fields = {"choices": choices, "refusals": reasons}
        if len(choices) != len(reasons):
            raise InputError(message("The saved tree is damaged: its choices are not complete. Save it again."))
    if content.get("forced") is not None:
        nodes = np.asarray(content["forced"], dtype=np.int64)
        if ((nodes < 0) | (nodes >= len(feature))).any() or (feature[nodes] < 0).any():
            raise InputError(
                message("The saved tree is damaged: a split chosen by hand is not at an internal node. Save it again.")
            )
        fields["forced"] = np.isin(np.arange(len(feature)), nodes)
    return fields


def _surrogates(content: dict[str, Any] | None, arrays: dict[str, Any], n_features: int) -> Surrogates | None:
    """The surrogates; InputError unless they fit the nodes: the compiled loops that read them do not check."""
    if content is None:
        return None
    if set(content) != set(_SURROGATES):
        raise InputError(message("The saved tree is damaged: its surrogates are not complete. Save it again."))
    cut = [np.nan if number is None else number for number in content["cut"]]
    surrogates = Surrogates(
        **{n: np.asarray(cut if n == "cut" else content[n], dtype=d) for n, d in _SURROGATES.items()}
    )
    n_surrogates, pairs = len(surrogates.feature), len(surrogates.code)
    if not (
        surrogates.offset.shape == (len(arrays["parent"]) + 1,)
        and surrogates.pair_offset.shape == (n_surrogates + 1,)
        and all(len(getattr(surrogates, n)) == n_surrogates for n in ("cut", "below", "above", "agreement", "adjusted"))
        and len(surrogates.branch) == pairs
        and all(o[0] == 0 and o[-1] == end and (np.diff(o) >= 0).all()
                for o, end in ((surrogates.offset, n_surrogates), (surrogates.pair_offset, pairs)))
        and ((surrogates.feature >= 0) & (surrogates.feature < n_features)).all()
    ):  # fmt: skip
        raise InputError(message("The saved tree is damaged: its surrogates do not fit its nodes. Save it again."))
    return surrogates


def _check(arrays: dict[str, Any], n_features: int) -> None:
    """InputError unless the arrays describe one tree: the compiled loops that read them do not check."""
    n, pairs = len(arrays["parent"]), len(arrays["cat_code"])
    lengths = {name: n for name in arrays if not name.startswith("cat_")}
    lengths |= {"cat_offset": n + 1, "cat_code": pairs, "cat_branch": pairs}
    first, count, ids = arrays["first_child"], arrays["child_count"], np.arange(n)
    if n == 0 or any(len(arrays[name]) != length for name, length in lengths.items()):
        raise InputError(message("The saved tree is damaged: its arrays have different lengths. Save it again."))
    offsets = arrays["cat_offset"]
    if not (
        arrays["parent"][0] == -1
        and ((arrays["parent"][1:] >= 0) & (arrays["parent"][1:] < ids[1:])).all()
        and ((first == -1) | ((first > ids) & (first + count <= n) & (count > 1))).all()
        and ((first >= 0) == (arrays["feature"] >= 0)).all()
        and (arrays["feature"] < n_features).all()
        and offsets[0] == 0
        and offsets[-1] == pairs
        and (np.diff(offsets) >= 0).all()
        and (arrays["cat_branch"] >= 0).all()
    ):
        raise InputError(message("The saved tree is damaged: its arrays do not describe one tree. Save it again."))
