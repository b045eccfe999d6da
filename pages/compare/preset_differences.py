"""How ID3, C4.5 and CART differ, beside the settings in force."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.recipe.impurity import FOR_CLASSES, FOR_NUMBERS, IMPURITIES
from pages.results import trees
from pages.settings import growing_options
from pages.settings.growing_options import RECIPES
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.widgets import page_frame

_WORDED = ("score", "mean_gain_filter", "categorical", "numeric", "missing")
_PRUNING = {"ID3": "α on the entropy", "C4.5": "Pessimistic, CF 25 %", "CART": "Cost-complexity"}
_TARGETS = {"ID3": "Classes", "C4.5": "Classes", "CART": "Classes or a number"}


def show(settings: Settings) -> None:
    """One line per choice: the presets, each with the settings that are as it; then the settings that are not."""
    regression = trees.data(settings).is_regression
    presets = {name: facts(recipe, regression) for name, recipe in RECIPES.items()}
    recipes = {SIDES[slot]: trees.recipe(settings, slot) for slot in settings.compare.slots}
    changed = {
        letter: recipe for letter, recipe in recipes.items() if facts(recipe, regression) != presets[recipe.name]
    }
    titles = {
        name: _title(name, [letter for letter in recipes if recipes[letter].name == name and letter not in changed])
        for name in RECIPES
    }
    frame = pd.DataFrame({titles[name]: lines for name, lines in presets.items()})
    looks = pd.DataFrame("", index=frame.index, columns=[*frame.columns, *(f"Setting {letter}" for letter in changed)])
    for letter, recipe in changed.items():
        frame[f"Setting {letter}"] = facts(recipe, regression)
        looks.loc[frame[f"Setting {letter}"] != frame[titles[recipe.name]], f"Setting {letter}"] = page_frame.TINT
    st.dataframe(frame.style.apply(lambda _: looks, axis=None), key="presets")
    if changed:
        st.caption("Tinted: what a setting has changed of its preset.")


def _title(name: str, letters: list[str]) -> str:
    """A preset with the settings that are as it has these choices."""
    return f"{name} ({', '.join(letters)})" if letters else name


def facts(recipe: ex.Recipe, regression: bool) -> dict[str, str]:
    """The choices in which the presets differ, in words."""
    words = {field: growing_options.BY_FIELD[field].choices for field in _WORDED}
    by_ratio = recipe.score == "gain_ratio"
    return {
        "Target": _TARGETS[recipe.name],
        "Impurity": _impurity(recipe, regression),
        "Features compete by": words["score"][recipe.score],
        "Who may compete": words["mean_gain_filter"][recipe.mean_gain_filter] if by_ratio else "Every feature",
        "Test of a category": words["categorical"][recipe.categorical],
        "Branches without rows": "Kept as leaves" if recipe.empty_branches else "None",
        "Test of a number": words["numeric"][recipe.numeric],
        "Missing cells": words["missing"][recipe.missing],
        "Pruning offered first": _PRUNING[recipe.name],
    }


def _impurity(recipe: ex.Recipe, regression: bool) -> str:
    """The impurity in force for the target; of a preset that needs classes, its own."""
    impurity = recipe.impurity or (FOR_NUMBERS if regression else FOR_CLASSES)
    return IMPURITIES[impurity].label.capitalize()
