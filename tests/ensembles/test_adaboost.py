"""AdaBoost: Li Hang's example 8.1 in fractions, SAMME as scikit-learn, laws, and its ends."""

import json
import math
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import explorer as ex

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/golden/golden_ensembles.json").read_text("utf-8"))[
    "boosting_of_classifiers"
]
BOOK = GOLDEN["lihang_8_1"]
ERROR_STUMP = ex.CART.replace(impurity="error", max_depth=1)


def ten_points() -> ex.Dataset:
    """The ten points of example 8.1."""
    frame = pd.DataFrame({"x": BOOK["x"], "y": BOOK["y"]})
    return ex.Dataset.from_frame(frame, "y", classes=[-1, 1])


def fractions(texts: list[str]) -> list[float]:
    """Golden fractions as floats."""
    return [float(Fraction(text)) for text in texts]


@pytest.mark.parametrize(("vote", "key"), [("half_log", "alpha_half_ln"), ("samme", "alpha_samme")])
def test_li_hang_8_1_in_fractions(vote: str, key: str) -> None:
    data = ten_points()
    boosted = ex.adaboost(data, ERROR_STUMP, n_estimators=4, vote=vote)
    for member, expected in zip(boosted.members, BOOK["rounds"], strict=True):
        assert member.weights == pytest.approx(fractions(expected["weights_before"]), abs=1e-15)
        assert member.tree.threshold[0] == float(expected["test"].removeprefix("x < "))
        assert member.tree.node(1).label == expected["left"]
        assert member.facts["epsilon"] == pytest.approx(float(Fraction(expected["weighted_error"])), abs=1e-15)
        assert member.vote == pytest.approx(expected[key], abs=1e-10)
        assert member.facts["z"] == pytest.approx(expected["normaliser_Z"], abs=1e-9)
        assert member.facts["bound"] == pytest.approx(expected["bound_product_of_Z"], abs=1e-9)
        assert int((boosted.predict(data, member.stage) != data.frame["y"]).sum()) == expected["training_errors"]


def test_the_third_vote_is_printed_0_7514_because_its_error_is_rounded() -> None:
    third = ex.adaboost(ten_points(), ERROR_STUMP, 3, vote="half_log").members[2]
    assert third.vote == pytest.approx(0.5 * math.log(9 / 2), abs=1e-12)  # ε = 2/11
    assert round(third.vote, 4) == 0.7520
    assert round(0.5 * math.log((1 - 0.1820) / 0.1820), 4) == BOOK["published"]["alpha"][2] == 0.7514


@pytest.mark.parametrize("key", ["K=2", "K=3"])
def test_samme_as_scikit_learn(key: str) -> None:
    table = GOLDEN["samme"][key]
    frame = pd.DataFrame(table["X"], columns=["a", "b"]).assign(y=table["y"])
    data = ex.Dataset.from_frame(frame, "y", classes=sorted(set(table["y"])))
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=table["depth"]), n_estimators=len(table["rounds"]))
    for member, expected in zip(boosted.members, table["rounds"], strict=True):
        assert member.weights == pytest.approx(expected["weights_before"], abs=1e-12)
        assert np.flatnonzero(member.tree.predict_encoded(data) != data.y).tolist() == expected["wrong_rows"]
        assert member.facts["epsilon"] == pytest.approx(expected["weighted_error"], abs=1e-12)
        assert member.vote == pytest.approx(expected["alpha"], abs=1e-12)
    assert int((boosted.predict_encoded(data) != data.y).sum()) == table["training_errors_of_vote"]


@pytest.mark.parametrize("key", ["K=2", "K=3"])
def test_samme_as_scikit_learn_live(key: str) -> None:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    table = GOLDEN["samme"][key]
    X, y = np.array(table["X"]), np.array(table["y"])
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=5, random_state=0)
    peer.fit(X, y)
    data = ex.Dataset.from_frame(pd.DataFrame(X, columns=["a", "b"]).assign(y=y), "y", classes=sorted(set(table["y"])))
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=2), n_estimators=5)
    assert [member.vote for member in boosted.members] == pytest.approx(peer.estimator_weights_.tolist(), abs=1e-12)
    assert boosted.predict(data).tolist() == peer.predict(X).tolist()


