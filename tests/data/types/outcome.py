"""What has become of a column, in the words of docs/types.md."""

from __future__ import annotations

import explorer as ex
from tests.data.types.cases import Case
from tests.data.types.formats import Made

NONE = "–"


def outcome(made: Made, case: Case) -> str:
    """The word for what a format makes of a case; the values themselves where they are others than expected."""
    if made is None:
        return NONE
    feature, missing = made.features[0], _missing(made)
    word = _word_of_numbers(made, case) if feature.kind == "numeric" else _word_of_categories(feature.categories, case)
    known = (
        len(case.numbers) if word in ("numbers", "days", "seconds") else sum(cell is not None for cell in case.cells)
    )
    if word == "categories" and missing == len(case.cells) - known + case.cells.count("NA") > missing_cells(case):
        return "categories, NA missing"
    return word if missing == len(case.cells) - known else f"{word}, {missing} missing"


def missing_cells(case: Case) -> int:
    return sum(cell is None for cell in case.cells)


def _missing(made: ex.Dataset | ex.Source) -> int:
    return next(column.n_missing for column in made.columns if column.name == "c")


def _word_of_numbers(made: ex.Dataset | ex.Source, case: Case) -> str:
    rows = made.sample(10) if isinstance(made, ex.Source) else made
    values = rows.features[0].values.tolist()
    return case.unit if values == sorted(set(map(float, case.numbers))) else f"numbers {values}"


def _word_of_categories(categories: tuple, case: Case) -> str:
    if all(isinstance(category, bool) for category in categories):
        return "truth values"
    texts = [str(category) for category in categories]
    if case.levels and texts == list(case.levels):
        return "in order"
    found = {text.casefold() for text in texts}
    forms = [{text.casefold() for text in known} - {"na"} for known in (case.texts, filter(None, case.written))]
    return "categories" if found - {"na"} in forms else f"categories {texts}"
