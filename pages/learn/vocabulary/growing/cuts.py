"""The thresholds of a numeric feature: their gains, which lie between classes, and where a threshold may be placed."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.drawing.pictures.chart import Chart
from explorer.explaining import Derivation, Formula, candidate_formulas
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Quantity, total
from explorer.formatting import number_text
from explorer.messages import listing, message
from pages.learn.vocabulary.threshold_cuts import changes_class, cuts_of, threshold_of, threshold_picture
from pages.learn.vocabulary.words import Derived, Here, add, placed, word


def _cut(here: Here, feature: str, at: float | None) -> ex.Candidate:
    """The test at a threshold; by default the one that gains most."""
    cuts = cuts_of(here.decision, feature)
    return max(cuts, key=lambda cut: cut.gain if at is None else -abs(threshold_of(cut) - at))


@word
def gain_at(here: Here, feature: str, at: float | None = None) -> Derived:
    """The gain of a threshold (None: the best)."""
    cut = _cut(here, feature, at)
    return Derived(cut.gain, candidate_formulas(here.tree.node(here.node), cut)["gain"])


@word
def midpoint(here: Here, below: float, above: float) -> Derived:
    """The threshold between two values."""
    middle = Quantity("t", "t", total([Whole(below), Whole(above)]) / Whole(2))
    value = (below + above) / 2
    legend = (("t", message("the threshold between two values")),)
    return Derived(value, Derivation((Formula(middle, value),), legend))


@word
def thresholds_by_class(here: Here, feature: str, between: bool) -> str:
    """The thresholds between rows of different classes, or the others, as a list in words."""
    values, codes = here.data.frame[feature].tolist(), here.data.y.tolist()
    found = map(threshold_of, cuts_of(here.decision, feature))
    return listing(number_text(t) for t in found if changes_class(values, codes, t) == between)


@word
def places(here: Here) -> Mapping[str, float]:
    """The threshold of the node's test by each rule of where it is placed."""
    conditions = {at: placed(here, {"threshold_at": at})[0] for at in ("observed", "c45", "midpoint")}
    return {at: float(there.tree.threshold[here.node]) for at, there in conditions.items()}


@word
def thresholds(
    here: Here,
    feature: str,
    curve: bool = True,
    ratio: bool = False,
    changes: bool = False,
    shown: float | None = None,
    marks: tuple[str, ...] = (),
    state: str = "",
) -> Chart:
    """The node's rows by a numeric feature, with the gain of every threshold above them.

    `changes` pales the thresholds inside a run of one class, `marks` are words for the places of the threshold.
    """
    return threshold_picture(
        here.data.take(here.tree.rows_at(here.data, here.node)),
        here.decision,
        feature,
        says=here.says,
        has_curve=curve,
        has_ratio=ratio,
        marks_changes=changes,
        shown=shown,
        marks={f"{words} {number_text(at)}": at for words, at in zip(marks, places(here).values(), strict=False)},
        state=state or here.state,
    )


add(
    best_threshold=lambda here, feature: threshold_of(_cut(here, feature, None)),  # The threshold that gains most.
    # A threshold as a test: "humidity ≤ 75".
    condition_at=lambda here, feature, at=None: f"{feature} ≤ {number_text(threshold_of(_cut(here, feature, at)))}",
    # All thresholds, as numbers of their own: "threshold 54".
    each_threshold=lambda here, feature: {
        f"threshold {number_text(t)}": t for t in map(threshold_of, cuts_of(here.decision, feature))
    },
    # The gains of all thresholds, as numbers of their own: "gain 54".
    each_gain_at=lambda here, feature: {
        f"gain {number_text(threshold_of(cut))}": cut.gain for cut in cuts_of(here.decision, feature)
    },
    # All thresholds as texts.
    all_thresholds=lambda here, feature: tuple(
        number_text(threshold_of(cut)) for cut in cuts_of(here.decision, feature)
    ),
    # The threshold of the node's test by one of these rules, as a text.
    place=lambda here, rule: number_text(places(here)[rule]),
)
