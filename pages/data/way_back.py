"""The way back: the last change of a table's choices undone, or all of them set back."""

from __future__ import annotations

from explorer.messages import message
from pages.layout.steps import undo
from pages.settings.settings import OF_TABLE, Settings
from pages.uploads import opening
from pages.widgets.controls import quiet_button


def show(settings: Settings) -> None:
    """Each button where it would do something."""
    undo.buttons("")
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
