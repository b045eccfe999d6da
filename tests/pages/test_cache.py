"""The cache of results: bounded by bytes, fair to all sessions, and unharmed by threads and errors."""

import threading
import time

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from pages.results.cache import Cache, kept, results
from pages.results.memory import limit, sessions
from pages.results.memory.sizes import LONG, parts_of

PATIENCE = 30
KB = 1000


def size_of(value):
    return sum(parts_of(value).values())


def array(kilobytes):
    return np.zeros(kilobytes * KB, dtype=np.uint8)


def filled(most_kilobytes, *sizes):
    """A cache with an array of each size, under its position."""
    cache = Cache(most_kilobytes * KB)
    for key, size in enumerate(sizes):
        cache.get(key, lambda size=size: array(size))
    return cache


class TestSizes:
    def test_an_array_counts_the_memory_behind_it_once(self):
        whole = array(100)
        assert size_of([whole, whole[::2], whole[50:]]) == pytest.approx(100 * KB, rel=0.01)

    def test_a_view_counts_all_that_it_keeps_alive(self):
        assert size_of(array(100)[:10]) >= 100 * KB

    def test_a_frame_counts_its_numbers_and_its_texts(self):
        frame = pd.DataFrame({"number": np.arange(10_000.0), "text": [f"row {i:05}" for i in range(10_000)]})
        assert size_of(frame) >= 10_000 * (8 + len("row 00000"))
        assert size_of(frame) <= 10_000 * (8 + len("row 00000") + 8) + 10 * KB

    def test_a_frame_of_objects_counts_the_objects(self):
        texts = pd.Series([f"{i:0600}" for i in range(1000)], dtype=object)
        assert size_of(texts.to_frame()) >= 1000 * (8 + 600)

    def test_what_a_function_encloses_is_counted(self):
        large = array(50)
        assert size_of(lambda: large) >= 50 * KB

    def test_a_long_list_is_estimated_from_some_of_its_entries(self):
        entries = [np.zeros(100) for _ in range(10 * LONG)]
        assert size_of(entries) == pytest.approx(10 * LONG * (800 + 8), rel=0.05)

    def test_two_sets_of_one_table_share_its_frame(self):
        data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
        assert size_of([data, data]) == pytest.approx(size_of([data]), rel=0.02)

    def test_objects_that_hold_one_another_in_a_circle_are_counted_once(self):
        circle = [array(10)]
        circle.append(circle)
        assert size_of(circle) == pytest.approx(10 * KB, rel=0.05)


class TestBound:
    def test_the_result_used_longest_ago_goes_first(self):
        cache = filled(100, 40, 40)
        cache.get(0, lambda: None)
        cache.get(2, lambda: array(40))
        assert [key in cache for key in range(3)] == [True, False, True]
        assert cache.n_bytes <= cache.most_bytes

    def test_as_many_go_as_need_to(self):
        cache = filled(100, 30, 30, 30)
        cache.get(3, lambda: array(95))
        assert [key in cache for key in range(4)] == [False, False, False, True]

    def test_what_two_results_share_is_counted_once_and_stays_until_both_are_gone(self):
        shared = array(60)
        cache = Cache(100 * KB)
        cache.get("first", lambda: [shared])
        cache.get("second", lambda: [shared, array(10)])
        assert cache.n_bytes == pytest.approx(70 * KB, rel=0.02)
        cache.get("third", lambda: array(35))
        assert ("first" in cache, "second" in cache, "third" in cache) == (False, False, True)
        assert cache.n_bytes == pytest.approx(35 * KB, rel=0.02)

    def test_the_newest_stays_even_if_it_is_too_large_alone(self):
        assert 1 in filled(100, 10, 500)

    def test_an_empty_cache_holds_no_bytes(self):
        cache = filled(100, 10, 20, 30)
        cache.clear()
        assert (len(cache), cache.n_bytes) == (0, 0)


class TestSessions:
    def test_what_only_an_ended_session_used_is_given_back(self):
        cache = Cache(100 * KB)
        cache.get("own", lambda: array(10), "ended")
        cache.get("shared", lambda: array(10), "ended")
        cache.get("shared", lambda: array(10), "other")
        cache.get("nobody's", lambda: array(10))
        cache.give_back("ended")
        assert ("own" in cache, "shared" in cache, "nobody's" in cache) == (False, True, True)
        cache.give_back("other")
        assert len(cache) == 1

    def test_much_given_back_goes_to_the_system(self, monkeypatch):
        trimmed = []
        monkeypatch.setattr(limit, "trim", lambda: trimmed.append("trim"))
        cache = Cache(1 << 30)
        cache.get("little", lambda: array(10), "little")
        cache.get("much", lambda: array(40_000), "much")
        cache.give_back("little")
        assert trimmed == []
        cache.give_back("much")
        assert trimmed == ["trim"]
        for reader in ("first", "second", "third"):  # of a class, each with 15 MB
            cache.get(reader, lambda: array(15_000), reader)
        given = []
        for reader in ("first", "second", "third"):
            cache.give_back(reader)
            given.append(len(trimmed))
        assert given == [1, 1, 2], "45 MB are much, whoever had them"

    def test_a_job_works_for_its_session(self):
        @kept()
        def made(name):
            return array(1)

        def work():
            sessions.work_for("session of a job")
            made("in a job")

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(PATIENCE)
        before = len(results())
        results().give_back("session of a job")
        assert len(results()) == before - 1
        assert sessions.current() is None


