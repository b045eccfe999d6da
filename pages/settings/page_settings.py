"""What a reader has chosen on one page each, and how a tree is grown: records within the settings and the address."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import explorer as ex
from explorer.explaining.file_names import AS_WRITTEN, FileNames
from explorer.growing.shortest_tree import ORDERS
from explorer.recipe.split_score import SCORES
from pages.settings import growing_options, labels
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import (
    OPTIONAL_WHOLE,
    PAIR,
    TEXT,
    TEXTS,
    Format,
    Query,
    QueryRecord,
    choice,
    in_query,
    parsed,
    switch,
    whole,
)

SIDES = {"left": "A", "right": "B", "third": "C"}
"""The slots of the settings that are compared, and what the page calls them."""
PAIRS = {"AB": ("left", "right"), "AC": ("left", "third"), "BC": ("right", "third")}


@dataclass(frozen=True)
class GrowSettings:
    """A recipe's name and the fields changed in it; no name leaves the choice to the kind of target."""

    name: str = ""
    changes: tuple[tuple[str, growing_options.Value], ...] = ()

    @classmethod
    def of_recipe(cls, recipe: ex.Recipe) -> GrowSettings:
        """The settings that stand for a recipe of one of the algorithms; what pages cannot set is left out."""
        book = growing_options.RECIPES[recipe.name]
        fields = sorted(field for field in growing_options.BY_FIELD if field in vars(recipe))
        values = ((field, getattr(recipe, field)) for field in fields)
        return cls(recipe.name, tuple((field, value) for field, value in values if value != getattr(book, field)))

    def recipe(self, default: ex.Recipe) -> ex.Recipe:
        """The recipe with its changes; InputError if they contradict each other."""
        return growing_options.RECIPES.get(self.name, default).replace(**dict(self.changes))

    def with_change(self, field: str, value: growing_options.Value) -> GrowSettings:
        """The same with one more field changed; a later one replaces an earlier one, the recipe's own value ends it."""
        if self.name and value == getattr(growing_options.RECIPES[self.name], field):
            return self.without(field)
        return GrowSettings(self.name, tuple(sorted({**dict(self.changes), field: value}.items())))

    def without(self, *fields: str) -> GrowSettings:
        """The same with some fields as the recipe has them."""
        return GrowSettings(self.name, tuple(pair for pair in self.changes if pair[0] not in fields))

    def with_other_table(self) -> GrowSettings:
        """The same without the weights and costs, which name classes and columns of one table."""
        return self.without(*(table.field for table in growing_options.TABLES))

    def consistent(self, default: ex.Recipe) -> GrowSettings:
        """The same with entropy in place of another impurity where the score is defined by it.

        `default` stands for the recipe where none is named.
        """
        own = growing_options.RECIPES.get(self.name, default)
        changes = dict(self.changes)
        if not SCORES[str(changes.get("score", own.score))].by_entropy:
            return self
        if changes.get("impurity", own.impurity) == "entropy":
            return self
        return self.with_change("impurity", "entropy")

    def to_query(self, prefix: str) -> Query:
        """The recipe and its changed fields, as query parameters whose keys begin with the prefix."""
        query = {prefix + "recipe": [self.name]} if self.name else {}
        return query | {prefix + field: [growing_options.write(value)] for field, value in self.changes}

    @classmethod
    def from_query(cls, reader: QueryReader, prefix: str) -> GrowSettings:
        """The recipe and its changed fields; a field that cannot be used is left as the recipe has it."""
        name = _PACKAGE_NAMES.get(reader.text(prefix + "recipe", ""))
        growing = cls(name or reader.choice(prefix + "recipe", "", growing_options.RECIPES))
        for field, option in growing_options.BY_FIELD.items():
            key = prefix + field
            if not reader.texts(key):
                continue
            try:
                growing = growing._with_option(option, reader.text(key, ""))
            except ex.InputError as error:
                reader.refuse(key, None, str(error))
            except (ValueError, KeyError):
                reader.refuse(key, None)
        return growing

    def _with_option(self, option: growing_options.Option, text: str) -> GrowSettings:
        """The same with an option as an address writes it; ValueError or KeyError where that is not possible."""
        growing = self.with_change(option.field, option.read(text))
        growing.recipe(ex.CART)
        if option.field == "impurity" and growing.consistent(ex.CART) != growing:
            raise ValueError(text)  # gain and gain ratio are defined by entropy
        return growing


_PACKAGE_NAMES = {"C45": "C4.5"}
"""What the Python package calls a recipe, where the pages call it otherwise."""


def grow_settings(prefix: str) -> Format:
    """How a tree is grown, in parameters with this prefix."""
    return Format(
        lambda reader, _, __: GrowSettings.from_query(reader, prefix), lambda _, value: value.to_query(prefix)
    )


