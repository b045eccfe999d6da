"""Boosting of C4.5 trees: one step of both updates, C5.0's weights on iris, and C5.0's rules."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.c50 import c50_weights, quinlan_weights

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/golden/golden_ensembles.json").read_text("utf-8"))[
    "boosting_of_classifiers"
]
STEP, IRIS = GOLDEN["quinlan_and_c50_one_step"], GOLDEN["c50_iris"]


def iris() -> ex.Dataset:
    """The 150 flowers."""
    frame = ex.load_sample("iris").frame
    return ex.Dataset.from_frame(frame, frame.columns[-1])


def test_one_step_of_both_updates_in_fractions() -> None:
    wrong = np.arange(STEP["rows"]) < STEP["wrong"]
    quinlan, midway = (update(np.ones(STEP["rows"]), wrong) for update in (quinlan_weights, c50_weights))
    expected = STEP["quinlan_1996"]["weights_sum_to_n"]
    assert quinlan[~wrong] == pytest.approx(float(Fraction(expected["right"])), abs=1e-15)
    assert quinlan[wrong] == pytest.approx(float(Fraction(expected["wrong"])), abs=1e-15)
    assert midway[~wrong] == pytest.approx(float(Fraction(STEP["c50"]["right"])), abs=1e-15)
    assert midway[wrong] == pytest.approx(float(Fraction(STEP["c50"]["wrong_each"])), abs=1e-15)
    assert quinlan[wrong].sum() / quinlan.sum() == pytest.approx(0.5)
    assert midway[wrong].sum() / midway.sum() == pytest.approx(0.4)


def test_c50_gives_the_rows_of_iris_these_weights_in_six_trials() -> None:
    data, weights = iris(), np.ones(150)
    for trial in IRIS["trials"]:
        by_class = np.bincount(data.y, weights=weights)
        assert sorted(by_class) == pytest.approx(sorted(trial["root_weights_by_class_c50"]), abs=5.1e-5)
        assert sorted(set(weights.round(6))) == pytest.approx(trial["distinct_weights_before"], abs=1.1e-6)
        wrong = np.isin(np.arange(150), trial["wrong_rows"])
        assert weights[wrong].sum() == pytest.approx(trial["weighted_error"], abs=1e-9)
        weights = c50_weights(weights, wrong)
        assert weights.sum() == pytest.approx(150.0)


def test_a_class_that_no_trial_predicts_has_probability_0_as_in_c50() -> None:
    """C5.0's trees are pruned in another way, so of its probabilities only the zeros and the ones are the same."""
    data = iris()
    found = ex.c50(data, trials=6, update="c50").predict_proba(data)[IRIS["rows_of_prob"]]
    expected = np.array(IRIS["first_rows_prob"])
    assert found[0].tolist() == expected[0].tolist() == [1.0, 0.0, 0.0]
    assert (found[:, 0] == expected[:, 0]).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(4))


def test_the_wrong_rows_move_midway_to_half_of_the_weight() -> None:
    draw = np.random.default_rng(3)
    weights = draw.uniform(0.5, 2.0, 60)
    weights *= 60 / weights.sum()
    wrong = draw.random(60) < 0.2
    assert c50_weights(weights, wrong)[wrong].sum() == pytest.approx(0.5 * (weights[wrong].sum() + 30.0))


def test_rows_that_are_out_stay_out_and_the_others_share_their_weight() -> None:
    weights = np.array([0.0, 1.0, 1.0, 1.0, 1.0])
    following = c50_weights(weights, np.array([False, True, False, False, False]))
    assert following.tolist() == pytest.approx([0.0, 1.5, 2.5 / 3, 2.5 / 3, 2.5 / 3])


