"""Tables that several tests share: made from a seed, or built in."""

import numpy as np
import pandas as pd

import explorer as ex


def mixed_frame(rows: int, seed: int, missing: float = 0.0) -> pd.DataFrame:
    """Numeric columns with many and with few values, and categorical ones of 2, 6 and 13 categories."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"real": rng.normal(size=rows), "few": rng.integers(0, 7, rows).astype(float)})
    for size in (2, 6, 13):
        frame[f"c{size}"] = pd.Series(rng.choice([f"v{i:02d}" for i in range(size)], rows), dtype=object)
    signal = frame["real"] + frame["few"] / 3 + (frame["c6"] > "v02") + rng.normal(scale=0.7, size=rows)
    frame["number"] = signal.round(3)
    frame["two"] = np.where(signal > 1.2, "yes", "no")
    frame["four"] = pd.cut(signal, 4, labels=["w", "x", "y", "z"]).astype(object)
    frame["fractions"] = rng.choice([0.25, 0.7, 1.0, 2.5], rows)
    frame["counts"] = rng.integers(1, 4, rows).astype(float)
    for name in ("real", "few", "c2", "c6", "c13"):
        frame.loc[rng.random(rows) < missing, name] = None
    return frame


MIXED_FEATURES = ["real", "few", "c2", "c6", "c13"]


def mixed_data(target: str, weights: str | None, missing: float, rows: int = 160) -> ex.Dataset:
    """The mixed table with one of its targets and weights."""
    frame = mixed_frame(rows, seed=7, missing=missing)
    kinds = {
        **dict.fromkeys(MIXED_FEATURES[2:], "categorical"),
        target: "numeric" if target == "number" else "categorical",
    }
    return ex.Dataset.from_frame(frame, target, MIXED_FEATURES, kinds, weights)


def noisy_table(seed: int, regression: bool = False, rows: int = 90) -> ex.Dataset:
    """Three classes (or a number) that depend on two of three features, with noise and rare categories."""
    draw = np.random.default_rng(seed)
    colour = draw.choice(list("rgbyk"), rows, p=[0.4, 0.3, 0.2, 0.08, 0.02])
    size, noise = draw.integers(0, 12, rows), draw.normal(size=rows).round(1)
    goal = size * (colour == "r") + 3 * (colour == "g") + noise + draw.normal(size=rows)
    frame = pd.DataFrame({"colour": colour, "size": size, "noise": noise, "weight": draw.integers(1, 4, rows) / 2})
    frame["goal"] = goal.round(1) if regression else np.array(["low", "mid", "top"])[np.digitize(goal, [1, 4])]
    kinds = {"goal": "numeric" if regression else "categorical"}
    weights = "weight" if seed % 2 else None
    return ex.Dataset.from_frame(frame, "goal", ["colour", "size", "noise"], kinds, weights=weights)


def misleading_table(seed):
    """Words and a number, a target that one word mostly decides, a first feature that is worth less than it looks."""
    rng = np.random.default_rng(seed)
    rows, levels = int(rng.integers(20, 70)), rng.integers(2, 4, 3)
    words = {
        f"f{i}": rng.choice(list("abc")[:k], rows, p=[0.8, *[0.2 / (k - 1)] * (k - 1)]) for i, k in enumerate(levels)
    }
    truth = np.where(words["f1"] == "a", "yes", "no")
    y = np.where(rng.random(rows) < 0.2, rng.choice(["yes", "no", "dunno"], rows), truth)
    frame = pd.DataFrame({**words, "x": rng.integers(0, 9, rows).astype(float), "y": y, "w": rng.integers(1, 3, rows)})
    return ex.Dataset.from_frame(frame, "y", [*words, "x"], kinds={name: list("abc") for name in words}, weights="w")


def small_table(seed, regression=False, missing=0.0, rows=24):
    """Categories, whole numbers, and numbers with a half; a noisy target of three classes or numbers."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "colour": draw.choice(list("rgb"), rows),
        "size": draw.integers(0, 7, rows).astype(float),
        "width": draw.integers(0, 12, rows) / 2 + 0.25,
    })  # fmt: skip
    goal = frame["size"] + 4 * (frame["colour"] == "r") + frame["width"] + draw.normal(0, 1.5, rows)
    frame["goal"] = goal.round(1) if regression else np.array(["low", "mid", "top"])[np.digitize(goal, [5, 8])]
    for name in ("colour", "size", "width"):
        frame.loc[draw.random(rows) < missing, name] = np.nan if name != "colour" else None
    kinds = {"goal": "numeric" if regression else "categorical", "colour": list("rgb")}
    return ex.Dataset.from_frame(frame, "goal", ["colour", "size", "width"], kinds | {"size": "numeric"})


def sample_dataset(name, weights=None):
    """A built-in table with its own target and features, and with row weights if they are given, repeated."""
    sample = ex.SAMPLES[name]
    frame = ex.load_sample(name).frame
    if weights is not None:
        frame = frame.assign(weight=np.resize(weights, len(frame)))
    using = "weight" if weights is not None else None
    return ex.Dataset.from_frame(
        frame, sample.target, features=sample.features, kinds=dict(sample.kinds), weights=using
    )


def sample_parts(name):
    """A built-in table split at random: 70 % to grow on, 30 % for validation."""
    return sample_dataset(name).split(0.7, seed=0)


def titanic_tree():
    """CART's tree of the passengers of the Titanic, its training set and its validation set."""
    train, valid = sample_parts("titanic")
    return ex.grow(train, ex.CART), train, valid
