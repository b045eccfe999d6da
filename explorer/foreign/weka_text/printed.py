"""Weka's printed trees as lines: depth, test, and what a leaf says. J48 and REPTree print nothing else of a tree.

Names are printed without quotes, so a line that can be read in two ways is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from explorer.errors import InputError
from explorer.foreign.limits import MOST_NODES, refusing
from explorer.messages import message

_START = re.compile(r"^(J48 (?:un)?pruned tree|REPTree)[ \t]*\r?\n(?:-{6,}|={6,})[ \t]*\r?\n", re.MULTILINE)
_END = re.compile(r"^(?:Number of Leaves|Size of the tree)", re.MULTILINE)
_CLASSES = re.compile(r"^[ \d.]+\| +[a-z]+ = (.*\S)[ \t]*\r?$", re.MULTILINE)
_DEPTH = re.compile(r"(?:\|   )*")
_NUMBER = r"(-?(?:\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,3})?)"
_COUNTS = (
    re.compile(rf" \({_NUMBER}(?:/{_NUMBER})?\)"),
    re.compile(rf" \({_NUMBER}/{_NUMBER}\) \[{_NUMBER}/{_NUMBER}\]"),
)
_TEST = re.compile(r" (<=|>=|!=|[<>=]) ")
_IS_NUMBER = re.compile(_NUMBER)


def no_model(culprit: str) -> InputError:
    """The error of a text that is no tree of Weka."""
    return InputError(
        message(
            "This is no tree that Weka's J48 or REPTree prints: {culprit}. Save the whole output of the classifier.",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


@dataclass(frozen=True)
class Leaf:
    """What a leaf says: its class or number, rows and errors, and of REPTree those of the rows it was pruned by."""

    label: str
    rows: float
    errors: float
    pruning_rows: float = 0.0
    pruning_errors: float = 0.0


@dataclass(frozen=True)
class Branch:
    """A line: the test that leads to it (attribute, sign and value), and the leaf there, if it is one."""

    depth: int
    attribute: str
    sign: str
    value: str
    leaf: Leaf | None


@dataclass(frozen=True)
class Printed:
    """The lines of a tree, whether it is one of REPTree, and the classes in order as a confusion matrix names them."""

    is_rep: bool
    branches: tuple[Branch, ...]
    root: Leaf | None
    classes: tuple[str, ...]


def has_tree(text: str | None) -> bool:
    """Whether a text holds a printed tree of one of the two.

    >>> has_tree("J48 pruned tree\\n------------------\\n: a (12.0/6.0)\\n")
    True
    """
    return text is not None and _START.search(text) is not None


def printed_tree(text: str) -> Printed:
    """The first tree of the text; InputError where a line of it cannot be read, or be read in two ways."""
    start = _START.search(text)
    if start is None:
        refuse(message("it has no line 'J48 pruned tree' or 'REPTree' with a line of signs below"))
    end = _END.search(text, start.end())
    lines = [line.rstrip() for line in text[start.end() : end.start() if end else len(text)].splitlines()]
    lines = [line for line in lines if line.strip()]
    if not 1 <= len(lines) <= MOST_NODES:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES))
    is_rep, classes = start[1] == "REPTree", tuple(dict.fromkeys(_CLASSES.findall(text)))
    if len(lines) == 1 and lines[0].lstrip().startswith(":"):
        return Printed(is_rep, (), _leaf(f"a = b{' ' * is_rep}{lines[0].lstrip()}", is_rep)[1], classes)
    depths = [len(_DEPTH.match(line)[0]) // 4 for line in lines]  # type: ignore[index]
    branches = [
        _branch(line, depth, depth >= below, is_rep)
        for line, depth, below in zip(lines, depths, [*depths[1:], 0], strict=True)
    ]
    return Printed(is_rep, tuple(branches), None, classes)


def _branch(line: str, depth: int, is_leaf: bool, is_rep: bool) -> Branch:
    text = line[4 * depth :]
    test, leaf = _leaf(text, is_rep) if is_leaf else (text, None)
    signs = list(_TEST.finditer(test))
    if len(signs) != 1:
        _refuse_line(line, message("a name in it holds a sign such as '=' or ': ', or it is no test"))
    name, value = test[: signs[0].start()], test[signs[0].end() :]
    if signs[0][1] not in ("=", "!=") and not _IS_NUMBER.fullmatch(value):
        _refuse_line(line, message("its threshold is no number"))
    return Branch(depth, name, signs[0][1], value, leaf)


def _leaf(text: str, is_rep: bool) -> tuple[str, Leaf]:
    """The test and the leaf of a line."""
    between = " : " if is_rep else ": "
    start = text.rfind(" (", 0, text.rfind(" [") if is_rep and " [" in text else None)
    found = _COUNTS[is_rep].fullmatch(text, start) if start > 0 else None
    if found is None:
        _refuse_line(text, message("it ends in no numbers of rows such as (12.0/3.0)"))
    test, _, label = text[:start].partition(between)
    if text[:start].count(between) != 1:
        _refuse_line(text, message("a name in it holds a sign such as '=' or ': ', or it is no test"))
    numbers = [float(each or 0.0) for each in found.groups()]
    if not all(0.0 <= number <= 1e15 for number in numbers):
        _refuse_line(text, message("its numbers of rows are none"))
    return test, Leaf(label, *numbers)


def _refuse_line(line: str, reason: str) -> NoReturn:
    raise InputError(
        message(
            "The line '{line}' of Weka's tree cannot be read: {reason}. Rename such attributes, values or classes in "
            "Weka (filter RenameNominalValues or RenameAttribute), and print the tree again.",
            line=line.strip()[:80],
            reason=reason,
        )
    )