class TestThreads:
    def test_the_same_result_is_worked_out_once(self):
        cache, runs, begun, go_on, got = Cache(100 * KB), [], threading.Event(), threading.Event(), []

        def make():
            runs.append("run")
            begun.set()
            assert go_on.wait(PATIENCE)
            return "result"

        threads = [threading.Thread(target=lambda: got.append(cache.get("key", make))) for _ in range(8)]
        for thread in threads:
            thread.start()
        assert begun.wait(PATIENCE)
        go_on.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert (runs, got) == (["run"], ["result"] * 8)

    def test_other_results_are_made_meanwhile(self):
        cache, go_on = Cache(100 * KB), threading.Event()
        thread = threading.Thread(target=lambda: cache.get("slow", lambda: go_on.wait(PATIENCE)))
        thread.start()
        assert cache.get("fast", lambda: "there") == "there"
        go_on.set()
        thread.join(PATIENCE)

    def test_an_error_is_not_kept_and_those_who_waited_try_again(self):
        cache, begun, go_on, got = Cache(100 * KB), threading.Event(), threading.Event(), []

        def fail():
            begun.set()
            assert go_on.wait(PATIENCE)
            raise ex.Stopped("Stopped on request.")

        def first():
            with pytest.raises(ex.Stopped):
                cache.get("key", fail)

        threads = [threading.Thread(target=first)]
        threads[0].start()
        assert begun.wait(PATIENCE)
        threads.append(threading.Thread(target=lambda: got.append(cache.get("key", lambda: "second try"))))
        threads[1].start()
        go_on.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert got == ["second try"]

    def test_the_sum_of_bytes_is_right_after_much_at_once(self):
        cache, rng = Cache(300 * KB), np.random.default_rng(0)
        keys = rng.integers(0, 40, size=(6, 200))
        shared = [array(5) for _ in range(4)]

        def work(own):
            for key in keys[own]:
                cache.get(int(key), lambda key=key: (array(1 + key % 9), shared[key % 4]), f"session {own}")
            cache.give_back(f"session {own}")

        threads = [threading.Thread(target=work, args=(own,)) for own in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert cache.n_bytes <= cache.most_bytes
        for own in range(6):
            cache.give_back(f"session {own}")
        assert (len(cache), cache.n_bytes) == (0, 0)


class TestKeys:
    def test_arguments_with_an_underscore_are_not_part_of_the_key(self):
        calls = []

        @kept()
        def made(key, _data, how="usual"):
            calls.append((key, how))
            return _data

        assert (
            made("underscore", [1]) == made("underscore", [2], how="usual") == made(key="underscore", _data=[3]) == [1]
        )
        assert made("underscore", [4], how="other") == [4]
        assert calls == [("underscore", "usual"), ("underscore", "other")]

    @pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), ((("a", 0),), (("a", False),)), (None, "None")])
    def test_equal_values_of_different_types_are_different_keys(self, one, other):
        calls = []

        @kept()
        def made(value, key):
            calls.append(value)
            return value

        key = time.perf_counter()
        assert [type(made(one, key)), type(made(other, key))] == [type(one), type(other)]
        assert len(calls) == 2


class TestLimit:
    def test_the_container_s_limit_counts(self, tmp_path):
        file = tmp_path / "memory.max"
        file.write_text("1000000\n", "ascii")
        assert limit.machine_bytes((file,)) == 1_000_000
        file.write_text("max\n", "ascii")
        assert limit.machine_bytes((file,)) == limit.machine_bytes(()) > 1_000_000

    def test_the_share_is_told_at_start(self, monkeypatch, caplog):
        monkeypatch.setenv(limit.SHARE_NAME, "10%")
        most = limit.most_bytes()
        assert most == max(limit.LEAST, int(limit.machine_bytes() * 0.1))
        assert f"{most / 1e6:,.0f} MB" in caplog.text
        assert "10 %" in caplog.text

    @pytest.mark.parametrize("text", ["0", "-1", "1.5", "much", "", "nan"])
    def test_a_share_that_is_none_is_reported(self, caplog, text):
        assert limit.share(text) == limit.SHARE
        assert limit.SHARE_NAME in caplog.text
