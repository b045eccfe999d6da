"""What a reader should know of a table before trusting a tree: id-like columns, duplicates, leaks, many levels."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import durations_note
from explorer.data.codes.feature import Feature
from explorer.data.codes.leaks import (
    EXPLAINED,
    NEARLY_EXPLAINED,
    NEARLY_FEWEST_ROWS,
    ClassTarget,
    NumericTarget,
    class_target,
    errors_of_one_split,
    fewest_errors,
    has_order_of_target,
    has_own_intervals,
    numeric_target,
    variance_explained,
)
from explorer.data.codes.picked_values import picked_by_classes, sums_of_target
from explorer.data.codes.repeated_ids import RepeatedId, is_code_name, most_rows_of, repeated_ids
from explorer.data.codes.repeats import equal_features, like_features, repeated_rows
from explorer.data.codes.target_names import are_sets, is_of_row_names, is_of_same_follow_up, is_time_to
from explorer.data.codes.transformed import is_change_of
from explorer.data.encode import rounded_example
from explorer.data.notes import (
    ColumnInfo,
    Note,
    alike_note,
    change_note,
    code_note,
    follow_up_note,
    intervals_note,
    leak_note,
    listed_names,
    many_determine_text,
    many_gaps_text,
    many_levels_text,
    many_missing_text,
    many_nearly_explain_text,
    many_nearly_tell_text,
    many_overfit_text,
    many_tell_text,
    order_note,
    picked_note,
    same_note,
    sparse_note,
    sum_note,
    unit_note,
    way_text,
)
from explorer.data.source_column import FrameRows
from explorer.formatting import percent
from explorer.messages import Words, clauses, message, plural, worded
from explorer.values import Value, as_number, is_rounded

MANY_LEVELS = 50
MANY_CLASSES = 50
_FEW_LEVELS, _FEWEST_ROWS_OF_LEVEL = 10, 5
"""Categories that are too many where there are fewer rows of each on average."""
MOST_REASONS = 8
"""Columns left out that are listed with their reasons."""
_ID_NAME = re.compile(
    r"(^|[\W_])((?:[pu]|unit)?id(?:num(?:ber)?|no)?|seqn?|uuid|guid|key|index|idx|nr|no|row|serial|[a-z]*code?)([\W_]|$)|编号|序号|学号",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"column[ _]?\d+|unnamed: ?\d+|row[ _]?names?", re.IGNORECASE)
"""A column without a heading: where it ascends it numbers the rows, also once some of these are left out."""


def left_out_reason(feature: Feature, codes: NDArray[np.int32]) -> Words | None:
    """Why a column should not be split on unless the user selects it; None without such a reason."""
    known = codes[codes < feature.n_values]
    if are_sets(feature.categories):
        return names_sets_text

    def counts_rows() -> bool:
        low, high = float(feature.values.min()), float(feature.values.max())  # whose difference may be infinite
        if is_of_row_names(feature.name, high - low, len(known)):
            return True
        if not (np.diff(known) == 1).all():
            return False
        return bool(_NAMELESS.fullmatch(feature.name)) or bool(np.ptp(feature.values) == len(known) - 1)

    return reason_by_counts(
        feature.name,
        feature.kind,
        feature.n_values,
        len(known),
        lambda: _whole(np.asarray(feature.listed)),
        counts_rows,
        has_gaps=len(known) < len(codes),
    )


def reason_by_counts(
    name: str,
    kind: str,
    n_values: int,
    n_known: int,
    is_whole: Callable[[], bool],
    counts_rows: Callable[[], bool],
    *,
    has_gaps: bool,
) -> Words | None:
    """The same from the number of different values and of cells with a value; the functions are asked when needed.

    Id-like is text where every row, or most of many, has a distinct value, whole numbers called an id of which most
    have, and a column that numbers the rows.
    """
    if n_values == 0:
        return lambda: message("empty: every cell is missing")
    if n_values == 1 and has_gaps:
        return lambda: message("constant: one value, and missing cells")
    if n_values == 1:
        return lambda: message("constant: one value only")
    all_distinct = n_values == n_known
    if kind == "categorical":
        mostly_distinct = n_values >= 20 and n_values > n_known / 2
        return _id_like_text(n_values, n_known) if all_distinct or mostly_distinct else None
    if most_rows_of(name) and n_values >= 20 and n_known > n_values > n_known / 2 and is_whole():
        return _id_like_text(n_values, n_known)
    if not all_distinct or n_known < 4 or not is_whole():
        return None
    if _ID_NAME.search(name) or counts_rows():
        return lambda: message("id-like: it numbers the rows")
    return None


def names_sets_text() -> str:
    """Why a column of sets is left out."""
    return message("a column of sets: it names training and held-out rows")


def _id_like_text(n_values: int, n_rows: int) -> Words:
    return lambda: message("id-like: {values:,} values in {rows:,} rows", values=n_values, rows=n_rows)


def _whole(values: NDArray[np.float64]) -> bool:
    return bool((values == np.floor(values)).all())


def quality_notes(
    target: Feature,
    features: Sequence[Feature],
    codes: NDArray[np.int32],
    y: NDArray[Any],
    columns: Sequence[ColumnInfo],
    cells: FrameRows,
) -> list[Note]:
    """Notes on columns left out, many levels, missing cells, equal columns, equal rows, and leaks of the target.

    The arguments are the fields of a `Dataset`.
    """
    notes, frame, n_classes = list[Note](), cells.frame, len(target.categories)
    left_out = [column for column in columns if column.role == "left out" and column.reason and column.kind]
    if left_out:
        notes.append(Note(lambda: left_out_text(left_out), "info", tuple(c.name for c in left_out)))
        notes += [_gaps_note(c.name, c.n_missing) for c in left_out if c.n_values == 1 and c.n_missing]
    if n_classes >= MANY_CLASSES:
        notes.append(Note(_many_classes_text(target.name, n_classes), "warning", (target.name,)))
    told = numeric_target(y) if target.kind == "numeric" else class_target(y, n_classes, len(features))
    repeated_units = {each.column for each in repeated_ids(features, codes)}
    for feature, of_feature in zip(features, codes, strict=True):
        notes += _feature_notes(feature, of_feature, target.name, told, feature.name in repeated_units)
    leaks = {note.columns for note in notes if note.is_leak}
    made = [picked_note(target.name, target.kind, *found) for found in picked_by_classes(target, features, codes, y)]
    if isinstance(told, NumericTarget):
        made += [sum_note(target.name, *found) for found in sums_of_target(features, codes, told.y)]
    notes += [note for note in made if note.columns not in leaks]
    notes += [same_note(name, other) for name, other in equal_features(features, codes)]
    in_order = {feature.name for feature in features if feature.kind == "numeric" and feature.n_values > 2}
    notes += [alike_note(name, other, in_order=name in in_order) for name, other in like_features(features, codes)]
    durations = [f.name for f in features if pd.api.types.is_timedelta64_dtype(cells.whole[f.name].dtype)]
    notes += [Note(durations_note(name), "info", (name,)) for name in durations]
    for feature in features:
        if feature.kind == "categorical" and _are_long(feature.categories):
            notes.append(Note(too_long_text(feature.name), "warning", (feature.name,), brief=_brief_long_text))
    for feature in (target, *features):
        example = rounded_example(frame[feature.name]) if feature.kind == "numeric" else None
        if example is not None:
            notes.append(
                Note(rounded_text(feature.name, example), "warning", (feature.name,), brief=_brief_rounded_text)
            )
    repeated = repeated_rows(codes, y)
    if repeated:
        notes.append(Note(lambda: _repeated_text(repeated, len(y)), counts_repeats=True))
    return notes


def repeated_id_notes(features: Sequence[Feature], codes: NDArray[np.int32]) -> list[Note]:
    """A note on the column of ids by which the rows could be divided, of all columns that were encoded."""
    return [
        Note(_repeated_id_text(repeated), "info", (repeated.column,), brief=_brief_id_text, is_id=True)
        for repeated in repeated_ids(features, codes)[:1]
    ]


def _brief_long_text() -> str:
    return message("whole numbers beyond 2⁵³, so categories")


def _brief_rounded_text() -> str:
    return message("whole numbers with too many digits are rounded")


def _brief_id_text() -> str:
    return message("values that repeat: divide the rows by it")


def _repeated_id_text(repeated: RepeatedId) -> Words:
    return lambda: message(
        "'{column}' has {values:,} values in {rows:,} rows: rows of one value belong together, so divide the rows by "
        "it.",
        column=repeated.column,
        values=repeated.n_values,
        rows=repeated.n_rows,
    )


def _gaps_note(name: str, missing: int) -> Note:
    """The note on a column with one value and missing cells, which say something only where they are told apart."""
    return Note(lambda: _gaps_text(missing, name), "info", (name,), many_gaps_text, lambda: _brief_gaps_text(missing))


def _brief_gaps_text(missing: int) -> str:
    return plural(missing, "one value; {n:,} row lacks it", "one value; {n:,} rows lack it")


def _gaps_text(missing: int, name: str) -> str:
    return plural(
        missing,
        "'{column}' has one value, and {n:,} row lacks it, which may tell the target. To split on that, select the "
        "column and send missing cells to the better side of each split.",
        "'{column}' has one value, and {n:,} rows lack it, which may tell the target. To split on that, select the "
        "column and send missing cells to the better side of each split.",
        column=name,
    )


def too_long_text(name: str) -> Words:
    """The sentence on whole numbers that are categories, since a float would change them."""
    return lambda: message(
        "'{column}' has whole numbers beyond 2⁵³ = 9,007,199,254,740,992, which a double would round, so they are "
        "categories. Make the column numeric if they are quantities.",
        column=name,
    )


def _are_long(categories: Sequence[Value]) -> bool:
    """Whether categories are numbers, and some too long for a float."""
    return (
        bool(categories) and not any(map(math.isnan, map(as_number, categories))) and any(map(is_rounded, categories))
    )


def left_out_text(columns: list[ColumnInfo]) -> str:
    """The sentence on columns that are no features unless the user selects them."""
    if len(columns) > MOST_REASONS:
        return message(
            "{n:,} columns are not used as features unless you select them, for the reasons in the table of columns: "
            "{names}.",
            n=len(columns),
            names=listed_names([c.name for c in columns]),
        )
    listed = clauses(message("'{column}' is {reason}", column=c.name, reason=c.reason) for c in columns)
    return message("Not used as features unless you select them: {columns}.", columns=listed)


def rounded_text(name: str, example: Value) -> Words:
    """The sentence on a numeric column of whole numbers too long for a float."""
    return lambda: message(
        "'{column}' has whole numbers with more digits than a number can hold, so they are rounded: {example} counts "
        "as {rounded:.0f}. Make the column categorical to keep them apart.",
        column=name,
        example=example,
        rounded=as_number(example),
    )


def _repeated_text(repeated: int, n_rows: int) -> str:
    return plural(
        repeated,
        "{n:,} of {rows:,} rows repeats an earlier row in all features and the target.",
        "{n:,} of {rows:,} rows repeat an earlier row in all features and the target.",
        rows=n_rows,
    )


def _feature_notes(
    feature: Feature,
    codes: NDArray[np.int32],
    target_name: str,
    target: ClassTarget | NumericTarget,
    is_repeated_id: bool,
) -> list[Note]:
    """Notes on a feature."""
    name, notes = feature.name, []
    reason = left_out_reason(feature, codes)
    missing = int((codes == feature.n_values).sum())
    if feature.n_values == 1 and missing:
        notes.append(_gaps_note(name, missing))
    elif reason is not None:
        brief = _brief_overfit_text(reason)
        notes.append(Note(_overfits_text(name, reason), "warning", (name,), many_overfit_text, brief))
    elif (leak := _leak_note(feature, codes, target_name, target)) is not None:
        notes.append(unit_note(name, target_name) if is_repeated_id else leak)
    elif (feature.kind == "numeric" and is_time_to(name, target_name)) or is_of_same_follow_up(name, target_name):
        notes.append(follow_up_note(name, target_name, is_time_to(name, target_name)))
    elif feature.kind == "categorical" and feature.n_values > MANY_LEVELS and not is_repeated_id:
        brief = _brief_levels_text(feature.n_values)
        notes.append(Note(_levels_text(name, feature.n_values), "warning", (name,), many_levels_text, brief))
    elif feature.kind == "categorical" and not is_repeated_id:
        if feature.n_values >= _FEW_LEVELS and len(codes) - missing < _FEWEST_ROWS_OF_LEVEL * feature.n_values:
            notes.append(sparse_note(name, feature.n_values, len(codes) - missing))
    elif is_code_name(name) and feature.n_values > MANY_LEVELS and _whole(np.asarray(feature.listed)):
        notes.append(code_note(name, feature.n_values))
    if missing:
        notes.append(Note(_missing_text(name, missing, len(codes)), "info", (name,), many_missing_text))
    return notes


def _overfits_text(name: str, reason: Words) -> Words:
    return lambda: message(
        "'{column}' is {reason}, yet it is used as a feature: the tree may overfit. Leave it out.",
        column=name,
        reason=worded(reason),
    )


def _brief_overfit_text(reason: Words) -> Words:
    return lambda: message("{reason}; the tree may overfit", reason=worded(reason))


def _brief_levels_text(n_values: int) -> Words:
    return lambda: message("{values:,} categories: group them, or leave the column out", values=n_values)


def _levels_text(name: str, n_values: int) -> Words:
    return lambda: message(
        "'{column}' has {values:,} categories: a split with a branch for each category gets {values:,} branches. "
        "Group the categories, or leave the column out.",
        column=name,
        values=n_values,
    )


def _many_classes_text(target: str, n_classes: int) -> Words:
    return lambda: message(
        "The target '{target}' has {classes:,} classes: there are few rows of each to learn from, and growing takes "
        "longer. Group the classes, or choose another target.",
        target=target,
        classes=n_classes,
    )


def _missing_text(name: str, missing: int, n_rows: int) -> Words:
    return lambda: message(
        "'{column}' is missing in {missing:,} of {rows:,} rows.", column=name, missing=missing, rows=n_rows
    )


def _leak_note(
    feature: Feature, codes: NDArray[np.int32], target_name: str, target: ClassTarget | NumericTarget
) -> Note | None:
    """The warning that a feature leaks the target; None where it does not. `codes` [n] are those of its values."""
    if isinstance(target, NumericTarget):
        return _numeric_leak_note(feature, codes, target_name, target)
    found = fewest_errors(feature, codes, target)
    if found is None:
        return _near_leak_note(feature, codes, target_name, target)
    errors, way = found
    wrong, columns = errors / len(codes), (feature.name,)
    if errors == 0:
        words = _determines_text(feature.name, target_name)
        return leak_note(words, columns, lambda: message("determines the target in every row"), many_determine_text)
    words = _tells_text(feature.name, target_name, wrong, way)
    return leak_note(
        words,
        columns,
        lambda: message("tells the target in {share} of the rows", share=percent(1.0 - wrong)),
        many_tell_text,
    )


def _numeric_leak_note(
    feature: Feature, codes: NDArray[np.int32], target_name: str, target: NumericTarget
) -> Note | None:
    """The warning, or the hint, that a feature explains a numeric target; None where it explains less."""
    (explained, way), name = variance_explained(feature, codes, target), feature.name

    def fact() -> str:
        return message("explains {share} of the target", share=percent(explained))

    if explained > EXPLAINED:
        return leak_note(_explains_text(name, target_name, explained, way), (name,), fact, many_tell_text)
    if has_own_intervals(feature, codes, target):
        return intervals_note(name, target_name)
    if has_order_of_target(feature, codes, target):
        return order_note(name, target_name)
    if feature.kind == "numeric" and is_change_of(np.append(feature.values, np.nan)[codes], target.y):
        return change_note(name, target_name)
    if explained >= NEARLY_EXPLAINED and len(codes) >= NEARLY_FEWEST_ROWS:
        words = _nearly_explains_text(name, target_name, explained, way)
        return leak_note(words, (name,), fact, many_nearly_explain_text, "info")
    return None


def _near_leak_note(feature: Feature, codes: NDArray[np.int32], target_name: str, target: ClassTarget) -> Note | None:
    """The hint that one split on a feature tells nearly all classes; None where it does not."""
    errors = errors_of_one_split(feature, codes, target)
    if errors is None:
        return None
    share = 1.0 - errors / len(codes)
    return leak_note(
        _nearly_tells_text(feature.name, target_name, share),
        (feature.name,),
        lambda: message("one split tells {share} of the rows", share=percent(share)),
        many_nearly_tell_text,
        "info",
    )


def _nearly_tells_text(name: str, target: str, share: float) -> Words:
    return lambda: message(
        "One split on '{column}', chosen on all rows, tells the target '{target}' in {share} of them. Unless it is "
        "known before the target is, leave it out; else it is a fine predictor.",
        column=name,
        target=target,
        share=percent(share),
    )


def _nearly_explains_text(name: str, target: str, explained: float, way: str) -> Words:
    return lambda: message(
        "'{column}' alone explains {share} of the variance of the target '{target}', {way}. Unless it is known before "
        "the target is, leave it out; else it is a fine predictor.",
        column=name,
        target=target,
        share=percent(explained),
        way=way_text(way),
    )


def _explains_text(name: str, target: str, explained: float, way: str) -> Words:
    return lambda: message(
        "'{column}' alone explains {share} of the variance of the target '{target}', {way}: check that it is known "
        "before the target is.",
        column=name,
        target=target,
        share=percent(explained),
        way=way_text(way),
    )


def _determines_text(name: str, target: str) -> Words:
    return lambda: message(
        "'{column}' alone determines the target '{target}' in every row: check that it is known before the target is.",
        column=name,
        target=target,
    )


def _tells_text(name: str, target: str, wrong: float, way: str) -> Words:
    return lambda: message(
        "'{column}' alone tells the target '{target}' in {share} of the rows, {way}: check that it is known before the "
        "target is.",
        column=name,
        target=target,
        share=percent(1.0 - wrong),
        way=way_text(way),
    )
