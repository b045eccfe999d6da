"""The nodes of a PMML tree as tests with branches: what a row without a value does follows from the file's strategy.

The children of a PMML node are asked in turn, each by a predicate of its own, so that "≤ 2", "≤ 5" and "true" are a
chain of two tests. The chain is followed symbolically: with facts on what a row's columns can still hold, until a test
is left that both rows with and without a value can reach. Children that list categories of one column become one test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.foreign.limits import MOST_NODES, check_pairs
from explorer.foreign.pmml_files.columns import Column
from explorer.foreign.pmml_files.document import refuse
from explorer.foreign.pmml_files.predicates import Predicate, replacement_of
from explorer.messages import message
from explorer.recipe.condition import ABOVE_ALL

TRUE, FALSE, UNKNOWN = 1, 2, 4
OTHER = -1
"""Any category that no test names."""
ENDS = ("stay", "null")
Way = tuple[Any, ...]
"""Where a row goes on: ("node", n) with its children still to ask; ("chain", n, i) to ask the child i of n;
("test", predicate, way if true, if false, if unknown, n); ("part", compound, j, flag, true, false, unknown, n);
or it ends at n with the node's prediction ("stay") or with none ("null")."""
State = tuple[Any, ...]
"""What a column can hold: (above, up to, is known at all, may be missing), or (codes, may be missing)."""
Facts = Mapping[int, State]


@dataclass(frozen=True, eq=False)
class Asked:
    """A PMML tree: predicate, children and default child (−1: none) of every node, 0 the root, and its strategies."""

    predicate: Sequence[int]
    children: Sequence[Sequence[int]]
    default: Sequence[int]
    missing: str
    returns_last: bool


@dataclass
class Found:
    """The tests found, node after node: `source` is the PMML node whose prediction a row that ends there gets.

    `stays` says whether rows end there by the file's word, `is_copy` whether a leaf stands for more than its own node.
    """

    children: list[list[int]] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    unseen: list[int] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    stays: list[bool] = field(default_factory=list)
    is_copy: list[bool] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    n_null: int = 0

    def add(self, source: int, is_copy: bool = False) -> int:
        """A new node without a test."""
        if len(self.source) >= MOST_NODES:
            n = len(self.source) + 1
            refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
        self.children.append([])
        self.feature.append(-1)
        self.threshold.append(float("nan"))
        self.missing.append(-1)
        self.unseen.append(-1)
        self.source.append(source)
        self.stays.append(False)
        self.is_copy.append(is_copy)
        return len(self.source) - 1

    def take_back(self) -> None:
        """Without the node added last, all of whose rows go on alike."""
        node = len(self.source) - 1
        for one in (self.children, self.feature, self.threshold, self.missing, self.unseen, self.source):
            one.pop()
        self.stays.pop()
        self.is_copy.pop()
        while self.pairs and self.pairs[-1][0] == node:
            self.pairs.pop()


class Steps:
    """The steps that are left: a file of few elements could ask for any number of them."""

    def __init__(self, left: int) -> None:
        """So many."""
        self.left = left

    def take(self) -> None:
        """One fewer."""
        self.left -= 1
        if self.left < 0:
            refuse(message("its nodes have too many branches, or tests that name too much"))


