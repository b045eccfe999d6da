"""Every kind of repair, in the order in which they are looked for, and one repair with all constants that it needs.

To add a kind: a file, and a line here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from explorer.data.suggestions.by_hand import INTERVALS, KEPT_ROWS, ONE_OF_EACH, RECODED
from explorer.data.suggestions.dates import DATES, TIMES
from explorer.data.suggestions.extra_rows import CASES, FOOTERS, HEADERS, TOTALS
from explorer.data.suggestions.kind import ColumnKind, Options, TableKind
from explorer.data.suggestions.levels import LEVELS
from explorer.data.suggestions.missing_codes import MISSING_CODES
from explorer.data.suggestions.named_codes import NAMED_CODES
from explorer.data.suggestions.numbers import MONEY, NUMBERS, PER_CENT
from explorer.data.suggestions.spellings import BLANKS, SPELLINGS, YES_NO
from explorer.data.suggestions.units import FEET, UNITS
from explorer.errors import InputError
from explorer.messages import listing, message

TABLE_KINDS: tuple[TableKind, ...] = (HEADERS, FOOTERS, TOTALS, CASES)
"""Kinds that remove or repeat rows; all of them may be found in one table."""

COLUMN_KINDS: tuple[ColumnKind, ...] = (
    MISSING_CODES,  # leaves the rest of the column to the kinds below, of which the first that is found is suggested
    NAMED_CODES,
    YES_NO,
    FEET,  # before the dates: 5-11
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


@dataclass(frozen=True)
class Repair:
    """A repair of a kind (a key of `KINDS`), in a column ("": of the whole table), with its options.

    Options may be given as a mapping; they are kept as pairs in order of their names. Raises `InputError` for an
    unknown kind and for options that are not those of the kind.

    >>> repair = Repair("per_cent", "rate", {"decimal": ".", "group": ","})
    >>> repair.to_plain()
    ['per_cent', 'rate', {'decimal': '.', 'group': ','}]
    >>> Repair.from_plain(repair.to_plain()) == repair
    True
    """

    kind: str
    column: str
    options: tuple[tuple[str, object], ...] | Mapping[str, object] = ()

    def __post_init__(self) -> None:
        """Freeze the options, and refuse what no table could be repaired with."""
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise InputError(
                message("There is no repair '{kind}': choose one of {kinds}.", kind=self.kind, kinds=listing(KINDS))
            )
        if not _is_plain(self.column) or (self.column == "") != isinstance(KINDS[self.kind], TableKind):
            raise _damaged(self.kind)
        try:
            options = {str(name): _frozen(value) for name, value in dict(self.options).items()}
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise _damaged(self.kind) from None
        kind = KINDS[self.kind]
        checks = kind.options
        if isinstance(kind, ColumnKind):
            options = {**kind.defaults, **options}
        if options.keys() != checks.keys() or not all(check(options[name]) for name, check in checks.items()):
            raise _damaged(self.kind)
        object.__setattr__(self, "options", tuple(sorted(options.items())))

    @property
    def settings(self) -> Options:
        """The options by name."""
        return dict(self.options)

    @property
    def label(self) -> str:
        """What the repair does, without the column: "per cent as a number"."""
        return KINDS[self.kind].label(self.settings)

    @property
    def choice(self) -> str:
        """What tells it from its alternatives, in a few words: "Day first, number only"."""
        kind = KINDS[self.kind]
        return self.label if not isinstance(kind, ColumnKind) or kind.choice is None else kind.choice(self.settings)

    def to_plain(self) -> list[object]:
        """The repair as lists, texts and numbers, which JSON can hold."""
        return [self.kind, self.column, {name: _thawed(value) for name, value in self.settings.items()}]

    @classmethod
    def from_plain(cls, plain: object) -> Repair:
        """The repair that `to_plain` was called on; `InputError` where there is none."""
        if not isinstance(plain, list | tuple) or len(plain) != 3 or not isinstance(plain[2], Mapping):
            raise _damaged(None)
        return cls(*plain)


def _damaged(kind: str | None) -> InputError:
    if kind is None:
        return InputError(message("This is no repair of a table: give [kind, column, options]."))
    return InputError(
        message("The repair '{kind}' is damaged: its column or its options are not those it needs.", kind=kind)
    )


def _frozen(value: object) -> object:
    """A value of an option with tuples for lists."""
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if value is None or _is_plain(value) or (isinstance(value, int | float) and math.isfinite(value)):
        return value
    raise TypeError


def _is_plain(value: object) -> bool:
    """Whether a value is a text that can be written: JSON may hold half of a pair of code units."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _thawed(value: object) -> object:
    """A value of an option with lists for tuples."""
    return list(map(_thawed, value)) if isinstance(value, tuple) else value
