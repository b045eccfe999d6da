"""The worker threads: what they do side by side, in which order, and who waits for whom."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, current_thread

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.messages import Catalogue, message, spoken_in
from explorer.threads import (
    background_pool,
    in_blocks,
    shared_pool,
    side_by_side,
    thread_count,
    using_threads,
    working_alone,
)
from tests.oracles.bridge import assert_same_tree


def test_a_thread_that_works_alone_needs_no_other():
    """All of the pool stands still, as while its threads wait for what this one does."""
    goes_on = Event()
    busy = [background_pool().submit(goes_on.wait, 60) for _ in range(thread_count())]
    with working_alone():
        assert list(side_by_side(str.upper, "abc")) == ["A", "B", "C"]
        assert thread_count() == 1
    assert thread_count() == len(busy)
    goes_on.set()
    assert all(each.result() for each in busy)


@pytest.mark.parametrize("n_rows", [0, 1, 9_999, 50_001])
def test_blocks_cover_every_row_once(n_rows):
    covered = np.zeros(n_rows, dtype=int)

    def work(start: int, end: int) -> None:
        covered[start:end] += 1

    for count in (1, 3):
        with using_threads(count):
            in_blocks(work, n_rows)
    assert covered.tolist() == [2] * n_rows


def test_a_worker_thread_gives_no_work_to_others():
    with using_threads(3):
        assert thread_count() == 3
        for pool in (shared_pool(), background_pool()):
            assert pool.submit(thread_count).result() == 1
            for inner in (shared_pool, background_pool):
                names = pool.submit(lambda inner=inner: [current_thread(), inner().submit(current_thread).result()])
                assert len(set(names.result())) == 1


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux lets a thread choose its cores")
def test_a_thread_of_the_shared_pool_keeps_to_a_core_of_its_own_where_there_are_enough():
    cores = os.sched_getaffinity(0)
    all_are_busy = Barrier(len(cores))

    def cores_of_thread(_: int) -> list[int]:
        all_are_busy.wait(60)
        return sorted(os.sched_getaffinity(0))

    with using_threads(len(cores)):
        assert sorted(shared_pool().map(cores_of_thread, cores)) == [[core] for core in sorted(cores)]
        assert background_pool().submit(os.sched_getaffinity, 0).result() == cores
    with using_threads(len(cores) + 1):
        assert shared_pool().submit(os.sched_getaffinity, 0).result() == cores
    assert os.sched_getaffinity(0) == cores


def test_a_reader_does_not_wait_for_work_that_is_done_side_by_side():
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(21_000, 2)), columns=["a", "b"]).assign(y=rng.integers(0, 2, 21_000))
    data = ex.Dataset.from_frame(frame, "y", kinds={"y": "categorical"})
    begun, may_end = Event(), Event()

    def occupy(_: int) -> bool:
        begun.set()
        return may_end.wait(300)

    def ask() -> int:
        """Grow a tree and list candidates: enough rows for all threads."""
        tree = ex.grow(data, ex.CART.replace(max_depth=3), progress=lambda *_: None)
        return ex.decide(tree, data, 0).n_rows

    with using_threads(2), ThreadPoolExecutor(2) as others:
        work = others.submit(list, side_by_side(occupy, range(3)))
        try:
            assert begun.wait(60)
            assert others.submit(ask).result(timeout=240) == 21_000
            assert not work.done()
        finally:
            may_end.set()
        assert work.result(timeout=60) == [True] * 3


def test_work_side_by_side_may_be_divided_again_and_may_grow_with_all_threads():
    frame = ex.load_sample("play_tennis").frame
    frame.loc[3, "Outlook"] = None
    data = ex.Dataset.from_frame(frame, target="PlayTennis")
    expected = ex.grow(data, ex.C45)
    with using_threads(2):
        inner = side_by_side(lambda n: list(side_by_side(lambda k: (n, k), range(4))), range(4))
        assert list(inner) == [[(n, k) for k in range(4)] for n in range(4)]
        for tree in side_by_side(lambda _: ex.grow(data, ex.C45, progress=lambda *_: None), range(4)):
            assert_same_tree(tree, expected)


def test_an_error_side_by_side_comes_in_its_turn_in_the_language_of_the_caller():
    def work(number: int) -> int:
        if number == 2:
            raise ex.InputError(message("The table has no rows."))
        return number

    done = list[int]()
    with (
        spoken_in(Catalogue("xx", {"The table has no rows.": "Sin filas."})),
        pytest.raises(ex.InputError, match="Sin"),
    ):
        done.extend(side_by_side(work, range(9)))
    assert done == [0, 1]
