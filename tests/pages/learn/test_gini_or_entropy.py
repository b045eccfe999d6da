"""The scene on the two measures: the first splits against scores worked out from the rows."""

import numpy as np
import pytest

import explorer as ex
from pages.learn.path import scene_of


def impurity(labels, measure):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return 1 - (shares**2).sum() if measure == "gini" else -(shares * np.log2(shares)).sum()


def best_decrease(values, labels, measure):
    """The largest decrease over the thresholds of a number, or over one value against the rest."""
    is_number = np.issubdtype(np.asarray(values).dtype, np.number)
    masks = [np.asarray(values) <= v if is_number else np.asarray(values) == v for v in sorted(set(values))]
    decreases = [
        impurity(labels, measure) - sum(m.mean() * impurity(labels[m], measure) for m in (mask, ~mask))
        for mask in masks
        if 0 < mask.sum() < len(mask)
    ]
    return max(decreases)


@pytest.fixture(scope="module")
def melons():
    return ex.load_sample("watermelon_3_0").frame


@pytest.mark.parametrize(("measure", "winner"), [("gini", "纹理"), ("entropy", "含糖率")])
def test_the_measures_part_on_the_watermelons(melons, measure, winner):
    step = {step.name: step for step in scene_of("gini_or_entropy").steps({"measure": measure})}["one table"]
    labels = melons["好瓜"].to_numpy()
    expected = {name: best_decrease(melons[name].to_numpy(), labels, measure) for name in ("纹理", "含糖率")}
    assert max(expected, key=expected.get) == winner
    drawn = {name: value for name, value in step.numbers.items() if "纹理" in name or "含糖率" in name}
    assert sorted(drawn.values()) == pytest.approx(sorted(expected.values()))
    assert next(bar.label for bar in step.picture.bars if bar.is_best).startswith(winner)


def test_the_lit_rows_are_those_that_differ():
    step = scene_of("gini_or_entropy").steps({})[0]
    differing = [row for row, (_, first, second) in enumerate(step.picture.rows) if first != second]
    assert list(step.picture.lit) == differing
    assert step.question.options[step.question.right[0]] == str(len(differing)) == "1"
    assert {row[2] for row in step.before.rows} == {"?"}


def test_by_the_gini_index_the_two_features_are_equal_and_by_entropy_a_lower_threshold_wins(melons):
    labels = melons["好瓜"].to_numpy()
    gini = [best_decrease(melons[name].to_numpy(), labels, "gini") for name in ("纹理", "含糖率")]
    assert gini[0] == pytest.approx(gini[1])
    thresholds = {}
    for measure in ("gini", "entropy"):
        step = {step.name: step for step in scene_of("gini_or_entropy").steps({"measure": measure})}["one table"]
        label = next(bar.label for bar in step.picture.bars if bar.label.startswith("含糖率"))
        thresholds[measure] = float(label.split("≤")[1])
    assert thresholds["entropy"] < thresholds["gini"]
