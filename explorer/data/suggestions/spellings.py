"""Spellings of one category merged: case, spaces, unicode form, blanks around a text, yes and no in several words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from explorer.data.suggestions.cells import Cells, folded, is_text, without_blanks
from explorer.data.suggestions.kind import (
    Column,
    ColumnKind,
    Converted,
    Finding,
    Options,
    is_text_option,
    listed,
    pair_of,
    pairs,
    tuple_of,
)
from explorer.messages import message, paragraph, plural

_YES = ("yes", "y", "true", "t", "1", "ja", "j", "wahr", "oui", "o", "vrai", "sí", "si", "s", "sim", "да", "是", "on")
_NO = (
    "no",
    "n",
    "false",
    "f",
    "0",
    "nein",
    "n",
    "falsch",
    "non",
    "n",
    "faux",
    "no",
    "no",
    "n",
    "não",
    "нет",
    "否",
    "off",
)
_ID_LIKE_FROM = 20
_MOST_WAYS = 100
"""More texts than this are not yes and no."""
_MOST_SPELLINGS = 6
"""Spellings of yes and no that are listed."""


def _by_fold(cells: Cells) -> dict[str, list[tuple[int, str]]]:
    """The texts of each folded form with their counts, the most frequent first, then in order of appearance."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for text, n in zip(cells.texts, cells.counts, strict=True):
        groups.setdefault(folded(text), []).append((int(n), text))
    return {key: sorted(group, key=lambda pair: -pair[0]) for key, group in groups.items()}


def _usual(group: Sequence[tuple[int, str]]) -> str:
    """The most frequent spelling of a group, blanks around it not counted."""
    counts: dict[str, int] = {}
    for n, text in group:
        counts[without_blanks(text)] = counts.get(without_blanks(text), 0) + n
    return max(counts, key=lambda text: counts[text])


def _find_spellings(column: Column) -> Finding | None:
    """Categories that are spelt in several ways; columns in which most cells are distinct are names, not categories."""
    if not is_text(column.values):
        return None
    cells = column.cells
    groups = {key: group for key, group in _by_fold(cells).items() if key}
    if len(cells.texts) > max(_ID_LIKE_FROM, cells.n_known / 2):
        return None
    several = {key: group for key, group in groups.items() if len({without_blanks(text) for _, text in group}) > 1}
    if not several:
        return None
    merged = {key: _usual(group) for key, group in several.items()}
    variants = [text for _, text in max(several.values(), key=len)]
    return _merging(
        column,
        merged,
        lambda n: plural(
            len(several),
            "'{column}' writes one category in several ways: {variants}. Merge them? "
            "This changes {cells:,} of its cells.",
            "'{column}' writes {n:,} categories in several ways, one of them as {variants}. Merge them? "
            "This changes {cells:,} of its cells.",
            column=column.name,
            variants=listed(variants),
            cells=n,
        ),
    )


def _merging(column: Column, merged: Mapping[str, str], sentence: Callable[[int], str]) -> Finding:
    changed = [text for text in column.cells.texts if _merged(text, merged) != text]
    n = column.cells.count(changed)
    in_blanks = column.cells.count([text for text in changed if _merged(text, merged) == without_blanks(text)])
    return Finding(
        options=[{"spellings": tuple(sorted(merged.items()))}],
        sentence=lambda: paragraph([sentence(n), *_of_blanks(in_blanks)]),
        examples=[(text, _merged(text, merged)) for text in changed[:3]],
        n_cells=n,
    )


def _of_blanks(n: int) -> list[str]:
    """How many of the cells no reader sees change."""
    return [message("In {n:,} of them only blanks around the text change.", n=n)] if n else []


def _merged(text: str, merged: Mapping[str, str]) -> str:
    return merged.get(folded(text), without_blanks(text))


def _find_yes_no(column: Column) -> Finding | None:
    """Yes and no in three or more words, all of them for yes or no, and one of them longer than a letter."""
    if not is_text(column.values) or len(column.cells.texts) > _MOST_WAYS:
        return None
    groups = {key: group for key, group in _by_fold(column.cells).items() if key}
    words = set(groups)
    if len(words) < 3 or not words <= {*_YES, *_NO}:
        return None
    yes, no = [key for key in groups if key in _YES], [key for key in groups if key not in _YES]
    if not yes or not no or not any(len(word) > 1 for word in words - {"on", "off"}):
        return None
    usual_yes = _usual([pair for key in _whole_words(yes) for pair in groups[key]])
    usual_no = _partner(usual_yes, _usual([pair for key in _whole_words(no) for pair in groups[key]]), groups)
    merged = {**dict.fromkeys(yes, usual_yes), **dict.fromkeys(no, usual_no)}
    return _merging(
        column,
        merged,
        lambda n: message(
            "'{column}' writes yes and no in {ways:,} ways ({variants}). Merge them into '{yes}' and '{no}'? "
            "This changes {cells:,} of its cells.",
            column=column.name,
            ways=len(column.cells.texts),
            variants=listed(column.cells.texts, _MOST_SPELLINGS),
            yes=usual_yes,
            no=usual_no,
            cells=n,
        ),
    )


def _whole_words(words: Sequence[str]) -> Sequence[str]:
    """The words of more than a letter, if there are any: "yes" reads better than "y"."""
    return [word for word in words if len(word) > 1] or words


def _partner(usual_yes: str, usual_no: str, groups: Mapping[str, Sequence[tuple[int, str]]]) -> str:
    """The spelling of no that goes with one of yes, if the column has it; else the most frequent one."""
    partner = _NO[_YES.index(folded(usual_yes))]
    return _usual(groups[partner]) if partner in groups else usual_no


def _convert(column: pd.Series, options: Options) -> Converted:
    if not is_text(column):
        return Converted({"": column})
    merged = {key: str(value) for key, value in pairs(options["spellings"])}
    return Converted({"": _texts(column, lambda text: _merged(text, merged))})


def _texts(column: pd.Series, value_of: Callable[[str], str]) -> pd.Series:
    """The column with each text replaced; an empty one is missing."""
    return Cells.of(column).mapped(lambda text: value_of(text) or None, column.index)


def _spelling_label(options: Options) -> str:
    values = list(dict.fromkeys(str(value) for _, value in pairs(options["spellings"])))
    return message("spellings merged into {values}", values=listed(values))


def _find_blanks(column: Column) -> Finding | None:
    """Texts with blanks before or after them."""
    if not is_text(column.values):
        return None
    changed = [text for text in column.cells.texts if without_blanks(text) != text]
    if not changed:
        return None
    n = column.cells.count(changed)
    return Finding(
        options=[{}],
        sentence=lambda: plural(
            n,
            "'{column}' has {n:,} cell with blanks before or after its text. Remove them?",
            "'{column}' has {n:,} cells with blanks before or after their text. Remove them?",
            column=column.name,
        ),
        examples=[(text, without_blanks(text)) for text in changed[:3]],
        n_cells=n,
    )


def _convert_blanks(column: pd.Series, options: Options) -> Converted:
    return Converted({"": _texts(column, without_blanks) if is_text(column) else column})


_SPELLINGS = {"spellings": tuple_of(pair_of(is_text_option, is_text_option))}

YES_NO = ColumnKind("yes_no", _find_yes_no, _convert, _spelling_label, _SPELLINGS)
SPELLINGS = ColumnKind("spellings", _find_spellings, _convert, _spelling_label, _SPELLINGS)
BLANKS = ColumnKind("blanks", _find_blanks, _convert_blanks, lambda options: message("blanks around texts removed"))
