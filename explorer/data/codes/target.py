"""Targets that no tree can be grown for: one value, too many classes, numbers whose squares leave the range."""

from __future__ import annotations

import numpy as np

from explorer.data.codes.feature import Feature
from explorer.errors import ColumnError
from explorer.messages import message, paragraph
from explorer.ranges import LARGEST_SUMMED

SMALLEST_RANGE = 1e-80
"""The squares of targets that differ by less vanish."""
MOST_CLASSES = 1000
"""Every node has a weight for every class, and every split is searched over all of them."""


def check_target(target: Feature) -> None:
    """Refuse a target with a single value or too many classes, and numbers whose squares leave the range of a float."""
    if target.n_values < 2:
        finding = _single_value_text(target)
        raise ColumnError(paragraph([finding, message("Choose another target.")]), target.name, (), finding)
    if len(target.categories) > MOST_CLASSES:
        raise ColumnError(_too_many_classes_text(target), target.name)
    if target.kind == "numeric":
        check_range(target)


def _too_many_classes_text(target: Feature) -> str:
    return message(
        "The target '{target}' has {classes:,} classes, and a tree counts each of them at every node: at most {most:,} "
        "are possible. Choose another target, group its values, or make it numeric if they are quantities.",
        target=target.name,
        classes=len(target.categories),
        most=MOST_CLASSES,
    )


def check_range(target: Feature) -> None:
    """Refuse numbers whose squared differences overflow a float, or vanish in it."""
    largest, span = float(np.abs(target.values).max()), float(np.ptp(target.values))
    if largest > LARGEST_SUMMED:
        text = message(
            "The target '{target}' has values up to {largest:.3g}, too large for squared errors: rescale it.",
            target=target.name,
            largest=largest,
        )
        raise ColumnError(text, target.name)
    if span < SMALLEST_RANGE:
        text = message(
            "The values of the target '{target}' differ by at most {span:.3g}, too little for squared errors: divide "
            "them all by that number.",
            target=target.name,
            span=span,
        )
        raise ColumnError(text, target.name)


def _single_value_text(target: Feature) -> str:
    if target.n_values == 0:
        return message("The target '{target}' has no value.", target=target.name)
    return message(
        "Column '{target}' has a single value ({value}): there is nothing to predict.",
        target=target.name,
        value=target.categories[0] if target.categories else target.values[0],
    )
