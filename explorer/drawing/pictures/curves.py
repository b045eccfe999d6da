"""Curves over one axis, such as scores by size or gains by threshold, with a place that the reader drags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from explorer.drawing.pictures.chart import Axis, Chart, Colour, Mark, Panel, Place, TreePanel, across, dot, line, text
from explorer.formatting import number_text, percent
from explorer.messages import listing, message

_MOST_DOTS = 40


@dataclass(frozen=True)
class CurveLine:
    """A curve: its name, a value a place, and standard errors as a band (empty: none)."""

    name: str
    values: tuple[float, ...]
    errors: tuple[float, ...] = ()
    colour: Colour = "primary"
    is_pale: bool = False


@dataclass(frozen=True)
class CurveMark:
    """A place that is marked, by its position, and what it is."""

    position: int
    text: str


def curves(
    *,
    says: str,
    title: str = "",
    x: Sequence[float],
    x_name: str,
    y_name: str = "",
    lines: Sequence[CurveLine],
    least: float,
    most: float,
    shown: int = 0,
    readings: Sequence[str] = (),
    marks: Sequence[CurveMark] = (),
    limit: float | None = None,
    limit_text: str = "",
    is_log: bool = False,
    has_shares: bool = False,
    tree: TreePanel | None = None,
    classes: Sequence[str] = (),
) -> Chart:
    """Curves over ascending places `x` on scales from `least` to `most`; `shown` is the position read off at first.

    `readings` say something of every place (empty: the names and values of the curves). `limit` is a level with its
    text. The `tree` is drawn as large as the place says; `classes` are those of its leaves.
    """
    named = [each for each in lines if each.name]
    written = readings or [_reading(x_name, at, k, named, has_shares) for k, at in enumerate(x)]
    ends = (x[0], x[-1]) if len(x) > 1 else (x[0] - 1, x[0] + 1)
    still = [mark for at, each in enumerate(lines) for mark in _curve(f"line {at}", x, each)]
    if limit is not None:
        is_free = all(value <= limit for each in lines for value in each.values)
        still.append(line("limit", ((ends[0], limit), (ends[1], limit)), "quiet", dash="2 5"))
        look = {"dx": -6, "dy": -8, "anchor": "end"} if is_free else {"dx": 6, "dy": 17, "anchor": "start"}
        still.append(text("limit text", ends[1 if is_free else 0], limit, limit_text, **look))
    for at, mark in enumerate(marks):
        place = x[mark.position]
        is_right = place - ends[0] > (ends[1] - ends[0]) / 2
        still.append(across(f"mark {at}", place, least, most, width=1.5))
        look = {"dx": -6 if is_right else 6, "anchor": "end" if is_right else "start", "kind": "pic-number"}
        still.append(text(f"mark text {at}", place, most, mark.text, dy=14 + 20 * at, **look))
    panel = Panel(
        x=Axis(low=ends[0], high=ends[1], title=x_name, is_log=is_log),
        y=Axis(low=least, high=most, is_share=has_shares),
        marks=tuple(still),
        title=y_name,
    )
    places = []
    for k, value in enumerate(x):
        points = [
            dot(f"point {number}", value, each.values[k], each.colour, quick=True)
            for number, each in enumerate(lines)
            if not each.is_pale
        ]
        shown_at = across("place", value, least, most, dash="4 4", quick=True)
        places.append(Place(said=written[k], reading=written[k], at=value, marks=((shown_at, *points),)))
    legend = (*((each.name, each.colour) for each in named), *((name, code) for code, name in enumerate(classes)))
    return Chart(
        says=says,
        title=title,
        columns=((panel,), (replace(tree, share=1.0),)) if tree else ((panel,),),
        places=tuple(places),
        shown=shown,
        slider=x_name,
        legend=legend,
        shares=(0.58, 0.42) if tree else (),
    )


def _curve(key: str, x: Sequence[float], of: CurveLine) -> Iterator[Mark]:
    """A curve with its band, and a dot a place where they are few."""
    if of.errors:
        spread = list(zip(x, of.values, of.errors, strict=True))
        edges = [(at, y + error) for at, y, error in spread] + [(at, y - error) for at, y, error in reversed(spread)]
        yield line(f"{key} band", edges, fill=of.colour, opacity=0.17)
    points = list(zip(x, of.values, strict=True))
    yield line(key, points, of.colour, **({"width": 1.2, "opacity": 0.5} if of.is_pale else {}))
    if len(points) <= _MOST_DOTS and not of.is_pale:
        yield from (dot(f"{key} {at}", *point, of.colour, r=3) for at, point in enumerate(points))


def _reading(x_name: str, at: float, position: int, lines: Sequence[CurveLine], has_shares: bool) -> str:
    """The place and the values of the curves there."""

    def written(value: float) -> str:
        return percent(value) if has_shares else f"{value:.3f}"

    values = (f"{each.name} {written(each.values[position])}" for each in lines)
    return message("{name}: {value}", name=f"{x_name} = {number_text(at)}", value=listing(values))
