"""Column names that are stripped, not empty and all different, and names that a table must have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from explorer.errors import InputError
from explorer.messages import Words, listing, message, plural

_NAMED_ONE_BY_ONE = 3
"""Up to this many renamed columns get a remark each."""


def unique_names(names: Sequence[str], notes: list[Words]) -> list[str]:
    """Return stripped, non-empty, distinct column names in order; changes are noted, many of them in one sentence.

    >>> unique_names(["a", "", "a "], [])
    ['a', 'column 2', 'a (2)']
    """
    stripped = [name.strip() for name in names]
    taken, used = set(stripped), set[str]()
    counts: dict[str, int] = {}
    new_names, changes = [], []
    for position, name in enumerate(stripped, start=1):
        new = _free_name(name, position, taken, used, counts)
        if new != name:
            changes.append((position, name, new))
        used.add(new)
        new_names.append(new)
    notes.extend(_renamed_texts(changes))
    return new_names


def _free_name(name: str, position: int, taken: set[str], used: set[str], counts: dict[str, int]) -> str:
    """Return the name, or the next numbered one; `counts` makes the search for it short, however often it occurs."""
    base = name or f"column {position}"
    new = base
    while new in used or (new != name and new in taken):
        counts[base] = counts.get(base, 1) + 1
        new = f"{base} ({counts[base]})"
    return new


def _renamed_texts(changes: Sequence[tuple[int, str, str]]) -> list[Words]:
    if len(changes) <= _NAMED_ONE_BY_ONE:
        return [_renamed_text(*change) for change in changes]
    return [
        lambda: plural(
            len(changes),
            "{n:,} column without a name of its own was renamed, such as {examples}.",
            "{n:,} columns without a name of their own were renamed, such as {examples}.",
            examples=listing(f"'{new}'" for _, _, new in changes[:_NAMED_ONE_BY_ONE]),
        )
    ]


def _renamed_text(position: int, name: str, new: str) -> Words:
    if not name:
        return lambda: message("Column {position} has no name and is called '{new}'.", position=position, new=new)
    return lambda: message(
        "The column name '{name}' occurs twice: column {position} is called '{new}'.",
        name=name,
        position=position,
        new=new,
    )


def check_names(columns: Sequence[str], names: Sequence[str]) -> None:
    """InputError for columns of one name, and for names that no column has."""
    if len(set(columns)) < len(columns):
        repeated = next(name for i, name in enumerate(columns) if name in columns[:i])
        raise InputError(message("Two columns are named '{column}': rename one of them.", column=repeated))
    check_known(columns, names)


def check_known(columns: Sequence[str], names: Sequence[str]) -> None:
    """InputError for a name that no column has."""
    known = set(columns)
    for name in (name for name in names if name not in known):
        close = difflib.get_close_matches(str(name), columns, n=1)
        if close:
            raise InputError(
                message("There is no column '{column}': did you mean '{close}'?", column=name, close=close[0])
            )
        some = listing(columns[:8])
        raise InputError(message("There is no column '{column}': the table has {columns}.", column=name, columns=some))
