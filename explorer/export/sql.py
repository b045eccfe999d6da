"""A tree as one SQL query that adds its answers to a table.

Every leaf becomes a condition (its rule), so nothing is nested as deep as the tree: databases limit that. The query
goes in steps, each worked out before the next one (`MATERIALIZED`): otherwise databases write one into the other and
take seconds to read what they have written. Names and texts are quoted as the SQL standard has it, and floating point
numbers written with an exponent, so that databases reckon in doubles and not in decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise

from explorer.data.values import Value
from explorer.errors import InputError
from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules, ends_of
from explorer.tree.tree import Tree


def column(name: str) -> str:
    """A quoted name.

    >>> column('the "x" axis')
    '"the ""x"" axis"'
    """
    return '"' + _writable(str(name)).replace('"', '""') + '"'


def cell(name: str) -> str:
    """A column of the table or query that is asked, which is always called t.

    >>> cell("age")
    't."age"'
    """
    return f"t.{column(name)}"


def unlike(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names, with a number behind those that are taken or repeated: SQL does not tell "a" from "A".

    >>> unlike(["share of a", "share of A"], ["x"])
    ['share of a', 'share of A (2)']
    """
    used, found = {name.casefold() for name in taken}, []
    for name in names:
        free = (text for number in count(2) if (text := f"{name} ({number})").casefold() not in used)
        found.append(name if name.casefold() not in used else next(free))
        used.add(found[-1].casefold())
    return found


def literal(value: Value) -> str:
    """A value: text in quotes, whole numbers as they are, others with an exponent.

    >>> literal("it's"), literal(3), literal(2.45), literal(True)
    ("'it''s'", '3', '2.45e0', 'TRUE')
    """
    if isinstance(value, str):
        return "'" + _writable(value).replace("'", "''") + "'"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = repr(value)
    return text if isinstance(value, int) or "e" in text else f"{text}e0"


def among(name: str, values: Iterable[str]) -> str:
    """The condition that something is one of these values; empty where there is none.

    >>> among('"x"', ["1"]), among('"x"', ["1", "2"])
    ('"x" = 1', '"x" IN (1, 2)')
    """
    listed = list(values)
    if not listed:
        return ""
    return f"{name} = {listed[0]}" if len(listed) == 1 else f"{name} IN ({', '.join(listed)})"


def _writable(text: str) -> str:
    """The text; InputError where it holds a character that ends SQL or that UTF-8 does not have."""
    if "\0" in text or any("\ud800" <= one <= "\udfff" for one in text):
        raise InputError(f"{text[:40]!r} holds a character that SQL cannot write: rename it in the table.")
    return text


Step = tuple[BranchingRule, int]
"""A node and the branch taken there; STAY for a value that has no branch."""


def fulfils(steps: Sequence[Step]) -> str:
    """The condition that a row takes all of these branches as a whole; empty where nothing is asked."""
    return " AND ".join(_all_takings(steps))


def part(step: Step) -> str:
    """The part of a row that goes down a branch."""
    fork, branch = step
    lines = f"WHEN {_taking(fork, branch)} THEN 1e0"
    spread = [_by_no_value(fork.question)] if fork.unseen == SPREAD else []
    spread += [f"{cell(fork.question.usage.name)} IS NULL"] if fork.missing == SPREAD else []
    told = " OR ".join(one for one in spread if one)
    if told and branch >= 0:
        lines += f" WHEN {told} THEN {literal(fork.shares[branch])}"
    return f"(CASE {lines} ELSE 0e0 END)"


def _all_takings(steps: Sequence[Step]) -> list[str]:
    """One condition per step; thresholds of one feature that missing cells pass alike become one interval."""
    found: dict[object, list[Step]] = {}
    for fork, branch in steps:
        plain = fork.question.cut is not None and branch in (0, 1) and not fork.surrogates
        key = (fork.question.feature, fork.missing == branch) if plain else (fork.node,)
        found.setdefault(key, []).append((fork, branch))
    return [_taking(*group[0]) if len(group) == 1 else _interval(group) for group in found.values()]


