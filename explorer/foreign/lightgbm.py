"""A model of LightGBM without LightGBM: the text of `save_model`, or the JSON of `dump_model`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.lightgbm_trees import (
    LARGEST_CODE,
    Splits,
    no_model,
    nodes_of,
    refuse,
    splits_from_dump,
    splits_from_lines,
)
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_FEATURES,
    MOST_NODES_IN_ALL,
    MOST_TREES,
    check_members_and_features,
    unknown_objective,
)
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, members_of
from explorer.json_text import parsed
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value

COMBINATIONS = {
    **dict.fromkeys(("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank"), "sum"),
    "rank_xendcg": "sum",
    "cross_entropy": "sum_to_share",
    "binary": "sum_sigmoid",
    "multiclass": "sum_softmax",
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "sum_exponential"),
}
"""How the trees add up, by the model's objective."""


@dataclass(frozen=True)
class Read:
    """What a file says: its trees in order, `width` of them a round, and the rest.

    `objective` is its name and options, "" where a function of its user took its place; `categories` are those of each
    column of categories of the data frame, None where the file knows of no data frame.
    """

    trees: Sequence[Splits]
    width: int
    objective: str
    names: Sequence[str]
    ranges: Sequence[Sequence[int] | None]
    """The codes of each feature with categories; None for numbers."""
    categories: Sequence[Sequence[Value]] | None
    is_mean: bool
    version: str


def is_lightgbm_text(content: Content) -> bool:
    """Whether this is a model text."""
    return content.data[:200].lstrip().startswith(b"tree") and b"\nversion=" in content.data[:200].replace(b"\r", b"")


def ensemble_from_lightgbm_text(content: Content, target: str) -> ReadEnsemble:
    """The ensemble behind a model text; InputError for anything else."""
    if content.text is None:
        refuse(message("it is no text"))
    head, *parts = content.text.replace("\r\n", "\n").split("\nTree=")
    if len(parts) > MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(parts), most=MOST_TREES))
    lines, rest = _lines(head), parts[-1].partition("\nend of trees")[2] if parts else ""
    categories = rest.rpartition("\npandas_categorical:")[2].strip() if "\npandas_categorical:" in rest else "null"
    return _assembled(
        Read(
            trees=[splits_from_lines(_lines(part.partition("\nend of trees")[0])) for part in parts],
            width=_whole_text(lines, "num_tree_per_iteration"),
            objective=lines.get("objective", ""),
            names=lines.get("feature_names", "").split(),
            ranges=[_codes_of_text(word) for word in lines.get("feature_infos", "").split()],
            categories=_categories(parsed(categories, lambda: no_model(message("the text is not JSON")))),
            is_mean="average_output" in lines,
            version=lines.get("version", ""),
        ),
        target,
    )


def ensemble_from_lightgbm_dump(content: Content, target: str) -> ReadEnsemble:
    """The ensemble behind a dump; InputError for anything else."""
    fields = Fields(content.plain, no_model)
    trees = fields.records("tree_info")
    if len(trees) > MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(trees), most=MOST_TREES))
    names = [str(name)[:200] for name in fields.items("feature_names")]
    infos = fields.record("feature_infos") if fields.has("feature_infos") else Fields({}, no_model)
    return _assembled(
        Read(
            trees=[splits_from_dump(tree.content.get("tree_structure")) for tree in trees],
            width=fields.whole("num_tree_per_iteration", 1, MOST_CLASSES),
            objective=fields.text("objective") if fields.has("objective") else "",
            names=names,
            ranges=[_codes_of_dump(infos, name) for name in names],
            categories=_categories(fields.content.get("pandas_categorical")),
            is_mean=fields.content.get("average_output") is True,
            version=str(fields.content.get("version", "")),
        ),
        target,
    )


def _assembled(read: Read, target: str) -> ReadEnsemble:
    """The ensemble of these trees."""
    combination, factor = _combination(read.objective, read.width)
    if not read.trees or sum(len(tree.value) for tree in read.trees) * 2 > MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    if len(read.trees) % read.width:
        refuse(message("its number of trees does not fit its classes"))
    features = _features(read)
    check_members_and_features(len(read.trees), len(features))
    n_rounds = len(read.trees) // read.width
    vote = factor / n_rounds if read.is_mean else factor
    members = members_of(_trees(read.trees, features, target), read.width, vote)
    return ReadEnsemble(
        origin="LightGBM",
        method="newton_boosting",
        combination=combination,
        members=members,
        start=np.zeros(read.width),
        constant=None,
        target=target,
        classes=tuple(range({"sum_sigmoid": 2, "sum_softmax": read.width}.get(combination, 0))),
        features=features,
        version=read.version.removeprefix("v")[:20],
    )