class Routes:
    """The ways of rows through one tree."""

    def __init__(self, asked: Asked, table: Sequence[Predicate], columns: Sequence[Column], steps: Steps) -> None:
        """The tree, the predicates of all trees, and the columns as all trees use them."""
        self.asked, self.table, self.steps = asked, table, steps
        self.full: list[State] = []
        self.replaced: list[float | None] = []
        self.hides = [column.hides_unseen for column in columns]
        for column in columns:
            self.replaced.append(replacement_of(column) if column.replacement else None)
            if column.is_compared or not (column.is_category or column.listed):
                self.full.append((-ABOVE_ALL, ABOVE_ALL, True, True))
            else:
                known = range(len(column.listed))
                self.full.append((frozenset(known if column.hides_unseen else (OTHER, *known)), True))

    def outcomes(self, predicate: Predicate, facts: Facts) -> int:
        """What a predicate without parts can be, TRUE | FALSE | UNKNOWN."""
        place = predicate.place
        state, replaced = facts.get(place, self.full[place]), self.replaced[place]
        found = 0
        if predicate.kind == "missing":
            if state[2] if len(state) == 4 else state[0]:
                found |= FALSE
            if state[-1]:
                found |= TRUE if replaced is None else FALSE
            return found
        if len(state) == 4:
            low, high, is_known, _ = state
            if is_known:
                found = TRUE if high <= predicate.threshold else FALSE if low >= predicate.threshold else TRUE | FALSE
            is_true = replaced is not None and replaced <= predicate.threshold
        else:
            inside = len(state[0] & predicate.codes)
            found = (TRUE if inside else 0) | (FALSE if inside < len(state[0]) else 0)
            is_true = replaced in predicate.codes
        if state[-1]:
            found |= UNKNOWN if replaced is None else TRUE if is_true else FALSE
        return found

    def settle(self, way: Way, facts: Facts) -> Way:
        """The way as far as the facts decide it: to a node, an end, or a test that they leave open."""
        asked = self.asked
        while True:
            self.steps.take()
            if way[0] == "chain":
                _, node, child = way
                if child == len(asked.children[node]):
                    return ("stay" if asked.returns_last else "null", node)
                below = asked.children[node][child]
                following = ("chain", node, child + 1)
                way = ("test", asked.predicate[below], ("node", below), following, self._unknown(node, following), node)
            elif way[0] == "part":
                way = self._part(way)
            elif way[0] != "test":
                return way
            else:
                _, number, if_true, if_false, if_unknown, node = way
                predicate = self.table[number]
                if predicate.negated:
                    if_true, if_false = if_false, if_true
                if predicate.kind == "constant":
                    way = if_true
                elif predicate.parts:
                    way = ("part", number, 0, False, if_true, if_false, if_unknown, node)
                else:
                    possible = self.outcomes(predicate, facts)
                    if possible not in (TRUE, FALSE, UNKNOWN):
                        return way
                    way = {TRUE: if_true, FALSE: if_false, UNKNOWN: if_unknown}[possible]

    def _unknown(self, node: int, following: Way) -> Way:
        """Where a row goes on for which the test of a child of this node is unknown."""
        strategy = self.asked.missing
        if strategy == "none":
            return following
        if strategy == "defaultChild":
            default = self.asked.default[node]
            return ("node", default) if default >= 0 else ("null", node)
        return ("stay" if strategy == "lastPrediction" else "null", node)

    def _part(self, way: Way) -> Way:
        """The next part of a compound predicate: its flag says that one was unknown, or an odd number true."""
        _, number, at, flag, if_true, if_false, if_unknown, node = way
        compound = self.table[number]
        kind = compound.kind
        if at == len(compound.parts):
            if kind == "xor":
                return if_true if flag else if_false
            if flag or kind == "surrogate":
                return if_unknown
            return if_true if kind == "and" else if_false

        def then(flag: bool) -> Way:
            return ("part", number, at + 1, flag, if_true, if_false, if_unknown, node)

        ways = {
            "and": (then(flag), if_false, then(True)),
            "or": (if_true, then(flag), then(True)),
            "xor": (then(not flag), then(flag), if_unknown),
            "surrogate": (if_true, if_false, then(False)),
        }[kind]
        return ("test", compound.parts[at], *ways, node)

    def found(self) -> Found:
        """The tests of the whole tree, the root first."""
        found = Found()
        waiting: list[tuple[Way, Facts, int, int]] = [(("node", 0), {}, -1, 0)]
        reached: set[int] = set()
        while waiting:
            way, facts, parent, branch = waiting.pop()
            while way[0] == "node" and self.asked.children[way[1]]:
                way = self.settle(("chain", way[1], 0), facts)
            if way[0] == "test":
                node = found.add(way[5])
                branches = self._by_number(way, facts, found, node) or self._by_code(way, facts, found, node)
                if len(branches) == 1:
                    found.take_back()
                    waiting.append((*branches[0], parent, branch))
                    continue
                found.children[node] = [-1] * len(branches)
                waiting += [(*each, node, number) for number, each in reversed(list(enumerate(branches)))]
            else:
                is_copy = way[0] != "node" or way[1] in reached
                node = found.add(way[1], is_copy)
                reached.add(way[1])
                found.n_null += way[0] == "null"
            if parent >= 0:
                found.children[parent][branch] = node
        return found

    def _by_number(self, way: Way, facts: Facts, found: Found, node: int) -> list[tuple[Way, Facts]]:
        """The branches of a test of numbers, the lower first; none where the column has categories."""
        _, number, if_true, if_false, *_ = way
        predicate = self.table[number]
        place, state = predicate.place, facts.get(predicate.place, self.full[predicate.place])
        if len(state) != 4:
            return []
        if predicate.negated:
            if_true, if_false = if_false, if_true
        low, high = (if_false, None) if predicate.kind == "missing" else (if_true, if_false)
        cut = ABOVE_ALL if predicate.kind == "missing" else predicate.threshold
        found.feature[node], found.threshold[node] = place, cut
        above, upto, *_ = state
        branches: list[tuple[Way, Facts]] = [(low, {**facts, place: (above, min(upto, cut), True, False)})]
        if high is not None:
            branches.append((high, {**facts, place: (max(above, cut), upto, True, False)}))
        if not state[3]:
            return [(self.settle(each, known), known) for each, known in branches]
        missing = {**facts, place: (0.0, 0.0, False, True)}
        end = self.settle(way, missing)
        settled = [self.settle(each, known) for each, known in branches]
        is_same = [
            here == end or (end[0] not in ENDS and self.settle(each, missing) == end)
            for here, (each, _) in zip(settled, branches, strict=True)
        ]
        taken = len(is_same) - 1 - is_same[::-1].index(True) if any(is_same) else -1
        if taken >= 0:
            known = branches[taken][1]
            joined = {**known, place: (*known[place][:3], True)}
            branches[taken] = (settled[taken] if settled[taken] == end else branches[taken][0], joined)
        elif end[0] not in ENDS or high is None:
            branches.append((end, missing))
            taken = len(branches) - 1
        else:
            self._stay(found, node, end)
        found.missing[node] = taken
        return [(self.settle(each, known), known) for each, known in branches]

    def _stay(self, found: Found, node: int, end: Way) -> None:
        """Rows end at a node with a test: with the prediction of its PMML node, or without one."""
        found.stays[node] |= end[0] == "stay"
        found.n_null += end[0] == "null"

    def _by_code(self, way: Way, facts: Facts, found: Found, node: int) -> list[tuple[Way, Facts]]:
        """The branches of a test of categories: one for all that go on alike."""
        place = self.table[way[1]].place
        codes, may_miss = facts.get(place, self.full[place])
        groups: dict[Way, set[int]] = {}
        waiting = [(way, codes)]
        while waiting:
            each, some = waiting.pop()
            here = self.settle(each, {**facts, place: (some, False)})
            predicate = self.table[here[1]] if here[0] == "test" else None
            if predicate is None or predicate.place != place:
                groups.setdefault(here, set()).update(some)
                continue
            _, _, if_true, if_false, *_ = here
            if predicate.negated:
                if_true, if_false = if_false, if_true
            waiting += [(if_false, some - predicate.codes), (if_true, some & predicate.codes)]
        missing = {**facts, place: (frozenset(), True)}
        end: Way | None = self.settle(way, missing) if may_miss else None
        ways = sorted(groups, key=lambda one: (one[0] != "node", one[1] if one[0] == "node" else 0))
        unseen = next((one for one in ways if OTHER in groups[one]), None)
        if unseen is not None and unseen[0] in ENDS and len(groups[unseen]) == 1 and len(ways) > 2:
            ways.remove(unseen)
            self._stay(found, node, unseen)
        if end is not None and end not in ways:
            if end[0] in ENDS and len(ways) > 1 and unseen not in ways and not self.hides[place]:
                self._stay(found, node, end)
            else:
                ways.append(end)
        found.feature[node] = place
        found.missing[node] = ways.index(end) if end in ways else -1
        found.unseen[node] = found.missing[node] if self.hides[place] else ways.index(unseen) if unseen in ways else -1
        listed = [(node, code, branch) for branch, one in enumerate(ways) for code in groups.get(one, ()) if code >= 0]
        found.pairs += listed
        check_pairs(len(found.pairs))
        return [(one, {**facts, place: (frozenset(groups.get(one, ())), one == end)}) for one in ways]