RESAMPLES = ("bootstrap", "subsample", "leave-1-out", "leave-2-out")


@dataclass(frozen=True)
class StabilitySettings(QueryRecord):
    """The resamples that the tree is compared on, and whether the result is drawn on the tree.

    `rows` "" leaves the choice to the size of the table. `count` and `seed` are those of random resamples; `tolerance`
    is the share of rows, in per cent, that two splits may send to different branches and still be alike. With `pair`
    the tennis table stands beside the same table with, or without, its noisy row 15.
    """

    rows: str = in_query("", "st.rows", choice(("", *RESAMPLES)))
    count: int = in_query(200, "st.count", whole(10, 2000))
    seed: int = in_query(0, "st.seed", whole())
    tolerance: int = in_query(10, "st.tolerance", whole(0, 50))
    on_tree: bool = in_query(True, "st.layer", switch())
    pair: bool = in_query(False, "st.pair", switch())


PROFITS = (1.0, -1.0, 0.0, 0.0)
"""What a row brings at first: predicted the class rightly, wrongly; not predicted it wrongly, rightly."""


def _parse_profits(text: str) -> tuple[float, ...] | None:
    """Four numbers joined by colons."""
    found = re.fullmatch(r"(-?\d{1,9}(?:\.\d{1,6})?)" + r":(-?\d{1,9}(?:\.\d{1,6})?)" * 3, text, re.ASCII)
    return tuple(map(float, found.groups())) if found else None if text else PROFITS


def _profits_text(profits: tuple[float, ...]) -> str:
    return ":".join(f"{profit:.6f}".rstrip("0").rstrip(".") for profit in profits)


_ROW_SETS = ("valid", "held_out", "train")
"""Validation rows; held-out folds; training rows."""


@dataclass(frozen=True)
class EvaluateSettings(QueryRecord):
    """The rows that the tree is evaluated on, the cell and row selected, the class whose curves are drawn, a threshold.

    `rows` "" takes the validation rows where there are some. `cell` are class codes (true, predicted), `row` is the
    number of a row in the table; `of_class` None leaves the class to the page. `at_root` is true where the root
    itself is selected as a node where rows stop, and not for lack of another. `threshold` is the position of a
    threshold on the curves of the class, the highest first; 0 is none. `profits` are what a row brings: of the class
    and predicted it, predicted it wrongly, of the class and not predicted it, neither. `first_leaves` are so many
    leaves from the top of the gains, which stand in the order of the training response with `gains_by_training`, else
    of that on the rows in force.
    """

    rows: str = in_query("", "e.rows", choice(_ROW_SETS))
    cell: tuple[int, int] | None = in_query(None, "e.cell", PAIR)
    row: int | None = in_query(None, "e.row", OPTIONAL_WHOLE)
    of_class: int | None = in_query(None, "e.class", OPTIONAL_WHOLE)
    at_root: bool = in_query(False, "e.leaf", switch("root", ""))
    threshold: int = in_query(0, "e.threshold", whole())
    profits: tuple[float, ...] = in_query(PROFITS, "e.profit", parsed(_parse_profits, _profits_text))
    first_leaves: int = in_query(0, "e.first", whole())
    gains_by_training: bool = in_query(True, "e.gains", switch("training", "response"))

    def with_other_tree(self) -> EvaluateSettings:
        """The same once the tree is another: what was selected among its predictions is cleared."""
        return dataclasses.replace(self, cell=None, row=None, at_root=False, threshold=0, first_leaves=0)

    def with_other_probabilities(self) -> EvaluateSettings:
        """The same once the predicted probabilities are others: the threshold among them is cleared."""
        return dataclasses.replace(self, threshold=0)

    def with_other_table(self) -> EvaluateSettings:
        """The same for another table: only the choice of rows remains."""
        return EvaluateSettings(rows=self.rows, profits=self.profits)


@dataclass(frozen=True)
class RulesSettings(QueryRecord):
    """The list of rules that is shown, its order and filters, and how rules are pruned.

    `of_class` is the code of a predicted class, None for all; rules need `min_rows` and a confidence of `min_percent`.
    `estimate` "" takes the validation rows where there are some; `step` is the round of pruning that is shown.
    """

    kind: str = in_query("tree", "r.list", choice(labels.RULE_LISTS))
    sort: str = in_query("reliability", "r.sort", choice(labels.RULE_ORDERS))
    of_class: int | None = in_query(None, "r.class", OPTIONAL_WHOLE)
    min_rows: int = in_query(0, "r.rows", whole())
    min_percent: int = in_query(0, "r.percent", whole(0, 100))
    search: str = in_query("", "r.search", TEXT)
    estimate: str = in_query("", "r.estimate", choice(labels.RULE_ESTIMATES))
    only_if_better: bool = in_query(False, "r.better", switch())
    step: int = in_query(0, "r.step", whole())

    def with_other_tree(self) -> RulesSettings:
        """The same once the rules are others: their pruning is shown from its first round."""
        return dataclasses.replace(self, step=0)

    def with_other_table(self) -> RulesSettings:
        """The same for another table: filters that name its classes and columns are cleared too."""
        return dataclasses.replace(self, step=0, of_class=None, search="")


