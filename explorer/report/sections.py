"""What a report says, section by section, in plain texts."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from explorer.draw.svg import MOST_SHOWN, in_theme
from explorer.explain.rule import rule_words
from explorer.export.names import leaves, number, rows, visible
from explorer.export.text import to_text
from explorer.quality import ColumnInfo
from explorer.report.blocks import Block, Grid, Listing, Paragraph, Picture, Points, Section
from explorer.report.provenance import PART_NAMES, Provenance
from explorer.report.script import changed_fields, to_script
from explorer.samples import SAMPLES
from explorer.scores import evaluation
from explorer.steering import Standing, standings
from explorer.tree import Tree

MOST_LINES = 2000
"""Nodes up to which a report holds a tree as text; of larger ones it has the upper levels."""
SCORE_NAMES = {
    "accuracy": "accuracy",
    "error": "error rate",
    "log_loss": "log loss (nats)",
    "auc": "AUC",
    "expected_cost": "cost per row",
    "mse": "mean squared error",
    "mae": "mean absolute error",
    "r2": "R²",
}
"""How a report calls the scores of `evaluation`."""
_OPERATIONS = {"collapse": "made a leaf", "restore": "opened again"}
_PEERS = ("numpy", "pandas", "scikit-learn")
"""What rows and their split depend on, beside this package."""


def title(provenance: Provenance) -> str:
    """What the report is about."""
    return f"Decision tree for {visible(provenance.tree.target)}"


def sections(provenance: Provenance, palette: str = "safe") -> list[Section]:
    """The whole report; `palette` names the colours of the picture."""
    return [
        Section("", [Paragraph(_in_short(provenance))]),
        Section("Data", _data(provenance)),
        Section("Columns", [_columns(provenance.data.columns)]),
        Section("Rows", [Paragraph(_rows(provenance))]),
        Section("Settings", _settings(provenance)),
        Section("Size", _size(provenance)),
        Section("Decided by hand", _by_hand(provenance)),
        Section("Scores", [_scores(provenance), *_remarks(provenance)]),
        Section("The tree", _tree(provenance.tree, palette)),
        Section("Grow it again", _again(provenance)),
    ]


def _in_short(provenance: Provenance) -> str:
    tree = provenance.tree
    return (
        f"{tree.recipe.name}, {leaves(tree.n_leaves)}, depth {tree.max_depth}, "
        f"grown on {rows(provenance.train.n_rows)} of {_table_name(provenance)}."
    )


def _table_name(provenance: Provenance) -> str:
    if provenance.sample is None:
        return f"the file {visible(provenance.table.name)}"
    return f"the built-in table “{SAMPLES[provenance.sample].title}”"


def _data(provenance: Provenance) -> list[Block]:
    """Where the table comes from, a hash to know it by, and what was found in it."""
    data, facts = provenance.data, [f"Table: {_table_name(provenance)}"]
    if provenance.sample is not None:
        sample = SAMPLES[provenance.sample]
        facts += [f"Source: {sample.source}", f"Licence: {sample.licence}"]
    facts += [
        f"{rows(data.n_rows)}, {len(data.features)} features",
        f"SHA-256 of what is used of it: {data.fingerprint}",
        *provenance.table.notes,
        *(note.text for note in data.notes),
    ]
    return [Points(facts)]


def _columns(columns: Sequence[ColumnInfo]) -> Grid:
    """One line per column: its kind and its role, and why it was left out."""
    lines = [
        [one.name, one.role, one.kind or "–", str(one.n_values), str(one.n_missing), one.reason or "–"]
        for one in columns
    ]
    return Grid(["column", "role", "kind", "values", "missing cells", "remark"], lines)


def _rows(provenance: Provenance) -> str:
    if not provenance.shares:
        return f"The tree grew on all {rows(provenance.train.n_rows)}."
    sizes = [f"{name} {part.n_rows:,}" for name, part in zip(PART_NAMES, provenance.parts, strict=False)]
    shares = ", ".join(f"{100 * share:g} %" for share in (*provenance.shares, 1 - sum(provenance.shares)))
    return f"Split at random with seed {provenance.seed} into {shares} of the rows: {', '.join(sizes)}."


def _settings(provenance: Provenance) -> list[Block]:
    """The recipe, and what differs from the one it is called after."""
    recipe = provenance.tree.recipe
    base, changes = changed_fields(recipe)
    if not changes:
        return [Paragraph(f"{recipe.name}, as it is.")]
    lines = [[name, _plain(getattr(base, name)), _plain(value)] for name, value in changes.items()]
    return [
        Paragraph(f"{recipe.name}, with these changes:"),
        Grid(["setting", f"in {base.name}" if base.name == recipe.name else "by default", "here"], lines),
    ]


def _plain(value: object) -> str:
    """A setting as a reader should see it.

    >>> _plain(None), _plain(True), _plain((("ill", (("well", 5.0),)),))
    ('–', 'yes', 'ill (well 5)')
    """
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    if isinstance(value, tuple):
        parts = [
            f"{name} ({_plain(one)})" if isinstance(one, tuple) else f"{name} {_plain(one)}" for name, one in value
        ]
        return ", ".join(parts)
    return number(float(value)) if isinstance(value, float) else str(value)


def _size(provenance: Provenance) -> list[Block]:
    """How the tree was pruned, and why it has this size."""
    if provenance.alpha is not None:
        how = f"Pruned at α = {number(provenance.alpha)} under the risk “{provenance.risk}”"
        how += ", then by hand." if provenance.hand else "."
    else:
        how = "Pruned by hand alone." if provenance.hand else "The tree is as it was grown: nothing was pruned."
    return [Paragraph(how), *([Paragraph(provenance.why)] if provenance.why else [])]


def _by_hand(provenance: Provenance) -> list[Block]:
    """Every decision of a person, in order: those that the tree grew by, then those about the grown tree."""
    decided = [_decided(one) for one in standings(provenance.tree)]
    pruned = [
        f"Node {node} ({visible(rule_words(provenance.tree, node))}) was {_OPERATIONS[operation]}."
        for operation, node in provenance.hand
    ]
    return [Points([*decided, *pruned])] if decided or pruned else [Paragraph("Nothing.")]


def _decided(one: Standing) -> str:
    """One choice that a tree was grown by, and why it is not in force."""
    told = f"While growing, at {visible(one.choice.place.words)}: {visible(one.choice.text)}"
    return f"{told}." if one.is_in_force else f"{told}; not in force: {visible(one.reason)}."


def _scores(provenance: Provenance) -> Grid:
    """Every score beside its baseline, on the rows for growing and for validation."""
    found = {name: evaluation(provenance.tree, part).scores for name, part in provenance.judged.items()}
    head = [f"{name}: {what}" for name in found for what in ("tree", "baseline")]
    lines = []
    for score, called in SCORE_NAMES.items():
        told = [scores.get(score) for scores in found.values()]
        if any(told):
            cells = [(number(one.value), number(one.baseline)) if one else ("–", "–") for one in told]
            lines.append([called, *(cell for pair in cells for cell in pair)])
    return Grid(["score", *head], lines)


def _remarks(provenance: Provenance) -> list[Block]:
    texts = ["A baseline answers every row alike, as the root of the tree does.", *provenance.remarks]
    return [Points([*texts, *provenance.tree.notes])]


def _tree(tree: Tree, palette: str) -> list[Block]:
    """The picture, if it can be looked at, and the text."""
    shown: list[Block] = []
    if tree.n_nodes <= MOST_SHOWN:
        shown.append(Picture(in_theme(tree, palette), f"The tree: {leaves(tree.n_leaves)}"))
    else:
        shown.append(Paragraph(f"{tree.n_nodes:,} nodes are too many for a picture."))
    levels = np.cumsum([int(tree.is_open[level].sum()) for level in tree.levels])
    deepest = int(np.searchsorted(levels, MOST_LINES, side="right")) - 1
    return [*shown, Listing(to_text(tree, None if deepest >= tree.max_depth else deepest))]


def _again(provenance: Provenance) -> list[Block]:
    """The script, and what it ran on."""
    versions = ", ".join(f"{name} {version(name)}" for name in _PEERS)
    return [
        Paragraph(
            "This script needs the package “explorer” of Decision Tree Explorer. It checks that the table is the same, "
            f"and ends with this tree and these scores. Made with Python {platform.python_version()}, {versions}."
        ),
        Listing(to_script(provenance), "python"),
    ]
