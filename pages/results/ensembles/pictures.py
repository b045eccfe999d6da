"""The picture of the ensemble, and of one row under all members, as records and as the view reads them."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload as packed_picture
from explorer.drawing.ensemble_view.payload import row_payload as packed_row
from explorer.drawing.ensemble_view.records import EnsemblePicture, RowPicture
from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture import picture_of
from explorer.ensembles.picture import row_picture as picture_of_row
from explorer.messages import current_catalogue
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.results.ensembles import grown, options
from pages.settings.ensemble_settings import METHODS
from pages.settings.memo import remembered
from pages.settings.settings import Settings


def stage_of(settings: Settings, made: Ensemble) -> int:
    """The stage shown: the one chosen where there is one, else the last."""
    chosen = settings.ensembles.stage
    return made.n_stages if chosen is None else min(chosen, made.n_stages)


def _key(settings: Settings) -> str:
    """A text for everything that a picture depends on; of a stopped ensemble also how far it came."""
    valid = trees.parts(settings).valid
    rows = valid.fingerprint if valid is not None else ""
    return f"{grown.key_of(settings)} {rows} {grown.ensemble(settings).n_stages} {current_catalogue().language}"


@remembered
def picture(settings: Settings) -> EnsemblePicture:
    """The picture with the scores of the peers, or with their expected costs; raises InputError."""
    made = grown.ensemble(settings)
    rows = grown.row_set(settings, made)
    peers, costs = grown.compared(settings, rows), grown.costs(settings, made, rows)
    levels = (peers.constant, peers.tree, peers.pruned) if costs is None else (costs[0], *peers.costs)
    names = ("constant", "tree", "pruned_tree")
    scores = {name: level for name, level in zip(names, levels, strict=False) if level is not None}
    method = METHODS[options.explicit(settings).method]
    return _picture(_key(settings), repr(scores), method, made, trees.parts(settings).valid, scores)


@kept()
def _picture(
    key: str, scores: str, method: str, _made: Ensemble, _valid: ex.Dataset | None, _scores: dict[str, float]
) -> EnsemblePicture:
    return picture_of(_made, _valid, _scores, method)


def picture_payload(settings: Settings) -> bytes:
    """The picture as the view reads it."""
    return _payload(_key(settings), picture(settings))


@kept()
def _payload(key: str, _picture: EnsemblePicture) -> bytes:
    return packed_picture(_picture)


def grow_in_job(settings: Settings, source: trees.Source, progress: jobs.Progress) -> None:
    """Grow the ensemble and draw its picture; a stop in the middle keeps the members so far."""
    with trees.on_table(source):
        grown.grow_kept(settings, progress)
        picture_payload(settings)


def row_rows(settings: Settings) -> ex.Dataset | None:
    """The row chosen, of any part of the table; None without one."""
    number = settings.ensembles.row
    parts = trees.parts(settings)
    for part in (parts.train, parts.valid, parts.test):
        if number is not None and part is not None:
            found = np.flatnonzero(part.row_numbers == number)
            if len(found):
                return part.take(found[:1])
    return None


def row_payload(settings: Settings) -> bytes | None:
    """The row chosen as the view reads it."""
    row = row_rows(settings)
    if row is None:
        return None
    return _row_payload(_key(settings), int(row.row_numbers[0]), grown.ensemble(settings), row)


@kept()
def _row_payload(key: str, number: int, _made: Ensemble, _row: ex.Dataset) -> bytes:
    return packed_row(_row_picture(key, number, _made, _row))


@kept()
def _row_picture(key: str, number: int, _made: Ensemble, _row: ex.Dataset) -> RowPicture:
    return picture_of_row(_made, _row)
