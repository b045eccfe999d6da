"""What a reader has chosen for the exercises: kind, table, seed and counts; the link keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.explaining.exercises import EXERCISE_KINDS, ExerciseKind, by_hand, random_table
from pages.results import trees
from pages.results.lessons.trees import rows as sample_rows
from pages.settings import session
from pages.settings.learn_settings import OWN
from pages.settings.settings import Settings, changed

RANDOM = "random"
"""A table made by seed; `OWN` is the reader's, all others are built-in tables."""
MOST_ROWS = 20
_SEED_DIGITS = 6
_PREFIX = "exercise."
"""Begins the names of these choices in the settings, which scenes have choices in too."""


@dataclass(frozen=True)
class Options:
    """The choices in force; `table` is `OWN`, `RANDOM` or the key of a built-in table."""

    kind: ExerciseKind
    table: str
    seed: int
    with_counts: bool


def options(settings: Settings) -> Options:
    """The choices of the settings; what a link names wrongly is as by default."""
    chosen = {name.removeprefix(_PREFIX): value for name, value in settings.learn.chosen if name.startswith(_PREFIX)}
    kind = EXERCISE_KINDS.get(chosen.get("kind", ""), next(iter(EXERCISE_KINDS.values())))
    tables = (OWN, RANDOM, *samples_for(kind.name))
    table = chosen.get("table", "")
    text = chosen.get("seed", "")[-_SEED_DIGITS:]
    seed = int(text) if text.isascii() and text.isdigit() else 0
    return Options(kind, table if table in tables else kind.sample, seed, chosen.get("counts") == "asked")


@cache
def samples_for(kind: str) -> tuple[str, ...]:
    """The small built-in tables that have what a kind of exercise needs."""
    small = [key for key, sample in SAMPLES.items() if sample.rows <= MOST_ROWS and sample.group == "textbook"]
    return tuple(key for key in small if EXERCISE_KINDS[kind].suits(sample_rows(key)))


def choose(name: str, value: str) -> None:
    """Change one of the choices."""
    settings = session.read()
    session.keep(changed(settings, learn=settings.learn.with_choice(_PREFIX + name, value)))


def data_for(settings: Settings, chosen: Options) -> ex.Dataset:
    """The rows of the exercise: of the reader's own table those of the node that is selected on Grow."""
    if chosen.table == RANDOM:
        return random_table(chosen.seed, chosen.kind.is_regression)
    if chosen.table != OWN:
        return by_hand(sample_rows(chosen.table), chosen.seed)
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    node = settings.node if settings.node < len(tree.parent) else 0
    return by_hand(train, chosen.seed, tree.rows_at(train, node).tolist())
