"""Recipes that need rows are refused with field, reason and way out; growing can be followed and stopped."""

import numpy as np
import pytest

import explorer as ex
from tests.oracles.counted_tables import COUNTED, assert_same, mixed_frame
from tests.oracles.counting_engine import array_source, same_data

NEED_ROWS = [
    ({"release8_penalty": True, "score": "gain", "impurity": "entropy"}, "release8_penalty"),
    ({"mdl_stop": True}, "mdl_stop"),
    ({"random_thresholds": True, "missing": "drop"}, "random_thresholds"),
    ({"score": "newton"}, "score"),
    ({"score": "p_value"}, "score"),
    ({"threshold_at": "c45"}, "threshold_at"),
    ({"class_weights": {"p": 0.0}}, "class_weights"),
]


@pytest.mark.parametrize(("changes", "field"), NEED_ROWS, ids=[field for _, field in NEED_ROWS])
def test_a_recipe_that_needs_rows_names_the_field_and_the_way_out(changes, field):
    source = array_source(mixed_frame(3, n=40), "goal", **COUNTED)
    with pytest.raises(ex.InputError, match=rf"Recipe field '{field}'.*source\.sample\(100_000\)"):
        ex.grow(source, ex.CART.replace(**changes))


@pytest.mark.parametrize("policy", ["fractional", "surrogate", "same_class"])
def test_rows_without_a_value_that_go_their_own_way_are_refused(policy):
    source = array_source(mixed_frame(3, n=40, missing=0.2), "goal", **COUNTED)
    with pytest.raises(ex.InputError, match=r"'missing' is '\w+'.*column 'many' has missing cells.*own_branch"):
        ex.grow(source, ex.CART.replace(missing=policy))


def test_too_many_values_for_a_branch_each():
    frame = mixed_frame(3, n=1100)
    frame["many"] = np.arange(1100) / 7
    source = array_source(frame, "goal", bins=4, codes_per_bin=2)
    with pytest.raises(ex.InputError, match=r"'numeric' is 'each_value'.*column 'many' has more than 1,000"):
        ex.grow(source, ex.ID3.replace(numeric="each_value"))


def test_prepruning_takes_a_part_of_the_source():
    frame, parts = mixed_frame(4, n=200), np.arange(200) % 2
    source = array_source(frame, "goal", parts=parts, **COUNTED)
    train, valid = (type(source)(source.workspace, part) for part in (0, 1))
    recipe, data = ex.CART.replace(prepruning=True), same_data(frame, "goal")
    expected = ex.grow(data.take(parts == 0), recipe, data.take(parts == 1))
    assert_same(ex.grow(train, recipe, valid), expected)


def test_progress_rises_to_all_rows_and_can_stop():
    source = array_source(mixed_frame(3), "goal", **COUNTED)
    seen = []
    ex.grow(source, ex.CART, progress=lambda done, total: seen.append((done, total)))
    assert {total for _, total in seen} == {150}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (150, 150)

    def stop(done, total):
        raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.grow(source, ex.CART, progress=stop)


def test_a_watcher_sees_every_level_once_done():
    frame, reports = mixed_frame(3), []
    source = array_source(frame, "goal", **COUNTED)
    tree = ex.grow(source.watched_by(reports.append), ex.CART.replace(max_depth=4))
    done = {report.depth: report for report in reports if report.is_done}
    assert sorted(done) == list(range(4))  # the nodes at depth 4 are leaves
    searched = (tree.feature >= 0) & (tree.depth < 4)
    for depth, report in done.items():
        assert report.nodes >= (searched & (tree.depth == depth)).sum()
        assert 0 <= report.share_looked_into <= 1
    assert done[0].nodes == 1
    assert sum(report.bins_alive for report in done.values()) < sum(report.bins for report in done.values())
