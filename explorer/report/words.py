"""Scores and settings in a reader's words."""

from __future__ import annotations

from explorer.names import METRIC_NAMES, number

SCORE_NAMES = METRIC_NAMES | {
    "log_loss": "log loss (nats)",
    "expected_cost": "cost per row",
    "mae": "mean absolute error",
    "r2": "R²",
}
"""How a report calls the scores of `evaluation`."""


def plain(value: object) -> str:
    """A value of a setting or an option, without the signs of a program.

    >>> plain(None), plain(True), plain((("ill", (("well", 5.0),)),))
    ('–', 'yes', 'ill (well 5)')
    """
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    if isinstance(value, tuple):
        return ", ".join(
            f"{name} ({plain(one)})" if isinstance(one, tuple) else f"{name} {plain(one)}" for name, one in value
        )
    return number(float(value)) if isinstance(value, float) else str(value)
