"""The thresholds of a numeric feature at a node, as the picture of rows on a line with the gain above them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import explorer as ex
from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, across, dot, line, rect, text
from explorer.formatting import class_counts, number_text
from explorer.messages import message


def cuts_of(decision: ex.Decision, feature: str) -> list[ex.Candidate]:
    """The candidates of a numeric feature, thresholds ascending."""
    cuts = [candidate for candidate in decision.candidates if candidate.feature == feature]
    return sorted(cuts, key=threshold_of)


def threshold_of(candidate: ex.Candidate) -> float:
    """The threshold of a numeric test."""
    assert candidate.condition.threshold is not None, "a numeric test"
    return candidate.condition.threshold


def changes_class(values: Sequence[float], codes: Sequence[int], threshold: float) -> bool:
    """Whether the rows on both sides next to a threshold are not all of one class (Fayyad and Irani's boundary)."""
    below = max(value for value in values if value <= threshold)
    above = min(value for value in values if value > threshold)
    return len({code for value, code in zip(values, codes, strict=True) if value in (below, above)}) > 1


def threshold_picture(
    data: ex.Dataset,
    decision: ex.Decision,
    feature: str,
    *,
    says: str,
    has_curve: bool = True,
    has_ratio: bool = False,
    marks_changes: bool = False,
    shown: float | None = None,
    marks: Mapping[str, float] | None = None,
    state: str = "",
) -> Chart:
    """The rows of `data`, those at the node of the decision, with its thresholds; `shown` None shows the best one.

    `marks` are other places for the threshold, by their names.
    """
    order = np.argsort(data.frame[feature].to_numpy(dtype=np.float64), kind="stable")
    values, codes = data.frame[feature].to_numpy(dtype=np.float64)[order].tolist(), data.y[order].tolist()
    cuts = cuts_of(decision, feature)
    out = {threshold_of(cut) for cut in cuts if marks_changes and not changes_class(values, codes, threshold_of(cut))}
    best = threshold_of(max(cuts, key=lambda cut: cut.gain)) if shown is None else shown
    edge = (values[-1] - values[0]) * 0.05 or 1
    ends = (values[0] - edge, values[-1] + edge)
    rows, high = _row_marks(values, codes, marks or {})
    curve = Panel(
        x=Axis(low=ends[0], high=ends[1], ticks=(), is_drawn=True),
        y=Axis(low=0.0, high=1.25 * max(max(cut.gain, _ratio(cut) if has_ratio else 0.0) for cut in cuts), ticks=()),
        marks=tuple(_curve_marks(sorted(set(values)), cuts, has_ratio, out)),
        share=1.4,
    )
    strip = Panel(
        x=Axis(low=ends[0], high=ends[1], ticks=tuple((value, number_text(value)) for value in sorted(set(values)))),
        y=Axis(low=0.0, high=high, ticks=()),
        marks=(*rows, *(_number(cut, high, 1) for cut in cuts)),
        title=" ",
        most=None if has_curve else 260,
    )
    names = (message("gain in bits"), message("gain ratio"))[: has_curve + has_ratio]
    return Chart(
        says=says,
        columns=((curve, strip) if has_curve else (strip,),),
        places=tuple(
            Place(
                said=_reading(cut, has_curve, has_ratio),
                reading=_reading(cut, has_curve, has_ratio),
                at=threshold_of(cut),
                marks=(_shown_in_curve(cut, out), sides) if has_curve else (sides,),
            )
            for cut in cuts
            for sides in (_sides(data, cut, ends, high, has_curve),)
        ),
        shown=[threshold_of(cut) for cut in cuts].index(best),
        slider=message("Threshold of {feature}", feature=feature),
        legend=(
            *((str(name), code) for code, name in enumerate(data.classes)),
            *zip(names, ("primary", "quiet"), strict=False),
        ),
        left=30,
        state=state,
    )


def _ratio(cut: ex.Candidate) -> float:
    return cut.gain_ratio or 0.0


def _curve_marks(values: list[float], cuts: Sequence[ex.Candidate], has_ratio: bool, out: set[float]) -> Iterator[Mark]:
    """The gain of every threshold as a staircase between the values, and below it the gain ratio."""
    for name, measure in (("ratio", _ratio), ("gain", lambda cut: cut.gain))[not has_ratio :]:
        steps = zip(values, values[1:], map(measure, cuts), strict=False)
        points = [point for low, high, y in steps for point in ((low, max(y, 0.0)), (high, max(y, 0.0)))]
        yield line(name, points, **({"colour": "quiet", "dash": "5 4"} if name == "ratio" else {}))
    for at, cut in enumerate(cuts):
        yield dot(f"cut {at}", threshold_of(cut), cut.gain, "primary", r=5.5, hollow=threshold_of(cut) in out, to=at)
        if not has_ratio:
            yield text(f"gain {at}", threshold_of(cut), cut.gain, f"{cut.gain:.3f}", dy=-14, yields=1)


def _shown_in_curve(cut: ex.Candidate, out: set[float]) -> tuple[Mark, ...]:
    at = threshold_of(cut)
    return (
        across("threshold", at, 0.0, cut.gain, width=2),
        dot("shown", at, cut.gain, "primary", r=8, hollow=at in out),
        text("shown gain", at, cut.gain, f"{cut.gain:.3f}", dy=-14, kind="pic-number", yields=0),
    )


def _number(cut: ex.Candidate, high: float, yields: int) -> Mark:
    kind, at = ("pic-small" if yields else "pic-number"), threshold_of(cut)
    return text(f"number {at} {yields}", at, high, number_text(at), dy=-8, kind=kind, yields=yields)


def _row_marks(values: list[float], codes: list[int], places: Mapping[str, float]) -> tuple[list[Mark], float]:
    """The rows as balls, equal ones on one another, and named places; and how high the picture of them is."""
    stacks = [values[:at].count(value) for at, value in enumerate(values)]
    high = max(stacks) + 1.9 + len(places) * 0.6
    made = [
        dot(f"row {at}", value, stack + 0.5, code, r=26, of="y")
        for at, (value, stack, code) in enumerate(zip(values, stacks, codes, strict=True))
    ]
    for at, (name, value) in enumerate(places.items()):
        level = max(stacks) + 1.3 + 0.6 * (len(places) - 1 - at)
        made.append(across(f"place {at}", value, 0.0, level, "primary", width=1.5))
        made.append(text(f"name {at}", value, level, name, dx=4, anchor="start"))
    return made, high


def _sides(
    data: ex.Dataset, cut: ex.Candidate, ends: tuple[float, float], high: float, has_entropy: bool
) -> tuple[Mark, ...]:
    """The two sides of a threshold, with what is said of the rows there."""
    at = threshold_of(cut)
    return (
        rect("below", (ends[0], at), (0.0, high), "quiet", opacity=0.09),
        rect("above", (at, ends[1]), (0.0, high), "quiet", opacity=0.16),
        across("threshold", at, 0.0, high, width=2),
        text("said below", ends[0], high, _side(data, cut, 0, has_entropy), dx=8, dy=18, anchor="start"),
        text("said above", ends[1], high, _side(data, cut, 1, has_entropy), dx=-8, dy=18, anchor="end"),
        _number(cut, high, 0),
    )


def _side(data: ex.Dataset, candidate: ex.Candidate, branch: int, has_entropy: bool) -> str:
    counts = class_counts(np.asarray(candidate.branch_stats[branch]), data.classes)
    if not has_entropy:
        return counts
    return message("{counts}, entropy {value}", counts=counts, value=f"{candidate.impurities[branch]:.3f}")


def _reading(candidate: ex.Candidate, has_gain: bool, has_ratio: bool) -> str:
    test = f"{candidate.feature} ≤ {number_text(threshold_of(candidate))}"
    if not has_gain:
        return test
    if has_ratio:
        return message(
            "{test}: gain {gain}, ratio {ratio}",
            test=test,
            gain=f"{candidate.gain:.3f}",
            ratio=f"{_ratio(candidate):.3f}",
        )
    return message("{test}: gain {gain} bits", test=test, gain=f"{candidate.gain:.3f}")
