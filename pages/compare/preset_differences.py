"""In which settings the sides differ, and how ID3, C4.5 and CART do."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.recipe.impurity import FOR_CLASSES, FOR_NUMBERS, IMPURITIES
from pages.results import trees
from pages.settings import growing_options
from pages.settings.growing_options import RECIPES
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.widgets import page_frame

_WORDED = ("score", "mean_gain_filter", "categorical", "numeric", "missing")
"""Options that the table of the algorithms says in its own words."""


def show(settings: Settings) -> None:
    """The settings in which the sides differ; then the three algorithms, each with the sides that are as it is."""
    regression = trees.data(settings).is_regression
    recipes = {SIDES[slot]: trees.recipe(settings, slot) for slot in settings.compare.slots}
    _show_sides(recipes, regression)
    st.markdown(message("**The algorithms**"))
    _show_presets(recipes, regression)


def _show_sides(recipes: dict[str, ex.Recipe], regression: bool) -> None:
    """One line per setting that is not the same on all sides."""
    sides = {
        message("{letter}: {algorithm}", letter=letter, algorithm=recipe.name): side_facts(recipe, regression)
        for letter, recipe in recipes.items()
    }
    frame = pd.DataFrame(sides)
    frame = frame[frame.nunique(axis=1) > 1]
    if frame.empty:
        st.markdown(message("All sides have the same settings."))
        return
    st.markdown(message("**Settings that differ**"))
    st.table(frame)


def side_facts(recipe: ex.Recipe, regression: bool) -> dict[str, str]:
    """All settings of a side, in words."""
    worded = {"impurity", "empty_branches", *_WORDED}
    options = {
        option.label: option.text_of(getattr(recipe, field))
        for field, option in growing_options.BY_FIELD.items()
        if field not in worded and option.kind != "table"
    }
    return {**facts(recipe, regression), **options}


def _show_presets(recipes: dict[str, ex.Recipe], regression: bool) -> None:
    presets = {name: facts(recipe, regression) for name, recipe in RECIPES.items()}
    changed = {
        letter: recipe for letter, recipe in recipes.items() if facts(recipe, regression) != presets[recipe.name]
    }
    titles = {
        name: _title(name, [letter for letter in recipes if recipes[letter].name == name and letter not in changed])
        for name in RECIPES
    }
    frame = pd.DataFrame({titles[name]: lines for name, lines in presets.items()})
    columns = {letter: message("Settings of {letter}", letter=letter) for letter in changed}
    looks = pd.DataFrame("", index=frame.index, columns=[*frame.columns, *columns.values()])
    for letter, recipe in changed.items():
        frame[columns[letter]] = facts(recipe, regression)
        looks.loc[frame[columns[letter]] != frame[titles[recipe.name]], columns[letter]] = page_frame.TINT
    st.dataframe(frame.style.apply(lambda _: looks, axis=None), key="presets")
    if changed:
        st.caption(message("Highlighted: settings changed from the algorithm’s defaults."))


def _title(name: str, letters: list[str]) -> str:
    """An algorithm with the sides that have its settings."""
    return f"{name} ({', '.join(letters)})" if letters else name


def facts(recipe: ex.Recipe, regression: bool) -> dict[str, str]:
    """The choices in which the algorithms differ, in words."""
    words = {field: growing_options.BY_FIELD[field].choices for field in _WORDED}
    by_ratio = recipe.score == "gain_ratio"
    filtered = words["mean_gain_filter"][recipe.mean_gain_filter] if by_ratio else message("Every feature")
    return {
        message("Target"): message("Classes or a number") if recipe.name == "CART" else message("Classes"),
        message("Impurity"): _impurity(recipe, regression),
        message("Features compete by"): words["score"][recipe.score],
        message("Features that compete"): filtered,
        message("Split of a category"): words["categorical"][recipe.categorical],
        message("Branches without rows"): message("Kept as leaves") if recipe.empty_branches else message("None"),
        message("Split of a number"): words["numeric"][recipe.numeric],
        message("Missing values"): words["missing"][recipe.missing],
        message("Pruning"): _pruning(recipe),
    }


def _pruning(recipe: ex.Recipe) -> str:
    """The pruning method that the algorithm's books use."""
    return {
        "ID3": message("α on the entropy"),
        "C4.5": message("Pessimistic, CF 25 %"),
        "CART": message("Cost-complexity"),
    }[recipe.name]


def _impurity(recipe: ex.Recipe, regression: bool) -> str:
    """The impurity in force for the target; of an algorithm that needs classes, its own."""
    impurity = recipe.impurity or (FOR_NUMBERS if regression else FOR_CLASSES)
    return IMPURITIES[impurity].label.capitalize()