MISSING, NEW = "missing", "new"
_NUMBER = r"-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?"
_CELL = re.compile(rf"(\d{{1,6}}):({MISSING}|{NEW}|{_NUMBER})", re.ASCII)
_GOAL = re.compile(rf"\d{{1,6}}|[<>]{_NUMBER}", re.ASCII)
_POSITIONS = re.compile(r"\d{1,6}(-\d{1,6})*", re.ASCII)


def parse_cells(text: str) -> tuple[tuple[int, str], ...] | None:
    """Cells as an address writes them; None for any other text.

    >>> parse_cells("0:1,2:22.5,3:missing"), parse_cells("0=1")
    (((0, '1'), (2, '22.5'), (3, 'missing')), None)
    """
    matches = [_CELL.fullmatch(cell) for cell in text.split(",")] if text else []
    pairs = [(int(match[1]), match[2]) for match in matches if match is not None]
    return tuple(sorted(dict(pairs).items())) if len(pairs) == len(matches) else None


def parse_goal(text: str) -> str | None:
    """A goal as an address writes it; None for any other text.

    >>> parse_goal("2"), parse_goal(">25.5"), parse_goal("more")
    ('2', '>25.5', None)
    """
    return text if not text or _GOAL.fullmatch(text) else None


def parse_positions(text: str) -> tuple[int, ...] | None:
    """Positions joined by a minus sign; None for any other text.

    >>> parse_positions("0-3"), parse_positions("-1")
    ((0, 3), None)
    """
    if not text:
        return ()
    return tuple(map(int, text.split("-"))) if _POSITIONS.fullmatch(text) else None


_PARTS = {"columns": 2, "categories": 3}


def _read_names(reader: QueryReader, key: str, default: FileNames) -> FileNames:
    """What is said of a file's columns and categories, each a list of texts."""
    said: dict[str, list[tuple[str, ...]]] = {part: [] for part in _PARTS}
    for text in reader.texts(key):
        try:
            parts = json.loads(text)
            part = next(part for part, n in _PARTS.items() if len(parts) == n)
        except (ValueError, TypeError, RecursionError, StopIteration):
            parts = None
        if not isinstance(parts, list) or not all(isinstance(word, str) for word in parts):
            reader.refuse(key, None)
            return default
        said[part].append(tuple(parts))
    return FileNames(tuple(said["columns"]), tuple(said["categories"]))  # type: ignore[arg-type]


NAMES = Format(
    _read_names,
    lambda key, names: {
        key: [
            json.dumps(parts, ensure_ascii=False, separators=(",", ":")) for parts in names.columns + names.categories
        ]
    },
)


@dataclass(frozen=True)
class PredictSettings(QueryRecord):
    """The row to predict, the tree that predicts it, and what its prediction should become.

    `row` is the number of the table's row that the form begins with (None: the usual value of every feature), `cells`
    what was filled in over it, by the feature's position. `is_full` takes the tree before pruning. `goal` is the class
    wanted, by its code, or "<" or ">" and a number; "" leaves it open. The features at the positions `fixed` must not
    change. `row_set` are the rows to begin with; "" takes the validation rows where there are some. With `skips_small`
    no small leaf is offered. `names` says which columns and categories of a file are which of the tree.
    """

    row: int | None = in_query(None, "ask.row", OPTIONAL_WHOLE)
    cells: tuple[tuple[int, str], ...] = in_query(
        (),
        "ask.cells",
        parsed(parse_cells, lambda cells: ",".join(f"{position}:{text}" for position, text in cells)),
    )
    is_full: bool = in_query(False, "ask.tree", switch("full", ""))
    goal: str = in_query("", "ask.goal", parsed(parse_goal))
    fixed: tuple[int, ...] = in_query((), "ask.kept", parsed(parse_positions, lambda fixed: "-".join(map(str, fixed))))
    row_set: str = in_query("", "ask.rows", choice(labels.ROW_SETS))
    skips_small: bool = in_query(False, "ask.large", switch())
    names: FileNames = in_query(AS_WRITTEN, "ask.name", NAMES)

    def with_cells(self, cells: Mapping[int, str]) -> PredictSettings:
        """The same with more cells filled in; a later one replaces an earlier one."""
        return dataclasses.replace(self, cells=tuple(sorted({**dict(self.cells), **cells}.items())))

    def with_start_row(self, row: int | None) -> PredictSettings:
        """The same with another row to begin with; what was filled in is cleared."""
        return dataclasses.replace(self, row=row, cells=())

    def with_full_tree(self, is_full: bool) -> PredictSettings:
        """The same predicted by the full tree, or by the pruned one."""
        return dataclasses.replace(self, is_full=is_full)


