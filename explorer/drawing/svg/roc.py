"""ROC curves as a small SVG picture, for reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.drawing.class_shapes import short
from explorer.drawing.html_document import escaped
from explorer.drawing.palette import LIGHT, Theme
from explorer.drawing.svg.node_box import QUIET, sign, text
from explorer.drawing.svg.node_text import SIGN, SMALL
from explorer.drawing.svg.svg import FONTS
from explorer.drawing.svg.text_width import fitted
from explorer.evaluation.deciding.class_curves import ClassCurves
from explorer.formatting import number
from explorer.messages import current_catalogue, message

_SIDE, _LEFT, _TOP, _LEGEND, _LINE = 300.0, 50.0, 12.0, 250.0, 24.0
_TICKS = (0.0, 0.5, 1.0)


def roc_picture(
    curves: Sequence[ClassCurves], colours: Sequence[str], codes: Sequence[int], theme: Theme = LIGHT
) -> str:
    """The curves of some classes over the diagonal of chance; `colours` and `codes` are theirs, in the same order."""
    wide, tall = _LEFT + _SIDE + _LEGEND, _TOP + max(_SIDE, _LINE * len(curves)) + 48.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(wide)}" height="{short(tall)}" '
        f'viewBox="0 0 {short(wide)} {short(tall)}" role="img" lang="{current_catalogue().language}" '
        f'font-family="{escaped(FONTS)}" font-size="{short(SMALL)}" fill="{theme.text}">\n'
        f"<title>{escaped(message('ROC'))}</title>\n",
        f'<g fill="none" stroke="{theme.text}" stroke-opacity="0.4"><rect x="{short(_LEFT)}" y="{short(_TOP)}" '
        f'width="{short(_SIDE)}" height="{short(_SIDE)}"/>',
        f'<path d="M{_at(0, 0)} L{_at(1, 1)}" stroke-dasharray="4 4"/></g>\n',
        *_axes(),
    ]
    for line, (curve, colour, code) in enumerate(zip(curves, colours, codes, strict=True)):
        path = " L".join(_points(curve))
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>\n')
        x, y = _LEFT + _SIDE + 20.0, _TOP + 14.0 + _LINE * line
        name = fitted(str(curve.name), 130.0, SMALL)
        said = message("{name}: AUC {area}", name=name, area=number(curve.area, 4))
        parts += [sign(code, x, y, colour), text(x + SIGN, y, said, SMALL)]
    return "".join([*parts, "</svg>\n"])


def _points(curve: ClassCurves) -> Iterable[str]:
    return (_at(float(x), float(y)) for x, y in zip(curve.false_alarms, curve.recall, strict=True))


def _at(x: float, y: float) -> str:
    return f"{short(_LEFT + _SIDE * x)} {short(_TOP + _SIDE * (1.0 - y))}"


def _axes() -> Iterable[str]:
    bottom = _TOP + _SIDE
    for tick in _TICKS:
        yield text(_LEFT + _SIDE * tick, bottom + 16.0, number(tick), SMALL, f'{QUIET} text-anchor="middle"')
        yield text(_LEFT - 8.0, bottom - _SIDE * tick + 4.0, number(tick), SMALL, f'{QUIET} text-anchor="end"')
    yield text(_LEFT + _SIDE / 2, bottom + 34.0, message("false positive rate"), SMALL, ' text-anchor="middle"')
    turned = f' text-anchor="middle" transform="rotate(-90 14 {short(_TOP + _SIDE / 2)})"'
    yield text(14.0, _TOP + _SIDE / 2, message("recall (true positive rate)"), SMALL, turned)
