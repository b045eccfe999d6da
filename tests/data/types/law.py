"""The law of the types: the same rows give the same features and the same tree from every format and connected."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import explorer as ex
from tests.data.types.random_tables import connected, frames, random_table

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
    try:
        data = ex.Dataset.from_frame(ex.read_table(table).frame, "y")
    except ex.InputError:
        return []  # a target of one value, or no feature
    first, tree = facts_of(data, is_sorted=False), tree_of(data)
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in frames(table, Path(folder)):
            other = ex.Dataset.from_frame(frame, "y")
            if (facts := facts_of(other, is_sorted=False)) != first:
                found.append(f"{seed} {name}: {facts} instead of {first}")
            elif tree_of(other) != tree:
                found.append(f"{seed} {name}: another tree")
    with connected(table) as sources:
        for name, source in sources:
            found += _differences_of(seed, name, source, data)
    return found


def _differences_of(seed: int, name: str, source: ex.Source, data: ex.Dataset) -> list[str]:
    """What differs in a connected table, whose categories are sorted: the tree is that of the rows in its order."""
    here, there = facts_of(source, is_sorted=True), facts_of(data, is_sorted=True)
    if here != there:
        return [f"{seed} {name}: {here} instead of {there}"]
    orders = {f.name: list(f.categories) for f in (*source.features, source.target) if f.categories}
    names = [feature.name for feature in source.features]
    same = ex.Dataset.from_frame(data.frame, "y", names, orders)
    return [] if tree_of(source) == tree_of(same) else [f"{seed} {name}: another tree"]


if __name__ == "__main__":
    tables = range(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    found = [text for seed in tables for text in differences(seed)]
    sys.stdout.write("\n".join([*found, f"{len(found)} differences in {len(tables)} random tables"]) + "\n")
