"""What a reader has chosen on the Evaluate page: part of the settings and the address."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages.settings.query_reader import QueryReader

KINDS = {"tree": "The tree’s own rules", "pruned": "Rules pruned one by one"}
SORTS = {"order": "As they are asked", "support": "Most rows first", "confidence": "Most confident first"}
ESTIMATES = {"valid": "On validation rows", "pessimistic": "Pessimistic, on the training rows"}


@dataclass(frozen=True)
class RulesSettings:
    """The list looked at, its order and filters, and how rules are pruned.

    `of_class` is the code of an answer, None for all; rules need `least_rows` and a confidence of `least_percent`.
    `estimate` "" takes the validation rows where there are some; `step` is the round of pruning that is shown.
    """

    kind: str = "tree"
    sort: str = "order"
    of_class: int | None = None
    least_rows: int = 0
    least_percent: int = 0
    search: str = ""
    estimate: str = ""
    only_if_better: bool = False
    step: int = 0

    def with_other_tree(self) -> RulesSettings:
        """The same once the rules are others: the film begins again."""
        return dataclasses.replace(self, step=0)

    def with_other_table(self) -> RulesSettings:
        """The same for another target: what was filtered by is let go too."""
        return dataclasses.replace(self, step=0, of_class=None, search="")

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "r.list": "" if self.kind == "tree" else self.kind,
            "r.sort": "" if self.sort == "order" else self.sort,
            "r.class": "" if self.of_class is None else str(self.of_class),
            "r.rows": str(self.least_rows or ""),
            "r.percent": str(self.least_percent or ""),
            "r.search": self.search,
            "r.estimate": self.estimate,
            "r.better": "yes" if self.only_if_better else "",
            "r.step": str(self.step or ""),
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: QueryReader) -> RulesSettings:
        """What query parameters ask for."""
        return cls(
            kind=reader.choice("r.list", "tree", KINDS),
            sort=reader.choice("r.sort", "order", SORTS),
            of_class=next(iter(reader.numbers("r.class", 1)), None),
            least_rows=reader.whole("r.rows", 0, 0, 2**31 - 1),
            least_percent=reader.whole("r.percent", 0, 0, 100),
            search=reader.last("r.search", ""),
            estimate=reader.choice("r.estimate", "", ESTIMATES),
            only_if_better=reader.choice("r.better", "no", {"yes": True}) == "yes",
            step=reader.whole("r.step", 0, 0, 2**31 - 1),
        )


MISSING, NEW = "missing", "new"
POOLS = {"valid": "Validation rows", "train": "Training rows"}
_NUMBER = r"-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?"
_CELL = re.compile(rf"(\d{{1,6}}):({MISSING}|{NEW}|{_NUMBER})", re.ASCII)
_GOAL = re.compile(rf"\d{{1,6}}|[<>]{_NUMBER}", re.ASCII)
_PLACES = re.compile(r"\d{1,6}(-\d{1,6})*", re.ASCII)


@dataclass(frozen=True)
class PredictSettings:
    """The row asked about, the tree that answers, and what its answer should become.

    `row` is the number of the table's row that the form begins with (None: the usual value of every feature), `cells`
    what was filled in over it. `is_full` takes the tree before pruning. `goal` is the class wanted, by its place, or
    "<" or ">" and a number; "" leaves it open. The features `kept` must not change. `pool` are the rows to pick from;
    "" takes the validation rows where there are some.
    """

    row: int | None = None
    cells: tuple[tuple[int, str], ...] = ()
    is_full: bool = False
    goal: str = ""
    kept: tuple[int, ...] = ()
    pool: str = ""

    def with_cells(self, cells: Mapping[int, str]) -> PredictSettings:
        """The same with more cells filled in; a later one replaces an earlier one."""
        return dataclasses.replace(self, cells=tuple(sorted({**dict(self.cells), **cells}.items())))

    def begun_with(self, row: int | None) -> PredictSettings:
        """The same with another row to begin with; what was filled in is let go."""
        return dataclasses.replace(self, row=row, cells=())

    def of_tree(self, is_full: bool) -> PredictSettings:
        """The same asked of the full tree, or of the pruned one."""
        return dataclasses.replace(self, is_full=is_full)

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "ask.row": "" if self.row is None else str(self.row),
            "ask.cells": ",".join(f"{place}:{text}" for place, text in self.cells),
            "ask.tree": "full" if self.is_full else "",
            "ask.goal": self.goal,
            "ask.kept": "-".join(map(str, self.kept)),
            "ask.rows": self.pool,
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: QueryReader) -> PredictSettings:
        """What query parameters ask for."""
        return cls(
            row=next(iter(reader.numbers("ask.row", 1)), None),
            cells=reader.read_by(read_cells, "ask.cells", ()),
            is_full=reader.choice("ask.tree", "", {"full": True}) == "full",
            goal=reader.read_by(read_goal, "ask.goal", ""),
            kept=reader.read_by(read_places, "ask.kept", ()),
            pool=reader.choice("ask.rows", "", POOLS),
        )


def read_cells(text: str) -> tuple[tuple[int, str], ...] | None:
    """Cells as an address writes them; None where the text is none of it.

    >>> read_cells("0:1,2:22.5,3:missing"), read_cells("0=1")
    (((0, '1'), (2, '22.5'), (3, 'missing')), None)
    """
    found = [_CELL.fullmatch(one) for one in text.split(",")] if text else []
    pairs = [(int(one[1]), one[2]) for one in found if one is not None]
    return tuple(sorted(dict(pairs).items())) if len(pairs) == len(found) else None


def read_goal(text: str) -> str | None:
    """A goal as an address writes it; None where the text is no goal.

    >>> read_goal("2"), read_goal(">25.5"), read_goal("more")
    ('2', '>25.5', None)
    """
    return text if not text or _GOAL.fullmatch(text) else None


def read_places(text: str) -> tuple[int, ...] | None:
    """Places joined by a minus sign; None where the text is none of it.

    >>> read_places("0-3"), read_places("-1")
    ((0, 3), None)
    """
    if not text:
        return ()
    return tuple(map(int, text.split("-"))) if _PLACES.fullmatch(text) else None


SIDES = {"left": "A", "right": "B", "third": "C"}
"""The slots of the settings that are compared, and what the page calls them."""
PAIRS = {"AB": ("left", "right"), "AC": ("left", "third"), "BC": ("right", "third")}
JUDGED = {"valid": "Validation rows", "train": "Training rows"}


@dataclass(frozen=True)
class CompareSettings:
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

    def with_alpha(self, slot: str, alpha: float | None) -> CompareSettings:
        """The same with another α for a slot."""
        first, second, third = (alpha if one == slot else self.alpha(one) for one in SIDES)
        return dataclasses.replace(self, alphas=(first, second, third))

    def with_other_tree(self, *slots: str) -> CompareSettings:
        """The same once the trees of these slots are others: what was picked in them is let go."""
        found = dataclasses.replace(self, cell=None, row=None)
        for slot in slots:
            found = found.with_alpha(slot, None)
        return found

    def with_other_table(self) -> CompareSettings:
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


ROWS = ("valid", "held_out", "train")
"""Validation rows; every row by a tree that did not see it; the rows that the tree grew on."""


@dataclass(frozen=True)
class EvaluateSettings:
    """The rows that judge the tree, the cell and the row picked, the class whose curves are drawn, the root as an end.

    `rows` "" takes the validation rows where there are some. `cell` are class codes (true, answered), `row` is the
    number of a row in the table; `of_class` None leaves the class to the page. `at_root` tells the root chosen as a
    node where rows stop from a tree in which nothing is selected.
    """

    rows: str = ""
    cell: tuple[int, int] | None = None
    row: int | None = None
    of_class: int | None = None
    at_root: bool = False

    def with_other_tree(self) -> EvaluateSettings:
        """The same once the tree is another: what was picked among its answers is let go."""
        return dataclasses.replace(self, cell=None, row=None, at_root=False)

    def to_address(self) -> dict[str, list[str]]:
        """What is not the default, as query parameters."""
        texts = {
            "e.rows": self.rows,
            "e.cell": "" if self.cell is None else "-".join(map(str, self.cell)),
            "e.row": "" if self.row is None else str(self.row),
            "e.class": "" if self.of_class is None else str(self.of_class),
            "e.leaf": "root" if self.at_root else "",
        }
        return {key: [text] for key, text in texts.items() if text}

    @classmethod
    def from_address(cls, reader: QueryReader) -> EvaluateSettings:
        """What query parameters ask for."""
        cell = reader.numbers("e.cell", 2)
        return cls(
            rows=reader.choice("e.rows", "", dict.fromkeys(ROWS)),
            cell=(cell[0], cell[1]) if cell else None,
            row=next(iter(reader.numbers("e.row", 1)), None),
            of_class=next(iter(reader.numbers("e.class", 1)), None),
            at_root=reader.choice("e.leaf", "", {"root": True}) == "root",
        )
