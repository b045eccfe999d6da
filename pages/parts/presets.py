"""How ID3, C4.5 and CART differ, beside the settings in force."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.export.names import IMPURITY_NAMES
from pages.parts import cached, options
from pages.parts.comparison import SIDES
from pages.parts.options import RECIPES
from pages.parts.state import Settings

_TINT = "background-color: rgba(120, 110, 230, 0.25)"
_CATEGORICAL = {
    "each_value": "A branch for each value",
    "one_vs_rest": "One value against the rest",
    "subset": "Two groups of values",
}
_PRUNING = {"ID3": "α on the entropy", "C4.5": "Pessimistic, CF 25 %", "CART": "Cost-complexity"}
_TARGETS = {"ID3": "Classes", "C4.5": "Classes", "CART": "Classes or a number"}


def show(settings: Settings) -> None:
    """One line per choice, the three presets and then the settings; what a setting has changed is tinted."""
    regression = cached.data(settings).is_regression
    presets = {name: facts(recipe, regression) for name, recipe in RECIPES.items()}
    found = {slot: cached.recipe(settings, slot) for slot in settings.compare.slots}
    columns = {f"{SIDES[slot]}: {recipe.name}": facts(recipe, regression) for slot, recipe in found.items()}
    frame = pd.DataFrame(presets | columns)
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for title, recipe in zip(columns, found.values(), strict=True):
        looks.loc[frame[title] != frame[recipe.name], title] = _TINT
    st.dataframe(frame.style.apply(lambda _: looks, axis=None), key="presets")
    st.caption(
        "Tinted: what a setting has changed of its preset. Every other option is as the presets have it, or told above."
    )


def facts(recipe: ex.Recipe, regression: bool) -> dict[str, str]:
    """The choices in which the presets differ, in words."""
    words = {field: options.BY_FIELD[field].choices for field in ("score", "numeric", "missing", "mean_gain_filter")}
    by_ratio = recipe.score == "gain_ratio"
    return {
        "Target": _TARGETS[recipe.name],
        "Impurity": _impurity(recipe, regression),
        "Features compete by": words["score"][recipe.score],
        "Who may compete": words["mean_gain_filter"][recipe.mean_gain_filter] if by_ratio else "Every feature",
        "Test of a category": _CATEGORICAL[recipe.categorical],
        "Branches without rows": "Kept as leaves" if recipe.empty_branches else "None",
        "Test of a number": words["numeric"][recipe.numeric],
        "Missing cells": words["missing"][recipe.missing],
        "Pruning offered first": _PRUNING[recipe.name],
    }


def _impurity(recipe: ex.Recipe, regression: bool) -> str:
    """The impurity in force for the target; of a preset that needs classes, its own."""
    if recipe.impurity is not None:
        return IMPURITY_NAMES[recipe.impurity].capitalize()
    return "Variance" if regression else "Gini"
