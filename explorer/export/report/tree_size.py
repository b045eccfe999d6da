"""The sections of a report on a tree's size: pruning, cross-validation, and manual changes."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.evaluation.cross_validation import CrossValidation
from explorer.explaining.node_rule import rule_words
from explorer.export.report.blocks import SCORE_NAMES, Block, Grid, Paragraph, Points, plain
from explorer.export.report.provenance import Provenance
from explorer.formatting import number, rows, visible
from explorer.growing.constraints import ConstraintStatus, constraint_statuses
from explorer.pruning.methods import NODE_METHODS
from explorer.tree.metrics import METRICS

_OPERATIONS = {"collapse": "made a leaf", "restore": "restored"}


def size(provenance: Provenance) -> list[Block]:
    """How the tree was pruned, and why it has this size."""
    options = [[name, plain(value)] for name, value in provenance.options.items()]
    return [
        Paragraph(_how(provenance)),
        *([Grid(["option", "here"], options)] if options else []),
        *([Paragraph(provenance.why)] if provenance.why else []),
    ]


def _how(provenance: Provenance) -> str:
    then = ", then by hand." if provenance.hand else "."
    if provenance.alpha is not None:
        return f"Pruned at α = {number(provenance.alpha)} under the risk “{provenance.risk}”{then}"
    if provenance.method is not None:
        return f"Pruned by {NODE_METHODS[provenance.method].phrase}{then}"
    return "Pruned by hand alone." if provenance.hand else "The tree is as it was grown: nothing was pruned."


def cross_validation(provenance: Provenance, folded: CrossValidation) -> list[Block]:
    """Folds, seed and score, and a line for every important size."""
    score, better = SCORE_NAMES[folded.metric], "larger" if METRICS[folded.metric] == "largest" else "smaller"
    spread = "the folds" if folded.metric == "auc" else "all held-out rows"
    points = [
        f"{_folds(provenance, folded)} Each is scored with trees that were grown and pruned without it.",
        f"Score: {score}, the {better} the better. Mean and standard error are over {spread}.",
        "The 1-SE tree is the smallest within one standard error of the best.",
    ]
    if provenance.hand:
        points.append("Manual changes are not part of the sequence: “at this α” is the tree before them.")
    if provenance.tree.choices:
        points.append("Manual decisions were made with all rows in view, so these scores are too optimistic.")
    return [Points(points), _sizes(provenance, folded)]


def _folds(provenance: Provenance, folded: CrossValidation) -> str:
    n_rows = rows(provenance.train.n_rows)
    if provenance.fold_seed is None:
        return f"Each of the {n_rows} was left out once."
    return f"The {n_rows} of the training set were assigned to {folded.n_folds} folds with seed {provenance.fold_seed}."


def _sizes(provenance: Provenance, folded: CrossValidation) -> Grid:
    """The important sizes, the largest first; equal ones share a line."""
    positions = {"unpruned": 0, "best": folded.best, "1-SE": folded.one_se, "root": len(folded.path) - 1}
    if provenance.method is None:
        name = "at this α" if provenance.hand else "this tree"
        positions[name] = 0 if provenance.alpha is None else folded.path.position(provenance.alpha)
    lines = [
        [", ".join(name for name, other in positions.items() if other == position), *_line(folded, position)]
        for position in sorted(set(positions.values()))
    ]
    return Grid(["tree", "leaves", "α from", f"mean {SCORE_NAMES[folded.metric]}", "standard error"], lines)


def _line(folded: CrossValidation, position: int) -> Sequence[str]:
    measured = folded.alphas[position], folded.mean[position], folded.standard_error[position]
    return [f"{int(folded.n_leaves[position]):,}", *(number(float(value)) for value in measured)]


def by_hand(provenance: Provenance) -> list[Block]:
    """All manual decisions in order: those made while growing, then those on the grown tree."""
    decided = [_decided(status) for status in constraint_statuses(provenance.tree)]
    pruned = [
        f"Node {node} ({visible(rule_words(provenance.tree, node))}) was {_OPERATIONS[operation]}."
        for operation, node in provenance.hand
    ]
    return [Points([*decided, *pruned])] if decided or pruned else [Paragraph("Nothing.")]


def _decided(status: ConstraintStatus) -> str:
    """One constraint of growing, and the reason if it is not in force."""
    text = f"While growing, at {visible(status.choice.place.words)}: {visible(status.choice.text)}"
    return f"{text}." if status.is_in_force else f"{text}; not in force: {visible(status.reason)}."
