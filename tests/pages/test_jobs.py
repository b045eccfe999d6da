"""The pool of long work: fair, bounded, stoppable, and unharmed by work that fails."""

import gc
import threading
import weakref

import numpy as np
import pytest

import explorer as ex
from explorer.messages import Catalogue, message, spoken_in
from pages.results.cache import Cache
from pages.results.jobs import Job, Pool, reporting
from pages.results.memory import sessions
from pages.settings.memo import remembered
from pages.settings.settings import Settings

PATIENCE = 30


class Gate:
    """Work that says when it has begun, then waits to be let go; `steps` reports follow."""

    def __init__(self, prediction="done", steps=0):
        self.prediction, self.steps = prediction, steps
        self.begun, self.open = threading.Event(), threading.Event()

    def __call__(self, progress):
        self.begun.set()
        assert self.open.wait(PATIENCE)
        for step in range(1, self.steps + 1):
            progress(step, self.steps)
        return self.prediction

    def is_running(self):
        return self.begun.wait(PATIENCE)


def until(pool, condition):
    """Wait for the pool to notify of what is wanted."""
    with pool.changed:
        assert pool.changed.wait_for(condition, PATIENCE)


def ended(pool, session, key):
    """The job once it has ended."""
    until(pool, lambda: not pool.look(session, key).is_active)
    return pool.look(session, key)


def busy(workers=1, kept=32):
    """A pool whose workers are all at work, and the gates that keep them there."""
    pool = Pool(workers, kept)
    gates = [Gate() for _ in range(workers)]
    for number, gate in enumerate(gates):
        pool.submit("keeper", f"gate {number}", gate)
        assert gate.is_running()
    return pool, gates


def test_a_result_is_kept_under_its_key():
    pool = Pool(1)
    assert pool.look("a", "sum") is None
    assert pool.submit("a", "sum", lambda progress: 1 + 1).is_active
    assert ended(pool, "a", "sum") == Job("done", result=2)
    assert pool.submit("a", "sum", lambda progress: 3).result == 2


def test_sessions_take_turns():
    pool, (gate,) = busy()
    order = []
    for session, key in [("many", f"many {i}") for i in range(4)] + [
        ("few", "few 0"),
        ("few", "few 1"),
        ("one", "one 0"),
    ]:
        pool.submit(session, key, lambda progress, key=key: order.append(key))
    gate.open.set()
    ended(pool, "many", "many 3")
    assert order == ["many 0", "few 0", "one 0", "many 1", "few 1", "many 2", "many 3"]


def test_no_more_jobs_run_than_there_are_workers():
    pool, gates = busy(workers=2)
    third = Gate()
    assert pool.submit("a", "third", third).state == "queued"
    assert [pool.look("keeper", f"gate {i}").state for i in (0, 1)] == ["running", "running"]
    assert not third.begun.is_set()
    gates[1].open.set()
    assert third.is_running()
    assert pool.look("a", "third").state == "running"
    assert pool.look("keeper", "gate 0").state == "running"
    third.open.set()
    gates[0].open.set()
    assert ended(pool, "a", "third").state == "done"


def test_progress_is_seen_while_the_work_runs():
    pool, reported, go_on = Pool(1), threading.Event(), threading.Event()

    def work(progress):
        progress(3, 10)
        reported.set()
        assert go_on.wait(PATIENCE)

    pool.submit("a", "key", work)
    assert reported.wait(PATIENCE)
    assert pool.look("a", "key") == Job("running", 3, 10)
    go_on.set()
    assert ended(pool, "a", "key").state == "done"


def test_a_running_job_stops_at_its_next_report():
    pool, gate = Pool(1), Gate(steps=5)
    pool.submit("a", "key", gate)
    assert gate.is_running()
    pool.stop("a", "key")
    assert pool.look("a", "key").state == "stopped"
    gate.open.set()
    pool.submit("a", "after", lambda progress: None)
    ended(pool, "a", "after")
    assert pool.look("a", "key") == Job("stopped", 1, 5)
    pool.submit("a", "key", lambda progress: "again")
    assert ended(pool, "a", "key").result == "again"


def test_a_queued_job_that_is_stopped_never_runs():
    pool, (gate,) = busy()
    never = Gate()
    pool.submit("a", "never", never)
    pool.stop("a", "never")
    assert pool.look("a", "never") == Job("stopped")
    pool.submit("a", "after", lambda progress: None)
    gate.open.set()
    ended(pool, "a", "after")
    assert not never.begun.is_set()


