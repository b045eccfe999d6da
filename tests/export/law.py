"""The law of exports: SQL, Python and the file of rules say what the tree predicts, on odd tables, by every engine."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import duckdb
import numpy as np
import pandas as pd

import explorer as ex
from explorer.export.plain_csv import rules_csv
from explorer.formatting import visible
from explorer.recipe.columns import FeatureEncoding
from tests.oracles.condition_reader import fulfils
from tests.oracles.exported_code import ENGINES, answers_of, assert_answers
from tests.oracles.laws import print_differences
from tests.oracles.odd_tables import imported_case, odd_case

ALL_ROWS, UNKNOWN = "all rows", ("is missing", "has another value")
"""The rule of a tree that is a leaf, and the ends of rules for rows that stop above the leaves."""


def differences(seed: int) -> list[str]:
    """What some export of two trees says otherwise than the tree: nothing by the law."""
    return [*_of_tree(f"{seed} grown", *odd_case(seed)), *_of_imported(seed)]


def _of_imported(seed: int) -> Iterator[str]:
    tree, rows, expected = imported_case(seed)
    predicted = tree.predict(rows).tolist()
    if predicted != expected:
        yield f"{seed} imported: {predicted} instead of {expected}"
    yield from _of_tree(f"{seed} imported", tree, rows)


def _of_tree(called: str, tree: ex.Tree, rows: pd.DataFrame) -> Iterator[str]:
    expected = answers_of(tree, rows)
    for name, run in ENGINES.items():
        try:
            assert_answers(run(tree, rows), expected)
        except duckdb.BinderException as error:
            # Numbers as text: DuckDB compares these with numbers by its own dialect only.
            if name != "DuckDB":
                yield f"{called}, {name}: {error}"
        except AssertionError as error:
            yield f"{called}, {name}: {error}"
    yield from (f"{called}, {text}" for text in _of_rules(tree, rows))


def _of_rules(tree: ex.Tree, rows: pd.DataFrame) -> Iterator[str]:
    """Rows whose cells the tree knows fulfil the rule of their leaf, as it is read from the file, and no other rule."""
    *lines, _ = csv.DictReader(io.StringIO(rules_csv(ex.rules(tree))))  # the last one is for all other rows
    lines = [line for line in lines if not line["rule"].endswith(UNKNOWN)]
    predictions = tree.predict(rows)
    for position, node in _whole_rows(tree, rows):
        cells = {e.name: _cell(e, rows[e.name].iloc[position]) for e in tree.features}
        met = [line for line in lines if all(_is_met(words, cells) for words in _conditions(line["rule"]))]
        if [int(line["leaf"]) for line in met] != [node]:
            yield f"rules: row {position} of leaf {node} meets {[line['rule'] for line in met]}"
        elif not _is_same(met[0]["prediction"], predictions[position]):
            yield f"rules: row {position}: {met[0]['prediction']} instead of {predictions[position]}"


def _whole_rows(tree: ex.Tree, rows: pd.DataFrame) -> Iterator[tuple[int, int]]:
    """Rows without missing or unseen cells that end at one leaf, and that leaf."""
    positions, nodes, _ = tree.routes(rows)
    for position in np.flatnonzero(np.bincount(positions, minlength=len(rows)) == 1).tolist():
        node = int(nodes[positions == position][0])
        if tree.node(node).is_leaf and all(_is_known(e, rows[e.name].iloc[position]) for e in tree.features):
            yield position, node


def _is_known(encoding: FeatureEncoding, cell: object) -> bool:
    if pd.isna(cell):  # type: ignore[call-overload]
        return False
    return not encoding.labels or bool(encoding.edges) or _cell(encoding, cell) in encoding.labels


def _cell(encoding: FeatureEncoding, cell: object) -> object:
    """A cell as the tree takes it."""
    return float(cell) if encoding.kind == "numeric" and not pd.isna(cell) else cell  # type: ignore[arg-type, call-overload]


def _conditions(rule: str) -> list[str]:
    """The conditions of a rule; a cell that begins as a formula does has a mark before it."""
    rule = rule[1:] if rule[:2] in ("'-", "'=", "'+", "'@") else rule
    return [] if rule == ALL_ROWS else rule.split(" and ")


def _is_met(words: str, cells: dict[str, object]) -> bool:
    """Whether the cell of the feature that the words name fulfils them."""
    names = [name for name in cells if words.startswith(f"{visible(name)} ") or f" < {visible(name)} ≤ " in words]
    name = max(names, key=len)
    return fulfils(cells[name], words, visible(name))


def _is_same(text: str, prediction: object) -> bool:
    return text == str(prediction) or float(text) == float(prediction)  # type: ignore[arg-type]


if __name__ == "__main__":
    print_differences(differences, "odd tables")
