"""The decision path of a row, or its several paths, and a sentence that gives the reason for its prediction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.data.dataset import Dataset
from explorer.explaining.node_rule import conjunction, rule_words
from explorer.explaining.row_values import Cells, cells_of
from explorer.formatting import cell_text, number, number_text, percent, rows_or_weight, value_text
from explorer.messages import clauses, message, paragraph, plural, sentence
from explorer.recipe.recipe import Recipe, predicts_quantiles
from explorer.tree.routing import SPREAD
from explorer.tree.tree import Tree
from explorer.values import Value

_WHOLE = 1e-9
"""A weight this close to a whole number, as a share of it, counts rows."""


@dataclass(frozen=True)
class Visit:
    """A node that a row passes or ends at.

    `reached` is the outcome of the test above as text, `value` is the row's own value for it (None where it is missing,
    and at the root), and `remark` says what happened if that value did not decide. `part` of the row reaches the node.
    `prediction` is the node's, with its `share` among the `weight` of training rows there (None for numbers).
    """

    node: int
    part: float
    reached: str
    value: Value | None
    remark: str
    prediction: Value
    share: float | None
    weight: float
    ends: bool


@dataclass(frozen=True)
class RowPath:
    """All visits of a row in preorder, the prediction, and a sentence with the reason for it."""

    visits: tuple[Visit, ...]
    prediction: Value
    sentence: str

    @property
    def ends(self) -> tuple[Visit, ...]:
        """Where the row ends, with parts that add up to 1."""
        return tuple(visit for visit in self.visits if visit.ends)


def row_path(tree: Tree, rows: pd.DataFrame | Dataset, position: int = 0) -> RowPath:
    """The decision path of a row, with the reason at each node; InputError where there is no such row.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> path = row_path(grow(tennis, ID3), tennis, 3)
    >>> [(visit.node, visit.reached) for visit in path.visits]
    [(0, ''), (3, 'Outlook = Rain'), (6, 'Wind = Weak')]
    >>> print(path.sentence.replace(". ", ".\\n"))
    Prediction for PlayTennis: Yes, because Outlook = Rain and Wind = Weak.
    All 3 training rows at this node have class Yes.
    """
    cells = cells_of(tree, rows, position)
    _, nodes, parts = tree.routes(cells.frame)
    part_at_end = {int(node): float(part) for node, part in zip(nodes, parts, strict=True)}
    part_at_node = dict.fromkeys(tree.preorder(), 0.0) if len(part_at_end) > 1 else {}
    for end, part in part_at_end.items():
        for node in (*(ancestor for ancestor, _ in tree.path_to(end)), end):
            part_at_node[node] = part_at_node.get(node, 0.0) + part
    visits = tuple(_visit(cells, node, part, node in part_at_end) for node, part in part_at_node.items() if part > 0)
    prediction = tree.predict(cells.frame)[0]
    value = prediction.item() if isinstance(prediction, np.generic) else prediction
    return RowPath(visits, value, _sentence(cells, visits, value))


def _visit(cells: Cells, node: int, part: float, ends: bool) -> Visit:
    tree, view = cells.tree, cells.tree.node(node)
    share = None if tree.is_regression else float(tree.probabilities[node, tree.labels[node]])
    reached, value, remark = _outcome_above(cells, node)
    if ends and not view.is_leaf:
        remark = clauses(filter(None, [remark, _stop_reason(cells, node)]))
    return Visit(node, part, reached, value, remark, view.label, share, view.row_weight, ends)


def _outcome_above(cells: Cells, node: int) -> tuple[str, Value | None, str]:
    """The outcome of the test above as text, the row's value for it, and a remark where it did not decide."""
    parent = cells.tree.node(node).parent
    if parent < 0:
        return "", None, ""
    condition = cells.tree.condition(parent)
    assert condition is not None, "a node above has a test"
    feature = int(cells.plan.feature[parent])
    branch = node - int(cells.plan.first_child[parent])
    words, value = condition.word(branch), cells.shown(feature)
    decided = cells.branch(parent) == branch or (condition.has_missing_branch and branch == 2)
    return words, value, "" if decided else _remark(cells, parent, feature, branch)


def _remark(cells: Cells, parent: int, feature: int, branch: int) -> str:
    """The reason for a branch that does not follow from the row's own value."""
    fact = _unknown(cells, feature)
    used = cells.surrogate_used(parent) if cells.is_missing(feature) else None
    if used is not None:
        surrogate, surrogate_branch = used
        condition = surrogate.condition.word(surrogate_branch)
        return message("{fact}; the surrogate split {condition} decides", fact=fact, condition=condition)
    if cells.plan.unknown_branches[parent, 0 if cells.is_missing(feature) else 1] == SPREAD:
        share = float(cells.plan.shares[int(cells.plan.first_child[parent]) + branch])
        return message(
            "{fact}, so the row follows every branch: {share} of its weight goes here", fact=fact, share=percent(share)
        )
    return message("{fact}; such rows follow this branch", fact=fact)


def _stop_reason(cells: Cells, node: int) -> str:
    """Why a row stops at a node that has a test."""
    return message("{fact}, so the row stops here", fact=_unknown(cells, int(cells.plan.feature[node])))


