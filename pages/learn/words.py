"""What a step says, beside its picture: two sentences, the question, the number to check, the candidates."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.messages import message
from pages.grow import candidates_table
from pages.learn import moves, scene_order, what_next
from pages.learn.scenes.step import Choice, Number, Question, Scene, Step
from pages.settings.settings import Settings
from pages.text import escape_markdown, typeset
from pages.widgets import formula
from pages.widgets.controls import feed, quiet_button

_MOST_BUTTONS, _MOST_LETTERS = 8, 80
"""More options, or more letters on them, are a list to choose from."""


def show(settings: Settings, scene: Scene, steps: Sequence[Step], position: int) -> None:
    """The words of the step; number and candidates wait until the question is answered."""
    step, way = steps[position], scene_order.short_path()
    if settings.learn.follows_short_path and scene in way:
        st.caption(message("★ {scene} of {n} on the 15-minute path", scene=way.index(scene) + 1, n=len(way)))
    st.subheader(escape_markdown(step.title), anchor=False)
    st.markdown(step.text)
    given = moves.answer_to(scene.name, step.name)
    for choice in step.choices:
        if not (choice.waits and step.question is not None and given is None):
            _choice(choice, dict(settings.learn.chosen))
    if step.question is not None:
        _question(scene, step, step.question, given)
    if step.question is None or given is not None:
        _evidence(scene, step)
    if step.source:
        st.caption(escape_markdown(step.source))
    if position == len(steps) - 1:
        what_next.show(settings, scene)


def _evidence(scene: Scene, step: Step) -> None:
    """The number to check, and the candidates that it is one of."""
    _number(step.number, f"{scene.name}.{step.name}", is_open=step.competition is None)
    if step.competition is not None:
        tree = step.competition.tree
        candidates_table.show(step.competition.decision, tree.recipe, tree.is_regression, key="learn.candidates")


def _choice(choice: Choice, chosen: dict[str, str]) -> None:
    """Buttons, which may wrap, for the values of a choice, or a list where there are many or long ones."""
    key, values = f"learn.choice.{choice.name}", list(choice.options)
    value = chosen.get(choice.name, choice.default)
    feed(key, value if value in values else choice.default)
    if len(values) <= _MOST_BUTTONS and sum(map(len, choice.options.values())) <= _MOST_LETTERS:
        st.pills(
            choice.label,
            values,
            key=key,
            format_func=lambda value: escape_markdown(choice.options[value]),
            required=True,
            on_change=_take_choice,
            args=(choice.name, key),
        )
    else:
        st.selectbox(
            choice.label,
            values,
            key=key,
            format_func=lambda value: choice.options[value],
            on_change=_take_choice,
            args=(choice.name, key),
        )


def _take_choice(name: str, key: str) -> None:
    moves.choose(name, st.session_state[key])


def _question(scene: Scene, step: Step, question: Question, given: int | None) -> None:
    """The options as buttons with the digits that press them; once one is picked, which is right and why."""
    with st.container(key="lesson_question"):
        st.markdown(f"**{escape_markdown(question.text)}**")
        if given is None:
            _options(scene, step, question)
        else:
            _verdict(question, given)


def _options(scene: Scene, step: Step, question: Question) -> None:
    for option, text in enumerate(question.options):
        st.button(
            f"**{option + 1}** {escape_markdown(text)}",
            key=f"learn.answer.{option}",
            width="stretch",
            on_click=moves.answer,
            args=(scene.name, step.name, option),
        )
    quiet_button(message("Show the answer"), "learn.answer.shown", "", moves.answer, scene.name, step.name, -1)


def _verdict(question: Question, given: int) -> None:
    """Whether the answer was right, which one is, and why."""
    right, because = " / ".join(question.options[option] for option in question.right), question.because
    if given in question.right:
        text = message("Right: {option}. {because}", option=question.options[given], because=because)
        st.success(escape_markdown(text), icon=":material/check:")
    elif given in range(len(question.options)):
        chosen = question.options[given]
        text = message("Not “{chosen}” but “{option}”. {because}", chosen=chosen, option=right, because=because)
        st.warning(escape_markdown(text), icon=":material/close:")
    else:
        text = message("The answer: {option}. {because}", option=right, because=because)
        st.info(escape_markdown(text), icon=":material/info:")


def _number(number: Number, key: str, is_open: bool) -> None:
    """The number to check in large type, and how it is worked out: open where it is short and has the room."""
    with st.container(key="lesson_number"):
        st.markdown(escape_markdown(number.name))
        st.markdown(f"**{escape_markdown(typeset(f'{number.value:,.{number.digits}f}'))}**")
    if number.derivation is not None:
        is_expanded = is_open and not number.derivation.is_long
        with st.expander(message("How it is worked out"), expanded=is_expanded, key=f"learn.derivation.{key}"):
            formula.show(number.derivation, key)
