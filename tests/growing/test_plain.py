"""The short loops for plain tables against the loops for all: the same arrays, bit for bit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing.engine.node_tables import TreeArrays, tree_arrays
from explorer.growing.engine.scheduler import grow_tables
from explorer.growing.plain import grow_plain
from explorer.growing.scans.problem import problem_for
from explorer.recipe.columns import columns_for, empty_columns
from explorer.recipe.parameters import parameters_for
from explorer.threads import shared_pool, using_threads
from tests.oracles import bridge
from tests.oracles.examples import law, slow
from tests.oracles.tables import mixed_data

EACH_VALUE = ex.CART.replace(categorical="each_value")
RECIPES = {
    "gini": ex.CART,
    "leaf": ex.CART.replace(categorical="each_value", min_rows_leaf=6.0, threshold_at="observed"),
    "depth": ex.CART.replace(max_depth=4, missing="surrogate", min_impurity_decrease=0.002),
}
RECIPES_FOR_CLASSES = {
    "c45": ex.C45,
    "gain": ex.ID3.replace(numeric="threshold", min_rows_leaf=3.0, log_base="e"),
    "error": ex.CART.replace(impurity="error", categorical="each_value", empty_branches=True),
    "bins": ex.C45.replace(numeric="bins", min_rows_in="two", min_rows_leaf=4.0),
    "release 8": ex.C45.replace(release8_penalty=True, release8_numeric_minimum=True, min_rows_leaf=2.0),
}


def is_plain(data: ex.Dataset, recipe: ex.Recipe) -> bool:
    """Whether the short loops grow this table."""
    return grow_plain.is_plain(data, columns_for(data, recipe), parameters_for(recipe, data))


def both(data: ex.Dataset, recipe: ex.Recipe, keep: bool = True) -> tuple[TreeArrays, TreeArrays]:
    """The arrays of the tree by the loops for plain tables and by those for all."""
    assert is_plain(data, recipe)
    columns, parameters = columns_for(data, recipe), parameters_for(recipe, data, keep)
    problem = problem_for(data, columns, shared_pool())
    general = tree_arrays(grow_tables(problem, parameters, keep, None, empty_columns(columns)))
    return grow_plain.grow_plain(data, columns, parameters, None, keep), general


def assert_same(data: ex.Dataset, recipe: ex.Recipe, keep: bool = True) -> None:
    """Every array has the same type, shape and numbers."""
    plain, general = both(data, recipe, keep)
    assert plain.keys() == general.keys()
    for name, expected in general.items():
        if expected is None:
            assert plain[name] is None, name
        else:
            assert plain[name].dtype == expected.dtype, name
            np.testing.assert_array_equal(plain[name], expected, err_msg=name)


@law(90)
@given(st.data())
def test_random_tables(data):
    sample = data.draw(bridge.samples(missing=False))
    rules = data.draw(bridge.rules_for(sample, categorical=data.draw(st.sampled_from(["subset", "each_value"]))))
    policies = ["most_common", "surrogate", "fractional", *(["same_class"] if sample.classes else [])]
    changes = {
        "release8_penalty": data.draw(st.booleans()),
        "max_depth": data.draw(st.sampled_from([None, 1, 3])),
        "missing": data.draw(st.sampled_from(policies)),
    }
    table, recipe = bridge.to_dataset(sample, weighted=False), bridge.to_recipe(rules).replace(**changes)
    assume(is_plain(table, recipe))
    assert_same(table, recipe, keep=data.draw(st.booleans()))


@pytest.mark.parametrize("target", ["two", slow("four"), "number"])
@pytest.mark.parametrize("name", RECIPES)
def test_tables_of_all_columns(name, target):
    recipe = RECIPES[name].replace(categorical="each_value")
    if target == "number":
        recipe = recipe.replace(categorical="subset", min_rows_leaf=0.0)
    assert_same(mixed_data(target, None, 0.0), recipe)


@pytest.mark.parametrize("target", ["two", "four"])
@pytest.mark.parametrize("name", RECIPES_FOR_CLASSES)
def test_tables_of_classes(name, target):
    assert_same(mixed_data(target, None, 0.0), RECIPES_FOR_CLASSES[name].replace(categorical="each_value"))


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("target", ["two", "number"])
def test_large_nodes_are_split_by_many_threads(target, threads):
    recipe = ex.CART.replace(categorical="subset" if target == "number" else "each_value", min_rows_leaf=1.0)
    with using_threads(threads):
        assert_same(mixed_data(target, None, 0.0, rows=2_500), recipe)
        assert_same(mixed_data(target, None, 0.0, rows=25_000), recipe.replace(max_depth=5), keep=False)


@law(40)
@given(st.data())
def test_subsets_and_thresholds_of_two_classes(data):
    """Columns of one to 300 values, some of which no row or only one has, many of them with equal shares."""
    rows = data.draw(st.sampled_from([2, 3, 30, 200, 1_000]))
    draw = np.random.default_rng(data.draw(st.integers(0, 999)))
    columns, kinds = {}, {"y": "categorical"}
    for i in range(data.draw(st.integers(1, 5))):
        n_values = data.draw(st.sampled_from([1, 2, 5, 63, 64, 65, 130, 256, 257, 300]))
        values = np.minimum(draw.geometric(min(1.0, 3.0 / n_values), rows) - 1, n_values - 1)
        is_words = data.draw(st.booleans())
        columns[f"f{i}"] = np.array([f"v{code}" for code in values]) if is_words else values.astype(float)
        kinds[f"f{i}"] = [f"v{code}" for code in range(n_values)] if is_words else "numeric"
    signal = columns["f0"] if kinds["f0"] == "numeric" else np.arange(rows) // 2
    y = (signal + draw.integers(0, 3, rows)).astype(int) % 2
    y[:2] = 0, 1
    frame = pd.DataFrame(columns).assign(y=y)
    frame = pd.concat([frame] * data.draw(st.sampled_from([1, 3])))
    table = ex.Dataset.from_frame(frame, "y", list(columns), kinds)
    changes = {
        "impurity": data.draw(st.sampled_from(["gini", "entropy", "error"])),
        "min_rows_leaf": data.draw(st.sampled_from([0.0, 1.0, 4.0])),
        "missing": data.draw(st.sampled_from(["most_common", "surrogate", "fractional"])),
        "release8_penalty": data.draw(st.booleans()),
    }
    if changes["impurity"] == "entropy" and data.draw(st.booleans()):
        changes["score"] = "gain_ratio"
    recipe = ex.CART.replace(**changes)
    assume(is_plain(table, recipe))
    assert_same(table, recipe, keep=data.draw(st.booleans()))


def test_a_large_node_without_a_feature_that_has_two_values():
    columns = {"parted": np.arange(5_000) % 10 == 0, "constant": "v"}
    frame = pd.DataFrame(columns).astype(str).assign(y=np.arange(5_000) % 3 == 0)
    data = ex.Dataset.from_frame(frame, "y", list(columns), dict.fromkeys(frame, "categorical"))
    with using_threads(2):
        assert_same(data, EACH_VALUE)
        assert_same(data, ex.CART)


def numbers_of(name: str, draw: np.random.Generator, n: int) -> np.ndarray:
    """A numeric target that is hard to sum up, or to compare."""
    if name == "offset":
        return 1e9 + draw.normal(size=n)
    if name == "heavy tails":
        return draw.standard_cauchy(n) ** 3
    if name == "few values":
        return draw.integers(0, 3, n).astype(float)
    if name == "tiny beside one":
        return np.where(np.arange(n) < n // 4, 1e-70 * draw.integers(0, 9, n), draw.normal(size=n))
    return np.tile(draw.normal(size=2), n)[:n]  # two values in turn: rounding decides what is equal


@pytest.mark.parametrize("name", ["offset", "heavy tails", "few values", "tiny beside one", "in turn"])
def test_numeric_targets_that_are_hard_to_sum_up(name):
    draw, n = np.random.default_rng(5), 400
    real = draw.normal(size=n)
    frame = pd.DataFrame({"a": real, "copy": real, "few": draw.integers(0, 5, n), "turned": -real})
    data = ex.Dataset.from_frame(frame.assign(y=numbers_of(name, draw, n)), "y", kinds={"y": "numeric"})
    assert_same(data, ex.CART)


def test_some_rows_of_a_table_with_more_values_than_these_have():
    draw = np.random.default_rng(2)
    frame = pd.DataFrame({"a": np.arange(900) // 2, "b": draw.integers(0, 2, 900)})
    frame = frame.assign(y=draw.normal(size=900) + (frame["a"] % 7) + frame["b"])
    data = ex.Dataset.from_frame(frame, "y", kinds={"y": "numeric"})
    assert_same(data.take(np.arange(300)), ex.CART)  # 150 of 450 values


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("recipe", [ex.CART, ex.C45, ex.CART.replace(impurity="error")])
def test_equal_candidates_go_to_the_first(recipe, classes):
    """Mirrored columns and rows that occur twice: half of the candidates equal another one."""
    draw, n = np.random.default_rng(1), 300
    columns = {"a": draw.integers(0, 40, n), "b": draw.integers(0, 3, n), "c": draw.permutation(n) // 2}
    frame = pd.DataFrame(columns).assign(d=lambda table: -table["a"], e=lambda table: table["c"] % 2)
    frame = pd.concat([frame.assign(y=draw.integers(0, classes, n))] * 2)
    assert_same(ex.Dataset.from_frame(frame, "y", kinds={"y": "categorical"}), recipe)


@pytest.mark.parametrize(
    ("recipe", "weights", "missing", "expected"),
    [
        (EACH_VALUE, None, 0.0, True),
        (EACH_VALUE, "counts", 0.0, False),
        (EACH_VALUE, None, 0.1, False),
        (EACH_VALUE.replace(max_features=2), None, 0.0, False),
        (EACH_VALUE.replace(random_thresholds=True), None, 0.0, False),
        (EACH_VALUE.replace(score="tan_schlimmer"), None, 0.0, False),
        (EACH_VALUE.replace(categorical="one_vs_rest"), None, 0.0, False),
        (EACH_VALUE.replace(categorical="subset"), None, 0.0, True),
        (EACH_VALUE.replace(categorical="subset", min_rows_leaf=2.0), None, 0.0, False),
        (ex.C45.replace(min_rows_leaf=2.0), None, 0.0, True),
    ],
)
def test_which_tables_are_plain(recipe, weights, missing, expected):
    assert is_plain(mixed_data("two", weights, missing), recipe) == expected


@pytest.mark.parametrize("target", ["two", "number"])
def test_grow_takes_the_short_loops_for_plain_tables(target, monkeypatch):
    data, calls, grow = mixed_data(target, None, 0.0), [], grow_plain.grow_plain
    recipe = ex.CART if target == "number" else EACH_VALUE
    monkeypatch.setattr("explorer.growing.grow.grow_plain", lambda *given: calls.append(given) or grow(*given))
    ex.grow(data, recipe)
    assert len(calls) == 1
    ex.grow(mixed_data(target, "counts", 0.0), recipe)
    assert len(calls) == 1


@law(30)
@given(st.data())
def test_thresholds_of_more_classes(data):
    """Columns on both sides of the limits up to which they are counted, many of them with equal gains."""
    rows, n_classes = data.draw(st.sampled_from([5, 30, 200, 1_000])), data.draw(st.sampled_from([3, 5, 17]))
    draw = np.random.default_rng(data.draw(st.integers(0, 999)))
    columns = {}
    for i in range(data.draw(st.integers(1, 5))):
        n_values = data.draw(st.sampled_from([2, 3, 11, 12, 40, 41, 64, 66, 67, 300]))
        columns[f"f{i}"] = np.minimum(draw.geometric(min(1.0, 3.0 / n_values), rows) - 1, n_values - 1).astype(float)
    y = (columns["f0"] + draw.integers(0, 3, rows)).astype(int) % n_classes
    y[:3] = 0, 1, 2
    frame = pd.DataFrame(columns).assign(y=y)
    frame = pd.concat([frame] * data.draw(st.sampled_from([1, 3])))
    table = ex.Dataset.from_frame(frame, "y", [*columns], {"y": "categorical"})
    changes = {
        "min_rows_leaf": data.draw(st.sampled_from([0.0, 4.0])),
        "release8_penalty": data.draw(st.booleans()),
    }
    assert_same(table, ex.CART.replace(**changes), keep=data.draw(st.booleans()))
