"""A tree as one SQL query that adds its predictions to a table.

Every leaf becomes a condition (its rule), so nothing is nested as deep as the tree: databases limit that. The query
has steps, each computed before the next one (`MATERIALIZED`): otherwise databases inline one into the other and take
seconds to parse the result. Names and texts are quoted as in the SQL standard, and floating point numbers are written
with an exponent, so that databases compute with doubles and not with decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise

import numpy as np

from explorer.data.values import Value
from explorer.errors import InputError
from explorer.formatting import visible
from explorer.messages import listing, message
from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules, ends_of
from explorer.tree.tree import Tree


def column(name: str) -> str:
    """A quoted name.

    >>> column('the "x" axis')
    '"the ""x"" axis"'
    """
    return '"' + _writable(str(name)).replace('"', '""') + '"'


def cell(name: str) -> str:
    """A column of the table or query, which is always called t.

    >>> cell("age")
    't."age"'
    """
    return f"t.{column(name)}"


def unlike(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names, with a number after those that are taken or repeated: SQL does not distinguish "a" from "A".

    >>> unlike(["share of a", "share of A"], ["x"])
    ['share of a', 'share of A (2)']
    """
    used, free_names = {name.casefold() for name in taken}, []
    for name in names:
        free = (text for number in count(2) if (text := f"{name} ({number})").casefold() not in used)
        free_names.append(name if name.casefold() not in used else next(free))
        used.add(free_names[-1].casefold())
    return free_names


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
    """The text; InputError where it has a character that SQL or UTF-8 cannot hold."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(
            message("{text!r} has a character that SQL cannot write. Rename it in the table.", text=text[:40])
        )
    return text


Step = tuple[BranchingRule, int]
"""A node and the branch taken there; STAY for a value that has no branch."""


def fulfils(steps: Sequence[Step]) -> str:
    """The condition that a row as a whole takes all of these branches; empty without any."""
    return " AND ".join(_all_takings(steps))


def part(step: Step) -> str:
    """The weight of a row that follows a branch, 0 to 1."""
    rule, branch = step
    lines = f"WHEN {_taking(rule, branch)} THEN 1e0"
    spread = [_by_no_value(rule.test)] if rule.unseen == SPREAD else []
    spread += [f"{cell(rule.test.encoding.name)} IS NULL"] if rule.missing == SPREAD else []
    is_spread = " OR ".join(condition for condition in spread if condition)
    if is_spread and branch >= 0:
        lines += f" WHEN {is_spread} THEN {literal(rule.shares[branch])}"
    return f"(CASE {lines} ELSE 0e0 END)"


def _all_takings(steps: Sequence[Step]) -> list[str]:
    """One condition per step; steps that only bound a feature, or only select among its categories, become one."""
    groups: dict[object, list[Step]] = {}
    for rule, branch in steps:
        groups.setdefault(_kind_of(rule, branch), []).append((rule, branch))
    return [_taking(*group[0]) if len(group) == 1 else _merged(group) for group in groups.values()]


def _kind_of(rule: BranchingRule, branch: int) -> object:
    """Steps of the same kind can be merged: thresholds with the same branch for missing cells, or lists of values."""
    if rule.surrogates or rule.test.encoding.test == "bins":
        return "node", rule.node
    if rule.test.cut is None:
        return "values", rule.test.feature
    return ("interval", rule.test.feature, rule.missing == branch) if branch in (0, 1) else ("node", rule.node)


def _merged(group: Sequence[Step]) -> str:
    """Several steps of one kind as one condition."""
    return _common_values(group) if group[0][0].test.cut is None else _interval(group)


def _common_values(group: Sequence[Step]) -> str:
    """The values of one feature that take all of these branches."""
    listed = [rule.test.codes_of.get(branch, []) for rule, branch in group if branch != rule.unseen]
    excluded = dict.fromkeys(
        code
        for rule, branch in group
        if branch == rule.unseen
        for code, to in rule.test.branch_of.items()
        if to != branch
    )
    test = group[0][0].test
    name = cell(test.encoding.name)
    if not listed:
        unlisted = ", ".join(literal(_label(test, code)) for code in excluded)
        choices = [f"{name} NOT IN ({unlisted})" if unlisted else f"{name} IS NOT NULL"]
    else:
        common = set(listed[-1]).intersection(*listed).difference(excluded)
        choices = [among(name, [literal(_label(test, code)) for code in listed[-1] if code in common])]
    choices += [f"{name} IS NULL"] if all(rule.missing == branch for rule, branch in group) else []
    return _any_of([choice for choice in choices if choice])


def _any_of(choices: Sequence[str]) -> str:
    """The condition that one of the choices holds, each of them without OR."""
    if not choices:
        return "1 = 0"
    return choices[0] if len(choices) == 1 else "(" + " OR ".join(choices) + ")"


def _interval(group: Sequence[Step]) -> str:
    """Several thresholds of one feature as one interval."""
    cuts = [[rule.test.cut for rule, branch in group if branch == side] for side in (0, 1)]
    name = cell(group[0][0].test.encoding.name)
    ends = [[cut for cut in side if cut is not None] for side in cuts]
    bounds = [f"{name} > {literal(max(ends[1]))}"] if ends[1] else []
    bounds += [f"{name} <= {literal(min(ends[0]))}"] if ends[0] else []
    interval = " AND ".join(bounds)
    rule, branch = group[0]
    return f"({interval} OR {name} IS NULL)" if rule.missing == branch else interval


def _taking(rule: BranchingRule, branch: int) -> str:
    """The condition that a row as a whole follows a branch; for STAY, that it stops."""
    choices = [_by_value(rule.test, branch)] if branch >= 0 else []
    if branch == rule.unseen and (unseen := _by_no_value(rule.test)):
        choices.append(unseen)
    choices.append(_without_value(rule, branch))
    return _any_of([choice for choice in choices if choice])


def _without_value(rule: BranchingRule, branch: int) -> str:
    """The condition that a row without a value follows a branch, by surrogates or by default; empty for never."""
    absent = f"{cell(rule.test.encoding.name)} IS NULL"
    if not rule.surrogates:
        return absent if rule.missing == branch else ""
    reached = [
        (surrogate, to)
        for surrogate in rule.surrogates
        for to in sorted({*surrogate.sides} if surrogate.cut is not None else {*surrogate.branch_of.values()})
    ]
    if branch not in {rule.missing, *(to for _, to in reached)}:
        return ""
    choices = " ".join(f"WHEN {_by_value(surrogate, to)} THEN {to}" for surrogate, to in reached)
    return f"({absent} AND CASE {choices} ELSE {rule.missing} END = {branch})"


def _by_value(test: BranchTest, branch: int) -> str:
    """The condition that a value has this branch; empty where none has."""
    name = cell(test.encoding.name)
    if test.cut is not None:
        if test.sides == (branch, branch):
            return f"{name} IS NOT NULL"
        signs = [sign for sign, side in zip(("<=", ">"), test.sides, strict=True) if side == branch]
        return f"{name} {signs[0]} {literal(test.cut)}" if signs else ""
    codes = test.codes_of.get(branch, [])
    if test.encoding.test == "bins":
        return _joined([_bin(test, code) for code in codes])
    return among(name, [literal(_label(test, code)) for code in codes])


def _by_no_value(test: BranchTest) -> str:
    """The condition that there is a value, but none that has a branch; empty where all have."""
    name = cell(test.encoding.name)
    if test.cut is not None:
        return ""
    if test.encoding.test == "bins":
        return _joined([_bin(test, bin_) for bin_ in range(len(test.encoding.edges) + 1) if bin_ not in test.branch_of])
    known = ", ".join(literal(_label(test, code)) for code in test.branch_of)
    return f"{name} NOT IN ({known})" if known else f"{name} IS NOT NULL"


def _label(test: BranchTest, code: int) -> str | int | float | bool:
    label = test.encoding.labels[code]
    assert label is not None, "missing values are stored separately"
    return label


def _bin(test: BranchTest, code: int) -> str:
    """An interval between two edges of the feature's bins."""
    name = cell(test.encoding.name)
    bounds = [None, *test.encoding.edges, None]
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
"""Levels of a tree nested in an average over leaves: databases limit that too."""
TOLERANCE = "1e-12"
"""Shares closer than this are equal."""


