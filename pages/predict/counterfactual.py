"""The counterfactual: the smallest change of the row that changes its prediction."""

from __future__ import annotations

import dataclasses

import streamlit as st

import explorer as ex
from explorer.formatting import number_text, visible
from pages.results import prediction
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, value_text
from pages.widgets.controls import feed

_SIDES = {">": "above", "<": "below"}


def show(settings: Settings, form: FilledForm) -> None:
    """What should come out, what must stay, and the smallest change that does it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        goal = _number_goal(settings, form) if form.tree.is_regression else _class_goal(settings, form)
        fixed = _fixed(settings, form)
    try:
        change = _flip(form, goal, fixed)
    except ex.InputError as error:  # the prediction is as wanted already
        st.markdown(escape_markdown(error))
        return
    if change is None:
        st.markdown(f"No change of the {'other ' if fixed else ''}columns does it.")
    else:
        _show_change(form, change)


def _flip(form: FilledForm, goal: str, fixed: list[str]) -> ex.Flip | None:
    """The smallest change; `goal` is written as in the settings."""
    if not form.tree.is_regression:
        wanted = form.tree.classes[int(goal)] if goal else None
        return ex.flip(form.tree, form.train, form.row, wanted, keep=fixed)
    edge = float(goal[1:])
    if goal.startswith(">"):
        return ex.flip(form.tree, form.train, form.row, above=edge, keep=fixed)
    return ex.flip(form.tree, form.train, form.row, below=edge, keep=fixed)


def _class_goal(settings: Settings, form: FilledForm) -> str:
    """The class wanted; any other one unless it is named."""
    predicted = form.tree.predict(form.row)[0]
    names = {str(code): visible(str(name)) for code, name in enumerate(form.tree.classes) if name != predicted}
    goal = settings.predict.goal if settings.predict.goal in names else ""
    if len(names) > 1:
        names = {"": "any other class", **names}
        st.selectbox(
            "It should be",
            list(names),
            key=feed("ask.goal", goal),
            format_func=lambda code: names[code],
            on_change=lambda: _goal_changed(st.session_state["ask.goal"]),
            width=220,
        )
    return goal


def _number_goal(settings: Settings, form: FilledForm) -> str:
    """Above or below which number the prediction should be; by default on the other side of the mean of all rows."""
    mean = float(form.tree.values[0])
    goal = settings.predict.goal
    if goal[:1] not in _SIDES or not goal:
        goal = f"{'>' if form.tree.predict(form.row)[0] <= mean else '<'}{number_text(mean, 4)}"
    st.segmented_control(
        "It should be",
        list(_SIDES),
        key=feed("ask.side", goal[0]),
        format_func=lambda side: _SIDES[side],
        required=True,
        on_change=lambda: _goal_changed(f"{st.session_state['ask.side']}{goal[1:]}"),
    )
    st.number_input(
        escape_markdown(visible(form.tree.target)),
        key=feed("ask.edge", float(goal[1:])),
        step=None,
        format="%.10g",
        on_change=lambda: _goal_changed(f"{goal[0]}{number_text(st.session_state['ask.edge'])}"),
        width=160,
    )
    return goal


def _goal_changed(goal: str) -> None:
    _keep_changes(goal=goal)


def _fixed(settings: Settings, form: FilledForm) -> list[str]:
    """The features that must stay as they are."""
    names = {position: cell.name for position, cell in enumerate(form.inputs) if cell.is_asked}
    st.multiselect(
        "Must stay as it is",
        list(names),
        key=feed("ask.kept", [position for position in settings.predict.fixed if position in names]),
        format_func=lambda position: visible(names[position]),
        placeholder="nothing",
        on_change=lambda: _keep_changes(fixed=tuple(sorted(st.session_state["ask.kept"]))),
        help="What cannot be changed in the world should not be changed here.",
        width=440,
    )
    return [names[position] for position in settings.predict.fixed if position in names]


def _keep_changes(**changes: object) -> None:
    settings = session.read()
    predict = dataclasses.replace(settings.predict, **changes)  # type: ignore[arg-type]
    session.keep(changed(settings, predict=predict))


def _show_change(form: FilledForm, change: ex.Flip) -> None:
    """The change in words, and the button that takes it into the form."""
    target, class_words = escape_markdown(visible(form.tree.target)), escape_markdown(value_text(change.prediction))
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="flip"):
        with st.container():
            for cell_change in change.changes:
                st.markdown(f"**{escape_markdown(visible(cell_change.words))}**")
            st.markdown(f"Then {target} is **{class_words}**.")
        new = {cell_change.feature: cell_change.new for cell_change in change.changes}
        st.button("Put it into the form", icon=":material/edit:", key="ask.flip", on_click=prediction.fill, args=(new,))
