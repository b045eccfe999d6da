"""A certificate proves its tree the best without the search, and every damaged one is refused."""

import copy
import json

import numpy as np
import pytest

import explorer as ex
from explorer.optimal.certificate import digest_of
from explorer.optimal.check import bounds_of_thresholds
from tests.oracles.best_trees import random_case


def numbers_in(plain, path=()):
    """Every number in nested lists and mappings, by where it stands."""
    if isinstance(plain, (bool, str)) or plain is None:
        return
    if isinstance(plain, (int, float)):
        yield path
        return
    for key, value in plain.items() if isinstance(plain, dict) else enumerate(plain):
        yield from numbers_in(value, (*path, key))


def with_change(plain, path, change):
    changed = copy.deepcopy(plain)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] += change
    return changed


def check(seed: int) -> None:
    case = random_case(seed)
    written = json.loads(json.dumps(case.search().certificate))
    proven = ex.check_certificate(case.data, written, case.recipe)
    assert proven == pytest.approx(case.objective(), abs=1e-7)
    paths = list(numbers_in(written))
    path = paths[int(np.random.default_rng(seed).integers(len(paths)))]
    damaged = with_change(written, path, 1)
    with pytest.raises(ex.InputError, match="does not hold"):
        ex.check_certificate(case.data, damaged, case.recipe)
    # Whoever claims more and signs it anew is refused by the rows.
    forged = {**copy.deepcopy(written), "objective": written["objective"] + 0.6}
    for claim in forged["claims"][:1]:
        claim[3] += 0.6
    forged["digest"] = digest_of(forged)
    with pytest.raises(ex.InputError, match="does not hold"):
        ex.check_certificate(case.data, forged, case.recipe)


def test_certificates_hold_and_damaged_ones_do_not():
    for seed in range(60):
        check(seed)


@pytest.mark.slow
def test_many_certificates_hold_and_damaged_ones_do_not():
    for seed in range(60, 220):
        check(seed)


def test_bounds_that_are_raised_under_a_new_digest_are_refused():
    """Each claim of one certificate in turn says that no tree errs less than it proves."""
    case = next(case for case in map(random_case, range(200)) if len(case.search().certificate["claims"]) > 5)
    written = case.search().certificate
    for number in range(len(written["claims"])):
        forged = with_change(written, ("claims", number, 3), 1e6)
        forged["digest"] = digest_of(forged)
        with pytest.raises(ex.InputError, match="does not hold"):
            ex.check_certificate(case.data, forged, case.recipe)


def test_a_certificate_of_another_table_is_refused():
    first, second = (random_case(seed) for seed in (1, 2))
    with pytest.raises(ex.InputError, match="does not hold"):
        ex.check_certificate(second.data, first.search().certificate, first.recipe)


@pytest.mark.parametrize("content", [{}, {"format": 1}, {"format": 1, "digest": "", "claims": []}, {"format": 2}])
def test_what_is_no_certificate_is_refused(content):
    with pytest.raises(ex.InputError, match="does not hold"):
        ex.check_certificate(random_case(1).data, content)


def test_bounds_of_thresholds_lie_between_the_best_and_what_trees_that_begin_with_them_reach():
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    best = ex.best_subtree(data, 3)
    thresholds, bounds = bounds_of_thresholds(data, best.certificate, "sepallength")
    assert len(thresholds) == len(bounds) == data.frame["sepallength"].nunique() - 1
    assert bounds.min() == best.objective == 1.0
    for at, bound in zip(thresholds, bounds, strict=True):
        below = [data.frame["sepallength"].to_numpy() <= at, data.frame["sepallength"].to_numpy() > at]
        reached = sum(_errors(data.take(np.flatnonzero(rows))) for rows in below)
        assert bound <= reached


def _errors(rows: ex.Dataset) -> float:
    """The errors of the best tree of two splits; none where all rows are of one class."""
    return ex.best_subtree(rows, 2).loss if len(set(rows.y.tolist())) > 1 else 0.0
