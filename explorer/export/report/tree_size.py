"""The sections of a report on a tree's size: pruning, cross-validation, and manual changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from explorer.data.division import way_of_folds
from explorer.evaluation.cross_validation import CrossValidation
from explorer.evaluation.folds import left_out_text
from explorer.explaining.node_rule import rule_words
from explorer.export.report.blocks import SCORE_NAMES, Block, Grid, Paragraph, Points, plain
from explorer.export.report.provenance import Provenance
from explorer.formatting import number, rows, visible
from explorer.growing.constraints import ConstraintStatus, constraint_statuses
from explorer.messages import listing, message, paragraph
from explorer.pruning.methods import NODE_METHODS
from explorer.tree.metrics import METRICS

_OPERATIONS: Mapping[str, Callable[[int, str], str]] = {
    "collapse": lambda node, rule: message("Node {node} ({rule}) was made a leaf.", node=node, rule=rule),
    "restore": lambda node, rule: message("Node {node} ({rule}) was restored.", node=node, rule=rule),
}


def size(provenance: Provenance) -> list[Block]:
    """How the tree was pruned, and why it has this size."""
    options = [[name, plain(value)] for name, value in provenance.options.items()]
    return [
        Paragraph(_how(provenance)),
        *([Grid([message("option"), message("value")], options)] if options else []),
        *([Paragraph(provenance.why)] if provenance.why else []),
    ]


def _how(provenance: Provenance) -> str:
    changed = [message("Then changed by hand.")] if provenance.hand else []
    if provenance.alpha is not None:
        alpha = number(provenance.alpha)
        pruned = message(
            "Pruned by cost-complexity at α = {alpha} with risk “{risk}”.", alpha=alpha, risk=provenance.risk
        )
        return paragraph([pruned, *changed])
    if provenance.method is not None:
        pruned = message("Pruned by {method}.", method=NODE_METHODS[provenance.method].phrase)
        return paragraph([pruned, *changed])
    return message("Pruned by hand only.") if provenance.hand else message("The tree is not pruned.")


def cross_validation(provenance: Provenance, folded: CrossValidation) -> list[Block]:
    """Folds, seed and score, and a line for every important size."""
    score = SCORE_NAMES[folded.metric]()
    is_largest = METRICS[folded.metric] == "largest"
    points = [
        _folds(provenance, folded),
        message("Score: {score} (higher is better).", score=score)
        if is_largest
        else message("Score: {score} (lower is better).", score=score),
        message("Mean and standard error are over the folds.")
        if folded.metric == "auc"
        else message("Mean and standard error are over all held-out rows."),
        message("The 1-SE tree is the smallest tree within one standard error of the best."),
    ]
    if provenance.hand:
        points.append(message("The sequence has no manual changes: “at this α” is the tree before them."))
    if provenance.tree.choices:
        points.append(message("Manual decisions were made with all rows in view, so these scores are optimistic."))
    return [Points(points), _sizes(provenance, folded)]


def _folds(provenance: Provenance, folded: CrossValidation) -> str:
    n_rows = rows(provenance.train.n_rows)
    if provenance.fold_seed is None and provenance.train.division is not None:
        return left_out_text(provenance.train.division)
    if provenance.fold_seed is None:
        return message("Leave-one-out: each of the {rows} is predicted by a tree grown without it.", rows=n_rows)
    if way_of_folds(provenance.train.division) == "rolling":
        return message(
            "{folds} rolling folds of the training set ({rows}). Each fold is predicted by a tree grown on earlier "
            "rows and pruned without it.",
            folds=folded.n_folds,
            rows=n_rows,
        )
    return message(
        "{folds}-fold cross-validation of the training set ({rows}) with seed {seed}. "
        "Each fold is predicted by a tree grown and pruned without it.",
        folds=folded.n_folds,
        rows=n_rows,
        seed=provenance.fold_seed,
    )


def _sizes(provenance: Provenance, folded: CrossValidation) -> Grid:
    """The important sizes, the largest first; equal ones share a line."""
    positions = {
        message("unpruned"): 0,
        message("best"): folded.best,
        message("1-SE"): folded.one_se,
        message("root"): len(folded.path) - 1,
    }
    if provenance.method is None:
        name = message("at this α") if provenance.hand else message("this tree")
        positions[name] = 0 if provenance.alpha is None else folded.path.position(provenance.alpha)
    lines = [
        [listing(name for name, other in positions.items() if other == position), *_line(folded, position)]
        for position in sorted(set(positions.values()))
    ]
    mean = message("mean {score}", score=SCORE_NAMES[folded.metric]())
    return Grid([message("tree"), message("leaves"), message("α from"), mean, message("standard error")], lines)


def _line(folded: CrossValidation, position: int) -> Sequence[str]:
    measured = folded.alphas[position], folded.mean[position], folded.standard_error[position]
    return [f"{int(folded.n_leaves[position]):,}", *(number(float(value)) for value in measured)]


def by_hand(provenance: Provenance) -> list[Block]:
    """All manual decisions in order: those made while growing, then those on the grown tree."""
    decided = [_decided(status) for status in constraint_statuses(provenance.tree)]
    pruned = [
        _OPERATIONS[operation](node, visible(rule_words(provenance.tree, node))) for operation, node in provenance.hand
    ]
    return [Points([*decided, *pruned])] if decided or pruned else [Paragraph(message("None."))]


def _decided(status: ConstraintStatus) -> str:
    """One constraint of growing, and the reason if it is not in force."""
    node, decision = visible(status.choice.place.words), visible(status.text)
    if status.is_in_force:
        return message("While growing, at {node}: {decision}.", node=node, decision=decision)
    return message(
        "While growing, at {node}: {decision}; not in force: {reason}.",
        node=node,
        decision=decision,
        reason=visible(status.reason),
    )
