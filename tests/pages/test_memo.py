"""What a page run remembers: one computation for the same settings, a new one where anything they stand for differs."""

import threading
from dataclasses import replace

import pytest

import explorer as ex
from explorer.data.samples import load_sample
from pages.settings import session
from pages.settings.memo import nothing_remembered, remembered
from pages.settings.session import Upload
from pages.settings.settings import Settings

calls: list[tuple[object, ...]] = []


@remembered
def seed_plus(settings: Settings, more: int = 0) -> int:
    """Something that depends on the settings; notes that it was computed."""
    calls.append((settings, more))
    return settings.seed + more


@pytest.fixture(autouse=True)
def no_calls() -> None:
    """Begin to count."""
    calls.clear()


def test_the_same_settings_and_arguments_are_computed_once() -> None:
    settings = Settings(seed=4)
    assert [seed_plus(settings, 1), seed_plus(settings, 1), seed_plus(settings, 2)] == [5, 5, 6]
    assert calls == [(settings, 1), (settings, 2)]


def test_other_settings_are_computed_anew_and_old_ones_still_known() -> None:
    one = Settings(seed=1)
    other = replace(one, seed=2)
    assert [seed_plus(one), seed_plus(other), seed_plus(one)] == [1, 2, 1]
    assert calls == [(one, 0), (other, 0)]


def test_many_settings_do_not_pile_up() -> None:
    several = [Settings(seed=seed) for seed in range(20)]
    assert [seed_plus(settings) for settings in several] == list(range(20))
    seed_plus(several[0])
    assert len(calls) == 21


def test_another_file_of_the_reader_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load_sample("play_tennis")
    files = [Upload("t", "one", table), Upload("t", "two", table)]
    monkeypatch.setattr(session, "upload", lambda: files[len(calls) % 2])
    settings = Settings(upload="one")
    seed_plus(settings)
    seed_plus(settings)
    assert len(calls) == 2


def test_another_run_computes_anew() -> None:
    settings = Settings(seed=9)
    seed_plus(settings)
    run = threading.Thread(target=seed_plus, args=(settings,))
    run.start()
    run.join()
    assert len(calls) == 2


def test_an_error_is_not_remembered_as_a_result() -> None:
    @remembered
    def fails(settings: Settings) -> int:
        calls.append((settings,))
        raise ex.InputError("no")

    settings = Settings()
    for _ in range(2):
        with pytest.raises(ex.InputError):
            fails(settings)
    assert len(calls) == 2


def test_a_worker_remembers_nothing() -> None:
    settings = Settings(seed=3)
    with nothing_remembered():
        assert [seed_plus(settings), seed_plus(settings)] == [3, 3]
    assert len(calls) == 2
    assert [seed_plus(settings), seed_plus(settings)] == [3, 3]
    assert len(calls) == 3
