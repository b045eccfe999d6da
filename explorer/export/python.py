"""A tree as a Python file that needs nothing but Python: one line per node, and a function that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.formatting import visible
from explorer.recipe.remarks import DAYS_SINCE
from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules, ends_of
from explorer.tree.tree import Tree
from explorer.values import MISSING_MARKERS

_MARK = "# What follows is copied.\n"
_HEAD = '''"""A decision tree, written by Decision Tree Explorer: `predict(row)` predicts one row.

`row` is a dict {column: cell}; None, nan and the usual marks (such as "NA") are missing cells. The prediction comes
with the probability of each class (None for numbers). Nothing but Python 3.11 or later is needed.
"""

import datetime
import decimal
import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

'''
_PREDICT = '''


def predict(row: Mapping[str, Any]) -> tuple[Any, dict[Any, float] | None]:
    """The prediction for a row, and the probability of each class."""
    return predict_row(TREE, row)


'''


_ACTION = '''def action(row: Mapping[str, Any]) -> str:
    """What to do with a row: the text of the leaf that has the largest part of it, of equal parts the first."""
    parts: dict[int, float] = {}
    for node, part, _ in ends_of(TREE, row):
        parts[node] = parts.get(node, 0.0) + part
    return TREE["actions"][min(parts, key=lambda node: (-parts[node], node))]


'''


def to_python(tree: Tree) -> str:
    """The tree as the text of a Python module whose `predict(row)` gives (class, probabilities by class).

    It predicts as the tree does, also for missing cells and unseen categories, with smoothed probabilities where the
    tree has them; `action(row)` is there where the tree has actions. `row` maps column names to cells.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> module = {}
    >>> exec(to_python(tree), module)
    >>> module["predict"]({"Outlook": "Rain", "Humidity": "High", "Wind": "Weak"})
    ('Yes', {'No': 0.0, 'Yes': 1.0})
    """
    runtime = Path(__file__).with_name("python_runtime.py").read_text("utf-8").split(_MARK)[1].lstrip("\n")
    return _HEAD + escape_unseen("\n".join(_data(tree))) + _PREDICT + (_ACTION if tree.actions else "") + runtime


def escape_unseen(code: str) -> str:
    r"""The code with characters that are not seen as escapes; they stand in string literals only.

    >>> escape_unseen("'a\u3164'")
    "'a\\u3164'"
    """
    return "".join(
        sign if sign.isascii() or visible(sign) == sign else sign.encode("unicode_escape").decode("ascii")
        for sign in code
    )


def code_notes(tree: Tree) -> list[str]:
    """Lines for a comment: from when dates are counted, and the threshold or cutoffs that the tree predicts by."""
    notes = [remark.text for remark in tree.remarks if remark.code == DAYS_SINCE]
    return [visible(note) for note in (*notes, *([] if tree.decision is None else [tree.decision.sentence]))]


def _data(tree: Tree) -> Iterator[str]:
    """The tree as a literal, a line per node."""
    rules = branching_rules(tree)
    ends, costs = ends_of(tree, rules), tree.deciding_costs
    yield from (f"# {note}" for note in code_notes(tree))
    yield "TREE: dict[str, Any] = {"
    yield f'    "target": {tree.target!r},'
    yield f'    "classes": {None if tree.is_regression else list(tree.classes)!r},'
    yield f'    "costs": {None if costs is None else costs.tolist()!r},'
    yield '    "nodes": {'
    yield from (f"        {node}: {plain_rule(rule)!r}," for node, rule in rules.items())
    yield "    },"
    for name, answers in answers_at(tree, ends).items():
        yield f'    "{name}": {{'
        yield from (f"        {node}: {answer!r}," for node, answer in answers.items())
        yield "    },"
    yield "}"


def answers_at(tree: Tree, ends: list[int]) -> dict[str, dict[int, Any]]:
    """What the nodes where rows end predict: "predictions", of classes "shares", "smoothed" where they are others.

    "actions" are there where the tree has any.
    """
    values = tree.values.tolist() if tree.is_regression else [tree.classes[code] for code in tree.labels]
    answers: dict[str, dict[int, Any]] = {"predictions": {node: values[node] for node in ends}}
    if not tree.is_regression:
        answers["shares"] = {node: tree.deciding_shares[node].tolist() for node in ends}
    if tree.smoothing is not None and tree.decision is None:
        answers["smoothed"] = {node: tree.probabilities[node].tolist() for node in ends}
    if tree.actions:
        answers["actions"] = {node: tree.node_actions[node] for node in ends}
    return answers


def plain_rule(rule: BranchingRule) -> dict[str, Any]:
    """A branching rule as `python_runtime.py` reads it."""
    entry = _test(rule.test, rule.children)
    entry |= {"missing": _children(rule, rule.missing), "unseen": _children(rule, rule.unseen)}
    if rule.surrogates:
        entry["surrogates"] = [_test(surrogate, rule.children) for surrogate in rule.surrogates]
    return entry


def _children(rule: BranchingRule, branch: int) -> int | dict[int, float]:
    if branch == SPREAD:
        return dict(zip(rule.children, rule.shares, strict=True))
    return rule.node if branch == STAY else rule.children[branch]


def _test(test: BranchTest, children: range) -> dict[str, Any]:
    encoding = test.encoding
    entry: dict[str, Any] = {"column": encoding.name, "number": encoding.kind == "numeric"}
    if test.cut is not None:
        return entry | {"up_to": [test.cut], "children": [children[side] for side in test.sides]}
    to = {code: children[branch] for code, branch in test.branch_of.items()}
    if encoding.test == "bins":
        return entry | {
            "up_to": list(encoding.edges),
            "children": [to.get(bin_) for bin_ in range(len(encoding.edges) + 1)],
        }
    marks = [label for label in encoding.labels if isinstance(label, str) and label in MISSING_MARKERS]
    is_number = encoding.kind == "numeric"
    cells = {
        label if is_number else str(label): to[code] for code in to if (label := encoding.labels[code]) is not None
    }
    return entry | ({"marks": marks} if marks else {}) | {"cells": cells}
