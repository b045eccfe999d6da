"""Which columns and categories of a file stand for which of a tree's, where they are written in another way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.data.cells import distinct_cells, positions_of
from explorer.data.source_column import SourceColumn
from explorer.values import Value

MOST_VALUES = 100
"""How many values of a column that are no categories of the tree are looked at."""
_LEFT_OUT = re.compile(r"[\s_.()\[\]-]+")
"""What names of columns may have, or not."""
_BETWEEN = re.compile(r"(?<=\w)[\s_-]+(?=\w)")


@dataclass(frozen=True)
class FileNames:
    """What a person says of a file: `columns` are pairs (of the tree, of the file), "" for none.

    `categories` are triples (column of the tree, value in the file, category of the tree), "" for none.
    """

    columns: tuple[tuple[str, str], ...] = ()
    categories: tuple[tuple[str, str, str], ...] = ()

    def with_column(self, name: str, in_file: str) -> FileNames:
        """The same with another column of the file for one of the tree."""
        return FileNames(tuple(({**dict(self.columns), name: in_file}).items()), self.categories)

    def with_category(self, name: str, value: str, category: str) -> FileNames:
        """The same with another category for a value of a column."""
        others = tuple(triple for triple in self.categories if triple[:2] != (name, value))
        return FileNames(self.columns, (*others, (name, value, category)))


AS_WRITTEN = FileNames()
"""Nothing is said: columns and categories go by how they are written."""


@dataclass(frozen=True)
class OtherValue:
    """A value of a file that is no category of the tree's `column`, and the `category` that it stands for ("": none).

    `options` are the categories that it can stand for.
    """

    column: str
    value: str
    n_rows: int
    category: str
    options: tuple[str, ...]


def plain(text: str) -> str:
    """What spellings of one category have in common: case, blanks, "_" and "-" between words, a final period.

    >>> plain(" Very_High "), plain("<=50K."), plain("-1")
    ('very high', '<=50k', '-1')
    """
    folded = unicodedata.normalize("NFKC", text).casefold().strip()
    return _BETWEEN.sub(" ", folded).rstrip(".").rstrip() or folded


def match_columns(wanted: Iterable[str], names: Sequence[str], chosen: FileNames = AS_WRITTEN) -> dict[str, str]:
    """The column of a file for each wanted one: the one chosen, that of the same name, or of the same words; "": none.

    >>> match_columns(["Interest rate", "n"], ["interest_rate", "N", "x"])
    {'Interest rate': 'interest_rate', 'n': 'N'}
    >>> match_columns(["n"], ["N", "n "])
    {'n': ''}
    """
    wanted, said = list(dict.fromkeys(wanted)), dict(chosen.columns)
    found = {name: said[name] for name in wanted if said.get(name) in ("", *names)}
    found |= {name: name for name in wanted if name not in found and name in names}
    taken, words = set(found.values()), _grouped(names, _words)
    for name in wanted:
        same = [other for other in words.get(_words(name), ()) if other not in taken]
        found.setdefault(name, same[0] if len(same) == 1 else "")
    return {name: found[name] for name in wanted}


def _words(name: str) -> str:
    return _LEFT_OUT.sub("", plain(name)) or name


def _grouped(texts: Iterable[str], common: Callable[[str], str]) -> dict[str, list[str]]:
    """The texts by what they have in common."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(common(text), []).append(text)
    return groups


def renamed(frame: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """The frame under the tree's names; a column of one of these names that stands for no wanted one is left out.

    >>> list(renamed(pd.DataFrame(columns=["a", "b", "c"]), {"a": "b", "d": ""}))
    ['a', 'c']
    """
    own = {in_file: name for name, in_file in columns.items() if in_file}
    kept = [name for name in frame.columns if name in own or name not in columns]
    return frame[kept].set_axis([own.get(name, name) for name in kept], axis=1)


def other_values(
    name: str, column: pd.Series, labels: Sequence[Value | None], known: Sequence[Value], chosen: FileNames
) -> list[OtherValue]:
    """The values of a column that are neither labels nor known otherwise, the most frequent first.

    >>> answers = pd.Series(["yes", "no", "YES ", "perhaps"])
    >>> [(other.value, other.category) for other in other_values("a", answers, ("yes", "no"), (), AS_WRITTEN)]
    [('YES', 'yes'), ('perhaps', '')]
    """
    categories = [label for label in labels if label is not None]
    codes, values = distinct_cells(SourceColumn(column), [*categories, *known])
    position, others = positions_of([*categories, *known]), _others(name, chosen)
    counts = np.bincount(codes, minlength=len(values) + 1)
    unknown = [i for i, value in enumerate(values) if position(value) is None]
    options, same = tuple(map(str, categories)), _grouped(map(str, categories), plain)
    found = []
    for i in sorted(unknown, key=lambda i: -int(counts[i]))[:MOST_VALUES]:
        text = str(values[i])
        proposed = same.get(plain(text), [])
        category = others.get(text, proposed[0] if len(proposed) == 1 else "")
        found.append(OtherValue(name, text, int(counts[i]), category if category in options else "", options))
    return found


def _others(name: str, chosen: FileNames) -> dict[str, str]:
    return {value: category for column, value, category in chosen.categories if column == name}


def with_categories(column: pd.Series, others: Sequence[OtherValue]) -> pd.Series:
    """The column with the values that stand for a category as that."""
    new: dict[str, Value] = {other.value: other.category for other in others if other.category}
    if not new:
        return column
    codes, values = distinct_cells(SourceColumn(column), others[0].options)
    cells = np.array([*(new.get(str(value), value) for value in values), None], dtype=object)[codes]
    return pd.Series(cells, index=column.index, dtype=object)
