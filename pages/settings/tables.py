"""The tables of a session: the settings of each, which come back with it.

Each table has its own settings, as `Settings` says which fields are the reader's instead. A table is known by its
content: the name of a sample or of a connected table, or the hash of a file with what was read of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pages.settings.settings import OF_READER, ORIGINS, TABLE, Settings

MOST_TABLES, MOST_NAMES = 20, 100_000
"""Tables that a session keeps, and names of columns in all of them."""

Key = tuple[object, ...]
Tables = Mapping[Key, Settings]
"""The tables of a session, the one used last at the end."""


def table_of(settings: Settings) -> Key:
    """What table the settings are about.

    >>> table_of(Settings(sample="golf"))[:2], table_of(Settings(upload="ab12", header_line=2))[:4]
    (('sample', 'golf'), ('upload', 'ab12', '', 2))
    """
    field = next((field for field in ORIGINS[::-1] if getattr(settings, field)), ORIGINS[0])
    return (field, *(getattr(settings, name) for name in (field, *TABLE[len(ORIGINS) :])))


def noted(tables: Tables, now: Settings) -> Tables:
    """The tables with these settings as those of their table, which is the last used.

    The one used longest ago goes while they are too many or too large.
    """
    key = table_of(now)
    kept = {**{other: known for other, known in tables.items() if other != key}, key: now}
    n_names = sum(map(_n_names, kept.values()))
    while len(kept) > 1 and (len(kept) > MOST_TABLES or n_names > MOST_NAMES):
        n_names -= _n_names(kept.pop(next(iter(kept))))
    return kept


def recalled(tables: Tables, proposed: Settings) -> Settings | None:
    """The settings that the table of some settings was left with; None where it is new."""
    known = tables.get(table_of(proposed))
    return of_reader(known, proposed) if known else None


def last_read(tables: Tables, upload: str) -> Settings:
    """What was last read of a file; the defaults where nothing was."""
    own = (known for known in reversed(list(tables.values())) if known.upload == upload)
    return next(own, Settings(upload=upload))


def forgotten(tables: Tables, upload: str) -> Tables:
    """The tables without those of a file."""
    return {key: known for key, known in tables.items() if known.upload != upload}


def of_reader(kept: Settings, now: Settings) -> Settings:
    """Kept settings with what is the reader's and no table's as it is now."""
    own: dict[str, Any] = {field: getattr(now, field) for field in OF_READER}
    view = dataclasses.replace(now.view, class_labels=kept.view.class_labels, class_colours=kept.view.class_colours)
    compare = dataclasses.replace(kept.compare, mode=now.compare.mode)
    return dataclasses.replace(kept, **own | {"view": view, "compare": compare})


def same_but_reader(first: Settings, second: Settings) -> bool:
    """Whether two settings are the same but for what is the reader's."""
    return first is second or of_reader(first, second) == second


def _n_names(settings: Settings) -> int:
    return len(settings.features or ()) + len(settings.kinds) + len(settings.repairs)
