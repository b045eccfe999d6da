"""Bagging: what bootstrap samples leave out, three stumps by hand, and squared error as bias and variance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import exp

from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.chart import (
    Axis,
    Chart,
    Colour,
    Mark,
    Panel,
    Place,
    TreePanel,
    across,
    dot,
    line,
    rect,
    small_tree,
    stairs,
    text,
)
from explorer.drawing.pictures.curves import CurveLine, curves
from explorer.messages import listing, message
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import bagging

_SAMPLES = (1, 2, 3)
_MOST_ROWS = 60


@word
def draws(here: Here, answers: bool = False) -> Chart:
    """How often each sample draws each day; with what the stumps say that did not draw it."""
    drawn, days = tuple(map(bagging.counts_of, bagging.BOOTSTRAPS)), range(1, bagging.DAYS + 1)
    height = max(map(max, drawn)) + 0.7
    top, codes = height * len(drawn), here.data.y.tolist()
    marks = [text(f"day {day}", day, top, f"D{day}", dy=-10, colour=codes[day - 1], yields=1) for day in days]
    for sample, counts in enumerate(drawn, start=1):
        floor = top - sample * height
        marks.append(line(f"floor {sample}", ((0.5, floor), (bagging.DAYS + 0.5, floor)), "border", width=1))
        name = message("sample {n}", n=sample)
        marks.append(text(f"sample {sample}", 0.5, floor + height / 2, name, dx=-12, anchor="end"))
        for day, count in zip(days, counts, strict=True):
            place = {"of": "xy", "size": 0.42}
            stack = (floor + 0.5 + time for time in range(count))
            marks += [dot(f"{sample} {day} {y}", day, y, codes[day - 1], r=12, **place) for y in stack]
            if not count:
                marks.append(
                    dot(f"{sample} {day} out", day, floor + 0.5, r=11, of="xy", size=0.4, hollow="none", dash="3 3")
                )
    if answers:
        marks.append(text("answers", 0.5, -0.6, message("out of bag"), dx=-12, anchor="end"))
        wrong = {day + 1 for day in bagging.out_of_bag_wrong()}
        marks += [rect(f"wrong {day}", (day - 0.4, day + 0.4), (-1.0, -0.1), "none", edge="text") for day in wrong]
        for day, share in zip(days, bagging.out_of_bag(), strict=True):
            if share is not None:
                kind = "pic-number" if day in wrong else "pic-small"
                marks.append(text(f"share {day}", day, -0.55, str(share), dy=5, kind=kind))
    places = []
    for day in days:
        times = listing(str(counts[day - 1]) for counts in drawn)
        column = rect("shown", (day - 0.48, day + 0.48), (-1.1 if answers else 0.0, top), "quiet", opacity=0.18)
        said = message("{name}: {value}", name=f"D{day}", value=times)
        reading = message("{row} is drawn {counts} times", row=f"D{day}", counts=times)
        places.append(Place(said=said, reading=reading, at=day, marks=((column,),)))
    panel = Panel(
        x=Axis(low=0.5, high=bagging.DAYS + 0.5, ticks=(), is_drawn=False),
        y=Axis(low=-1.1 if answers else 0.0, high=top, ticks=()),
        marks=tuple(marks),
        title=" ",
    )
    slider = message("Row")
    return Chart(says=here.says, title=here.heading, columns=((panel,),), places=tuple(places), slider=slider, left=96)


@word
def chance_out(here: Here, rows: int | str) -> float:
    """The chance that a row is out of bag among so many rows; inf: its limit."""
    return exp(-1) if rows == "inf" else float(bagging.chance_out(int(rows)))


@word
def chance_curve(here: Here) -> Chart:
    """The same over the number of rows."""
    sizes, limit = range(1, _MOST_ROWS + 1), chance_out(here, "inf")
    return curves(
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
def small_sampled(here: Here, sample: int, title: str) -> TreePanel:
    """The stump of a sample with the gains of its features, for a picture of several."""
    note = "\n".join(f"{feature} {gain:.4f}" for feature, gain in bagging.gains(sample - 1).items())
    return small_tree(bagging.stump(sample - 1), title, note=note)


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
def noisy_fits(here: Here, depth: int, bagged: bool = True) -> Chart:
    """The fits of one tree, and those of the bagged one, to points whose noise the reader flips."""
    x, truth, noise = [1.0, 2.0, 3.0, 4.0], [float(value) for value in bagging.TRUTH], float(bagging.NOISE)
    mean = stairs("mean", x, list(map(float, bagging.single(depth).mean)), "quiet", width=1.5, dash="2 4")
    still: list[Mark] = [mean]
    for at, (place, value) in enumerate(zip(x, truth, strict=True)):
        still.append(across(f"noise {at}", place, value - noise, value + noise, "quiet", width=1))
        still.append(line(f"truth {at}", ((place - 0.12, value), (place + 0.12, value)), "text", opacity=0.7))
    fits: list[tuple[str, bagging.Spread, Colour]] = [("tree", bagging.single(depth), "primary")]
    if bagged:
        fits.append(("bagged", bagging.bagged(depth), 1))
    names = {"tree": message("one tree"), "bagged": message("mean of all bootstrap trees")}
    said = message("Press a point to flip its noise")
    places = []
    for sample in bagging.SAMPLES:
        marks = [stairs(name, x, list(map(float, of.fits[sample])), colour) for name, of, colour in fits]
        for at, (place, value) in enumerate(zip(x, truth, strict=True)):
            is_above = bool(sample >> at & 1)
            words, y = message("Point {x}: above the truth", x=f"{place:g}"), value + (noise if is_above else -noise)
            marks.append(dot(f"point {at}", place, y, r=8, to=sample ^ 1 << at, button=words, pressed=is_above))
        places.append(Place(said=said, reading=said, marks=(tuple(marks),)))
    panel = Panel(
        x=Axis(low=0.5, high=4.5, ticks=tuple((value, f"x = {value:g}") for value in x)),
        y=Axis(low=min(truth) - noise - 0.5, high=max(truth) + noise + 0.5, ticks=()),
        marks=tuple(still),
    )
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((panel,),),
        places=tuple(places),
        shown=5,
        legend=(
            *((names[name], colour) for name, _, colour in fits),
            (message("mean of one tree over all samples"), "quiet"),
        ),
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
