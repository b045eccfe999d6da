"""Breiman's ordering: the categories by their share of a class, the cuts between them, and all groupings."""

from __future__ import annotations

from explorer.drawing.pictures.splits.ordered_categories import CategoryShare, OrderedCategories
from explorer.formatting import value_text
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import groupings

_CODE = 1
"""The class whose share orders the categories."""


@word
def cuts(here: Here, feature: str) -> int:
    """How many cuts there are between the sorted categories."""
    return len(groupings.groupings(here.table, feature, _CODE).cuts)


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


add(
    categories=lambda here, feature: cuts(here, feature) + 1,  # How many categories there are.
    # How many pairs of groups there are.
    groupings_of=lambda here, feature: len(groupings.groupings(here.table, feature, _CODE).all_values),
    # The mean impurity after the best cut.
    best_cut=lambda here, feature: min(groupings.groupings(here.table, feature, _CODE).cuts),
    # The mean impurity after the best of all groupings.
    best_grouping=lambda here, feature: groupings.groupings(here.table, feature, _CODE).all_values[0],
)
