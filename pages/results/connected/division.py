"""How the rows of a connected table are divided: by a hash of a key column, by a column's values, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

import explorer as ex
from explorer.data.division import MOST_PARTS, in_order_of_sets, names_sets
from explorer.messages import message
from explorer.sources.origins.preview import Preview
from explorer.values import Value
from pages.settings.settings import Settings

_FEWEST_KEYS = 1_000
"""A column of so few values would divide the rows in large lumps: it is no key unless the reader chooses it."""


@dataclass(frozen=True)
class Division:
    """Shares of the rows by a hash of `column`, or its `values` as the parts; without a column one part."""

    column: str = ""
    shares: tuple[float, ...] = ()
    seed: int = 0
    values: tuple[Value, ...] = ()

    @property
    def how(self) -> str:
        """What the sets are called: "all", "two" or "three"."""
        n_parts = len(self.values) or len(self.shares) + 1
        return {1: "all", 2: "two"}.get(n_parts, "three")


def of(settings: Settings, target: str, preview: Preview) -> Division:
    """How the settings divide the rows of a table with this target. Raises InputError."""
    if settings.split == "all":
        return Division()
    if settings.split == "column":
        return _by_values(settings, target, preview)
    key = settings.split_by or default_key(preview, target)
    if not key:
        if settings.split == "auto":
            return Division()
        raise ex.InputError(
            message(
                "No column of text or whole numbers has {n:,} different values, so none divides the rows by itself: "
                "choose a key column, or train on all rows.",
                n=_FEWEST_KEYS,
            )
        )
    shares = (settings.share / 100, settings.valid_share / 100)
    return Division(key, shares if settings.split == "three" else shares[:1], settings.seed)


def _by_values(settings: Settings, target: str, preview: Preview) -> Division:
    columns = value_columns(preview, target)
    if settings.split_by and settings.split_by in columns:
        column = settings.split_by
    elif columns and not settings.split_by:
        column = columns[0]
    else:
        raise ex.InputError(
            message("No column has two or three values, so none says which rows are for training: choose a share.")
            if not columns
            else message(
                "Column '{column}' does not have two or three values: choose another.", column=settings.split_by
            )
        )
    found = {str(value): value for value in values_of(preview, column)}
    return Division(column, values=tuple(in_order_of_sets(found.values(), settings.split_values)))


def values_of(preview: Preview, column: str) -> list[Value]:
    """The different values of a column in the sample."""
    return [value.item() if hasattr(value, "item") else value for value in preview.frame[column].dropna().unique()]


def keys(preview: Preview, target: str) -> list[str]:
    """The columns of text or whole numbers, which may be a key; the one with the most values first."""
    frame = preview.frame
    names = [str(name) for name in frame.columns if str(name) != target and _is_discrete(frame[name])]
    return sorted(names, key=lambda name: -preview.n_distinct[name])


def default_key(preview: Preview, target: str) -> str:
    """The key in force before any choice; "" where no column has values enough."""
    found = [name for name in keys(preview, target) if preview.n_distinct[name] >= _FEWEST_KEYS]
    return found[0] if found else ""


def value_columns(preview: Preview, target: str) -> list[str]:
    """The columns of two or three values, all of which are in the sample; those that name the sets come first."""
    few = [name for name in keys(preview, target) if preview.n_distinct[name] <= _FEWEST_KEYS]  # an estimate
    names = [name for name in few if 2 <= len(values_of(preview, name)) <= MOST_PARTS]
    return sorted(names, key=lambda name: not names_sets(values_of(preview, name)))


def _is_discrete(column: pd.Series) -> bool:
    return not pd.api.types.is_float_dtype(column) and not pd.api.types.is_datetime64_any_dtype(column)
