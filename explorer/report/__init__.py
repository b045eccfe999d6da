"""A tree with everything that led to it: as a report to read, and as a script that grows it again."""

from explorer.report.provenance import Provenance
from explorer.report.script import to_script
from explorer.report.writing import to_report

__all__ = ["Provenance", "to_report", "to_script"]
