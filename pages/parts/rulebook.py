"""The lists of rules: the tree's own and those pruned one by one, kept under a text for all that they depend on."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

import explorer as ex
from explorer import evaluate
from explorer.answered import Positions
from explorer.rules.pick import list_accuracy
from pages.parts import cached, judged, state, trees
from pages.parts.cached import KEPT
from pages.parts.ruling import ESTIMATES, Ruling
from pages.parts.state import Settings

MOST_CELLS = 5_000_000
"""Rules × rows of a list that is pruned and asked: more would take minutes."""


def changed(**changes: object) -> None:
    """Change what was chosen on the Rules page."""
    settings = state.read()
    found: Ruling = dataclasses.replace(settings.ruling, **changes)  # type: ignore[arg-type]
    state.keep(state.changed(settings, ruling=found))


def estimates(settings: Settings) -> dict[str, str]:
    """The estimates that there are rows for, and what they are called."""
    has_valid = cached.parts(settings).valid is not None
    return {name: words for name, words in ESTIMATES.items() if has_valid or name != "valid"}


def estimate(settings: Settings) -> str:
    """The estimate in force: the one asked for if there are rows for it, else the first there is."""
    listed = estimates(settings)
    return settings.ruling.estimate if settings.ruling.estimate in listed else next(iter(listed))


def is_pruned(settings: Settings) -> bool:
    """Whether the list in force is the one pruned rule by rule; that needs classes."""
    return settings.ruling.kind == "pruned" and not cached.data(settings).is_regression


def own(settings: Settings) -> ex.RuleList:
    """The rules of the tree in hand."""
    return _own(judged.tree_key(settings), trees.pruned(settings))


def pruned(settings: Settings) -> ex.RuleList:
    """These rules, each pruned by itself; raises InputError where that would take too long."""
    found, tree, rows = cached.parts(settings), trees.pruned(settings), cached.parts(settings).train.n_rows
    if tree.n_leaves * rows > MOST_CELLS:
        raise ex.InputError(
            f"{tree.n_leaves:,} rules on {rows:,} rows are too many to prune one by one while you wait: choose a "
            f"tree of at most {max(MOST_CELLS // rows, 1):,} leaves on the Prune page."
        )
    valid = found.valid if estimate(settings) == "valid" else None
    return _pruned(pruned_key(settings), tree, valid, found.train, settings)


def pruned_key(settings: Settings) -> str:
    """A text for everything that the pruned rules depend on."""
    found = cached.parts(settings)
    valid = found.valid.fingerprint if found.valid is not None else ""
    how = f"{estimate(settings)} {settings.ruling.only_if_better} {settings.confidence} {settings.limit}"
    return f"{judged.tree_key(settings)} {valid} {how}"


def in_force(settings: Settings) -> ex.RuleList:
    """The list that the page shows; raises InputError."""
    return pruned(settings) if is_pruned(settings) else own(settings)


def rows_of(settings: Settings, rule: ex.Rule) -> Positions:
    """Positions of the training rows that a rule answers."""
    train, tree = cached.parts(settings).train, trees.pruned(settings)
    if not is_pruned(settings) and rule.stop is None:
        return np.asarray(tree.rows_at(train, rule.leaf), dtype=np.intp)
    found = in_force(settings)
    key = pruned_key(settings) if is_pruned(settings) else judged.tree_key(settings)
    return np.flatnonzero(_answered_by(key, found, train) == found.in_order.index(rule))


def accuracies(settings: Settings) -> tuple[str, float, float, float]:
    """The rows that judge, and the accuracy there of the tree, of its pruned rules, and of the majority."""
    found, tree = cached.parts(settings), trees.pruned(settings)
    which, rows = ("training", found.train) if found.valid is None else ("validation", found.valid)
    of_rules = _list_accuracy(f"{pruned_key(settings)} {which}", pruned(settings), rows)
    return which, evaluate.score(tree, rows), of_rules, evaluate.baseline(found.train, rows)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Writing the rules …")
def _own(key: str, _tree: ex.Tree) -> ex.RuleList:
    return ex.rules(_tree)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Pruning the rules …")
def _pruned(
    key: str, _tree: ex.Tree, _valid: ex.Dataset | None, _train: ex.Dataset, _settings: Settings
) -> ex.RuleList:
    better = _settings.ruling.only_if_better
    return ex.post_prune_rules(_tree, _valid, _train, better, _settings.confidence, _settings.limit)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _answered_by(key: str, _found: ex.RuleList, _rows: ex.Dataset) -> np.ndarray:
    return _found.apply(_rows)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Asking the rules …")
def _list_accuracy(key: str, _found: ex.RuleList, _rows: ex.Dataset) -> float:
    return list_accuracy(_found, _rows)
