"""The shortest consistent tree: reference numbers, all trees written down, ties, limits and refusals."""

import json
from functools import cache
from itertools import combinations, product
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing import shortest_tree as search
from explorer.growing.consistent_trees import Shape
from explorer.growing.shortest_tree import count_text
from tests.folders import ROOT
from tests.oracles import consistent_trees as oracle
from tests.oracles.examples import law

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["bfs_id3"]
SMALLEST = GOLDEN["smallest_table_where_id3_is_not_shortest"]["example"]
OF_SAMPLE = {
    **{name: GOLDEN[name] for name in ("play_tennis", "play_tennis_noise15", "loan_lihang", "watermelon_2_0")},
    "xor_six_rows": SMALLEST,
    "depth_against_size": GOLDEN["depth_against_size"],
}


@cache
def table(name: str) -> ex.Dataset:
    sample = ex.SAMPLES[name]
    return ex.Dataset.from_frame(ex.load_sample(name).frame, sample.target, sample.features, sample.kinds)


def dataset(rows: list[oracle.Row]) -> ex.Dataset:
    names = [*"ABCDEFGH"[: len(rows[0]) - 1], "class"]
    frame = pd.DataFrame(rows, columns=names)
    return ex.Dataset.from_frame(frame, "class", names[:-1], dict.fromkeys(names, "categorical"))


def as_golden(tree: ex.Tree, node: int = 0) -> object:
    """A tree as the reference writes it; None for an empty branch."""
    if tree.feature[node] < 0:
        return None if tree.weight[node] == 0 else str(tree.node(node).label)
    condition = tree.condition(node)
    assert condition is not None
    values = [str(group[0]) for group in condition.branches]
    below = [as_golden(tree, child) for child in tree.children_of(node)]
    return {"feature": condition.feature, "branches": dict(zip(values, below, strict=True))}


def without_empty(tree: object) -> object:
    """The reference's tree with its empty branches as None, its labels as texts."""
    if isinstance(tree, dict):
        return {**tree, "branches": {value: without_empty(below) for value, below in tree["branches"].items()}}
    return None if tree is None else str(tree)


def plain(shape: Shape) -> oracle.TestTree:
    return None if shape.feature is None else (shape.feature, tuple(map(plain, shape.branches)))


@pytest.mark.parametrize("name", OF_SAMPLE)
def test_counts_sizes_and_ties_are_those_of_the_reference(name):
    golden = OF_SAMPLE[name]
    flattest, smallest = ex.shortest_tree(table(name)), ex.shortest_tree(table(name), by="tests")
    assert list(flattest.features) == golden["features"]
    n_levels = len(golden["trees_by_depth_allowed"])
    for shortest in (flattest, smallest):
        assert list(shortest.trees_by_depth[:n_levels]) == golden["trees_by_depth_allowed"]
        assert list(shortest.consistent_by_depth[:n_levels]) == golden["consistent_trees_by_depth_allowed"]
        assert list(shortest.fewest_by_depth[:n_levels]) == golden["fewest_tests_by_depth_allowed"]
        assert shortest.outcome == "found"
    assert (flattest.depth, flattest.tests) == (golden["least_depth"], golden["tests_at_least_depth"])
    assert (smallest.depth, smallest.tests) == (golden["depth_of_fewest_tests"], golden["fewest_tests"])
    assert flattest.optimal == len(flattest.shapes) == golden["optimal_trees_at_least_depth"]
    assert smallest.optimal == len(smallest.shapes) == golden["optimal_trees_by_tests"]
    assert flattest.searched_to == flattest.depth
    assert smallest.searched_to == len(smallest.features)


@pytest.mark.parametrize("name", OF_SAMPLE)
def test_the_trees_are_those_of_the_reference(name):
    golden, shortest = OF_SAMPLE[name], ex.shortest_tree(table(name))
    if "shortest_tree(first in feature order)" in golden:
        expected = without_empty(golden["shortest_tree(first in feature order)"])
        assert _empty_filled(as_golden(shortest.tree), expected) == expected
        assert _empty_filled(as_golden(shortest.greedy), golden["id3_tree"]) == without_empty(golden["id3_tree"])
    else:
        assert as_golden(shortest.tree) == without_empty(golden["tree_of_least_depth"])
    assert int(shortest.greedy.is_inner.sum()) == golden["id3"]["tests"]
    assert shortest.greedy.max_depth == golden["id3"]["depth"]
    assert (shortest.tree.predict(table(name)) == np.array(shortest.tree.classes)[table(name).y]).all()


def _empty_filled(tree: object, expected: object) -> object:
    """An empty branch as the reference has it, which may give it the label of its parent."""
    if isinstance(tree, dict) and isinstance(expected, dict):
        branches = {
            value: _empty_filled(below, expected["branches"][value]) for value, below in tree["branches"].items()
        }
        return {"feature": tree["feature"], "branches": branches}
    return expected if tree is None else tree


def entropy_by_hand(labels: list[int]) -> float:
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * log2(share) for share in shares)


