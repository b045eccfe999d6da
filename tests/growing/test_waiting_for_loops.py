"""While other processes compile: small tables grow by definition, larger ones wait, and can be stopped meanwhile."""

import pytest

import explorer as ex
from explorer.compiling import ENGINE, FRACTIONAL_ROWS, PLAIN, compiling, has_loops, let_grow, waits_for_loops
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


def test_it_waits_no_longer_than_for_its_own_loops(monkeypatch):
    monkeypatch.setattr(growing, "CELLS_BY_DEFINITION", 0)
    waited = []

    def progress(done: int, total: int) -> None:
        waited.append(waits_for_loops())
        let_grow(PLAIN)

    with compiling(beside=True):
        let_grow(ENGINE)
        assert ex.grow(days(), ex.ID3, progress=progress).n_leaves == 5
        assert waited[0]
        assert not waits_for_loops()
    with pytest.raises(KeyError), compiling(beside=True):
        raise KeyError
    assert has_loops(PLAIN)


@pytest.mark.parametrize(
    ("recipe", "lacks", "loops"),
    [
        (ex.CART, False, (PLAIN,)),
        (ex.CART, True, (ENGINE,)),
        (ex.C45, True, (ENGINE, FRACTIONAL_ROWS)),
        (ex.CART.replace(max_features=1), False, (ENGINE,)),
    ],
)
def test_a_table_asks_for_the_loops_that_it_needs(monkeypatch, recipe, lacks, loops):
    asked = []
    monkeypatch.setattr(growing, "has_loops", lambda *tasks: asked.append(tasks))
    frame = ex.load_sample("play_tennis").frame
    if lacks:
        frame.loc[3, "Outlook"] = None
    with compiling():
        ex.grow(ex.Dataset.from_frame(frame, target="PlayTennis"), recipe)
    assert asked == [loops]


def test_a_small_table_does_not_wait():
    with compiling(beside=True):
        assert ex.grow(days(), ex.ID3).n_leaves == 5
