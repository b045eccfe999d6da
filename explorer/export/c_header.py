"""A tree as a C header that needs nothing but the standard library: its tables, and functions that follow them."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from explorer.export.python import code_notes
from explorer.tree.branching import SPREAD, STAY, BranchingRule, BranchTest, branching_rules, ends_of
from explorer.tree.routing import training_shares
from explorer.tree.tree import Tree

_MARK = "/* What follows is copied. */\n"
_HEAD = """\
/* A decision tree, written by Decision Tree Explorer. C99 or later, standard library only; link with -lm.

   tree_predict(row, probabilities) predicts one row, an array of TREE_COLUMNS cells in the order of tree_columns: it
   returns a number, or the position of the class in tree_classes, and fills `probabilities` of TREE_CLASSES items
   unless that is NULL. Columns of numbers are read from `.number` (NAN: missing; dates are days since 1970, UTC), all
   others from `.text` in UTF-8 (NULL: missing). */
#include <math.h>
#include <string.h>

typedef struct { double number; const char *text; } tree_cell;
enum { TREE_UP_TO, TREE_NUMBERS, TREE_TEXTS };
struct tree_test { int column, kind, start, count, child; };
struct tree_node { int test, surrogates, missing, unseen, first, branches; };
"""


@dataclass
class _Tables:
    """What the tests of all nodes refer to."""

    columns: list[str]
    tests: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    children: list[int] = field(default_factory=list)

    def add(self, test: BranchTest, children: range) -> None:
        """One more test."""
        encoding, child = test.encoding, len(self.children)
        column = self.columns.index(encoding.name)
        if test.cut is not None or encoding.test == "bins":
            ends: Sequence[float] = encoding.edges if test.cut is None else (test.cut,)
            kind, start, count = "TREE_UP_TO", len(self.numbers), len(ends)
            self.numbers += ends
            sides = test.sides if test.cut is not None else [test.branch_of.get(b, -1) for b in range(count + 1)]
            self.children += [children[side] if side >= 0 else -1 for side in sides]
        else:
            labels = {code: encoding.labels[code] for code in test.branch_of}
            if encoding.kind == "numeric":
                kind, start = "TREE_NUMBERS", len(self.numbers)
                self.numbers += [float(label) for label in labels.values()]  # type: ignore[arg-type]
            else:
                kind, start = "TREE_TEXTS", len(self.texts)
                self.texts += [str(label) for label in labels.values()]
            count = len(labels)
            self.children += [children[test.branch_of[code]] for code in labels]
        self.tests.append(f"{{{column}, {kind}, {start}, {count}, {child}}}")


def to_c(tree: Tree) -> str:
    """The tree as the text of a C99 header whose `tree_predict(row, probabilities)` predicts one row.

    It predicts as the tree does, also for missing cells and unseen categories, with smoothed probabilities where the
    tree has them. What a cell is has to be known to the caller: the header reads no text as a number, and no mark such
    as "NA" as missing.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> text = to_c(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> 'tree_columns[] = {"Outlook", "Humidity", "Wind"}' in text
    True
    """
    rules, tables = branching_rules(tree), _Tables([tree.features[one].name for one in tree.tested_features()])
    nodes = [_node(tree, rules.get(node), node, tables) for node in range(tree.n_nodes_grown)]
    runtime = Path(__file__).with_name("c_runtime.h").read_text("utf-8").split(_MARK)[1]
    notes = [f"/* {_in_comment(note)} */" for note in code_notes(tree)]
    return "\n".join([_HEAD, *notes, *_arrays(tree, tables, nodes, ends_of(tree, rules)), "", runtime])


def _in_comment(text: str) -> str:
    """The text with no sign that begins or ends a comment.

    >>> _in_comment("a */* b")
    'a * / * b'
    """
    return text.replace("*/", "* /").replace("/*", "/ *")


def _node(tree: Tree, rule: BranchingRule | None, node: int, tables: _Tables) -> str:
    if rule is None:
        return "{-1, 0, 0, 0, 0, 0}"
    test = len(tables.tests)
    for each in (rule.test, *rule.surrogates):
        tables.add(each, rule.children)
    known = {STAY: node, SPREAD: -1}
    missing, unseen = (known[to] if to in known else rule.children[to] for to in (rule.missing, rule.unseen))
    first = f"{rule.children.start}, {len(rule.children)}"
    return f"{{{test}, {len(rule.surrogates)}, {missing}, {unseen}, {first}}}"


def _arrays(tree: Tree, tables: _Tables, nodes: list[str], ends: list[int]) -> list[str]:
    """The tables as C; an array has at least one item."""
    n_classes, costs = len(tree.classes), tree.deciding_costs
    shares = np.zeros((tree.n_nodes_grown, max(n_classes, 1)))
    smoothed, answers = shares.copy(), np.zeros(tree.n_nodes_grown)
    answers[ends] = (tree.values if tree.is_regression else tree.labels)[ends]
    if n_classes:
        shares[ends] = tree.deciding_shares[ends]
        smoothed[ends] = tree.probabilities[ends]
    return [
        f"enum {{ TREE_COLUMNS = {len(tables.columns)}, TREE_CLASSES = {n_classes}, TREE_WIDTH = {max(n_classes, 1)}, "
        f"TREE_COSTS = {int(costs is not None)} }};",
        f"static const char *const tree_columns[] = {_texts(tables.columns)};",
        f"static const char *const tree_classes[] = {_texts([str(name) for name in tree.classes])};",
        f"static const double tree_numbers[] = {_listed(tables.numbers)};",
        f"static const char *const tree_texts[] = {_texts(tables.texts)};",
        f"static const int tree_children[] = {_listed(tables.children)};",
        f"static const struct tree_test tree_tests[] = {_braced(tables.tests or ['{0, 0, 0, 0, 0}'])};",
        f"static const struct tree_node tree_nodes[] = {_braced(nodes)};",
        f"static const double tree_parts[] = {_listed(training_shares(tree).tolist())};",
        f"static const double tree_answers[] = {_listed(answers.tolist())};",
        f"static const double tree_shares[] = {_listed(shares.ravel().tolist())};",
        f"static const double tree_smoothed[] = {_listed(smoothed.ravel().tolist())};",
        f"static const double tree_costs[] = {_listed([] if costs is None else costs.ravel().tolist())};",
        "struct tree_mixture { double number, shares[TREE_WIDTH], probabilities[TREE_WIDTH]; int whole; };",
    ]


def _braced(items: list[str]) -> str:
    return "{" + ", ".join(items) + "}"


def _listed(numbers: Sequence[float]) -> str:
    return _braced([repr(number) for number in numbers] or ["0"])


def _texts(texts: list[str]) -> str:
    return _braced([_literal(text) for text in texts] or ['""'])


def _literal(text: str) -> str:
    """A C string of UTF-8: what is not plain is an octal escape of three digits, which no next sign can prolong."""
    plain = f"{string.ascii_letters}{string.digits} _-.,:;()+*<>=/&|!#%'".encode()
    data = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in data) + '"'
