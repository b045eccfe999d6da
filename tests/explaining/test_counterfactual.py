"""The smallest change that changes a prediction, against every combination of changes on small tables."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.samples import load_sample
from explorer.explaining import few_rows_limit, flip, flips
from explorer.explaining.feasible_changes import short_number
from tests.oracles.examples import examples
from tests.oracles.recipes import RECIPES_BY_NAME
from tests.oracles.tables import small_table


def tennis():
    data = ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    return ex.grow(data, ex.ID3), data


@pytest.mark.parametrize("sample", ["auto_mpg", "titanic", "penguins"])
def test_a_pruned_tree_needs_no_feature_that_only_its_pruned_nodes_have_as_a_surrogate(sample):
    data = ex.Dataset.from_frame(load_sample(sample).frame, ex.SAMPLES[sample].target)
    path = ex.cost_complexity_path(ex.grow(data, ex.CART.replace(missing="surrogate", min_rows_leaf=10)))
    untested = 0
    for step in range(len(path)):
        pruned = path.tree.with_pruned(ex.pruned_at(path, step))
        untested += len(path.tree.tested_features()) - len(pruned.tested_features())
        own = pruned.predict(data)[0]
        for one in flips(pruned, data, 0, above=float(own) if pruned.is_regression else None):
            cells = {change.feature: change.new for change in one.changes}
            changed = data.frame.iloc[[0]].astype(object).assign(**cells).convert_dtypes()
            assert pruned.predict(changed)[0] == one.prediction != own
    assert untested


def tries(tree, data, name, old):
    """Every value of a feature that could matter: its own, all categories, and numbers at and above each threshold."""
    position = [usage.name for usage in tree.features].index(name)
    usage = tree.features[position]
    own = [] if pd.isna(old) else [old]
    if usage.kind == "categorical":
        return [*own, *[label for label in usage.labels if label is not None]]
    cuts = [*usage.edges, *tree.threshold[tree.feature == position]]
    if tree.surrogates is not None:
        cuts += list(tree.surrogates.cut[tree.surrogates.feature == position])
    if usage.test == "each_value":
        return [*own, *usage.labels]
    cuts = np.array(cuts)[~np.isnan(cuts)]
    column = data.frame[name].dropna()
    if (column == column.round()).all():
        return [*own, *np.arange(column.min() - 1, column.max() + 2)]
    return [*own, *cuts, *np.nextafter(cuts, math.inf)]


def distance(data, name, old, new):
    """Gower's distance of one cell."""
    if pd.isna(old) or isinstance(new, str):
        return float(new != old)
    column = data.frame[name].dropna()
    return abs(new - old) / (column.max() - column.min())


def by_brute_force(tree, data, row, is_reached):
    """(features changed, distance) of the smallest change that leads to a single node; None where there is none."""
    return min(cheapest_by_node(tree, data, row, is_reached).values(), default=None)


def cheapest_by_node(tree, data, row, is_reached):
    """The same for each node that some change leads to, by trying every combination of values."""
    names = [usage.name for usage in tree.features]
    old = row.iloc[0]
    options = []
    for name in names:
        values = tries(tree, data, name, old[name])
        options.append([*values, None] if pd.isna(old[name]) else list(dict.fromkeys(values)))
    changed = pd.DataFrame(list(itertools.product(*options)), columns=names)
    for name in names:
        if data.frame[name].dtype.kind == "f":
            changed[name] = changed[name].astype(float)
    rows, nodes, _ = tree.routes(changed)
    single = np.bincount(rows, minlength=len(changed)) == 1
    cheapest = {}
    for i, node in zip(rows, nodes, strict=True):
        if not single[i] or tree.weight[node] == 0 or not is_reached(tree.node(int(node)).label):
            continue
        moved = [n for n in names if not pd.isna(changed[n][i]) and changed[n][i] != old[n]]
        cost = len(moved), round(sum(distance(data, n, old[n], changed[n][i]) for n in moved), 9)
        cheapest[int(node)] = min(cost, cheapest.get(int(node), cost))
    return cheapest


