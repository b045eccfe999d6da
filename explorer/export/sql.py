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

from explorer.export.sql_conditions import Step, fulfils, part
from explorer.export.sql_words import among, cell, column, literal, unlike
from explorer.forks import SPREAD, STAY, Fork, ends_of, forks
from explorer.tree import Tree

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
    >>> from explorer.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> print("\\n".join(to_sql(tree, "days").splitlines()[-5:-1]))
      CASE
        WHEN t."tree node" IN (4, 7, 1) THEN 'No'
        WHEN t."tree node" IN (5, 2, 6, 0, 3) THEN 'Yes'
      END AS "predicted PlayTennis"
    """
    writer, ends, shares = _Writer(tree, forks(tree)), *map(column, unlike(["tree ends", "tree shares"], [table]))
    node, answer = (column(writer.new_columns[place]) for place in (0, -1))
    steps = [f"WITH {ends} AS MATERIALIZED (\nSELECT t.*,\n{writer.node()} AS {node}\nFROM {column(table)} AS t\n)"]
    if tree.is_regression:
        last, source = writer.means(), ends
    else:
        steps.append(f", {shares} AS MATERIALIZED (\nSELECT t.*,\n{writer.all_shares()}\nFROM {ends} AS t\n)")
        last, source = writer.answers(), shares
    return "".join(steps) + f"\nSELECT t.*,\n{last} AS {answer}\nFROM {source} AS t\n"


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes the parts of the query."""

    tree: Tree
    forks: dict[int, Fork]

    @property
    def is_spread(self) -> bool:
        """Whether some rows may go down several branches."""
        return any(SPREAD in fork.ways_out for fork in self.forks.values())

    @cached_property
    def ends(self) -> list[int]:
        """The nodes where rows may end."""
        return ends_of(self.tree, self.forks)

    @cached_property
    def new_columns(self) -> list[str]:
        """The names of the columns that the query adds: the node's, one per class, the answer's."""
        classes = [f"share of {name}" for name in self.tree.classes]
        return unlike([NODE, *classes, f"predicted {self.tree.target}"], [usage.name for usage in self.tree.features])

    def steps_to(self, node: int) -> list[Step]:
        """The steps of a row that comes to a node."""
        return [(self.forks[above], branch) for above, branch in self.tree.path_to(node)]

    def steps(self, node: int) -> list[Step]:
        """The steps of a row that ends at a node."""
        return [*self.steps_to(node), (self.forks[node], STAY)] if node in self.forks else self.steps_to(node)

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

    def answers(self) -> str:
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
        roots = [node for node in self.forks if self.tree.depth[node] % BLOCK == 0]
        blocks = [(self.steps_to(node), self.block(node, values)) for node in roots]
        return _sum([_product(map(part, steps), block) for steps, block in blocks if block]) or "0e0"

    def block(self, node: int, values: Sequence[float]) -> str:
        """The values below a node, weighed by the parts of a row there, without those of blocks further down."""
        if node not in self.forks:
            return literal(values[node]) if values[node] else ""
        fork, terms = self.forks[node], list[str]()
        for branch, child in enumerate(fork.children):
            is_apart = child in self.forks and self.tree.depth[child] % BLOCK == 0
            below = "" if is_apart else self.block(child, values)
            terms.extend([_product([part((fork, branch))], below)] if below else [])
        if STAY in fork.ways_out and values[node]:
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
