"""The tests of a PMML file as a table of three-valued predicates: true, false, or unknown for a missing cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from explorer.foreign.limits import MOST_PAIRS
from explorer.foreign.pmml_files.columns import Column, Dictionary, Field
from explorer.foreign.pmml_files.document import Element, array_of, finite, refuse
from explorer.messages import message
from explorer.recipe.condition import ABOVE_ALL, BELOW_ALL
from explorer.tree.from_sklearn import thresholds_before_rounding
from explorer.values import as_number

COMPARED = {"lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual"}
SIMPLE = {*COMPARED, "equal", "notEqual", "isMissing", "isNotMissing"}
TAGS = ("SimplePredicate", "CompoundPredicate", "SimpleSetPredicate", "True", "False")
WAYS = {"and", "or", "xor", "surrogate"}
EVERY_NUMBER = ("Infinity", "INF")
"""What LightGBM's files compare a column with to tell numbers from missing cells."""
DEEPEST_PREDICATE = 5


@dataclass(frozen=True)
class Predicate:
    """What a test asks: whether column `place` is at most `threshold`, has one of the `codes`, or is "missing".

    A "constant" is `negated` for false. "and", "or", "xor" and "surrogate" have `parts`, by their numbers.
    """

    kind: str
    place: int = -1
    threshold: float = 0.0
    codes: frozenset[int] = frozenset()
    parts: tuple[int, ...] = ()
    negated: bool = False


class Predicates:
    """The predicates of all trees, each under its number; 0 is true."""

    def __init__(self, dictionary: Dictionary) -> None:
        """Those of the columns of a file."""
        self.table = [Predicate("constant")]
        self._dictionary = dictionary
        self._n_codes = 0

    def survey(self, tests: Iterable[Element]) -> None:
        """Note which columns are compared; before any test is added."""
        waiting = list(tests)
        while waiting:
            test = waiting.pop()
            waiting += test.all(*TAGS)
            if test.tag == "SimplePredicate" and test.get("operator") in COMPARED:
                column = self._dictionary.named(test.need("field")).column
                if column.is_ordered and column.values:
                    continue
                if column.data_type in ("string", "boolean"):
                    refuse(message("the texts of column '{name}' are compared by size", name=column.name[:40]))
                column.is_compared = True

    def add(self, test: Element, depth: int = 0) -> int:
        """The number of a test."""
        if test.tag in ("True", "False"):
            return self._number(Predicate("constant", negated=test.tag == "False"))
        if test.tag == "SimplePredicate":
            return self._simple(test)
        if test.tag == "SimpleSetPredicate":
            operator = test.need("booleanOperator")
            if operator not in ("isIn", "isNotIn"):
                refuse(message("a test has the operator '{operator}'", operator=operator[:40]))
            return self._listed(self._dictionary.named(test.need("field")), array_of(test), operator == "isNotIn")
        way = test.need("booleanOperator")
        if way not in WAYS:
            refuse(message("a test has the operator '{operator}'", operator=way[:40]))
        if depth >= DEEPEST_PREDICATE:
            refuse(message("its tests are nested more than {most} times", most=DEEPEST_PREDICATE))
        parts = tuple(self.add(part, depth + 1) for part in test.all(*TAGS))
        if not parts:
            refuse(message("'{element}' has no '{name}'", element=test.tag, name="SimplePredicate"))
        return self._number(Predicate(way, parts=parts))

    def _simple(self, test: Element) -> int:
        field, operator = self._dictionary.named(test.need("field")), test.need("operator")
        column = field.column
        if operator not in SIMPLE:
            refuse(message("a test has the operator '{operator}'", operator=operator[:40]))
        if operator in ("isMissing", "isNotMissing"):
            return self._number(Predicate("missing", column.place, negated=operator == "isNotMissing"))
        value = test.need("value")
        if operator not in COMPARED:
            return self._listed(field, [value], operator == "notEqual")
        if column.is_compared:
            return self._compared(field, operator, value)
        return self._number(_among_ordered(column, operator, value))

    def _compared(self, field: Field, operator: str, value: str) -> int:
        is_strict, is_above = operator in ("lessThan", "greaterOrEqual"), operator.startswith("greater")
        is_known = value in EVERY_NUMBER
        threshold = ABOVE_ALL if is_known else largest_below(finite(value, "value"), is_strict, field)
        return self._number(Predicate("at most", field.column.place, threshold, negated=is_above))

    def _listed(self, field: Field, texts: list[str], negated: bool) -> int:
        """Whether the column has one of the values."""
        column = field.column
        self._n_codes += len(texts)
        if self._n_codes > MOST_PAIRS:
            refuse(message("its tests list more than {most:,} categories", most=MOST_PAIRS))
        if not column.is_compared:
            codes = frozenset(column.code(text) for text in texts)
            return self._number(Predicate("among", column.place, codes=codes, negated=negated))
        each = []
        for text in texts:
            number = finite(text, "value")
            above = Predicate("at most", column.place, largest_below(number, True, field), negated=True)
            upto = Predicate("at most", column.place, largest_below(number, False, field))
            each.append(self._number(Predicate("and", parts=(self._number(above), self._number(upto)))))
        return self._number(Predicate("or", parts=tuple(each), negated=negated))

    def _number(self, predicate: Predicate) -> int:
        self.table.append(predicate)
        return len(self.table) - 1


def _among_ordered(column: Column, operator: str, value: str) -> Predicate:
    """A comparison of ordered categories as the list of those for which it is true."""
    if value not in column.values:
        refuse(message("'{value}' is no category of column '{name}'", value=value[:40], name=column.name[:40]))
    at = column.values.index(value)
    lower = column.values[: at + (operator in ("lessOrEqual", "greaterThan"))]
    codes = frozenset(column.code(text) for text in lower)
    return Predicate("among", column.place, codes=codes, negated=operator.startswith("greater"))


def largest_below(value: float, is_strict: bool, field: Field) -> float:
    """The largest 64-bit number that the file takes as at most `value`, or as less where the test is strict."""
    if not field.is_narrow:
        return float(np.nextafter(value, -np.inf)) if is_strict else value
    narrow = np.float32(value)
    if not np.isfinite(narrow):
        refuse(message("'{name}' is no finite number", name="value"))
    if is_strict:
        narrow = np.nextafter(narrow, np.float32(-np.inf))
    return (
        float(thresholds_before_rounding(np.array([narrow], dtype=np.float64))[0]) if np.isfinite(narrow) else BELOW_ALL
    )


def replacement_of(column: Column) -> float:
    """What a missing cell stands for: a number, or the code of a category, −1 for one that no test names."""
    if column.is_compared or not (column.is_category or column.listed):
        number = as_number(column.replacement)
        if number != number:
            refuse(message("'{name}' is no finite number", name="missingValueReplacement"))
        return number
    return float(column.listed.get(column.label(column.replacement), -1))
