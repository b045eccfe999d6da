"""Sentences put together from parts that are translated by themselves, with the marks of the language in force."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.messages.language import message


def clauses(texts: Iterable[str]) -> str:
    """Clauses of one sentence, one after another.

    >>> clauses(["pure", "too deep"])
    'pure; too deep'
    """
    return message("; ").join(texts)


def sentence(text: str) -> str:
    """A text that has no full stop, with one.

    >>> sentence("No row is missing")
    'No row is missing.'
    """
    return message("{sentence}.", sentence=text)


def paragraph(sentences: Iterable[str]) -> str:
    """Sentences one after another, with the space that the language puts between them.

    >>> paragraph(["No row is missing.", "The tree is pure."])
    'No row is missing. The tree is pure.'
    """
    return message(" ").join(sentences)


def listing(names: Iterable[str]) -> str:
    """Names within a sentence, one after another.

    >>> listing(["age", "fare", "sex"])
    'age, fare, sex'
    """
    return message(", ").join(names)


def listing_with_more(names: Iterable[str], has_more: bool) -> str:
    """The same with a sign that there are more names, where there are.

    >>> listing_with_more(["age", "fare"], True)
    'age, fare, …'
    """
    listed = listing(names)
    return message("{names}, …", names=listed) if has_more else listed