def noisy(n: int = 150, seed: int = 1) -> ex.Dataset:
    """Random rows of two classes with luck in them."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(n, 3)).round(2), columns=list("abc"))
    frame["y"] = np.where(frame["a"] + frame["b"] * frame["c"] + draw.normal(size=n) > 0, "p", "n")
    return ex.Dataset.from_frame(frame, "y", classes=["n", "p"])


def test_quinlan_1996_is_adaboost_m1_of_pruned_trees_with_votes_twice_as_large() -> None:
    data = noisy()
    boosted = ex.c50(data, ex.C45, trials=6)
    assert len(boosted.members) >= 3
    for member, following in zip(boosted.members, boosted.members[1:], strict=False):
        assert member.weights is not None
        assert following.weights is not None
        assert member.weights.sum() == pytest.approx(150.0)
        plain = ex.pessimistic_prune(ex.grow(data.with_weights(member.weights), ex.C45))
        assert member.tree.to_dict() == plain.to_dict()
        wrong = member.tree.predict_encoded(data) != data.y
        epsilon = float(member.weights[wrong].sum()) / 150.0
        assert member.vote == pytest.approx(np.log((1 - epsilon) / epsilon))
        assert following.weights[wrong].sum() == pytest.approx(75.0)
        assert following.weights[~wrong] == pytest.approx(member.weights[~wrong] / (2 * (1 - epsilon)))


def test_c50_holds_later_trees_to_the_size_of_the_first_and_votes_by_confidence() -> None:
    data = noisy()
    boosted = ex.c50(data, ex.C45.replace(min_rows_leaf=2.0), trials=8, update="c50")
    first = boosted.members[0].tree
    assert first.recipe.min_rows_split == 0.0
    assert len(boosted.members) > 2
    for member in boosted.members[1:]:
        split = member.tree.weight[member.tree.feature >= 0]
        assert (np.floor(1.1 * first.n_leaves / 150 * split + 0.5) >= 2).all()
    expected = np.zeros((150, 2))
    for member in boosted.members:
        ends = member.tree.apply(data)
        code, stats = member.tree.labels[ends], member.tree.stats[ends]
        share = member.tree.stats[0] / member.tree.stats[0].sum()
        rows = np.arange(150)
        expected[rows, code] += (stats[rows, code] + share[code]) / (stats.sum(axis=1) + 1.0)
    assert boosted.predict_proba(data) == pytest.approx(expected / expected.sum(axis=1, keepdims=True), abs=1e-12)


def test_importance_of_voting_trees_is_the_mean_of_their_own() -> None:
    boosted = ex.c50(noisy(), ex.C45.replace(max_depth=2), trials=4, update="c50")
    own = [list(ex.importance(member.tree).values()) for member in boosted.members]
    expected = np.mean([np.array(shares) / sum(shares) for shares in own], axis=0)
    assert list(boosted.importance().values()) == pytest.approx(expected.tolist(), abs=1e-12)


def test_c50_drops_rows_that_cannot_be_won_any_more_in_the_second_half() -> None:
    data = noisy()
    boosted = ex.c50(data, ex.C45.replace(max_depth=2), trials=10, update="c50")
    votes, active = np.zeros((150, 2)), np.ones(150, dtype=bool)
    dropped = 0
    for member in boosted.members:
        assert member.weights is not None
        assert ((member.weights > 0) == active).all()
        shares, code = member.tree.predict_proba(data), member.tree.predict_encoded(data)
        votes[np.arange(150), code] += shares[np.arange(150), code]
        if member.stage > 5:
            ahead = votes.max(axis=1) - votes[np.arange(150), data.y]
            dropped += int((active & (ahead > 10 - member.stage)).sum())
            active &= ahead <= 10 - member.stage
    assert dropped > 0


@pytest.mark.parametrize("update", ["quinlan96", "c50"])
def test_a_table_that_the_first_tree_fits_needs_no_second(update: str) -> None:
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    boosted = ex.c50(data, trials=5, update=update)
    assert boosted.n_stages == 1
    assert boosted.ended is not None
    assert boosted.ended.code == ("no_errors" if update == "quinlan96" else "few_errors")


def test_c50_abandons_boosting_where_two_trials_are_left() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5, "y": list("npnp") * 4 + list("nnpp")})
    boosted = ex.c50(ex.Dataset.from_frame(frame, "y", features=["a"]), trials=5, update="c50")
    assert boosted.n_stages == 1
    assert boosted.ended is not None


def test_case_weights_count_by_their_mean() -> None:
    data = noisy()
    doubled = ex.c50(data.with_weights(np.full(150, 2.0)), trials=4, update="c50")
    plain = ex.c50(data, trials=4, update="c50")
    assert [m.tree.to_dict() for m in doubled.members] == [m.tree.to_dict() for m in plain.members]


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ex.InputError, match="choose one of 'quinlan96', 'c50'"):
        ex.c50(iris(), update="2020")
    with pytest.raises(ex.InputError, match="confidence is 0"):
        ex.c50(iris(), confidence=0.0)
    with pytest.raises(ex.InputError, match=r"C5\.0 needs classes"):
        ex.c50(ex.Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": [0.5, 1.5, 2.5]}), "y"))
