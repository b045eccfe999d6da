"""The tables of a session: the settings of each, which come back with it, and the changes that can be undone.

Each table has its own settings, as `Settings` says which fields are the reader's instead. A table is known by its
content: the name of a sample or of a connected table, or the hash of a file with what was read of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pages.settings.settings import COLUMNS, OF_READER, ORIGINS, ROWS, TABLE, Settings, changed

MOST_TABLES, MOST_STEPS, MOST_NAMES = 20, 30, 100_000
"""Tables that a session keeps, changes of one that can be undone, and names of columns in all of them."""
UNDONE = ("repairs", *COLUMNS, *ROWS)
"""The choices of the Data page, whose changes can be undone."""

Key = tuple[object, ...]


@dataclass(frozen=True)
class Step:
    """A change that can be undone: the settings before it and after it; a `whole` one is of all choices at once."""

    before: Settings
    after: Settings
    whole: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The choices that it changed."""
        return tuple(field for field in UNDONE if getattr(self.before, field) != getattr(self.after, field))


@dataclass(frozen=True)
class KeptTable:
    """The settings of a table, and its last changes, the newest at the end."""

    settings: Settings
    steps: tuple[Step, ...] = ()

    @property
    def n_names(self) -> int:
        """Names of columns and repairs that it holds, for a bound of its memory."""
        return sum(map(_n_names, (self.settings, *(step.before for step in self.steps))))


Tables = Mapping[Key, KeptTable]
"""The tables of a session, the one used last at the end."""


def table_of(settings: Settings) -> Key:
    """What table the settings are about.

    >>> table_of(Settings(sample="golf"))[:2], table_of(Settings(upload="ab12", header_line=2))[:4]
    (('sample', 'golf'), ('upload', 'ab12', '', 2))
    """
    field = next((field for field in ORIGINS[::-1] if getattr(settings, field)), ORIGINS[0])
    return (field, *(getattr(settings, name) for name in (field, *TABLE[len(ORIGINS) :])))


def noted(tables: Tables, before: Settings, now: Settings, is_step: bool | None = None) -> Tables:
    """The tables once the settings `before` have become `now`.

    `is_step` None makes it a change that can be undone where it is one of the Data page's choices; True does always,
    and False makes it a part of the change before it.
    """
    known = tables.get(table_of(now), KeptTable(now))
    steps, step = known.steps, Step(known.settings, now, bool(is_step))
    if is_step is False and steps and same_but_reader(steps[-1].after, before):
        steps = (*steps[:-1], dataclasses.replace(steps[-1], after=now))
    elif is_step or step.fields:
        steps = (*steps, step)[-MOST_STEPS:]
    return _with(tables, KeptTable(now, steps))


def begun(tables: Tables, settings: Settings) -> Tables:
    """The tables once one begins with these settings: there is nothing to undo."""
    return _with(tables, KeptTable(settings))


def recalled(tables: Tables, proposed: Settings) -> Settings | None:
    """The settings that the table of some settings was left with; None where it is new."""
    known = tables.get(table_of(proposed))
    return of_reader(known.settings, proposed) if known else None


def last_read(tables: Tables, upload: str) -> Settings:
    """What was last read of a file; the defaults where nothing was."""
    own = (known.settings for known in reversed(list(tables.values())) if known.settings.upload == upload)
    return next(own, Settings(upload=upload))


def forgotten(tables: Tables, upload: str) -> Tables:
    """The tables without those of a file."""
    return {key: known for key, known in tables.items() if known.settings.upload != upload}


def last_step(tables: Tables, now: Settings) -> Step | None:
    """The change that can be undone next."""
    known = tables.get(table_of(now))
    return known.steps[-1] if known and known.steps else None


def undone(tables: Tables, now: Settings) -> Settings:
    """The settings before the last change: all of them where nothing else was chosen since, else its choices."""
    step = last_step(tables, now)
    if step is None:
        return now
    if step.whole or same_but_reader(step.after, now):
        return of_reader(step.before, now)
    return changed(now, **{field: getattr(step.before, field) for field in step.fields})


def without_last_step(tables: Tables, now: Settings) -> Tables:
    """The tables once the last change has been undone."""
    steps = tables[table_of(now)].steps[:-1]
    return _with(tables, KeptTable(now, steps))


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


def _with(tables: Tables, newest: KeptTable) -> Tables:
    """The tables with one as the last used; the one used longest ago goes while they are too many or too large."""
    key = table_of(newest.settings)
    kept = {**{other: known for other, known in tables.items() if other != key}, key: newest}
    n_names = sum(known.n_names for known in kept.values())
    while len(kept) > 1 and (len(kept) > MOST_TABLES or n_names > MOST_NAMES):
        n_names -= kept.pop(next(iter(kept))).n_names
    return kept
