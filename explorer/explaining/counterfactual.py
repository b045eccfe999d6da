"""Counterfactuals: the smallest change of a row that flips its prediction (DEFINITIONS section 8).

Dijkstra's search for the cheapest decision path, where the cost of a path is the change that a row needs to follow it,
each feature counted once. The first path to another prediction is the smallest change: the fewest features, and of
equally many the least distance. The search goes on to the next leaf where several alternatives are asked for.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, NamedTuple

import pandas as pd

from explorer.data.arrow_frame import as_pandas
from explorer.data.codes.scale import NUMBERS, Ordered, Scale
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.feasible_changes import (
    UNKNOWN_LEVEL,
    Codes,
    Interval,
    NumberChanges,
    StaysMissing,
    feasible_changes,
)
from explorer.explaining.row_values import Cells, cells_of, pairs_at
from explorer.formatting import cell_text, number_text
from explorer.messages import listing, message
from explorer.ranges import LARGEST
from explorer.recipe.condition import parts_no_numbers
from explorer.tree.routing import SPREAD, STAY
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True)
class Change:
    """One cell: its old value (None where it is missing), the new one, and their distance.

    >>> Change("age", 3.0, 4.0, 0.1).words
    'age: 3 → 4'
    """

    feature: str
    old: Value | None
    new: Value
    distance: float
    scale: Scale = NUMBERS
    """What the numbers of the feature stand for."""

    @property
    def words(self) -> str:
        """The change as text."""
        old, new = map(self._text_of, (self.old, self.new))
        return f"{self.feature}: {old} → {new}"

    def _text_of(self, cell: Value | None) -> str:
        return self.scale.text(cell) if isinstance(cell, float) else cell_text(cell)


FEW_ROWS = 10
"""A prediction from fewer training rows than this is uncertain in a table of any size."""
FEW_ROWS_SHARE = 0.01
"""In a large table, so is one from a smaller share of the training rows than this."""


@dataclass(frozen=True)
class Flip:
    """The changes that flip a prediction, the node where the changed row ends, its prediction, and the distance.

    `weight` are the training rows at that node, `share` is that of the prediction among them (None for numbers).
    """

    changes: tuple[Change, ...]
    node: int
    prediction: Value
    distance: float
    weight: float
    share: float | None


def few_rows_limit(tree: Tree) -> float:
    """A leaf with fewer training rows than this is small: 10 rows, or 1 % of the rows, rounded up, if that is more.

    >>> from explorer import ID3, grow, load_sample
    >>> few_rows_limit(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    10.0
    """
    share = round(FEW_ROWS_SHARE * tree.node(0).row_weight, 6)  # 0.01 · 700 is a little more than 7
    return float(max(FEW_ROWS, math.ceil(share)))


class State(NamedTuple):
    """The demands of a path on each tested feature (Interval, Codes or StaysMissing), and the costs of the changes."""

    demands: Mapping[int, Any]
    costs: Mapping[int, float]


def flip(
    tree: Tree,
    data: Dataset,
    row: int | pd.DataFrame,
    wanted: Value | None = None,
    above: float | None = None,
    below: float | None = None,
    keep: Sequence[str] = (),
) -> Flip | None:
    """The fewest features to change, and then the least distance, so that a row gets another prediction.

    `row` is a position in `data` or a frame of one row; `data` (the training rows) gives every numeric column's range,
    in which distances are counted (Gower 1971): |new − old|/range for numbers, 1 for another category, 1 for a missing
    cell that becomes known. `wanted` names the class to reach, or None for any other; a numeric prediction goes `above`
    or `below` a number. Features in `keep` stay as they are. The changed row ends at a single node; a known cell is
    never made missing. None if no change does it. Raises InputError for contradictory arguments.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> counterfactual = flip(grow(tennis, ID3), tennis, 0)
    >>> [change.words for change in counterfactual.changes], counterfactual.prediction
    (['Outlook: Sunny → Overcast'], 'Yes')
    """
    return next(iter(flips(tree, data, row, wanted, above, below, keep, most=1)), None)


def flips(
    tree: Tree,
    data: Dataset,
    row: int | pd.DataFrame,
    wanted: Value | None = None,
    above: float | None = None,
    below: float | None = None,
    keep: Sequence[str] = (),
    most: int = 3,
    least_rows: float = 0.0,
) -> tuple[Flip, ...]:
    """Alternatives to the smallest change: the cheapest change for each of the `most` nearest nodes, smallest first.

    The arguments are those of `flip`, whose result comes first; there are fewer where the row can reach fewer nodes.
    Only nodes with at least `least_rows` training rows count (see `few_rows_limit`), and none without any.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> for each in flips(grow(tennis, ID3), tennis, 0):
    ...     print([change.words for change in each.changes], each.node, each.weight)
    ['Outlook: Sunny → Overcast'] 2 4.0
    ['Humidity: High → Normal'] 5 2.0
    ['Outlook: Sunny → Rain'] 6 3.0
    """
    row = as_pandas(row)
    rows, position = (data, row) if not isinstance(row, pd.DataFrame) else (row, 0)
    cells = cells_of(tree, rows, position)
    _check_kept(tree, keep)
    is_wanted = _wanted_nodes(cells, wanted, above, below)
    search = Search(cells, feasible_changes(cells, data), frozenset(keep))

    def is_supported(node: int) -> bool:
        return not tree.node(node).is_empty and tree.node(node).row_weight >= least_rows

    paths = search.cheapest_paths(lambda node: is_wanted(node) and is_supported(node))
    return tuple(search.flip_to(node, state) for node, state in islice(paths, most))


def _check_kept(tree: Tree, keep: Sequence[str]) -> None:
    names = [encoding.name for encoding in tree.features]
    unknown = [name for name in keep if name not in names]
    if unknown:
        raise InputError(
            message(
                "The tree has no feature {name!r} to keep fixed. Its features are {features}.",
                name=unknown[0],
                features=listing(names[:8]),
            )
        )


def _wanted_nodes(
    cells: Cells, wanted: Value | None, above: float | None, below: float | None
) -> Callable[[int], bool]:
    """A function that says whether a node has the wanted prediction. InputError where the row has it already."""
    tree, prediction = cells.tree, cells.tree.predict_encoded(cells.frame)[0]
    if tree.is_regression:
        if wanted is not None or (above is None) == (below is None):
            raise InputError(message("The prediction is a number. Give a limit, either above= or below=."))
        limit, sign = (above, 1.0) if below is None else (below, -1.0)
        assert limit is not None
        if sign * (prediction - limit) > 0:
            predicted = number_text(prediction)
            raise InputError(
                message("The prediction is already {prediction}. Choose another limit.", prediction=predicted)
            )
        return lambda node: bool(sign * (tree.values[node] - limit) > 0)
    if above is not None or below is not None:
        raise InputError(message("The prediction is a class. Name the class with wanted=, not above= or below=."))
    if wanted is None:
        return lambda node: bool(tree.labels[node] != prediction)
    if wanted not in tree.classes:
        listed = listing(map(repr, tree.classes[:8]))
        raise InputError(
            message("The tree has no class {name!r}. Its classes are {classes}.", name=wanted, classes=listed)
        )
    if tree.classes[prediction] == wanted:
        raise InputError(message("The prediction is already {prediction!r}. Choose another class.", prediction=wanted))
    return lambda node: bool(tree.classes[tree.labels[node]] == wanted)


@dataclass(frozen=True, eq=False)
class Search:
    """The decision paths of a row and of its changed forms; `feasible`: NumberChanges or CodeChanges by feature."""

    cells: Cells
    feasible: Mapping[int, Any]
    keep: frozenset[str]

    def cheapest_paths(self, is_wanted: Callable[[int], bool]) -> Iterator[tuple[int, State]]:
        """The ends with a wanted prediction, each with the state of its cheapest path, the cheapest first, then by id.

        A child's id is above its parent's, so among equal costs the lowest node always comes first. Branches without
        another wanted end are left out.
        """
        serial, sought = count(), self._wanted_ends(is_wanted)
        queue = [(0, 0.0, 0, next(serial), False, State({}, {}))]
        while queue:
            _, _, node, _, ended, state = heapq.heappop(queue)
            if ended or self.cells.plan.first_child[node] < 0:
                if node in sought[node]:
                    for above in (node, *(ancestor for ancestor, _ in self.cells.tree.path_to(node))):
                        sought[above].discard(node)
                    yield node, state
                continue
            for following, new_state in self._next_nodes(node, state):
                if sought[following]:
                    cost = len(new_state.costs), math.fsum(new_state.costs.values())
                    heapq.heappush(queue, (*cost, following, next(serial), following == node, new_state))

    def _wanted_ends(self, is_wanted: Callable[[int], bool]) -> dict[int, set[int]]:
        """For each node, the wanted leaves at or below it, and the wanted nodes where a row may stop."""
        tree, plan = self.cells.tree, self.cells.plan
        ends: dict[int, set[int]] = {}
        for node in reversed(list(tree.preorder())):
            is_leaf, stops = plan.first_child[node] < 0, plan.unknown_branches[node] >= plan.child_count[node]
            may_end = is_leaf or stops.any() or (plan.unknown_branches[node] == STAY).any()
            ends[node] = ends.get(node, set()) | ({node} if may_end and is_wanted(node) else set())
            parent = tree.node(node).parent
            if parent >= 0:
                ends[parent] = ends.get(parent, set()) | ends[node]
        return ends

    def _next_nodes(self, node: int, state: State) -> Iterator[tuple[int, State]]:
        """All nodes that a changed row may reach next; the node itself where it would stop."""
        feature = int(self.cells.plan.feature[node])
        if self._may_be_missing(feature, state):
            first = int(self.cells.plan.surrogate_offset[node]) if self.cells.plan.surrogate_offset.size else 0
            yield from self._if_missing(node, first, self._with_demand(state, feature, StaysMissing()))
        if isinstance(state.demands.get(feature), StaysMissing):
            return
        if isinstance(self.feasible[feature], NumberChanges):
            threshold = float(self.cells.plan.threshold[node])
            if parts_no_numbers(threshold):  # "missing or not": all numbers lead to one branch
                branches = [(int(threshold < 0), Interval(high=LARGEST))]
            else:
                branches = [(0, Interval(high=threshold)), (1, Interval(threshold, LARGEST))]
            for branch, interval in [*branches, (int(self.cells.plan.unknown_branches[node, 1]), UNKNOWN_LEVEL)]:
                yield from self._end_of_branch(node, branch, self._with_demand(state, feature, interval))
        else:
            yield from self._by_category(node, feature, state)

    def _by_category(self, node: int, feature: int, state: State) -> Iterator[tuple[int, State]]:
        """The branches of categories, and the branch of those that the node does not know."""
        pairs = pairs_at(self.cells.plan, node)
        for branch, group in grouped(pairs):
            yield from self._end_of_branch(node, branch, self._with_demand(state, feature, group))
        others = Codes(self.feasible[feature].codes - pairs.keys())
        yield from self._end_of_branch(
            node, int(self.cells.plan.unknown_branches[node, 1]), self._with_demand(state, feature, others)
        )

    def _if_missing(self, node: int, index: int, state: State | None) -> Iterator[tuple[int, State]]:
        """The next nodes of a row whose tested value stays missing: by the first known surrogate, or by the policy.

        `index` is the first surrogate that is not tried yet.
        """
        plan = self.cells.plan
        if state is None:
            return
        if not plan.surrogate_offset.size or index == plan.surrogate_offset[node + 1]:
            yield from self._end_of_branch(node, int(plan.unknown_branches[node, 0]), state)
            return
        feature = int(plan.surrogate_feature[index])
        if self._may_be_missing(feature, state):
            yield from self._if_missing(node, index + 1, self._with_demand(state, feature, StaysMissing()))
        if isinstance(state.demands.get(feature), StaysMissing):
            return
        for branch, values in self._surrogate_branches(index, feature):
            if branch is None:
                yield from self._if_missing(node, index + 1, self._with_demand(state, feature, values))
            else:
                yield from self._end_of_branch(node, branch, self._with_demand(state, feature, values))

    def _surrogate_branches(self, index: int, feature: int) -> list[tuple[int | None, Interval | Codes]]:
        """The branches of a surrogate for the values of its feature: one per group, None for unknown values."""
        plan = self.cells.plan
        threshold, (below, above) = float(plan.surrogate_cut[index]), plan.surrogate_sides[index].tolist()
        if not math.isnan(threshold):
            return [(below, Interval(high=threshold)), (above, Interval(threshold, LARGEST)), (None, UNKNOWN_LEVEL)]
        pairs = plan.surrogate_pairs[
            int(plan.surrogate_pair_offset[index]) : int(plan.surrogate_pair_offset[index + 1])
        ].tolist()
        known = grouped(dict(pairs))
        others = self.feasible[feature].codes - {code for code, _ in pairs}
        return [*known, (None, Codes(others))]

    def _end_of_branch(self, node: int, branch: int, state: State | None) -> Iterator[tuple[int, State]]:
        """The child of a branch, or the node itself where a row stops; none where it would go down several branches."""
        if state is None or branch == SPREAD:
            return
        plan = self.cells.plan
        stays = branch == STAY or branch >= plan.child_count[node]
        yield (node if stays else int(plan.first_child[node]) + branch), state

    def _may_be_missing(self, feature: int, state: State) -> bool:
        """Whether the feature is missing in the row and the path so far has not made it known."""
        return self.cells.is_missing(feature) and isinstance(state.demands.get(feature, StaysMissing()), StaysMissing)

    def _with_demand(self, state: State, feature: int, wanted: Any) -> State | None:
        """The state after another demand on a feature; None where no value meets all or the feature is kept."""
        before = state.demands.get(feature)
        wanted = wanted if before is None else before.narrowed(wanted)
        demands = {**state.demands, feature: wanted}
        if isinstance(wanted, StaysMissing) or self.feasible[feature].holds(wanted):
            return State(demands, state.costs)
        distance = self.feasible[feature].distance(wanted)
        if distance is None or self.cells.tree.features[feature].name in self.keep:
            return None
        return State(demands, {**state.costs, feature: distance})

    def _change(self, feature: int, state: State) -> Change:
        encoding, new = self.cells.tree.features[feature], self.feasible[feature].value(state.demands[feature])
        if isinstance(encoding.scale, Ordered) and encoding.kind == "numeric":
            new = encoding.scale.level(float(new))
        return Change(encoding.name, self.cells.shown(feature), new, state.costs[feature], encoding.scale)

    def flip_to(self, node: int, state: State) -> Flip:
        """The changes that a path demands, in the order of the features."""
        tree = self.cells.tree
        changes = [self._change(feature, state) for feature in sorted(state.costs)]
        end = tree.node(node)
        share = None if tree.is_regression else float(tree.probabilities[node, tree.labels[node]])
        return Flip(tuple(changes), node, end.label, math.fsum(state.costs.values()), end.row_weight, share)


def grouped(branch_of_code: Mapping[int, int]) -> list[tuple[int, Codes]]:
    """The codes of each branch."""
    return [
        (branch, Codes(frozenset(code for code, its_branch in branch_of_code.items() if its_branch == branch)))
        for branch in sorted(set(branch_of_code.values()))
    ]
