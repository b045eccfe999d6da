"""What is known of the tree in hand on the rows that judge it, kept under a text for all that it depends on."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

import explorer as ex
from explorer.answered import Answered, answered
from explorer.held_out import HeldOut, held_out
from pages.parts import cached, state, trees
from pages.parts.cached import KEPT, SMALL_TABLE
from pages.parts.judging import Judging
from pages.parts.state import Settings


def changed(**changes: object) -> None:
    """Change what was chosen on the Evaluate page."""
    settings = state.read()
    found: Judging = dataclasses.replace(settings.judging, **changes)  # type: ignore[arg-type]
    state.keep(state.changed(settings, judging=found))


def tree_key(settings: Settings) -> str:
    """A text for everything that the pruned tree depends on."""
    path = cached.path(settings)
    cut = f"{settings.risk} {trees.position(settings, path)} {trees.known_hand(settings, path.tree)}"
    return f"{cached.grown_key(settings)} {cut}"


def choices(settings: Settings) -> dict[str, str]:
    """The rows that can judge the tree, best first, and what they are called."""
    if cached.parts(settings).valid is not None:
        return {"valid": "Validation rows", "train": "Training rows"}
    if leaves_one_out(settings):
        return {"held_out": "Left out one by one", "train": "Training rows"}
    return {"train": "Training rows", "held_out": "Held-out folds"}


def chosen(settings: Settings) -> str:
    """The rows in force: those asked for where the table has them, else the best there are."""
    listed = choices(settings)
    return settings.judging.rows if settings.judging.rows in listed else next(iter(listed))


def leaves_one_out(settings: Settings) -> bool:
    """Whether held-out answers come from leaving out one row at a time: small tables, at once."""
    return cached.parts(settings).train.n_rows < SMALL_TABLE


def rows(settings: Settings) -> ex.Dataset:
    """The rows in force."""
    found = cached.parts(settings)
    return found.valid if chosen(settings) == "valid" and found.valid is not None else found.train


def judging_key(settings: Settings) -> str:
    """A text for everything that is known of the pruned tree on the rows in force."""
    return f"{tree_key(settings)} {rows(settings).fingerprint}"


def evaluation(settings: Settings) -> tuple[ex.Evaluation, Answered]:
    """The scores of the pruned tree on the rows in force, and its answers; raises InputError."""
    return _evaluation(judging_key(settings), trees.pruned(settings), rows(settings))


def left_out_key(settings: Settings) -> str:
    """A text for everything that held-out answers depend on; a cut by hand is none of it."""
    path = cached.path(settings)
    dealt = "one by one" if leaves_one_out(settings) else f"{settings.folds} {settings.fold_seed}"
    cut = f"{settings.risk} {trees.position(settings, path)}"
    return f"held out {cached.grown_key(settings)} {cut} {dealt}"


def left_out_one_by_one(settings: Settings) -> HeldOut:
    """Every row of a small table answered by a tree of all others; raises InputError."""
    train, path = cached.parts(settings).train, cached.path(settings)
    position = trees.position(settings, path)
    return _one_by_one(left_out_key(settings), train, path.tree, position, settings.risk)


def class_curves(settings: Settings, code: int) -> ex.ClassCurves:
    """ROC, precision and recall, lift of one class on the rows in force; raises InputError."""
    return _class_curves(judging_key(settings), code, trees.pruned(settings), rows(settings))


def calibration(settings: Settings) -> ex.LeafCalibration:
    """What leaves promise against the rows in force; raises InputError."""
    return _calibration(judging_key(settings), trees.pruned(settings), rows(settings))


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Scoring the tree …")
def _evaluation(key: str, _tree: ex.Tree, _rows: ex.Dataset) -> tuple[ex.Evaluation, Answered]:
    return ex.evaluation(_tree, _rows), answered(_tree, _rows)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Leaving out one row at a time …")
def _one_by_one(key: str, _train: ex.Dataset, _tree: ex.Tree, _position: int, _risk: str) -> HeldOut:
    rows = np.arange(_train.n_rows)
    return held_out(_train, _tree.recipe, _position, rows, risk=_risk, choices=_tree.choices)


@st.cache_resource(ttl=KEPT, max_entries=48, show_spinner=False)
def _class_curves(key: str, code: int, _tree: ex.Tree, _rows: ex.Dataset) -> ex.ClassCurves:
    return ex.class_curves(_tree, _rows, _tree.classes[code])


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _calibration(key: str, _tree: ex.Tree, _rows: ex.Dataset) -> ex.LeafCalibration:
    return ex.leaf_calibration(_tree, _rows)
