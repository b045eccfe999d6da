"""The table of candidates of a node, and all tests of one feature. All numbers are fields."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.candidates import measures
from explorer.drawing.figures import data_figures
from explorer.export.plain_csv import plain_csv
from explorer.messages import clauses, in_this_language, listing, message
from explorer.recipe.split_score import OWN_SCORE, SCORES
from pages.grow import newton_ranking
from pages.grow.of_columns import adjusted_p
from pages.grow.of_columns.column_widths import Columns, alone, shown_names, whole_tests
from pages.settings import session
from pages.text import escape_markdown, number
from pages.widgets import node_text, page_frame, terms
from pages.widgets.controls import feed
from pages.widgets.node_text import gain_name, impurity_name, score_column, score_heading
from pages.widgets.tables import numbers_table, with_headings

_LINE = "background-color: rgba(128, 128, 128, 0.14); font-style: italic"
_SHOWN_TESTS = 1000
_NUMBER = 92
"""Pixels for a gain of Newton's."""
_OWN_SCORE = 110
"""Pixels for the score."""
_TWO = 2
_EVERY, _EVERY_BOX = "candidates.every", "candidates.every.box"
"""Whether all measures are shown, as long as the session lasts; and the key of the box that says so."""


def mean_line() -> str:
    """What the line of the mean gain is called."""
    return message("mean gain")


def by_hand_line(decision: ex.Decision) -> str:
    """What a split that the reader chose is called, or the one of a file."""
    return message("the split of the file") if decision.is_of_file else message("the split chosen by hand")


def picker_key(node_id: int) -> str:
    """The key of the box that names a row of the table."""
    return f"formula.of.{node_id}"


def show_with_notes(decision: ex.Decision, tree: ex.Tree, node_id: int) -> None:
    """The table of a node, what there is to know of its numbers, and the table as a file."""
    every = bool(st.session_state.get(_EVERY))
    show(decision, tree.recipe, tree.is_regression, picker=picker_key(node_id), every=every)
    if not named(decision):
        return
    notes = _notes(decision, tree)
    if notes:
        st.caption(notes)
    st.download_button(
        message("Candidates as CSV"),
        in_this_language(partial(csv, decision, tree.recipe, tree.is_regression)),
        file_name=f"candidates-node-{node_id}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        type="tertiary",
    )


def every_switch() -> None:
    """The switch that shows all measures in the table."""
    help_text = message("Gain, gain ratio, decrease of each impurity and χ², whatever the splits are chosen by.")
    every = bool(st.session_state.get(_EVERY))
    st.toggle(message("All measures"), key=feed(_EVERY_BOX, every), on_change=_keep_every, help=help_text)


def _keep_every() -> None:
    st.session_state[_EVERY] = st.session_state[_EVERY_BOX]


def _notes(decision: ex.Decision, tree: ex.Tree) -> str:
    """What the mean gain decides, and what missing values do to the gain."""
    sentences = [newton_ranking.note(tree.recipe)] if newton_ranking.is_newton(tree.recipe) else []
    if decision.mean_gain is not None and tree.recipe.score == "gain_ratio":
        mean = message("Mean of the features’ best gains: {gain}.", gain=number(decision.mean_gain))
        sentences.append(f"{mean} {node_text.filter_text(tree.recipe)}")
        if decision.many_values:
            listed = escape_markdown(listing(decision.many_values))
            sentences.append(message("Not in the mean, with at least 0.3 values per row: {features}.", features=listed))
    if any(candidate.missing_weight for candidate in decision.best.values()):
        gain = node_text.gain_heading(tree.recipe, tree.is_regression)
        sentences.append(
            message(
                "Rows with a missing value do not count in {gain} = share of known rows · (before − after). χ² counts "
                "them in the branch they go to.",
                gain=gain,
            )
        )
    if tree.recipe.score == "p_value" and any(best.significance for best in decision.best.values()):
        sentences.append(message("More in the glossary: {terms}.", terms=listing(map(terms.explained, terms.OF_TESTS))))
    return " ".join(sentences)