DIALECTS = ("sqlite", "duckdb", "postgresql")
"""Databases that the query is written for, with the same text for all."""


def to_sql(tree: Tree, table: str = "rows", dialect: str | None = None) -> str:
    """A query for all columns of `table`, the node where each row ends, and the tree's prediction and probabilities.

    The new columns are "tree node" (NULL for a row that follows several branches), "share of <class>" per class, for a
    tree with smoothing also "probability of <class>", and "predicted <target>"; a name that is taken gets a number
    after it. NULL is a missing cell, a value that the tree never saw an unseen category; texts count as they are,
    with blanks and marks such as "NA". Written for SQLite (3.35 or later), DuckDB and PostgreSQL (12 or later),
    which read a backslash in a text as a backslash. `dialect` may name one of them. A comment above the query names
    texts with characters that are not seen, and those with a backslash. Raises InputError for names that SQL cannot
    write, and for other dialects: MySQL, BigQuery and Spark read a backslash as the start of an escape.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> print("\\n".join(to_sql(tree, "days").splitlines()[-5:-1]))
      CASE
        WHEN t."tree node" IN (4, 7, 1) THEN 'No'
        WHEN t."tree node" IN (5, 2, 6, 0, 3) THEN 'Yes'
      END AS "predicted PlayTennis"
    """
    _check_dialect(dialect)
    writer, ends, shares = (
        _Writer(tree, branching_rules(tree)),
        *map(column, unlike(["tree ends", "tree shares"], [table])),
    )
    node, prediction = (column(writer.new_columns[index]) for index in (0, -1))
    steps = [f"WITH {ends} AS MATERIALIZED (\nSELECT t.*,\n{writer.node()} AS {node}\nFROM {column(table)} AS t\n)"]
    if tree.is_regression:
        last, source = writer.means(), ends
    else:
        steps.append(f", {shares} AS MATERIALIZED (\nSELECT t.*,\n{writer.all_shares()}\nFROM {ends} AS t\n)")
        last, source = writer.predictions(), shares
    query = "".join(steps) + f"\nSELECT t.*,\n{last} AS {prediction}\nFROM {source} AS t\n"
    return "".join(f"-- {line}\n" for line in _cautions(query)) + query