def assert_it_is_so(tree, data, row, counterfactual, is_reached):
    """The changed row really comes to that node and its prediction, and what is named is what has changed."""
    changed = row.copy()
    for change in counterfactual.changes:
        old = row[change.feature].iloc[0]
        assert (change.old is None) if pd.isna(old) else change.old == old
        assert change.new != change.old
        changed[change.feature] = [change.new]
    assert tree.apply(changed).tolist() == [counterfactual.node]
    assert tree.predict(changed).tolist() == [counterfactual.prediction]
    assert is_reached(counterfactual.prediction)
    assert len({change.feature for change in counterfactual.changes}) == len(counterfactual.changes)
    for change in counterfactual.changes:
        if change.old is not None:
            exact = distance(data, change.feature, change.old, change.new)
            assert change.distance <= exact + 1e-12 <= change.distance + 1e-3 + 2e-12, "a short number is near"


@pytest.mark.parametrize("name", RECIPES_BY_NAME)
@pytest.mark.parametrize("missing", [0.0, 0.2])
@examples(25)
@given(seed=st.integers(0, 9_999), position=st.integers(0, 23))
@example(seed=1902, position=0)  # the branch of missing values once was the nearest category
def test_no_combination_of_changes_is_smaller(name, missing, seed, position):
    data = small_table(seed, missing=missing)
    tree = ex.grow(data, RECIPES_BY_NAME[name].replace(max_depth=3))
    row = data.frame.iloc[[position]]
    if pd.isna(row.iloc[0][["colour", "size", "width"]]).all():
        return
    prediction = tree.predict(row)[0]
    compare(tree, data, row, lambda label: label != prediction, {})


def compare(tree, data, row, is_reached, options):
    counterfactual, expected = flip(tree, data, row, **options), by_brute_force(tree, data, row, is_reached)
    if expected is None:
        assert counterfactual is None
        return
    assert (len(counterfactual.changes), counterfactual.distance) == (expected[0], pytest.approx(expected[1], abs=1e-9))
    assert counterfactual.distance == pytest.approx(sum(change.distance for change in counterfactual.changes))
    assert_it_is_so(tree, data, row, counterfactual, is_reached)
    compare_alternatives(tree, data, row, is_reached, options)


def compare_alternatives(tree, data, row, is_reached, options):
    """Each node that can be reached is an alternative once, at its least cost, the smallest change first."""
    cheapest, found = cheapest_by_node(tree, data, row, is_reached), flips(tree, data, row, **options, most=1000)
    assert {each.node: len(each.changes) for each in found} == {node: cost[0] for node, cost in cheapest.items()}
    assert len(found) == len(cheapest), "no node comes twice"
    for each in found:
        assert each.distance == pytest.approx(cheapest[each.node][1], abs=1e-9)
        assert_it_is_so(tree, data, row, each, is_reached)
    costs = [(len(each.changes), round(each.distance, 9)) for each in found]
    assert costs == sorted(costs)
    assert flips(tree, data, row, **options) == found[:3]
    assert flip(tree, data, row, **options) == found[0]
    larger = tuple(each for each in found if each.weight >= 3)
    assert flips(tree, data, row, **options, most=1000, least_rows=3) == larger


@examples(40)
@given(seed=st.integers(0, 9_999), position=st.integers(0, 23), more=st.sampled_from([1.0, 4.0, 100.0]))
def test_numbers_go_above_or_below(seed, position, more):
    data = small_table(seed, regression=True, missing=0.1)
    tree, row = ex.grow(data, ex.CART.replace(max_depth=3)), data.frame.iloc[[position]]
    prediction = tree.predict(row)[0]
    compare(tree, data, row, lambda value: value > prediction + more, {"above": prediction + more})
    compare(tree, data, row, lambda value: value < prediction - more, {"below": prediction - more})


