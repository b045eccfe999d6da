"""Counterfactuals: the smallest changes of the row that change its prediction, each lit on the tree when chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

import explorer as ex
from explorer.explaining import few_rows_limit
from explorer.formatting import amount, number_text, percent, visible
from explorer.messages import message
from explorer.values import Value
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import ALL_DIGITS, escape_markdown, value_text
from pages.widgets import tree_panels
from pages.widgets.controls import feed
from pages.widgets.tree_view import Mark

_SHOWN = "ask.shown"
"""The node of the alternative that is lit on the tree, in the session."""


_OFFERED, _SOUGHT = 3, 12
"""So many alternatives are shown, and so many are sought where some may fail with the parts of another date."""


@dataclass(frozen=True)
class Alternatives:
    """What is wanted, written as in the settings, what is kept fixed, and the smallest changes that do it.

    `problem` says why there is none to look for: the prediction is as wanted already.
    """

    goal: str
    fixed: Sequence[str]
    flips: tuple[ex.Flip, ...] = ()
    problem: str = ""

    @property
    def shown(self) -> ex.Flip | None:
        """The alternative lit on the tree."""
        return next((flip for flip in self.flips if flip.node == st.session_state.get(_SHOWN)), None)


def alternatives(settings: Settings, form: FilledForm) -> Alternatives:
    """The three smallest changes under the settings; nothing is drawn."""
    goal = _number_goal(settings, form) if form.tree.is_regression else _class_goal(settings, form)
    fixed = [form.inputs[position].name for position in settings.predict.fixed if position in _choices(form)]
    try:
        return Alternatives(goal, fixed, _flips(settings, form, goal, fixed))
    except ex.InputError as error:
        return Alternatives(goal, fixed, problem=str(error))


def _flips(settings: Settings, form: FilledForm, goal: str, fixed: Sequence[str]) -> tuple[ex.Flip, ...]:
    """The smallest changes; parts of a date change with it alone, and what they then lead to is checked."""
    least = few_rows_limit(form.tree) if settings.predict.skips_small else 0.0
    parts = [name for name in form.parts if name in {encoding.name for encoding in form.tree.features}]
    most = _SOUGHT if parts else _OFFERED
    search = partial(ex.flips, form.tree, form.train, form.row, keep=[*fixed, *parts], most=most, least_rows=least)
    if not form.tree.is_regression:
        found = search(wanted=form.tree.classes[int(goal)] if goal else None)
    else:
        limit = float(goal[1:])
        found = search(above=limit) if goal.startswith(">") else search(below=limit)
    kept = [flip for flip in found if not parts or form.path_with(_new_cells(flip)).ends[0].node == flip.node]
    return tuple(kept[:_OFFERED])


def _class_goal(settings: Settings, form: FilledForm) -> str:
    """The code of the class wanted; "" for any other one."""
    return settings.predict.goal if settings.predict.goal in _other_classes(form) else ""


def _other_classes(form: FilledForm) -> dict[str, str]:
    """The codes of the classes that are not predicted, and their names."""
    names = enumerate(form.tree.classes)
    return {str(code): visible(str(name)) for code, name in names if name != form.path.prediction}


def _number_goal(settings: Settings, form: FilledForm) -> str:
    """Above or below which number the prediction should be; by default on the other side of the mean of all rows."""
    goal, mean = settings.predict.goal, float(form.tree.values[0])
    if goal[:1] in (">", "<"):
        return goal
    return f"{'>' if form.tree.predict(form.row)[0] <= mean else '<'}{number_text(mean, 4)}"


def _choices(form: FilledForm) -> dict[int, str]:
    """The features that the tree tests, by position."""
    tested = {field.name for field in prediction.tested_first(form)}
    return {position: field.name for position, field in enumerate(form.inputs) if field.name in tested}


def lit(form: FilledForm, found: Alternatives | None) -> tuple[list[tuple[int, float]], list[Mark]]:
    """The nodes of the row's path; those of the alternative that is shown, with a ring on its leaf."""
    flip = None if found is None else found.shown
    if flip is None:
        return [(visit.node, visit.part) for visit in form.path.visits], []
    ring = Mark(flip.node, "ring", message("After the change: {prediction}", prediction=value_text(flip.prediction)))
    return [(visit.node, visit.part) for visit in form.path_with(_new_cells(flip)).visits], [ring]


def _new_cells(flip: ex.Flip) -> dict[str, Value]:
    return {change.feature: change.new for change in flip.changes}


