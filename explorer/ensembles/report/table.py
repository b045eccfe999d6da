"""What an ensemble predicts for every row, as a table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from explorer.data.dataset import Dataset
from explorer.ensembles.members import Ensemble


def predictions_frame(ensemble: Ensemble, parts: Mapping[str, Dataset | None]) -> pd.DataFrame:
    """Row number (from 1), part of the table, true value, prediction, and for classes the shares, [rows of all parts].

    `parts` are the sets of rows by their names; those that are None are left out.
    """
    frames = [_of_part(ensemble, name, rows) for name, rows in parts.items() if rows is not None]
    return pd.concat(frames, ignore_index=True).sort_values("row", ignore_index=True)


def _of_part(ensemble: Ensemble, name: str, rows: Dataset) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "row": rows.row_numbers + 1,
            "set": name,
            "actual": rows.frame[rows.target.name].to_numpy(),
            "predicted": ensemble.predict(rows),
        }
    )
    if ensemble.is_regression:
        return frame
    shares = ensemble.predict_proba(rows)
    return frame.assign(**{f"P({label})": shares[:, code] for code, label in enumerate(ensemble.classes)})
