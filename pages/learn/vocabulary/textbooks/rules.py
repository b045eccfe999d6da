"""Rules on which textbooks differ: trees by either rule side by side, and what each predicts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from explorer.drawing.pictures import chart
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.chart import TreePanel, small_tree
from explorer.formatting import class_counts
from explorer.formatting import leaves as leaves_text
from explorer.messages import message, plural
from pages.learn.scenes.step import TablePicture, TreePicture
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.threshold_cuts import cuts_of, threshold_of
from pages.learn.vocabulary.words import Here, add, placed, word
from pages.results.lessons import textbook_rules
from pages.text import escape_markdown


@word
def table_rows(here: Here, words: str = "") -> TablePicture:
    """The features and the target of all rows; a missing cell is a question mark."""
    names = [*(feature.name for feature in here.data.features), here.data.target.name]
    cells = here.data.frame[names].astype(object).to_numpy().tolist()
    rows = tuple(tuple("?" if cell is None or cell != cell else _text(cell) for cell in row) for row in cells)
    return TablePicture(says=words or message("The rows of the table."), columns=tuple(names), rows=rows)


def _text(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


@word
def small(
    here: Here, key: str, title: str, note: str = "", counts: bool = False, best: bool = False, levels: int = 0
) -> TreePanel:
    """A tree for a picture of several, its note in words, or "leaves" or "errors" for how many it has."""
    notes = {"leaves": lambda: leaves_text(here.tree.n_leaves), "errors": lambda: _wrong(errors(here))}
    words = notes[note]() if note in notes else note
    shown = textbook_rules.top(here.tree, levels) if levels else here.tree
    return small_tree(shown, title, note=words, is_best=best)


def _wrong(n: int) -> str:
    return plural(n, "{n} row wrong", "{n} rows wrong")


@word
def errors(here: Here) -> int:
    """How many rows of the table the tree predicts wrong."""
    return textbook_rules.errors(here.tree, here.data)


@word
def by_ratio(here: Here, feature: str, measure: str) -> float:
    """The threshold of the largest gain ratio, its gain, or its gain_ratio."""
    cut = max(cuts_of(here.decision, feature), key=lambda each: each.gain_ratio or 0.0)
    return threshold_of(cut) if measure == "threshold" else float(getattr(cut, measure) or 0.0)


@word
def small_by_sum(here: Here, key: str, title: str, multiplied: bool, best: bool = False) -> TreePanel:
    """The split by squared errors, added up or also multiplied by rows, with the sum of every threshold."""
    sums = [(row[0], row[2 if multiplied else 1]) for row in textbook_rules.squared_errors()]
    least = min(sums, key=lambda row: row[1])[0]
    note = "\n".join(f"x ≤ {threshold}: {value:.3f}" for threshold, value in sums)
    return small_tree(textbook_rules.split_at(least), title, note=note, is_best=best)


@word
def each_sum(here: Here) -> Mapping[str, float]:
    """All sums of squared errors, added up or multiplied, as numbers of their own."""
    sums = textbook_rules.squared_errors()
    added = {f"added {threshold}": plain for threshold, plain, _ in sums}
    return added | {f"multiplied {threshold}": literal for threshold, _, literal in sums}


def _empty(here: Here) -> int:
    """The first leaf without rows."""
    return int(np.flatnonzero(here.tree.is_leaf & (here.tree.weight == 0))[0])


@word
def above_empty(here: Here) -> int:
    """The node above the leaf without rows."""
    return int(here.tree.parent[_empty(here)])


@word
def empty_value(here: Here) -> str:
    """The value that no row above the empty leaf has."""
    above = above_empty(here)
    condition = here.tree.condition(above)
    assert condition is not None
    position = list(here.tree.children_of(above)).index(_empty(here))
    return escape_markdown(here.named(str(condition.branches[position][0])))


@word
def counts_above_empty(here: Here) -> str:
    """How many rows of which class stand above the empty leaf."""
    names = [here.named(str(name)) for name in here.tree.classes]
    return class_counts(np.asarray(here.tree.node(above_empty(here)).stats), names)


@word
def unseen_share(here: Here, rule: str) -> float:
    """The share of Yes by a rule for unseen values."""
    return textbook_rules.unseen_shares(rule)


@word
def bars_of_unseen(here: Here, rules: tuple[str, ...], words: tuple[str, ...], asks: bool = False) -> Bars:
    """The share of Yes by every rule; without the shares while they are asked for."""
    pairs = zip(rules, words, strict=True)
    bars = (Bar(name, unseen_share(here, rule), "", rule == rules[0]) for rule, name in pairs)
    return bar_picture(here, bars, 1.1, asks=asks)


@word
def bars_in_units(here: Here) -> Bars:
    """The gains of the features in bits and in nats."""
    bits, nats = (placed(here, {"log_base": base})[0].decision.best for base in (2, "e"))
    units = ((message("bits"), bits), (message("nats"), nats))
    bars = (Bar(f"{name} · {unit}", of[name].gain, "", name == "Outlook") for name in bits for unit, of in units)
    return bar_picture(here, bars, 0.3)


add(
    beside=lambda here, *trees: chart.beside(here.says, trees),  # One to three small trees side by side.
    # What the tree predicts for one value of its only feature.
    answer=lambda here, feature, value: str(here.tree.predict(pd.DataFrame({feature: [value]}))[0]),
    root_threshold=lambda here: float(here.tree.threshold[0]),  # The threshold at the root.
    least_sum=lambda here: min(row[1] for row in textbook_rules.squared_errors()),  # The least sum of squared errors.
    # How many leaves have rows of several classes.
    mixed_leaves=lambda here: int(((here.tree.impurity > 0) & here.tree.is_leaf).sum()),
    # A gain without the sign that rounding may leave.
    absolute_gain=lambda here, feature: abs(here.decision.best[feature].gain),
    empty_prediction=lambda here: here.named(str(here.tree.node(_empty(here)).label)),  # What the empty leaf predicts.
    class_name=lambda here, position: here.named(str(here.tree.classes[position])),  # A class, by its position.
    # The tree with its empty leaf ringed.
    tree_with_empty=lambda here, words: TreePicture(
        here.tree, here.says, selected=_empty(here), marks={_empty(here): words}
    ),
)