@examples(30)
@given(seed=st.integers(0, 9_999), position=st.integers(0, 23), wanted=st.sampled_from(["low", "mid", "top"]))
def test_a_named_class_is_reached(seed, position, wanted):
    data = small_table(seed)
    tree, row = ex.grow(data, ex.CART.replace(max_depth=3)), data.frame.iloc[[position]]
    if tree.predict(row)[0] != wanted and wanted in tree.classes:
        compare(tree, data, row, lambda label: label == wanted, {"wanted": wanted})


@examples(30)
@given(seed=st.integers(0, 9_999), position=st.integers(0, 59), missing=st.sampled_from([0.0, 0.1]))
def test_several_features_have_to_change(seed, position, missing):
    table = small_table(seed, missing=missing, rows=60)
    columns = table.frame[["colour", "size", "width"]]
    hit = (columns["colour"] == "r").astype(int) + (columns["size"] > 2) + (columns["width"] > 2) == 3
    if not 0 < hit.sum() < 60:
        return
    frame = columns.assign(goal=np.where(hit, "hit", "miss"))
    data = ex.Dataset.from_frame(frame, "goal", list(columns), {"colour": list("rgb"), "size": "numeric"})
    tree, row = ex.grow(data, ex.CART), frame.iloc[[position]]
    if tree.predict(row)[0] == "miss" and not row.iloc[0].isna().all():
        compare(tree, data, row, lambda label: label == "hit", {"wanted": "hit"})


def test_play_tennis_by_hand():
    tree, data = tennis()
    # day 1 (Sunny, Hot, High, Weak) is No: another outlook or another humidity would do; Overcast (node 2) comes first
    counterfactual = flip(tree, data, 0)
    assert [change.words for change in counterfactual.changes] == ["Outlook: Sunny → Overcast"]
    assert (counterfactual.prediction, counterfactual.node, counterfactual.distance) == ("Yes", 2, 1.0)
    kept = flip(tree, data, 0, keep=["Outlook"])
    assert [change.words for change in kept.changes] == ["Humidity: High → Normal"]
    assert flip(tree, data, 0, keep=["Outlook", "Humidity"]) is None
    # day 3 (Overcast, Hot, High, Weak) is Yes: with Sunny it would be No
    assert [change.words for change in flip(tree, data, 2).changes] == ["Outlook: Overcast → Sunny"]


def test_no_change_leads_to_a_leaf_without_training_rows():
    rows = [("R", "c", "r"), ("R", "a", "r"), ("R", "b", "r"), ("L", "a", "p"), ("L", "b", "q"), ("L", "b", "q")]
    data = ex.Dataset.from_frame(pd.DataFrame(rows, columns=["side", "colour", "y"]), "y")
    tree = ex.grow(data, ex.ID3)
    empty = next(node for node in range(tree.n_nodes_grown) if tree.node(node).is_empty)
    assert tree.predict(pd.DataFrame({"side": ["L"], "colour": ["c"]})).tolist() == ["q"], "as its parent"
    found = flips(tree, data, 3, wanted="q", most=10)
    assert [change.words for change in found[0].changes] == ["colour: a → b"]
    assert empty not in [each.node for each in found]


def test_an_alternative_says_how_many_training_rows_support_it():
    data = ex.Dataset.from_frame(load_sample("titanic").frame, "survived", ["sex", "age", "fare", "pclass"])
    tree = ex.grow(data, ex.CART)
    found = flips(tree, data, 0, wanted=1)
    assert len(found) == 3
    for each in found:
        rows = tree.rows_at(data, each.node)
        survived = data.frame["survived"].iloc[rows] == 1
        assert (each.weight, each.share) == (len(rows), pytest.approx(survived.mean()))


