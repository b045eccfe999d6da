"""The table of a test's branches: every number under a heading of its own, whatever classes are called."""

import pandas as pd
import pytest

import explorer as ex
from pages.grow import branches_table


def table_of(frame: pd.DataFrame, target: str, feature: str, recipe: ex.Recipe = ex.CART) -> pd.DataFrame:
    data = ex.Dataset.from_frame(frame, target)
    tree = ex.grow(data, recipe)
    return branches_table.branches_frame(tree, ex.decide(tree, data, 0).best[feature])


def test_branches_are_distinguished_however_long_the_feature_s_name_is():
    name = "n" * 300
    result = table_of(pd.DataFrame({name: [1.0, 2.0, 3.0, 4.0], "goal": list("aabb")}), "goal", name)
    assert result["branch"].tolist() == ["≤ 2.5", "> 2.5"]
    assert (result["a"].tolist(), result["b"].tolist(), result["Gini"].tolist()) == ([2, 0], [0, 2], [0, 0])


@pytest.mark.parametrize("taken", ["rows", "branch", "Gini"])
def test_a_class_called_as_another_column_has_a_column_of_its_own(taken):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "goal": [taken, taken, taken, "other"]})
    result = table_of(frame, "goal", "x")
    assert result["rows"].tolist() == [3, 1]
    assert result["branch"].tolist() == ["≤ 3.5", "> 3.5"]
    assert result[f"{taken} (class)"].tolist() == [3, 0]


def test_a_number_has_means_instead_of_classes():
    result = table_of(pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 7.0]}), "y", "x")
    assert result["mean"].tolist() == [1, 6]
    assert result["variance"].tolist() == [0, 1]
    assert list(result) == ["branch", "rows", "variance", "mean"]
