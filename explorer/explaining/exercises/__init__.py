"""Exercises on one node: what is asked, what is right, and which slip gives which wrong value."""

from explorer.explaining.exercises.checking import Check, check
from explorer.explaining.exercises.exercise import Cell, Exercise, Line, Slip, as_printed
from explorer.explaining.exercises.kinds import EXERCISE_KINDS, ExerciseKind, exercise
from explorer.explaining.exercises.slips import SLIPS
from explorer.explaining.exercises.tables import by_hand, random_table
from explorer.explaining.exercises.typed import Typed, read_typed

__all__ = [
    "EXERCISE_KINDS",
    "SLIPS",
    "Cell",
    "Check",
    "Exercise",
    "ExerciseKind",
    "Line",
    "Slip",
    "Typed",
    "as_printed",
    "by_hand",
    "check",
    "exercise",
    "random_table",
    "read_typed",
]
