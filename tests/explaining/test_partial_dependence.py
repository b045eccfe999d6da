"""Partial dependence against every row predicted anew with the feature set to a value of each step."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex

RECIPES = {
    "thresholds": ex.CART.replace(max_depth=5),
    "full depth": ex.CART.replace(missing="surrogate"),
    "surrogates": ex.CART.replace(max_depth=4, missing="surrogate"),
    "fractional": ex.C45.replace(max_depth=4),
    "each value": ex.ID3.replace(max_depth=3, missing="own_branch", numeric="bins"),
    "default direction": ex.CART.replace(max_depth=4, missing="default_direction"),
}


def rows(numeric, weighted, seed=0):
    random = np.random.default_rng(seed)
    x = random.random((160, 2)).round(2)
    frame = pd.DataFrame({"x": x[:, 0], "v": x[:, 1], "z": random.choice(list("abc"), 160)})
    total = frame["x"] + frame["v"] + (frame["z"] == "a") + random.normal(0, 0.3, 160)
    frame["y"] = total if numeric else np.where(total > 1.2, "p", "q")
    for name in ("x", "v", "z"):
        frame[name] = frame[name].where(random.random(160) > 0.1)
    weights = random.choice([0.5, 1.0, 4.0], 160) if weighted else None
    return ex.Dataset.from_frame(frame, "y", weights=weights)


def predicted(tree, frame, weights):
    each = tree.predict(frame)[:, None] if tree.is_regression else tree.predict_proba(frame)
    return np.average(each, axis=0, weights=weights)


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("name", RECIPES)
def test_each_step_is_the_mean_of_all_rows_with_that_value(name, numeric):
    recipe = RECIPES[name].replace(score="decrease", impurity=None) if numeric else RECIPES[name]
    data = rows(numeric, weighted=name == "thresholds")
    tree, frame = ex.grow(data, recipe), data.frame
    for feature in ("x", "v", "z"):
        found = ex.partial_dependence(tree, feature, data)
        if len(found.cuts):
            values = [*found.cuts, found.cuts[-1] + 1.0]
        elif found.values and feature != "z":  # bins
            encoding = next(each for each in tree.features if each.name == feature)
            values = [*encoding.edges, encoding.edges[-1] + 1.0]
        else:
            values = [np.nan if value is None else value for value in found.values] or [frame[feature].dropna().iloc[0]]
        assert len(found.means) == len(values)
        for value, means in zip(values, found.means, strict=True):
            expected = predicted(tree, frame.assign(**{feature: value}), data.weight_of_rows())
            np.testing.assert_allclose(means, expected, atol=1e-12)


def test_between_two_cuts_nothing_changes():
    data = rows(numeric=True, weighted=False)
    tree = ex.grow(data, ex.CART.replace(max_depth=5))
    found = ex.partial_dependence(tree, "x", data)
    for value in np.linspace(-0.5, 1.5, 41):
        step = np.searchsorted(found.cuts, value)
        expected = predicted(tree, data.frame.assign(x=value), None)
        np.testing.assert_allclose(found.means[step], expected, atol=1e-12)


def test_a_column_that_is_no_feature_is_refused():
    data = rows(numeric=False, weighted=False)
    with pytest.raises(ex.InputError, match="no feature 'w'"):
        ex.partial_dependence(ex.grow(data, ex.CART), "w", data)
