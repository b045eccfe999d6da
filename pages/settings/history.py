"""What of a session can be undone: the settings before each step, and those that undo has left."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from pages.settings.settings import MEMBER_SHOWN, NODES, Settings
from pages.settings.tables import table_of

MOST_STEPS, MOST_NAMES = 100, 100_000
"""Steps that can be undone, and names of columns in the settings of all of them."""
STEP, PART, UNDO, REDO = "step", "part", "undo", "redo"
"""How settings come to be: by a step of the reader, as a part of the step before, or by going along the steps."""
NO_STEP: dict[str, tuple[str, ...]] = {
    "": (*NODES, "rows", "prediction_file", "test_set_uses", "learn", "started"),
    "view": ("layout", "ghosts", "presenter", "frozen"),
    "timeline": ("step",),
    "stability": ("on_tree",),
    "compare": (
        *("cell", "row", "has_chosen_node", "shortest_position", "mode", "shown_target"),
        *("optimal_depth", "optimal_leaves"),
    ),
    "evaluate": ("cell", "row", "at_root"),
    "rules": ("step",),
    "ensembles": MEMBER_SHOWN,
}
"""Where the reader looks, by the record that has it: a change of these alone is no step."""


@dataclass(frozen=True)
class History:
    """The settings to which undo goes, and those to which redo goes, the next at the end of each."""

    before: tuple[Settings, ...] = ()
    after: tuple[Settings, ...] = ()

    def next(self, how: str) -> Settings | None:
        """The settings to which UNDO or REDO goes; None where there are none."""
        states = self.before if how == UNDO else self.after
        return states[-1] if states else None


def chosen(settings: Settings) -> Settings:
    """The settings as they are without a look at any part: two that differ in this lie a step apart.

    >>> chosen(Settings(node=3)) == chosen(Settings()), chosen(Settings(alpha=0.1)) == chosen(Settings())
    (True, False)
    """
    own = {field: getattr(_DEFAULT, field) for field in NO_STEP[""]}
    parts = {part: _without(getattr(settings, part), part) for part in NO_STEP if part}
    return dataclasses.replace(settings, **own | parts)


def _without(record: object, part: str) -> object:
    default = getattr(_DEFAULT, part)
    return dataclasses.replace(record, **{field: getattr(default, field) for field in NO_STEP[part]})  # type: ignore[type-var]


_DEFAULT = Settings()


def noted(history: History, before: Settings, now: Settings, how: str = STEP) -> History:
    """The history once the settings `before` have become `now`; a new step ends what could be redone."""
    if how == UNDO:
        return History(history.before[:-1], (*history.after, before))
    if how == REDO:
        return History((*history.before, before), history.after[:-1])
    if how == PART or chosen(before) == chosen(now):
        return history
    states = (*history.before, before)[-MOST_STEPS:]
    while len(states) > 1 and _names_in(states) > MOST_NAMES:
        states = states[1:]
    return History(states)


def without(history: History, how: str) -> History:
    """The history without the settings to which UNDO or REDO goes: they can be used no more."""
    if how == UNDO:
        return History(history.before[:-1], history.after)
    return History(history.before, history.after[:-1])


def forgotten(history: History, upload: str) -> History:
    """The history without what was chosen for a file."""
    return History(*(tuple(s for s in states if s.upload != upload) for states in (history.before, history.after)))


def restored(state: Settings, now: Settings) -> Settings:
    """The settings of a step as they come back: how trees are drawn stays as it is now, and so does the lesson.

    Uses of the test set stay noted, and rows that were taken out of the link stay out of it.
    """
    view = dataclasses.replace(now.view, class_labels=state.view.class_labels, class_colours=state.view.class_colours)
    same_table = table_of(state) == table_of(now)
    same_rows = same_table and (state.target, state.repairs) == (now.target, now.repairs)
    return dataclasses.replace(
        state,
        learn=now.learn,
        prediction_file=now.prediction_file,
        view=view,
        compare=dataclasses.replace(state.compare, mode=now.compare.mode),
        stability=dataclasses.replace(state.stability, on_tree=now.stability.on_tree),
        rows=now.rows if same_table else state.rows,
        test_set_uses=now.test_set_uses if same_rows else state.test_set_uses,
    )


def _names_in(states: Iterable[Settings]) -> int:
    """Names that the settings hold; those that many of them share are held once."""
    held = {id(names): len(names) for s in states for names in (s.features or (), s.kinds, s.repairs)}
    return sum(held.values())