def show(
    decision: ex.Decision,
    recipe: ex.Recipe,
    is_regression: bool,
    key: str = "candidates",
    abreast: int = 1,
    picker: str = "",
    every: bool = True,
) -> None:
    """Every feature's best test in one row, the chosen one first and tinted; features without a test are named below.

    Without `every` measure there are those that the split was chosen by.

    Of several tables `abreast` each leaves out what it has no room for, marks the chosen one by a tick, says below
    why grey ones do not compete, and wraps.
    `picker` is the key of a box that names one of the rows (see `named`): the table marks that row, and a row selected
    turns the box to it. Alone, a table leaves out splits that are all into each value, and verdicts that only repeat
    the scores.
    """
    if ranked(decision):
        _best_tests(decision, recipe, is_regression, key, abreast, picker, every)
    else:
        show_inadmissible()
    if decision.absent:
        absent = clauses(
            message("{name} ({reason})", name=name, reason=reason) for name, reason in decision.absent.items()
        )
        st.caption(message("No split on: {features}.", features=escape_markdown(absent)))


def show_inadmissible() -> None:
    """What stands in place of candidates at a node whose every split is ruled out by the limits."""
    st.markdown(message("No split is admissible here: a branch would have fewer rows than min. samples per leaf."))


def _best_tests(
    decision: ex.Decision,
    recipe: ex.Recipe,
    is_regression: bool,
    key: str,
    abreast: int,
    picker: str,
    every: bool,
) -> None:
    frame, styles = frame_of(decision, recipe, is_regression, every)
    if abreast == 1 and {candidate.condition.kind for candidate in ranked(decision)} == {"each_value"}:
        del frame["split"]
    score = score_column(recipe, is_regression)
    if abreast == 1 and not _says_more(decision):
        del frame["verdict"]
    if abreast > 1:
        rows = [row for row in range(len(frame)) if styles.get(row) != _LINE]
        frame = _abreast(frame.loc[rows], score, gain_name(recipe, is_regression), abreast, 0 in styles)
        styles = {place: styles[row] for place, row in enumerate(rows) if row in styles}
    names = [str(name) for name in frame.iloc[:, 0]]
    names[:1] = list(named(decision))[:1]
    bound = partial(_row_selected, picker, names, key, _marked(names, key, picker)) if picker else None
    called = score_heading(recipe, is_regression)
    columns = Columns() if abreast > 1 else alone(frame, score, called)
    widths, order = columns.pixels, None
    if "feature" in widths:
        frame["feature"] = shown_names(frame["feature"].tolist(), widths["feature"])
    if SCORES[recipe.score].compares == OWN_SCORE:
        frame, widths = frame.rename(columns={score: called}), widths | {called: widths.get(score, _OWN_SCORE)}
        score = called
    if columns.together and not session.read().view.presenter:  # whose tables wrap by themselves
        frame = frame.assign(split=whole_tests(frame))
        order = ["split", *frame.columns.drop(["feature", "split"])]
    if newton_ranking.is_newton(recipe):
        widths |= dict.fromkeys((newton_ranking.LESS_GAMMA, gain_name(recipe, is_regression)), _NUMBER)
    numbers_table(
        frame,
        [False] * len(frame),
        key,
        styles,
        "" if abreast > 1 else score,
        bound,
        widths,
        order=order,
        lines=columns.lines,
        wraps=abreast > 1,
    )
    if abreast > 1:
        _say_why_grey(decision)


def _say_why_grey(decision: ex.Decision) -> None:
    """Why rows of a table without verdicts are grey, whatever their scores."""
    reasons = dict.fromkeys(each.rejected for each in ranked(decision) if each.rejected and each is not decision.chosen)
    if reasons:
        st.caption(message("Grey rows do not compete: {reasons}.", reasons=escape_markdown(clauses(map(str, reasons)))))


def _abreast(frame: pd.DataFrame, score: str, gain: str, abreast: int, is_chosen: bool) -> pd.DataFrame:
    """What there is room for where tables stand side by side: of three, the whole test in one column and its score."""
    frame = frame.assign(
        feature=[f"✓ {name}" if is_chosen and not row else name for row, name in enumerate(frame["feature"])]
    )
    if abreast == _TWO:
        return frame[["feature", *dict.fromkeys((score, gain)), "split"]]
    return frame.assign(split=whole_tests(frame))[["split", score]]


def _marked(names: Sequence[str], key: str, picker: str) -> list[int]:
    """Mark the row that the box names, and no other; a number of the whole competition has none.

    A mark that is right already is left alone, and so is a table without one while the box names its first row: a mark
    that is given takes the keyboard focus in the table away.
    """
    name = st.session_state.get(picker, names[0])
    rows = [names.index(name)] if name in names else []
    now = list(st.session_state[key]["selection"]["rows"]) if key in st.session_state else []
    if now == rows or (not now and rows == [0]):
        return now
    st.session_state[key] = {"selection": {"rows": rows}}
    return rows


