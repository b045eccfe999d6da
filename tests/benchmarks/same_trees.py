"""Compare the trees of two checkouts, bit for bit, on random tables and recipes with every option.

Run `python -m tests.benchmarks.same_trees --against FOLDER [--tables N]`, FOLDER a clone of this repository, of an
earlier commit for instance. It prints how many trees differ, which, and in what; its exit code is then 1.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import explorer as ex
from explorer.errors import InputError

MODES = ("classes", "number")
LARGE_EVERY = 25
"""Every so many tables one is large enough for several threads."""
ENSEMBLE_EVERY = 5
"""Every so many tables the trees of an ensemble are compared, not that of all rows."""


def random_frame(draw: np.random.Generator, rows: int, has_holes: bool) -> pd.DataFrame:
    """One to six features: numbers with many or few values, huge or heavy-tailed ones, and categories."""
    columns = {}
    for i in range(int(draw.integers(1, 7))):
        kind = draw.integers(0, 7)
        if kind == 0:
            column = draw.normal(size=rows)
        elif kind == 1:
            column = draw.integers(0, draw.integers(2, 9), rows).astype(float)
        elif kind == 2:
            column = draw.integers(0, 400, rows) / 4
        elif kind == 3:
            column = 1e9 + draw.normal(size=rows).astype(np.float32)
        elif kind == 4:
            column = np.round(draw.standard_cauchy(rows), 1)
        else:
            n = int(draw.integers(2, 16))
            column = pd.Series(draw.choice([f"v{j:02d}" for j in range(n)], rows), dtype=object)
        columns[f"f{i}"] = column
    frame = pd.DataFrame(columns)
    if draw.random() < 0.3:  # equal columns make ties between features
        frame["copy"] = frame[frame.columns[0]]
    if has_holes:
        for name in frame.columns:
            frame.loc[draw.random(rows) < 0.1, name] = None
    return frame


def with_target(draw: np.random.Generator, frame: pd.DataFrame, mode: str) -> pd.DataFrame:
    """A target that depends on some features, with noise; numbers with an offset, few values or heavy tails."""
    codes = frame.apply(lambda column: pd.factorize(column)[0] if column.dtype == object else column.fillna(0.0).rank())
    signal = (codes / len(frame) * draw.normal(size=codes.shape[1])).sum(axis=1).to_numpy()
    signal = signal + draw.normal(scale=draw.choice([0.01, 0.3, 2.0]), size=len(frame))
    if mode == "number":
        kind = draw.integers(0, 4)
        goal = [signal, 1e6 + signal, np.round(signal, 1), draw.standard_cauchy(len(frame)) * signal][kind].copy()
        goal[0] += 1.0  # not a single value
        return frame.assign(y=goal)
    n = int(draw.choice([2, 2, 2, 3, 5, 12]))
    cuts = np.quantile(signal, np.sort(draw.random(n - 1)))
    classes = np.array([f"k{i:02d}" for i in range(n)])[np.searchsorted(cuts, signal)]
    classes[:2] = "k00", "k01"
    return frame.assign(y=pd.Series(classes, dtype=object))


def random_recipe(draw: np.random.Generator, mode: str, names: list[str]) -> ex.Recipe:
    """Any recipe, half of them near the usual ones; InputError where the choices do not go together."""
    pick = lambda *values: values[int(draw.integers(0, len(values)))]  # noqa: E731
    changes = {
        "categorical": pick("subset", "subset", "each_value", "one_vs_rest"),
        "threshold_at": pick("midpoint", "midpoint", "observed", "c45"),
        "missing": pick(
            "most_common", "most_common", "drop", "same_class", "fractional", "surrogate", "own_branch",
            "default_direction",
        ),
        "min_rows_leaf": pick(0.0, 0.0, 1.0, 2.0, 5.0),
        "min_rows_in": pick("every", "every", "two"),
        "min_rows_split": pick(0.0, 0.0, 5.0),
        "max_depth": pick(None, None, 1, 4),
        "empty_branches": pick(False, False, True),
        "log_base": pick(2, 2, "e"),
    }  # fmt: skip
    if mode == "classes":
        changes["impurity"] = pick("gini", "gini", "entropy", "error")
        changes["score"] = pick("decrease", "decrease", "gain", "gain_ratio")
        if changes["score"] != "decrease":
            changes["impurity"] = None
    if draw.random() < 0.5:
        rare = {
            "score": pick("decrease", "tan_schlimmer", "nunez", "squared_share_weighting", "newton", "p_value"),
            "release8_penalty": pick(True, False),
            "release8_numeric_minimum": pick(True, False),
            "mean_gain_filter": pick("at_least", "greater", "off"),
            "numeric": pick("threshold", "bins", "each_value"),
            "max_features": pick(1, 0.5, "sqrt"),
            "feature_seed": int(draw.integers(0, 99)),
            "random_thresholds": True,
            "min_impurity_decrease": 0.01,
            "max_impurity": 0.2,
            "min_score": 0.02,
            "stop_at_one_feature": True,
            "chi2_level": 0.3,
            "max_leaf_nodes": 5,
            "monotone": {names[0]: 1},
            "feature_costs": {names[0]: 3.0},
            "mdl_stop": True,
            "missing_ratio": "known_rows_only",
        }
        for name in draw.choice(list(rare), int(draw.integers(1, 4)), replace=False).tolist():
            changes[name] = rare[name]
    if mode == "classes" and draw.random() < 0.15:
        changes["class_weights"] = {"k00": 3.0}
    return ex.Recipe(**changes)


def digests(number: int) -> dict[str, str]:
    """A digest of every array of one tree, by its name; the error's text where recipe and table do not go together."""
    draw = np.random.default_rng([7, number])
    mode = MODES[number % 2]
    rows = int(draw.integers(5_000, 30_000) if number % LARGE_EVERY == 0 else draw.choice([8, 30, 120, 600]))
    frame = with_target(draw, random_frame(draw, rows, bool(draw.random() < 0.3)), mode)
    names = list(frame.columns[:-1])
    kinds = {name: "categorical" if frame[name].dtype == object else "numeric" for name in frame.columns}
    weights = [None, None, None, draw.integers(1, 4, rows).astype(float), draw.choice([0.25, 0.7, 1.0], rows)]
    chosen = weights[int(draw.integers(0, 5))]
    keeps_candidates = bool(draw.random() < 0.5) and rows < 1_000
    data = ex.Dataset.from_frame(frame, "y", names, kinds)
    data = data if chosen is None else data.with_weights(chosen)
    while True:
        try:
            recipe = random_recipe(draw, mode, names)
            if number % ENSEMBLE_EVERY == 1:
                trees = members_of(draw, data, recipe)
            else:
                trees = [ex.grow(data, recipe, keep_candidates=keeps_candidates)]
        except InputError:
            continue
        parts = [part for i, tree in enumerate(trees) for part in _parts(f"{i}" if i else "", tree)]
        return {"recipe": repr(recipe), **dict(parts)}


