"""An ensemble as the records of numbers that its picture draws."""

from explorer.ensembles.picture.of_ensemble import picture_of
from explorer.ensembles.picture.of_row import row_picture

__all__ = ["picture_of", "row_picture"]
