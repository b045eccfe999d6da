"""Random forests, bagging and extra trees: reference numbers, laws, and what is refused."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

import explorer as ex
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.threads import using_threads
from tests.oracles.bridge import assert_same_tree

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/golden/golden_ensembles.json").read_text("utf-8"))["forest"]


def tennis(features=None) -> ex.Dataset:
    """The 14 days."""
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis", features)


def numbers(rows: int = 120, target: str = "class") -> ex.Dataset:
    """Five numeric columns, two of which matter."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=rows).round(2) for i in range(5)})
    score = frame.x0 - frame.x1 + 0.7 * rng.normal(size=rows)
    frame["y"] = score.round(3) if target == "number" else np.where(score > 0, "yes", "no")
    return ex.Dataset.from_frame(frame, "y")


def golden_table(kind: str) -> ex.Dataset:
    """The table that the reference numbers were made on."""
    rng = np.random.default_rng(GOLDEN[kind]["seed"])
    x = rng.normal(size=(40, 4)).round(2)
    z = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * rng.normal(size=40)
    frame = pd.DataFrame(x, columns=list("abcd"))
    frame["y"] = (z > 0).astype(int) if kind == "classifier" else z.round(3)
    return ex.Dataset.from_frame(frame, "y", classes=[0, 1] if kind == "classifier" else None)


def golden_forest(kind: str) -> Ensemble:
    """Plain trees of depth 2, all features at every node, on the bootstrap rows of scikit-learn's forest."""
    recipe = ex.CART.replace(max_depth=2)
    data = golden_table(kind)
    weights = [np.bincount(rows, minlength=40).astype(float) for rows in GOLDEN[kind]["bootstrap_rows"]]
    members = tuple(
        Member(ex.grow(data.with_weights(w), recipe), stage, 1 / len(weights), w) for stage, w in enumerate(weights, 1)
    )
    combination = "mean_of_shares" if kind == "classifier" else "mean_of_numbers"
    return ensemble_of(data, recipe, "forest", combination, members, len(members), {})


