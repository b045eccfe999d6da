"""Every kind of repair, in the order in which they are looked for. To add one: a file, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.data.suggestions import numbers
from explorer.data.suggestions.kind import ColumnKind, TableKind

TABLE_KINDS: tuple[TableKind, ...] = ()
"""Kinds that remove rows; all of them may be found in one table."""

COLUMN_KINDS: tuple[ColumnKind, ...] = (numbers.KIND_PER_CENT,)
"""Kinds that convert a column; the first that is found is suggested."""

_ALL: tuple[ColumnKind | TableKind, ...] = (*TABLE_KINDS, *COLUMN_KINDS)

KINDS: Mapping[str, ColumnKind | TableKind] = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every kind by its name."""
