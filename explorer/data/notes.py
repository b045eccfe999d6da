"""Notes on a table, and the facts of its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.data.codes.leaks import BY_INTERVALS, BY_LINE, BY_OTHERS, BY_THRESHOLD
from explorer.formatting import shortened
from explorer.messages import Worded, Words, listing_with_more, message, plural, worded

FEW_ALIKE = 3
"""Up to this many notes that say the same of one column each are shown one by one."""
_LISTED, _LONGEST_NAME = 8, 30
"""Names of columns that a note lists, and their letters."""


@dataclass(frozen=True)
class Note:
    """A note: its text, how much it matters ("info" or "warning"), and the columns it is about.

    `of_many` says the same of several columns, from their number and their listed names; notes are alike that share it.
    `brief` says it in a few words for a line about the column; "" where the text is brief enough. A note that `is_leak`
    is about a column that may be known only after the target; one that `counts_repeats` is about equal rows, and one
    that is a `copy_of` another column is superfluous beside it, one that `is_id` about ids of several rows.
    """

    text: Worded = Worded()
    level: str = "info"
    columns: tuple[str, ...] = ()
    of_many: Callable[[int, str], str] | None = None
    brief: Worded = Worded("")
    is_leak: bool = False
    counts_repeats: bool = False
    copy_of: str = ""
    is_id: bool = False


def grouped(notes: Sequence[Note]) -> list[Note]:
    """The notes as a list of them is shown: where more than a few are alike, one for all of them."""
    alike: dict[object, list[Note]] = {}
    for position, note in enumerate(notes):
        alike.setdefault(note.of_many or position, []).append(note)
    return [note for group in alike.values() for note in (group if len(group) <= FEW_ALIKE else [_one(group)])]


def _one(group: Sequence[Note]) -> Note:
    names, of_many = tuple(dict.fromkeys(name for note in group for name in note.columns)), group[0].of_many
    return Note(lambda: of_many(len(names), listed_names(names)) if of_many else "", group[0].level, names)


def listed_names(names: Sequence[str]) -> str:
    """The first names of columns, shortened, and a sign that there are more."""
    return listing_with_more((f"'{shortened(name, _LONGEST_NAME)}'" for name in names[:_LISTED]), len(names) > _LISTED)


def many_determine_text(n: int, names: str) -> str:
    """The warning on several features, each of which determines the target."""
    return message(
        "{n:,} columns determine the target in every row, each of them alone: {names}. Check that they are known "
        "before the target is.",
        n=n,
        names=names,
    )


def many_tell_text(n: int, names: str) -> str:
    """The warning on several features, each of which all but determines the target."""
    return message(
        "{n:,} columns tell the target in almost every row, each of them alone: {names}. Check that they are known "
        "before the target is.",
        n=n,
        names=names,
    )


def many_nearly_tell_text(n: int, names: str) -> str:
    """The hint on several features, each of which tells the target by one split for nearly all rows."""
    return message(
        "{n:,} columns tell the target in nearly all rows, each of them by one split: {names}. Leave out those that "
        "are not known before the target is; the others are fine predictors.",
        n=n,
        names=names,
    )


def many_nearly_explain_text(n: int, names: str) -> str:
    """The hint on several features, each of which explains nearly all of the variance of a numeric target."""
    return message(
        "{n:,} columns explain nearly all of the target, each of them alone: {names}. Leave out those that are not "
        "known before the target is; the others are fine predictors.",
        n=n,
        names=names,
    )


def many_overfit_text(n: int, names: str) -> str:
    """The warning on several features that should be left out."""
    return message(
        "{n:,} columns are id-like, constant or empty, yet they are used as features: {names}. The tree may overfit. "
        "Leave them out.",
        n=n,
        names=names,
    )


def many_levels_text(n: int, names: str) -> str:
    """The warning on several features with many categories each."""
    return message(
        "{n:,} columns have many categories: {names}. A split with a branch for each category gets as many branches. "
        "Group the categories, or leave the columns out.",
        n=n,
        names=names,
    )


def many_missing_text(n: int, names: str) -> str:
    """The note on several features with missing cells."""
    return message("{n:,} columns have missing cells: {names}.", n=n, names=names)


def many_repaired_text(n: int, names: str) -> str:
    """The note on several columns of a file to predict that are repaired as the table was."""
    return message("{n:,} columns are repaired like the table: {names}.", n=n, names=names)


def many_gaps_text(n: int, names: str) -> str:
    """The note on several columns with one value and missing cells."""
    return message(
        "{n:,} columns have one value, and rows that lack it, which may tell the target: {names}. To split on that, "
        "select a column and send missing cells to the better side of each split.",
        n=n,
        names=names,
    )


def many_same_text(n: int, names: str) -> str:
    """The note on several features that equal another one."""
    return message("{n:,} columns have the same values as another column in every row: {names}.", n=n, names=names)


def many_alike_text(n: int, names: str) -> str:
    """The note on several features that are split as another one."""
    return message("{n:,} columns are split as another column is, so it is enough: {names}.", n=n, names=names)


def same_note(name: str, other: str) -> Note:
    """The note on a feature with the values of another one in every row."""
    return Note(
        lambda: message(
            "'{column}' has the same values as '{other}' in every row: one of them is enough.", column=name, other=other
        ),
        columns=(name,),
        of_many=many_same_text,
        brief=lambda: message("same values as {column}", column=listed_names([other])),
        copy_of=other,
    )


def alike_note(name: str, other: str, *, in_order: bool) -> Note:
    """The note on a feature that a tree splits as another one, by the order of its numbers or by its values."""
    if in_order:
        return Note(
            lambda: message(
                "'{column}' puts the rows in the order of '{other}': a tree splits both alike, so one of them is "
                "enough.",
                column=name,
                other=other,
            ),
            columns=(name,),
            of_many=many_alike_text,
            brief=lambda: message("same order as {column}", column=listed_names([other])),
            copy_of=other,
        )
    return Note(
        lambda: message(
            "'{column}' has one value for each value of '{other}': one of them is enough.", column=name, other=other
        ),
        columns=(name,),
        of_many=many_alike_text,
        brief=lambda: message("same groups as {column}", column=listed_names([other])),
        copy_of=other,
    )


def sparse_note(name: str, n_values: int, n_rows: int) -> Note:
    """The note on a category with few rows of each value, which splits favour."""
    return Note(
        lambda: message(
            "'{column}' has {values:,} categories in {rows:,} rows: with so few rows of each, a split on it looks "
            "better than it is. Group the categories, or leave the column out.",
            column=name,
            values=n_values,
            rows=n_rows,
        ),
        columns=(name,),
        of_many=many_sparse_text,
        brief=lambda: message(
            "{values:,} categories, few rows of each: group them, or leave the column out", values=n_values
        ),
    )


def many_sparse_text(n: int, names: str) -> str:
    """The note on several categories with few rows of each value."""
    return message(
        "{n:,} columns have few rows of each category, so that a split on one looks better than it is: {names}.",
        n=n,
        names=names,
    )


def code_note(name: str, n_values: int) -> Note:
    """The note on numbers that are codes of units."""
    return Note(
        lambda: message(
            "'{column}' is named like a code and has {values:,} numbers: a threshold between codes means little. "
            "Leave the column out, or make it categorical.",
            column=name,
            values=n_values,
        ),
        columns=(name,),
        of_many=many_codes_text,
        brief=lambda: message("named like a code: a threshold between codes means little"),
    )


def many_codes_text(n: int, names: str) -> str:
    """The note on several columns of codes."""
    return message(
        "{n:,} columns are named like codes; a threshold between codes means little: {names}.", n=n, names=names
    )


@dataclass(frozen=True)
class ColumnInfo:
    """Facts of one column: its role ("feature", "target", "weight", "left out") and why it was left out, if it was.

    `n_values` None: nobody counted them. A column that was not chosen has no `kind`, "".
    """

    name: str
    role: str
    kind: str
    n_values: int | None
    n_missing: int
    reason: Worded = Worded("")


@dataclass(frozen=True)
class MissingCells:
    """The remark on how many cells of a table are missing: a record, so that it can be counted again after repairs."""

    n: int
    is_repaired: bool = False
    has_marks: bool = True
    """Whether marks such as NA count as missing."""

    def __call__(self) -> str:
        """The remark in the language in force."""
        if self.is_repaired:
            return plural(
                self.n, "{n:,} cell is missing after the repairs.", "{n:,} cells are missing after the repairs."
            )
        if not self.has_marks:
            return plural(self.n, "{n:,} cell is missing.", "{n:,} cells are missing.")
        return plural(
            self.n,
            "{n:,} cell is missing (empty, ?, NA, NaN, N/A or null).",
            "{n:,} cells are missing (empty, ?, NA, NaN, N/A or null).",
        )


@dataclass(frozen=True)
class LinesBelow:
    """The remark on lines below a table that were read as rows: a record, which goes when they are removed."""

    line: int
    text: str

    def __call__(self) -> str:
        """The remark in the language in force."""
        return message(
            "From line {line:,} on ('{text}') the lines are no rows of the table, but read as such: remove them below.",
            line=self.line,
            text=self.text,
        )


def without_target_text(count: int, target: str) -> Words:
    """The sentence on rows left out for want of a target."""
    return lambda: plural(
        count,
        "{n:,} row has no value of the target '{target}' and is left out.",
        "{n:,} rows have no value of the target '{target}' and are left out.",
        target=target,
    )


def without_weight_text(count: int) -> Words:
    """The sentence on rows left out for want of a weight above 0."""
    return lambda: plural(
        count, "{n:,} row has weight 0 and is left out.", "{n:,} rows have weight 0 and are left out."
    )


def leak_note(
    words: Words,
    columns: tuple[str, ...],
    fact: Words,
    of_many: Callable[[int, str], str] | None = None,
    level: str = "warning",
) -> Note:
    """The note on columns that may be known only after the target; the `fact` with that question is its short form."""
    return Note(
        words,
        level,
        columns,
        of_many,
        lambda: message("{fact}: is it known before the target?", fact=worded(fact)),
        is_leak=True,
    )


def picked_note(target: str, kind: str, name: str, picked: tuple[str, ...]) -> Note:
    """The warning on a feature whose numbers the classes pick, or on a feature and columns that make the target."""
    is_class = kind == "categorical"
    words = _picked_text(name, target, picked) if is_class else _made_text(target, name, picked)
    columns = (name,) if is_class else (name, *picked)
    return leak_note(words, columns, lambda: message("has the value of the column that each class picks"))


def _picked_text(name: str, target: str, picked: Sequence[str]) -> Words:
    return lambda: message(
        "'{column}' has in the rows of each class of the target '{target}' the value of another column, of {picked}: "
        "check that it is known before the target is.",
        column=name,
        target=target,
        picked=listed_names(picked),
    )


def _made_text(target: str, choice: str, picked: Sequence[str]) -> Words:
    return lambda: message(
        "The target '{target}' has for each value of '{choice}' the value of another column, of {picked}: check that "
        "they are known before the target is.",
        target=target,
        choice=choice,
        picked=listed_names(picked),
    )


def way_text(way: str) -> str:
    """By what a feature tells the target, so that its share of rows or of variance can be worked out again."""
    words = {
        BY_OTHERS: message("each by the other rows with its value"),
        BY_THRESHOLD: message("by one threshold, chosen on all rows"),
        BY_INTERVALS: message("by one interval for each class, chosen on all rows"),
        BY_LINE: message("by a straight line through all rows"),
    }
    return words[way]


def unit_note(name: str, target: str) -> Note:
    """The warning on a column of units, such as couples, whose rows share the target."""
    return Note(
        lambda: message(
            "Rows with the same '{column}' have the same target '{target}', or nearly: divide the rows by it, or leave "
            "it out.",
            column=name,
            target=target,
        ),
        "warning",
        (name,),
        brief=lambda: message("rows of one value have the same target, or nearly"),
        is_leak=True,
        is_id=True,
    )


def intervals_note(name: str, target: str) -> Note:
    """The warning on a feature whose values have intervals of the target, as its bins have."""
    return leak_note(
        lambda: message(
            "Each value of '{column}' has an interval of the target '{target}' of its own, as if it were made of it: "
            "check that it is known before the target is.",
            column=name,
            target=target,
        ),
        (name,),
        lambda: message("each of its values has an interval of the target of its own"),
    )


def order_note(name: str, target: str) -> Note:
    """The warning on a number in the order of the target."""
    return leak_note(
        lambda: message(
            "'{column}' puts the rows in the order of the target '{target}', as a logarithm of it does: check that it "
            "is known before the target is.",
            column=name,
            target=target,
        ),
        (name,),
        lambda: message("has the order of the target"),
    )


def change_note(name: str, target: str) -> Note:
    """The warning on a number that is the change of the target from the row above."""
    return leak_note(
        lambda: message(
            "'{column}' is the change of the target '{target}', or of its logarithm, from the row above: check that it "
            "is known before the target is.",
            column=name,
            target=target,
        ),
        (name,),
        lambda: message("is the change of the target"),
    )


def follow_up_note(name: str, target: str, is_time: bool) -> Note:
    """The warning on a column that is named like the time until an event, or like another event beside it."""
    if is_time:
        return leak_note(
            lambda: message(
                "'{column}' is named like the time until '{target}' is known: check that it is known before the target "
                "is.",
                column=name,
                target=target,
            ),
            (name,),
            lambda: message("named like the time to the target"),
        )
    return leak_note(
        lambda: message(
            "'{column}' is named like a part of the follow-up that '{target}' comes from: check that it is known "
            "before the target is.",
            column=name,
            target=target,
        ),
        (name,),
        lambda: message("named like a part of the target's follow-up"),
    )


def sum_note(target: str, first: str, sign: str, second: str) -> Note:
    """The warning on two numbers that add up to the target, or differ by it."""
    return leak_note(
        lambda: message(
            "The target '{target}' is '{first}' {sign} '{second}' in every row: check that both are known before the "
            "target is.",
            target=target,
            first=first,
            sign=sign,
            second=second,
        ),
        (first, second),
        lambda: message("makes the target with another column"),
    )