def _row_selected(picker: str, names: Sequence[str], key: str, marked: list[int]) -> None:
    """Turn the box to the row; a row deselected leaves it, and the next run marks that row again."""
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows != marked and rows[0] < len(names):  # Streamlit also reports a mark that was set by the program
        st.session_state[picker] = names[rows[0]]


def frame_of(
    decision: ex.Decision, recipe: ex.Recipe, is_regression: bool, every: bool = True
) -> tuple[pd.DataFrame, dict[int, str]]:
    """One row for every feature's best test, and how rows look: the chosen one, the mean gain, those that are out."""
    best = ranked(decision)
    rows = [_candidate_row(candidate, decision, recipe, is_regression, every) for candidate in best]
    is_out = [candidate.rejected is not None and candidate is not decision.chosen for candidate in best]
    styles = {row: page_frame.GREY for row, out in enumerate(is_out) if out}
    if decision.chosen is not None:
        styles[0] = page_frame.TINT
    if recipe.score == "gain_ratio" and decision.mean_gain is not None and recipe.mean_gain_filter != "off":
        position = is_out.index(True) if True in is_out else len(rows)
        mean = {
            "feature": mean_line(),
            gain_name(recipe, is_regression): decision.mean_gain,
            "verdict": message("the mean gain"),
        }
        rows.insert(position, dict.fromkeys(rows[0]) | mean)
        styles = {row + (row >= position): look for row, look in styles.items()} | {position: _LINE}
    columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in dict.fromkeys(chain(*rows))}
    if "branches" in columns:
        columns["branches"] = pd.array(columns["branches"], dtype="Int64")  # the line of the mean has none
    return pd.DataFrame(columns), styles


def csv(decision: ex.Decision, recipe: ex.Recipe, is_regression: bool) -> str:
    """The same table as a file."""
    frame = frame_of(decision, recipe, is_regression)[0]
    return plain_csv(with_headings(frame))


def named(decision: ex.Decision) -> dict[str, ex.Candidate]:
    """The tests of the table by what they are called: their features, but for one chosen by hand."""
    chosen = decision.chosen if decision.by_hand else None
    return {
        by_hand_line(decision) if candidate is chosen else candidate.feature: candidate
        for candidate in ranked(decision)
    }


def ranked(decision: ex.Decision) -> list[ex.Candidate]:
    """The test chosen by hand, if one was; then every feature's best by score, then those that may not compete."""
    first = decision.would_win if decision.by_hand else decision.chosen
    chosen = first.feature if first else None
    by_hand = [decision.chosen] if decision.by_hand and decision.chosen is not None else []

    def sort_key(candidate: ex.Candidate) -> tuple[bool, bool, float]:
        out = candidate.rejected is not None or candidate.score is None
        return candidate.feature != chosen, out, -(candidate.score or 0.0)

    others = [
        candidate for candidate in decision.best.values() if not by_hand or candidate.condition != by_hand[0].condition
    ]
    return [*by_hand, *sorted(others, key=sort_key)]


def _candidate_row(
    candidate: ex.Candidate, decision: ex.Decision, recipe: ex.Recipe, is_regression: bool, every: bool = True
) -> dict[str, object]:
    """The score in front, then what it is made of and the verdict; then every other measure of the test, if wanted."""
    numbers = (measures.measures if every else measures.recorded)(candidate, recipe, is_regression)
    if SCORES[recipe.score].compares == OWN_SCORE:
        numbers = {OWN_SCORE: candidate.score, **numbers}
    score, gain = score_column(recipe, is_regression), gain_name(recipe, is_regression)
    row: dict[str, object] = {"feature": candidate.feature, score: numbers[score]}
    row |= newton_ranking.columns(candidate, recipe, {gain: numbers[gain]}) | {"split": split_text(candidate)}
    row |= adjusted_p.columns(candidate) if recipe.score == "p_value" else {}
    row |= {gain: numbers[gain]} | ({"cost": candidate.cost} if SCORES[recipe.score].uses_costs else {})
    row |= {"verdict": verdict(candidate, decision)}
    if not every:
        return row
    row |= numbers
    measure, after = impurity_name(recipe, is_regression), candidate.weighted_impurity
    if any(best.missing_weight for best in decision.best.values()):
        before = measures.impurity_before(candidate, recipe, is_regression)
        row[message("{impurity} before, known rows", impurity=measure)] = before
        row[message("{impurity} after, known rows", impurity=measure)] = after
        row["share of known rows"] = candidate.known_share
    else:
        row[message("{impurity} after", impurity=measure)] = after
    return {**row, **adjusted_p.columns(candidate), "branches": candidate.condition.n_branches}


