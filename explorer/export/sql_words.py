"""Names and values as SQL writes them; nothing in them is ever read as SQL."""

from collections.abc import Iterable
from itertools import count

from explorer.conditions import Value
from explorer.errors import InputError


def column(name: str) -> str:
    """A quoted name.

    >>> column('the "x" axis')
    '"the ""x"" axis"'
    """
    return '"' + _writable(str(name)).replace('"', '""') + '"'


def cell(name: str) -> str:
    """A column of the table or query that is asked, which is always called t.

    >>> cell("age")
    't."age"'
    """
    return f"t.{column(name)}"


def unlike(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names, with a number behind those that are taken or repeated: SQL does not tell "a" from "A".

    >>> unlike(["share of a", "share of A"], ["x"])
    ['share of a', 'share of A (2)']
    """
    used, found = {name.casefold() for name in taken}, []
    for name in names:
        free = (text for number in count(2) if (text := f"{name} ({number})").casefold() not in used)
        found.append(name if name.casefold() not in used else next(free))
        used.add(found[-1].casefold())
    return found


def literal(value: Value) -> str:
    """A value: text in quotes, whole numbers as they are, others with an exponent.

    >>> literal("it's"), literal(3), literal(2.45), literal(True)
    ("'it''s'", '3', '2.45e0', 'TRUE')
    """
    if isinstance(value, str):
        return "'" + _writable(value).replace("'", "''") + "'"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = repr(value)
    return text if isinstance(value, int) or "e" in text else f"{text}e0"


def among(name: str, values: Iterable[str]) -> str:
    """The condition that something is one of these values; empty where there is none.

    >>> among('"x"', ["1"]), among('"x"', ["1", "2"])
    ('"x" = 1', '"x" IN (1, 2)')
    """
    listed = list(values)
    if not listed:
        return ""
    return f"{name} = {listed[0]}" if len(listed) == 1 else f"{name} IN ({', '.join(listed)})"


def _writable(text: str) -> str:
    """The text; InputError where it holds a character that ends SQL or that UTF-8 does not have."""
    if "\0" in text or any("\ud800" <= one <= "\udfff" for one in text):
        raise InputError(f"{text[:40]!r} holds a character that SQL cannot write: rename it in the table.")
    return text
