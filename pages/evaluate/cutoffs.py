"""Cutoffs of three and more classes: typed, found by a score, or by the share of rows predicted a class."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.formatting import shortened, visible
from explorer.messages import message
from explorer.tree.leaf_mixture import LEAST
from pages.results import evaluation
from pages.settings import session
from pages.settings.settings import changed
from pages.text import escape_markdown
from pages.widgets.controls import feed

_SHARE = "cutoffs.share"
_MOST_FIELDS, _IN_A_LINE, _LONGEST = 12, 3, 24


def show(tree: ex.Tree, code: int) -> None:
    """Ways to find cutoffs, and those in force, which all pages and exports predict by."""
    with st.expander(message("Predict by cutoffs"), key="cutoffs.find", on_change="rerun") as opened:
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
        key=_SHARE,
        on_change=_take_share,
        args=(code,),
        help=message(
            "The highest cutoff of this class by which at least this share of the rows is predicted it. Rows of "
            "probability 0 never are."
        ),
    )


def _take_share(code: int) -> None:
    share, settings = st.session_state[_SHARE], session.read()
    if share is not None:
        tree = evaluation.evaluated_tree(settings)
        cutoffs = _in_force(tree)
        by_class = dict(zip(tree.classes, cutoffs, strict=True))
        cutoffs[code] = ex.cutoff_reaching(
            tree, evaluation.every_row(settings), tree.classes[code], share / 100, by_class
        )
        _keep(cutoffs)