def members_of(draw: np.random.Generator, data: ex.Dataset, recipe: ex.Recipe) -> list[object]:
    """The trees of a small ensemble of any kind; InputError where it does not go with the recipe."""
    kind, seed, n = int(draw.integers(0, 6)), int(draw.integers(0, 99)), 3
    share, drawn = float(draw.choice([0.5, 1.0])), [1, 2, "sqrt", None][int(draw.integers(0, 4))]
    if kind == 0:
        return list(ex.stability(data, recipe, n, seed=seed).distinct_trees())
    if kind == 1:
        recipe = recipe.replace(impurity=None, score="decrease", max_depth=3)
        made = ex.gradient_boost(data, recipe, n_estimators=n, subsample=share, seed=seed)
    elif kind == 2:
        made = ex.newton_boost(data, n)
    elif kind == 3:
        made = ex.bagging(data, recipe, n, seed=seed, max_samples=share)
    elif kind == 4:
        made = ex.extra_trees(data, recipe, n, drawn, bool(draw.random() < 0.5), seed=seed)
    else:
        made = ex.forest(data, recipe, n, drawn, bool(draw.random() < 0.7), seed=seed)
    return [member.tree for member in made.members]


def _parts(path: str, record: object) -> Iterator[tuple[str, str]]:
    """Every array below a record, as a digest of its bytes."""
    if isinstance(record, np.ndarray):
        text = f"{record.dtype} {record.shape} ".encode() + np.ascontiguousarray(record).tobytes()
        yield path, hashlib.sha256(text).hexdigest()
    elif is_dataclass(record) and not isinstance(record, (type, ex.Recipe)):
        for field in fields(record):
            yield from _parts(f"{path}.{field.name}", getattr(record, field.name))


def print_digests(numbers: Iterable[int]) -> None:
    """Print the digests of these tables' trees, a line each."""
    for number in numbers:
        print(json.dumps(digests(number)), flush=True)


def _digests_in(folder: Path, count: int) -> list[dict[str, str]]:
    """The digests of all trees as the checkout in a folder grows them, in a process of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), "--count", str(count)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    """Compare the two checkouts and print what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.same_trees", description=__doc__)
    parser.add_argument("--against", type=Path, help="the folder of the other checkout")
    parser.add_argument("--tables", type=int, default=2_000)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.count is not None:
        print_digests(range(options.count))
        return 0
    if options.against is None:
        parser.error("--against is needed")
    folders = [Path(__file__).resolve().parents[2], options.against.resolve()]
    with ThreadPoolExecutor(2) as pool:
        here, there = pool.map(lambda folder: _digests_in(folder, options.tables), folders)
    differing, fields_that_differ = [], Counter[str]()
    for number, (first, second) in enumerate(zip(here, there, strict=True)):
        names = [name for name in first | second if first.get(name) != second.get(name)]
        if names:
            differing.append((number, names, first["recipe"]))
            fields_that_differ.update(names)
    for number, names, recipe in differing[:10]:
        print(f"table {number}: {', '.join(names)}\n  {recipe}")
    print(f"{len(differing)} of {len(here):,} trees differ", dict(fields_that_differ) or "")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
