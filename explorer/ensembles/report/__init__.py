"""An ensemble with its provenance: as a report, as a script that grows it again, and as a table of predictions."""

from explorer.ensembles.report.provenance import EnsembleProvenance
from explorer.ensembles.report.script import ensemble_script
from explorer.ensembles.report.sections import ensemble_report
from explorer.ensembles.report.table import predictions_frame

__all__ = [
    "EnsembleProvenance",
    "ensemble_report",
    "ensemble_script",
    "predictions_frame",
]
