"""What a reader has chosen on the Compare page beyond the settings to compare: part of the settings and the address."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

SIDES = {"left": "A", "right": "B", "third": "C"}
"""The slots of the settings that are compared, and what the page calls them."""
PAIRS = {"AB": ("left", "right"), "AC": ("left", "third"), "BC": ("right", "third")}
JUDGED = {"valid": "Validation rows", "train": "Training rows"}


@dataclass(frozen=True)
class Comparison:
    """The third setting on or off, linked views, the pair looked at, rows and row picked, axes and α of the regions.

    `cell` are the class codes that the pair answers, `row` the number of a row in the table; `judged` "" takes the
    validation rows where there are some; empty axes leave the choice to the tree; an α of None is the unpruned tree.
    """

    has_third: bool = False
    moves_together: bool = True
    pair: str = "AB"
    judged: str = ""
    cell: tuple[int, int] | None = None
    row: int | None = None
    across: str = ""
    up: str = ""
    alphas: tuple[float | None, float | None, float | None] = (None, None, None)

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that are compared."""
        return tuple(SIDES)[: 3 if self.has_third else 2]

    @property
    def pair_slots(self) -> tuple[str, str]:
        """The two slots looked at; the first two if the third is not there."""
        return PAIRS[self.pair if self.has_third else "AB"]

    def alpha(self, slot: str) -> float | None:
        """The α that a slot's regions are pruned by."""
        return self.alphas[tuple(SIDES).index(slot)]

    def with_alpha(self, slot: str, alpha: float | None) -> Comparison:
        """The same with another α for a slot."""
        first, second, third = (alpha if one == slot else self.alpha(one) for one in SIDES)
        return dataclasses.replace(self, alphas=(first, second, third))

    def with_other_tree(self, *slots: str) -> Comparison:
        """The same once the trees of these slots are others: what was picked in them is let go."""
        found = dataclasses.replace(self, cell=None, row=None)
        for slot in slots:
            found = found.with_alpha(slot, None)
        return found

    def with_other_table(self) -> Comparison:
        """The same for another table or other columns: the axes are let go too."""
        return dataclasses.replace(self.with_other_tree(*SIDES), across="", up="")

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "third": "yes" if self.has_third else "",
            "together": "" if self.moves_together else "no",
            "pair": "" if self.pair == "AB" else self.pair,
            "judged": self.judged,
            "cell": "" if self.cell is None else "-".join(map(str, self.cell)),
            "row": "" if self.row is None else str(self.row),
            "across": self.across,
            "up": self.up,
        }
        prices = {f"{SIDES[slot].lower()}.alpha": self.alpha(slot) for slot in SIDES}
        texts |= {key: repr(alpha) for key, alpha in prices.items() if alpha is not None}
        return {key: [text] for key, text in texts.items() if text}
