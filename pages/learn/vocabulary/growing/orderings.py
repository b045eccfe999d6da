"""Breiman's ordering: the categories by their share of a class, the cuts between them, and all groupings."""

from __future__ import annotations

from explorer.drawing.pictures.splits.ordered_categories import CategoryShare, OrderedCategories
from explorer.formatting import value_text
from pages.learn.vocabulary.words import Here, word
from pages.results.lessons import groupings

_CODE = 1
"""The class whose share orders the categories."""


@word
def cuts(here: Here, feature: str) -> int:
    """How many cuts there are between the sorted categories."""
    return len(groupings.groupings(here.table, feature, _CODE).cuts)


@word
def categories(here: Here, feature: str) -> int:
    """How many categories there are."""
    return cuts(here, feature) + 1


@word
def groupings_of(here: Here, feature: str) -> int:
    """How many pairs of groups there are."""
    return len(groupings.groupings(here.table, feature, _CODE).all_values)


@word
def best_cut(here: Here, feature: str) -> float:
    """The mean impurity after the best cut."""
    return min(groupings.groupings(here.table, feature, _CODE).cuts)


@word
def best_grouping(here: Here, feature: str) -> float:
    """The mean impurity after the best of all groupings."""
    return groupings.groupings(here.table, feature, _CODE).all_values[0]


@word
def ordered_class(here: Here) -> str:
    """The class whose share orders the categories."""
    return f"{here.data.target.name} = {value_text(here.data.classes[_CODE])}"


@word
def ordering(here: Here, feature: str, sort: bool = True) -> OrderedCategories:
    """The categories with their share of a class, a cut between them, and all groupings on one axis."""
    found = groupings.groupings(here.table, feature, _CODE)
    rows = zip(found.categories, found.counts, found.shares, found.places, strict=True)
    return OrderedCategories(
        says=here.says,
        title=here.heading,
        class_name=ordered_class(here),
        code=_CODE,
        categories=tuple(CategoryShare(*row) for row in rows),
        cuts=found.cuts,
        groupings=found.all_values,
        best=found.best,
        shown=found.best,
        is_sorted=sort,
    )
