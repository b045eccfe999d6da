"""What DuckDB counts equals what plain numpy counts, on random tables and random trees."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles.engine_checks import FEATURES, assert_counts_like_numpy, random_frame
from tests.oracles.examples import examples


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("tables")


@examples(25)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 120),
    n_tests=st.integers(0, 6),
    is_regression=st.booleans(),
    weighted=st.booleans(),
)
def test_every_method_equals_plain_numpy(folder, seed, n, n_tests, is_regression, weighted):
    frame = random_frame(seed, n, is_regression, weighted)
    path, weights = folder / f"t{seed}.parquet", "w" if weighted else None
    frame.to_parquet(path)
    source = ex.connect(
        path,
        "y",
        features=FEATURES,
        weights=weights,
        engine="duckdb",
        bins=4,
        codes_per_bin=3,
        kinds={"y": "numeric"} if is_regression else None,
    )
    assert_counts_like_numpy(source, frame, weights, seed, n_tests)
    source.close()
    assert not list(folder.glob("*.tmp"))