def split_text(candidate: ex.Candidate) -> str:
    """The candidate split in words."""
    words = {"each_value": message("each value"), "bins": message("each interval")}
    if candidate.condition.has_groups:
        return message("{groups} groups", groups=candidate.condition.n_branches)
    test = words.get(candidate.condition.kind) or candidate.condition.branch_word(0)
    if candidate.missing_branch == 0 and not candidate.condition.tests_missing:
        return message("{test}, or missing", test=test)
    return test


def verdict(candidate: ex.Candidate, decision: ex.Decision) -> str:
    """Whether a feature's best test was chosen, and if not, why."""
    if decision.by_hand:
        return _verdict_by_hand(candidate, decision)
    if decision.chosen is not None and candidate.feature == decision.chosen.feature:
        return message("✓ chosen; tie: the first column wins") if decision.tie else message("✓ chosen")
    if candidate.rejected:
        return candidate.rejected
    if decision.chosen is None:
        return message("the node stopped")
    if candidate.feature in decision.tied:
        return message("tie: an earlier column wins")
    return _lower(decision.chosen)


def _says_more(decision: ex.Decision) -> bool:
    """Whether the verdicts say more than the scores: a tie, a rejection, a stop or a choice by hand."""
    rejected = any(candidate.rejected for candidate in decision.best.values())
    return rejected or bool(decision.tied) or decision.tie or decision.by_hand or decision.chosen is None


def _lower(winner: ex.Candidate) -> str:
    """What a lower score is compared with: the winner’s, which stands in the first row."""
    return f"< {number(winner.score or 0.0)}"


def _verdict_by_hand(candidate: ex.Candidate, decision: ex.Decision) -> str:
    """The same where a person decided: what would have become of each test otherwise."""
    winner = decision.would_win
    if candidate is decision.chosen:
        is_winner = winner is not None and candidate.condition == winner.condition
        if decision.is_of_file:
            return message("✓ of the file, would win too") if is_winner else message("✓ of the file")
        return message("✓ chosen by hand, would have won too") if is_winner else message("✓ chosen by hand")
    if winner is None:
        return candidate.rejected or message("the node would have stopped")
    if candidate.feature == winner.feature:
        return message("would have won")
    if candidate.feature in decision.tied:
        return message("tie: an earlier column would have won")
    return candidate.rejected or _lower(winner)


def unfolded(decision: ex.Decision, feature: str, recipe: ex.Recipe, is_regression: bool) -> None:
    """All tests of one feature; for thresholds a chart of gain against threshold."""
    candidates = decision.candidates.of_feature(feature)
    label = node_text.gain_heading(recipe, is_regression)
    between = [candidate for candidate in candidates if not candidate.condition.tests_missing]
    if len(between) > 1 and between[0].condition.threshold is not None:
        best = next((candidate.condition.threshold for candidate in between if candidate.is_best), None)
        thresholds = np.array([candidate.condition.threshold for candidate in between], dtype=np.float64)
        gains = np.array([candidate.gain for candidate in between])
        names, scale = (feature, label), between[0].condition.scale
        figure = data_figures.gain_by_threshold(thresholds, gains, best, names, page_frame.colours(), scale)
        st.plotly_chart(figure, key="unfolded.chart", config=page_frame.STILL)
    candidates = sorted(candidates, key=lambda candidate: (not candidate.is_best, -candidate.gain))[:_SHOWN_TESTS]
    rows = [_candidate_row(candidate, decision, recipe, is_regression) for candidate in candidates]
    for row, candidate in zip(rows, candidates, strict=True):
        if not candidate.is_best:
            row["verdict"] = candidate.rejected or message("weaker split")
    won = decision.chosen is not None and decision.chosen.feature == feature
    numbers_table(pd.DataFrame(rows).drop(columns="feature"), [won and c.is_best for c in candidates], key="unfolded")
    if any(candidate.approximate for candidate in candidates):
        st.caption(
            message("Approximate: with this many categories and classes, only groupings along one ordering are tried.")
        )