def _interval(group: Sequence[Step]) -> str:
    """Several thresholds of one feature, as its narrowest bounds."""
    cuts = [[fork.question.cut for fork, branch in group if branch == side] for side in (0, 1)]
    name = cell(group[0][0].question.usage.name)
    ends = [[cut for cut in side if cut is not None] for side in cuts]
    bounds = [f"{name} > {literal(max(ends[1]))}"] if ends[1] else []
    bounds += [f"{name} <= {literal(min(ends[0]))}"] if ends[0] else []
    together = " AND ".join(bounds)
    fork, branch = group[0]
    return f"({together} OR {name} IS NULL)" if fork.missing == branch else together


def _taking(fork: BranchingRule, branch: int) -> str:
    """The condition that a row goes down a branch as a whole; for STAY, that it stops."""
    choices = [_by_value(fork.question, branch)] if branch >= 0 else []
    if branch == fork.unseen and (unseen := _by_no_value(fork.question)):
        choices.append(unseen)
    choices.append(_without_value(fork, branch))
    choices = [choice for choice in choices if choice]
    if not choices:
        return "1 = 0"
    return choices[0] if len(choices) == 1 else "(" + " OR ".join(choices) + ")"


def _without_value(fork: BranchingRule, branch: int) -> str:
    """The condition that a row has no value and goes down a branch, by surrogates or as usual; empty for never."""
    absent = f"{cell(fork.question.usage.name)} IS NULL"
    if not fork.surrogates:
        return absent if fork.missing == branch else ""
    reached = [
        (one, to)
        for one in fork.surrogates
        for to in sorted({*one.sides} if one.cut is not None else {*one.branch_of.values()})
    ]
    if branch not in {fork.missing, *(to for _, to in reached)}:
        return ""
    choices = " ".join(f"WHEN {_by_value(one, to)} THEN {to}" for one, to in reached)
    return f"({absent} AND CASE {choices} ELSE {fork.missing} END = {branch})"


def _by_value(question: BranchTest, branch: int) -> str:
    """The condition that a value has this branch; empty where none has."""
    name = cell(question.usage.name)
    if question.cut is not None:
        if question.sides == (branch, branch):
            return f"{name} IS NOT NULL"
        signs = [sign for sign, side in zip(("<=", ">"), question.sides, strict=True) if side == branch]
        return f"{name} {signs[0]} {literal(question.cut)}" if signs else ""
    codes = [code for code, to in question.branch_of.items() if to == branch]
    if question.usage.test == "bins":
        return _joined([_bin(question, code) for code in codes])
    return among(name, [literal(_label(question, code)) for code in codes])


def _by_no_value(question: BranchTest) -> str:
    """The condition that there is a value, but none that has a branch; empty where all have."""
    name = cell(question.usage.name)
    if question.cut is not None:
        return ""
    if question.usage.test == "bins":
        return _joined(
            [_bin(question, bin_) for bin_ in range(len(question.usage.edges) + 1) if bin_ not in question.branch_of]
        )
    known = ", ".join(literal(_label(question, code)) for code in question.branch_of)
    return f"{name} NOT IN ({known})" if known else f"{name} IS NOT NULL"


def _label(question: BranchTest, code: int) -> str | int | float | bool:
    label = question.usage.labels[code]
    assert label is not None, "missing values are told apart"
    return label


def _bin(question: BranchTest, code: int) -> str:
    """An interval between two edges of the feature's bins."""
    name = cell(question.usage.name)
    bounds = [None, *question.usage.edges, None]
    low, high = list(pairwise(bounds))[code]
    parts = [f"{name} > {literal(low)}"] if low is not None else []
    parts += [f"{name} <= {literal(high)}"] if high is not None else []
    return " AND ".join(parts) or f"{name} IS NOT NULL"