def test_another_session_s_interest_keeps_a_job_alive():
    pool, gate = Pool(1), Gate("shared", steps=2)
    pool.submit("a", "key", gate)
    pool.submit("b", "key", gate)
    assert gate.is_running()
    pool.stop("a", "key")
    assert (pool.look("a", "key").state, pool.look("b", "key").state) == ("stopped", "running")
    gate.open.set()
    assert ended(pool, "b", "key").result == "shared"
    assert pool.look("a", "key").state == "stopped"
    assert pool.submit("a", "key", gate).result == "shared"


def test_a_queued_job_stays_in_the_line_of_those_who_still_want_it():
    pool, (gate,) = busy()
    for session in ("a", "b"):
        pool.submit(session, "key", lambda progress: "shared")
    pool.stop("a", "key")
    assert pool.look("b", "key").state == "queued"
    gate.open.set()
    assert ended(pool, "b", "key").result == "shared"


def test_a_job_stopped_and_wanted_again_before_its_next_report_goes_on():
    pool, gate = Pool(1), Gate("whole", steps=3)
    pool.submit("a", "key", gate)
    assert gate.is_running()
    pool.stop("a", "key")
    assert pool.submit("a", "key", Gate("other")).state == "running"
    gate.open.set()
    assert ended(pool, "a", "key").result == "whole"


def test_a_job_wanted_again_while_it_gives_up_runs_once_more():
    pool, runs, given_up, go_on = Pool(1), [], threading.Event(), threading.Event()
    first = Gate()

    def work(progress):
        runs.append("run")
        if len(runs) > 1:
            return "second"
        first(progress)
        try:
            progress(1, 2)
        finally:
            given_up.set()
            assert go_on.wait(PATIENCE)

    pool.submit("a", "key", work)
    assert first.is_running()
    pool.stop("a", "key")
    first.open.set()
    assert given_up.wait(PATIENCE)
    assert pool.submit("a", "key", work).is_active
    go_on.set()
    assert ended(pool, "a", "key").result == "second"


def test_the_same_key_is_worked_on_once():
    pool, gate = Pool(2), Gate("one")
    other = Gate("two")
    pool.submit("a", "key", gate)
    assert gate.is_running()
    assert pool.submit("b", "key", other).state == "running"
    gate.open.set()
    assert ended(pool, "b", "key").result == "one"
    assert pool.look("somebody else", "key") is None
    assert pool.submit("somebody else", "key", other).result == "one"
    assert not other.begun.is_set()


def test_how_far_others_are_is_not_shown():
    pool, (gate,) = busy()
    assert pool.look("stranger", "gate 0") is None
    pool.stop("stranger", "gate 0")
    assert pool.look("keeper", "gate 0").state == "running"
    gate.open.set()


def test_a_deliberate_error_is_kept_as_its_sentence(caplog):
    def refuse(progress):
        raise ex.InputError("There are 3 rows, but 10 folds.")

    pool = Pool(1)
    pool.submit("a", "key", refuse)
    assert ended(pool, "a", "key") == Job("failed", problem="There are 3 rows, but 10 folds.")
    assert not caplog.records


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), SystemExit(3), MemoryError()])
def test_any_other_error_is_reported_and_logged_and_the_worker_survives(caplog, error):
    def fail(progress):
        raise error

    pool = Pool(1)
    pool.submit("a", "key", fail)
    job = ended(pool, "a", "key")
    assert job.state == "failed"
    assert f"{type(error).__name__}: {error}" in job.problem
    assert [record.exc_info[1] for record in caplog.records] == [error]
    pool.submit("a", "key", lambda progress: "well again")
    assert ended(pool, "a", "key").result == "well again"


def test_the_results_looked_at_least_recently_go_first():
    pool = Pool(1, kept=2)
    for key in ("one", "two"):
        pool.submit("a", key, lambda progress, key=key: key)
        ended(pool, "a", key)
    assert pool.look("a", "one").result == "one"
    pool.submit("a", "three", lambda progress: "three")
    ended(pool, "a", "three")
    assert pool.look("a", "two") is None
    assert [pool.look("a", key).result for key in ("one", "three")] == ["one", "three"]


def test_jobs_that_wait_or_run_are_never_dropped():
    pool, (gate,) = busy(kept=1)
    for number in range(4):
        pool.submit("a", f"short {number}", lambda progress, number=number: number)
    assert all(pool.look("a", f"short {number}").state == "queued" for number in range(4))
    assert pool.look("keeper", "gate 0").state == "running"
    gate.open.set()
    assert ended(pool, "a", "short 3").result == 3
    assert pool.look("keeper", "gate 0") is None
    assert pool.look("a", "short 2") is None


