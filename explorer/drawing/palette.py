"""Colours: one per class in class order, chosen to be distinct for colour-blind readers and to contrast with the page.

The order of "safe" begins with blue and vermilion, as in Okabe and Ito's palette (2008), and alternates light and dark
steps, so that neighbours differ in lightness too. "okabe_ito" has the eight published colours; those too pale for a
white page, and those too dark for a dark one, are moved until they reach 3 : 1. "greys" is for print. Colour never
carries a fact alone: every picture also writes the class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from explorer.messages import message

LIGHT_CLASSES = (
    "#1261A6",
    "#D55E00",
    "#16A085",
    "#6B1E54",
    "#A27FE6",
    "#4A3426",
    "#7C8A12",
    "#1E2350",
    "#D0487E",
    "#75808F",
)
DARK_CLASSES = (
    "#4FA8EA",
    "#FF9A4D",
    "#8CEBC4",
    "#B565F0",
    "#F4E27A",
    "#EA4F77",
    "#9AA7B5",
    "#A8743C",
    "#FFC2E0",
    "#4F8F6A",
)
PALETTES: Mapping[str, Callable[[], str]] = {
    "safe": lambda: message("Colour-blind safe"),
    "okabe_ito": lambda: message("Okabe and Ito (2008)"),
    "greys": lambda: message("Greys, for print"),
}
"""The palettes, with their names on pages."""
_CLASSES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("okabe_ito", "light"): (
        "#0072B2",
        "#D55E00",
        "#009E73",
        "#C0659A",
        "#3F97C9",
        "#000000",
        "#C48700",
        "#9E962C",
    ),
    ("okabe_ito", "dark"): (
        "#0072B2",
        "#D55E00",
        "#009E73",
        "#CC79A7",
        "#56B4E9",
        "#F0E442",
        "#E69F00",
        "#C8C8C8",
    ),
    ("greys", "light"): ("#111111", "#909090", "#474747", "#757575", "#2C2C2C", "#5E5E5E"),
    ("greys", "dark"): ("#F2F2F2", "#6C6C6C", "#B8B8B8", "#868686", "#D5D5D5", "#9E9E9E"),
}
_MEANS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("safe", "light"): ("#DCE9F5", "#0B4A8A"),
    ("safe", "dark"): ("#1F3A55", "#9FD4FF"),
    ("okabe_ito", "light"): ("#F7EFB5", "#0072B2"),
    ("okabe_ito", "dark"): ("#00476F", "#F0E442"),
    ("greys", "light"): ("#E8E8E8", "#222222"),
    ("greys", "dark"): ("#363A40", "#F2F2F2"),
}
"""Colours of the least and the largest mean; lightness rises or falls all the way between them."""


@dataclass(frozen=True)
class Theme:
    """The colours of one theme; `classes` is cycled when a table has more classes than colours."""

    name: str
    background: str
    text: str
    quiet: str
    line: str
    accent: str
    classes: tuple[str, ...]
    palette: str = "safe"
    own: Mapping[int, str] = field(default_factory=dict)

    def of_class_alone(self, code: int) -> str:
        """The colour of a class that is drawn without the others: never mixed, so that thin lines have contrast.

        >>> LIGHT.of_class_alone(1), LIGHT.of_class_alone(11)
        ('#D55E00', '#D55E00')
        """
        return self.own.get(code, self.classes[code % len(self.classes)])


LIGHT = Theme("light", "#FFFFFF", "#1B1F27", "#5B6472", "#8A93A2", "#4F46B8", LIGHT_CLASSES)
DARK = Theme("dark", "#14171C", "#E7EAF0", "#A5AFBD", "#717B8B", "#A9A1FF", DARK_CLASSES)


def theme(name: str | None, palette: str = "safe") -> Theme:
    """The theme of that name with a palette; light and "safe" for unknown names.

    `palette` is a name of `PALETTES`; colours of one's own may follow it, see `with_own_colours`.
    """
    base = DARK if name == "dark" else LIGHT
    wanted, *own = palette.split()
    chosen = wanted if wanted in PALETTES else "safe"
    if (chosen, own) == ("safe", []):
        return base
    classes = base.classes if chosen == "safe" else _CLASSES[chosen, base.name]
    pairs = (text.partition("=")[::2] for text in own)
    codes = {int(code): colour for code, colour in pairs}
    return replace(base, classes=classes, palette=" ".join([chosen, *own]), own=codes)


def with_own_colours(palette: str, own: Mapping[int, str]) -> str:
    """A palette in which some classes, by their codes, have other colours (#rrggbb).

    >>> class_colours(2, palette=with_own_colours("safe", {0: "#CC0000"}))
    ['#CC0000', '#D55E00']
    """
    return " ".join([palette, *(f"{code}={colour}" for code, colour in sorted(own.items()))])


def class_colours(n_classes: int, name: str | None = "light", palette: str = "safe") -> list[str]:
    """One colour per class in class order; when all are used, earlier ones return mixed with the background.

    >>> class_colours(2)
    ['#1261A6', '#D55E00']
    """
    colours = theme(name, palette)
    base = colours.classes
    mixed = [
        mix(base[i % len(base)], colours.background, 0.35 * min(i // len(base), 2)) if i >= len(base) else base[i]
        for i in range(n_classes)
    ]
    return [colours.own.get(code, colour) for code, colour in enumerate(mixed)]


_ROOTS = {
    "light": ("#8F6B00", "#B03A86", "#3F7D3A", "#6A5BD0", "#00808F", "#A14B2A", "#66707E"),
    "dark": ("#E8C547", "#F08AC6", "#9BD17B", "#B3A6FF", "#5FD0DB", "#E79B74", "#AEB8C6"),
}


def root_colours(name: str | None = "light") -> tuple[str, ...]:
    """Colours of the features that trees split on first, apart from those of the first classes of every palette.

    >>> root_colours()[0]
    '#8F6B00'
    """
    return _ROOTS[theme(name).name]


def mean_ends(name: str | None = "light", palette: str = "safe") -> tuple[str, str]:
    """The colours of a numeric target's least and largest mean."""
    chosen = theme(name, palette)
    return _MEANS[chosen.palette.split()[0], chosen.name]


def mix(colour: str, other: str, share: float) -> str:
    """The colour with a share of another one in it (sRGB, channel by channel).

    >>> mix("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round((1 - share) * a + share * b):02X}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Relative luminance, 0 for black to 1 for white (WCAG 2.1).

    >>> luminance("#FFFFFF")
    1.0
    """
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1).

    >>> round(contrast("#000000", "#FFFFFF"), 6)
    21.0
    """
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def text_on(colour: str) -> str:
    """Black or white, whichever reads better on the colour (always 4.5 : 1 or more).

    >>> text_on("#1261A6"), text_on("#F4E27A")
    ('#FFFFFF', '#000000')
    """
    return max(("#FFFFFF", "#000000"), key=lambda text: contrast(text, colour))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
