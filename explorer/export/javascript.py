"""A tree as a JavaScript module without dependencies: one line per node, and a function that follows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.export.python import answers_at, code_notes, plain_rule
from explorer.tree.branching import branching_rules, ends_of
from explorer.tree.tree import Tree

_MARK = "// What follows is copied.\n"
_HEAD = """\
// A decision tree, written by Decision Tree Explorer: predict(row) predicts one row.
//
// `row` is an object {column: cell}; null, NaN and the usual marks (such as "NA") are missing cells. The result is
// {prediction, probabilities}: a Map from each class to its probability, null for numbers. Any browser of 2022 or
// later, Node 16.9 or later.

"""


_ACTION = """
const ACTIONS = new Map([
%s
]);

/** What to do with a row: the text of the leaf that has the largest part of it, of equal parts the first. */
export function action(row) {
  const parts = new Map();
  for (const [node, part] of endsOf(row)) parts.set(node, (parts.get(node) ?? 0) + part);
  return ACTIONS.get([...parts].sort(([a, x], [b, y]) => y - x || a - b)[0][0]);
}
"""


def to_javascript(tree: Tree) -> str:
    """The tree as the text of an ECMAScript module whose `predict(row)` gives {prediction, probabilities}.

    It predicts as the tree does, also for missing cells and unseen categories, with smoothed probabilities where the
    tree has them. `row` maps column names to cells; dates are `Date`s. Where the tree has actions, `action(row)` says
    the row's.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> text = to_javascript(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> "export function predict(row)" in text
    True
    """
    runtime = Path(__file__).with_name("javascript_runtime.js").read_text("utf-8").split(_MARK)[1]
    action = _ACTION % _actions(tree) if tree.actions else ""
    return _HEAD + "\n".join(_data(tree)) + "\n\n" + runtime + action


def _data(tree: Tree) -> Iterator[str]:
    """The tree as a literal, a line per node."""
    rules = branching_rules(tree)
    ends, costs = ends_of(tree, rules), tree.deciding_costs
    yield from (f"// {note}" for note in code_notes(tree))
    yield "const TREE = {"
    yield f'  "classes": {_literal(list(tree.classes) or None)},'
    yield f'  "costs": {_literal(None if costs is None else costs.tolist())},'
    yield '  "nodes": ['
    yield from (f"    {_literal([node, _with_pairs(plain_rule(rule))])}," for node, rule in rules.items())
    yield "  ],"
    answers = answers_at(tree, ends)
    for name in ("predictions", "shares", "smoothed"):
        yield f'  "{name}": ['
        yield from (f"    {_literal([node, answer])}," for node, answer in answers.get(name, {}).items())
        yield "  ],"
    yield "};"


def _actions(tree: Tree) -> str:
    """What to do with the rows of each node where rows end, a line per node."""
    return "\n".join(f"  {_literal([node, tree.node_actions[node]])}," for node in ends_of(tree, branching_rules(tree)))


def _with_pairs(test: dict[str, Any]) -> dict[str, Any]:
    """The same with pairs in place of records whose names come from the table: an object inherits names of its own."""
    plain: dict[str, Any] = {
        name: [*map(list, value.items())] if isinstance(value, dict) else value for name, value in test.items()
    }
    if "surrogates" in plain:
        plain["surrogates"] = [_with_pairs(surrogate) for surrogate in plain["surrogates"]]
    return plain


def _literal(value: Any) -> str:
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
