"""Every kind of repair, in the order in which they are looked for. To add one: a file, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.data.suggestions.by_hand import INTERVALS, KEPT_ROWS, ONE_OF_EACH, RECODED
from explorer.data.suggestions.dates import DATES, TIMES
from explorer.data.suggestions.extra_rows import FOOTERS, HEADERS, TOTALS
from explorer.data.suggestions.kind import ColumnKind, TableKind
from explorer.data.suggestions.levels import LEVELS
from explorer.data.suggestions.missing_codes import MISSING_CODES
from explorer.data.suggestions.numbers import MONEY, NUMBERS, PER_CENT
from explorer.data.suggestions.spellings import BLANKS, SPELLINGS, YES_NO
from explorer.data.suggestions.units import UNITS

TABLE_KINDS: tuple[TableKind, ...] = (HEADERS, FOOTERS, TOTALS)
"""Kinds that remove rows; all of them may be found in one table."""

COLUMN_KINDS: tuple[ColumnKind, ...] = (
    MISSING_CODES,  # leaves the rest of the column to the kinds below, of which the first that is found is suggested
    YES_NO,
    DATES,
    TIMES,
    LEVELS,
    PER_CENT,
    MONEY,
    NUMBERS,
    UNITS,
    SPELLINGS,
    BLANKS,
)
"""Kinds that convert a column."""

BY_HAND: tuple[ColumnKind | TableKind, ...] = (RECODED, INTERVALS, KEPT_ROWS, ONE_OF_EACH)
"""Kinds that are never looked for: only a person can ask for them."""

_ALL: tuple[ColumnKind | TableKind, ...] = (*TABLE_KINDS, *COLUMN_KINDS, *BY_HAND)

KINDS: Mapping[str, ColumnKind | TableKind] = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every kind by its name."""
