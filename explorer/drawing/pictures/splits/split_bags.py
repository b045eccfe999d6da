"""Candidate splits of a node, and the bags into which the selected one puts its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Ball:
    """A row: `row` is the same in every picture of the table, `code` its class, `mark` a short text on it."""

    row: int
    code: int
    mark: str = ""


@dataclass(frozen=True)
class Bag:
    """The rows of one branch, as positions in the picture's balls; `title` is the branch, `text` its impurity."""

    title: str
    balls: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Division:
    """A candidate split: its bags, its number `value` with the text for it, and the arithmetic that leads there.

    While the number is asked for, `text` is "?" and the bar has no length.
    """

    label: str
    bags: tuple[Bag, ...]
    value: float
    text: str
    arithmetic: str
    is_best: bool = False


@dataclass(frozen=True, kw_only=True)
class SplitBags(Picture):
    """The rows of a node as balls in bags; the reader selects a division, and the balls move into its bags.

    `classes` are the names of the classes, by code; `most` is the number of a bar of full length, `shown` the division
    that is selected at first. A single division has no list.
    """

    kind: ClassVar[str] = "split_bags"
    title: str
    balls: tuple[Ball, ...]
    classes: tuple[str, ...]
    divisions: tuple[Division, ...]
    most: float = 1.0
    shown: int = 0
