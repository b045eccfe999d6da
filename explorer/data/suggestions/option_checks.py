"""Checks of the options of a repair, and the options that have passed them."""

from __future__ import annotations

from collections.abc import Callable

Check = Callable[[object], bool]


def one_of(*values: object) -> Check:
    """A check that an option is one of some values."""
    return lambda value: any(type(value) is type(known) and value == known for known in values)


def is_text_option(value: object) -> bool:
    """Whether an option is a text."""
    return isinstance(value, str)


def is_number_option(value: object) -> bool:
    """Whether an option is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def tuple_of(check: Check) -> Check:
    """A check that an option is a tuple of values that pass another check."""
    return lambda value: isinstance(value, tuple) and all(map(check, value))


def pair_of(first: Check, second: Check) -> Check:
    """A check that an option is a pair."""
    return lambda value: isinstance(value, tuple) and len(value) == 2 and first(value[0]) and second(value[1])


def pairs(value: object) -> list[tuple[str, object]]:
    """The pairs of an option that its check has let pass."""
    return [(str(first), second) for first, second in value] if isinstance(value, tuple) else []


def texts(value: object) -> list[str]:
    """The texts of an option that its check has let pass."""
    return list(map(str, value)) if isinstance(value, tuple) else []