@pytest.mark.parametrize(("rows", "limit"), [(4, 10), (1000, 10), (2500, 25), (2501, 26), (2900, 29)])
def test_a_leaf_is_small_below_ten_rows_or_one_in_a_hundred_rounded_up(rows, limit):
    frame = pd.DataFrame({"x": np.arange(rows, dtype=float), "y": np.where(np.arange(rows) < rows / 2, "a", "b")})
    assert few_rows_limit(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)) == limit


def test_a_threshold_is_just_crossed():
    frame = pd.DataFrame({"x": [0.0, 1.5, 4.0, 10.0], "y": ["a", "a", "b", "b"]})
    data = ex.Dataset.from_frame(frame, "y")
    tree = ex.grow(data, ex.CART)
    up, down = flip(tree, data, 0).changes[0], flip(tree, data, 3).changes[0]
    assert (up.old, up.new, up.distance) == (0.0, 2.76, 0.275), "the cut is 2.75 and the range 10"
    assert (down.old, down.new, down.distance) == (10.0, 2.75, 0.725)
    whole = ex.Dataset.from_frame(frame.assign(x=[0, 1, 4, 10]), "y", ["x"], {"x": "numeric"})
    changes = flip(ex.grow(whole, ex.CART), whole, 0).changes
    assert [(change.new, change.distance) for change in changes] == [(3.0, 0.3)], "the cut is 2.5"


def test_a_missing_cell_becomes_known_at_the_price_of_one():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "y": ["a", "a", "a", "b", "b"]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    tree = ex.grow(data, ex.CART)
    row = pd.DataFrame({"x": [np.nan]})
    counterfactual = flip(tree, data, row)
    assert tree.predict(row)[0] == "a"
    assert [(change.old, change.new, change.distance) for change in counterfactual.changes] == [(None, 4.0, 1.0)]
    assert counterfactual.changes[0].words == "x: missing → 4"


def test_trees_of_one_prediction_have_no_counterfactual():
    tree, data = tennis()
    assert flip(tree.with_pruned(np.arange(tree.n_nodes_grown) == 0), data, 0) is None


def test_short_numbers_stay_inside():
    rng = np.random.default_rng(0)
    for low, width in zip(rng.normal(0, 1e3, 300), 10.0 ** rng.uniform(-9, 3, 300), strict=True):
        high = low + width
        up, down = (short_number(low, high, from_top) for from_top in (False, True))
        assert low < up <= high
        assert low < down <= high
        assert len(repr(up)) <= len(repr(high)) + 1
    assert short_number(-0.004, 0.3, from_top=False) == 0.0
    assert short_number(1.0, math.nextafter(1.0, 2), from_top=False) == math.nextafter(1.0, 2)


REFUSED = [
    ({"row": 14}, "There is no row 14. The positions of the rows are 0 to 13"),
    ({"wanted": "Maybe"}, "has no class 'Maybe'. Its classes are 'No', 'Yes'"),
    ({"wanted": "No"}, "is already 'No'"),
    ({"above": 3.0}, "Name the class with wanted="),
    ({"keep": ["Fog"]}, "has no feature 'Fog' to keep fixed. Its features are Outlook"),
]


@pytest.mark.parametrize(("options", "fact"), REFUSED)
def test_requests_without_sense_are_refused(options, fact):
    tree, data = tennis()
    with pytest.raises(ex.InputError, match=fact):
        flip(tree, data, **{"row": 0, **options})


@pytest.mark.parametrize("options", [{}, {"wanted": 3.0}, {"above": 1.0, "below": 0.0}])
def test_a_number_has_no_opposite(options):
    data = small_table(1, regression=True)
    with pytest.raises(ex.InputError, match="Give a limit, either above= or below="):
        flip(ex.grow(data, ex.CART), data, 0, **options)
    with pytest.raises(ex.InputError, match="already"):
        flip(ex.grow(data, ex.CART), data, 0, above=-1e9)
