"""Rules in words: tests on one feature become one term, and a rule holds for exactly the rows of its node."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining import Term, reached_by, rule_terms, rule_words
from explorer.recipe.condition import Condition
from tests.oracles import bridge
from tests.oracles.examples import law
from tests.oracles.handmade import knot, tree_of

LAW = law(80)


def merged(*steps: tuple[Condition, int]) -> str:
    term = Term(steps[0][0].feature)
    for condition, branch in steps:
        term = term.narrowed(condition, branch)
    return term.words


def cut(threshold: float) -> Condition:
    return Condition("age", "threshold", threshold)


def groups(kind: str, *branches: str) -> Condition:
    return Condition("colour", kind, None, tuple(tuple(group) for group in branches))


def test_thresholds_become_one_interval():
    assert merged((cut(3.0), 1), (cut(8.0), 0), (cut(5.0), 0)) == "3 < age ≤ 5"
    assert merged((cut(5.0), 0), (cut(8.0), 0)) == "age ≤ 5"
    assert merged((cut(3.0), 1), (cut(-2.5), 1)) == "age > 3"
    assert merged((cut(0.0), 1)) == "age > 0"


def test_subsets_are_intersected():
    assert merged((groups("subset", "abc", "de"), 0), (groups("subset", "ac", "b"), 0)) == "colour ∈ {a, c}"
    assert merged((groups("subset", "abc", "de"), 0), (groups("subset", "ac", "b"), 1)) == "colour = b"


def test_one_against_the_rest_lists_what_is_left_out():
    first, second = groups("one_vs_rest", "a", "bcd"), groups("one_vs_rest", "b", "cd")
    assert merged((first, 1)) == "colour ≠ a"
    assert merged((first, 1), (second, 1)) == "colour ∉ {a, b}"
    assert merged((first, 1), (second, 0)) == "colour = b"
    assert merged((first, 1), (second, 1), (groups("one_vs_rest", "c", "d"), 1)) == "colour = d"


def test_values_and_bins_word_themselves():
    assert merged((groups("each_value", "a", "b"), 1)) == "colour = b"
    bins = Condition("age", "bins", None, (("≤ 10",), ("10 < … ≤ 20",), ("> 20",)), has_intervals=True)
    assert merged((bins, 1)) == "10 < age ≤ 20", "as a rule of thresholds words it"


def test_features_stand_in_the_order_of_their_first_test():
    data = ex.Dataset.from_frame(ex.load_sample("titanic").frame, target="survived")
    tree = ex.grow(data, ex.CART.replace(max_depth=4))
    node = next(n for n in tree.leaves() if rule_words(tree, int(n)).count("age") == 1 and tree.depth[n] == 4)
    first = list(dict.fromkeys(tree.condition(step).feature for step, _ in tree.path_to(int(node))))
    assert [term.feature for term in rule_terms(tree, int(node))] == first


def test_the_root_is_reached_by_all_rows():
    tree = tree_of(knot(knot((3, 0), (0, 2)), (1, 1)))
    assert (rule_words(tree, 0), reached_by(tree, 0), rule_terms(tree, 0)) == ("all rows", "all rows", [])
    assert (rule_words(tree, 4), reached_by(tree, 4)) == ("f0 = a and f1 = b", "f1 = b")


def test_a_pruned_tree_words_its_hidden_nodes_too():
    tree = tree_of(knot(knot((3, 0), (0, 2)), (1, 1)))
    closed = tree.with_pruned([True, False, False, False, False])
    assert (rule_words(closed, 4), reached_by(closed, 4)) == ("f0 = a and f1 = b", "f1 = b")


def test_a_repeated_value_stays_one_value():
    tree = tree_of(knot(knot((3, 0), (0, 2)), (1, 1)))
    same = replace(tree, feature=np.array([0, -1, -1, -1, -1], dtype=np.int32))
    assert rule_words(same, 1) == "f0 = a"


def holds(term: Term, cell: object, usage) -> bool:
    """Whether a cell fulfils a term, read off the term's fields alone."""
    if usage.test == "threshold":
        return (term.low is None or cell > term.low) and (term.high is None or cell <= term.high)
    if usage.test == "bins":
        bin_number = int(np.searchsorted(np.array(usage.edges), cell, side="left"))
        return usage.labels[bin_number] in term.values
    return cell not in term.excluded and (term.values is None or cell in term.values)


@LAW
@given(bridge.samples(missing=False, weights="one"), st.sampled_from(["threshold", "bins", "each_value"]), st.data())
def test_a_row_fulfils_the_rule_exactly_where_it_passes_the_node(sample, numeric, data):
    rules = data.draw(bridge.rules_for(sample))
    table = bridge.to_dataset(sample, weighted=False)
    tree = ex.grow(table, bridge.to_recipe(rules).replace(numeric=numeric))
    usages = {usage.name: usage for usage in tree.features}
    frame = bridge.to_frame(sample)
    for node in range(tree.n_nodes_grown):
        terms = rule_terms(tree, node)
        assert len({term.feature for term in terms}) == len(terms)
        fulfilled = [
            row
            for row in range(len(frame))
            if all(holds(term, frame[term.feature].iloc[row], usages[term.feature]) for term in terms)
        ]
        assert fulfilled == tree.rows_at(table, node).tolist()


@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=lambda recipe: recipe.name)
def test_a_rule_is_never_longer_than_its_path(recipe):
    data = ex.Dataset.from_frame(ex.load_sample("watermelon_3_0").frame, target=ex.SAMPLES["watermelon_3_0"].target)
    tree = ex.grow(data, recipe)
    assert all(len(rule_terms(tree, node)) <= tree.depth[node] for node in range(tree.n_nodes_grown))
