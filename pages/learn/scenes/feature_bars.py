"""Bars with a number of every feature, the largest of those that compete in the colour of the best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from explorer.drawing.pictures.bars import Bar, Bars

_ROOM = 1.15
"""The axis ends so much beyond the longest bar."""


def feature_bars(
    values: Mapping[str, float],
    *,
    says: str,
    title: str,
    named: Callable[[str], str] = str,
    out: Collection[str] = (),
    mark: float | None = None,
    mark_text: str = "",
) -> Bars:
    """The values in their order; features in `out` are pale, and `mark` is a line such as the mean.

    >>> picture = feature_bars({"A": 0.25, "B": 0.5}, says="", title="gain", out=["B"])
    >>> [(bar.text, bar.is_best, bar.is_out) for bar in picture.bars]
    [('0.250', True, False), ('0.500', False, True)]
    """
    best = max((name for name in values if name not in out), key=lambda name: values[name])
    return Bars(
        says=says,
        title=title,
        bars=tuple(
            Bar(named(name), value, f"{value:.3f}", name == best, name in out) for name, value in values.items()
        ),
        most=max(values.values()) * _ROOM,
        mark=mark,
        mark_text=mark_text,
    )


def asked(picture: Bars) -> Bars:
    """The same bars before they are worked out."""
    return Bars(
        says=picture.says,
        title=picture.title,
        bars=tuple(Bar(bar.label, 0.0, "?") for bar in picture.bars),
        most=picture.most,
    )
