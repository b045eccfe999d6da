"""Bias and variance of small trees by exact enumeration: all 16 samples of four points with noise of ±1."""

import json
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["bias_variance"]
F = np.array([0.0, 1.0, 4.0, 10.0])
SAMPLES = [F + noise for noise in product((-1.0, 1.0), repeat=4)]
BOOTSTRAPS = Counter(tuple(np.bincount(rows, minlength=4)) for rows in product(range(4), repeat=4))


def table(y):
    """The four points, x = 1 … 4; equal answers and single values are as good as others here."""
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": y})
    return ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"})


def bias_and_variance(predictions):
    """Mean bias² and mean variance over the points, from the predictions of every sample, [samples, points]."""
    return float(((predictions.mean(axis=0) - F) ** 2).mean()), float(predictions.var(axis=0).mean())


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_bias_and_variance_of_one_tree_over_all_samples(depth):
    recipe = ex.CART.replace(max_depth=depth)
    tables = [table(y) for y in SAMPLES]
    found = bias_and_variance(np.array([ex.grow(data, recipe).predict_encoded(data) for data in tables]))
    golden = GOLDEN["by_depth"][str(depth)]
    expected = [eval_fraction(golden[name]) for name in ("mean_bias2", "mean_variance")]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("depth", [1, 3])
def test_bagging_over_all_bootstrap_samples_helps_stumps_and_harms_deep_trees(depth):
    recipe = ex.CART.replace(max_depth=depth)
    bagged = []
    for y in SAMPLES:
        data, total = table(y), np.zeros(4)
        for times, count in BOOTSTRAPS.items():
            total += count * ex.grow(data.with_weights(np.array(times)), recipe).predict_encoded(data)
        bagged.append(total / 256)
    golden = GOLDEN["by_depth"][str(depth)]["bagged_over_all_256_bootstraps"]
    expected = [golden[f"mean_{name}_float"] for name in ("bias2", "variance")]
    assert bias_and_variance(np.array(bagged)) == pytest.approx(expected, abs=1e-9)
    alone = sum(eval_fraction(GOLDEN["by_depth"][str(depth)][name]) for name in ("mean_bias2", "mean_variance"))
    assert (sum(expected) < alone) == (depth == 1)


def eval_fraction(text):
    numerator, _, denominator = text.partition("/")
    return int(numerator) / int(denominator or 1)
