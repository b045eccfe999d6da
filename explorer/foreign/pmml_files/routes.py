"""The nodes of a PMML tree as tests with branches: what a row without a value does follows from the file's strategy.

The children of a PMML node are asked in turn, each by a predicate of its own, so that "≤ 2", "≤ 5" and "true" are a
chain of two tests. The chain is followed symbolically: with facts on what a row's columns can still hold, until a test
is left that both rows with and without a value can reach. Children that list categories of one column become one test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.foreign.limits import check_pairs
from explorer.foreign.pmml_files.columns import Column
from explorer.foreign.pmml_files.found import Found, Steps
from explorer.foreign.pmml_files.predicates import Predicate, replacement_of
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


class Routes:
    """The ways of rows through one tree."""

    def __init__(self, asked: Asked, table: Sequence[Predicate], columns: Sequence[Column], steps: Steps) -> None:
        """The tree, the predicates of all trees, and the columns as all trees use them."""
        self.asked, self.table, self.steps = asked, table, steps
        self.full: list[State] = []
        self.replaced: list[float | None] = []
        self.hides = [column.hides_unseen for column in columns]
        self.refuses = [column.refuses_unseen for column in columns]
        for column in columns:
            self.replaced.append(replacement_of(column) if column.replacement else None)
            if column.is_compared or not (column.is_category or column.listed):
                self.full.append((-ABOVE_ALL, ABOVE_ALL, True, True))
            else:
                known, is_closed = range(len(column.listed)), column.hides_unseen or column.refuses_unseen
                self.full.append((frozenset(known if is_closed else (OTHER, *known)), True))

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
                found.stays[node] = way[0] == "stay"
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
        cut = ABOVE_ALL if predicate.kind == "missing" else predicate.threshold
        low, high = (
            (if_false, None) if predicate.kind == "missing" else (if_true, if_false if cut < ABOVE_ALL else None)
        )
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
        leads = [here == end or (end[0] not in ENDS and self.settle(here, missing) == end) for here in settled]
        taken = settled.index(end) if end in settled else len(leads) - 1 - leads[::-1].index(True) if any(leads) else -1
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
            if not some:
                continue
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
        elif self.refuses[place] and place not in facts and len(ways) > 1:
            found.n_null += 1
        found.feature[node] = place
        found.missing[node] = ways.index(end) if end in ways else -1
        found.unseen[node] = found.missing[node] if self.hides[place] else ways.index(unseen) if unseen in ways else -1
        listed = [(node, code, branch) for branch, one in enumerate(ways) for code in groups.get(one, ()) if code >= 0]
        found.pairs += listed
        check_pairs(len(found.pairs))
        return [(one, {**facts, place: (frozenset(groups.get(one, ())), one == end)}) for one in ways]
