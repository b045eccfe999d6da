"""Cutoffs of three and more classes: typed, found by a score, or by the share of rows predicted a class."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.formatting import number, percent, shortened, visible
from explorer.messages import message
from explorer.tree.leaf_mixture import LEAST
from pages.results import evaluation
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import tables
from pages.widgets.controls import feed, lasting

_SHARE = "cutoffs.share"
_MOST_FIELDS, _IN_A_LINE, _LONGEST = 12, 3, 24
_SAME = 5e-4
"""Shares that differ by less read alike in per cent."""


def show(settings: Settings, tree: ex.Tree, code: int) -> None:
    """Ways to find cutoffs, and those in force, which all pages and exports predict by."""
    with st.expander(message("Predict by cutoffs"), key=lasting("cutoffs.find", False), on_change="rerun") as opened:
        if not opened.open:
            return
        st.caption(
            message(
                "The class with the largest probability divided by its cutoff is predicted: a lower cutoff predicts a "
                "class more often. Matrix, rules, predictions, exports and the report then follow it."
            )
        )
        with st.container(horizontal=True, gap="small"):
            for score, label in _labels(tree).items():
                st.button(label, key=f"cutoffs.{score}", on_click=_take_best, args=(score,))
        _fields(tree)
        _by_share(tree, code)
        result = evaluation.evaluation(settings)[0]
        _say_share(tree, code, result)
        _result(tree, result)


def _labels(tree: ex.Tree) -> dict[str, str]:
    """What cutoffs can be best for."""
    labels = {"accuracy": message("Best accuracy"), "mean_recall": message("Best mean recall")}
    return labels if tree.costs is None else {**labels, "cost": message("Least cost")}


def _in_force(tree: ex.Tree) -> list[float]:
    """The cutoffs of the classes in their order, 1 where none are chosen."""
    chosen = session.read().decide
    return list(chosen) if len(chosen) == len(tree.classes) else [1.0] * len(tree.classes)


def _keep(cutoffs: list[float]) -> None:
    """Predict by these; equal ones say no more than the likelier class does."""
    session.keep(changed(session.read(), decide=() if len(set(cutoffs)) == 1 else tuple(cutoffs)))


def _take_best(score: str) -> None:
    """The best cutoffs on the rows in force."""
    settings = session.read()
    tree = evaluation.evaluated_tree(settings)
    found = ex.best_cutoffs(tree, evaluation.every_row(settings), score)
    _keep([found[name] for name in tree.classes])


def _fields(tree: ex.Tree) -> None:
    """A field for each class; beyond a few classes there would be too many."""
    if len(tree.classes) > _MOST_FIELDS:
        return
    columns = st.columns(_IN_A_LINE)
    for code, (name, cutoff) in enumerate(zip(tree.classes, _in_force(tree), strict=True)):
        columns[code % _IN_A_LINE].number_input(
            escape_markdown(shortened(visible(str(name)), _LONGEST)),
            min_value=LEAST,
            max_value=1 / LEAST,
            key=feed(f"cutoffs.class{code}", cutoff),
            format="%.4g",
            on_change=_take_field,
            args=(code,),
        )


def _take_field(code: int) -> None:
    cutoffs = _in_force(evaluation.evaluated_tree(session.read()))
    cutoffs[code] = float(st.session_state[f"cutoffs.class{code}"] or 1.0)
    _keep(cutoffs)


def _by_share(tree: ex.Tree, code: int) -> None:
    """The cutoff by which so many of the rows are predicted the chosen class."""
    name = escape_markdown(shortened(visible(str(tree.classes[code])), _LONGEST))
    st.number_input(
        message("Predict {name} for the top … %", name=name),
        min_value=0.1,
        max_value=100.0,
        value=None,
        step=5.0,
        format="%g",
        key=lasting(_SHARE),
        on_change=_take_share,
        args=(code,),
        help=message(
            "The highest cutoff of this class by which at least this share of the rows is predicted it. Rows of "
            "probability 0 never are."
        ),
    )


def _take_share(code: int) -> None:
    share = st.session_state[_SHARE]
    if share is not None:
        _take_cutoff(code, _of_share(code, share / 100))


def _of_share(code: int, share: float, at_most: bool = False) -> float:
    """The cutoff of a class by which at least, or at most, so many of the rows in force are predicted it."""
    settings = session.read()
    tree = evaluation.evaluated_tree(settings)
    by_class = dict(zip(tree.classes, _in_force(tree), strict=True))
    return ex.cutoff_reaching(tree, evaluation.every_row(settings), tree.classes[code], share, by_class, at_most)


def _take_cutoff(code: int, cutoff: float) -> None:
    cutoffs = _in_force(evaluation.evaluated_tree(session.read()))
    cutoffs[code] = cutoff
    _keep(cutoffs)


def _say_share(tree: ex.Tree, code: int, result: ex.Evaluation) -> None:
    """How many rows the cutoff of the share in force takes, and a button for the next fewer."""
    share = st.session_state[_SHARE]
    if share is None or not math.isclose(_in_force(tree)[code], _of_share(code, share / 100), rel_tol=1e-6):
        return
    if say_share(share, float(result.predicted_shares[code])):
        fewer = _of_share(code, share / 100, at_most=True)
        st.button(message("Take the next fewer"), key="cutoffs.fewer", on_click=_take_cutoff, args=(code, fewer))


def say_share(wanted: float, takes: float) -> bool:
    """What the highest cutoff takes for a top of so many per cent; whether that is more."""
    text = message("The top {wanted} % takes {takes} of the rows.", wanted=number(wanted), takes=percent(takes))
    is_more = takes > wanted / 100 + _SAME
    st.caption(text + (" " + message("A leaf is not divided.") if is_more else ""))
    return is_more


def _result(tree: ex.Tree, result: ex.Evaluation) -> None:
    """What the cutoffs in force make of the rows."""
    lines = [
        {
            message("class"): shortened(visible(str(name)), _LONGEST),
            message("predicted"): percent(float(share)),
            message("recall"): scores.recall,
            message("precision"): scores.precision,
        }
        for name, share, scores in zip(tree.classes, result.predicted_shares, result.classes, strict=False)
    ]
    tables.numbers_table(pd.DataFrame(lines), [False] * len(lines), "cutoffs.result", right=[message("predicted")])
    st.caption(
        message(
            "Accuracy {accuracy}. Predicted: the share of the rows.",
            accuracy=percent(result.scores["accuracy"].value),
        )
    )