def _joined(conditions: Sequence[str]) -> str:
    if len(conditions) < 2:
        return "".join(conditions)
    return "(" + " OR ".join(f"({condition})" for condition in conditions) + ")"


NODE = "tree node"
BLOCK = 4
"""Levels of a tree that mixtures nest: databases limit that too."""
TOLERANCE = "1e-12"
"""Shares closer than this are equal."""


def to_sql(tree: Tree, table: str = "rows") -> str:
    """A query for all columns of `table`, the node where each row ends, and the open tree's answer and probabilities.

    The new columns are "tree node" (NULL for a row that goes down several branches), "share of <class>" per class, and
    "predicted <target>"; a number is put behind a name that is taken. NULL is a missing cell, a value that the tree
    never saw an unseen category; texts count as they are, with blanks and marks such as "NA". Written for SQLite
    (3.35 or later), DuckDB and PostgreSQL (12 or later). Raises InputError for names that SQL cannot hold.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> print("\\n".join(to_sql(tree, "days").splitlines()[-5:-1]))
      CASE
        WHEN t."tree node" IN (4, 7, 1) THEN 'No'
        WHEN t."tree node" IN (5, 2, 6, 0, 3) THEN 'Yes'
      END AS "predicted PlayTennis"
    """
    writer, ends, shares = (
        _Writer(tree, branching_rules(tree)),
        *map(column, unlike(["tree ends", "tree shares"], [table])),
    )
    node, prediction = (column(writer.new_columns[place]) for place in (0, -1))
    steps = [f"WITH {ends} AS MATERIALIZED (\nSELECT t.*,\n{writer.node()} AS {node}\nFROM {column(table)} AS t\n)"]
    if tree.is_regression:
        last, source = writer.means(), ends
    else:
        steps.append(f", {shares} AS MATERIALIZED (\nSELECT t.*,\n{writer.all_shares()}\nFROM {ends} AS t\n)")
        last, source = writer.predictions(), shares
    return "".join(steps) + f"\nSELECT t.*,\n{last} AS {prediction}\nFROM {source} AS t\n"


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes the parts of the query."""

    tree: Tree
    branching_rules: dict[int, BranchingRule]

    @property
    def is_spread(self) -> bool:
        """Whether some rows may go down several branches."""
        return any(SPREAD in fork.branches_for_unknown for fork in self.branching_rules.values())

    @cached_property
    def ends(self) -> list[int]:
        """The nodes where rows may end."""
        return ends_of(self.tree, self.branching_rules)

    @cached_property
    def new_columns(self) -> list[str]:
        """The names of the columns that the query adds: the node's, one per class, the answer's."""
        classes = [f"share of {name}" for name in self.tree.classes]
        return unlike([NODE, *classes, f"predicted {self.tree.target}"], [usage.name for usage in self.tree.features])

    def steps_to(self, node: int) -> list[Step]:
        """The steps of a row that comes to a node."""
        return [(self.branching_rules[above], branch) for above, branch in self.tree.path_to(node)]

    def steps(self, node: int) -> list[Step]:
        """The steps of a row that ends at a node."""
        return (
            [*self.steps_to(node), (self.branching_rules[node], STAY)]
            if node in self.branching_rules
            else self.steps_to(node)
        )

    def node(self) -> str:
        """The node where a row ends."""
        told = [node for node in self.ends if node or self.is_spread]
        choices = [(fulfils(self.steps(node)), str(node)) for node in told]
        return _case(choices, "NULL" if self.is_spread else "0")

    def by_node(self, values: Sequence[str], otherwise: str | None) -> str:
        """The value of the node where a row ends; `otherwise` for rows that end at several."""
        groups: dict[str, list[int]] = {}
        for node in self.ends:
            groups.setdefault(values[node], []).append(node)
        ended = cell(self.new_columns[0])
        return _case([(among(ended, map(str, nodes)), text) for text, nodes in groups.items()], otherwise)

    def predictions(self) -> str:
        """The answer."""
        named = [literal(name) for name in self.tree.classes]
        return self.by_node([named[code] for code in self.tree.labels], self.best() if self.is_spread else None)

    def means(self) -> str:
        """The mean that a row is answered with."""
        return self.numbers(self.tree.values.tolist())

    def all_shares(self) -> str:
        """A column per class."""
        columns = zip(self.tree.shares.T.tolist(), self.new_columns[1:-1], strict=True)
        return ",\n".join(f"{self.numbers(shares)} AS {column(name)}" for shares, name in columns)

    def numbers(self, values: Sequence[float]) -> str:
        """A number of the node where a row ends, or the mixture of several."""
        return self.by_node([literal(value) for value in values], self.mixture(values) if self.is_spread else None)

    def mixture(self, values: Sequence[float]) -> str:
        """The values of all ends, weighed by a row's parts: the tree in blocks of a few levels, added up."""
        roots = [node for node in self.branching_rules if self.tree.depth[node] % BLOCK == 0]
        blocks = [(self.steps_to(node), self.block(node, values)) for node in roots]
        return _sum([_product(map(part, steps), block) for steps, block in blocks if block]) or "0e0"

    def block(self, node: int, values: Sequence[float]) -> str:
        """The values below a node, weighed by the parts of a row there, without those of blocks further down."""
        if node not in self.branching_rules:
            return literal(values[node]) if values[node] else ""
        fork, terms = self.branching_rules[node], list[str]()
        for branch, child in enumerate(fork.children):
            is_apart = child in self.branching_rules and self.tree.depth[child] % BLOCK == 0
            below = "" if is_apart else self.block(child, values)
            terms.extend([_product([part((fork, branch))], below)] if below else [])
        if STAY in fork.branches_for_unknown and values[node]:
            terms.append(_product([part((fork, STAY))], literal(values[node])))
        return _sum(terms)

    def best(self) -> str:
        """The class of the largest share (or the least expected cost), of equal ones the first."""
        shares, every = list(map(cell, self.new_columns[1:-1])), range(len(self.tree.classes))
        if self.tree.costs is None:
            ahead = [[f"{shares[k]} >= {shares[j]} - {TOLERANCE}" for j in every if j != k] for k in every]
        else:
            costs = [_expected(shares, column_of_costs) for column_of_costs in self.tree.costs.T.tolist()]
            slack = f"{TOLERANCE} * {_sum(costs)}"
            ahead = [[f"{costs[k]} <= {costs[j]} + {slack}" for j in every if j != k] for k in every]
        named = [literal(name) for name in self.tree.classes]
        return _case([(" AND ".join(ahead[k]), named[k]) for k in every[:-1]], named[-1])


def _expected(shares: Sequence[str], costs: Sequence[float]) -> str:
    """What an answer is expected to cost."""
    return _sum([f"{share} * {literal(cost)}" for share, cost in zip(shares, costs, strict=True)])


def _product(parts: Iterable[str], last: str) -> str:
    return " * ".join([*parts, last])


def _case(choices: Iterable[tuple[str, str]], otherwise: str | None) -> str:
    """A CASE expression, a line per choice; the last value alone where there is no choice."""
    lines = [f"    WHEN {condition} THEN {value}" for condition, value in choices]
    last = [] if otherwise is None else [f"    ELSE {otherwise.strip()}"]
    return "\n".join(["  CASE", *lines, *last, "  END"]) if lines else f"  {otherwise}"


def _sum(terms: Sequence[str]) -> str:
    """The sum in pairs of pairs: databases limit how deep an expression may be.

    >>> _sum(["a", "b", "c"])
    '(a + (b + c))'
    """
    if len(terms) < 2:
        return "".join(terms)
    middle = len(terms) // 2
    return f"({_sum(terms[:middle])} + {_sum(terms[middle:])})"
