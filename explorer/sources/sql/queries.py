"""The text of count queries, short enough to be read.

The working table `work` has, for the numeric column at position i, `b<i>` (bin), `f<i>` (fine code) and `x<i>` (the
number, NULL where it is missing); for a categorical column `c<i>` (code); then `y` (class code or number), `w` (weight,
if there are weights) and `part`. Missing cells have a code of their own, one past the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.sources.counting import Coding, Layout
from explorer.sources.routing import NodeTest, Routing

LEVELS_AT_ONCE = 24
"""So many levels of a tree are one CASE expression; deeper ones go into a second around it."""


CODES = 1 << 16
"""More than any code."""


@dataclass(frozen=True)
class Dialect:
    """How an engine writes what the queries do not have in common: the quote around a name, and its escape in text."""

    name: str
    quote: str = '"'
    backslash: str = "\\"
    text_type: str = "VARCHAR"
    sample_of_table: str = ""
    sample_of_rows: str = "\nUSING SAMPLE {percent:.6f} PERCENT (bernoulli, 0)"
    """What draws a share of the rows: written behind the table, or at the end of the query."""

    def identifier(self, name: str) -> str:
        """A name in quotes, harmless whatever it holds.

        >>> DUCKDB.identifier('x"; drop table')
        '"x""; drop table"'
        """
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def text(self, value: str) -> str:
        """A text in quotes.

        >>> DUCKDB.text("it's")
        "'it''s'"
        """
        escaped = value.replace("\\", self.backslash).replace("'", "''" if self.name == "duckdb" else "\\'")
        return f"'{escaped}'"


DUCKDB = Dialect("duckdb")
SPARK = Dialect(
    "spark",
    "`",
    "\\\\",
    text_type="STRING",
    sample_of_table=" TABLESAMPLE ({percent:.6f} PERCENT) REPEATABLE (0)",
    sample_of_rows="",
)


def number(value: float) -> str:
    """A number as a literal of type DOUBLE with the same bits: without an exponent it would be a decimal.

    >>> number(0.1), number(1e-300), number(-2.0)
    ('0.1e0', '1e-300', '-2.0e0')
    """
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def ranges(name: str, codes: Iterable[int]) -> str:
    """That a code is one of some, runs of neighbours as ranges.

    >>> ranges("c0", [1, 2, 3, 7])
    'c0 BETWEEN 1 AND 3 OR c0 = 7'
    """
    ordered = np.unique(np.fromiter(codes, dtype=np.int64))
    if not len(ordered):
        return "FALSE"
    starts = np.flatnonzero(np.diff(ordered, prepend=-2) != 1)
    ends = np.append(starts[1:], len(ordered)) - 1
    runs = [(int(ordered[start]), int(ordered[end])) for start, end in zip(starts, ends, strict=True)]
    parts = [f"{name} BETWEEN {low} AND {high}" for low, high in runs if low < high]
    single = [low for low, high in runs if low == high]
    if len(single) == 1:
        parts.append(f"{name} = {single[0]}")
    elif single:
        parts.append(f"{name} IN ({', '.join(map(str, single))})")
    return " OR ".join(parts)


def branch_condition(test: NodeTest, branch: int, layout: Layout) -> str:
    """That a row takes a branch of a test (−1: stays at the node)."""
    column, name = layout.columns[test.column], f"x{test.column}"
    missing = test.missing_branch == branch
    if not column.is_numeric:
        codes = np.flatnonzero(np.append(test.branch_of_code, test.missing_branch) == branch)
        return ranges(f"c{test.column}", codes.tolist())
    if not np.isnan(test.threshold):
        parts = [f"{name} {sign} {number(test.threshold)}" for side, sign in enumerate(("<=", ">")) if side == branch]
    else:
        parts = [_interval(name, *ends) for ends in _intervals_of(test, branch)]
    return " OR ".join(parts + [f"{name} IS NULL"] * missing) or "FALSE"


def _intervals_of(test: NodeTest, branch: int) -> list[tuple[float, float]]:
    """The intervals (low, high] of a number that take a branch, neighbours joined."""
    found: list[tuple[float, float]] = []
    ends = [-np.inf, *test.edges.tolist(), np.inf]
    for code in np.flatnonzero(test.branch_of_code == branch):
        low, high = ends[code], ends[code + 1]
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found


def _interval(name: str, low: float, high: float) -> str:
    above = [] if low == -np.inf else [f"{name} > {number(low)}"]
    below = [] if high == np.inf else [f"{name} <= {number(high)}"]
    return " AND ".join(above + below) or f"{name} IS NOT NULL"


@dataclass(frozen=True)
class NodeText:
    """The SQL of the node that a row reaches, for the nodes asked for; other rows have NULL."""

    routing: Routing
    layout: Layout
    nodes: frozenset[int]
    tests: dict[int, NodeTest]
    kept: frozenset[int]

    @classmethod
    def of(cls, routing: Routing, layout: Layout, nodes: Iterable[int]) -> NodeText:
        """Keep the tests on the way to the nodes."""
        asked = frozenset(nodes)
        kept = set(asked)
        for test in reversed(routing.tests):
            if kept.intersection(test.children):
                kept.add(test.node)
        tests = {test.node: test for test in routing.tests if kept.intersection(test.children)}
        return cls(routing, layout, asked, tests, frozenset(kept))

    def select(self, columns: Iterable[str], where: Iterable[str] = ()) -> str:
        """The SELECT of the node and some columns of the working table, further conditions in `where`."""
        columns = list(dict.fromkeys(columns))
        names = [column.rsplit(" AS ", 1)[-1] for column in columns]
        conditions = [f"({condition})" for condition in (*self.conditions(), *where)]
        text, starts = self._case([0], None)
        used = sorted({f"{self._prefix(test)}{test.column}" for test in self.tests.values()} - set(names))
        passed = ", ".join(columns + used * bool(starts))
        query = f"SELECT {_listed(text + ' AS node', passed)}\nFROM work"
        query += f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
        while starts:
            text, starts = self._case(starts, "node")
            passed = ", ".join(names + used * bool(starts))
            query = f"SELECT {_listed(text + ' AS node', passed)}\nFROM (\n{indented(query)}\n) AS routed_above"
        return query

    def conditions(self) -> list[str]:
        """Which rows are asked about."""
        part = self.routing.part
        found = [] if part is None else [f"part = {int(part)}"]
        for column in self.routing.complete:
            layout = self.layout.columns[column]
            found.append(f"x{column} IS NOT NULL" if layout.is_numeric else f"c{column} <> {layout.n_codes}")
        return found

    def _prefix(self, test: NodeTest) -> str:
        return "x" if self.layout.columns[test.column].is_numeric else "c"

    def _case(self, starts: Sequence[int], at: str | None) -> tuple[str, list[int]]:
        """The expression for some levels below the start nodes, and the nodes where it breaks off."""
        broken_off: list[int] = []
        if at is None:
            return self._below(starts[0], LEVELS_AT_ONCE, broken_off) or "NULL", broken_off
        lines = [f"WHEN {node} THEN {self._below(node, LEVELS_AT_ONCE, broken_off)}" for node in starts]
        return f"CASE {at}\n{indented(chr(10).join(lines))}\n  ELSE {at}\nEND", broken_off

    def _below(self, node: int, levels: int, broken_off: list[int]) -> str | None:
        """The expression of a subtree; None where no row in it is asked about."""
        if node not in self.kept:
            return None
        if node not in self.tests:
            return str(node)
        if levels == 0:
            broken_off.append(node)
            return str(node)
        test = self.tests[node]
        branches = [(branch, self._below(child, levels - 1, broken_off)) for branch, child in enumerate(test.children)]
        may_stay = test.missing_branch < 0 or bool((test.branch_of_code < 0).any())
        if may_stay and node in self.nodes:
            branches.insert(0, (-1, str(node)))
        wanted = [(branch_condition(test, branch, self.layout), text) for branch, text in branches if text]
        lines = [f"WHEN {condition} THEN {text}" for condition, text in wanted]
        if not may_stay and len(wanted) == len(test.children):
            lines[-1] = f"ELSE {wanted[-1][1]}"
        return f"CASE\n{indented(chr(10).join(lines))}\nEND" if lines else None


def indented(text: str) -> str:
    """Every line two spaces to the right."""
    return "  " + text.replace("\n", "\n  ")


def _listed(first: str, others: str) -> str:
    return f"{first}, {others}" if others else first


def interval_code(column: int, edges: Sequence[float], missing: int) -> str:
    """Which interval of ascending upper ends a number lies in, by halving; `missing` where there is none."""
    name = f"x{column}"

    def halves(low: int, high: int) -> str:
        if low == high:
            return str(low)
        middle = (low + high) // 2
        below, above = halves(low, middle), halves(middle + 1, high)
        return f"CASE WHEN {name} <= {number(edges[middle])} THEN {below} ELSE {above} END"

    return f"CASE WHEN {name} IS NULL THEN {missing} ELSE {halves(0, len(edges))} END"


def sums(layout: Layout) -> str:
    """What is counted: weights of rows by class, or weight, sum and sum of squares of a numeric target."""
    weight = "w" if layout.has_weights else None
    total = f"SUM({weight})" if weight else "COUNT(*)"
    if layout.target.kind != "numeric":
        return f"{total} AS n"
    deviation = f"(y - {number(layout.centre)})" if layout.centre else "y"
    times = f"{weight} * " if weight else ""
    return f"{total} AS n, SUM({times}{deviation}) AS s, SUM({times}{deviation} * {deviation}) AS q"


def target_columns(layout: Layout) -> list[str]:
    """The columns that `sums` and the classes read."""
    return ["y", "w"] if layout.has_weights else ["y"]


def grouped_by(layout: Layout) -> str:
    """What counts of a target are grouped by beside the node: its classes."""
    return "" if layout.target.kind == "numeric" else ", y"


def count_targets(nodes: NodeText) -> str:
    """The target of some nodes."""
    layout = nodes.layout
    inner = nodes.select(target_columns(layout))
    return (
        f"SELECT node{grouped_by(layout)}, {sums(layout)}, COUNT(*) AS n_rows, MIN(y) AS low, MAX(y) AS high\n"
        f"FROM (\n{indented(inner)}\n) AS routed\nWHERE node IS NOT NULL\nGROUP BY node{grouped_by(layout)}"
    )


def count_codes(nodes: NodeText, codings: Sequence[tuple[int, Coding]]) -> str:
    """Counts by node, position of the coding, code and class, in one pass over the rows."""
    layout, names, columns = nodes.layout, [], []
    for position, coding in codings:
        names.append(f"k{position}")
        columns.append(f"{code_text(layout, coding)} AS k{position}")
    inner = nodes.select([*columns, *target_columns(layout)])
    by_class = grouped_by(layout)
    sets = ", ".join(f"(node, {name}{by_class})" for name in names)
    grouped = (
        f"SELECT node, {', '.join(names)}{by_class}, {sums(layout)}\n"
        f"FROM (\n{indented(inner)}\n) AS routed\nWHERE node IS NOT NULL\nGROUP BY GROUPING SETS ({sets})"
    )
    which = " ".join(f"WHEN {name} IS NOT NULL THEN {name[1:]}" for name in names)
    values = "n" if by_class else "n, s, q"
    code = f"COALESCE({', '.join(names)})" if len(names) > 1 else names[0]
    return (
        f"SELECT node, CASE {which} END AS f, {code} AS code{by_class}, {values}\n"
        f"FROM (\n{indented(grouped)}\n) AS counted"
    )


def code_text(layout: Layout, coding: Coding) -> str:
    """The code of a column by its bins, categories, or given intervals."""
    column = layout.columns[coding.column]
    if not column.is_numeric:
        return f"c{coding.column}"
    if coding.edges is None:
        return f"b{coding.column}"
    return interval_code(coding.column, coding.edges, len(coding.edges) + 1)


def count_within(
    nodes: NodeText,
    cell: str,
    value: str,
    wanted: Mapping[int, Sequence[tuple[int, NDArray[np.int64]]]],
    where: Sequence[str] = (),
) -> str:
    """Counts by `value` of each column where (node, cell) is among those wanted: (node, cells) pairs by column.

    The nodes are found once, for all columns together.
    """
    layout, target = nodes.layout, target_columns(nodes.layout)
    columns = [f"{kind}{column}" for column in wanted for kind in (cell, value)]
    inner = nodes.select([*columns, *target], where)
    looked = "\nUNION ALL\n".join(
        f"SELECT {column} AS f, node, {value}{column} AS value, {', '.join(target)}\n"
        f"FROM routed WHERE {_place('node', f'{cell}{column}')} IN ({_places(pairs)})"
        for column, pairs in wanted.items()
    )
    by = f"f, node, value{grouped_by(layout)}"
    return (
        f"WITH routed AS MATERIALIZED (\n{indented(inner)}\n)\n"
        f"SELECT {by}, {sums(layout)}\nFROM (\n{indented(looked)}\n) AS looked\nGROUP BY {by}"
    )


def _place(node: str, code: str) -> str:
    """A node and a code as one number."""
    return f"CAST({node} AS BIGINT) * {CODES} + {code}"


def _places(pairs: Sequence[tuple[int, NDArray[np.int64]]]) -> str:
    return ", ".join(str(node * CODES + code) for node, codes in pairs for code in codes.tolist())


def cells_of_rows(layout: Layout) -> list[str]:
    """The columns of the working table that hold a row's own values."""
    return [f"{'x' if column.is_numeric else 'c'}{i}" for i, column in enumerate(layout.columns)]