def show(settings: Settings, form: FilledForm, found: Alternatives) -> None:
    """What is wanted, what is kept fixed, and the alternatives."""
    st.subheader(message("What would change the prediction?"), anchor=False)
    if form.tree.n_leaves == 1:
        st.markdown(message("No change of the features does it: the tree is a single leaf, so it tests none of them."))
        return
    with st.container(key="wanted"):
        if form.tree.is_regression:
            _choose_number(form, found.goal)
        elif len(form.tree.classes) > 2:
            _choose_class(form, found.goal)
        _choose_fixed(settings, form)
        limit = amount(few_rows_limit(form.tree))
        st.toggle(
            message("Skip small leaves"),
            key=feed("ask.large", settings.predict.skips_small),
            on_change=lambda: _keep_changes(skips_small=st.session_state["ask.large"]),
            help=message(
                "Offer only leaves with {limit} training rows or more (10 rows, or 1 % of the training rows if that "
                "is more).",
                limit=limit,
            ),
        )
    if found.problem:
        st.markdown(escape_markdown(found.problem))
    elif not found.flips:
        st.markdown(_none_found(settings, found))
    for place, flip in enumerate(found.flips):
        _card(form, flip, place, flip is found.shown)
    if found.flips:
        st.caption(message("Fewest features first, then the least distance. Distances count each column’s range as 1."))


def _none_found(settings: Settings, found: Alternatives) -> str:
    if settings.predict.skips_small:
        return message("No change leads to such a leaf. Allow small leaves to see more.")
    if found.fixed:
        return message("No change of the other features does it.")
    return message("No change of the features does it.")


def _choose_class(form: FilledForm, goal: str) -> None:
    names = {"": message("any other class"), **_other_classes(form)}
    st.selectbox(
        message("Wanted prediction"),
        list(names),
        key=feed("ask.goal", goal),
        format_func=lambda code: names[code],
        on_change=lambda: _keep_changes(goal=st.session_state["ask.goal"]),
    )


def _choose_number(form: FilledForm, goal: str) -> None:
    """Above or below which number."""
    sides = {">": message("above"), "<": message("below")}
    with st.container(key="wanted_number"):
        st.segmented_control(
            message("Wanted prediction"),
            list(sides),
            key=feed("ask.side", goal[0]),
            format_func=lambda side: sides[side],
            required=True,
            on_change=lambda: _keep_changes(goal=f"{st.session_state['ask.side']}{goal[1:]}"),
            width="content",
        )
        st.number_input(
            message("Limit"),
            key=feed("ask.edge", float(goal[1:])),
            step=None,
            format=ALL_DIGITS,
            on_change=lambda: _keep_changes(goal=f"{goal[0]}{number_text(st.session_state['ask.edge'])}"),
        )


def _choose_fixed(settings: Settings, form: FilledForm) -> None:
    """The features that no alternative may change."""
    names = _choices(form)
    st.multiselect(
        message("Keep fixed"),
        list(names),
        key=feed("ask.kept", [position for position in settings.predict.fixed if position in names]),
        format_func=lambda position: visible(names[position]),
        placeholder=message("nothing"),
        on_change=lambda: _keep_changes(fixed=tuple(sorted(st.session_state["ask.kept"]))),
        help=message("Features that cannot be changed in reality, such as age."),
    )


_keep_changes = partial(session.keep_part, "predict")


def _card(form: FilledForm, flip: ex.Flip, place: int, is_shown: bool) -> None:
    """The changes, the new prediction with the rows behind it, a warning where they are few, and what to do."""
    with st.container(border=True, key=f"alternative_{place}"):
        st.markdown("  \n".join(f"**{escape_markdown(visible(change.words))}**" for change in flip.changes))
        st.markdown(_result(form.tree, flip))
        limit = few_rows_limit(form.tree)
        if flip.weight < limit:
            st.markdown(
                message(
                    ":orange-badge[Small leaf] {rows}, fewer than {limit}: this prediction is uncertain.",
                    rows=form.tree.rows_text(flip.weight),
                    limit=amount(limit),
                )
            )
        with st.container(key=f"do_{place}"):
            st.button(
                message("Shown on the tree") if is_shown else message("Show on the tree"),
                key=f"ask.show.{place}",
                type="primary" if is_shown else "secondary",
                on_click=_show_or_hide,
                args=(flip.node, form.path.ends[0].node, is_shown),
            )
            st.button(message("Apply"), key=f"ask.flip.{place}", on_click=_apply, args=(_new_cells(flip),))


def _result(tree: ex.Tree, flip: ex.Flip) -> str:
    """The new prediction, its probability, and the training rows at the new leaf."""
    fields = {
        "prediction": escape_markdown(value_text(flip.prediction)),
        "node": flip.node,
        "rows": tree.rows_text(flip.weight),
    }
    if flip.share is None:
        return message("Predicts **{prediction}** (node {node}, {rows}).", **fields)
    share = percent(flip.share)
    return message("Predicts **{prediction}** with probability {share} (node {node}, {rows}).", share=share, **fields)


def _show_or_hide(node: int, row_end: int, is_shown: bool) -> None:
    """Light an alternative and select its leaf; or go back to the leaf of the row."""
    st.session_state[_SHOWN] = None if is_shown else node
    tree_panels.take_node("grow", row_end if is_shown else node)


def _apply(cells: dict[str, Value]) -> None:
    """Put the changes into the form."""
    st.session_state[_SHOWN] = None
    prediction.fill(cells)
