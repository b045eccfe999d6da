"""The formats of models, each recognised from what a file holds, whatever its name, and read by its own reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.errors import InputError
from explorer.foreign.catboost import ensemble_from_catboost
from explorer.foreign.content import Content
from explorer.foreign.lightgbm import ensemble_from_lightgbm_dump, ensemble_from_lightgbm_text, is_lightgbm_text
from explorer.foreign.onnx_files.ensemble import is_onnx, model_from_onnx
from explorer.foreign.record import ReadEnsemble
from explorer.foreign.scikit_learn_json import ensemble_from_sklearn_json
from explorer.foreign.ubjson import parsed_ubjson
from explorer.foreign.xgboost_json import ensemble_from_xgboost
from explorer.messages import listing, message
from explorer.tree.tree import Tree

Read = Tree | ReadEnsemble


@dataclass(frozen=True)
class Format:
    """One format: what it is called, whether some content is of it, and its reader.

    A reader gives the tree, or what an ensemble is made of, for the name of the target; it raises InputError for all
    that it cannot read.
    """

    name: str
    holds: Callable[[Content], bool]
    read: Callable[[Content, str], Read]


def _xgboost_ubjson(content: Content, target: str) -> Read:
    return ensemble_from_xgboost(parsed_ubjson(content.data), target)


FORMATS = (
    Format(
        "XGBoost (JSON)",
        lambda content: "learner" in content.names(),
        lambda content, target: ensemble_from_xgboost(content.plain, target),
    ),
    Format("XGBoost (UBJSON)", lambda content: content.data[:2] in (b"{L", b"{i", b"{U"), _xgboost_ubjson),
    Format("ONNX", is_onnx, model_from_onnx),
    Format("LightGBM (model text)", is_lightgbm_text, ensemble_from_lightgbm_text),
    Format("LightGBM (JSON)", lambda content: "tree_info" in content.names(), ensemble_from_lightgbm_dump),
    Format(
        "CatBoost (JSON)", lambda content: {"features_info", "model_info"} <= content.names(), ensemble_from_catboost
    ),
    Format(
        "scikit-learn (ensemble, by the snippet)",
        lambda content: "ensemble" in content.names(),
        lambda content, target: ensemble_from_sklearn_json(content.plain, target),
    ),
    Format(
        "scikit-learn (tree, by the snippet)",
        lambda content: "children_left" in content.names(),
        lambda content, target: Tree.from_sklearn_json(content.plain, target),
    ),
)
"""All formats of other programs, the surest signs first."""


def read_model(content: Content, target: str) -> Read:
    """The model in this content; InputError for a file of no format that can be read."""
    for known in FORMATS:
        if known.holds(content):
            return known.read(content, target)
    raise InputError(
        message(
            "'{name}' holds no model that can be read. Readable: {formats}.",
            name=content.name,
            formats=listing([known.name for known in FORMATS]),
        )
    )
