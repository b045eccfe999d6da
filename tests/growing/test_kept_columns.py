"""The columns of a data set's last recipe are kept: the same as made anew, for any recipe, and only while it lives."""

from __future__ import annotations

import gc
import weakref
from dataclasses import fields

import numpy as np
import pytest

import explorer as ex
from explorer.recipe.columns import TrainingColumn, columns_for

RECIPES = (ex.ID3, ex.C45, ex.CART, ex.CART.replace(feature_costs=(("temperature", 2.0),)), ex.ID3.replace(bins=3))


def golf() -> ex.Dataset:
    return ex.Dataset.from_frame(ex.load_sample("golf_missing").frame, "class")


def parts(columns: list[TrainingColumn]) -> list[list[object]]:
    def plain(value: object) -> object:
        return np.asarray(value).tolist() if hasattr(value, "__len__") and not isinstance(value, frozenset) else value

    return [[plain(getattr(column, each.name)) for each in fields(column)] for column in columns]


@pytest.mark.parametrize("before", RECIPES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_columns_are_those_of_their_recipe_whatever_came_before(before, recipe):
    data = golf()
    columns_for(data, before)
    columns_for(data, recipe).clear()  # a list of one's own
    assert parts(columns_for(data, recipe)) == parts(columns_for(golf(), recipe))


@pytest.mark.parametrize(("recipe", "is_kept"), [(ex.C45, True), (ex.ID3.replace(bins=3), False)])
def test_columns_are_kept_unless_they_take_memory_of_their_own(recipe, is_kept):
    data = golf()
    first, again = columns_for(data, recipe), columns_for(data, recipe)
    assert [one is other for one, other in zip(first, again, strict=True)] == [is_kept] * 4


def test_nothing_is_kept_of_a_data_set_that_is_gone():
    data = golf()
    tree = ex.grow(data, ex.C45)
    ex.decide(tree, data, 0)
    gone = weakref.ref(data)
    del data, tree
    gc.collect()
    assert gone() is None
