"""The kinds of pictures that a scene can choose: rows in branches, bars, a tree, a table, a curve of thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.row_groups import RowGroups
from explorer.formatting import relation
from explorer.messages import message
from pages.learn.scenes.step import TreePicture
from pages.learn.vocabulary import branches as row_branches
from pages.learn.vocabulary.chinese_words import in_words
from pages.learn.vocabulary.numbers import best_test, mean_gain, measured, tests_by_gain, value_asked
from pages.learn.vocabulary.words import Here, word


def bar_picture(
    here: Here, bars: Iterable[Bar], most: float | None = None, digits: int = 3, asks: bool = False
) -> Bars:
    """Bars whose numbers are written with so many decimals unless they have a text; none while it `asks`."""
    given = list(bars)
    if most is None:
        most = 1.15 * max(bar.value for bar in given)
    if asks:
        given = [Bar(bar.label, 0.0, "?") for bar in given]
    written = [bar if bar.text else replace(bar, text=f"{bar.value:.{digits}f}") for bar in given]
    return Bars(says=here.says, title=here.heading, bars=tuple(written), most=most)


@word
def bars(here: Here, measure: str, asks: bool = False, dims: bool = False, marks_mean: bool = False) -> Bars:
    """A measure of every feature; `dims` pales the features that may not compete, `asks` hides the numbers."""
    values, mean = measured(here, measure), float(mean_gain(here)) if marks_mean else None
    out = {name for name, each in here.decision.best.items() if each.rejected is not None} if dims else ()
    best = max((name for name in values if name not in out), key=lambda name: values[name])
    bars = [Bar(here.named(name), value, "", name == best, name in out) for name, value in values.items()]
    picture = bar_picture(here, bars, asks=asks)
    if mean is None:
        return picture
    return replace(picture, mark=mean, mark_text=message("mean {value}", value=f"{mean:.3f}"))


@word
def tree(
    here: Here,
    selected: int | None = None,
    position: int | None = None,
    ringed: int = 0,
    words: str = "",
    layout: str | None = None,
) -> TreePicture:
    """The tree after so many splits, with a node selected (the step's), and one ringed, with what that means."""
    grown = in_words(here.tree) if here.table == "mammals" else here.tree
    marks = {ringed: words} if words else {}
    chosen = here.node if selected is None else selected
    return TreePicture(grown, here.says, selected=chosen, position=position, marks=marks, layout=layout)


@word
def branches(
    here: Here,
    label: str,
    results: str = "",
    shown: str = "",
    together: str = "",
    leaves_out: str = "",
    shares: bool = False,
) -> RowGroups:
    """The node's rows as balls in the branches of each feature, named by a column of the table.

    `results` are worked out below the branches: gain or gain_ratio; `together` is the name of all rows in one group.
    """
    decision, names = here.decision, here.named
    inside = here.tree.rows_at(here.data, here.node)
    data, labels = here.data.take(inside), ex.load_sample(here.table).frame[label].iloc[inside]
    candidates = [each for each in decision.best.values() if each.feature != leaves_out]
    divisions = [row_branches.divided(data, each, _result(each, decision, results), names) for each in candidates]
    if together:
        line = message("entropy {value}", value=f"{decision.impurity:.3f}")
        divisions.insert(0, row_branches.together(data, together, (line,)))
    return RowGroups(
        says=here.says,
        rows=tuple(map(str, labels)),
        codes=tuple(data.y.tolist()),
        details=row_branches.details(data, names),
        classes=tuple(names(str(value)) for value in data.classes),
        divisions=tuple(divisions),
        shown=[each.feature for each in candidates].index(shown) if shown else 0,
        has_shares=shares,
        state=here.state,
    )


def _result(candidate: ex.Candidate, decision: ex.Decision, measure: str) -> str:
    """The line below the branches of a split."""
    if measure == "gain":
        return row_branches.gain_text(candidate, decision.impurity)
    if not measure:
        return ""
    return ratio_text(candidate)


def ratio_text(candidate: ex.Candidate) -> str:
    """The gain over the split information."""
    gain, info, ratio = (
        f"{value:.3f}" for value in (candidate.gain, candidate.split_info, candidate.gain_ratio or 0.0)
    )
    sign = relation(float(gain) / float(info), ratio) if float(info) else "="
    return message("ratio = {gain} / {info} {sign} {ratio}", gain=gain, info=info, sign=sign, ratio=ratio)


@word
def bars_of_values(here: Here) -> Bars:
    """The mean impurity after asking for each value."""
    names = [f"{here.named(each.feature)} = {here.named(value_asked(each))}" for each in here.decision.candidates]
    pairs = zip(names, here.decision.candidates, strict=True)
    bars = (Bar(name, each.weighted_impurity, "", each is here.decision.chosen) for name, each in pairs)
    return bar_picture(here, bars, here.decision.impurity * 1.15)


@word
def bars_of_tests(here: Here, n: int) -> Bars:
    """The decreases by the best tests, each with its threshold or group."""
    tests, chosen = tests_by_gain(here, n), best_test(here)
    bars = (Bar(each.condition.text, each.gain, "", each.condition.text == chosen) for each in tests)
    return bar_picture(here, bars, digits=4)
