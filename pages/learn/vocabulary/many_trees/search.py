"""The search for the shortest tree: all trees of a depth, and the shortest one beside ID3's."""

from __future__ import annotations

from explorer.drawing.pictures.chart import TreeGallery, TreePanel, small_tree
from pages.learn.vocabulary.words import Here, word
from pages.results.lessons import many_trees


@word
def gallery(here: Here, depth: int, selected: int = 0) -> TreeGallery:
    """All trees up to a depth."""
    trees, best = many_trees.trees_of_depth(here.table, depth)
    return TreeGallery(says=here.says, title=here.heading, trees=trees, best=tuple(range(best)), selected=selected)


@word
def searched(here: Here, part: str, depth: int | None = None, by: str = "depth") -> int:
    """What the search has found: tests, depth, optimal; with a depth trees_by_depth or consistent_by_depth."""
    found = getattr(many_trees.shortest(here.table, by), part)
    return int(found or 0) if depth is None else int(found[depth])


@word
def compared(here: Here) -> int:
    """How many candidates ID3 compares."""
    return sum(map(sum, many_trees.shortest(here.table).greedy_candidates))


@word
def small_searched(
    here: Here, key: str, title: str, by: str = "depth", note: str = "", best: bool = False, counts: bool = False
) -> TreePanel:
    """The shortest tree by depth or tests, for a picture of several."""
    return small_tree(many_trees.shortest(here.table, by).tree, title, note=note, is_best=best)
