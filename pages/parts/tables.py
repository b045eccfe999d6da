"""Tables: candidates of a node, one feature unfolded, a node's rows. All numbers are fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.draw import figures
from explorer.export.names import IMPURITY_NAMES
from pages.parts import page
from pages.parts.options import BY_COST
from pages.parts.words import answer_text, escape_markdown, number

_CHOSEN_TINT = "background-color: rgba(120, 110, 230, 0.25)"
_SHOWN_ROWS = 1000
_STYLED = 100_000
_DETAILS = ("rank", "branches", "split information", "verdict")


def impurity_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """The impurity in force, as the page calls it."""
    return IMPURITY_NAMES[recipe.impurity_for(is_regression)]


def gain_name(recipe: ex.Recipe, is_regression: bool) -> str:
    """What the recipe calls the decrease of impurity."""
    name = recipe.impurity_for(is_regression)
    return {"entropy": "gain", "gini": "Gini decrease", "variance": "variance decrease"}.get(name, "error decrease")


def candidates(
    decision: ex.Decision, recipe: ex.Recipe, is_regression: bool, key: str = "candidates", brief: bool = False
) -> None:
    """Every feature's best test in one row, the chosen one first and tinted; features without a test are named below.

    `brief` leaves out what a narrow column has no room for, and marks the chosen one by a tick.
    """
    best = _ranked(decision)
    if decision.by_hand and decision.chosen is not None:
        best = [decision.chosen, *best]
    rows = [_candidate_row(c, decision, recipe, is_regression) for c in best]
    frame = pd.DataFrame([{"rank": rank, **row} for rank, row in enumerate(rows, 1)])
    if brief:
        kept = [name for name in frame.columns if name not in _DETAILS and not str(name).endswith(" after")]
        frame = frame[kept]
        if decision.chosen is not None:
            frame.loc[0, "feature"] = f"✓ {decision.chosen.feature}"
    numbers_table(frame, [rank == 0 and decision.chosen is not None for rank in range(len(rows))], key=key)
    if decision.absent:
        absent = "; ".join(f"{name} ({reason})" for name, reason in decision.absent.items())
        st.caption(f"No test here: {escape_markdown(absent)}.")


def _ranked(decision: ex.Decision) -> list[ex.Candidate]:
    """The best test of every feature: the chosen one, then by score, then those that may not compete."""
    first = decision.would_win if decision.by_hand else decision.chosen
    chosen = first.feature if first else None

    def place(candidate: ex.Candidate) -> tuple[bool, bool, float]:
        out = candidate.rejected is not None or candidate.score is None
        return candidate.feature != chosen, out, -(candidate.score or 0.0)

    return sorted(decision.best.values(), key=place)


def _candidate_row(
    candidate: ex.Candidate, decision: ex.Decision, recipe: ex.Recipe, is_regression: bool
) -> dict[str, object]:
    row: dict[str, object] = {
        "feature": candidate.feature,
        "test": test_text(candidate),
        "verdict": verdict(candidate, decision),
        gain_name(recipe, is_regression): candidate.gain,
    }
    if recipe.impurity_for(is_regression) == "entropy":
        row |= {"split information": candidate.split_info, "gain ratio": candidate.gain_ratio}
    if recipe.score in BY_COST:
        row |= {"cost": candidate.cost, "score": candidate.score}
    elif recipe.score == "seed000_regression":
        row |= {"score": candidate.score}
    return row | {
        f"{impurity_name(recipe, is_regression)} after": candidate.weighted_impurity,
        "branches": candidate.condition.n_branches,
    }


def test_text(candidate: ex.Candidate) -> str:
    """The question that the test asks."""
    words = {"each_value": "each value", "bins": "each interval"}
    return words.get(candidate.condition.kind) or candidate.condition.branch_word(0)


def verdict(candidate: ex.Candidate, decision: ex.Decision) -> str:
    """Whether a feature's best test was chosen, and if not, why."""
    if decision.by_hand:
        won = candidate.is_best and decision.would_win is not None and candidate.feature == decision.would_win.feature
        return (
            "✓ chosen by hand"
            if candidate is decision.chosen
            else "would have won"
            if won
            else candidate.rejected or ""
        )
    if decision.chosen is not None and candidate.feature == decision.chosen.feature:
        return "✓ chosen; a tie: the first in order wins" if decision.tie else "✓ chosen"
    if candidate.rejected:
        return candidate.rejected
    if decision.chosen is None:
        return "the node stopped"
    if candidate.feature in decision.tied:
        return "a tie: an earlier column wins"
    return f"lower: {number(candidate.score or 0.0)} < {number(decision.chosen.score or 0.0)}"


