"""Parquet files of any number of rows, written batch by batch from a seed: no table is ever held whole.

Run `python -m tests.benchmarks.big_tables KIND ROWS FILE [--columns N]` to keep one.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.data import CENSUS_LEVELS, TARGET

BATCH = 250_000
EFFECT_SEED = 11
"""Seed of what each category adds to the score, the same in every batch."""


def _numbers(rng: np.random.Generator, rows: int, columns: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Normal columns and a signal with noise that depends on the first five of them."""
    x = rng.normal(size=(columns, rows))
    signal = x[0] + 0.8 * x[1] * x[2] + np.sin(2.0 * x[3]) + 0.5 * np.abs(x[4]) - 0.4
    return {f"x{i}": column for i, column in enumerate(x)}, signal + rng.normal(size=rows)


def continuous(rng: np.random.Generator, rows: int, columns: int = 10) -> dict[str, np.ndarray | pa.Array]:
    """Normal columns and two classes, about one row in five on the wrong side."""
    x, noisy = _numbers(rng, rows, columns)
    return {**x, TARGET: _words(["no", "yes"], noisy > 0)}


def regression(rng: np.random.Generator, rows: int, columns: int = 10) -> dict[str, np.ndarray]:
    """The same columns, and the noisy signal itself as target."""
    x, noisy = _numbers(rng, rows, columns)
    return {**x, TARGET: noisy}


def census(rng: np.random.Generator, rows: int) -> dict[str, np.ndarray | pa.Array]:
    """Eight categorical and six whole-number columns with the levels of a census, and two classes."""
    numbers = {
        "age": rng.integers(17, 91, rows),
        "years": rng.integers(1, 17, rows),
        "hours": rng.integers(1, 100, rows),
        "gain": np.where(rng.random(rows) < 0.08, rng.integers(1, 120, rows) * 100, 0),
        "loss": np.where(rng.random(rows) < 0.05, rng.integers(1, 90, rows) * 50, 0),
        "children": rng.integers(0, 9, rows),
    }
    effects = np.random.default_rng(EFFECT_SEED)
    score = 0.05 * numbers["age"] + 0.3 * numbers["years"] + 0.03 * numbers["hours"]
    words = {}
    for name, n_levels in CENSUS_LEVELS.items():
        shares = 1.0 / np.arange(1, n_levels + 1)
        codes = rng.choice(n_levels, rows, p=shares / shares.sum())
        words[name] = _words([f"{name} {level:02d}" for level in range(n_levels)], codes)
        score += 0.6 * effects.normal(size=n_levels)[codes]
    return {**numbers, **words, TARGET: _words(["<=50K", ">50K"], score + 2.0 * rng.normal(size=rows) > 8.5)}


def _words(words: list[str], codes: np.ndarray) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(words)).cast(pa.string())


MAKERS: dict[str, Callable[..., dict[str, np.ndarray | pa.Array]]] = {
    "continuous": continuous,
    "regression": regression,
    "census-like": census,
}


def batches(kind: str, rows: int, columns: int = 10, seed: int = 0) -> Iterator[pa.Table]:
    """The table piece by piece; a piece depends on its number and the seed alone."""
    make = MAKERS[kind] if kind == "census-like" else partial(MAKERS[kind], columns=columns)
    for number, start in enumerate(range(0, rows, BATCH)):
        yield pa.table(make(np.random.default_rng([seed, number]), min(BATCH, rows - start)))


def write_parquet(file: Path, kind: str, rows: int, columns: int = 10, seed: int = 0) -> Path:
    """Write the table and return the file."""
    pieces = batches(kind, rows, columns, seed)
    first = next(pieces)
    with pq.ParquetWriter(file, first.schema) as writer:
        writer.write_table(first)
        for piece in pieces:
            writer.write_table(piece)
    return file


def main() -> None:
    """Write the file that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.big_tables", description=__doc__)
    parser.add_argument("kind", choices=list(MAKERS))
    parser.add_argument("rows", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--columns", type=int, default=10)
    options = parser.parse_args()
    write_parquet(options.file, options.kind, options.rows, options.columns)
    print(f"{options.file}: {options.file.stat().st_size / 1e6:,.0f} MB")


if __name__ == "__main__":
    main()