def rows_of_nodes(nodes: NodeText) -> str:
    """All rows of some nodes."""
    columns = [*cells_of_rows(nodes.layout), *target_columns(nodes.layout)]
    return f"SELECT *\nFROM (\n{indented(nodes.select(columns))}\n) AS routed\nWHERE node IS NOT NULL"


def rows_drawn(nodes: NodeText, n: int, seed: int) -> str:
    """At most n rows of the routing, drawn at random."""
    names = [*cells_of_rows(nodes.layout), *target_columns(nodes.layout)]
    inner = nodes.select([*names, f"hash(rowid, {int(seed)}) AS place"])
    return (
        f"SELECT {', '.join(names)}\nFROM (\n{indented(inner)}\n) AS routed\n"
        f"WHERE node IS NOT NULL\nORDER BY place\nLIMIT {int(n)}"
    )


def rows_by_end(nodes: NodeText) -> str:
    """Rows by the node where they end and by class, with values that lead there."""
    layout, columns = nodes.layout, cells_of_rows(nodes.layout)
    inner = nodes.select([*columns, *target_columns(layout)])
    examples = "".join(f", MIN({name}) AS {name}" for name in columns)
    return (
        f"SELECT node{grouped_by(layout)}, {sums(layout)}, COUNT(*) AS n_rows{examples}\n"
        f"FROM (\n{indented(inner)}\n) AS routed\nWHERE node IS NOT NULL\nGROUP BY node{grouped_by(layout)}"
    )
