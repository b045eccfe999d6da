"""A tree from a file on rows of one's own: what competed at its nodes is what competed while it was grown."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.reference.foreign_cases import OF_LIBRARIES, opened_case, rows_of

RECIPES = {"ID3": ex.ID3, "C4.5": ex.C45, "CART": ex.CART, "default": ex.CART.replace(missing="default_direction")}


def opened(tree):
    """The tree as it is saved and opened again."""
    return ex.open_model(json.dumps(tree.to_dict()).encode())


def table(name):
    return ex.Dataset.from_frame(ex.load_sample(name).frame, ex.SAMPLES[name].target)


def facts(candidate):
    """All numbers of a candidate; None for none."""
    if candidate is None:
        return None
    return (
        candidate.condition,
        candidate.gain,
        candidate.score,
        candidate.gain_ratio,
        candidate.branch_stats.tolist(),
        candidate.rejected,
    )


CASES = [
    *((name, recipe) for name in ("play_tennis", "titanic", "golf_missing") for recipe in RECIPES),
    *(("auto_mpg", recipe) for recipe in ("CART", "default")),
]


@pytest.mark.parametrize(("name", "recipe"), CASES)
def test_a_saved_tree_has_the_candidates_that_it_was_grown_with_to_the_last_digit(name, recipe):
    data, recipe = table(name), RECIPES[recipe].replace(max_depth=4)
    grown = ex.grow(data, recipe)
    counted = ex.recount(opened(grown), data, recipe)
    assert counted.stats == pytest.approx(grown.stats, rel=1e-12, abs=0 if grown.classes else 1e-9)
    assert counted.impurity == pytest.approx(grown.impurity, rel=1e-12, abs=1e-15)
    for node in range(grown.n_nodes_grown):
        was, now = ex.decide(grown, data, node), ex.decide(counted, data, node)
        assert list(map(facts, now.best.values())) == list(map(facts, was.best.values()))
        assert facts(now.chosen) == facts(was.chosen)
        assert facts(now.would_win) == facts(was.winner if was.chosen is not None else None)
        assert now.n_rows == was.n_rows


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(300, 4)).round(2), columns=list("abcd"))
    frame["kind"] = np.where(frame["a"] + frame["b"] ** 2 + rng.normal(scale=0.3, size=300) > 0.8, "yes", "no")
    frame["size"] = frame["a"] * 3 + frame["c"].abs()
    return frame


@pytest.mark.parametrize(("estimator", "target"), [(DecisionTreeClassifier, "kind"), (DecisionTreeRegressor, "size")])
def test_a_tree_of_scikit_learn_has_its_own_counts_and_wins_every_node_on_its_rows(numbers, estimator, target):
    features = list("abcd")
    fitted = estimator(max_depth=4, random_state=0).fit(numbers[features], numbers[target])
    data = ex.Dataset.from_frame(numbers[[*features, target]], target)
    tree = ex.Tree.from_sklearn(fitted)
    counted = ex.recount(tree, data, ex.CART)
    assert sorted(counted.weight) == sorted(fitted.tree_.weighted_n_node_samples)
    assert sorted(counted.impurity) == pytest.approx(sorted(fitted.tree_.impurity), abs=1e-12)
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        decision = ex.decide(counted, data, node)
        assert decision.is_of_file
        assert decision.chosen.gain == pytest.approx(max(c.gain for c in decision.best.values()), abs=1e-12)


def test_any_recipe_can_judge_a_tree(numbers):
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(numbers[list("abcd")], numbers["kind"])
    data = ex.Dataset.from_frame(numbers[[*"abcd", "kind"]], "kind")
    for recipe in (ex.ID3, ex.C45, ex.CART):
        root = ex.decide(ex.recount(ex.Tree.from_sklearn(fitted), data, recipe), data, 0)
        own = ex.decide(ex.grow(data, recipe.replace(numeric="threshold")), data, 0)
        assert {n: facts(c) for n, c in root.best.items()} == {n: facts(c) for n, c in own.best.items()}


def test_other_rows_are_counted_where_the_tree_sends_them(numbers):
    fitted = DecisionTreeClassifier(max_depth=4, random_state=0).fit(numbers[list("abcd")], numbers["kind"])
    other = numbers.sample(120, random_state=1).reset_index(drop=True)
    tree, data = ex.Tree.from_sklearn(fitted), ex.Dataset.from_frame(other[[*"dcba", "kind"]], "kind")
    counted = ex.recount(tree, data, ex.CART)
    at = tree.apply(other)
    for leaf in tree.leaves().tolist():
        inside = other["kind"][at == leaf]
        assert counted.stats[leaf].tolist() == [(inside == name).sum() for name in data.classes]
        assert counted.weight[leaf] == len(inside)


def test_a_split_that_divides_no_rows_says_so_and_what_would_have_won():
    rows = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("aabb")})
    tree = ex.grow(ex.Dataset.from_frame(rows.assign(x=rows["x"] + 10), "y"), ex.CART)
    data = ex.Dataset.from_frame(rows, "y")
    counted = ex.recount(opened(tree), data, ex.CART)
    root = ex.decide(counted, data, 0)
    assert (root.chosen, root.would_win.condition.threshold) == (None, 2.5)
    assert counted.weight.tolist() == [4, 4, 0]
    assert ex.decide(counted, data, 2).n_rows == 0


def test_a_category_that_the_tree_does_not_know_is_counted_where_it_goes():
    rows = pd.DataFrame({"x": list("aabbb"), "y": [0, 0, 1, 1, 1]})
    tree = ex.grow(ex.Dataset.from_frame(rows, "y", kinds={"y": "categorical"}), ex.CART)
    more = pd.DataFrame({"x": list("abcc"), "y": [0, 1, 1, 0]})
    counted = ex.recount(opened(tree), ex.Dataset.from_frame(more, "y", kinds={"y": "categorical"}), ex.CART)
    ends = np.bincount(opened(tree).apply(more), minlength=3)
    assert counted.weight.tolist() == [4, ends[1], ends[2]]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"b": None}, "'b', which is no feature of these rows"),
        ({"b": list("uvuvuv")}, "compares 'b' with numbers"),
    ],
)
def test_rows_that_the_tree_cannot_read_are_refused(changed, words):
    rows = pd.DataFrame({"a": [1.0, 1, 2, 2, 3, 3], "b": [1.0, 5, 1, 5, 1, 5], "y": list("uvuvuv")})
    tree = opened(ex.grow(ex.Dataset.from_frame(rows, "y"), ex.CART))
    other = rows.assign(**{k: v for k, v in changed.items() if v is not None})
    other = other.drop(columns=[name for name, value in changed.items() if value is None])
    with pytest.raises(ex.InputError, match=words):
        ex.recount(tree, ex.Dataset.from_frame(other, "y"), ex.CART)


def test_cases_of_all_libraries_are_counted():
    assert len(OF_LIBRARIES) > 60


@pytest.mark.parametrize("case", OF_LIBRARIES)
def test_every_member_of_other_libraries_counts_rows_where_it_sends_them(case):
    """Missing cells, zeros, categories and 32-bit thresholds included."""
    made = opened_case(case)
    rows = rows_of(case, made)
    table = rows.assign(target=np.where(np.arange(len(rows)) % 3 == 0, "a", "b"))
    kinds = {f.name: "numeric" if f.test == "threshold" else "categorical" for f in made.features if f.name in rows}
    data = ex.Dataset.from_frame(table, "target", list(rows), kinds=kinds)
    for member in made.members[:2]:
        counted = ex.recount(member.tree, data, ex.CART)
        leaves, ends = member.tree.leaves(), np.bincount(member.tree.apply(rows), minlength=member.tree.n_nodes_grown)
        assert counted.weight[leaves].tolist() == ends[leaves].tolist()
        for node in range(min(member.tree.n_nodes_grown, 5)):
            assert ex.decide(counted, data, node).n_rows == counted.weight[node]
