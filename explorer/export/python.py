"""A tree as a Python file that needs nothing but Python: one line per node, and a function that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules, ends_of
from explorer.tree.tree import Tree

_MARK = "# What follows is copied.\n"
_HEAD = '''"""A decision tree, written by Decision Tree Explorer: `predict(row)` answers one row.

`row` is a dict {column: cell}; None, nan and the usual marks (such as "NA") are missing cells. The answer comes with
the probability of each class (None for numbers). Nothing but Python 3.11 or later is needed.
"""

import datetime
import math
from collections.abc import Iterator, Mapping
from typing import Any

'''
_PREDICT = '''


def predict(row: Mapping[str, Any]) -> tuple[Any, dict[Any, float] | None]:
    """The tree's answer to a row, and the probability of each class."""
    return answer_of(TREE, row)


'''


def to_python(tree: Tree) -> str:
    """The open tree as the text of a Python module whose `predict(row)` gives (answer, {class: probability}).

    It answers as the tree does, rows with missing cells and unseen categories too. `row` maps column names to cells.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> module = {}
    >>> exec(to_python(tree), module)
    >>> module["predict"]({"Outlook": "Rain", "Humidity": "High", "Wind": "Weak"})
    ('Yes', {'No': 0.0, 'Yes': 1.0})
    """
    runtime = Path(__file__).with_name("python_runtime.py").read_text("utf-8").split(_MARK)[1].lstrip("\n")
    return _HEAD + "\n".join(_data(tree)) + _PREDICT + runtime


def _data(tree: Tree) -> Iterator[str]:
    """The tree as a literal, a line per node."""
    found = branching_rules(tree)
    ends = ends_of(tree, found)
    yield "TREE: dict[str, Any] = {"
    yield f'    "target": {tree.target!r},'
    yield f'    "classes": {None if tree.is_regression else list(tree.classes)!r},'
    yield f'    "costs": {None if tree.costs is None else tree.costs.tolist()!r},'
    yield '    "nodes": {'
    yield from (f"        {node}: {_plain(fork)!r}," for node, fork in found.items())
    yield "    },"
    values = tree.values.tolist() if tree.is_regression else [tree.classes[code] for code in tree.labels]
    yield '    "predictions": {'
    yield from (f"        {node}: {values[node]!r}," for node in ends)
    yield "    },"
    if not tree.is_regression:
        yield '    "shares": {'
        yield from (f"        {node}: {tree.shares[node].tolist()!r}," for node in ends)
        yield "    },"
    yield "}"


def _plain(fork: BranchingRule) -> dict[str, Any]:
    """A fork as `standalone.py` reads it."""
    question = _question(fork.question, fork.children)
    question |= {"missing": _way(fork, fork.missing), "unseen": _way(fork, fork.unseen)}
    if fork.surrogates:
        question["surrogates"] = [_question(one, fork.children) for one in fork.surrogates]
    return question


def _way(fork: BranchingRule, branch: int) -> int | dict[int, float]:
    if branch == SPREAD:
        return dict(zip(fork.children, fork.shares, strict=True))
    return fork.node if branch == STAY else fork.children[branch]


def _question(question: BranchTest, children: range) -> dict[str, Any]:
    usage = question.usage
    asked: dict[str, Any] = {"ask": usage.name, "number": usage.kind == "numeric"}
    if question.cut is not None:
        return asked | {"up_to": [question.cut], "children": [children[side] for side in question.sides]}
    to = {code: children[branch] for code, branch in question.branch_of.items()}
    if usage.test == "bins":
        return asked | {"up_to": list(usage.edges), "children": [to.get(bin_) for bin_ in range(len(usage.edges) + 1)]}
    return asked | {"cells": {usage.labels[code]: child for code, child in to.items()}}