def noisy(n: int = 120, classes: int = 2, seed: int = 0) -> ex.Dataset:
    """Random rows whose class depends on two numbers and on luck."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(n, 4)).round(2), columns=list("abcd"))
    score = frame["a"] - frame["b"] + draw.normal(size=n)
    frame["y"] = pd.qcut(score, classes, labels=False)
    return ex.Dataset.from_frame(frame, "y", classes=list(range(classes)))


@pytest.mark.parametrize(("vote", "classes"), [("half_log", 2), ("half_log", 3), ("samme", 2)])
def test_the_rows_a_tree_got_wrong_weigh_half_in_the_next_round(vote: str, classes: int) -> None:
    data = noisy(classes=classes)
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=2), n_estimators=8, vote=vote)
    assert len(boosted.members) >= 4
    for member, following in zip(boosted.members, boosted.members[1:], strict=False):
        wrong = member.tree.predict_encoded(data) != data.y
        assert following.weights is not None
        assert float(following.weights[wrong].sum()) == pytest.approx(0.5, abs=1e-12)
        assert float(following.weights.sum()) == pytest.approx(1.0)


@pytest.mark.parametrize(("vote", "rate"), [("half_log", 1.0), ("samme", 1.0), ("half_log", 0.4)])
def test_training_error_stays_below_the_product_of_z(vote: str, rate: float) -> None:
    data = noisy()
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=1), 25, rate, vote)
    for member in boosted.members:
        error = float((boosted.predict_encoded(data, member.stage) != data.y).mean())
        assert error <= member.facts["bound"] + 1e-12


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_the_bound_holds_where_samme_ends_with_a_tree_without_errors(seed: int) -> None:
    """Its vote of 1 may be outvoted: Z = (1 − 0)·e^−½, not 0."""
    data = noisy(40, seed=seed)
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=4), 30)
    last = boosted.members[-1]
    assert (last.facts["epsilon"], last.vote) == (0.0, 1.0)
    assert last.facts["z"] == pytest.approx(math.exp(-0.5))
    error = float((boosted.predict_encoded(data) != data.y).mean())
    assert error <= last.facts["bound"] + 1e-12


def test_no_bound_is_recorded_for_samme_with_three_classes() -> None:
    boosted = ex.adaboost(noisy(30, classes=3), ex.CART.replace(max_depth=8), 5)
    assert boosted.members[-1].facts == {"epsilon": 0.0, "alpha": 1.0}


def test_a_shorter_run_is_the_start_of_a_longer_one() -> None:
    data = noisy(classes=3)
    short, long = (ex.adaboost(data, n_estimators=n) for n in (4, 7))
    for one, other in zip(short.members, long.members, strict=False):
        assert one.tree.to_dict() == other.tree.to_dict()
        assert one.vote == other.vote
    assert short.predict_proba(data).tolist() == long.predict_proba(data, stage=4).tolist()


def test_weight_2_is_the_row_twice() -> None:
    data = noisy(40)
    twice = np.concatenate([np.arange(40), np.arange(10)])
    weights = np.where(np.arange(40) < 10, 2.0, 1.0)
    weighted, repeated = (ex.adaboost(d, n_estimators=5) for d in (data.with_weights(weights), data.take(twice)))
    assert [m.vote for m in weighted.members] == pytest.approx([m.vote for m in repeated.members], abs=1e-9)


def test_members_keep_a_bit_per_row_and_survive_pickling() -> None:
    data = noisy()
    boosted = ex.adaboost(data, n_estimators=6)
    again = pickle.loads(pickle.dumps(boosted))
    weights = np.full(120, 1 / 120)
    for member, copy in zip(boosted.members, again.members, strict=True):
        assert np.array_equal(member.weights, copy.weights)
        assert member.weights == pytest.approx(weights, rel=1e-12)
        wrong = member.tree.predict_encoded(data) != data.y
        weights = weights * np.where(wrong, np.exp(member.vote), 1.0)
        weights /= weights.sum()
    assert boosted.members[0].__dict__["_weights"].replay.steps[0].wrong.nbytes == 15


def table_of(x: list[Any], y: list[str]) -> ex.Dataset:
    """One feature and two classes."""
    return ex.Dataset.from_frame(pd.DataFrame({"x": x, "y": y}), "y", features=["x"], classes=["a", "b"])


@pytest.mark.parametrize(("vote", "alpha"), [("samme", 1.0), ("half_log", 1.0)])
def test_a_first_tree_without_errors_ends_it(vote: str, alpha: float) -> None:
    boosted = ex.adaboost(table_of([1, 2, 3, 4], ["a", "a", "b", "b"]), n_estimators=5, vote=vote)
    assert [member.vote for member in boosted.members] == [alpha]
    assert boosted.ended is not None
    assert boosted.ended.text == "Ended with round 1: its tree has no error on the training rows."


def test_a_later_tree_without_errors_decides_alone_in_adaboost_m1() -> None:
    rows = [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0)]
    data = ex.Dataset.from_frame(pd.DataFrame(rows, columns=list("abcy")), "y", features=list("abc"), classes=[0, 1])
    boosted = ex.adaboost(data, ex.CART.replace(max_depth=2), n_estimators=8, vote="half_log")
    *before, last = boosted.members
    assert (len(before), last.facts["epsilon"]) == (2, 0.0)
    assert last.vote > sum(member.vote for member in before) > 2.0
    assert boosted.predict(data).tolist() == data.frame["y"].tolist()


XOR = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "p", "p", "n"]})


def test_a_tree_no_better_than_chance_ends_adaboost_m1_without_it() -> None:
    data = ex.Dataset.from_frame(XOR, "y", features=["a", "b"])
    boosted = ex.adaboost(data, n_estimators=5, vote="half_log")
    assert (boosted.members, boosted.n_stages) == ((), 0)
    assert boosted.ended is not None
    assert "no better than chance (50.0 %)" in boosted.ended.text
    assert boosted.predict_proba(data).tolist() == [[0.5, 0.5]] * 4


def test_a_first_tree_no_better_than_chance_is_refused_by_samme() -> None:
    with pytest.raises(ex.InputError, match=r"wrong on 50\.0 % of the weight, no better than chance"):
        ex.adaboost(ex.Dataset.from_frame(XOR, "y", features=["a", "b"]), n_estimators=5)


def test_one_class_and_one_row_are_said() -> None:
    data = table_of([1, 2, 3, 4], ["a", "a", "b", "b"])
    one_class = ex.adaboost(data.take([0, 1]))
    assert one_class.ended is not None
    assert (one_class.members, "Every row is of class a" in one_class.ended.text) == ((), True)
    one_row = ex.adaboost(data.take([0]))
    assert one_row.ended is not None
    assert "one row" in one_row.ended.text


def test_stopping_keeps_the_members_so_far() -> None:
    def stop_at_three(done: int, rounds: int) -> None:
        if done == 3:
            raise ex.Stopped

    stopped = ex.adaboost(noisy(), n_estimators=9, progress=stop_at_three)
    assert stopped.n_stages == 3
    assert stopped.ended is not None
    assert stopped.ended.text == "Stopped after 3 of 9 rounds."


def test_minima_of_rows_are_numbers_of_rows() -> None:
    """A leaf of at least 10 rows means 10 of 120 by weight, though AdaBoost's weights add up to 1."""
    boosted = ex.adaboost(noisy(), ex.CART.replace(max_depth=3, min_rows_leaf=10.0), n_estimators=3)
    for member in boosted.members:
        assert member.tree.n_leaves > 1
        assert member.weights is not None
        assert float(member.weights.sum()) == pytest.approx(120.0)
        assert member.tree.weight[member.tree.leaves()].min() >= 10.0 - 1e-9


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"vote": "loudest"}, "choose one of 'samme', 'half_log'"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0: give a number above 0"),
        ({"n_estimators": 0}, "n_estimators is 0"),
    ],
)
def test_arguments_out_of_range_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ex.InputError, match=words):
        ex.adaboost(ten_points(), **options)


def test_a_numeric_target_is_refused() -> None:
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": [0.5, 1.5, 2.5]}), "y")
    with pytest.raises(ex.InputError, match="AdaBoost needs classes"):
        ex.adaboost(data)
