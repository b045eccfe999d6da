"""The way back: the last change of a table's choices undone, or all of them set back."""

from __future__ import annotations

from explorer.messages import listing, message
from pages.data import suggestions
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.settings import OF_TABLE, Settings
from pages.settings.tables import Step
from pages.uploads import opening
from pages.widgets.controls import quiet_button

_CHOICES = {
    "target": lambda: message("the target"),
    "features": lambda: message("roles"),
    "kinds": lambda: message("types"),
    "weight": lambda: message("weights"),
    "repairs": lambda: message("repairs"),
}
"""What a change is called by the field that it changed; all others are of the split."""


def show(settings: Settings, place: str) -> None:
    """Each button where it would do something; an error is shown at a place of the page."""
    step = session.last_step()
    if step is not None:
        quiet_button(message("Undo last change"), "undo", "undo", _undo, place, about=_said(step))
    if _has_choices(settings):
        quiet_button(
            message("Start over"),
            "start_over",
            "restart_alt",
            opening.start_over,
            about=message("Sets all choices about this table back: columns, repairs, split, growing and pruning."),
        )


def _has_choices(settings: Settings) -> bool:
    """Whether anything about the table was chosen; a file always has a target."""
    choices = ("repairs", "choices", *(field for field in OF_TABLE if field != "target"))
    return any(getattr(settings, field) != getattr(Settings(), field) for field in choices)


def _said(step: Step) -> str:
    """What is undone."""
    if step.whole:
        return message("Undoes “Start over”.")
    names = dict.fromkeys(_CHOICES.get(field, _split)() for field in step.fields)
    return message("Undoes the last change of {choices}.", choices=listing(list(names)))


def _split() -> str:
    return message("the split of the rows")


def _undo(place: str) -> None:
    step = session.last_step()
    if session.undo(trees.check_rows, place):
        fit_target()
        if step is not None and "repairs" in step.fields:
            suggestions.say_grown_again()
