"""The sections of a report, as plain texts."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from explorer.data.notes import ColumnInfo
from explorer.data.samples import SAMPLES
from explorer.drawing.svg.svg import MOST_SHOWN, in_theme
from explorer.evaluation.evaluation import evaluate
from explorer.export.report.blocks import SCORE_NAMES, Block, Grid, Listing, Paragraph, Picture, Points, Section, plain
from explorer.export.report.provenance import PART_NAMES, Provenance
from explorer.export.report.script import changed_fields, to_script
from explorer.export.report.tree_size import by_hand, cross_validation, size
from explorer.export.text import to_text
from explorer.formatting import leaves, number, rows, visible
from explorer.tree.tree import Tree

MOST_LINES = 2000
"""Up to this many nodes, a report has the tree as text; of larger trees it has the upper levels."""
_PEERS = ("numpy", "pandas", "scikit-learn")
"""The packages that rows and their split depend on, beside this one."""


def title(provenance: Provenance) -> str:
    """The title of the report."""
    return f"Decision tree for {visible(provenance.tree.target)}"


def sections(provenance: Provenance, palette: str = "safe") -> list[Section]:
    """The whole report; `palette` names the colours of the picture."""
    return [
        Section("", [Paragraph(_in_short(provenance))]),
        Section("Data", _data(provenance)),
        Section("Columns", [_columns(provenance.data.columns)]),
        Section("Rows", [Paragraph(_rows(provenance))]),
        Section("Settings", _settings(provenance)),
        Section("Size", size(provenance)),
        *([Section("Cross-validation", cross_validation(provenance, provenance.folded))] if provenance.folded else []),
        Section("Decided by hand", by_hand(provenance)),
        Section("Scores", [_scores(provenance), *_remarks(provenance)]),
        Section("The tree", _tree(provenance.tree, palette)),
        *([Section("Steps of pruning", [Points(provenance.steps)])] if provenance.steps else []),
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
    """The source of the table, its hash, and the notes on it."""
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
        [
            column.name,
            column.role,
            column.kind or "–",
            str(column.n_values),
            str(column.n_missing),
            column.reason or "–",
        ]
        for column in columns
    ]
    return Grid(["column", "role", "kind", "values", "missing cells", "remark"], lines)


def _rows(provenance: Provenance) -> str:
    if not provenance.shares:
        return f"The tree grew on all {rows(provenance.train.n_rows)}."
    sizes = [f"{name} {part.n_rows:,}" for name, part in zip(PART_NAMES, provenance.parts, strict=False)]
    shares = ", ".join(f"{100 * share:g} %" for share in (*provenance.shares, 1 - sum(provenance.shares)))
    return f"Split at random with seed {provenance.seed} into {shares} of the rows: {', '.join(sizes)}."


def _settings(provenance: Provenance) -> list[Block]:
    """The recipe, and its differences from the named one."""
    recipe = provenance.tree.recipe
    base, changes = changed_fields(recipe)
    if not changes:
        return [Paragraph(f"{recipe.name}, as it is.")]
    lines = [[name, plain(getattr(base, name)), plain(value)] for name, value in changes.items()]
    return [
        Paragraph(f"{recipe.name}, with these changes:"),
        Grid(["setting", f"in {base.name}" if base.name == recipe.name else "by default", "here"], lines),
    ]


def _scores(provenance: Provenance) -> Grid:
    """Every score beside its baseline, on the training set and the validation set."""
    scores_of = {name: evaluate(provenance.tree, part).scores for name, part in provenance.scored_sets.items()}
    head = [f"{name}: {what}" for name in scores_of for what in ("tree", "baseline")]
    lines = []
    for score, called in SCORE_NAMES.items():
        by_set = [scores.get(score) for scores in scores_of.values()]
        if any(by_set):
            cells = [(number(entry.value), number(entry.baseline)) if entry else ("–", "–") for entry in by_set]
            lines.append([called, *(cell for pair in cells for cell in pair)])
    return Grid(["score", *head], lines)


def _remarks(provenance: Provenance) -> list[Block]:
    texts = ["A baseline predicts the same for every row, as the root of the tree does.", *provenance.remarks]
    return [Points([*texts, *provenance.tree.notes])]


def _tree(tree: Tree, palette: str) -> list[Block]:
    """The picture, if it is small enough, and the text."""
    shown: list[Block] = []
    if tree.n_nodes <= MOST_SHOWN:
        shown.append(Picture(in_theme(tree, palette), f"The tree: {leaves(tree.n_leaves)}"))
    else:
        shown.append(Paragraph(f"{tree.n_nodes:,} nodes are too many for a picture."))
    levels = np.cumsum([int(tree.is_kept[level].sum()) for level in tree.levels])
    deepest = int(np.searchsorted(levels, MOST_LINES, side="right")) - 1
    return [*shown, Listing(to_text(tree, None if deepest >= tree.max_depth else deepest))]


def _again(provenance: Provenance) -> list[Block]:
    """The script, and the versions it was made with."""
    versions = ", ".join(f"{name} {version(name)}" for name in _PEERS)
    return [
        Paragraph(
            "This script needs the package “explorer” of Decision Tree Explorer. It checks that the table is the same, "
            f"and ends with this tree and these scores. Made with Python {platform.python_version()}, {versions}."
        ),
        Listing(to_script(provenance), "python"),
    ]
