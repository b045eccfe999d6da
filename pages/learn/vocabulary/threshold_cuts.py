"""The thresholds of a numeric feature at a node, as the picture of rows on a line with the gain above them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import explorer as ex
from explorer.drawing.pictures.threshold_curve import Cut, Mark, ThresholdCurve
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
    marks: tuple[Mark, ...] = (),
    state: str = "",
) -> ThresholdCurve:
    """The rows of `data`, those at the node of the decision, with its thresholds; `shown` None shows the best one."""
    order = np.argsort(data.frame[feature].to_numpy(dtype=np.float64), kind="stable")
    values = data.frame[feature].to_numpy(dtype=np.float64)[order].tolist()
    codes = data.y[order].tolist()
    candidates = cuts_of(decision, feature)
    thresholds = [threshold_of(candidate) for candidate in candidates]
    best = max(candidates, key=lambda candidate: candidate.gain)
    ratios = [candidate.gain_ratio or 0.0 for candidate in candidates] if has_ratio else []
    return ThresholdCurve(
        says=says,
        feature=feature,
        values=tuple(values),
        codes=tuple(codes),
        classes=tuple(map(str, data.classes)),
        cuts=tuple(
            Cut(
                threshold=threshold,
                height=candidate.gain,
                second=(candidate.gain_ratio or 0.0) if has_ratio else None,
                below=_side(data, candidate, 0, has_curve),
                above=_side(data, candidate, 1, has_curve),
                reading=_reading(candidate, has_curve, has_ratio),
                is_out=marks_changes and not changes_class(values, codes, threshold),
            )
            for candidate, threshold in zip(candidates, thresholds, strict=True)
        ),
        shown=thresholds.index(threshold_of(best) if shown is None else shown),
        most=1.2 * max([candidate.gain for candidate in candidates] + ratios),
        names=(message("gain in bits"), message("gain ratio")) if has_ratio else (message("gain in bits"),),
        has_curve=has_curve,
        marks=marks,
        state=state,
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
            ratio=f"{candidate.gain_ratio or 0.0:.3f}",
        )
    return message("{test}: gain {gain} bits", test=test, gain=f"{candidate.gain:.3f}")
