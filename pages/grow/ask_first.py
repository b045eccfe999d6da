"""Ask me first: the candidates of a node without their scores; the reader picks one, then the scores are shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.drawing.figures import class_bar
from explorer.formatting import rows, spread, visible
from explorer.messages import message, plural
from pages.grow import timeline
from pages.grow.timeline import Question
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import node_text, page_frame
from pages.widgets.controls import quiet_button
from pages.widgets.tree_view import Branches

_MOST_BRANCHES = 12


def show(settings: Settings, question: Question) -> None:
    """One button per feature that has a candidate split, in the order of the columns, and its rows by branch."""
    with st.container(key="question"):
        _show_question(settings, question)


def _show_question(settings: Settings, question: Question) -> None:
    tree, decision = trees.grown(settings).tree, trees.decision(settings, question.node)
    st.markdown(message("**Which feature splits node {node}?**", node=question.node))
    st.caption(message("Pick one; the scores follow."))
    for option, feature in enumerate(timeline.features_asked(settings), 1):
        st.button(
            f"**{option}** {escape_markdown(feature)}",
            key=f"guess.{question.node}.{feature}",
            width="stretch",
            on_click=_guessed,
            args=(question.node, feature),
        )
        st.html(_branches(tree, decision.best[feature]))
    _running_score(settings)


def branches(settings: Settings) -> tuple[Branches, ...]:
    """The branches of each feature that is offered, for a view that shows the question itself."""
    question = timeline.question(settings)
    if question is None:
        return ()
    tree, decision = trees.grown(settings).tree, trees.decision(settings, question.node)
    return tuple(_rows_by_branch(tree, decision.best[feature]) for feature in timeline.features_asked(settings))


def _rows_by_branch(tree: ex.Tree, candidate: ex.Candidate) -> Branches:
    """The word of each branch with its rows by class, or by their mean; of very many branches the first."""
    return tuple(
        (
            candidate.condition.branch_word(branch),
            _spread(tree, stats) if tree.is_regression else tuple(map(float, stats)),
        )
        for branch, stats in enumerate(candidate.branch_stats[:_MOST_BRANCHES])
    )


def _branches(tree: ex.Tree, candidate: ex.Candidate) -> str:
    """The rows of each branch of a feature's best split, by class or by their mean."""
    words = [candidate.condition.branch_word(branch) for branch in range(candidate.condition.n_branches)]
    if not tree.is_regression:
        stats, theme = candidate.branch_stats, page_frame.colours()
        return class_bar.branch_bars(words, tree.classes, stats, theme, tree.counts_rows)
    return class_bar.branch_lines(words, [_spread(tree, stats) for stats in candidate.branch_stats])


def _spread(tree: ex.Tree, stats: NDArray[np.float64]) -> str:
    weight, mean, squares = map(float, stats[:3])
    if not tree.has_deviations:
        return message("{rows}, predicts {number}", rows=rows(weight), number=number(mean))
    shown = {"rows": rows(weight), "mean": number(mean), "sd": spread(squares, weight, 4)}
    return message("{rows}, mean {mean} ± {sd}", **shown)


def _guess_here(settings: Settings) -> tuple[ex.Decision, str] | None:
    """The split at the step shown, and what the reader has guessed there; None without a guess."""
    step = timeline.position(settings)
    if not settings.timeline.asks or step == 0:
        return None
    node = timeline.steps_of(settings).nodes[step - 1]
    guess = timeline.guesses(settings).get(node)
    return None if guess is None else (trees.decision(settings, node), guess)


def verdict(settings: Settings) -> str:
    """Whether the guess at the step shown was right, as plain text, with the score at the end; empty without one."""
    guessed = _guess_here(settings)
    if guessed is None:
        return ""
    told = _verdict(settings, *guessed, visible)
    return f"{told} {_score_text(settings)}." if _is_last(settings) else told


def show_verdict(settings: Settings) -> None:
    """Whether the guess at the step shown was right, the way on, and the running score."""
    guessed = _guess_here(settings)
    if guessed is None:
        return
    (st.success if _is_right(*guessed) else st.error)(_verdict(settings, *guessed, escape_markdown))
    if _is_last(settings):
        st.markdown(message("That was the last split: the tree is whole."))
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(message("Next step"), key="guess.next", type="primary", on_click=timeline.next_step)
            st.caption(message("or the key →"), width="content")
    _running_score(settings)


def _verdict(settings: Settings, decision: ex.Decision, guess: str, worded: Callable[[str], str]) -> str:
    tree, winner = trees.grown(settings).tree, decision.chosen
    assert winner is not None
    score = node_text.score_heading(tree.recipe, tree.is_regression)
    best = message("{score} {value}", score=score, value=number(winner.score))
    name, guessed = worded(winner.feature), worded(guess)
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
    if not timeline.guesses(settings):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_score_text(settings))
        quiet_button(message("Start again"), "guess.again", "", timeline.start_again)


def _score_text(settings: Settings) -> str:
    guesses = timeline.guesses(settings)
    right = sum(_is_right(trees.decision(settings, node), guess) for node, guess in guesses.items())
    return plural(len(guesses), "{right} of {n} right", "{right} of {n} right", right=right)


def _is_last(settings: Settings) -> bool:
    """Whether the step shown is the last split."""
    return timeline.position(settings) == len(timeline.steps_of(settings).nodes)


def _guessed(node: int, feature: str) -> None:
    timeline.guess(session.read(), node, feature)
