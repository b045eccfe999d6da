"""The compiled engine against the readable definition, and both against brute force."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing.engine.scheduler import KeysTree
from explorer.growing.plain.grow_plain import PlainTree
from explorer.threads import using_threads
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law, slow
from tests.oracles.laws import assert_evidence
from tests.oracles.recipes import ENGINE_RECIPES
from tests.oracles.tables import mixed_data

LAW = law(60)


@st.composite
def cases(draw: st.DrawFn, **fixed):
    """A random table with settings that fit it."""
    sample = draw(bridge.samples())
    return sample, draw(bridge.rules_for(sample, **fixed))


def grown(sample: brute_force.Sample, rules: brute_force.GrowParameters) -> tuple[ex.Tree, ex.Dataset]:
    """The explorer's tree of an oracle's table; tables that "drop" leaves without rows are skipped."""
    rows = brute_force.training_rows(sample, rules)
    assume(len(rows) > 0)
    data = bridge.to_dataset(sample)
    return ex.grow(data, bridge.to_recipe(rules)), data


@LAW
@given(cases())
def test_every_node_decides_as_brute_force_does(case):
    sample, rules = case
    tree, data = grown(sample, rules)
    assert bridge.walk_beside(tree, data, sample, rules) == tree.n_nodes


@LAW
@given(cases(categorical="subset", score="decrease", min_rows_leaf=None))
def test_best_bipartition_is_the_best_of_all_of_them(case):
    sample, rules = case
    tree, data = grown(sample, rules)
    assert bridge.walk_beside(tree, data, sample, rules) == tree.n_nodes


@LAW
@given(cases(categorical="one_vs_rest", min_rows_leaf=None, mean_gain_filter="off"))
def test_whole_trees_have_the_leaves_of_brute_force(case):
    sample, rules = case
    tree, _ = grown(sample, rules)
    assert tree.n_leaves == brute_force.grow(sample, rules).leaves()


@LAW
@given(st.data())
def test_release_8_penalty_and_other_stops_as_in_brute_force(data):
    sample = data.draw(bridge.samples(regression=False, missing=False, weights="one"))
    fixed = {"impurity": "entropy", "score": "gain_ratio", "release8_penalty": True, "max_depth": 2}
    rules = data.draw(bridge.rules_for(sample, categorical="each_value", **fixed))
    tree, dataset = grown(sample, rules)
    assert bridge.walk_beside(tree, dataset, sample, rules) == tree.n_nodes


# -- the kernel's best candidates beside the definition, over whole trees ---------------------------------------------


CLASSIFIER_RECIPES = {
    "entropy": ex.CART.replace(impurity="entropy"),
    "error": ex.CART.replace(impurity="error", min_rows_leaf=3.0),
    "id3": ex.ID3.replace(numeric="threshold"),
    "c45": ex.C45,
    "c45 two": ex.C45.replace(min_rows_leaf=2.0, min_rows_in="two", threshold_at="c45"),
    "release 8": ex.C45.replace(release8_penalty=True, release8_numeric_minimum=True, min_rows_leaf=2.0),
    "release 8 subset": ex.C45.replace(release8_penalty=True, categorical="subset"),
}


@pytest.mark.parametrize("missing", [0.0, 0.1], ids=["complete", "missing"])
@pytest.mark.parametrize("weights", [None, slow("counts"), "fractions"])
@pytest.mark.parametrize("target", ["two", "four", "number"])
@pytest.mark.parametrize("name", ENGINE_RECIPES)
def test_kernel_best_is_the_definitions_best(name, target, weights, missing):
    data = mixed_data(target, weights, missing)
    assert_evidence(ex.grow(data, ENGINE_RECIPES[name], keep_candidates=True), data)


@pytest.mark.parametrize("missing", [0.0, 0.1], ids=["complete", "missing"])
@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("target", ["two", "four"])
@pytest.mark.parametrize("name", CLASSIFIER_RECIPES)
def test_kernel_best_is_the_definitions_best_for_classes(name, target, weights, missing):
    data = mixed_data(target, weights, missing)
    assert_evidence(ex.grow(data, CLASSIFIER_RECIPES[name], keep_candidates=True), data)


CLASS_WEIGHTS = {"two": {"yes": 3.0}, "four": {"w": 0.3, "x": 2.0, "z": 5.5}}
COSTS = {"two": {"no": {"yes": 4.0}}, "four": {"w": {"x": 3.0}, "z": {"w": 2.0, "y": 0.0}}}
WEIGHTED_RECIPES = {
    "class weights": ex.CART.replace(min_rows_leaf=4.0),
    "one_vs_rest": ex.CART.replace(categorical="one_vs_rest", impurity="entropy", min_rows_split=9.0),
    "c45 two": ex.C45.replace(min_rows_leaf=3.0, min_rows_in="two"),
    "release 8": ex.C45.replace(release8_penalty=True, release8_numeric_minimum=True, min_rows_leaf=2.0),
    "tan": ex.C45.replace(score="tan_schlimmer", feature_costs={"real": 4.0, "c2": 0.5}, min_rows_leaf=3.0),
    "nunez": ex.CART.replace(score="nunez", impurity="entropy", feature_costs={"few": 3.0}, nunez_w=0.5),
}


@pytest.mark.parametrize("missing", [0.0, 0.1], ids=["complete", "missing"])
@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("target", ["two", "four"])
@pytest.mark.parametrize("name", WEIGHTED_RECIPES)
def test_kernel_best_is_the_definitions_best_with_class_weights_and_costs(name, target, weights, missing):
    data = mixed_data(target, weights, missing)
    recipe = WEIGHTED_RECIPES[name].replace(class_weights=CLASS_WEIGHTS[target], costs=COSTS[target])
    assert_evidence(ex.grow(data, recipe, keep_candidates=True), data)


@pytest.mark.parametrize("missing", [0.0, 0.1], ids=["complete", "missing"])
@pytest.mark.parametrize("weights", [None, "fractions"])
@pytest.mark.parametrize("categorical", ["each_value", "one_vs_rest", "subset"])
def test_kernel_best_is_the_definitions_best_with_squared_errors_weighed_again(categorical, weights, missing):
    data = mixed_data("number", weights, missing)
    recipe = ex.CART.replace(score="squared_share_weighting", categorical=categorical, min_rows_leaf=3.0)
    assert_evidence(ex.grow(data, recipe, keep_candidates=True), data)


# -- threads ---------------------------------------------------------------------------------------------------------

JOBS = [
    ("two", ex.CART),
    ("four", ex.CART),
    ("number", ex.CART),
    ("two", ex.C45),
    ("four", ex.ID3),
    ("two", ex.CART.replace(categorical="one_vs_rest", impurity="entropy")),
]


def test_trees_grown_at_once_are_the_trees_grown_alone():
    tables = {target: mixed_data(target, None, 0.05, rows=1500) for target in ("two", "four", "number")}
    expected = [ex.grow(tables[target], recipe) for target, recipe in JOBS]
    with ThreadPoolExecutor(8) as pool:
        trees = list(pool.map(lambda job: ex.grow(tables[job[0]], job[1]), JOBS * 4))
    for number, tree in enumerate(trees):
        bridge.assert_same_tree(tree, expected[number % len(JOBS)])


@pytest.mark.parametrize("target", ["two", "four", "number"])
def test_number_of_threads_changes_nothing(target):
    data = mixed_data(target, "fractions" if target == "number" else None, 0.02, rows=45_000)
    recipe = ex.CART.replace(min_rows_leaf=20.0)
    with using_threads(1):
        single = ex.grow(data, recipe)
    for threads in (2, 5):
        with using_threads(threads):
            bridge.assert_same_tree(ex.grow(data, recipe), single)


def test_large_tables_grown_at_once_are_the_same():
    data = mixed_data("two", None, 0.0, rows=45_000)
    recipe = ex.CART.replace(max_depth=9)
    expected = ex.grow(data, recipe)
    with ThreadPoolExecutor(4) as pool:
        for tree in pool.map(lambda _: ex.grow(data, recipe), range(4)):
            bridge.assert_same_tree(tree, expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("trees", "weight"), [(KeysTree, 2.0), (PlainTree, None)])
def test_growing_stops_while_all_threads_are_at_work(monkeypatch, threads, trees, weight):
    """No subtree is done before the work is to stop: whoever waits for the first would wait for ever."""
    begun, halted, rng = threading.Event(), [], np.random.default_rng(0)

    def endless(upper, node, halt):
        begun.set()
        until = time.monotonic() + 20
        while not halt[0]:
            assert time.monotonic() < until, "nobody said stop"
            time.sleep(0.005)
        halted.append(node.n_rows)

    reports = []

    def progress(done, total):
        reports.append((done, total))
        if begun.is_set():
            raise ex.Stopped("Stopped on request.")

    frame = pd.DataFrame({"a": rng.normal(size=3000), "b": rng.normal(size=3000), "y": rng.integers(0, 2, 3000)})
    data = ex.Dataset.from_frame(frame, "y", weights=weight and np.full(3000, weight))
    ex.grow(data, ex.CART)
    monkeypatch.setattr(trees, "grow_job", endless)
    with using_threads(threads), pytest.raises(ex.Stopped):
        ex.grow(data, ex.CART, progress=progress)
    assert halted
    assert {total for _, total in reports} == {3000}
