"""Trees under priors and a loss matrix against R's rpart, by node (numbers and command in golden/rpart_costs.json).

rpart may call either branch the left one. A few small nodes have two features of exactly the same worth, of which
rpart takes the one that its own rounding favours; the leaves below such a tie are not compared.
"""

import json

import numpy as np
import pytest

import explorer as ex
from explorer.data.samples import load_sample
from explorer.pruning import node_risk
from tests.folders import GOLDEN_FOLDER

CASES = json.loads((GOLDEN_FOLDER / "rpart_costs.json").read_text("utf-8"))["cases"]
TIES = {"iris": (2, 6), "credit_g": (1, 2)}
"""How many ties there are, and how many nodes lie below them in both trees."""


def grown(case: dict) -> tuple[ex.Tree, ex.Dataset]:
    """The same table, priors, costs and minima here."""
    frame = load_sample(case["table"]).frame
    frame = frame.assign(**{name: np.log(frame[name]) for name in case["columns"]})
    data = ex.Dataset.from_frame(frame, case["target"], case["columns"], classes=case["classes"])
    counts = np.bincount(data.y)
    priors = dict(zip(case["classes"], np.array(case["prior"]) * data.n_rows / counts, strict=True))
    loss = np.array(case["loss"]).reshape(len(counts), -1)
    costs = {a: dict(zip(case["classes"], row, strict=True)) for a, row in zip(case["classes"], loss, strict=True)}
    least = float(case["least"])
    limits = {"min_rows_leaf": least, "min_rows_split": 2 * least, "min_score": 1e-9}
    return ex.grow(data, ex.CART.replace(class_weights=priors, costs=costs, **limits)), data


@pytest.mark.parametrize("case", CASES, ids=["iris", "credit"])
def test_same_splits_labels_shares_and_expected_costs(case):
    tree, data = grown(case)
    place = {number: row for row, number in enumerate(case["node"])}
    shares = np.array(case["shares"]).reshape(len(place), -1)
    risk = node_risk(tree, "error")
    todo, seen, ties = [(0, 1)], 0, 0
    while todo:
        ours, theirs = todo.pop()
        seen, row, node = seen + 1, place[theirs], tree.node(ours)
        assert tree.row_stats[ours].sum() == pytest.approx(case["rows"][row])
        assert node.label == case["label"][row]
        assert list(node.probabilities) == pytest.approx(list(shares[row]), abs=1e-9)
        assert risk[ours] * data.n_rows == pytest.approx(case["dev"][row], abs=1e-9)
        if node.is_leaf:
            assert case["feature"][row] == "<leaf>"
            continue
        decision = ex.decide(tree, data, ours)
        assert decision.chosen.gain * tree.weight[ours] == pytest.approx(case["improve"][row], rel=1e-9)
        if node.condition.feature != case["feature"][row]:
            assert case["feature"][row] in decision.tied
            ties += 1
            continue
        assert node.condition.threshold == pytest.approx(case["threshold"][row], rel=1e-9)
        sides = [2 * theirs, 2 * theirs + 1]
        todo += zip(node.children, sides if case["low_goes_left"][row] < 0 else sides[::-1], strict=True)
    assert (ties, len(place) - seen, tree.n_nodes - seen) == (*TIES[case["table"]], TIES[case["table"]][1])


@pytest.mark.parametrize("case", CASES, ids=["iris", "credit"])
def test_sequence_under_expected_cost_starts_and_ends_at_rparts_costs(case):
    tree, data = grown(case)
    path = ex.cost_complexity_path(tree, risk="error")
    leaves = [dev for dev, feature in zip(case["dev"], case["feature"], strict=True) if feature == "<leaf>"]
    assert path.risks[-1] * data.n_rows == pytest.approx(case["dev"][0])
    assert path.risks[0] * data.n_rows == pytest.approx(sum(leaves), abs=1e-9)
