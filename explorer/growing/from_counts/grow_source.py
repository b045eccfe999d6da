"""Grow a tree from a connected table: the same tree as from its rows in memory."""

from __future__ import annotations

from explorer.growing.engine.node_tables import tree_of
from explorer.growing.engine.upper_tree import Progress
from explorer.growing.from_counts.levels import LevelTree
from explorer.growing.from_counts.training_table import training_table
from explorer.recipe.recipe import Recipe
from explorer.sources.source import Source
from explorer.tree.tree import Tree


def grow_source(source: Source, recipe: Recipe, progress: Progress | None, keep: bool) -> Tree:
    """Grow a full tree on all rows of a source. Raises InputError for a recipe that needs more than counts."""
    table = training_table(source, recipe, keep)
    tables = LevelTree(table, keep, progress).grow()
    return tree_of(source, recipe, table.columns, tables, source.layout.centre, table.remarks, table.factors)
