"""While other processes compile: small tables grow by definition, larger ones wait, and can be stopped meanwhile."""

import pytest

import explorer as ex
from explorer.compiling import compiling, let_large_tables_grow, waits_for_loops
from explorer.growing import grow as growing


def days() -> ex.Dataset:
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, target="PlayTennis")


def test_a_large_table_waits_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(growing, "CELLS_BY_DEFINITION", 0)
    reports = []

    def progress(done: int, total: int) -> None:
        reports.append((done, total))
        if len(reports) == 2:
            raise ex.Stopped

    with compiling(beside=True), pytest.raises(ex.Stopped):
        ex.grow(days(), ex.ID3, progress=progress)
    assert reports == [(0, 14), (0, 14)]


def test_it_waits_no_longer_once_the_loops_are_there():
    with compiling(beside=True):
        assert waits_for_loops()
        let_large_tables_grow()
        assert not waits_for_loops()
    with pytest.raises(KeyError), compiling(beside=True):
        raise KeyError
    assert not waits_for_loops()


def test_a_small_table_does_not_wait():
    with compiling(beside=True):
        assert ex.grow(days(), ex.ID3).n_leaves == 5
