"""What the split of all rows on one feature tells: conditional entropy, gain, and mutual information as areas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from explorer.candidates.candidates import Candidate
from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, across, dot, line, rect, text
from explorer.explaining import Derivation, candidate_formulas
from explorer.formatting import figure
from explorer.messages import listing, message
from pages.learn.vocabulary.growing.mixtures import COLOURS, impurity_line
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons.mixtures import impurity_derivation, impurity_of, root_of

_TARGET = "PlayTennis"
_ERROR_ROWS = 14
"""Rows of the table whose error rate is split."""


class Branch(NamedTuple):
    """A branch: its value, its rows by class, and its impurity."""

    label: str
    counts: tuple[float, ...]
    impurity: float

    @property
    def rows(self) -> float:
        """All its rows."""
        return sum(self.counts)


def _split(here: Here, feature: str, target: str = _TARGET, impurity: str = "entropy") -> tuple[float, Candidate]:
    """The impurity of all rows, and their split."""
    tree, candidate = root_of(here.table, target, feature, impurity)
    return tree.node(0).impurity, candidate


def _branches(candidate: Candidate) -> tuple[Branch, ...]:
    parts = zip(candidate.condition.branches, candidate.branch_stats, candidate.impurities, strict=True)
    return tuple(
        Branch(str(values[0]), tuple(float(count) for count in counts), float(entropy))
        for values, counts, entropy in parts
    )


def _derived(here: Here, feature: str, measure: str, target: str = _TARGET, impurity: str = "entropy") -> Derivation:
    tree, candidate = root_of(here.table, target, feature, impurity)
    return candidate_formulas(tree.node(0), candidate)[measure]


@word
def first_branch_entropy(here: Here, feature: str) -> Derived:
    """The entropy of the first branch."""
    branch = _branches(_split(here, feature)[1])[0]
    rows = f"{feature} = {branch.label}"
    return Derived(branch.impurity, impurity_derivation("entropy", branch.counts, rows=rows))


@word
def conditional_entropy(here: Here, feature: str, target: str = _TARGET) -> Derived:
    """The mean entropy of the branches."""
    before, candidate = _split(here, feature, target)
    gain = _derived(here, feature, "gain", target)
    return Derived(before - candidate.gain, Derivation(gain.formulas[:-1], gain.legend[1:]))


@word
def error_decrease(here: Here, feature: str) -> Derived:
    """By how much the split lowers the error rate."""
    gain = _split(here, feature, impurity="error")[1].gain
    return Derived(gain, _derived(here, feature, "error decrease", impurity="error"))


@word
def sum_of_branches(here: Here, feature: str) -> float:
    """The entropies of the branches, added up."""
    return sum(branch.impurity for branch in _branches(_split(here, feature)[1]))


@word
def weighted_sum(here: Here, feature: str) -> str:
    """The conditional entropy as a sum: 5/14 · 0.971 + 4/14 · 0 + 5/14 · 0.971."""
    weights = _split(here, feature)[1].weights
    pairs = zip(weights, _branches(_split(here, feature)[1]), strict=True)
    return " + ".join(f"{weight:g}/{sum(weights):g} · {figure(branch.impurity)}" for weight, branch in pairs)


@word
def areas(here: Here, feature: str, entropy: bool = True, level: bool = False, asks: bool = False) -> Chart:
    """The branches as columns, as wide as their shares of the rows; levelled, they leave the gain as a strip."""
    before, candidate = _split(here, feature)
    classes, branches = tuple(map(str, root_of(here.table, _TARGET, feature)[0].classes)), _branches(candidate)
    ends = [0.0]
    for branch in branches:
        ends.append(ends[-1] + branch.rows)
    shares = Panel(
        x=Axis(low=0, high=ends[-1], ticks=()),
        y=Axis(low=0 if entropy else -0.35, high=1, ticks=()),
        marks=tuple(_share_marks(classes, branches, ends, not entropy)),
        title=message("Shares of the classes"),
        share=1.0,
    )
    if not entropy:
        return Chart(says=here.says, columns=((shares,),), places=(Place(said=""),))
    names = ("H(D)", f"H(D|{feature})", before, before - candidate.gain)
    bits = Panel(
        x=Axis(low=0, high=ends[-1], ticks=()),
        y=Axis(low=-0.3, high=1, ticks=((0, "0"), (0.5, "0.5"), (1, "1"))),
        marks=(
            line("before", ((0, before), (ends[-1], before)), "text", dash="6 5", width=1.75),
            *_column_marks(classes, branches, ends),
        ),
        title=message("Entropy, in bits"),
        share=2.2,
    )
    columns, levelled = _entropy_marks(branches, ends, names, asks), _level_marks(ends, names)
    return Chart(
        says=here.says,
        columns=((shares, bits),),
        places=(Place(said="", marks=((), tuple(columns))), Place(said="", marks=((), tuple(levelled)))),
        shown=int(level),
        toggle=() if asks else (message("Level the columns"), message("Show the columns")),
    )


def _share_marks(
    classes: Sequence[str], branches: Sequence[Branch], ends: list[float], has_texts: bool
) -> Iterator[Mark]:
    """The classes of every branch from the bottom up, of two the second first; each is as high as its share."""
    for at, branch in enumerate(branches):
        low = 0.0
        for code in sorted(range(len(classes)), reverse=len(classes) == 2):
            high = low + branch.counts[code] / branch.rows
            words = [{"text": f"{branch.counts[code]:g} {classes[code]}"}] if high > low else []
            yield rect(f"{at} {code}", ends[at : at + 2], (low, high), code, edge="background", round=0, lines=words)
            low = high
    if has_texts:
        yield from _column_marks(classes, branches, ends, 0.0)


def _column_marks(
    classes: Sequence[str], branches: Sequence[Branch], ends: list[float], y: float = 0.0
) -> Iterator[Mark]:
    """Under each column: its branch, its counts, and its share of the rows."""
    for at, branch in enumerate(branches):
        middle = (ends[at] + ends[at + 1]) / 2
        counted = [f"{branch.counts[code]:g} {classes[code]}" for code in reversed(range(len(classes)))]
        yield text(f"label {at}", middle, y, branch.label, dy=22, kind="pic-number", yields=0)
        yield text(f"counts {at}", middle, y, listing(counted), dy=43, yields=1)
        yield text(f"rows {at}", middle, y, f"{branch.rows:g}/{ends[-1]:g}", dy=62, yields=1)


def _entropy_marks(
    branches: Sequence[Branch], ends: list[float], names: tuple[str, str, float, float], asks: bool
) -> Iterator[Mark]:
    """Columns as high as the entropies, with weight · entropy in them."""
    for at, branch in enumerate(branches):
        value, part = figure(branch.impurity), branch.rows / ends[-1]
        words = [
            {"text": value, "kind": "pic-value"},
            {"text": f"{branch.rows:g}/{ends[-1]:g} · {value}"},
            {"text": f"= {figure(part * branch.impurity)}"},
        ]
        high = max(branch.impurity, 0.001)
        shown = [] if asks or branch.impurity == 0 else words
        yield rect(f"column {at}", ends[at : at + 2], (0, high), "pale", edge="background", round=0, lines=shown)
        if branch.impurity == 0 and not asks:
            yield text(f"zero {at}", (ends[at] + ends[at + 1]) / 2, 0.0, "0", dy=-10, kind="pic-value")
    yield text(
        "H(D)",
        ends[-1],
        max(names[2], *(each.impurity for each in branches)),
        f"{names[0]} = {names[2]:.3f}",
        dy=-8,
        anchor="end",
        kind="pic-number",
    )


def _level_marks(ends: list[float], names: tuple[str, str, float, float]) -> Iterator[Mark]:
    """All columns at the height of their mean; what is left below the entropy before is the gain."""
    _, after, before, mean = names
    gain = {"text": f"{message('gain')} = {before - mean:.3f}", "kind": "pic-number"}
    for at, (low, high) in enumerate(pairwise(ends)):
        yield rect(f"column {at}", (low, high), (0, mean), "pale", round=0)
    yield rect("gain", (0, ends[-1]), (mean, before), "primary", round=0, lines=[gain])
    if before - mean < 0.12:
        yield text("gain text", 0, before, gain["text"], dy=-8, anchor="start", kind="pic-number", colour="primary")
    yield text("after", ends[-1] / 2, mean / 2, f"{after} = {mean:.3f}", kind="pic-number")
    yield text("H(D)", ends[-1], before, f"{names[0]} = {before:.3f}", dy=-8, anchor="end", kind="pic-number")


@word
def overlap(here: Here, feature: str, words: str) -> Chart:
    """The entropies of class and feature as bars that overlap by what they tell about each other."""
    (before, split), (other, _) = _split(here, feature), _split(here, _TARGET, feature)
    start, end = before - split.gain, before + other - split.gain
    bars = (
        ("first", (0, before), 2, (0, start), f"H({_TARGET}|{feature})"),
        ("second", (start, end), 0, (before, end), f"H({feature}|{_TARGET})"),
    )
    marks = [rect(name, x, (y, y + 1), "pale", edge="background", round=0) for name, x, y, _, _ in bars]
    for name, _, y, (low, high), label in bars:
        rest = [{"text": f"{high - low:.3f}", "kind": "pic-value"}, {"text": label, "kind": "pic-small"}]
        marks.append(rect(f"{name} rest", (low, high), (y, y + 1), "none", lines=rest))
    marks += [
        rect("shared", (start, before), (1, 2), "primary", round=0),
        text(
            "shared text",
            before,
            1.5,
            f"{split.gain:.3f} {words}",
            dx=12,
            dy=6,
            anchor="start",
            kind="pic-number",
            colour="primary",
        ),
        text("first name", 0, 3, f"H({_TARGET}) = {before:.3f}", dy=-14, anchor="start", kind="pic-title"),
        text("second name", end, 0, f"H({feature}) = {other:.3f}", dy=30, anchor="end", kind="pic-title"),
    ]
    panel = Panel(x=Axis(low=0, high=end, ticks=()), y=Axis(low=-0.7, high=3.6, ticks=()), marks=tuple(marks), most=380)
    return Chart(says=here.says, columns=((panel,),), places=(Place(said=""),), left=36, right=36)


@word
def chords(here: Here, feature: str, asks: bool = False) -> Chart:
    """A split into two branches on the curves of entropy and error rate: how far the node lies above their chord."""
    tree, split = root_of(here.table, _TARGET, feature)
    gains = {"entropy": split.gain, "error": float(error_decrease(here, feature))}
    names = {"entropy": message("Entropy"), "error": message("Error rate")}
    columns = []
    for measure, gain in gains.items():
        decrease = message("decrease {value}", value="?" if asks else f"{gain:.3f}")
        top = impurity_of(measure, (1, 1)) * 1.08
        share = message("p, the share of {class}", **{"class": str(tree.classes[1])})
        panel = Panel(
            x=Axis(low=0, high=1, ticks=((0, "0"), (0.5, "1/2"), (1, "1")), title=share),
            y=Axis(low=0, high=top),
            marks=(impurity_line(measure), *_chord(measure, tree.node(0).stats.tolist(), _branches(split))),
            title=f"{names[measure]} · {decrease}",
            most=420,
        )
        columns.append((panel,))
    return Chart(says=here.says, columns=tuple(columns), places=(Place(said=""),), wraps=False)


def _chord(measure: str, counts: Sequence[float], branches: Sequence[Branch]) -> Iterator[Mark]:
    """The branches on the curve, the line between them, and the gap from the node to its point above their mean."""

    def place(of: Sequence[float]) -> tuple[float, float]:
        return of[1] / sum(of), impurity_of(measure, of)

    ends, (node, value), whole = [place(branch.counts) for branch in branches], place(counts), sum(counts)
    mean = sum(branch.rows / whole * y for branch, (_, y) in zip(branches, ends, strict=True))
    yield line("chord", ends, "text", dash="6 5", width=1.75)
    yield across("gap", node, value, mean, width=5)
    for at, (branch, (x, y)) in enumerate(zip(branches, ends, strict=True)):
        is_left = x == min(end[0] for end in ends)
        look = {"dx": -10, "dy": -8, "anchor": "end"} if is_left else {"dx": 10, "dy": -4, "anchor": "start"}
        yield dot(f"branch {at}", x, y, COLOURS[measure], r=6.5, edge="background")
        yield text(f"name {at}", x, y, branch.label, **look)
    yield dot("mean", node, mean, "text", r=5, hollow=True)
    yield dot("node", node, value, "text", r=5, edge="background")


add(
    # The entropy before the split.
    split_entropy=lambda here, feature, target=_TARGET: _split(here, feature, target)[0],
    # The gain of the split: what feature and target tell about each other.
    split_gain=lambda here, feature, target=_TARGET: Derived(
        _split(here, feature, target)[1].gain, _derived(here, feature, "gain", target)
    ),
    # The shares of 0, 1, … wrong rows, as texts.
    error_rates=lambda here, most: tuple(f"{errors / _ERROR_ROWS:.3f}" for errors in range(most + 1)),
    # Their plain mean.
    mean_of_branches=lambda here, feature: sum_of_branches(here, feature) / len(_split(here, feature)[1].impurities),
)
