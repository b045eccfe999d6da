"""The timeline of growing: the order of the splits, the step shown, and the sentence about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view.payload import growth_payload, signature
from explorer.explaining.splitting_sentence import splitting_sentence, start_sentence
from explorer.formatting import leaves
from explorer.growing.growing_steps import GrowingSteps, growing_steps
from explorer.messages import message
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.settings.view_settings import TimelineSettings
from pages.widgets.tree_panels import Timeline
from pages.widgets.tree_view import Ask, Branches, Shown

_GUESSES = "growing.guesses"
"""Where a session keeps the reader's guesses: the tree, and by its nodes the feature guessed."""
_MOVED = "growing.moved"
"""In the state of a session whose reader has moved the timeline, and so knows of it."""


@dataclass(frozen=True)
class Question:
    """A split to guess: its step, and its node."""

    step: int
    node: int


def of(settings: Settings, verdict: str = "", branches: tuple[Branches, ...] = ()) -> Timeline | None:
    """The timeline for the view; None for a tree that is a single leaf.

    `verdict` is that on a guess at its step, `branches` those of each feature that a question offers.
    """
    steps = steps_of(settings)
    if not steps.nodes:
        return None
    step = position(settings)
    return Timeline(
        payload=_payload(_key(settings), trees.grown(settings).tree, trees.tree_payload(settings), steps),
        position=step,
        sentence=sentence(settings, step),
        order=settings.timeline.order,
        ask=Ask(
            settings.timeline.asks,
            tuple(i for i, node in enumerate(steps.nodes, 1) if node in guesses(settings)),
            step,
            features_asked(settings),
            branches,
            verdict,
        ),
        on_change=_moved,
        on_command=_command,
    )


def steps_of(settings: Settings) -> GrowingSteps:
    """The nodes in the order of the settings; nodes of an old address that do not fit are left out."""
    return _steps(_key(settings), settings.timeline.order, settings.timeline.first, trees.grown(settings).tree)


def position(settings: Settings) -> int:
    """The step shown; the last one is the whole tree. One that is to be guessed begins at the root."""
    last, step = len(steps_of(settings).nodes), settings.timeline.step
    if step is None:
        return min(1, last) if settings.timeline.asks else last
    return min(step, last)


def sentence(settings: Settings, step: int) -> str:
    """What happened at a step, with the numbers of the competition."""
    tree, steps = trees.grown(settings).tree, steps_of(settings)
    if step == 0:
        return start_sentence(tree)
    if settings.timeline.step is None and not settings.timeline.asks:
        if _MOVED in st.session_state:
            return message("The whole tree: {leaves}.", leaves=leaves(tree.n_leaves))
        return message("The whole tree: {leaves}. ▶ shows it grow.", leaves=leaves(tree.n_leaves))
    node = steps.nodes[step - 1]
    return splitting_sentence(tree, trees.decision(settings, node), node)


def question(settings: Settings) -> Question | None:
    """The split that the reader is to guess; None where there is none, or it is guessed."""
    step = position(settings)
    if not settings.timeline.asks or step == 0:
        return None
    node = steps_of(settings).nodes[step - 1]
    return None if node in guesses(settings) else Question(step, node)


def features_asked(settings: Settings) -> tuple[str, ...]:
    """The features to choose from, in the order of the columns; none where there is no question."""
    asked = question(settings)
    return tuple(trees.decision(settings, asked.node).best) if asked else ()


def next_step() -> None:
    """Go on to the step that follows."""
    settings = session.read()
    _go_to(settings, min(position(settings) + 1, len(steps_of(settings).nodes)))


def _go_to(settings: Settings, step: int) -> None:
    """Show a step from 1 on, and select its node."""
    timeline = dataclasses.replace(settings.timeline, step=step)
    session.keep(changed(settings, node=steps_of(settings).nodes[step - 1], timeline=timeline))


