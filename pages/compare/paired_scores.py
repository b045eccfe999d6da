"""The settings scored on the same held-out rows by cross-validation: on demand, in the background."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.paired_scores import PairedScores, paired_scores
from explorer.formatting import leaves, percent
from explorer.messages import message
from pages.results import jobs, trees
from pages.results.comparing import compared, comparison
from pages.results.cross_validation import n_folds
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import controls, job_button


def show(settings: Settings) -> None:
    """Controls, progress and the differences, once they are there."""
    st.caption(
        message(
            "For each fold, each side grows a tree on the other rows, pruned to the α of its tree here. All sides "
            "predict the same held-out rows, so what makes a row hard for all of them drops out of the difference."
        )
    )
    key = _key(settings)
    (job,) = job_button.started([key], "paired", _submit)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.folds(settings)
        job_button.submit_button(job, message("Cross-validate"), ":material/cached:", "paired", _submit)
    result = job_button.outcome(job, key, (message("Tree"), n_folds(settings) * len(settings.compare.slots)))
    if isinstance(result, PairedScores):
        _show_result(settings, result)


def named_sides(settings: Settings) -> dict[str, str]:
    """What tables call each side: its letter and algorithm, and its leaves where another side has the same one."""
    algorithms = {slot: trees.recipe(settings, slot).name for slot in settings.compare.slots}
    again = {slot for slot, name in algorithms.items() if list(algorithms.values()).count(name) > 1}
    return {slot: _named(settings, slot, name, slot in again) for slot, name in algorithms.items()}


def _named(settings: Settings, slot: str, algorithm: str, is_again: bool) -> str:
    if not is_again or comparison.problem(settings, slot):
        return message("{letter}: {algorithm}", letter=SIDES[slot], algorithm=algorithm)
    size = leaves(compared.tree(settings, slot).n_leaves)
    return message("{letter}: {algorithm} ({leaves})", letter=SIDES[slot], algorithm=algorithm, leaves=size)


def _key(settings: Settings) -> str:
    """What the result depends on: rows, recipes, folds."""
    how = [_how(settings, slot) for slot in settings.compare.slots]
    return f"paired {trees.parts(settings).train.fingerprint} {how} {n_folds(settings)} {settings.fold_seed}"


def _how(settings: Settings, slot: str) -> str:
    if comparison.problem(settings, slot):
        return repr(trees.recipe(settings, slot))
    path, position = compared.sequence(settings, slot)
    return f"{trees.how_grown(path.tree)} {path.risk} {position}"


def _submit() -> None:
    """Give the work to the pool, under the settings of the moment of the click."""
    settings = session.read()
    train, folds = trees.parts(settings).train, n_folds(settings)
    recipes = [trees.recipe(settings, slot) for slot in settings.compare.slots]
    if any(recipe.prepruning for recipe in recipes):
        session.notify(
            "error",
            message("Pre-pruning needs validation rows, and cross-validation folds have none: switch pre-pruning off."),
        )
        return
    problem = next(filter(None, (comparison.problem(settings, slot) for slot in settings.compare.slots)), "")
    if problem:
        session.notify("error", problem)
        return
    pruned = [compared.sequence(settings, slot) for slot in settings.compare.slots]

    def work(report: jobs.Progress) -> object:
        return paired_scores(train, recipes, folds, settings.fold_seed, report, pruned)

    jobs.pool().submit(jobs.session(), _key(settings), work)


def _show_result(settings: Settings, result: PairedScores) -> None:
    """Each setting's accuracy or squared error, and every two of them against each other."""
    names = list(named_sides(settings).values())
    regression = trees.data(settings).is_regression
    losses = [result.loss(i) for i in range(len(names))]
    measure = message("Mean squared error") if regression else message("Accuracy")
    st.table(
        pd.DataFrame(
            {
                measure: [_score_text(mean if regression else 1 - mean, regression) for mean, _ in losses],
                message("Standard error"): [_score_text(error, regression) for _, error in losses],
            },
            index=names,
        )
    )
    again = same_settings(result.recipes)
    for position, earlier in again.items():
        first, second = (tuple(SIDES.values())[i] for i in (earlier, position))
        st.markdown(message("{first} and {second} have the same settings.", first=first, second=second))
    for first_side, second_side in result.pairs:
        if first_side in again or second_side in again:
            continue
        text = difference_text(result, first_side, second_side, names, regression)
        st.markdown(f"**{escape_markdown(text)}**")


def same_settings(recipes: Sequence[ex.Recipe]) -> dict[int, int]:
    """The positions of recipes that occur earlier in the list, with the earlier position.

    >>> same_settings([ex.CART, ex.ID3, ex.CART])
    {2: 0}
    """
    first = [recipes.index(recipe) for recipe in recipes]
    return {position: earlier for position, earlier in enumerate(first) if earlier < position}


def difference_text(result: PairedScores, first: int, second: int, names: list[str], regression: bool) -> str:
    """Which of two sides predicts better on the same rows, by how much, and whether that is clear."""
    mean, _ = result.difference(first, second)
    if mean == 0:
        same = {"first": names[first], "second": names[second]}
        if regression:
            return message("{first} and {second} have the same mean squared error.", **same)
        return message("{first} and {second} have the same accuracy.", **same)
    better, worse = (first, second) if mean < 0 else (second, first)
    gap, error = result.difference(worse, better)
    low, high = result.interval(worse, better)
    as_text = _amount if regression else _points
    shown = {
        "better": names[better],
        "worse": names[worse],
        "gap": as_text(gap),
        "error": as_text(error),
        "low": as_text(low),
        "high": as_text(high),
    }
    sentence = _sentence(shown, regression)
    if result.is_clear(first, second):
        return message("{sentence} The difference is clear: at least two standard errors.", sentence=sentence)
    return message("{sentence} The difference is not clear: less than two standard errors.", sentence=sentence)


def _sentence(shown: dict[str, str], regression: bool) -> str:
    if regression:
        return message(
            "The mean squared error of {better} is {gap} lower than that of {worse} (standard error {error}, "
            "± 2 standard errors: {low} to {high}).",
            **shown,
        )
    return message(
        "The accuracy of {better} is {gap} points higher than that of {worse} (standard error {error} points, "
        "± 2 standard errors: {low} to {high} points).",
        **shown,
    )


def _points(share: float) -> str:
    """A share in percentage points."""
    return f"{share:.1%}".removesuffix("%").replace("-", "−")


def _amount(value: float) -> str:
    return number(value, 3)


def _score_text(value: float, regression: bool) -> str:
    return number(value, 3) if regression else percent(value)
