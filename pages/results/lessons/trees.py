"""Trees of the built-in tables, and the candidate splits of their nodes."""

from __future__ import annotations

import pandas as pd

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.growing.growing_steps import growing_steps
from pages.results.cache import kept
from pages.results.lessons import small_tables
from pages.settings.growing_options import RECIPES


@kept()
def rows(sample: str, features: tuple[str, ...] | None = None) -> ex.Dataset:
    """The rows of a built-in or small table, with these features of a built-in one (None: those of the sample)."""
    if sample in small_tables.TABLES:
        return small_tables.table(sample)
    return _encoded(sample, ex.load_sample(sample).frame, features)


def _encoded(sample: str, frame: pd.DataFrame, features: tuple[str, ...] | None = None) -> ex.Dataset:
    known = SAMPLES[sample]
    return ex.Dataset.from_frame(frame, known.target, features=features or known.features, kinds=known.kinds)


@kept()
def with_cell(sample: str, column: str, row: int, value: float) -> ex.Dataset:
    """The rows of a built-in table with another number in one cell."""
    frame = ex.load_sample(sample).frame
    cells = [value if at == row else other for at, other in enumerate(frame[column].tolist())]
    return _encoded(sample, frame.assign(**{column: cells}))


@kept()
def grown(
    sample: str, recipe: str, changes: tuple[tuple[str, object], ...] = (), features: tuple[str, ...] | None = None
) -> ex.Tree:
    """A tree grown on all rows of a built-in table by the recipe of this name ("ID3"), with fields changed in it."""
    return ex.grow(rows(sample, features), RECIPES[recipe].replace(**dict(changes)))


@kept()
def decision(
    sample: str,
    recipe: str,
    node: int = 0,
    changes: tuple[tuple[str, object], ...] = (),
    features: tuple[str, ...] | None = None,
) -> ex.Decision:
    """The candidate splits of one of its nodes."""
    return ex.decide(grown(sample, recipe, changes, features), rows(sample, features), node)


def split_nodes(tree: ex.Tree) -> tuple[int, ...]:
    """The nodes that split, in the order of growing depth first."""
    return tuple(growing_steps(tree).nodes)
