"""Cross-validation against R's rpart on the same folds (numbers and command in golden/rpart_xval.json).

rpart's CP times the risk of the root is α, its xerror and xstd times that risk are mean and standard error. Two things
differ between the programs and are kept out of the comparison by the choice of data, not by tolerance:

* A held-out row whose value is exactly the threshold goes left here and right there: features are logarithms.
* Two features that part a small node in the same way tie. Each program takes the first one up to its own rounding, the
  training rows do not notice, held-out rows do. So one table of numbers asks for ten rows per leaf, where this does not
  happen, and the one with leaves of a single row is compared for its smaller trees only.

The explorer also goes on where no split gains anything, and lists the full tree apart from T(0); rpart does neither.
"""

import json

import numpy as np
import pytest

import explorer as ex
from explorer.data.samples import load_sample
from tests.folders import GOLDEN_FOLDER

CASES = json.loads((GOLDEN_FOLDER / "rpart_xval.json").read_text("utf-8"))["cases"]
WHOLE = 10_000
COMPARED = [WHOLE, WHOLE, WHOLE, 9]
"""Leaves up to which the sequences are compared."""


def cross_validated(case: dict) -> ex.CrossValidation:
    """The same table, folds and rules here."""
    frame = load_sample(case["table"]).frame.dropna(subset=[case["target"], *case["columns"]])
    frame = frame.assign(**{name: np.log(frame[name]) for name in case["columns"]})
    data = ex.Dataset.from_frame(frame, case["target"], case["columns"], weights=case["weights"])
    assert data.n_rows == case["rows"]
    least = float(case["least"])
    recipe = ex.CART.replace(min_score=1e-9, max_depth=30, min_rows_leaf=least, min_rows_split=2 * least)
    options = {"risk": "error", "metric": "error"} if case["method"] == "class" else {}
    return ex.cross_validate_path(data, recipe, np.array(case["fold_of_row"]), **options)


@pytest.mark.parametrize(
    ("case", "most"), list(zip(CASES, COMPARED, strict=True)), ids=["iris", "penguins", "cars", "cars to the last row"]
)
def test_same_sequence_mean_and_standard_error(case, most):
    found = cross_validated(case)
    start = int(found.alphas[1] == 0)
    kept = np.flatnonzero(found.n_leaves[start:] <= most) + start
    theirs = np.flatnonzero(np.array(case["nsplit"]) < most)[::-1]
    assert kept.size >= 6
    assert list(found.n_leaves[kept] - 1) == [case["nsplit"][i] for i in theirs]
    for name, ours in (("alpha", found.alphas), ("risk", found.path.risks), ("mean", found.mean)):
        assert ours[kept] == pytest.approx(np.array(case[name])[theirs], rel=1e-10, abs=1e-12), name
    assert found.standard_error[kept] == pytest.approx(np.array(case["standard_error"])[theirs], rel=1e-10)
