"""Trees with surrogates against R's rpart (numbers and command in golden/rpart_surrogates.json).

Each program calls one of two branches the first, so nodes are matched by variable, rows and deviance, not by place.
Surrogates that agree equally often may stand in another order.
"""

import json

import numpy as np
import pytest

import explorer as ex
from explorer.data.samples import load_sample
from tests.folders import GOLDEN_FOLDER

CASES = json.loads((GOLDEN_FOLDER / "rpart_surrogates.json").read_text("utf-8"))["cases"]


def grown(case: dict) -> tuple[ex.Tree, ex.Dataset]:
    """The same table, holes and rules here."""
    frame = load_sample(case["table"]).frame
    frame = frame.rename(columns={name: name.replace("-", ".") for name in frame.columns})
    frame = frame.dropna(subset=[case["target"]])[[case["target"], *case["columns"]]]
    if case["table"] == "auto_mpg":
        frame[case["columns"]] = np.log(frame[case["columns"]].astype(float))
        for place, name in enumerate(case["columns"], 2):
            frame.loc[np.arange(1, len(frame) + 1) % 7 == place, name] = np.nan
    frame = frame[frame[case["columns"]].notna().any(axis=1)]
    data = ex.Dataset.from_frame(frame, case["target"], case["columns"])
    assert data.n_rows == case["rows"]
    least = float(case["least"])
    recipe = ex.CART.replace(min_score=1e-9, min_rows_leaf=least, min_rows_split=2 * least, max_depth=case["depth"])
    return ex.grow(data, recipe), data


def deviance(tree: ex.Tree, node: int) -> float:
    """rpart's: misclassified weight, or the sum of squared errors."""
    return tree.stats[node, 2] if tree.is_regression else tree.weight[node] - tree.stats[node].max()


@pytest.mark.parametrize("case", CASES, ids=["vote", "cars"])
def test_nodes_surrogates_and_predictions_are_rparts(case):
    tree, data = grown(case)
    inner = np.flatnonzero(tree.feature >= 0)
    ours = {(tree.condition(i).feature, tree.weight[i], round(deviance(tree, i), 6)): i for i in inner}
    theirs = {(n["variable"], n["rows"], round(n["deviance"], 6)): n for n in case["nodes"]}
    assert set(ours) == set(theirs)
    compared = 0
    for key, node in ours.items():
        found = ex.decide(tree, data, node).surrogates
        expected = theirs[key]
        assert [s.agreement for s in found] == pytest.approx(expected["agreement"], rel=1e-12)
        assert [s.adjusted for s in found] == pytest.approx(expected["adjusted"], rel=1e-12)
        named = list(zip([s.feature for s in found], [round(s.agreement, 12) for s in found], strict=True))
        last = round(found[-1].agreement, 12) if len(found) == 5 else -1.0  # of those that tie for the last place, any
        wanted = zip(expected["surrogates"], [round(a, 12) for a in expected["agreement"]], strict=True)
        assert {one for one in named if one[1] != last} == {one for one in wanted if one[1] != last}
        compared += len(found)
    assert compared >= 8
    predictions = tree.predict(data)
    if tree.is_regression:
        assert list(predictions) == pytest.approx(case["answers"], rel=1e-12)
    else:
        assert list(predictions) == case["answers"]
