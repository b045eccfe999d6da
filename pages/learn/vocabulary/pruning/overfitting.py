"""Overfitting: a row recorded wrongly, and accuracies of trees that grow leaf by leaf or from more and more rows."""

from __future__ import annotations

import math

from explorer.drawing.pictures.chart import Chart, TreePanel
from explorer.drawing.pictures.curves import CurveLine, CurveMark, curves
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.formatting import percent, value_text
from explorer.messages import listing, message
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import overfitting, trees


@word
def end_of_last(here: Here, of: str) -> int:
    """The leaf at which the last row of another table ends."""
    rows = trees.rows(of)
    return int(here.tree.apply(rows.take([rows.n_rows - 1]).frame)[0])


@word
def path_in_words(here: Here, leaf: int) -> str:
    """The branches from the root to a leaf."""
    passed = ((here.tree.condition(node), branch) for node, branch in here.tree.path_to(leaf))
    return listing(condition.word(branch) for condition, branch in passed if condition is not None and branch >= 0)


def _position(here: Here, at: str, wrong: str) -> int:
    sizes = overfitting.sizes(here.table, int(wrong))
    return {"one": 0, "best": sizes.best, "full": len(sizes.order)}[at]


@word
def accuracy(here: Here, rows: str, at: str, wrong: str = "0") -> float:
    """The accuracy on the rows (train or valid) with one leaf, the best number of them, or all: one, best or full."""
    scores: tuple[float, ...] = getattr(overfitting.sizes(here.table, int(wrong)), rows)
    return scores[_position(here, at, wrong)]


@word
def growing_curve(
    here: Here, validation: bool = True, marks: tuple[tuple[str, str], ...] = (), wrong: str = "0"
) -> Chart:
    """Both accuracies by size, with marked sizes and the tree of the size; the scale begins below the lowest."""
    sizes = overfitting.sizes(here.table, int(wrong))
    lines = (CurveLine(message("Training"), sizes.train, colour="quiet"), CurveLine(message("Validation"), sizes.valid))
    split_at = {node: position for position, node in enumerate(sizes.order)}
    return curves(
        says=here.says,
        title=here.heading,
        x_name=message("Leaves"),
        x=tuple(range(1, len(sizes.order) + 2)),
        lines=lines if validation else lines[:1],
        least=_least(min(*sizes.valid, *sizes.train)),
        most=1.0,
        has_shares=True,
        limit=sizes.baseline if validation else None,
        limit_text=message("Majority baseline {share}", share=percent(sizes.baseline)),
        marks=tuple(CurveMark(_position(here, at, wrong), words) for at, words in marks),
        shown=len(sizes.order),
        tree=TreePanel(
            tree=lesson_tree(sizes.tree),
            leaf_until=tuple(split_at.get(node, len(sizes.order)) for node in range(sizes.tree.n_nodes_grown)),
        ),
        classes=tuple(f"{sizes.tree.target} = {value_text(value)}" for value in sizes.tree.classes),
    )


def _least(score: float) -> float:
    return math.floor(20 * score - 0.5) / 20


@word
def learned(here: Here, rows: str, per_cent: int) -> float:
    """The accuracy on train or valid with 10 or 100 per cent of the rows."""
    scores = getattr(overfitting.learning_curve(here.table), rows)
    return float(scores[0 if per_cent == 10 else -1])


@word
def learning_curve(here: Here, held_out: bool = True) -> Chart:
    """Both accuracies by the number of rows."""
    curve = overfitting.learning_curve(here.table)
    train, valid = curve.train.tolist(), curve.valid.tolist()
    lines = (
        CurveLine(message("Training"), tuple(train), tuple(curve.train_error.tolist()), "quiet"),
        CurveLine(message("Held out"), tuple(valid), tuple(curve.valid_error.tolist())),
    )
    return curves(
        says=here.says,
        title=here.heading,
        x_name=message("Training rows"),
        x=tuple(curve.sizes.tolist()),
        lines=lines if held_out else lines[:1],
        least=_least(float((curve.valid - curve.valid_error).min())),
        most=1.0,
        has_shares=True,
        shown=len(curve.sizes) - 1,
    )


add(
    # The cells of the table's last row, in words.
    cells_of_last=lambda here: listing(str(here.data.frame[feature.name].iloc[-1]) for feature in here.data.features),
    class_of_last=lambda here: str(here.data.frame[here.data.target.name].iloc[-1]),  # Its class.
    error_rate=lambda here, rows, at: 1 - accuracy(here, rows, at),  # The share of rows predicted wrong.
    # The points of validation accuracy that a tenth of wrong labels costs.
    points_lost=lambda here, at: 100 * (accuracy(here, "valid", at) - accuracy(here, "valid", at, "10")),
    # How many rows are for growing (train) or scoring (valid).
    rows_of=lambda here, part, wrong="0": int(getattr(overfitting.sizes(here.table, int(wrong)), f"n_{part}")),
    leaves_at=lambda here, at, wrong="0": _position(here, at, wrong) + 1,  # The leaves of one of these trees.
    # By how much the accuracy on rows held out changes in between.
    change_of_learned=lambda here: abs(learned(here, "valid", 100) - learned(here, "valid", 10)),
)