def id3_by_hand(rows: list[oracle.Row], features: frozenset[int]) -> tuple[int, bool]:
    """How many tests ID3's tree has, and whether two features tie anywhere in it."""
    labels = [row[-1] for row in rows]
    if len(set(labels)) < 2 or not features:
        return 0, False
    gains = {}
    for feature in sorted(features):
        parts = [[row[-1] for row in rows if row[feature] == value] for value in (0, 1)]
        rest = sum(len(part) / len(rows) * entropy_by_hand(part) for part in parts if part)
        gains[feature] = entropy_by_hand(labels) - rest
    best = max(gains, key=gains.__getitem__)
    ties = sum(abs(gain - gains[best]) <= 1e-10 for gain in gains.values()) > 1
    below = [[row for row in rows if row[best] == value] for value in (0, 1)]
    made = [id3_by_hand(part, features - {best}) for part in below if part]
    return 1 + sum(tests for tests, _ in made), ties or any(tie for _, tie in made)


@pytest.mark.slow
def test_with_three_binary_features_id3_is_always_shortest():
    """Every table of distinct rows in which all three features and the class vary."""
    golden, corners = GOLDEN["three_binary_features"], list(product((0, 1), repeat=3))
    tables = ties = 0
    for size in range(2, 9):
        for chosen in combinations(corners, size):
            for labels in product((0, 1), repeat=size):
                if len(set(labels)) < 2 or any(len(set(column)) < 2 for column in zip(*chosen, strict=True)):
                    continue
                rows = [(*row, label) for row, label in zip(chosen, labels, strict=True)]
                tests, has_tie = id3_by_hand(rows, frozenset(range(3)))
                tables += 1
                ties += has_tie
                if not has_tie:
                    flattest = ex.shortest_tree(dataset(rows))
                    assert int(flattest.greedy.is_inner.sum()) == tests
                    assert (flattest.tests, flattest.depth) == (tests, flattest.greedy.max_depth)
                    assert flattest.fewest_by_depth[-1] == tests
    assert (tables, ties) == (golden["tables_of_distinct_rows_tried"], golden["with_a_tie_somewhere_in_id3"])
    assert golden["strict_and_not_shortest"] == 0


def test_mammals_have_no_consistent_tree_and_two_rows_say_why():
    shortest = ex.shortest_tree(table("mammals"))
    assert (shortest.outcome, shortest.depth, shortest.tests, shortest.optimal) == ("contradiction", None, None, 0)
    assert shortest.shapes == ()
    assert shortest.tree is shortest.greedy
    assert set(shortest.consistent_by_depth) == {0}
    assert shortest.contradiction is not None
    frame = ex.load_sample("mammals").frame
    first, second = (frame.iloc[row - 1] for row in shortest.contradiction)
    assert all(first[name] == second[name] for name in shortest.features)
    assert first["哺乳动物"] != second["哺乳动物"]
    assert all(f"{row}" in shortest.text for row in shortest.contradiction)


def test_play_tennis_is_looked_at_tree_by_tree():
    shortest = ex.shortest_tree(table("play_tennis"))
    assert shortest.greedy_candidates == ((4,), (3, 3))
    assert shortest.count_text == "113 trees of depth ≤ 2, 1 of them consistent; ID3 compares 4 + 6 candidates."
    listed = shortest.all_trees(2)
    assert len(listed) == 113
    assert [shape for shape, is_consistent in listed if is_consistent] == list(shortest.shapes)


def test_a_tree_written_down_has_its_tests():
    shortest = ex.shortest_tree(table("xor_six_rows"))
    for shape in shortest.shapes:
        tree = shortest.tree_of(shape)
        assert int(tree.is_inner.sum()) == shape.tests == 3
        assert tree.max_depth == shape.depth == 2
        assert (tree.impurity[tree.is_leaf] == 0).all()


tables = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.tuples(*[st.sampled_from("01")] * (n - 1), st.sampled_from("012"), st.sampled_from("xy")),
        min_size=2,
        max_size=8,
    ).filter(lambda rows: len({row[-1] for row in rows}) > 1)
)


