"""How the tree predicts, in a report: confusion matrix, ROC, and which features it rests on."""

from __future__ import annotations

import math

import numpy as np

from explorer.data.dataset import Dataset
from explorer.drawing.palette import class_colours
from explorer.drawing.svg.roc import roc_picture
from explorer.evaluation.deciding.class_curves import class_curves
from explorer.evaluation.evaluation import Evaluation, evaluate
from explorer.evaluation.feature_importance import importance, permutation_importance
from explorer.export.report.blocks import Block, Grid, Paragraph, Picture, Section
from explorer.export.report.provenance import Provenance
from explorer.formatting import number, rows
from explorer.messages import message, paragraph
from explorer.tree.tree import Tree

MOST_CLASSES, MOST_CURVES = 20, 8
"""Classes of a matrix that a page can show, and curves that can be told apart."""
SHUFFLES, MOST_SHUFFLED = 10, 2_000_000
"""How often each column is shuffled, and cells that are shuffled in all: of more rows, so many are drawn."""


def prediction_sections(provenance: Provenance, palette: str) -> list[Section]:
    """On the validation set, or on the training set where there is no other; never on the test set."""
    tree, data = provenance.tree, list(provenance.scored_sets.values())[-1]
    is_held_out = len(provenance.scored_sets) > 1
    said = message("On the validation set.") if is_held_out else message("On the training set.")
    important = Section(message("Feature importance"), _importance(tree, data, said))
    if tree.is_regression:
        return [important]
    found = evaluate(tree, data)
    shown = [
        Section(message("Confusion matrix"), [Paragraph(said), *_matrix(found)]),
        Section(message("ROC"), _roc(tree, data, found, palette, said)),
    ]
    return [*(section for section in shown if len(section.blocks) > 1), important]


def _matrix(found: Evaluation) -> list[Block]:
    """The matrix, and precision and recall of each class."""
    if len(found.labels) > MOST_CLASSES:
        return []
    head = [message("class"), *(message("predicted {name}", name=name) for name in found.labels)]
    lines = [
        [str(name), *(number(float(weight)) for weight in line)]
        for name, line in zip(found.labels, found.confusion, strict=True)
    ]
    scored = [
        [str(one.name), *(_share(value) for value in (one.precision, one.recall, one.f1, one.area))]
        for one in found.classes
    ]
    names = [message("class"), message("precision"), message("recall"), message("F1"), message("AUC")]
    return [Grid(head, lines), Grid(names, scored)]


def _share(value: float) -> str:
    return "–" if math.isnan(value) else number(value, 4)


def _roc(tree: Tree, data: Dataset, found: Evaluation, palette: str, said: str) -> list[Block]:
    """A curve for each class that some rows have and some have not; of two classes for the second."""
    with_both = [k for k, one in enumerate(found.classes) if k < len(tree.classes) and not math.isnan(one.area)]
    codes = with_both[-1:] if len(tree.classes) == 2 else with_both[:MOST_CURVES]
    if not codes:
        return []
    curves = [class_curves(tree, data, tree.classes[code]) for code in codes]
    colours = class_colours(len(tree.classes), "light", palette)
    picture = roc_picture(curves, [colours[code] for code in codes], codes)
    return [Paragraph(said), Picture(picture, message("ROC"))]


def _importance(tree: Tree, data: Dataset, said: str) -> list[Block]:
    """Features by their importance: impurity, and what shuffling their column costs, with its range."""
    drawn = _drawn(tree, data)
    shuffled, impurity = permutation_importance(tree, drawn, SHUFFLES), importance(tree)
    increase = message("increase of the MSE") if tree.is_regression else message("increase of the error rate")
    lines = [
        [
            name,
            number(impurity[name], 4),
            number(losses.mean, 4),
            message("{low} to {high}", low=number(losses.losses.min(), 4), high=number(losses.losses.max(), 4)),
        ]
        for name, losses in sorted(shuffled.items(), key=lambda item: (-item[1].mean, -impurity[item[0]]))
        if impurity[name] > 0 or losses.losses.any()
    ]
    if not lines:
        return [Paragraph(message("The tree tests no feature."))]
    about = message(
        "Impurity importance is a share of the total impurity decrease on the training rows. The increase is the mean "
        "of {n} shuffles of the feature’s column among {rows}, beside the least and the largest.",
        n=SHUFFLES,
        rows=rows(drawn.n_rows),
    )
    head = [message("feature"), message("impurity importance"), increase, message("least to largest")]
    return [Paragraph(paragraph([said, about])), Grid(head, lines)]


def _drawn(tree: Tree, data: Dataset) -> Dataset:
    """The rows, or as many of them as can be shuffled in a short time, drawn with seed 0."""
    most = max(1, MOST_SHUFFLED // (SHUFFLES * max(1, len(tree.tested_features()))))
    if data.n_rows <= most:
        return data
    return data.take(np.sort(np.random.default_rng(0).choice(data.n_rows, most, replace=False)))