def _unknown(cells: Cells, feature: int) -> str:
    name = cells.tree.features[feature].name
    if cells.is_missing(feature):
        return message("{feature} is missing", feature=name)
    value = cell_text(cells.shown(feature))
    return message("{feature} = {value} has no branch at this node", feature=name, value=value)


def _sentence(cells: Cells, visits: tuple[Visit, ...], prediction: Value) -> str:
    """The reason for the prediction: the rule of its leaf, or the average over several."""
    ends = [visit for visit in visits if visit.ends]
    if len(ends) > 1:
        return _average(cells, visits, prediction)
    end, target, label = ends[0], cells.tree.target, _predicted(prediction, ends[0].weight)
    if end.node == 0:
        statement = message("Prediction for {target}: {prediction}.", target=target, prediction=label)
    else:
        rule = rule_words(cells.tree, end.node)
        statement = message(
            "Prediction for {target}: {prediction}, because {rule}.", target=target, prediction=label, rule=rule
        )
    remarks = dict.fromkeys(visit.remark for visit in visits if visit.remark)
    support = _fitted() if _may_be_no_mean(cells.tree) else _support(end, cells.tree)
    return paragraph([statement, support, *map(sentence, remarks)])


def _may_be_no_mean(tree: Tree) -> bool:
    """Whether a predicted number may not be the mean of its rows: replaced, or of scikit-learn, which may clip it."""
    is_imported = any(remark.code == "from_sklearn" for remark in tree.remarks)
    return tree.is_regression and (tree.predictions is not None or is_imported)


def _fitted() -> str:
    """A sentence on such a prediction."""
    return message("This is the node’s value in its model, which need not be the mean of its training rows.")


def _statistic_of(recipe: Recipe) -> str:
    """What a number that a tree predicts is of the training rows there, where it is not their mean."""
    if recipe.impurity == "quantile" and recipe.quantile != 0.5:
        return message("{share} quantile", share=number_text(recipe.quantile, 6))
    return message("median")


def _support(end: Visit, tree: Tree) -> str:
    """A sentence on the training rows behind the prediction of a node."""
    if end.weight == 0:
        return message("No training row reaches this node, so it predicts as its parent does.")
    is_whole = abs(end.weight - round(end.weight)) <= _WHOLE * end.weight
    if predicts_quantiles(tree.recipe):
        behind = rows_or_weight(end.weight, tree.counts_rows)
        return message(
            "This is the {statistic} of the training rows at this node ({rows}).",
            statistic=_statistic_of(tree.recipe),
            rows=behind,
        )
    if not tree.counts_rows or not is_whole:  # weights, parts of rows, or rows of uneven weight
        return _support_by_weight(end)
    rows = f"{round(end.weight):,}"
    if end.share is None:
        return plural(
            end.weight,
            "The one training row at this node has this value.",
            "This is the mean of the {rows} training rows at this node.",
            rows=rows,
        )
    label = value_text(end.prediction)
    if end.share == 1:
        return plural(
            end.weight,
            "The one training row at this node has class {label}.",
            "All {rows} training rows at this node have class {label}.",
            rows=rows,
            label=label,
        )
    share = percent(end.share)
    return message(
        "{share} of the {rows} training rows at this node have class {label}.", share=share, rows=rows, label=label
    )


def _support_by_weight(end: Visit) -> str:
    """The same where rows count by their weight."""
    weight, label = number_text(end.weight, 3), value_text(end.prediction)
    if end.share is None:
        return message("This is the mean of the training rows at this node (total weight {weight}).", weight=weight)
    if end.share == 1:
        return message(
            "All training rows at this node (total weight {weight}) have class {label}.", weight=weight, label=label
        )
    return message(
        "{share} of the training rows at this node (total weight {weight}) have class {label}.",
        share=percent(end.share),
        weight=weight,
        label=label,
    )


def _average(cells: Cells, visits: tuple[Visit, ...], prediction: Value) -> str:
    """The number of leaves that a prediction averages, and why."""
    tree, count = cells.tree, sum(visit.ends for visit in visits)
    parents = [tree.node(visit.node).parent for visit in visits if visit.remark]
    facts = conjunction(dict.fromkeys(_unknown(cells, int(cells.plan.feature[node])) for node in parents))
    fields = {"target": tree.target, "prediction": _predicted(prediction), "count": count, "facts": facts}
    if tree.is_regression:
        return message("Prediction for {target}: {prediction}, the average of {count} leaves: {facts}.", **fields)
    return message(
        "Prediction for {target}: {prediction} with probability {share}, the average of {count} leaves: {facts}.",
        share=percent(_predicted_share(cells, prediction)),
        **fields,
    )


def _predicted_share(cells: Cells, prediction: Value) -> float:
    return float(cells.tree.predict_proba(cells.frame)[0, cells.tree.classes.index(prediction)])


def _predicted(prediction: Value, weight: float | None = None) -> str:
    """A prediction as text: the value of a single row with all digits, a mean with six, and ≈ where it has more."""
    if not isinstance(prediction, float) or weight == 1:
        return cell_text(prediction) if isinstance(prediction, float) else value_text(prediction)
    short = number(prediction)
    return short if float(short) == prediction else f"≈ {short}"
