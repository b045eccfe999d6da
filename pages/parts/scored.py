"""How the unpruned tree of a slot does: its scores and costs beside their baselines."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import explorer as ex
from explorer import evaluate
from pages.parts import cached
from pages.parts.cached import KEPT
from pages.parts.state import Settings


@dataclass(frozen=True)
class Score:
    """A score under the name of its rows, beside that of the majority or the mean."""

    rows: str
    value: float
    baseline: float


def scores(settings: Settings, slot: str = "grow") -> list[Score]:
    """How the unpruned tree does on the rows it grew on and on rows kept from it, each with its baseline."""
    found, tree = cached.parts(settings), cached.grown(settings, slot).tree
    valid = found.valid.fingerprint if found.valid else ""
    listed = list(_scores(found.train.fingerprint, valid, cached.how_grown(tree), tree, found))
    if found.valid is None and found.train.n_rows < cached.SMALL_TABLE:
        left_out = cached.curves_by(settings, slot, "mse" if tree.is_regression else "accuracy")
        assert left_out.valid is not None
        listed.append(Score("Leave-one-out", float(left_out.valid[0]), listed[0].baseline))
    return listed


def costs(settings: Settings, slot: str = "grow") -> list[Score]:
    """What the unpruned tree's answers cost per row, beside the one answer that costs least; empty without costs."""
    found, tree = cached.parts(settings), cached.grown(settings, slot).tree
    if tree.costs is None:
        return []
    judged = {"Training": found.train} | ({"Validation": found.valid} if found.valid else {})
    return [Score(n, evaluate.expected_cost(tree, d), evaluate.cost_baseline(tree, d)) for n, d in judged.items()]


@st.cache_resource(ttl=KEPT, max_entries=64, show_spinner=False)
def _scores(fingerprint: str, valid: str, how: str, _tree: ex.Tree, _found: cached.Parts) -> tuple[Score, ...]:
    judged = {"Training": _found.train} | ({"Validation": _found.valid} if _found.valid else {})
    return tuple(Score(n, evaluate.score(_tree, d), evaluate.baseline(_found.train, d)) for n, d in judged.items())
