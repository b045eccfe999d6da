"""Bagging: what bootstrap samples leave out, three stumps by hand, and squared error as bias and variance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import exp

from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.curves import CurveLine, Curves
from explorer.drawing.pictures.many_trees.bagging import Draws, NoisyFits
from explorer.drawing.pictures.many_trees.small_trees import SmallTree, small_tree
from explorer.messages import message
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import bagging

_SAMPLES = (1, 2, 3)
_MOST_ROWS = 60


@word
def draws(here: Here, answers: bool = False) -> Draws:
    """How often each sample draws each day; with what the stumps say that did not draw it."""
    shares = bagging.out_of_bag()
    return Draws(
        says=here.says,
        title=here.heading,
        rows=tuple(f"D{day + 1}" for day in range(bagging.DAYS)),
        codes=tuple(here.data.y.tolist()),
        members=tuple(message("sample {n}", n=sample) for sample in _SAMPLES),
        counts=tuple(map(bagging.counts_of, bagging.BOOTSTRAPS)),
        answers=tuple("" if share is None else str(share) for share in shares) if answers else (),
        wrong=bagging.out_of_bag_wrong() if answers else (),
    )


@word
def chance_out(here: Here, rows: int | str) -> float:
    """The chance that a row is out of bag among so many rows; inf: its limit."""
    return exp(-1) if rows == "inf" else float(bagging.chance_out(int(rows)))


@word
def chance_curve(here: Here) -> Curves:
    """The same over the number of rows."""
    sizes, limit = range(1, _MOST_ROWS + 1), chance_out(here, "inf")
    return Curves(
        says=here.says,
        title=here.heading,
        x=tuple(map(float, sizes)),
        x_name="n",
        lines=(CurveLine("", tuple(chance_out(here, n) for n in sizes)),),
        least=0.0,
        most=0.5,
        shown=bagging.DAYS - 1,
        readings=tuple(f"n = {n}: {chance_out(here, n):.4f}" for n in sizes),
        limit=limit,
        limit_text=f"1/e = {limit:.4f}",
    )


@word
def small_sampled(here: Here, sample: int, title: str) -> SmallTree:
    """The stump of a sample with the gains of its features, for a picture of several."""
    note = "\n".join(f"{feature} {gain:.4f}" for feature, gain in bagging.gains(sample - 1).items())
    return small_tree(bagging.stump(sample - 1), f"stump {sample - 1}", title, note=note, counts=True)


@word
def each_sampled_gain(here: Here) -> Mapping[str, float]:
    """All of them, as numbers of their own."""
    pairs = ((sample, bagging.gains(sample - 1)) for sample in _SAMPLES)
    return {f"gain {sample} {feature}": gain for sample, gains in pairs for feature, gain in gains.items()}


@word
def each_share_of_yes(here: Here) -> Mapping[str, float]:
    """For every day the mean share of Yes by the stumps that did not draw it."""
    shares = enumerate(bagging.out_of_bag(), 1)
    return {f"share of Yes D{day}": float(share) for day, share in shares if share is not None}


def _spread(depth: int, bagged: bool) -> bagging.Spread:
    return bagging.bagged(depth) if bagged else bagging.single(depth)


@word
def squared_error_of(here: Here, depth: int, part: str = "", bagged: bool = False) -> float:
    """The expected squared error of a tree of a depth, or of the bagged one, or its part: bias or variance."""
    spread = _spread(depth, bagged)
    return float(getattr(spread, part) if part else spread.bias + spread.variance)


@word
def each_squared_error_of(here: Here, depth: int) -> Mapping[str, float]:
    """Both errors and their parts, as numbers of their own."""
    parts, kinds = {"bias": "bias", "variance": "variance", "total": ""}, {"": False, "bagged ": True}
    return {
        f"{kind}{name} {depth}": squared_error_of(here, depth, part, bagged)
        for kind, bagged in kinds.items()
        for name, part in parts.items()
    }


@word
def each_part_of_error(here: Here) -> Mapping[str, float]:
    """Bias and variance of one tree of every depth, as numbers of their own."""
    pairs = ((part, depth) for part in ("bias", "variance") for depth in range(4))
    return {f"{part} {depth}": squared_error_of(here, depth, part) for part, depth in pairs}


@word
def noisy_fits(here: Here, depth: int, bagged: bool = True) -> NoisyFits:
    """The fits of one tree, and those of the bagged one, to points whose noise the reader flips."""
    one, many = (tuple(tuple(map(float, fit)) for fit in _spread(depth, kind).fits) for kind in (False, True))
    return NoisyFits(
        says=here.says,
        title=here.heading,
        x=(1.0, 2.0, 3.0, 4.0),
        truth=tuple(map(float, bagging.TRUTH)),
        noise=float(bagging.NOISE),
        fits=one,
        bagged=many,
        mean=tuple(map(float, bagging.single(depth).mean)),
        bagged_mean=tuple(map(float, bagging.bagged(depth).mean)),
        sample=5,
        shows_bagged=bagged,
    )


def _error_bars(here: Here, spreads: Iterable[tuple[str, bagging.Spread]], most: float) -> Bars:
    """The squared errors, each of bias and variance."""
    parts = ((name, (float(spread.bias), float(spread.variance))) for name, spread in spreads)
    picture = bar_picture(here, (Bar(name, sum(both), parts=both) for name, both in parts), most)
    return replace(picture, part_names=(message("bias²"), message("variance")))


@word
def error_of_bagged(here: Here, depth: int) -> Bars:
    """That of one tree of a depth and of the bagged one."""
    pairs = ((message("one tree"), bagging.single(depth)), (message("bagged"), bagging.bagged(depth)))
    most = max(squared_error_of(here, depth, bagged=bagged) for bagged in (False, True))
    return _error_bars(here, pairs, 1.25 * most)


add(
    # How many days a sample does not draw.
    days_left_out=lambda here, sample: bagging.counts_of(bagging.BOOTSTRAPS[sample - 1]).count(0),
    sampled_gain=lambda here, sample, feature: bagging.gains(sample - 1)[feature],  # A gain in a sample.
    # The share of these days that they get wrong.
    out_of_bag_error=lambda here: len(bagging.out_of_bag_wrong()) / len(each_share_of_yes(here)),
    # The squared error of one tree of every depth in its two parts.
    error_of_depths=lambda here: _error_bars(
        here, ((message("depth {n}", n=depth), bagging.single(depth)) for depth in range(4)), 4.2
    ),
)
