"""The parts of a report before it is Markdown or HTML: texts are plain, and each writer escapes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from explorer.formatting import number
from explorer.messages import message

SCORE_NAMES: Mapping[str, Callable[[], str]] = {
    "accuracy": lambda: message("accuracy"),
    "error": lambda: message("error rate"),
    "log_loss": lambda: message("log loss (nats)"),
    "brier": lambda: message("Brier score"),
    "auc": lambda: message("AUC"),
    "expected_cost": lambda: message("expected cost"),
    "mse": lambda: message("mean squared error"),
    "rmse": lambda: message("root mean squared error"),
    "mae": lambda: message("mean absolute error"),
    "poisson_deviance": lambda: message("mean Poisson deviance"),
    "quantile_loss": lambda: message("mean quantile loss"),
    "r2": lambda: message("R²"),
}
"""The names of the scores of `evaluate` in a report."""


def plain(value: object) -> str:
    """A value of a setting or an option as text.

    >>> plain(None), plain(True), plain((("ill", (("well", 5.0),)),))
    ('–', 'yes', 'ill (well 5)')
    """
    if value is None or isinstance(value, bool):
        return {None: "–", True: message("yes"), False: message("no")}[value]
    if isinstance(value, tuple):
        return ", ".join(
            f"{name} ({plain(inner)})" if isinstance(inner, tuple) else f"{name} {plain(inner)}"
            for name, inner in value
        )
    return number(float(value)) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Paragraph:
    """One or more sentences."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of remarks."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Grid:
    """A table: a name per column, and rows of cells."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Listing:
    """Text whose spaces and line breaks count, in a language or none."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Picture:
    """An SVG document, already escaped, and its caption."""

    svg: str
    caption: str


Block = Paragraph | Points | Grid | Listing | Picture


@dataclass(frozen=True)
class Section:
    """A heading, which may be empty, and the blocks below it."""

    title: str
    blocks: Sequence[Block]
