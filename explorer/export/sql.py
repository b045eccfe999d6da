"""A tree as one SQL query that adds its predictions to a table.

Every leaf becomes a condition (its rule), so nothing is nested as deep as the tree: databases limit that. What is
predicted at each node is a small table, joined by the node where a row ends: no column of the rows, whatever its name,
stands between. Names and texts are quoted as in the SQL standard, and floating point numbers are written with an
exponent, so that databases compute with doubles and not with decimals.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from explorer.errors import InputError
from explorer.export.python import code_notes
from explorer.export.sql_conditions import Conditions, Step
from explorer.export.sql_dialects import DIALECTS, column, dialect_named, literal
from explorer.formatting import visible
from explorer.messages import listing, message
from explorer.recipe.remarks import DATES_AS_DAYS
from explorer.recipe.split_score import TIE
from explorer.tree.branching import SPREAD, STAY, BranchingRule, branching_rules, ends_of
from explorer.tree.tree import Tree


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


NODE, ACTION = "tree node", "action"
BLOCK = 4
"""Levels of a tree nested in an average over leaves: databases limit that too."""
LEAVES = "tree leaves"


def to_sql(tree: Tree, table: str = "rows", dialect: str | None = None) -> str:
    """A query for all columns of `table`, the node where each row ends, and the tree's prediction and probabilities.

    The new columns are "tree node" (NULL for a row that follows several branches), "share of <class>" per class, for a
    tree with smoothing also "probability of <class>", and "predicted <target>"; where the tree has actions "action",
    which is NULL where the node is. A name that a feature has gets a number after it. Other columns of the table may
    have any name. NULL, NaN, infinite numbers and marks such as "NA" are missing cells, and so is text where the tree
    needs a number. Rows come in any order: DuckDB may change it.

    `dialect` is "sqlite" (3.35 or later), "duckdb" or "postgresql" (12 or later). Without it the query runs in all of
    them: in SQLite also on a table that `.import` made, whose numbers are texts. DuckDB and PostgreSQL refuse to
    compare texts with numbers; DuckDB's own dialect reads them. A tree that tests dates needs a dialect. A comment
    above the query names texts with characters that are not seen, and those with a backslash. Raises InputError for
    names that SQL cannot write, and for other dialects: MySQL, BigQuery and Spark read a backslash as an escape.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> print("\\n".join(to_sql(tree, "days").splitlines()[:4]))
    WITH "tree leaves" ("tree node", "share of No", "share of Yes", "predicted PlayTennis") AS MATERIALIZED (VALUES
      (4, 1.0e0, 0.0e0, 'No'),
      (5, 0.0e0, 1.0e0, 'Yes'),
      (2, 0.0e0, 1.0e0, 'Yes'),
    """
    dates = dates_of(tree)
    if dialect is None and dates:
        raise InputError(
            message(
                "The tree tests dates ({columns}), which databases read in different ways. "
                "Choose the dialect: {dialects}.",
                columns=listing(dates),
                dialects=listing(DIALECTS),
            )
        )
    spoken = replace(dialect_named(dialect), date_columns=frozenset(dates))
    writer = _Writer(tree, branching_rules(tree), Conditions(spoken))
    if spoken.ignores_case:
        writer.refuse_names_alike()
    leaves = column(unlike([LEAVES], [table])[0])
    query = (
        f"WITH {leaves} ({', '.join(map(column, writer.new_columns))}) AS MATERIALIZED (VALUES\n{writer.leaves()}\n)\n"
        f"SELECT t.*, {writer.selected()}\nFROM {column(table)} AS t\n"
        f"LEFT JOIN {leaves} AS leaf ON leaf.{column(writer.new_columns[0])} =\n{writer.node()}\n"
    )
    return "".join(f"-- {line}\n" for line in (*code_notes(tree), *_cautions(query))) + query


def dates_of(tree: Tree) -> list[str]:
    """The columns of dates that the tree tests."""
    named = {name for remark in tree.remarks if remark.code == DATES_AS_DAYS for name in remark.values}
    return [name for name in columns_tested(branching_rules(tree)) if name in named]


def columns_tested(rules: Mapping[int, BranchingRule]) -> list[str]:
    """The columns that a row is asked for, surrogates included."""
    tests = [test for rule in rules.values() for test in (rule.test, *rule.surrogates)]
    return list(dict.fromkeys(test.encoding.name for test in tests))


MARK_WITH_BACKSLASH = "\\N"
"""A mark of missing cells that every query on categories names."""


def _cautions(query: str) -> Iterator[str]:
    """Comments on texts of the query that are not what they look like, or that other databases read differently."""
    texts = dict.fromkeys(text for text in _QUOTED.findall(query) if visible(text) != text)
    if texts:
        listed = listing(visible(text) for text in texts)
        yield message("Texts with characters that are not seen: {texts}", texts=listed)
    if "\\" in query.replace(literal(MARK_WITH_BACKSLASH), ""):
        yield message(
            "Texts with a backslash: run this query only where a backslash is no escape, as in SQLite, DuckDB and "
            "PostgreSQL."
        )


_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
"""Texts and names of a query, with their quotes."""


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes the parts of the query."""

    tree: Tree
    branching_rules: dict[int, BranchingRule]
    conditions: Conditions

    @property
    def is_spread(self) -> bool:
        """Whether some rows may follow several branches."""
        return any(SPREAD in rule.branches_for_unknown for rule in self.branching_rules.values())

    def refuse_names_alike(self) -> None:
        """InputError where two tested columns have names that differ by case only."""
        names = dict[str, str]()
        for name in columns_tested(self.branching_rules):
            other = names.setdefault(name.translate(_LOWER), name)
            if other != name:
                raise InputError(
                    message(
                        "The tree tests the columns '{first}' and '{second}', which SQLite and DuckDB take for one. "
                        "Rename one of them, or choose the dialect 'postgresql'.",
                        first=other,
                        second=name,
                    )
                )

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
        actions = [ACTION] if self.tree.actions else []
        return unlike(
            [NODE, *classes, f"predicted {self.tree.target}", *actions],
            [encoding.name for encoding in self.tree.features],
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
        """The node where a row ends; NULL where it ends at several."""
        ends = [node for node in self.ends if node or self.is_spread]
        choices = [(self.conditions.fulfils(self.steps(node)), str(node)) for node in ends]
        return _case(choices, "NULL" if self.is_spread else "0")

    def leaves(self) -> str:
        """What is selected of a row that ends at one node: a line per node."""
        columns = [[str(node) for node in self.ends]]
        columns += [[literal(values[node]) for node in self.ends] for values in self.numbers]
        if not self.tree.is_regression:
            columns += [[literal(self.tree.classes[self.tree.labels[node]]) for node in self.ends]]
        if self.tree.actions:
            columns += [[literal(self.tree.node_actions[node]) for node in self.ends]]
        return ",\n".join(f"  ({', '.join(line)})" for line in zip(*columns, strict=True))

    @cached_property
    def numbers(self) -> list[list[float]]:
        """The numbers that a row gets of the nodes where it ends: shares, probabilities or the mean, each by node."""
        tree = self.tree
        if tree.is_regression:
            return [tree.values.tolist()]
        smoothed = [] if tree.smoothing is None else tree.probabilities.T.tolist()
        return [*tree.shares.T.tolist(), *smoothed]

    def selected(self) -> str:
        """The new columns: those of the node, or averages over several."""
        if not self.is_spread:
            return "leaf.*"
        node, *names = map(column, self.new_columns)
        action = [f"leaf.{names.pop()}"] if self.tree.actions else []
        averages = [self.mixture(values) for values in self.numbers]
        averages += [] if self.tree.is_regression else [self.best()]
        lines = [f"COALESCE(leaf.{name}, {average}) AS {name}" for name, average in zip(names, averages, strict=True)]
        return ",\n".join([f"leaf.{node}", *lines, *action])

    def mixture(self, values: Sequence[float]) -> str:
        """The values of all ends, weighted by the row's weight there: the sum over blocks of a few levels."""
        roots = [node for node in self.branching_rules if self.tree.depth[node] % BLOCK == 0]
        blocks = [(self.steps_to(node), self.block(node, values)) for node in roots]
        return _sum([_product(map(self.conditions.part, steps), block) for steps, block in blocks if block]) or "0e0"

    def block(self, node: int, values: Sequence[float]) -> str:
        """The values below a node, weighted by the row's weight there, without those of blocks further down."""
        if node not in self.branching_rules:
            return literal(values[node]) if values[node] else ""
        rule, terms = self.branching_rules[node], list[str]()
        for branch, child in enumerate(rule.children):
            is_own_block = child in self.branching_rules and self.tree.depth[child] % BLOCK == 0
            below = "" if is_own_block else self.block(child, values)
            terms.extend([_product([self.conditions.part((rule, branch))], below)] if below else [])
        if STAY in rule.branches_for_unknown and values[node]:
            terms.append(_product([self.conditions.part((rule, STAY))], literal(values[node])))
        return _sum(terms)

    def best(self) -> str:
        """The class of the largest average share (or the least expected cost), of equal ones the first."""
        every = range(len(self.tree.classes))
        shares = [f"average.share{k}" for k in every]
        deciding = self.tree.deciding_costs
        if deciding is None:
            ahead = [[f"{shares[k]} >= {shares[j]} - {literal(TIE)}" for j in every if j != k] for k in every]
        else:
            costs = [_expected(shares, column_of_costs) for column_of_costs in deciding.T.tolist()]
            ahead = [[f"{costs[k]} <= {costs[j]} * {literal(1.0 + TIE)}" for j in every if j != k] for k in every]
        named = [literal(name) for name in self.tree.classes]
        best = _case([(" AND ".join(ahead[k]), named[k]) for k in every[:-1]], named[-1])
        decide = self.tree.deciding_shares.T.tolist()
        averages = ", ".join(f"{self.mixture(decide[k])} AS share{k}" for k in every)
        return f"(SELECT\n{best}\n  FROM (SELECT {averages}) AS average)"


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