def unfolded(decision: ex.Decision, feature: str, recipe: ex.Recipe, is_regression: bool) -> None:
    """All tests of one feature; for thresholds a chart of gain against threshold."""
    found = decision.candidates.of_feature(feature)
    label = gain_name(recipe, is_regression)
    if len(found) > 1 and found[0].condition.threshold is not None:
        best = next((candidate.condition.threshold for candidate in found if candidate.is_best), None)
        thresholds = np.array([candidate.condition.threshold for candidate in found], dtype=np.float64)
        gains = np.array([candidate.gain for candidate in found])
        figure = figures.gain_by_threshold(thresholds, gains, best, (feature, label), page.colours())
        st.plotly_chart(figure, key="unfolded.chart", config=page.STILL)
    found = sorted(found, key=lambda candidate: (not candidate.is_best, -candidate.gain))[:_SHOWN_ROWS]
    rows = [_candidate_row(candidate, decision, recipe, is_regression) for candidate in found]
    for row, candidate in zip(rows, found, strict=True):
        if not candidate.is_best:
            row["verdict"] = candidate.rejected or "weaker test of this feature"
    won = decision.chosen is not None and decision.chosen.feature == feature
    numbers_table(pd.DataFrame(rows).drop(columns="feature"), [won and c.is_best for c in found], key="unfolded")
    if any(candidate.approximate for candidate in found):
        st.caption("Approximate: with so many categories and classes only the groupings along one ordering are tried.")


def branches(candidate: ex.Candidate, classes: tuple[object, ...]) -> None:
    """What a test's branches hold: rows, classes (or mean) and impurity."""
    lines = []
    for branch, (stats, impurity) in enumerate(zip(candidate.branch_stats, candidate.impurities, strict=True)):
        line: dict[str, object] = {"branch": candidate.condition.word(branch)}
        if classes:
            line |= {
                "rows": float(np.sum(stats)),
                **{f"of class {name}": float(w) for name, w in zip(classes, stats, strict=True)},
            }
        else:
            line |= {"rows": float(stats[0]), "mean": float(stats[1])}
        lines.append({**line, "impurity": float(impurity)})
    numbers_table(pd.DataFrame(lines), [False] * len(lines), key="branches")


def rows_at(tree: ex.Tree, data: ex.Dataset, node: int) -> None:
    """The rows that pass a node, as in the file."""
    positions = tree.rows_at(data, node)
    st.dataframe(data.frame.iloc[positions[:_SHOWN_ROWS]], key="rows", hide_index=False)
    if len(positions) > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS:,} of {len(positions):,} rows.")


def numbers_table(frame: pd.DataFrame, tinted: list[bool], key: str) -> None:
    """A table with few digits, some rows tinted."""
    formats: dict[Any, str | Callable[[object], str] | None] = {
        str(name): _cell for name in frame.columns if pd.api.types.is_float_dtype(frame[name])
    }
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    looks.loc[tinted] = _CHOSEN_TINT
    shown = frame.style.format(formats, na_rep="–").apply(lambda _: looks, axis=None) if frame.size < _STYLED else frame
    widths = {"rank": st.column_config.NumberColumn(width=60)}
    st.dataframe(shown, key=key, hide_index=True, column_config=widths)


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def filter_text(recipe: ex.Recipe) -> str:
    """What the mean gain decides under this recipe."""
    words = {
        "at_least": "A feature below it does not compete.",
        "greater": "Only a feature above it competes.",
        "off": "The filter is off: every feature competes.",
    }
    return words[recipe.mean_gain_filter]


def stop_text(node: ex.Node, decision: ex.Decision) -> str:
    """Why the node is a leaf, or what it asks and how clearly that won."""
    if decision.chosen is None or node.condition is None:
        reason = node.stop_reason or decision.stop_reason or "it was pruned"
        told = f" Otherwise {otherwise_text(decision)}." if decision.by_hand else ""
        return f"**A leaf.** It stopped because: {escape_markdown(reason)}.{told}"
    text = f"**It asks for {escape_markdown(node.condition.feature)}.** "
    if decision.by_hand:
        return text + f"Chosen by hand; otherwise {otherwise_text(decision)}."
    if decision.runner_up is None or decision.margin is None:
        return text + "No other feature competed."
    rival = escape_markdown(decision.runner_up.feature)
    if decision.tied:
        rivals = escape_markdown(" and ".join(decision.tied))
        return text + f"It ties with {rivals}; the earlier column wins."
    return text + f"Ahead of {rival} by {number(decision.margin)} in {score_called(node)}."


def otherwise_text(decision: ex.Decision) -> str:
    """What would have become of a node that a person decided, safe for Markdown."""
    if decision.would_win is not None:
        asked = ex.Question.of(decision.would_win.condition).text
        return f"“{escape_markdown(asked)}” would have won"
    return f"it would have stopped ({escape_markdown(decision.would_stop or 'no test')})"


def score_called(node: ex.Node) -> str:
    """What the features competed by, as the table's column is called."""
    tree = node.tree
    names = {"gain_ratio": "gain ratio", "gain": "", "decrease": ""}
    return names.get(tree.recipe.score, "score") or gain_name(tree.recipe, tree.is_regression)


def answer(node: ex.Node, is_regression: bool) -> str:
    """What the node answers, safe for Markdown."""
    return escape_markdown(answer_text(node, is_regression))
