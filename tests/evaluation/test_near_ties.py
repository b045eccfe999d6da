"""Near ties: a rival close behind, and rows that decide the winner, against trees grown without each row."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.evaluation import near_ties
from explorer.evaluation.near_ties import near_tie_text
from explorer.growing import leave_one_out
from explorer.growing.leave_one_out import rows_that_decide
from explorer.growing.node_search import node_search
from explorer.recipe.columns import columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.missing import POLICIES
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law
from tests.oracles.golden_walk import dataset_of
from tests.oracles.left_out_rows import winners_without_each_row


def sample_data(name: str) -> ex.Dataset:
    sample = ex.SAMPLES[name]
    return ex.Dataset.from_frame(ex.load_sample(name).frame, sample.target, sample.features, sample.kinds)


def deciding(tree: ex.Tree, data: ex.Dataset, node: int = 0) -> dict[int, str]:
    """The rows of `rows_that_decide`, by position in the data, with the features that win without them."""
    search = node_search(tree, data, node)
    rows = search.at_node.rows
    return {int(rows[i]): tree.features[column].name for i, column in rows_that_decide(search).winners.items()}


def expected(tree: ex.Tree, data: ex.Dataset, recipe: ex.Recipe, node: int = 0) -> dict[int, str]:
    """The same from trees that are grown without each row, in which the winner wins ties."""
    own = tree.condition(node).feature
    found = winners_without_each_row(data, recipe, tree.rows_at(data, node), in_ties=own)
    return {row: feature for row, feature in found.items() if feature not in (None, own)}


def many_values(data: ex.Dataset, recipe: ex.Recipe) -> list[str]:
    """The features that are left out of the mean gain, which near ties take as they are in the whole training set."""
    columns = columns_for(training_rows(data, recipe)[0], recipe)
    return [column.encoding.name for column in columns if column.has_many_values]


def test_three_days_of_play_tennis_decide_for_outlook():
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3)
    winners = list(winners_without_each_row(data, ex.ID3, np.arange(14)).values())
    assert (winners.count("Outlook"), winners.count("Humidity")) == (11, 3)
    tie = ex.near_tie(tree, data, 0)
    assert set(deciding(tree, data).values()) == {"Humidity"}
    assert tie.flipping_rows == tuple(expected(tree, data, ex.ID3))
    assert tie.flipping_row == tie.flipping_rows[0]
    assert tie.reasons == ("row",)
    assert not tie.is_close
    # 0.2467498198 and 0.1518355014 are golden
    assert tie.margin == pytest.approx(0.2467498198 - 0.1518355014, abs=1e-9)
    assert tie.relative_margin == pytest.approx(1 - 0.1518355014 / 0.2467498198, abs=1e-8)
    assert near_tie_text(tie).startswith(f"Without row {tie.flipping_row + 1}, Humidity would win. 3 of the 14 rows ")


def test_a_rival_that_only_ties_without_a_row_makes_no_near_tie():
    """Humidity splits the sunny days of play tennis; without day 8 Temperature, an earlier column, parts them too."""
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3)
    assert tree.condition(1).feature == "Humidity"
    assert winners_without_each_row(data, ex.ID3, [0, 1, 7, 8, 10])[7] == "Temperature"
    assert ex.near_tie(tree, data, 1) is None


@pytest.mark.parametrize("recipe", [ex.ID3.replace(numeric="threshold"), ex.C45, ex.CART], ids=lambda r: r.name)
@pytest.mark.parametrize("name", ["iris", "play_tennis", "golf_missing", "watermelon_3_0"])
def test_every_node_agrees_with_trees_grown_without_each_row(name, recipe):
    data = sample_data(name)
    tree = ex.grow(data, recipe)
    has_missing = any((codes == f.n_values).any() for f, codes in zip(data.features, data.codes, strict=True))
    nodes = [0] if has_missing else np.flatnonzero(tree.feature >= 0).tolist()
    for node in nodes:
        # below the root features may be used up: they are constant there, and so not tested
        assert deciding(tree, data, node) == expected(tree, data, recipe, node)


@pytest.mark.parametrize("missing", [*POLICIES])
@law(40)
@given(st.data())
def test_random_tables_agree_with_trees_grown_without_each_row(missing, data):
    sample = data.draw(bridge.samples(weights="any"))
    rules = data.draw(bridge.rules_for(sample, missing="most_common", threshold_at="midpoint", max_depth=1))
    recipe = bridge.to_recipe(rules).replace(missing=missing)
    assume(not (missing == "same_class" and sample.classes is None))
    assume(len(brute_force.training_rows(sample, rules)) > 2)
    table = bridge.to_dataset(sample)
    try:
        tree = ex.grow(table, recipe)
        assume(tree.feature[0] >= 0)
        wanted = expected(tree, table, recipe)
        parts = [table.take(np.delete(np.arange(table.n_rows), row)) for row in range(table.n_rows)]
        assume(all(many_values(part, recipe) == many_values(table, recipe) for part in parts))
    except ex.InputError:
        assume(False)
    if missing != "drop":
        assert deciding(tree, table) == wanted
    tie = ex.near_tie(tree, table, 0)
    assert (() if tie is None else tie.flipping_rows) == tuple(sorted(wanted))


@law(60)
@given(st.data())
def test_the_bound_leaves_no_row_out(data):
    """With and without the bound on what a row can change, the same rows decide."""
    sample = data.draw(bridge.samples(weights="any"))
    rules = data.draw(bridge.rules_for(sample, score="decrease"))
    assume(len(brute_force.training_rows(sample, rules)) > 2)
    table = bridge.to_dataset(sample)
    tree = ex.grow(table, bridge.to_recipe(rules))
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        bounded = rows_that_decide(node_search(tree, table, node)).winners
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(leave_one_out, "_BOUNDED", ())
            assert rows_that_decide(node_search(tree, table, node)).winners == bounded


def random_table(seed: int, n: int, missing: float = 0.0) -> ex.Dataset:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 12, size=(n, 4)).astype(float), columns=list("abcd"))
    frame["e"] = rng.choice(list("xyz"), n)
    frame["t"] = np.where(frame["a"] + frame["b"] + rng.normal(size=n) * 6 > 11, "yes", "no")
    frame = frame.mask(rng.random(frame.shape) < missing * (frame.columns != "t"))
    return ex.Dataset.from_frame(frame, "t", features=list("abcde"))


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("recipe", [ex.CART, ex.CART.replace(impurity="entropy"), ex.CART.replace(impurity="error")])
def test_the_bound_leaves_no_row_out_in_larger_nodes(recipe, missing, monkeypatch):
    is_used = False
    for seed in range(6):
        data = random_table(seed, 120, missing)
        tree = ex.grow(data, recipe.replace(max_depth=3))
        searches = [node_search(tree, data, int(node)) for node in np.flatnonzero(tree.feature >= 0)]
        bounded = [rows_that_decide(search).winners for search in searches]
        for search in searches:
            features, indices, _ = search.feature_candidates()
            winner = indices.index(int(tree.feature[search.node]))
            is_used = is_used or not leave_one_out.contenders(search, features, winner).all()
        with monkeypatch.context() as patch:
            patch.setattr(leave_one_out, "_BOUNDED", ())
            assert [rows_that_decide(search).winners for search in searches] == bounded
    assert is_used, "the bound spares some features"


def test_equal_features_are_a_near_tie():
    frame = pd.DataFrame({"a": list("xxxyyy"), "b": list("uuuvvv"), "t": list("pppqqq")})
    data = ex.Dataset.from_frame(frame, "t", features=["a", "b"])
    tie = ex.near_tie(ex.grow(data, ex.ID3), data, 0)
    assert (tie.relative_margin, tie.is_close, tie.flipping_rows) == (0.0, True, ())
    assert near_tie_text(tie) == "Near tie: b has the same score."


def test_a_clear_split_a_single_feature_and_a_split_by_hand_are_none():
    frame = pd.DataFrame({"a": list("xxxxyyyy"), "b": list("uvuvuvuv"), "t": list("ppppqqqq")})
    data = ex.Dataset.from_frame(frame, "t", features=["a", "b"])
    assert ex.near_tie(ex.grow(data, ex.ID3), data, 0) is None
    single = ex.Dataset.from_frame(frame, "t", features=["a"])
    assert ex.near_tie(ex.grow(single, ex.ID3), single, 0) is None
    assert ex.near_tie(ex.grow(data, ex.ID3, choices=ex.Choices().force((), "b")), data, 0) is None
    assert ex.near_tie(ex.grow(data, ex.ID3), data, 1) is None, "a leaf"


def test_a_large_table_has_margins_only():
    data = random_table(0, 2001)
    tree = ex.grow(data, ex.CART.replace(max_depth=4))
    ties = ex.near_ties(tree, data)
    assert all(tie.reasons == ("margin",) and not tie.rows_tested for tie in ties.values())


def test_rows_are_left_out_only_within_the_allowed_work(monkeypatch):
    data = sample_data("iris")
    tree = ex.grow(data, ex.C45)
    everything = ex.near_ties(tree, data)
    by_row = {node for node, tie in everything.items() if "row" in tie.reasons}
    work = {node: rows_that_decide(node_search(tree, data, node)).work for node in by_row}
    most = sum(work.values()) - 1
    monkeypatch.setattr(near_ties, "MOST_WORK", most)
    tested = {node for node, tie in ex.near_ties(tree, data).items() if "row" in tie.reasons}
    assert tested < by_row
    assert sum(work[node] for node in tested) <= most
    monkeypatch.setattr(near_ties, "MOST_WORK", 0)
    assert all(tie.reasons == ("margin",) and not tie.rows_tested for tie in ex.near_ties(tree, data).values())


def test_a_large_node_of_many_numbers_is_not_tested_row_by_row():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2000, 10)), columns=list("abcdefghij"))
    data = ex.Dataset.from_frame(
        frame.assign(t=np.where(frame["a"] + frame["b"] > rng.normal(size=2000), "x", "y")), "t"
    )
    search = node_search(ex.grow(data, ex.C45.replace(max_depth=1)), data, 0)
    found = rows_that_decide(search, near_ties.MOST_WORK)
    assert (found.winners, found.work) == (None, 0)


def test_rows_are_numbered_as_in_the_table():
    data = dataset_of("play_tennis")
    part = data.take([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    tie = ex.near_tie(ex.grow(part, ex.ID3), part, 0)
    assert tie.flipping_rows == (2, 8, 11)
    assert tie.row_number == 12


def test_all_near_ties_of_a_tree_and_only_of_its_largest_nodes():
    data = sample_data("titanic").split(0.7)[0]
    tree = ex.grow(data, ex.CART)
    start = time.thread_time()
    ties = ex.near_ties(tree, data)
    assert time.thread_time() - start < 10, "about 0.7 s of processor time"
    assert all(ties[node] == ex.near_tie(tree, data, node) for node in list(ties)[:3])
    few = ex.near_ties(tree, data, limit_nodes=10)
    assert few == {node: tie for node, tie in ties.items() if node in few}
    tenth = np.sort(tree.weight[tree.is_inner])[-10]
    assert all(tree.weight[node] >= tenth for node in few)
    pruned = ex.near_ties(tree.with_pruned(np.arange(tree.n_nodes_grown) == 0), data)
    assert pruned == {}


KEPT = [
    ex.CART,
    ex.CART.replace(max_features=3),
    ex.CART.replace(random_thresholds=True),
    ex.ID3,
    ex.C45,
    ex.C45.replace(mean_gain_filter="greater"),
    ex.C45.replace(mean_gain_filter="off"),
]


@pytest.mark.parametrize("recipe", [*KEPT, ex.CART.replace(impurity="entropy", score="nunez", nunez_w=0.5)])
@pytest.mark.parametrize("name", ["vote", "credit_g", "penguins"])
def test_kept_candidates_leave_no_close_rival_out(name, recipe, monkeypatch):
    monkeypatch.setattr(near_ties, "MOST_ROWS", 0)
    data, recipe = sample_data(name), recipe.replace(max_depth=6)
    assert kept_ties(data, recipe) == kept_ties(data, recipe, keep_candidates=True)


def kept_ties(data, recipe, **kept):
    """Rival and margin of every node with a close one."""
    ties = ex.near_ties(ex.grow(data, recipe, **kept), data)
    return {node: (tie.rival.feature, tie.margin) for node, tie in ties.items()}


def test_nodes_that_are_clear_by_kept_candidates_are_not_searched_again(monkeypatch):
    data, searched = sample_data("mushroom"), []
    tree = ex.grow(data, ex.CART.replace(min_rows_leaf=28), keep_candidates=True)
    rivals = {node: ex.decide(tree, data, node) for node in np.flatnonzero(tree.is_inner).tolist()}
    close = {node for node, one in rivals.items() if one.chosen.score == 0.0 or (one.margin or 1.0) < 0.02}
    monkeypatch.setattr(near_ties, "decide_among", lambda tree, data, node, _: searched.append(node) or rivals[node])
    ex.near_ties(tree, data)
    assert set(searched) <= close
    assert len(close) < len(rivals)
