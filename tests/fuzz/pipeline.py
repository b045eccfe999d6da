"""One case: a damaged file is read, repaired, grown into a tree, pruned, exported. Only `InputError` may come out."""

from __future__ import annotations

import contextlib
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import explorer as ex
from tests.fuzz.formats import FORMATS
from tests.fuzz.mutations import Damage
from tests.fuzz.tables import random_table

BUDGET = ex.Budget(bytes=1 << 26, rows=100_000, columns=2_000, cells=200_000)
"""What a table may take here: less than by default, as a case has five seconds."""
RECIPES = (ex.ID3, ex.C45, ex.CART)
_CHANGES: Sequence[tuple[str, Sequence[object]]] = (
    ("categorical", ("each_value", "one_vs_rest", "subset")),
    ("numeric", ("threshold", "bins", "each_value")),
    ("threshold_at", ("midpoint", "observed", "c45")),
    ("missing", ("drop", "most_common", "same_class", "fractional", "surrogate", "own_branch", "default_direction")),
    ("unseen", ("node", "heaviest", "fractional", "random")),
    ("min_rows_leaf", (0.0, 1.0, 2.5)),
    ("max_depth", (0, 1, 3)),
    ("empty_branches", (True, False)),
)


@dataclass(frozen=True)
class Reached:
    """How far a case came: the format, the stage it ended at, and the reason."""

    kind: str
    stage: str
    reason: str


def run_case(seed: int, case: int) -> Reached:
    """Run one case; raises whatever is not an `InputError`."""
    rng = np.random.default_rng([seed, case])
    kind = list(FORMATS)[case % len(FORMATS)]
    name, content = damaged_file(rng, kind)
    stages = _Stages()
    with stages.until_refused():
        _follow(rng, name, content, stages)
    return Reached(kind, stages.name, stages.reason)


def damaged_file(rng: np.random.Generator, kind: str) -> tuple[str, bytes]:
    """A file of a format: its name and its bytes."""
    damage = Damage(rng)
    name, content = FORMATS[kind](random_table(rng), damage)
    return name, damage.to_file(content)


class _Stages:
    """The stage that a case has reached, and why it ended."""

    def __init__(self) -> None:
        self.name, self.reason = "read", ""

    @contextlib.contextmanager
    def until_refused(self) -> Iterator[None]:
        """Run until something is refused by an `InputError` with a text."""
        try:
            yield
        except ex.InputError as error:
            self.reason = str(error)
            assert self.reason, "an error says what is wrong"

    def at(self, name: str) -> None:
        self.name = name


def _follow(rng: np.random.Generator, name: str, content: bytes, stages: _Stages) -> None:
    table = ex.read_table(content, name, budget=BUDGET)
    assert all(table.notes)
    stages.at("suggestions")
    table = _repaired(rng, table)
    stages.at("dataset")
    data = ex.Dataset.from_frame(table.frame, str(rng.choice(table.frame.columns.to_numpy(dtype=object))))
    assert all(note.text for note in data.notes)
    for recipe in RECIPES:
        with _Stages().until_refused():
            stages.at(f"grow {recipe.name}")
            _use(rng, data, ex.grow(data, _changed(rng, recipe)))
    stages.at("end")


def _repaired(rng: np.random.Generator, table: ex.Table) -> ex.Table:
    """The table after its suggestions, each in one of its readings; undone and done again by their records."""
    raw = table
    for suggestion in table.suggestions:
        assert suggestion.sentence
        repair = suggestion.alternatives[int(rng.integers(0, len(suggestion.alternatives)))]
        table = ex.apply_repairs(table, [ex.Repair.from_plain(json.loads(json.dumps(repair.to_plain())))])
    again = ex.apply_repairs(raw, table.repairs)
    assert list(again.frame.columns) == list(table.frame.columns)
    return table


def _changed(rng: np.random.Generator, recipe: ex.Recipe) -> ex.Recipe:
    """The recipe with some of its fields changed."""
    changes = {name: values[int(rng.integers(0, len(values)))] for name, values in _CHANGES if rng.random() < 0.2}
    return recipe.replace(**changes)


def _use(rng: np.random.Generator, data: ex.Dataset, tree: ex.Tree) -> None:
    """Predict, prune in every way, and write one of the trees."""
    predicted = tree.predict(data.frame)
    assert len(predicted) == data.n_rows
    alpha = float(rng.random())
    some = data.take(np.flatnonzero(rng.random(data.n_rows) < 0.5))
    ways: Sequence[Callable[[], ex.Tree]] = (
        lambda: ex.prune_at_alpha(tree, alpha),
        lambda: ex.reduced_error_prune(tree, some),
        lambda: ex.pessimistic_prune(tree),
        lambda: ex.mdl_prune(tree),
    )
    trees = [tree]
    for prune in ways:
        with _Stages().until_refused():
            trees.append(prune())
    _export(rng, data, tree if rng.random() < 0.5 else trees[int(rng.integers(0, len(trees)))])


def _export(rng: np.random.Generator, data: ex.Dataset, tree: ex.Tree) -> None:
    """Write the tree as rules and as a record, and in three of its other forms: many cases have all of them."""
    rules = ex.rules(tree)
    assert rules.to_text()
    assert len(rules.to_frame()) == len(rules.in_order)
    same = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert same.to_dict() == tree.to_dict()
    forms: Sequence[Callable[[], object]] = (
        lambda: ex.post_prune_rules(tree, train=data),
        lambda: ex.to_text(tree).encode("utf-8"),
        lambda: ex.to_listing(tree),
        lambda: ex.to_dot(tree).encode("utf-8"),
        lambda: compile(ex.to_python(tree), "tree.py", "exec"),
        lambda: ex.to_sql(tree).encode("utf-8"),
        lambda: ET.fromstring(ex.to_svg(tree, max_depth=4)),
        lambda: ex.to_html(tree).encode("utf-8"),
        lambda: ex.row_path(tree, data, 0),
    )
    for position in rng.choice(len(forms), 3, replace=False):
        with _Stages().until_refused():
            forms[position]()
