"""A row whose value is missing goes down every branch, each with a part of its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class FlowBranch:
    """A branch with the weight of its known rows by class; `text` is what is said of the part that enters it."""

    label: str
    stats: tuple[float, ...]
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class WeightFlow(Picture):
    """The parts of a row's weight, which are the branches' shares of the known weight.

    `code` is the class of the row, −1 where that is to be predicted. `most` is the largest number of known rows that
    the reader may give a branch; 0 leaves them as they are. `mixed` has the predicted share of each class, with its
    text: the leaves' shares, mixed by the parts.
    """

    kind: ClassVar[str] = "weight_flow"
    source: str
    code: int
    branches: tuple[FlowBranch, ...]
    classes: tuple[str, ...]
    most: int = 0
    has_parts: bool = True
    mixed: tuple[float, ...] = ()
    mixed_texts: tuple[str, ...] = ()
    state: str = ""
    """Where it changes, what the reader has set ends."""