@law(60)
@given(tables)
def test_all_trees_written_down_give_the_same_numbers_and_the_same_first_tree(rows):
    categories, n = oracle.categories_of(rows), len(rows[0]) - 1
    flattest, smallest = ex.shortest_tree(dataset(rows)), ex.shortest_tree(dataset(rows), by="tests")
    if flattest.trees_by_depth[min(3, n)] > 20_000:
        return
    deepest = max(depth for depth in range(n + 1) if flattest.trees_by_depth[depth] <= 20_000)
    written = list(oracle.trees(rows, list(range(n)), deepest, categories))
    consistent = [tree for tree in written if oracle.is_consistent(tree, rows, categories)]
    for depth in range(deepest + 1):
        assert flattest.trees_by_depth[depth] == sum(oracle.depth_of(tree) <= depth for tree in written)
        assert flattest.consistent_by_depth[depth] == sum(oracle.depth_of(tree) <= depth for tree in consistent)
    if deepest < n:
        return
    if not consistent:
        assert flattest.outcome == smallest.outcome == "contradiction"
        return

    def by_depth(tree: oracle.TestTree) -> tuple[int, int, list[int]]:
        return oracle.depth_of(tree), oracle.n_tests(tree), oracle.breadth_first(tree)

    def by_tests(tree: oracle.TestTree) -> tuple[int, int, list[int]]:
        return oracle.n_tests(tree), oracle.depth_of(tree), oracle.breadth_first(tree)

    least = min(map(by_depth, consistent))
    best = sorted((tree for tree in consistent if by_depth(tree)[:2] == least[:2]), key=by_depth)
    assert [plain(shape) for shape in flattest.shapes] == best[: search.MOST_SHAPES]
    assert flattest.optimal == len(best)
    fewest = min(map(oracle.n_tests, consistent))
    best = sorted((tree for tree in consistent if oracle.n_tests(tree) == fewest), key=by_tests)
    assert [plain(shape) for shape in smallest.shapes] == best[: search.MOST_SHAPES]
    assert smallest.optimal == len(best)
    assert (flattest.tree.predict(dataset(rows)) == [row[-1] for row in rows]).all()


def test_a_search_that_ends_at_its_limit_says_how_far_it_came():
    shortest = ex.shortest_tree(table("watermelon_2_0"), most_states=20)
    assert (shortest.outcome, shortest.depth, shortest.searched_to) == ("limit", None, 2)
    assert shortest.trees_by_depth == (1, 7, 397)
    assert "Searched up to depth 2: no consistent tree of depth ≤ 2" in shortest.text
    assert shortest.tree is shortest.greedy
    unproven = ex.shortest_tree(table("watermelon_2_0"), by="tests", most_states=100)
    assert (unproven.outcome, unproven.depth, unproven.tests, unproven.searched_to) == ("limit", 3, 5, 3)
    assert "Deeper trees may be smaller" in unproven.text
    proven = ex.shortest_tree(table("watermelon_2_0"), by="tests", most_states=180)
    assert (proven.outcome, proven.tests, proven.searched_to) == ("limit", 5, 4)
    assert "Deeper trees are no smaller" in proven.text  # a tree of depth 5 has 5 tests at least
    complete = ex.shortest_tree(table("watermelon_2_0"), by="tests", most_states=300)
    assert (complete.outcome, complete.tests, complete.optimal, complete.searched_to) == ("found", 5, 30, 5)


def test_a_search_is_stopped_by_who_follows_it():
    def stop(done: int, total: int) -> None:
        raise ex.Stopped("stopped")

    with pytest.raises(ex.Stopped):
        ex.shortest_tree(table("car"), progress=stop)


def test_numbers_are_binned_first_or_refused_with_the_remedy():
    data = table("temperature6")
    binned = ex.shortest_tree(data, recipe=ex.ID3.replace(bins=6))
    assert (binned.outcome, binned.depth, binned.tests) == ("found", 1, 1)
    with pytest.raises(ex.InputError, match=r"Column 'Temperature' is numeric.*use numeric='bins'"):
        ex.shortest_tree(data, recipe=ex.CART)
    with pytest.raises(ex.InputError, match=r"target 'y' is numeric.*choose a categorical target"):
        ex.shortest_tree(table("lihang_8_2_regression"))
    with pytest.raises(ex.InputError, match="no order 'size': choose one of 'depth', 'tests'"):
        ex.shortest_tree(table("play_tennis"), by="size")
    with pytest.raises(ex.InputError, match="above 0"):
        ex.shortest_tree(table("play_tennis"), limit=0)


def test_missing_cells_count_as_the_policy_has_it():
    data = table("golf_missing")
    categories = ex.ID3.replace(bins=2)
    kept = ex.shortest_tree(data, recipe=categories.replace(missing="own_branch"))
    assert kept.features == tuple(feature.name for feature in data.features)
    assert kept.outcome == "found" or kept.contradiction is not None
    imputed = ex.shortest_tree(data, recipe=categories)
    assert imputed.tree.n_leaves > 1
    with pytest.raises(ex.InputError, match="missing cells, and with missing='fractional'"):
        ex.shortest_tree(data, recipe=categories.replace(missing="fractional"))


def test_a_category_without_training_rows_has_no_branch():
    rows = [("a", "0", "x"), ("b", "0", "y"), ("b", "1", "x"), ("c", "1", "x")]
    whole = dataset(rows)
    part = whole.take([1, 2, 3])
    shortest = ex.shortest_tree(part)
    assert (shortest.depth, shortest.tests, shortest.trees_by_depth[1]) == (1, 1, 3)
    assert shortest.tree.n_leaves == 2
    assert shortest.tree.condition(0).feature == "B"


def test_counts_of_any_size_are_written():
    assert count_text(999_999_999_999_999) == "999,999,999,999,999"
    assert count_text(10**15) == "1·10¹⁵"
    assert count_text(7**9000) == "7.63·10⁷⁶⁰⁵"  # 9000·log₁₀ 7 = 7605.88236, and 10^0.88236 = 7.627
