"""The settings scored on the same held-out rows: on demand, in the background."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.paired_scores import PairedScores, paired_scores
from pages.results import comparison, jobs, trees
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import controls, job_button

_STORY = (
    "Every setting grows a tree for each fold, on the same rows, and every row is answered by trees that did not see "
    "it. What makes a row hard for all drops out of the difference."
)


def show(settings: Settings) -> None:
    """Controls, progress and the differences, once they are there."""
    st.caption(_STORY)
    key = _key(settings)
    job = jobs.pool().look(jobs.session(), key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.folds(settings)
        is_submitted = job is not None and (job.is_active or job.state == "done")
        st.button("Cross-validate", icon=":material/cached:", key="paired", on_click=_submit, disabled=is_submitted)
    result = job_button.outcome(job, key, ("Tree", settings.folds * len(settings.compare.slots)))
    if isinstance(result, PairedScores):
        _show_result(settings, result)


def _key(settings: Settings) -> str:
    """What the result depends on: rows, recipes, folds."""
    recipes = [repr(trees.recipe(settings, slot)) for slot in settings.compare.slots]
    return f"paired {trees.parts(settings).train.fingerprint} {recipes} {settings.folds} {settings.fold_seed}"


def _submit() -> None:
    """Give the work to the pool, under the settings of the moment of the click."""
    settings = session.read()
    train = trees.parts(settings).train
    recipes = [trees.recipe(settings, slot) for slot in settings.compare.slots]
    if any(recipe.prepruning for recipe in recipes):
        session.notify("error", "Pre-pruning has validation rows of its own, and folds have none: switch it off first.")
        return

    def work(report: jobs.Progress) -> object:
        return paired_scores(train, recipes, settings.folds, settings.fold_seed, report)

    jobs.pool().submit(jobs.session(), _key(settings), work)


def _show_result(settings: Settings, result: PairedScores) -> None:
    """Each setting's loss, and every two of them against each other."""
    names = [f"{SIDES[slot]} ({trees.recipe(settings, slot).name})" for slot in settings.compare.slots]
    regression = trees.data(settings).is_regression
    called = "mean squared error" if regression else "wrong answers"
    losses = [result.loss(i) for i in range(len(names))]
    frame = pd.DataFrame(
        {
            "setting": names,
            f"{called} on held-out rows": [_loss_text(mean, regression) for mean, _ in losses],
            "standard error": [_loss_text(error, regression) for _, error in losses],
        }
    )
    right = {name: st.column_config.Column(alignment="right") for name in frame.columns[1:]}
    with st.container(width=620):
        st.dataframe(frame, hide_index=True, key="paired.scores", column_config=right)
    setting_names = list(comparison.names(settings).values())
    again = same_settings(result.recipes)
    for position, earlier in again.items():
        letters = [tuple(SIDES.values())[i] for i in (earlier, position)]
        st.markdown(f"{letters[0]} and {letters[1]} are the same setting, so they are told of once.")
    for first, second in result.pairs:
        if first in again or second in again:
            continue
        st.markdown(f"**{escape_markdown(difference_text(result, first, second, setting_names, regression))}**")


def same_settings(recipes: Sequence[ex.Recipe]) -> dict[int, int]:
    """The positions of recipes that occur earlier in the list, with the earlier position.

    >>> same_settings([ex.CART, ex.ID3, ex.CART])
    {2: 0}
    """
    first = [recipes.index(recipe) for recipe in recipes]
    return {position: earlier for position, earlier in enumerate(first) if earlier < position}


def difference_text(result: PairedScores, first: int, second: int, names: list[str], regression: bool) -> str:
    """Which of two settings does better on the same rows, by how much, and whether that is clear."""
    mean, error = result.difference(first, second)
    if mean == 0:
        return f"{names[first]} and {names[second]} do equally well."
    better, worse = (first, second) if mean < 0 else (second, first)
    if regression:
        text = f"{names[better]} has a mean squared error {number(abs(mean), 3)} lower than {names[worse]}"
        spread = number(error, 3)
    else:
        text = f"{names[better]} gives {_points(abs(mean))} percentage points fewer wrong answers than {names[worse]}"
        spread = _points(error)
    is_clear = result.is_clear(first, second)
    verdict = "at least two of them" if is_clear else "less than two of them: these rows do not tell the two apart"
    return f"{text} (standard error {spread}). That is {verdict}."


def _points(share: float) -> str:
    """A share in percentage points."""
    return f"{share:.1%}".removesuffix("%")


def _loss_text(value: float, regression: bool) -> str:
    return number(value, 3) if regression else f"{value:.1%}".replace("%", " %")
