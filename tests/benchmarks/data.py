"""The tables that are grown: generated from a seed, every number exact in 32 bits (scikit-learn keeps no more)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits

TARGET = "target"
CENSUS_LEVELS = {
    "workclass": 8,
    "education": 16,
    "marital": 7,
    "occupation": 14,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "country": 41,
}


@dataclass(frozen=True)
class Grown:
    """One table in both forms: a frame for the explorer, and `x` [n, F] float32 with `y` [n] for scikit-learn."""

    frame: pd.DataFrame
    x: NDArray[np.float32]
    y: NDArray[np.int64] | NDArray[np.float64]
    kinds: dict[str, str]

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.kinds[TARGET] == "numeric"

    def head(self, rows: int) -> "Grown":
        """The first rows."""
        return Grown(self.frame.iloc[:rows], self.x[:rows], self.y[:rows], self.kinds)


def _pair(x: NDArray[np.float32], y: np.ndarray, target_kind: str) -> Grown:
    frame = pd.DataFrame(x.astype(np.float64), columns=[f"x{i}" for i in range(x.shape[1])])
    return Grown(frame.assign(**{TARGET: y}), x, y, {TARGET: target_kind})


def _signal(x: NDArray[np.float32]) -> NDArray[np.float64]:
    return x[:, 0] + 0.8 * x[:, 1] * x[:, 2] + np.sin(2.0 * x[:, 3]) + 0.5 * np.abs(x[:, 4])


def two_classes(rows: int, seed: int = 0) -> Grown:
    """Ten normal features, two classes, about one row in five on the wrong side."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 10)).astype(np.float32)
    noisy = _signal(x) + rng.normal(size=rows)
    return _pair(x, (noisy > np.median(noisy)).astype(np.int64), "categorical")


def five_classes(rows: int, seed: int = 0) -> Grown:
    """The same cut into five classes of equal size."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 10)).astype(np.float32)
    noisy = _signal(x) + rng.normal(size=rows)
    return _pair(x, np.searchsorted(np.quantile(noisy, [0.2, 0.4, 0.6, 0.8]), noisy).astype(np.int64), "categorical")


def regression(rows: int, seed: int = 0) -> Grown:
    """Ten normal features and a numeric target with noise: every row ends in a leaf of its own."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 10)).astype(np.float32)
    return _pair(x, (_signal(x) + rng.normal(size=rows)).astype(np.float32).astype(np.float64), "numeric")


def few_values(rows: int, seed: int = 0) -> Grown:
    """Fourteen numeric columns of 30 values each, two classes."""
    x, noisy = _few_values(rows, seed)
    return _pair(x, (noisy > np.median(noisy)).astype(np.int64), "categorical")


def few_values_regression(rows: int, seed: int = 0) -> Grown:
    """The same columns with a numeric target."""
    x, noisy = _few_values(rows, seed)
    return _pair(x, noisy.astype(np.float32).astype(np.float64), "numeric")


def _few_values(rows: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 30, size=(rows, 14)).astype(np.float32)
    return x, _signal((x - 14.5) / 8.66) + rng.normal(size=rows)


def census(rows: int, seed: int = 0) -> Grown:
    """Six whole-number and eight categorical columns with the levels of a census; categories are words."""
    rng = np.random.default_rng(seed)
    numbers = _census_numbers(rng, rows)
    codes = {name: rng.choice(n, rows, p=_falling_shares(n)) for name, n in CENSUS_LEVELS.items()}
    effects = sum(rng.normal(size=CENSUS_LEVELS[name])[column] for name, column in codes.items())
    score = 0.05 * numbers["age"] + 0.3 * numbers["years"] + 0.03 * numbers["hours"] + 0.6 * effects
    noisy = score + 2.0 * rng.normal(size=rows)  # as many leaves per row as real census tables give
    y = (noisy > np.quantile(noisy, 0.76)).astype(np.int64)
    words = {name: np.array([f"{name} {i}" for i in range(CENSUS_LEVELS[name])])[c] for name, c in codes.items()}
    x = np.column_stack([*numbers.values(), *codes.values()]).astype(np.float32)
    return Grown(pd.DataFrame({**numbers, **words, TARGET: y}), x, y, {TARGET: "categorical"})


def _census_numbers(rng: np.random.Generator, rows: int) -> dict[str, NDArray[np.float64]]:
    gains = np.where(rng.random(rows) < 0.08, rng.integers(1, 120, rows) * 100, 0)
    losses = np.where(rng.random(rows) < 0.05, rng.integers(1, 90, rows) * 50, 0)
    columns = {
        "age": rng.integers(17, 91, rows),
        "weight": rng.integers(12_000, 1_500_000, rows),
        "years": rng.integers(1, 17, rows),
        "gain": gains,
        "loss": losses,
        "hours": rng.integers(1, 100, rows),
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}


def _falling_shares(levels: int) -> NDArray[np.float64]:
    shares = 1.0 / np.arange(1, levels + 1)
    return shares / shares.sum()


def census_as_numbers(rows: int, seed: int = 0) -> Grown:
    """The same table with categories as whole numbers on both sides: the same splits are on offer."""
    table = census(rows, seed)
    return _pair(table.x, table.y, "categorical")


def breast_cancer(_rows: int = 569) -> Grown:
    """569 rows, 30 features, two classes (rounded to 32 bits)."""
    bunch = load_breast_cancer()
    return _pair(bunch.data.astype(np.float32), bunch.target, "categorical")


def digits(_rows: int = 1797) -> Grown:
    """1797 rows, 64 features, ten classes."""
    bunch = load_digits()
    return _pair(bunch.data.astype(np.float32), bunch.target, "categorical")


def with_holes(table: Grown, share: float = 0.05, seed: int = 1) -> Grown:
    """The same rows with some cells of every feature empty (scikit-learn's array stays complete)."""
    rng, frame = np.random.default_rng(seed), table.frame.copy()
    for name in frame.columns[:-1]:
        frame.loc[rng.random(len(frame)) < share, name] = None
    categorical = [name for name in frame.columns[:-1] if table.frame[name].dtype.kind not in "fiu"]
    return Grown(frame, table.x, table.y, {**table.kinds, **dict.fromkeys(categorical, "categorical")})


MAKERS: dict[str, Callable[[int], Grown]] = {
    "breast_cancer": breast_cancer,
    "digits": digits,
    "two classes": two_classes,
    "five classes": five_classes,
    "regression": regression,
    "few values": few_values,
    "few values, regression": few_values_regression,
    "census-like": census,
    "census-like, as numbers": census_as_numbers,
}
