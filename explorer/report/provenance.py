"""The provenance of a tree: its table, its rows, and what was pruned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.dataset import Dataset
from explorer.encode import Kind
from explorer.errors import InputError
from explorer.read import Table
from explorer.samples import SAMPLES, load_sample
from explorer.tree import Tree

PART_NAMES = ("Training", "Validation", "Test")


@dataclass(frozen=True, eq=False)
class Provenance:
    """A tree and how it came about.

    `data` is the whole `table` and `kinds` what `Dataset.from_frame` was told of it. `parts` are the rows for growing,
    then those for validation and for the test, if any, made by `data.split(*shares, seed=seed)`; without shares the
    tree grew on all rows. `sample` is the key of a built-in table, None for a file called `table.name`.

    The tree was pruned at `alpha` (None: not at all) under `risk`, then by the steps of `hand`. `why` says in words why
    it has its size, `remarks` what else to know. Raises InputError for a table or rows that cannot be named.
    """

    table: Table
    data: Dataset
    tree: Tree
    parts: tuple[Dataset, ...]
    shares: tuple[float, ...] = ()
    seed: int = 0
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    sample: str | None = None
    risk: str = "impurity"
    alpha: float | None = None
    hand: tuple[tuple[str, int], ...] = ()
    why: str = ""
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what a script could not say."""
        if self.sample is not None and self.sample not in SAMPLES:
            load_sample(self.sample)  # says which samples there are
        if self.data.weights is not None and self.data.weight_column is None:
            raise InputError(
                "The rows have weights that are in no column, so nobody could grow this tree again: "
                "put them into the table and name the column."
            )
        wanted = len(self.shares) + 1
        if len(self.parts) != wanted:
            raise InputError(
                f"{len(self.shares)} shares give {wanted} parts and there are {len(self.parts)}: "
                "give the parts that `data.split` made of these shares."
            )

    @property
    def train(self) -> Dataset:
        """The rows that the tree grew on."""
        return self.parts[0]

    @property
    def judged(self) -> dict[str, Dataset]:
        """The rows that scores are told of, by name: never those of the test, which stay sealed."""
        return dict(zip(PART_NAMES[:2], self.parts, strict=False))
