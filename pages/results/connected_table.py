"""The connected table that the settings are about: its rows as they divide them, encoded or not yet."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.messages import listing, message, plural
from explorer.sources.level_report import LevelReport
from explorer.sources.query_steps import QueryStep as QueryStep
from explorer.sources.source import Progress
from pages.results.connected import division, opened, remedies
from pages.results.connected.division import Division
from pages.results.connected.opened import Connected, Rows, Wanted
from pages.results.source import source
from pages.settings import growing_options
from pages.settings.memo import remembered
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings


def table(settings: Settings) -> Connected:
    """The table; only for settings that name one."""
    connected = source(settings).connected
    assert connected is not None
    return connected


@remembered
def divided(settings: Settings) -> Division:
    """How its rows become training, validation and test set. Raises InputError."""
    return division.of(settings, source(settings).target, table(settings).preview)


@remembered
def wanted(settings: Settings) -> Wanted:
    """What its working table depends on beside its rows. Raises InputError."""
    given = settings.features
    features = None if given is None else tuple(name for name in given if name != settings.weight)
    return Wanted(source(settings).target, features, settings.kinds, settings.weight, divided(settings))


def n_train(settings: Settings) -> int:
    """About how many rows the training set has, known before they are encoded. Raises InputError."""
    how, preview = divided(settings), table(settings).preview
    if how.values:
        column = preview.frame[how.column]
        return round(preview.n_rows * float((column == how.values[0]).mean()))
    return round(preview.n_rows * (how.shares[0] if how.shares else 1))


def first_recipe(settings: Settings) -> ex.Recipe:
    """What a connected table begins with: as other large tables, but without surrogate splits, which need rows."""
    preview = table(settings).preview.frame
    weights = preview[settings.weight].to_numpy(dtype=np.float64) if settings.weight else np.ones(1)
    return remedies.counted(growing_options.first_recipe(weights, n_train(settings)))


def grown_from_counts(settings: Settings, growing: GrowSettings) -> GrowSettings:
    """An algorithm that the reader has picked; for a connected table with a policy for missing values that can count.

    What the reader has chosen beside the algorithm stays.
    """
    if not settings.connected or "missing" in dict(growing.changes):
        return growing
    recipe = growing.recipe(ex.CART)
    policy = remedies.counted(recipe).missing
    return growing if recipe.missing == policy else growing.with_change("missing", policy)


def key(settings: Settings) -> str:
    """A text for the content of its working table."""
    return f"{source(settings).key} {wanted(settings)!r}"


def rows(settings: Settings) -> Rows:
    """All its rows. Raises InputError."""
    return opened.rows(table(settings), wanted(settings))


def is_ready(settings: Settings) -> bool:
    """Whether its rows are encoded."""
    return opened.is_ready(table(settings), wanted(settings))


def prepare(settings: Settings, progress: Progress | None) -> None:
    """Encode its rows unless they are. Raises InputError, EngineError and Stopped."""
    opened.prepare(table(settings), wanted(settings), progress)


def steps(settings: Settings) -> list[QueryStep]:
    """What was asked of its engine so far, the oldest first."""
    return list(rows(settings).train.steps)


def progress_text(settings: Settings, max_depth: int | None) -> str:
    """At which level a tree of at most this depth is growing now; "" before it has begun."""
    newest = rows(settings).newest
    return level_text(newest[0], max_depth) if newest else ""


def grows_small_nodes(settings: Settings) -> bool:
    """Whether small nodes are being grown in memory now, by the loops that grow other tables."""
    newest = rows(settings).newest
    return bool(newest) and not newest[0].nodes


def level_text(report: LevelReport, max_depth: int | None) -> str:
    """One level in words.

    >>> level_text(LevelReport(3, nodes=16, bins=1000, bins_alive=12), 6)
    'Level 4 of 6, 16 nodes, 1.2 % of bins looked into'
    >>> level_text(LevelReport(3, nodes=16), None)
    'Level 4, 16 nodes'
    """
    level = report.depth + 1
    if not report.nodes:
        return message("Level {level}: small nodes are taken into memory and grown there", level=level)
    parts = [
        message("Level {level}", level=level)
        if max_depth is None
        else message("Level {level} of {most}", level=level, most=max_depth),
        plural(report.nodes, "{n:,} node", "{n:,} nodes"),
    ]
    if report.bins:
        parts.append(message("{share:.1f} % of bins looked into", share=100 * report.share_looked_into))
    return listing(parts)


def sample_text(settings: Settings) -> str:
    """On which of the rows something is shown that needs rows; "" for a table in memory, or a small one."""
    if not settings.connected or not table(settings).preview.is_sample:
        return ""
    return message(
        "On a sample of {n:,} of {all_rows:,} rows.",
        n=len(table(settings).preview.frame),
        all_rows=source(settings).n_rows,
    )
