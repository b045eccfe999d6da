"""An exercise: a blank table of one node, whose cells know what is right and which slip gives which wrong value."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd

from explorer.explaining.formulas.derivation import Formula
from explorer.explaining.formulas.expression import Number, Quantity
from explorer.formatting import figure

T = TypeVar("T")


def as_printed(formula: str) -> str:
    """A formula as books print it, where programs write log2.

    >>> as_printed("H = −5/14·log2(5/14)")
    'H = −5/14·log₂(5/14)'
    """
    return formula.replace("log2(", "log₂(")


@dataclass(frozen=True)
class Slip:
    """A known mistake by its name in `SLIPS`, and the value it leads to."""

    name: str
    value: float


@dataclass(frozen=True)
class Cell:
    """One number to fill in.

    `says` is what the number is, in plain words. `rule` is its formula in symbols, the first hint; `formula` is the
    same with all numbers, the second. A count has neither: its `says` tells what to count.
    """

    name: str
    says: str
    value: float
    rule: str = ""
    formula: Formula | None = None
    slips: tuple[Slip, ...] = ()

    @property
    def is_count(self) -> bool:
        """Whether it is a number of rows, which has no rounding."""
        return self.formula is None

    @property
    def symbol(self) -> str:
        """What stands before the equals sign; empty for a count."""
        return self.formula.quantity.symbol if self.formula else ""

    @property
    def worked(self) -> str:
        """The second hint: the formula with all its numbers, without the result; empty where they are the result."""
        if self.formula is None or isinstance(self.formula.quantity.meaning, Number):
            return ""
        return as_printed(f"{self.symbol} = {self.formula.quantity.meaning.written(latex=False, unfold=True)}")

    @property
    def shown(self) -> str:
        """The right value as it is printed."""
        return figure(self.value)


@dataclass(frozen=True)
class Line:
    """A line of the blank table: its label in plain text, and what stands in each column (None: nothing)."""

    label: str
    cells: tuple[Cell | str | None, ...]


@dataclass(frozen=True)
class Exercise:
    """What is asked about one node; all texts are plain, worded in the language in force when it was made.

    `rows` are the node's rows, `columns` the heads of the blank table (without that of the labels), `facts` what is
    given beside the rows. `legend` says what the symbols stand for.
    """

    kind: str
    task: str
    rows: pd.DataFrame
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    facts: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    def cells(self) -> Iterator[Cell]:
        """All cells to fill in, in reading order."""
        for line in self.lines:
            yield from (cell for cell in line.cells if isinstance(cell, Cell))

    def asked(self, with_counts: bool) -> tuple[Cell, ...]:
        """The cells that a reader fills in: the numbers, and on wish the counts too."""
        return tuple(cell for cell in self.cells() if with_counts or not cell.is_count)


def cell_of(
    quantity: Quantity, recorded: float, says: str, rule: str, slips: Iterable[Slip], name: str | None = None
) -> Cell:
    """The cell of a quantity with its recorded number."""
    formula = Formula(quantity, recorded)
    return Cell(name or quantity.symbol, says, recorded, rule, formula, differing(recorded, slips))


def drawn(options: Sequence[T], seed: int) -> T:
    """One of the options by seed: successive seeds go through all of them in a shuffled order.

    >>> sorted(drawn("abc", seed) for seed in (3, 4, 5))
    ['a', 'b', 'c']
    """
    turn, position = divmod(seed, len(options))
    return random.Random(turn).sample(options, len(options))[position]


def differing(right: float, slips: Iterable[Slip]) -> tuple[Slip, ...]:
    """The slips whose value is not the right one; of several with one value, the first."""
    kept = list[Slip]()
    for slip in slips:
        if all(abs(slip.value - other) > 1e-9 for other in (right, *(other.value for other in kept))):
            kept.append(slip)
    return tuple(kept)


def filled(values: Sequence[Cell | str | None], n_columns: int) -> tuple[Cell | str | None, ...]:
    """A line whose values stand in the last columns."""
    return (*[None] * (n_columns - len(values)), *values)
