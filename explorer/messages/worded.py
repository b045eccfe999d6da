"""Texts of records and tables that are made once and shown in many languages: worded each time they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

Words = str | Callable[[], str]
"""A text that needs no translation, or the function that words it in the language in force."""


def worded(words: Words) -> str:
    """The text in the language in force.

    >>> worded("CART"), worded(lambda: "Gini")
    ('CART', 'Gini')
    """
    return words if isinstance(words, str) else words()


class Worded:
    """A text field of a dataclass: it is given a function, and reading it calls the function.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Choice:
    ...     label: Worded = Worded()
    >>> Choice(label=lambda: "Gini").label
    'Gini'
    """

    def __init__(self, default: str | None = None) -> None:
        """A field that must be given, or one with a default text."""
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        """Keep the function beside the field."""
        self._name = f"_{name}_words"

    def __get__(self, record: Any, owner: type | None = None) -> str:
        """The text in the language in force; on the class the default, which is how a dataclass asks for it."""
        if record is not None:
            return worded(getattr(record, self._name))
        if self._default is None:
            raise AttributeError(self._name)
        return self._default

    def __set__(self, record: Any, words: Words) -> None:
        """Keep the function, for a frozen record too."""
        object.__setattr__(record, self._name, words)


class WordedTable(Mapping[str, str]):
    """Texts by key, each worded when it is looked up; `|` adds those of another table.

    >>> table = WordedTable({"auc": "AUC", "error": lambda: "error rate"})
    >>> table["error"], list(table | {"r2": "R²"})
    ('error rate', ['auc', 'error', 'r2'])
    """

    def __init__(self, words: Mapping[str, Words]) -> None:
        """Keep the functions."""
        self._words = dict(words)

    def __getitem__(self, key: str) -> str:
        """The text of a key in the language in force."""
        return worded(self._words[key])

    def __iter__(self) -> Iterator[str]:
        """The keys in order."""
        return iter(self._words)

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._words)

    def __or__(self, other: Mapping[str, Words]) -> WordedTable:
        """Both tables in one, the texts of the other where both have a key."""
        return WordedTable({**self._words, **(other._words if isinstance(other, WordedTable) else other)})


class WordedList(Sequence[str]):
    """Texts by position, each worded when it is looked up.

    >>> list(WordedList(["", lambda: "pure"]))
    ['', 'pure']
    """

    def __init__(self, words: Sequence[Words]) -> None:
        """Keep the functions."""
        self._words = tuple(words)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        """The text at a position in the language in force."""
        if isinstance(position, slice):
            return [worded(words) for words in self._words[position]]
        return worded(self._words[position])

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._words)
