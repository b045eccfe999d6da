"""Ask me first: the candidates of a node without their numbers; the reader picks one, then the numbers are shown."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message, plural
from pages.grow import timeline
from pages.grow.timeline import Question
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import node_text


def show(settings: Settings, question: Question) -> None:
    """One button per feature that has a candidate split, in the order of the columns."""
    decision = trees.decision(settings, question.node)
    st.markdown(message("**Which feature splits node {node}?**", node=question.node))
    st.caption(message("Pick one; the numbers follow."))
    for feature in decision.best:
        st.button(
            escape_markdown(feature),
            key=f"guess.{question.node}.{feature}",
            width="stretch",
            on_click=_guessed,
            args=(question.node, feature),
        )
    _running_score(settings)


def show_verdict(settings: Settings) -> None:
    """Whether the guess at the step shown was right, and the running score."""
    if not settings.timeline.asks or settings.timeline.step in (None, 0):
        return
    node = timeline.steps_of(settings).nodes[timeline.position(settings) - 1]
    guess = timeline.guesses(settings).get(node)
    if guess is None:
        return
    decision = trees.decision(settings, node)
    (st.success if _is_right(decision, guess) else st.error)(_verdict(settings, decision, guess))
    _running_score(settings)


def _verdict(settings: Settings, decision: ex.Decision, guess: str) -> str:
    tree, winner = trees.grown(settings).tree, decision.chosen
    assert winner is not None
    score = node_text.score_heading(tree.recipe, tree.is_regression)
    best = message("{score} {value}", score=score, value=number(winner.score))
    name, guessed = escape_markdown(winner.feature), escape_markdown(guess)
    if guess == winner.feature:
        return message("Right: {winner} wins with {best}.", winner=name, best=best)
    if _is_right(decision, guess):
        return message(
            "Right: {guess} ties with {winner} at {best}; the earlier column wins.",
            guess=guessed,
            winner=name,
            best=best,
        )
    own = number(decision.best[guess].score if guess in decision.best else None)
    return message("No: {winner} wins with {best}; {guess} has {own}.", winner=name, best=best, guess=guessed, own=own)


def _is_right(decision: ex.Decision, guess: str) -> bool:
    """A feature that ties with the winner is right too."""
    return decision.chosen is not None and (guess == decision.chosen.feature or guess in decision.tied)


def _running_score(settings: Settings) -> None:
    guesses = timeline.guesses(settings)
    if not guesses:
        return
    right = sum(_is_right(trees.decision(settings, node), guess) for node, guess in guesses.items())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plural(len(guesses), "{right} of {n} right", "{right} of {n} right", right=right))
        st.button(message("Start again"), key="guess.again", type="tertiary", on_click=timeline.forget_guesses)


def _guessed(node: int, feature: str) -> None:
    timeline.guess(session.read(), node, feature)