@pytest.mark.parametrize("kind", ["classifier", "regressor"])
def test_out_of_bag_and_importance_equal_scikit_learns_on_its_bootstraps(kind: str):
    made, expected = golden_forest(kind), GOLDEN[kind]
    oob = made.oob_scores()
    assert oob.counts.tolist() == expected["oob_trees_per_row"]
    assert oob.n_without == 0
    score = oob.scores[-1]
    if kind == "regressor":
        score = 1 - score / np.var(made.train.y)  # scikit-learn's score of numbers is R²
    assert score == pytest.approx(expected["oob_score_sklearn"], rel=1e-12)
    assert list(made.importance().values()) == pytest.approx(expected["importance"], abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_on_the_rows_that_scikit_learn_drew_a_forest_of_numbers_is_the_same(seed: int):
    """All features at every node, and leaves of 9 rows: no two features tie, so that their order does not matter."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(60, 3)).astype(np.float32)
    y = x[:, 0] - x[:, 1] * x[:, 2] + 0.3 * rng.normal(size=60)
    peer = RandomForestRegressor(20, max_depth=3, min_weight_fraction_leaf=9 / 60, oob_score=True, random_state=seed)
    peer.fit(x, y)
    data = ex.Dataset.from_frame(pd.DataFrame(x.astype(float), columns=list("abc")).assign(y=y), "y")
    recipe = ex.CART.replace(max_depth=3, min_rows_leaf=9.0)
    draws = [np.bincount(rows, minlength=60).astype(float) for rows in peer.estimators_samples_]
    members = tuple(
        Member(ex.grow(data.with_weights(times), recipe), stage, 1 / 20, times) for stage, times in enumerate(draws, 1)
    )
    made = ensemble_of(data, recipe, "forest", "mean_of_numbers", members, 20, {})
    np.testing.assert_allclose(made.predict(data), peer.predict(x), atol=1e-12)
    np.testing.assert_allclose(made.oob_scores().predictions[:, 0], peer.oob_prediction_, atol=1e-12)
    assert list(made.importance().values()) == pytest.approx(peer.feature_importances_.tolist(), abs=1e-12)


def test_features_are_drawn_with_equal_chances():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 4)).round(3)
    frame = pd.DataFrame(x, columns=list("abcd"))
    frame["y"] = (x[:, 0] + 0.7 * x[:, 1] + 0.4 * x[:, 2] + 0.3 * rng.normal(size=60) > 0).astype(int)
    data = ex.Dataset.from_frame(frame, "y", classes=[0, 1])
    made = ex.forest(data, ex.CART.replace(max_depth=1), 3000, max_features=2, bootstrap=False)
    counts = np.bincount([member.tree.feature[0] for member in made.members], minlength=4)
    shares = np.array([0.5, 1 / 3, 1 / 6])  # the best of two drawn: 3, 2 and 1 of the 6 pairs; never the fourth
    assert GOLDEN["feature_sampling_in_law"]["root_share_exact"] == pytest.approx([*shares, 0])
    assert counts[3] == 0
    expected = 3000 * shares
    assert float(((counts[:3] - expected) ** 2 / expected).sum()) < 13.8, "χ² with 2 df exceeds this once in 1000"


def test_rows_left_out_of_a_bootstrap():
    facts, share = GOLDEN["bootstrap_facts"], Fraction(13, 14) ** 14
    assert str(share) == facts["P(row is out of bag), n=14"]
    assert 14 * (1 - float(share)) == pytest.approx(facts["expected distinct rows of 14"])
    made = ex.bagging(tennis(), ex.CART.replace(max_depth=0), n_estimators=2000)
    out = np.array([(member.weights == 0).mean() for member in made.members])
    assert out.mean() == pytest.approx(float(share), abs=5 * out.std() / np.sqrt(2000))


def test_three_stumps_by_hand():
    expected = GOLDEN["play_tennis_three_stumps_by_hand"]
    recipe = ex.ID3.replace(max_depth=1, empty_branches=False)
    members = []
    for stage, by_hand in enumerate(expected["trees"], 1):
        weights = np.bincount(np.array(by_hand["bootstrap_days"]) - 1, minlength=14).astype(float)
        data = tennis(by_hand["features_allowed"]).with_weights(weights)
        tree = ex.grow(data, recipe)
        gains = {name: candidate.gain for name, candidate in ex.decide(tree, data, 0).best.items()}
        assert gains == pytest.approx(by_hand["gains_bits"], abs=1e-9)
        leaves = {tree.condition(0).branches[i][0]: tree.stats[node] for i, node in enumerate(tree.children_of(0))}
        for value, counts in by_hand["leaves"].items():
            assert dict(zip(tree.classes, leaves[value], strict=True)) == counts
        assert (np.flatnonzero(weights == 0) + 1).tolist() == by_hand["out_of_bag_days"]
        members.append(Member(tree, stage, 1 / 3, weights))
    data = tennis()
    oob = ensemble_of(data, recipe, "forest", "mean_of_shares", tuple(members), 3, {}).oob_scores("error")
    assert data.classes == ("No", "Yes"), "ties go to the first class"
    for day, shares in expected["oob"].items():
        by_hand = [float(Fraction(shares[name])) for name in data.classes]
        assert oob.predictions[int(day) - 1] == pytest.approx(by_hand)
    assert (oob.n_without, oob.scores[-1]) == (14 - expected["oob_rows"], pytest.approx(4 / 7))


def test_a_forest_of_all_features_is_bagging():
    data = numbers()
    for one, other in zip(
        ex.forest(data, n_estimators=4, max_features=None).members,
        ex.bagging(data, n_estimators=4).members,
        strict=True,
    ):
        assert_same_tree(one.tree, other.tree)


@pytest.mark.parametrize("grower", [ex.forest, ex.bagging, ex.extra_trees])
@pytest.mark.parametrize("target", ["class", "number"])
def test_members_are_plain_trees_and_the_first_of_more(grower, target: str):
    data = numbers(target=target)
    few, many = grower(data, n_estimators=4, seed=9), grower(data, n_estimators=7, seed=9)
    for one, other in zip(few.members, many.members, strict=False):
        assert_same_tree(one.tree, other.tree)
        assert_same_tree(one.tree, ex.grow(one.data(data), one.tree.recipe))
    np.testing.assert_allclose(few.from_raw(few.raw(data), 4), many.from_raw(many.raw(data, 4), 4), rtol=1e-12)


def test_the_same_seed_makes_the_same_forest_whatever_the_threads():
    data = numbers()
    forests = []
    for threads in (1, 2, 5):
        with using_threads(threads):
            forests.append(ex.forest(data, n_estimators=6, seed=3))
    for made in forests[1:]:
        for one, other in zip(forests[0].members, made.members, strict=True):
            assert_same_tree(one.tree, other.tree)
    other_seed = ex.forest(data, n_estimators=6, seed=4)
    assert any(a.tree.n_nodes != b.tree.n_nodes for a, b in zip(forests[0].members, other_seed.members, strict=True))


def test_permuting_a_forest_changes_nothing():
    data = numbers()
    made = ex.forest(data, n_estimators=8)
    turned = made.with_members(np.arange(8)[::-1])
    np.testing.assert_allclose(made.predict_proba(data), turned.predict_proba(data), rtol=1e-12)
    np.testing.assert_allclose(made.oob_scores().predictions, turned.oob_scores().predictions, rtol=1e-12)
    assert made.importance() == pytest.approx(turned.importance())


def test_a_row_of_weight_two_is_the_row_twice_for_a_member():
    data = numbers(60)
    weights = ex.bagging(data, n_estimators=1).members[0].weights
    rows = np.repeat(np.arange(60), weights.astype(int))
    one, other = ex.grow(data.with_weights(weights), ex.CART), ex.grow(data.take(rows), ex.CART)
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_allclose(one.stats, other.stats)
    np.testing.assert_allclose(one.threshold, other.threshold)


def test_features_not_drawn_are_listed_with_their_gain():
    data = numbers()
    made = ex.forest(data, n_estimators=3, max_features=2)
    member = made.members[1]
    seen = member.data(data)
    decision = ex.decide(member.tree, seen, 0)
    plain = ex.decide(ex.grow(seen, ex.CART), seen, 0)
    drawn = [name for name, best in decision.best.items() if best.rejected is None]
    assert len(drawn) == 2
    assert decision.chosen.feature in drawn
    for name, best in decision.best.items():
        assert best.gain == pytest.approx(plain.best[name].gain), "the gain does not depend on the draw"
        if name not in drawn:
            assert best.rejected == "not drawn at this node"
    assert decision.chosen.gain == max(decision.best[name].gain for name in drawn)


def test_every_node_of_extra_trees_splits_at_the_threshold_it_drew():
    data = numbers()
    member = ex.extra_trees(data, n_estimators=2, max_features=3, seed=1).members[1]
    for node in np.flatnonzero(member.tree.feature >= 0)[:25]:
        decision = ex.decide(member.tree, data, int(node))
        assert decision.chosen.condition == member.tree.condition(int(node))
        competing = [c for c in decision.candidates if c.rejected is None]
        assert len(competing) == len({c.feature for c in competing}) <= 3
        rows = member.tree.rows_at(data, int(node))
        values = data.frame[decision.chosen.feature].iloc[rows]
        assert values.min() <= decision.chosen.condition.threshold < values.max()


def test_votes_count_predictions_and_shares_average_leaves():
    data = numbers()
    recipe = ex.CART.replace(max_depth=2)
    shares, votes = (ex.bagging(data, recipe, 5, vote=vote) for vote in ("shares", "votes"))
    trees = [member.tree for member in shares.members]
    np.testing.assert_allclose(shares.predict_proba(data), np.mean([t.predict_proba(data) for t in trees], axis=0))
    ballots = np.array([t.predict_encoded(data) for t in trees])
    np.testing.assert_allclose(votes.predict_proba(data)[:, 1], ballots.mean(axis=0))
    row = data.take([0])
    assert votes.votes(row).tolist() == ballots[:, 0].tolist()
    right = np.where(data.y == 1, ballots.mean(axis=0), 1 - ballots.mean(axis=0))
    np.testing.assert_allclose(votes.margin(data), 2 * right - 1)


@pytest.mark.parametrize("rows", [[], [0, 1]])
def test_one_row_is_explained_at_a_time(rows: list[int]):
    made, frame = ex.forest(tennis(), n_estimators=2), tennis().frame.iloc[rows]
    for explained in (made.contributions, made.votes):
        with pytest.raises(ex.InputError, match=f"and {len(rows)} are given"):
            explained(frame)


def test_scores_by_stage_start_at_the_constant():
    data, other = numbers(), numbers(target="number")
    made = ex.forest(data, n_estimators=5)
    scores = made.staged_scores(data)
    assert scores[0] == pytest.approx(max(np.bincount(data.y)) / data.n_rows)
    assert scores[3] == pytest.approx((made.predict(data, 3) == data.frame.y).mean())
    loss = made.staged_scores(data, "log_loss")
    assert loss[0] == pytest.approx(-(np.bincount(data.y) / 120 * np.log(np.bincount(data.y) / 120)).sum())
    squares = ex.forest(other, n_estimators=5).staged_scores(other)
    assert squares[0] == pytest.approx(np.var(other.y))
    with pytest.raises(ex.InputError, match="Metric 'mse' does not suit"):
        made.staged_scores(data, "mse")


def test_out_of_bag_rows_are_answered_by_the_members_that_did_not_draw_them():
    data = numbers(target="number")
    made = ex.bagging(data, n_estimators=6)
    oob = made.oob_scores()
    for row in range(0, data.n_rows, 7):
        own = [m.tree.predict(data.take([row]))[0] for m in made.members if m.weights[row] == 0]
        assert len(own) == oob.counts[row]
        if own:
            assert oob.predictions[row, 0] == pytest.approx(np.mean(own))
    missing = oob.counts == 0
    assert oob.n_without == missing.sum() > 0
    assert oob.scores[-1] == pytest.approx(np.mean((oob.predictions[~missing, 0] - data.y[~missing]) ** 2))


def test_permutation_importance_finds_the_columns_that_matter():
    made = ex.forest(numbers(), n_estimators=30, seed=2)
    found = made.permutation_importance()
    assert sorted(found, key=lambda name: found[name].mean)[-2:] in (["x0", "x1"], ["x1", "x0"])
    losses = found["x0"].losses
    assert found["x0"].z == pytest.approx(losses.mean() / (losses.std(ddof=1) / np.sqrt(len(losses))))


def test_strength_and_correlation_of_two_trees_by_hand():
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "n", "p", "p"]})
    data = ex.Dataset.from_frame(frame, "y", ["a", "b"])
    weights = [np.array([1.0, 0, 1, 0]), np.array([0, 1.0, 1, 0])]
    trees = [ex.grow(data.with_weights(w), ex.CART) for w in weights]
    members = tuple(Member(tree, i, 0.5, w) for i, (tree, w) in enumerate(zip(trees, weights, strict=True), 1))
    made = ensemble_of(data, ex.CART, "bagging", "votes", members, 2, {})
    answers = [tree.predict_encoded(data) for tree in trees]
    # Row 0 is judged by the second tree, row 1 by the first, row 3 by both, row 2 by none.
    margins = [2 * (answers[1][0] == 0) - 1, 2 * (answers[0][1] == 0) - 1]
    margins.append(np.mean([2 * (answer[3] == 1) - 1 for answer in answers]))
    rights = [np.mean([answers[0][1] == 0, answers[0][3] == 1]), np.mean([answers[1][0] == 0, answers[1][3] == 1])]
    spreads = [np.sqrt(1 - (2 * right - 1) ** 2) for right in rights]
    found = made.strength()
    assert found.strength == pytest.approx(np.mean(margins))
    if np.mean(spreads):
        assert found.correlation == pytest.approx(np.var(margins) / np.mean(spreads) ** 2)


def test_proximity_is_the_share_of_trees_with_a_common_leaf():
    data = numbers(30)
    made = ex.bagging(data, ex.CART.replace(max_depth=2), 7)
    leaves = np.array([member.tree.apply(data) for member in made.members])
    found = made.proximity(data)
    assert np.diag(found).tolist() == [1.0] * 30
    assert found[3, 11] == pytest.approx((leaves[:, 3] == leaves[:, 11]).mean())
    both_out = [k for k, member in enumerate(made.members) if member.weights[3] == 0 and member.weights[11] == 0]
    oob = made.proximity(data, oob=True)[3, 11]
    assert np.isnan(oob) if not both_out else oob == pytest.approx((leaves[both_out, 3] == leaves[both_out, 11]).mean())


def test_r_draws_a_third_of_the_features_for_numbers():
    rows = numbers(target="number")
    assert ex.forest(rows, n_estimators=1, max_features="R").members[0].tree.recipe.max_features == 1
    assert ex.forest(rows, n_estimators=1).members[0].tree.recipe.max_features is None
    assert ex.forest(numbers(), n_estimators=1).members[0].tree.recipe.max_features == "sqrt"


def test_a_smaller_sample_is_drawn_with_or_without_replacement():
    data = numbers()
    assert {m.weights.sum() for m in ex.bagging(data, n_estimators=3, max_samples=0.25).members} == {30.0}
    pasted = ex.bagging(data, n_estimators=3, bootstrap=False, max_samples=50)
    assert all(sorted(set(m.weights)) == [0.0, 1.0] and m.weights.sum() == 50 for m in pasted.members)


def test_weights_of_the_data_multiply_the_draws():
    data = numbers().with_weights(np.linspace(0.5, 2, 120))
    member = ex.bagging(data, n_estimators=1).members[0]
    times = member.weights / data.weights
    assert np.allclose(times, times.round())
    assert times.sum() == pytest.approx(120)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"n_estimators": 0}, "n_estimators is 0"),
        ({"n_estimators": 2.5}, "n_estimators is 2.5"),
        ({"max_features": 0}, "'max_features' is 0"),
        ({"max_features": 1.5}, "'max_features' is 1.5"),
        ({"max_features": "half"}, "'max_features' is 'half'"),
        ({"max_samples": 0}, "max_samples is 0"),
        ({"max_samples": 500}, "max_samples is 500"),
        ({"max_samples": "all"}, "max_samples is 'all'"),
        ({"vote": "loud"}, "vote is 'loud'"),
        ({"seed": -1}, "The seed is -1"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict, says: str):
    with pytest.raises(ex.InputError, match=says):
        ex.forest(numbers(), **arguments)


def test_numbers_are_not_voted_on():
    with pytest.raises(ex.InputError, match="numbers are averaged"):
        ex.forest(numbers(target="number"), vote="votes")


def test_without_a_row_left_out_there_is_no_out_of_bag_score():
    data = numbers()
    with pytest.raises(ex.InputError, match="No row is out of bag"):
        ex.forest(data, n_estimators=2, bootstrap=False).oob_scores()
    with pytest.raises(ex.InputError, match="no row is out of bag"):
        ex.adaboost(data, n_estimators=2).oob_scores()


def test_one_class_or_one_row_leave_the_constant():
    data = tennis()
    only_yes = data.take(np.flatnonzero(data.y == data.classes.index("Yes")))
    made = ex.forest(only_yes, n_estimators=5)
    assert (made.members, made.n_stages) == ((), 0)
    assert made.ended.text == "Every row is of class Yes: there is nothing to tell apart."
    assert set(made.predict(data)) == {"Yes"}
    assert ex.forest(data.take([0]), n_estimators=5).ended.text == "There is one row: no tree can split it."


@pytest.mark.parametrize(
    "grower", [ex.forest, ex.bagging, ex.extra_trees, ex.adaboost, ex.c50, ex.gradient_boost, ex.newton_boost]
)
def test_a_table_without_rows_is_refused(grower):
    with pytest.raises(ex.InputError, match="The training set has no rows"):
        grower(tennis().take([]))


def test_stage_that_does_not_exist_is_refused():
    made = ex.forest(tennis(), n_estimators=2)
    with pytest.raises(ex.InputError, match="There is no stage 3: stages go from 0 to 2"):
        made.predict(tennis(), 3)


@pytest.mark.parametrize("recipe", [ex.CART, ex.C45, ex.ID3, ex.CART.replace(missing="drop")])
def test_missing_cells_are_treated_as_the_recipe_says(recipe: ex.Recipe):
    data = ex.Dataset.from_frame(ex.load_sample("golf_missing").frame, "class")
    made = ex.forest(data, recipe, n_estimators=4, seed=5)
    for member in made.members:
        assert_same_tree(member.tree, ex.grow(member.data(data), member.tree.recipe))
    assert made.predict_proba(data).sum(axis=1) == pytest.approx(np.ones(data.n_rows))


def test_costs_decide_between_the_mean_shares():
    costs = {"no": {"yes": 1.0}, "yes": {"no": 9.0}}
    data = numbers()
    made = ex.bagging(data, ex.CART.replace(max_depth=1, costs=costs), 5)
    shares = np.mean([member.tree.predict_proba(data) for member in made.members], axis=0)
    np.testing.assert_allclose(made.predict_proba(data), shares)
    no, yes = data.classes.index("no"), data.classes.index("yes")
    assert np.array_equal(made.predict_encoded(data) == yes, shares[:, yes] * 9.0 > shares[:, no])


def test_a_split_forced_by_hand_changes_its_member_alone():
    data = numbers()
    plain = ex.forest(data, n_estimators=3)
    forced = ex.forest(data, n_estimators=3, choices={1: ex.Choices().force((), "x4")})
    assert forced.members[1].tree.features[forced.members[1].tree.feature[0]].name == "x4"
    for position in (0, 2):
        assert_same_tree(plain.members[position].tree, forced.members[position].tree)
