"""A seeded slice of the cases: nothing but `InputError` comes out of a damaged file, its tree and its exports."""

import numpy as np
import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.pipeline import damaged_file
from tests.fuzz.watch import Report, watched_apart


@pytest.fixture(scope="module")
def report() -> Report:
    """The cases of the slice."""
    return watched_apart(1, range(150))


def test_damaged_files_are_read_grown_and_exported_or_refused(report):
    assert report.failures == []


def test_most_formats_reach_the_end(report):
    assert {kind for kind, stage in report.reached if stage == "end"} == set(FORMATS)


@pytest.mark.slow
def test_thousands_of_damaged_files():
    assert watched_apart(1, range(150, 3000)).failures == []


@pytest.mark.parametrize("kind", FORMATS)
def test_a_case_is_the_same_each_time(kind):
    first, second = (damaged_file(np.random.default_rng([3, 4]), kind) for _ in range(2))
    assert first[0] == second[0]
    if kind != "duckdb":  # DuckDB writes numbers of its own into a file
        assert first == second
