"""Ensembles come back from JSON as they were, and a damaged file is refused."""

import copy
import json

import numpy as np
import pytest

import explorer as ex
from tests.oracles.bridge import assert_same_tree

IRIS = ex.Dataset.from_frame(ex.load_sample("iris").frame.iloc[::3], "class")
TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
NUMBERS = ex.Dataset.from_frame(ex.load_sample("iris").frame.iloc[::3, :4], "petalwidth")
STUMPS = ex.CART.replace(max_depth=1)
MADE = {
    "forest": (IRIS, lambda: ex.forest(IRIS, n_estimators=3)),
    "votes": (TENNIS, lambda: ex.bagging(TENNIS, ex.ID3, n_estimators=3, vote="votes")),
    "extra trees": (NUMBERS, lambda: ex.extra_trees(NUMBERS, STUMPS, n_estimators=2)),
    "adaboost": (TENNIS, lambda: ex.adaboost(TENNIS, n_estimators=4)),
    "c50": (IRIS, lambda: ex.c50(IRIS, ex.C45.replace(max_depth=1), trials=4, update="c50")),
    "c50 of two classes": (TENNIS, lambda: ex.c50(TENNIS, STUMPS, trials=4, update="c50", confidence=None)),
    "three classes": (IRIS, lambda: ex.gradient_boost(IRIS, STUMPS, loss="log_loss", n_estimators=2)),
    "two classes": (TENNIS, lambda: ex.gradient_boost(TENNIS, STUMPS, loss="log_loss", n_estimators=3)),
    "numbers": (NUMBERS, lambda: ex.gradient_boost(NUMBERS, STUMPS, loss="huber", n_estimators=3)),
    "one class": (TENNIS, lambda: ex.forest(TENNIS.take([2, 3]), n_estimators=3)),
}
JUNK = (None, -1, 2**70, 1.5, "text", [], [None], ["a"], [[1.0]], {}, {"a": 1}, True, [float("nan")])


def through_json(made: ex.Ensemble) -> ex.Ensemble:
    """The ensemble that comes back from text of strict JSON."""
    return ex.Ensemble.from_dict(json.loads(json.dumps(made.to_dict(), allow_nan=False)))


@pytest.mark.parametrize("name", MADE)
def test_what_was_saved_comes_back(name: str):
    rows, made = MADE[name][0], MADE[name][1]()
    back = through_json(made)
    for field in ("method", "n_stages", "recipe", "target", "classes", "features", "ended", "combination"):
        assert getattr(back, field) == getattr(made, field), field
    assert json.dumps(dict(back.options)) == json.dumps(dict(made.options))
    for stage in range(made.n_stages + 1):
        np.testing.assert_array_equal(back.predict(rows, stage), made.predict(rows, stage))
    np.testing.assert_array_equal(back.raw(rows), made.raw(rows))
    for one, other in zip(back.members, made.members, strict=True):
        assert_same_tree(one.tree, other.tree)
        assert (one.weights is None) == (other.weights is None)
        if one.weights is not None:
            np.testing.assert_array_equal(one.weights, other.weights)


def test_members_of_a_saved_ensemble_open_on_the_training_set():
    back = through_json(ex.forest(IRIS, n_estimators=2))
    member = back.members[1]
    assert ex.decide(member.tree, member.data(IRIS), 0).chosen.condition == member.tree.condition(0)
    with pytest.raises(ex.InputError, match="does not hold its training set"):
        back.oob_scores()


def damaged(content: dict):
    """Copies of a saved ensemble, in each of which one value is gone or something else."""
    places = [(content, key) for key in content] + [(content["members"][0], key) for key in content["members"][0]]
    for position, (holder, key) in enumerate(places):
        in_member = holder is not content
        for junk in (KeyError, *JUNK):
            changed = copy.deepcopy(content)
            target = changed["members"][0] if in_member else changed
            if junk is KeyError:
                del target[key]
            else:
                target[key] = junk
            yield f"{position} {key} {junk!r:.20}", changed


@pytest.mark.parametrize("name", ["forest", "three classes"])
def test_a_damaged_ensemble_is_refused_or_predicts(name: str):
    rows, made = MADE[name][0], MADE[name][1]()
    refused = 0
    for what, content in damaged(made.to_dict()):
        try:
            back = ex.Ensemble.from_dict(content)
        except ex.InputError:
            refused += 1
            continue
        assert len(back.predict(rows)) == rows.n_rows, what
    assert refused > 200


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: c.update(format=7), "saved in format 7"),
        (lambda c: c.update(method="guess"), "there is no method 'guess'"),
        (lambda c: c.pop("start"), "these keys are missing: start"),
        (lambda c: c.update(combination="loud"), "way to combine trees do not fit"),
        (lambda c: c.update(start=[0.0]), "do not fit its classes"),
        (lambda c: c["members"][0].update(vote=float("inf")), "'vote' is not a finite number"),
        (lambda c: c["members"].reverse(), "its trees do not make up its stages"),
        (lambda c: c["members"].pop(), "its trees do not make up its stages"),
        (lambda c: c["members"][0].update(tree=ex.grow(TENNIS, ex.ID3).to_dict()), "predicts something else"),
        (lambda c: c["members"][0].update(of_class=1), "class that there is not"),
        (lambda c: c["members"][0].update(weights=[1.0, 2.0]), "different numbers of rows"),
    ],
)
def test_the_error_says_what_is_wrong(change, says: str):
    content = json.loads(json.dumps(ex.forest(IRIS, n_estimators=3).to_dict()))
    change(content)
    with pytest.raises(ex.InputError, match=says):
        ex.Ensemble.from_dict(content)


def test_rows_can_be_left_out():
    made = ex.forest(IRIS, n_estimators=2)
    back = ex.Ensemble.from_dict(json.loads(json.dumps(made.to_dict(with_rows=False))))
    assert [member.weights for member in back.members] == [None, None]
    np.testing.assert_array_equal(back.raw(IRIS), made.raw(IRIS))


def test_something_else_is_no_ensemble():
    with pytest.raises(ex.InputError, match="no record of names and values"):
        ex.Ensemble.from_dict([1, 2])
