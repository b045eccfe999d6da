"""The provenance of an ensemble: that of the single tree on the same rows, and what was grown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.drawing.ensemble_view.records import EnsemblePicture
from explorer.ensembles.members import Ensemble
from explorer.export.report.provenance import Provenance
from explorer.tree.constraints import Choices


@dataclass(frozen=True, eq=False)
class EnsembleProvenance:
    """An ensemble and its peers on the same rows.

    `of_tree` is the provenance of the single tree, with the table and its parts. `picture` has the scores by stage.
    `peers` are scores of the constant, the tree and the pruned tree on `rows` ("training", "validation", "oob").
    `forced` are members that were grown again with choices, in this order.
    """

    of_tree: Provenance
    ensemble: Ensemble
    picture: EnsemblePicture
    rows: str
    peers: Mapping[str, float] = field(default_factory=dict)
    forced: tuple[tuple[int, Choices], ...] = ()