def guesses(settings: Settings) -> dict[int, str]:
    """The features guessed so far in this tree, by node."""
    tree_key, guessed = st.session_state.get(_GUESSES, ("", {}))
    return guessed if tree_key == trees.grown_key(settings) else {}


def guess(settings: Settings, node: int, feature: str) -> None:
    """Note a guess."""
    st.session_state[_GUESSES] = (trees.grown_key(settings), {**guesses(settings), node: feature})


def start_again() -> None:
    """Forget the guesses, and ask for the first split."""
    st.session_state.pop(_GUESSES, None)
    _go_to(session.read(), 1)


def carried(before: Settings, after: Settings) -> TimelineSettings:
    """The timeline once a node was decided by hand: the splits made so far, and the new one as the next step.

    The splits are known by their paths, since another tree numbers its nodes anew. A timeline that shows the whole tree
    goes on showing it, and so does one whose splits the new tree does not have.
    """
    if before.timeline.step is None:
        return after.timeline
    tree, new = trees.grown(before).tree, trees.grown(after).tree
    done = [*steps_of(before).nodes[: position(before)]]
    if before.node not in done:
        done.append(before.node)
    paths = [tree.place(node).path for node in done if node < tree.n_nodes_grown]
    ends = [nodes_along(new, path) for path in paths]
    found = [
        nodes[-1]
        for nodes, path in zip(ends, paths, strict=True)
        if len(nodes) > len(path) and new.feature[nodes[-1]] >= 0
    ]
    first = tuple(found) if len(found) == len(paths) else ()
    return dataclasses.replace(after.timeline, first=first, step=len(first) or None)


def nodes_along(tree: ex.Tree, path: Sequence[int]) -> list[int]:
    """The nodes on a path of branches from the root down, as far as the tree has it."""
    nodes = [0]
    for branch in path:
        below = tree.children_of(nodes[-1])
        if branch >= len(below):
            break
        nodes.append(below[branch])
    return nodes


def _moved(shown: Shown) -> None:
    """The reader has moved along the timeline, or selected a node."""
    settings, timeline = session.read(), session.read().timeline
    if shown.position != position(settings):
        st.session_state[_MOVED] = True
        timeline = dataclasses.replace(timeline, step=shown.position)
    session.keep(changed(settings, node=max(shown.selected, 0), timeline=timeline))


def _command(name: str, value: object) -> None:
    """Another order, guessing switched on or off, a guess, or a node that the reader splits next."""
    settings, timeline = session.read(), session.read().timeline
    asked = question(settings)
    if name == "guess" and asked and value in features_asked(settings):
        guess(settings, asked.node, str(value))
    node = settings.node
    if name == "order":
        timeline = dataclasses.replace(timeline, order=str(value), first=(), step=timeline.step)
    elif name == "ask" and value:  # for the split that follows those shown, of a whole tree for the first
        nodes, step = steps_of(settings).nodes, position(settings)
        asked_at = step + 1 if step < len(nodes) else 1
        node, timeline = nodes[asked_at - 1], dataclasses.replace(timeline, asks=True, step=asked_at)
    elif name == "ask":
        timeline = dataclasses.replace(timeline, asks=False)
    elif name == "split":
        done = steps_of(settings).nodes[: position(settings)]
        timeline = dataclasses.replace(timeline, first=(*done, int(str(value))), step=len(done) + 1)
    session.keep(changed(settings, node=node, timeline=timeline))


def _key(settings: Settings) -> str:
    return f"{trees.grown_key(settings)} {settings.timeline.order} {settings.timeline.first}"


@kept()
def _steps(key: str, order: str, first: tuple[int, ...], _tree: ex.Tree) -> GrowingSteps:
    try:
        return growing_steps(_tree, order, first)
    except ex.InputError:
        return growing_steps(_tree, order)


@kept()
def _payload(key: str, _tree: ex.Tree, _pack: bytes, _steps: GrowingSteps) -> bytes:
    return growth_payload(_tree, signature(_pack), _steps.nodes)
