"""Size, scores over the baseline and time of every tree in one table; which predicts better, and how surely."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from explorer.messages import message, plural
from pages.compare import pruned_alike
from pages.compare.paired_scores import difference_text, named_sides
from pages.results import evaluation, trees
from pages.results.comparing import compared, comparison
from pages.results.evaluation import Score
from pages.settings.settings import Settings
from pages.text import escape_markdown, milliseconds, score_text
from pages.widgets import page_frame


def show(settings: Settings, slots: list[str]) -> None:
    """The table, and the differences on the validation rows."""
    regression = trees.data(settings).is_regression
    names = named_sides(settings)
    seconds = {slot: trees.seconds_to_grow(settings, slot) for slot in slots}
    if None in seconds.values():  # which come together, once the loops are compiled
        seconds = dict.fromkeys(slots)
    st.table(pd.DataFrame({names[slot]: _facts(settings, slot, seconds[slot]) for slot in slots}))
    if regression:
        st.caption(message("MSE: mean squared error. In brackets: the reduction from the mean baseline."))
    else:
        st.caption(message("In brackets: percentage points over the majority baseline."))
    st.caption(pruned_alike.sentence(settings))
    _differences(settings, slots, regression)


def _facts(settings: Settings, slot: str, seconds: float | None) -> dict[str, str]:
    """What the table says of one side; without a time to grow nothing of it."""
    tree, grown = compared.tree(settings, slot), trees.grown(settings, slot).tree
    facts = {message("Leaves"): f"{tree.n_leaves:,}"}
    if compared.rule(settings) != "full":
        facts[message("Leaves grown")] = f"{grown.n_leaves:,}"
    facts[message("Depth")] = f"{tree.max_depth:,}"
    for score in evaluation.both_scores(settings, tree, slot):
        named = {"rows": score.name.capitalize()}
        title = message("{rows} MSE", **named) if tree.is_regression else message("{rows} accuracy", **named)
        facts[title] = over_baseline(score, tree.is_regression)
        facts[message("{rows} baseline", **named)] = score_text(score.baseline, tree.is_regression)
    if seconds is not None:
        facts[message("Time to grow")] = milliseconds(seconds)
    return facts


def over_baseline(score: Score, regression: bool) -> str:
    """A score with its improvement over the baseline; red where there is none."""
    value = score_text(score.value, regression)
    if regression:
        text = message("{score} ({reduction})", score=value, reduction=_signed(-100 * score.reduction, " %"))
    else:
        text = message("{score} ({points})", score=value, points=_signed(score.points))
    return text if score.is_better(regression) else f":red[{text}]"


def _signed(value: float, unit: str = "") -> str:
    """A number with one decimal and its sign, a minus as mathematics has it."""
    return f"{value:+.1f}{unit}".replace("-", "−")


def _differences(settings: Settings, slots: list[str], regression: bool) -> None:
    """Every two trees on the same validation rows."""
    result, names = comparison.validation_scores(settings), list(named_sides(settings).values())
    if result is None:
        st.caption(
            message("The table has no validation rows: cross-validation compares the settings on held-out rows.")
        )
        return
    valid = trees.parts(settings).valid
    n_rows = 0 if valid is None else valid.n_rows
    st.markdown(
        plural(
            n_rows,
            "**Difference on the same {n:,} validation row**",
            "**Difference on the same {n:,} validation rows**",
        )
    )
    page_frame.show_sample(settings)
    names = [named_sides(settings)[slot] for slot in slots]
    for first, second in result.pairs:
        st.markdown(escape_markdown(difference_text(result, first, second, names, regression)))
