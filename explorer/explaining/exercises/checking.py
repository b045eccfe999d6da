"""Whether what was typed into a cell is right, and if not, which slip explains it."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.explaining.exercises.exercise import Cell, Slip
from explorer.explaining.exercises.slips import SLIPS
from explorer.explaining.exercises.typed import Typed, read_typed
from explorer.messages import message

EMPTY, UNREADABLE, RIGHT, ROUNDED, SLIP, WRONG = "empty", "unreadable", "right", "rounded", "slip", "wrong"
LEAST_TOLERANCE = 0.001
"""One in the third decimal: earlier results may have been rounded."""
ENOUGH_DECIMALS = 2
_FLOAT = 1e-12


@dataclass(frozen=True)
class Check:
    """The verdict on a cell, and the slip where one explains the value."""

    verdict: str
    slip: Slip | None = None

    @property
    def text(self) -> str:
        """One sentence for the reader; empty for an empty cell."""
        if self.slip is not None:
            return SLIPS[self.slip.name]
        return {
            EMPTY: "",
            UNREADABLE: message("This is no number: type 0.247, 5/14 or 35.7 %."),
            RIGHT: message("Right."),
            ROUNDED: message("Right so far: give three decimals, or a fraction."),
            WRONG: message("Not yet. The hint has the formula."),
        }[self.verdict]


def check(cell: Cell, text: str) -> Check:
    """The verdict on a typed text.

    A number is right if it is the right value rounded to the digits typed (two decimals at least), or if it differs by
    at most one in the third decimal and no slip is closer.
    """
    typed = read_typed(text)
    if typed is None:
        return Check(UNREADABLE if text.strip() else EMPTY)
    if cell.is_count:
        return Check(RIGHT if abs(typed.value - cell.value) < _FLOAT else WRONG)
    return _checked(cell, typed)


def _checked(cell: Cell, typed: Typed) -> Check:
    distance, rounding = abs(typed.value - cell.value), typed.half_unit + _FLOAT
    has_enough = typed.decimals is None or typed.decimals >= ENOUGH_DECIMALS
    if distance <= (rounding if has_enough else _FLOAT):
        return Check(RIGHT)
    slip = min(cell.slips, key=lambda slip: abs(typed.value - slip.value), default=None)
    off = abs(typed.value - slip.value) if slip is not None else float("inf")
    if distance <= LEAST_TOLERANCE + _FLOAT and distance <= off:
        return Check(RIGHT)
    if typed.decimals == 1 and distance <= rounding:
        return Check(ROUNDED)
    close = max(rounding if has_enough else 0.0, LEAST_TOLERANCE)
    return Check(SLIP, slip) if off <= close else Check(WRONG)
