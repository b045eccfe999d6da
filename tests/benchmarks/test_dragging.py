"""The figures of the drag benchmark, by hand, and the tables it drags through."""

import dataclasses

import pytest

from tests.benchmarks.drag import line, nodes_grown, table_for
from tests.benchmarks.dragging import Drag, figures

GOOD = Drag(
    frames=[(16.0, 0, 9), (17.0, 1, 9), (33.0, 2, 4), (16.0, 2, 1)],
    script=[1.0, 2.0],
    messages=0,
    release_ms=150.0,
    mount_ms=5.0,
    work_ms=4.0,
)


def test_a_drag_counts_slow_frames_positions_and_leaves():
    assert (GOOD.slow_share, GOOD.seen, GOOD.leaf_counts) == (0.25, 3, 3)


def test_figures_are_medians_and_messages_add_up():
    slow = dataclasses.replace(GOOD, frames=[(30.0, 0, 9)] * 8, release_ms=450.0, messages=1, work_ms=9.0)
    found = figures(15, 26, 3, [GOOD, slow, GOOD])
    assert (found.slow_share, found.frames, found.release_ms, found.messages) == (0.25, 4, 150.0, 1)
    assert found.work_ms == 4.0
    assert found.script_p95 == pytest.approx(1.95)
    assert "3 of 3" in line(found)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"messages": 2}, "2 websocket frames in mid-drag"),
        ({"frames": [(16.0, 1, 5), (16.0, 2, 4)]}, "2 positions seen, 3 wanted"),
        ({"frames": [(16.0, 0, 5), (16.0, 1, 5), (16.0, 2, 5)]}, "the leaves never changed"),
        ({"follows": False}, "the view was left behind by the slider"),
        ({"frames": []}, "0 positions seen, 3 wanted"),
    ],
)
def test_faults_are_named(change, fault):
    faults = figures(15, 26, 3, [dataclasses.replace(GOOD, **change)]).faults
    assert faults == [] if fault is None else fault in faults


def test_late_frames_are_faults_where_a_drag_must_be_smooth():
    """One frame in four later than 20 ms is too many, one later than 100 ms is one too many."""
    worst = dataclasses.replace(GOOD, frames=[*GOOD.frames, (101.0, 2, 1)])
    assert figures(15, 26, 3, [worst]).faults == []
    assert figures(15, 26, 3, [GOOD], must_be_smooth=True).faults == ["25.0% of the frames are late, 3% may be"]
    assert "a frame took 101 ms, 100 may be" in figures(15, 26, 3, [GOOD, worst], must_be_smooth=True).faults
    even = dataclasses.replace(GOOD, frames=[(20.0, position, position) for position in range(3)])
    assert figures(15, 26, 3, [even], must_be_smooth=True).faults == []


def test_of_many_positions_a_hundred_are_enough():
    frames = [(16.0, position, position) for position in range(100)]
    assert figures(999, 999, 1500, [dataclasses.replace(GOOD, frames=frames)]).faults == []


@pytest.mark.parametrize("nodes", [15, 101, 501])
def test_a_table_grows_about_the_nodes_wanted(nodes):
    assert nodes_grown(table_for(nodes)) == pytest.approx(nodes, rel=0.05)