def _trees(splits: Sequence[Splits], features: tuple[FeatureEncoding, ...], target: str) -> list[Tree]:
    """The trees; those whose leaves do not all tell how many rows they stand for have weights that count none."""
    moved = sum(len(tree.moves_zero) for tree in splits)
    remark = Remark("from_lightgbm_zero", (moved,)) if moved else None
    nodes = [nodes_of(tree, features) for tree in splits]
    trees: dict[int, Tree] = {}
    for counts_rows in (True, False):
        places = [place for place, tree in enumerate(splits) if bool((tree.count > 0).all()) == counts_rows]
        model = Model("LightGBM", features, target, counts_rows=counts_rows, remark=remark)
        some: list[ModelNodes] = [nodes[place] for place in places]
        trees |= dict(zip(places, trees_of(some, model, refuse) if some else [], strict=True))
    return [trees[place] for place in range(len(splits))]


def _combination(told: str, width: int) -> tuple[str, float]:
    """How the trees add up, and what each is multiplied by: LightGBM's `sigmoid` in the link of two classes."""
    name, *options = told.split() or ["regression"]
    if name not in COMBINATIONS or "sqrt" in options:
        raise unknown_objective(told, COMBINATIONS)
    combination = COMBINATIONS[name]
    if not 1 <= width <= MOST_CLASSES or (width > 1) != (combination == "sum_softmax"):
        refuse(message("its number of trees does not fit its classes"))
    if combination != "sum_sigmoid":
        return combination, 1.0
    steepness = next((option.removeprefix("sigmoid:") for option in options if option.startswith("sigmoid:")), "1")
    return combination, _number(steepness, "sigmoid")


def _features(read: Read) -> tuple[FeatureEncoding, ...]:
    """The features; those of categories have the names that the data frame had, or codes where there was none."""
    names = read.names
    if len(names) > MOST_FEATURES:
        refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
    if not len(set(names)) == len(names) == len(read.ranges):
        refuse(message("its feature names are too few, or two of them are the same"))
    by_category = [place for place, codes in enumerate(read.ranges) if codes is not None]
    if read.categories and len(read.categories) != len(by_category):
        raise InputError(
            message(
                "The data frame had {n} columns of categories, and the model splits {used} features by category, so "
                "that their names cannot be told apart: fit it without ordered categories and columns of one value.",
                n=len(read.categories),
                used=len(by_category),
            )
        )
    features = [FeatureEncoding(name, "numeric", "threshold") for name in names]
    for order, place in enumerate(by_category):
        if read.categories:
            features[place] = FeatureEncoding(names[place], "categorical", "subset", tuple(read.categories[order]))
        else:
            codes = tuple(float(code) for code in sorted(set(read.ranges[place] or ())))
            features[place] = FeatureEncoding(names[place], "numeric", "subset", codes)
    return tuple(features)


def _categories(told: object) -> list[tuple[Value, ...]] | None:
    """The categories of each such column of the data frame, in the order of their codes."""
    if told is None:
        return None
    columns = Fields({"pandas_categorical": told}, no_model).items("pandas_categorical")
    found = [Fields({"pandas_categorical": each}, no_model).values("pandas_categorical") for each in columns]
    if any(len(set(each)) < len(each) or sum(map(len, map(str, each))) > LARGEST_CODE for each in found):
        refuse(message("two categories have the same name"))
    return found


def _lines(part: str) -> dict[str, str]:
    """The lines of a part of the text by their names."""
    return {name: value for name, _, value in (line.partition("=") for line in part.split("\n")) if name}


def _codes_of_text(word: str) -> list[int] | None:
    """The codes of a feature, as in "0:2:1"; None for a range of numbers, and for a feature without use."""
    if word == "none" or word.startswith("["):
        return None
    parts = word.split(":")
    if not all(
        part.removeprefix("-").isascii() and part.removeprefix("-").isdigit() and len(part) < 10 for part in parts
    ):
        refuse(message("'{name}' is no whole number", name="feature_infos"))
    return [int(part) for part in parts if not part.startswith("-")]


def _codes_of_dump(infos: Fields, name: str) -> list[int] | None:
    """The same from a dump."""
    if not infos.has(name):
        return None
    codes = infos.record(name).whole_numbers("values", None, -1, LARGEST_CODE).tolist()
    return [code for code in codes if code >= 0] if codes else None


def _whole_text(lines: Mapping[str, str], name: str) -> int:
    word = lines.get(name, "")
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        refuse(message("'{name}' is no whole number", name=name))
    return int(word)


def _number(word: str, name: str) -> float:
    try:
        number: Any = float(word)
    except ValueError:
        number = None
    return Fields({name: number}, no_model).number(name, LARGEST_SUMMED)
