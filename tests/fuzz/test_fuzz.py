"""A seeded slice of the cases: nothing but `InputError` comes out of a damaged file or model, or its use."""

import numpy as np
import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.models import SOURCES, use
from tests.fuzz.pipeline import damaged_file, run_case
from tests.fuzz.watch import Report, watched_apart


@pytest.fixture(scope="module")
def report() -> Report:
    """The cases of the slice."""
    return watched_apart(1, range(150))


def test_damaged_files_are_read_grown_and_exported_or_refused(report):
    assert report.failures == []


def test_every_format_reaches_the_end(report):
    """A format none of whose few cases in the slice gets there has more of them, until one does."""
    reached = {kind for kind, stage in report.reached if stage == "end"}
    for place, kind in enumerate(FORMATS):
        more = range(150 - 150 % len(FORMATS) + len(FORMATS) + place, 150 + 50 * len(FORMATS), len(FORMATS))
        assert kind in reached or any(run_case(1, case).stage == "end" for case in more), kind


@pytest.mark.slow
def test_thousands_of_damaged_files():
    assert watched_apart(1, range(150, 2150)).failures == []


@pytest.fixture(scope="module")
def of_models() -> Report:
    """The cases of the slice of models and saved trees."""
    return watched_apart(1, range(8 * len(SOURCES)), "models")


def test_damaged_models_are_read_and_used_or_refused(of_models):
    assert of_models.failures == []


def test_damaged_models_of_most_readers_are_still_used(of_models):
    assert len({kind for kind, stage in of_models.reached if stage == "end"}) >= len(SOURCES) // 2


@pytest.mark.slow
def test_thousands_of_damaged_models():
    assert watched_apart(1, range(8 * len(SOURCES), 2150), "models").failures == []


@pytest.mark.parametrize("kind", SOURCES)
def test_whole_models_are_used(kind):
    reader, text = SOURCES[kind]
    use(reader(text()))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_case_is_the_same_each_time(kind):
    first, second = (damaged_file(np.random.default_rng([3, 4]), kind) for _ in range(2))
    assert first[0] == second[0]
    if kind not in ("duckdb", "statistics"):  # their writers put numbers of their own, or the time, into a file
        assert first == second
