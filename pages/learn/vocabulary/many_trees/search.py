"""Exact searches: all trees of a depth, the shortest tree beside ID3's, and the best tree below every candidate."""

from __future__ import annotations

from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.chart import (
    Axis,
    Chart,
    Panel,
    Place,
    TreeGallery,
    TreePanel,
    dot,
    line,
    small_tree,
)
from pages.learn.vocabulary.pictures import bar_picture
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


@word
def errs_on(here: Here, of: str, depth: int, feature: str = "") -> int:
    """Misclassified rows within a depth: of greedy growth, of the best tree, or of the best tree after a feature."""
    price = many_trees.price_of_greed(here.table, here.recipe, depth)
    if of == "after":
        below = price.of_feature(feature)
        assert below is not None, f"no candidate on {feature}"
        return round(below.upper)
    return round(price.loss if of == "greedy" else price.upper)


@word
def bars_of_errors(here: Here, depth: int, asks: bool = False) -> Bars:
    """The misclassified rows of the best tree after every candidate."""
    price = many_trees.price_of_greed(here.table, here.recipe, depth)
    bars = [
        Bar(here.named(below.candidate.feature), below.upper, "", below.upper <= price.upper)
        for below in price.candidates
    ]
    return bar_picture(here, bars, digits=0, asks=asks)


@word
def small_best(here: Here, key: str, title: str, depth: int) -> TreePanel:
    """The best tree of a depth, for a picture of several."""
    return small_tree(many_trees.best_tree(here.table, here.recipe, depth)[0], title, is_best=True)


@word
def claims(here: Here, depth: int) -> int:
    """How many claims prove that a tree of this depth is the best."""
    return len(many_trees.best_tree(here.table, here.recipe, depth)[1]["claims"])


@word
def bounds(here: Here, feature: str, depth: int) -> Chart:
    """What the certificate says of every threshold of a feature at the root: no tree with it errs on fewer rows."""
    thresholds, bounds = many_trees.bounds_of_thresholds(here.table, here.recipe, depth, feature)
    best, most = errs_on(here, "best", depth), max(bounds) + 1.0
    low, high = thresholds[0] - 0.1, thresholds[-1] + 0.1
    marks = [
        line("best", ((low, best), (high, best)), "quiet", dash=[4, 4]),
        *(dot(f"{at:g}", at, bound, "primary", r=4) for at, bound in zip(thresholds, bounds, strict=True)),
    ]
    axes = Axis(low=low, high=high, title=here.named(feature)), Axis(low=0.0, high=most)
    panel = Panel(x=axes[0], y=axes[1], marks=tuple(marks), title=here.heading)
    return Chart(says=here.says, columns=((panel,),), places=(Place(said=here.says),))
