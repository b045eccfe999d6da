"""Texts: user text made safe for Markdown, numbers with few digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

import explorer as ex
from explorer import formatting
from explorer.messages import message
from explorer.values import Value

ALL_DIGITS = "%g"
"""Streamlit writes a number so with all digits that it has; %.6g would round it."""
MOST_LETTERS = 2_000
"""A page shows so many letters of one text at most; files have all of it."""
_ROUNDING = 1e-12
"""A sum of weights that misses a whole number by less than this share of it is that number."""
_SMALL, _LONG, _ENDLESS = 0.1, 1e9, 1e15
"""Below, three digits tell a number; from there on it has no decimals, and at last it is written as a power of ten."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIRECTIVE = re.compile(r":(?=\S)")
"""A colon before a word: Streamlit takes :name: for an emoji or an icon, and :name for a directive."""
_TYPOGRAPHIC = re.compile(r"(?<!\S)([<>~-])(?=(?:[>=-]|->)(?!\S))")
"""The first sign of <=, ->, -- and the like between spaces: Streamlit makes one sign of them, such as ≤."""
_LOOKALIKES = str.maketrans("[]*`$<>\\~#|", "［］∗ˋ＄＜＞＼∼＃｜")
_LONE_UNDERSCORE = re.compile(r"(?<!\w)_|_(?!\w)|(?<=_)_")
"""Any but those within a word, which are no emphasis."""
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]<>()#+!|~$^&=-])")


def escape_markdown(text: object) -> str:
    """Text from a file or an error, so that Markdown shows it as it is.

    Punctuation gets a backslash. A colon before a word gets an invisible word joiner, and so do signs such as <= that
    stand alone: Streamlit makes emojis, icons, colours and arrows of them after it has undone the backslashes.

    >>> escape_markdown("a*b")
    'a\\\\*b'
    """
    kept = _TYPOGRAPHIC.sub("\\1\u2060", _DIRECTIVE.sub(":\u2060", str(text)))
    return _PUNCTUATION.sub(r"\\\1", kept).replace("\n", " ")


def numbers_in_markdown(lines: Sequence[Sequence[str]]) -> str:
    """A small table of finished texts: the first line is the head, numbers stand at the right of their columns.

    In Markdown: for a table of data the browser would load 1.2 MB more before it shows the page.

    >>> print(numbers_in_markdown([["", "leaves"], ["full", "9"]]))
    |  | leaves |
    | :--- | ---: |
    | full | 9 |
    """
    head, *rest = lines
    rule = [":---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rest])


def spoken(text: str) -> str:
    """Text from a file for a label that is only spoken: signs of Markdown become others of their shape.

    Screen readers speak a label as it is written, so it holds no backslashes. A browser fetches the images even of a
    hidden label.

    >>> spoken("**b** [x](y) $a$ :red[z] petal_width").replace("\u2060", "")
    '∗∗b∗∗ ［x］(y) ＄a＄ :red［z］ petal_width'
    """
    return _LONE_UNDERSCORE.sub("＿", _DIRECTIVE.sub(":\u2060", text).translate(_LOOKALIKES)).replace("\n", " ")


def readable(text: str) -> str:
    """Text with everything in it visible, cut where nobody reads on: a branch may list thousands of categories.

    >>> readable("rain, sun"), len(readable("many, " * 9_000))
    ('rain, sun', 2000)
    """
    return formatting.name_text(text, MOST_LETTERS)


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many digits behind the point, a small one with three digits; from a billion on none behind it.

    Formulas end in the same figures (`explorer.formatting.figure`). None is a dash.

    >>> number(0.24674982), number(0.02922257), number(None), number(-0.0), number(12), number(699.9999999999999)
    ('0.247', '0.0292', '–', '0', '12', '700')
    >>> number(-0.5), number(1.25e-7), number(2.5e9), number(-1.2e18)
    ('−0.500', '1.25·10⁻⁷', '2,500,000,000', '−1.2·10¹⁸')
    """
    if value is None:
        return "–"
    size = abs(value)
    if size < _LONG and abs(value - round(value)) <= _ROUNDING * size:
        return typeset(f"{round(value):,}")
    if size < _SMALL or size >= _ENDLESS:
        return typeset(f"{value:.3g}")
    return typeset(f"{value:,.{digits if size < _LONG else 0}f}")


def typeset(text: str) -> str:
    """A printed number with the signs of mathematics, as formulas have them.

    >>> typeset("-0.67"), typeset("1.56e-41")
    ('−0.67', '1.56·10⁻⁴¹')
    """
    digits, _, exponent = text.partition("e")
    power = f"·10{str(int(exponent)).translate(_RAISED)}" if exponent else ""
    return digits.replace("-", "−") + power


def chance(p: float) -> str:
    """What a probability equals, or less than what it is where it is too small for a computer's number.

    >>> chance(0.16972), chance(1.5634e-41), chance(0.0)
    ('= 0.170', '= 1.56·10⁻⁴¹', '< 10⁻³⁰⁰')
    """
    return f"= {number(p, 3)}" if p > 0 else "< 10⁻³⁰⁰"


def milliseconds(seconds: float) -> str:
    """A duration in thousandths of a second.

    >>> milliseconds(0.0123)
    '12.3 ms'
    """
    return f"{1000 * seconds:,.1f} ms"


def score_text(value: float | None, is_regression: bool) -> str:
    """A score as its page shows it: a share of right rows, or a mean squared error, a large one to the unit.

    >>> score_text(0.9286, False), score_text(2.5, True), score_text(12345.678, True)
    ('92.9 %', '2.5', '12,346')
    """
    if value is None:
        return "–"
    if not is_regression:
        return formatting.percent(value)
    if abs(value) >= _ENDLESS:
        return typeset(f"{value:.3g}")
    return f"{value:,.0f}" if abs(value) >= 9_999.5 else typeset(f"{value:.4g}")


def score_name(is_regression: bool) -> str:
    """What the score is called."""
    return message("mean squared error") if is_regression else message("accuracy")


def metric_text(value: float | None, metric: str) -> str:
    """The value of any score as pages show it.

    >>> metric_text(0.9286, "accuracy"), metric_text(0.9286, "auc"), metric_text(2.5, "mse")
    ('92.9 %', '0.9286', '2.5')
    """
    return score_text(value, metric != "accuracy")


def value_text(value: Value) -> str:
    """A predicted or true value: a class, or a number to five digits.

    >>> value_text("Yes"), value_text(22.999999)
    ('Yes', '23')
    """
    return formatting.number(value, 5) if isinstance(value, float) else formatting.visible(str(value))


def prediction_text(node: ex.Node, is_regression: bool) -> str:
    """What the node predicts: its class or its mean."""
    return number(float(node.label), 3) if is_regression else str(node.label)
