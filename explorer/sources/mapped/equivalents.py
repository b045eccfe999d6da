"""SQL that would count from the working table what a pass over files or blocks of codes counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from explorer.messages import message
from explorer.sources.counting import Coding, Ints, Layout, NodeColumn
from explorer.sources.routing import Routing
from explorer.sources.sql import queries as sql
from explorer.sources.sql.queries import NodeText

NODES_SHOWN = 256
"""SQL is shown for so many nodes at most."""


def same_in_sql(queries: Iterable[str]) -> str:
    """Queries under a comment that says what they are."""
    comment = message("The same in SQL. The rows were counted from their codes, without a query.")
    return f"-- {comment}\n" + ";\n\n".join(queries)


def targets_sql(layout: Layout, routing: Routing, nodes: Sequence[int]) -> str:
    """The target at some nodes."""
    return same_in_sql([sql.count_targets(NodeText.of(routing, layout, nodes[:NODES_SHOWN]))])


def bins_sql(layout: Layout, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> str:
    """Codes of some columns at some nodes."""
    text = NodeText.of(routing, layout, nodes[:NODES_SHOWN])
    return same_in_sql([sql.count_codes(text, list(enumerate(codings)))])


def closer_sql(layout: Layout, routing: Routing, cell: str, value: str, wanted: Mapping[NodeColumn, Ints]) -> str:
    """Values of some cells of some columns; `cell` and `value` are the first letters of columns."""
    by_column: dict[int, list[tuple[int, Ints]]] = {}
    for (node, column), codes in wanted.items():
        by_column.setdefault(column, []).append((node, codes))
    shown = {column: pairs[:NODES_SHOWN] for column, pairs in by_column.items()}
    text = NodeText.of(routing, layout, sorted({node for pairs in shown.values() for node, _ in pairs}))
    return same_in_sql([sql.count_within(text, cell, value, shown)])


def rows_sql(layout: Layout, routing: Routing, nodes: Sequence[int]) -> str:
    """All rows of some nodes."""
    return same_in_sql([sql.rows_of_nodes(NodeText.of(routing, layout, nodes[:NODES_SHOWN]))])


def sample_sql(layout: Layout, routing: Routing, n: int, seed: int) -> str:
    """Rows drawn at random; a database draws others."""
    text = NodeText.of(routing, layout, all_nodes(routing)[:NODES_SHOWN])
    return same_in_sql([sql.rows_drawn(text, n, seed)])


def all_nodes(routing: Routing) -> list[int]:
    """All nodes that a routing names, ascending."""
    return sorted({0, *(node for test in routing.tests for node in (test.node, *test.children))})


def ends_sql(layout: Layout, routing: Routing) -> str:
    """Rows by the node where they end."""
    return same_in_sql([sql.rows_by_end(NodeText.of(routing, layout, all_nodes(routing)[:NODES_SHOWN]))])