def test_what_a_job_worked_on_is_cleared():
    class Table:
        pass

    pool, table = Pool(1), Table()
    held = weakref.ref(table)
    pool.submit("a", "key", lambda progress, table=table: id(table))
    ended(pool, "a", "key")
    pool.submit("a", "after", lambda progress: None)
    ended(pool, "a", "after")
    del table
    gc.collect()
    assert held() is None


def test_a_job_speaks_the_language_of_the_page_that_submitted_it():
    pool, german = Pool(1), Catalogue("de", {"Row {n}": "Zeile {n}"})

    def work(progress):
        raise ex.InputError(message("Row {n}", n=3))

    with spoken_in(german):
        pool.submit("a", "key", work)
    assert ended(pool, "a", "key").problem == "Zeile 3"


def test_the_message_on_a_fault_is_in_the_language_of_the_page_that_shows_it():
    pool = Pool(1)
    pool.submit("a", "key", lambda progress: 1 / 0)
    ended(pool, "a", "key")
    template = "The work failed ({name}: {error}). This is an error in the program. The server’s log has the details."
    with spoken_in(Catalogue("de", {template: "Fehler {name}"})):
        assert pool.look("a", "key").problem == "Fehler ZeroDivisionError"


def test_the_work_knows_to_whom_it_reports():
    pool, seen = Pool(1), []
    pool.submit("a", "key", lambda progress: seen.append((reporting() is progress, sessions.current())))
    ended(pool, "a", "key")
    assert seen == [(True, "a")]
    assert reporting() is None


def test_the_jobs_of_a_session_that_has_left_stop():
    pool, gate, waits = Pool(1), Gate(steps=5), Gate()
    pool.submit("gone", "running", gate)
    pool.submit("gone", "waiting", waits)
    assert gate.is_running()
    pool.leave("gone")
    gate.open.set()
    pool.submit("b", "after", lambda progress: None)
    ended(pool, "b", "after")
    assert not waits.begun.is_set()
    assert pool.look("gone", "running") is None
    assert pool.look("gone", "waiting") is None
    assert pool.submit("gone", "running", lambda progress: "again").is_active
    assert ended(pool, "gone", "running").result == "again"


def test_a_job_that_another_session_wants_goes_on_when_one_leaves():
    pool, gate = Pool(1), Gate("shared", steps=2)
    pool.submit("gone", "key", gate)
    pool.submit("b", "key", gate)
    assert gate.is_running()
    pool.leave("gone")
    gate.open.set()
    assert ended(pool, "b", "key").result == "shared"


def test_results_are_bounded_by_bytes():
    pool = Pool(1, cache=Cache(100_000))
    for key in ("one", "two", "three"):
        pool.submit("a", key, lambda progress: np.zeros(40_000, np.uint8))
        ended(pool, "a", key)
    assert pool.look("a", "one") is None
    assert [pool.look("a", key).state for key in ("two", "three")] == ["done", "done"]
    assert pool.submit("a", "one", lambda progress: "worked out again").is_active
    assert ended(pool, "a", "one").result == "worked out again"


def test_a_result_that_makes_room_while_it_is_looked_up_is_no_result():
    class Full(Cache):
        """Whatever is looked up here has just had to make room for the work of another thread."""

        def look(self, key, session=None):
            raise KeyError(key)

    pool = Pool(1, cache=Full(100_000))
    pool.submit("a", "key", lambda progress: "made")
    until(pool, lambda: not pool.submit("a", "key", lambda progress: "made").is_active)
    assert pool.look("a", "key") is None


def test_results_that_only_an_ended_session_used_are_given_back():
    cache = Cache(100_000)
    pool = Pool(1, cache=cache)
    for session, key in (("a", "own"), ("a", "shared"), ("b", "shared")):
        pool.submit(session, key, lambda progress: np.zeros(10_000, np.uint8))
        ended(pool, session, key)
    pool.leave("a")
    cache.give_back("a")
    assert pool.look("b", "shared").state == "done"
    assert len(cache) == 1


def test_a_worker_remembers_nothing_of_the_settings_after_a_job():
    calls, settings, pool = [], Settings(), Pool(1)
    noted = remembered(lambda settings: calls.append(settings))
    for key in ("first", "second"):
        pool.submit("reader", key, lambda progress: noted(settings))
        assert ended(pool, "reader", key).state == "done"
    assert calls == [settings, settings], "the worker's thread outlives its jobs, and would hold tables and trees"
