"""A seeded slice of the cases: nothing but `InputError` comes out of a damaged file, its tree and its exports."""

import numpy as np
import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.pipeline import damaged_file, run_case
from tests.fuzz.watch import Report, watch


def failures(cases: range) -> list[str]:
    return list(watch(1, cases, Report()))


def test_damaged_files_are_read_grown_and_exported_or_refused():
    assert failures(range(150)) == []


@pytest.mark.slow
def test_thousands_of_damaged_files():
    assert failures(range(150, 3000)) == []


@pytest.mark.parametrize("kind", FORMATS)
def test_a_case_is_the_same_each_time(kind):
    first, second = (damaged_file(np.random.default_rng([3, 4]), kind) for _ in range(2))
    assert first[0] == second[0]
    if kind != "duckdb":  # DuckDB writes numbers of its own into a file
        assert first == second


def test_most_formats_reach_the_end():
    reached = [run_case(2, case) for case in range(8 * len(FORMATS))]
    assert {case.kind for case in reached if case.stage == "end"} == set(FORMATS)
