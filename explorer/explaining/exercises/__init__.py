"""Exercises on one node: what is asked, what is right, and which slip gives which wrong value."""

from explorer.explaining.exercises.checking import Check, check
from explorer.explaining.exercises.exercise import Cell, Exercise, Line, Slip
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
    "by_hand",
    "check",
    "exercise",
    "random_table",
    "read_typed",
]
