"""Validation rows as balls that run down a tree to their leaves; a pruned node stops them, and accuracy follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree
from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class ValidationRow:
    """A row by its name: the position of its class, and the nodes that it passes, from the root to its leaf."""

    name: str
    actual: int
    path: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ValidationRows(Picture):
    """The rows at the leaves of the tree with some nodes pruned; at the root while `asks`.

    `lit` is the node that is decided. The reader prunes and restores nodes by picking them where `can_prune`.
    """

    kind: ClassVar[str] = "validation_rows"
    tree: LessonTree
    rows: tuple[ValidationRow, ...]
    pruned: tuple[int, ...] = ()
    lit: int | None = None
    asks: bool = False
    can_prune: bool = True
