"""The two tables of a tree of rpart: its nodes (`frame`), and the splits of them (rpart.object in rpart's help)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.scale import Ordered
from explorer.foreign.limits import MOST_FEATURES, MOST_NODES
from explorer.foreign.r_files.fields import refuse
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding

Array = NDArray[Any]
LEFT, NEITHER, RIGHT = 1, 2, 3
"""Where a row of `csplit` sends a level; a level that the node had no row of is missing to rpart."""


@dataclass(frozen=True)
class Side:
    """One split of rpart's table: its feature, and the branch of each value; `levels` [m, 2] are (code, goes right).

    A number up to `cut` goes left, or right with `low_is_right`; nan where levels are listed, `n_absent` of which the
    node had no row of.
    """

    feature: int
    cut: float
    low_is_right: bool
    levels: Array
    n_absent: int = 0


class Splits:
    """The splits of a tree as rpart lists them: of every node the winner, what competed, and its surrogates."""

    def __init__(self, fields: Fields, features: Sequence[FeatureEncoding], kinds: Sequence[str]) -> None:
        self.features, self.kinds = features, kinds
        self.names = {feature.name: position for position, feature in enumerate(features)}
        self.variable = fields.items("split") if fields.has("split") else []  # a single leaf has no splits
        n = len(self.variable)
        table = fields.numbers("splits", None, missing=True) if fields.has("splits") else np.empty(0)
        if len(table) != 5 * n:
            refuse(
                message("'{field}' is not {expected}", field="splits", expected=message("a list of the right length"))
            )
        columns = table.reshape(5, n)
        self.n_categories, self.improve, self.index, self.adjusted = columns[1], columns[2], columns[3], columns[4]
        if n and not np.isfinite(columns[:4]).all():
            refuse(
                message(
                    "'{field}' is not {expected}", field="splits", expected=message("a list of finite numbers that fit")
                )
            )
        widest = max([len(each.words or ()) or 2 for each in features], default=0)
        code = fields.whole_numbers("csplit", None, LEFT, RIGHT) if fields.has("csplit") else np.empty(0, np.int32)
        width = int(max(self.n_categories, default=0))
        if width > widest or (width > 1 and (not code.size or code.size % width)):
            refuse(message("its categories do not belong to its nodes"))
        self.sides = code.reshape(width, -1).T if width > 1 else code.reshape(0, 1)

    def at(self, which: int) -> Side:
        """One of them; InputError where it does not fit its feature."""
        position = self.names.get(self.variable[which], -1) if isinstance(self.variable[which], str) else -1
        if position < 0:
            refuse(message("a split names a column that the model was not fitted on"))
        encoding, index, size = self.features[position], float(self.index[which]), int(self.n_categories[which])
        none = np.empty((0, 2), dtype=np.int64)
        if size in (-1, 1):
            if self.kinds[position] == "logical":  # FALSE is 0, TRUE is 1
                right = [int((value < index) == (size == 1)) for value in (0, 1)]
                return Side(position, np.nan, False, np.column_stack([[0, 1], right]))
            if encoding.test != "threshold" or isinstance(encoding.scale, Ordered):
                refuse(message("a split has no threshold, or one on categories"))
            return Side(position, float(np.nextafter(index, -np.inf)), size == 1, none)
        words = encoding.words or ()
        if size != len(words) or not 1 <= index <= len(self.sides) or index != int(index):
            refuse(message("its categories do not belong to its nodes"))
        codes = self.sides[int(index) - 1, :size]
        if encoding.test != "threshold":
            known = np.flatnonzero(codes != NEITHER)
            levels = np.column_stack([known, codes[known] == RIGHT]).astype(np.int64)
            return Side(position, np.nan, False, levels, size - len(known))
        changes = np.flatnonzero(np.diff(codes)) + 1
        if len(changes) != 1 or NEITHER in codes:
            refuse(message("a split puts the levels of an ordered factor out of their order"))
        return Side(position, float(changes[0]) + 0.5, codes[0] == RIGHT, none)


@dataclass(frozen=True, eq=False)
class Frame:
    """The nodes in the order of rpart's table: a row each, children by their row, −1 for a leaf."""

    fields: Fields
    number: Array
    left: Array
    right: Array
    first_split: Array
    n_surrogates: Array
    n_competing: Array
    n_listed: int

    @classmethod
    def of(cls, fields: Fields) -> Frame:
        """The table, if its node numbers form a tree; InputError otherwise."""
        frame = fields.record("frame")
        variable = frame.items("var")
        n = len(variable)
        if not 1 <= n <= MOST_NODES:
            refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES))
        number = fields.whole_numbers("node", n, 1, 2**31 - 1, np.int64)
        row_of = {each: row for row, each in enumerate(number.tolist())}
        is_leaf = np.array([each == "<leaf>" for each in variable])
        children = np.array(
            [
                (-1, -1) if leaf else (row_of.get(2 * each, -1), row_of.get(2 * each + 1, -1))
                for each, leaf in zip(number.tolist(), is_leaf.tolist(), strict=True)
            ]
        )
        is_tree = len(row_of) == n and 1 in row_of and (children[~is_leaf] >= 0).all() and 2 * (~is_leaf).sum() == n - 1
        if not is_tree:
            refuse(message("the children of a tree do not form a tree"))
        competing = frame.whole_numbers("ncompete", n, 0, MOST_FEATURES, np.int64)
        surrogates = frame.whole_numbers("nsurrogate", n, 0, MOST_FEATURES, np.int64)
        listed = np.where(is_leaf, 0, 1 + competing + surrogates)
        left, right = children.T
        return cls(fields, number, left, right, np.cumsum(listed) - listed, surrogates, competing, int(listed.sum()))

    def numbers(self, name: str, least: float = -LARGEST_SUMMED) -> Array:
        """A column of the table."""
        return self.fields.record("frame").numbers(name, len(self.number), least, LARGEST_SUMMED)
