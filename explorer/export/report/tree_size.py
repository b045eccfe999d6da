"""What a report says of a tree's size: how it was pruned, what cross-validation made of it, and what a person did."""

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

_OPERATIONS = {"collapse": "made a leaf", "restore": "opened again"}


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
    """Folds, seed and score, and a line for every size that matters."""
    score, better = SCORE_NAMES[folded.metric], "larger" if METRICS[folded.metric] == "largest" else "smaller"
    spread = "the folds" if folded.metric == "auc" else "all rows held out"
    told = [
        f"{_folds(provenance, folded)} Each is judged by trees that were grown and pruned without it.",
        f"Judged by: {score}, the {better} the better. Mean and standard error are over {spread}.",
        "The 1-SE tree is the smallest within one standard error of the best.",
    ]
    if provenance.hand:
        told.append("What was done by hand is no part of the sequence: “at this α” is the tree before that.")
    if provenance.tree.choices:
        told.append("What a person decided was decided with all rows in view, which flatters these scores.")
    return [Points(told), _sizes(provenance, folded)]


def _folds(provenance: Provenance, folded: CrossValidation) -> str:
    n_rows = rows(provenance.train.n_rows)
    if provenance.fold_seed is None:
        return f"Each of the {n_rows} was left out once."
    return f"The {n_rows} for growing were dealt into {folded.n_folds} folds with seed {provenance.fold_seed}."


def _sizes(provenance: Provenance, folded: CrossValidation) -> Grid:
    """The sizes that matter, the largest first; those that are one have one line."""
    places = {"unpruned": 0, "best": folded.best, "1-SE": folded.one_se, "root": len(folded.path) - 1}
    if provenance.method is None:
        name = "at this α" if provenance.hand else "this tree"
        places[name] = 0 if provenance.alpha is None else folded.path.position(provenance.alpha)
    lines = [
        [", ".join(name for name, one in places.items() if one == place), *_line(folded, place)]
        for place in sorted(set(places.values()))
    ]
    return Grid(["tree", "leaves", "α from", f"mean {SCORE_NAMES[folded.metric]}", "standard error"], lines)


def _line(folded: CrossValidation, place: int) -> Sequence[str]:
    measured = folded.alphas[place], folded.mean[place], folded.standard_error[place]
    return [f"{int(folded.n_leaves[place]):,}", *(number(float(one)) for one in measured)]


def by_hand(provenance: Provenance) -> list[Block]:
    """Every decision of a person, in order: those that the tree grew by, then those about the grown tree."""
    decided = [_decided(one) for one in constraint_statuses(provenance.tree)]
    pruned = [
        f"Node {node} ({visible(rule_words(provenance.tree, node))}) was {_OPERATIONS[operation]}."
        for operation, node in provenance.hand
    ]
    return [Points([*decided, *pruned])] if decided or pruned else [Paragraph("Nothing.")]


def _decided(one: ConstraintStatus) -> str:
    """One choice that a tree was grown by, and why it is not in force."""
    told = f"While growing, at {visible(one.choice.place.words)}: {visible(one.choice.text)}"
    return f"{told}." if one.is_in_force else f"{told}; not in force: {visible(one.reason)}."
