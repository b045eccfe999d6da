"""What an engine is asked, in words: one sentence for each method of `CountingEngine`."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.messages import Words, listing_with_more, message, plural

NAMES_SHOWN = 5


def targets_words(nodes: int) -> Words:
    """What `targets` does."""
    return lambda: plural(nodes, "Count the target at {n:,} node", "Count the target at {n:,} nodes")


def bins_words(nodes: int, features: int) -> Words:
    """What `bins` does."""
    return lambda: plural(
        nodes,
        "Count bins and categories of {features:,} features at {n:,} node",
        "Count bins and categories of {features:,} features at {n:,} nodes",
        features=features,
    )


def fine_words(nodes: int, features: Sequence[str]) -> Words:
    """What `fine` does."""
    return lambda: plural(
        nodes,
        "Look closer into bins of {features} at {n:,} node",
        "Look closer into bins of {features} at {n:,} nodes",
        features=listed(features),
    )


def values_words(nodes: int, features: Sequence[str]) -> Words:
    """What `values` does."""
    return lambda: plural(
        nodes,
        "Count the values of {features} that can win at {n:,} node",
        "Count the values of {features} that can win at {n:,} nodes",
        features=listed(features),
    )


def listed(names: Sequence[str]) -> str:
    """The first names in quotation marks.

    >>> listed(["age", "fare"])
    "'age', 'fare'"
    """
    return listing_with_more((f"'{name}'" for name in names[:NAMES_SHOWN]), len(names) > NAMES_SHOWN)


def rows_words(nodes: int) -> Words:
    """What `rows` does."""
    return lambda: plural(nodes, "Fetch the rows of {n:,} node", "Fetch the rows of {n:,} nodes")


def sample_words(n: int) -> Words:
    """What `sample` does."""
    return lambda: plural(n, "Draw {n:,} row at random", "Draw {n:,} rows at random")


def ends_words() -> str:
    """What `ends` does."""
    return message("Count the rows of every node where rows end")