def _alpha_key(slot: str, key: str) -> str:
    return f"{SIDES[slot].lower()}.{key}"


ALPHAS = Format(
    lambda reader, key, _: tuple(reader.number(_alpha_key(slot, key), None, 0.0) for slot in SIDES),
    lambda key, alphas: {
        _alpha_key(slot, key): [repr(alpha)] for slot, alpha in zip(SIDES, alphas, strict=True) if alpha is not None
    },
)
"""An α for each side."""


@dataclass(frozen=True)
class CompareSettings(QueryRecord):
    """What is compared, the third side on or off, the pair, rows and row selected, axes of the regions, and pruning.

    `cell` are the class codes that the pair predicts, `row` the number of a row in the table; `rows` "" takes the
    validation rows where there are some; empty axes leave the choice to the tree. `pruned` is how all trees are pruned
    ("": as that of the Prune page), unless one has an α of its own in `alphas`: then each is at its own, None unpruned.
    Until the reader chooses a node on the page (`has_chosen_node`) the first difference is selected. `mode` is one of
    `labels.COMPARISONS`; the shortest tree is `shortest_by` depth or tests, and of those equally short at a position.

    In a comparison of several targets, `more_targets` are the columns that one tree predicts beside the target (none:
    the page takes one), `shown_target` the one whose tree is on the stage ("": the target), and `standardises` says
    whether decreases count as shares.
    """

    has_third: bool = in_query(False, "third", switch())
    moves_together: bool = in_query(True, "together", switch())
    pair: str = in_query("AB", "pair", choice(PAIRS))
    rows: str = in_query("", "judged", choice(labels.ROW_SETS))
    cell: tuple[int, int] | None = in_query(None, "cell", PAIR)
    row: int | None = in_query(None, "row", OPTIONAL_WHOLE)
    x_feature: str = in_query("", "across", TEXT)
    y_feature: str = in_query("", "up", TEXT)
    alphas: tuple[float | None, float | None, float | None] = in_query((None, None, None), "alpha", ALPHAS)
    has_chosen_node: bool = in_query(False, "picked", switch())
    pruned: str = in_query("", "pruned", choice(("", "size", "alpha", "best", "one_se", "full")))
    mode: str = in_query("algorithms", "comparison", choice(labels.COMPARISONS))
    shortest_by: str = in_query("depth", "shortest", choice(ORDERS))
    shortest_position: int = in_query(0, "shortest.tree", whole())
    optimal_depth: int = in_query(3, "optimal.depth", whole(2, 4))
    optimal_leaves: int = in_query(4, "optimal.leaves", whole(2, 8))
    more_targets: tuple[str, ...] = in_query((), "target2", TEXTS)
    shown_target: str = in_query("", "shown", TEXT)
    standardises: bool = in_query(True, "standardised", switch())

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that are compared."""
        return tuple(SIDES)[: 3 if self.has_third else 2]

    @property
    def pair_slots(self) -> tuple[str, str]:
        """The two slots of the pair; the first two if the third is not there."""
        return PAIRS[self.pair if self.has_third else "AB"]

    def alpha(self, slot: str) -> float | None:
        """The α of its own that a slot's tree is pruned by."""
        return self.alphas[tuple(SIDES).index(slot)]

    def with_alpha(self, slot: str, alpha: float | None) -> CompareSettings:
        """The same with another α for a slot."""
        first, second, third = (alpha if side == slot else self.alpha(side) for side in SIDES)
        return dataclasses.replace(self, alphas=(first, second, third))

    def with_other_tree(self, *slots: str) -> CompareSettings:
        """The same once the trees of these slots (all without any) are others: what was selected is cleared."""
        compare = dataclasses.replace(self.with_other_pruning(), shortest_position=0)
        for slot in slots or SIDES:
            compare = compare.with_alpha(slot, None)
        return compare

    def with_other_pruning(self) -> CompareSettings:
        """The same once trees are pruned otherwise: what was selected in them is cleared."""
        return dataclasses.replace(self, cell=None, row=None, has_chosen_node=False)

    def with_other_table(self) -> CompareSettings:
        """The same for another table or other columns: the axes are cleared too."""
        compare = dataclasses.replace(self.with_other_tree(), x_feature="", y_feature="")
        return dataclasses.replace(compare, more_targets=(), shown_target="")