def _check_dialect(dialect: str | None) -> None:
    if dialect is not None and dialect.casefold() not in DIALECTS:
        raise InputError(
            message(
                "The query cannot be written for '{dialect}', which may read backslashes and quotes in another way. "
                "Choose one of {dialects}, or use to_python.",
                dialect=dialect,
                dialects=listing(DIALECTS),
            )
        )


def _cautions(query: str) -> Iterator[str]:
    """Comments on texts of the query that are not what they look like, or that other databases read differently."""
    texts = dict.fromkeys(text for text in _QUOTED.findall(query) if visible(text) != text)
    if texts:
        listed = listing(visible(text) for text in texts)
        yield message("Texts with characters that are not seen: {texts}", texts=listed)
    if "\\" in query:
        yield message(
            "Texts with a backslash: run this query only where a backslash is no escape, as in SQLite, DuckDB and "
            "PostgreSQL."
        )


_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
"""Texts and names of a query, with their quotes."""


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes the parts of the query."""

    tree: Tree
    branching_rules: dict[int, BranchingRule]

    @property
    def is_spread(self) -> bool:
        """Whether some rows may follow several branches."""
        return any(SPREAD in rule.branches_for_unknown for rule in self.branching_rules.values())

    @cached_property
    def ends(self) -> list[int]:
        """The nodes where rows may end."""
        return ends_of(self.tree, self.branching_rules)

    @cached_property
    def new_columns(self) -> list[str]:
        """The names of the columns that the query adds: the node's, one or two per class, the prediction's."""
        classes = [f"share of {name}" for name in self.tree.classes]
        if self.tree.smoothing is not None:
            classes += [f"probability of {name}" for name in self.tree.classes]
        return unlike(
            [NODE, *classes, f"predicted {self.tree.target}"], [encoding.name for encoding in self.tree.features]
        )

    def steps_to(self, node: int) -> list[Step]:
        """The steps of a row that reaches a node."""
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
        ends = [node for node in self.ends if node or self.is_spread]
        choices = [(fulfils(self.steps(node)), str(node)) for node in ends]
        return _case(choices, "NULL" if self.is_spread else "0")

    def by_node(self, values: Sequence[str], otherwise: str | None) -> str:
        """The value of the node where a row ends; `otherwise` for rows that end at several."""
        groups: dict[str, list[int]] = {}
        for node in self.ends:
            groups.setdefault(values[node], []).append(node)
        ended = cell(self.new_columns[0])
        return _case([(among(ended, map(str, nodes)), text) for text, nodes in groups.items()], otherwise)

    def predictions(self) -> str:
        """The predicted class."""
        named = [literal(name) for name in self.tree.classes]
        return self.by_node([named[code] for code in self.tree.labels], self.best() if self.is_spread else None)

    def means(self) -> str:
        """The predicted mean."""
        return self.numbers(self.tree.values.tolist())

    def all_shares(self) -> str:
        """A column per class, and one more with the smoothed probability."""
        tree = self.tree
        values = tree.shares if tree.smoothing is None else np.hstack([tree.shares, tree.probabilities])
        columns = zip(values.T.tolist(), self.new_columns[1:-1], strict=True)
        return ",\n".join(f"{self.numbers(shares)} AS {column(name)}" for shares, name in columns)

    def numbers(self, values: Sequence[float]) -> str:
        """A number of the node where a row ends, or the average over several leaves."""
        return self.by_node([literal(value) for value in values], self.mixture(values) if self.is_spread else None)

    def mixture(self, values: Sequence[float]) -> str:
        """The values of all ends, weighted by the row's weight there: the sum over blocks of a few levels."""
        roots = [node for node in self.branching_rules if self.tree.depth[node] % BLOCK == 0]
        blocks = [(self.steps_to(node), self.block(node, values)) for node in roots]
        return _sum([_product(map(part, steps), block) for steps, block in blocks if block]) or "0e0"

    def block(self, node: int, values: Sequence[float]) -> str:
        """The values below a node, weighted by the row's weight there, without those of blocks further down."""
        if node not in self.branching_rules:
            return literal(values[node]) if values[node] else ""
        rule, terms = self.branching_rules[node], list[str]()
        for branch, child in enumerate(rule.children):
            is_own_block = child in self.branching_rules and self.tree.depth[child] % BLOCK == 0
            below = "" if is_own_block else self.block(child, values)
            terms.extend([_product([part((rule, branch))], below)] if below else [])
        if STAY in rule.branches_for_unknown and values[node]:
            terms.append(_product([part((rule, STAY))], literal(values[node])))
        return _sum(terms)

    def best(self) -> str:
        """The class of the largest share (or the least expected cost), of equal ones the first."""
        every = range(len(self.tree.classes))
        shares = list(map(cell, self.new_columns[1 : 1 + len(every)]))
        if self.tree.costs is None:
            ahead = [[f"{shares[k]} >= {shares[j]} - {TOLERANCE}" for j in every if j != k] for k in every]
        else:
            costs = [_expected(shares, column_of_costs) for column_of_costs in self.tree.costs.T.tolist()]
            slack = f"{TOLERANCE} * {_sum(costs)}"
            ahead = [[f"{costs[k]} <= {costs[j]} + {slack}" for j in every if j != k] for k in every]
        named = [literal(name) for name in self.tree.classes]
        return _case([(" AND ".join(ahead[k]), named[k]) for k in every[:-1]], named[-1])


def _expected(shares: Sequence[str], costs: Sequence[float]) -> str:
    """The expected cost of a prediction."""
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
