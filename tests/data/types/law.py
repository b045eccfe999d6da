"""The law of the types: the same rows give the same features and the same tree from every format and connected."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa

import explorer as ex
from explorer.data.codes.scale import NUMBERS
from tests.data.types.plain_formats import kept_parts
from tests.data.types.random_tables import connected, frames, random_table
from tests.oracles.laws import print_differences

RECIPE = ex.CART.replace(missing="own_branch", max_depth=4)
Facts = dict[str, tuple[str, tuple[str, ...]]]


def facts_of(data: ex.Dataset | ex.Source, *, is_sorted: bool) -> Facts:
    """Kinds of features and target by name, and their categories as texts."""
    features = {feature.name: feature for feature in (*data.features, data.target)}
    order = sorted if is_sorted else list
    return {name: (f.kind, tuple(order(map(str, f.categories)))) for name, f in features.items()}


def tree_of(data: ex.Dataset | ex.Source) -> list[str]:
    """The rules of the tree with their classes and weights."""
    return [f"{rule.text} {rule.weight:g}" for rule in ex.rules(ex.grow(data, RECIPE))]


def differences(seed: int) -> list[str]:
    """What differs between the formats for one random table: nothing by the law."""
    table, found = random_table(seed), []
    for name, part, frame in kept_parts(table):
        data = _data_of(part)
        found += [] if data is None else _differences_in_memory(f"{seed} {name}", frame, data)
    data = _data_of(table)
    if data is None:
        return found
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, frame in frames(table, folder):
            found += _differences_in_memory(f"{seed} {name}", frame, data)
        with connected(table, folder) as sources:
            for name, source in sources:
                found += _differences_of(seed, name, source, data)
    return found


def _data_of(table: pa.Table) -> ex.Dataset | None:
    """The data set of an Arrow table; None where the target has one value, or no feature is left."""
    try:
        return ex.Dataset.from_frame(ex.read_table(table).frame, "y")
    except ex.InputError:
        return None


def _differences_in_memory(called: str, frame: pd.DataFrame, data: ex.Dataset) -> list[str]:
    """What differs between the rows of a format and those of the Arrow table."""
    try:
        other = ex.Dataset.from_frame(frame, "y")
    except ex.InputError as error:
        return [f"{called}: {error}"]
    facts, expected = facts_of(other, is_sorted=False), facts_of(data, is_sorted=False)
    if facts != expected:
        return [f"{called}: {facts} instead of {expected}"]
    return [] if tree_of(other) == tree_of(data) else [f"{called}: another tree"]


def _differences_of(seed: int, name: str, source: ex.Source, data: ex.Dataset) -> list[str]:
    """What differs in a connected table, whose categories are sorted: the tree is that of the rows in its order."""
    here, there = facts_of(source, is_sorted=True), facts_of(data, is_sorted=True)
    if here != there:
        return [f"{seed} {name}: {here} instead of {there}"]
    orders = {f.name: list(f.categories) for f in (*source.features, source.target) if f.categories}
    names = [feature.name for feature in source.features]
    same = ex.Dataset.from_frame(data.frame, "y", names, orders)
    same = replace(same, features=tuple(replace(each, scale=NUMBERS) for each in same.features))  # days as numbers
    return [] if tree_of(source) == tree_of(same) else [f"{seed} {name}: another tree"]


if __name__ == "__main__":
    print_differences(differences, "random tables")
