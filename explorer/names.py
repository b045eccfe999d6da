"""Names and numbers as a reader should see them: nothing invisible, nothing endless."""

import math
import unicodedata

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_CONTINUES = frozenset({"Mn", "Me", "Mc", "Cf"})
_JOINER = "\u200d"
_NO_CHARACTERS = frozenset("\ufffe\uffff")
"""Codes that stand for nothing and that XML forbids."""

IMPURITY_NAMES = {"entropy": "entropy", "gini": "Gini", "error": "error rate", "variance": "variance"}
"""How pages and pictures call the impurities of a recipe."""

METRIC_NAMES = {
    "accuracy": "accuracy",
    "error": "error rate",
    "log_loss": "log loss",
    "auc": "AUC",
    "expected_cost": "expected cost",
    "mse": "mean squared error",
}
"""The same for scores."""


def visible(text: str) -> str:
    r"""The text with line breaks, control characters and turns of writing direction shown as signs.

    >>> visible("two\nlines"), visible("tab\there"), visible("a\u202eb")
    ('two␊lines', 'tab␉here', 'a⟨U+202E⟩b')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_sign(one) if _hidden(one) else one for one in text)


def _hidden(one: str) -> bool:
    return one in _DIRECTION or one in _NO_CHARACTERS or unicodedata.category(one) in _INVISIBLE


def _sign(one: str) -> str:
    code = ord(one)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def shortened(text: str, limit: int) -> str:
    """The text, or as much of it as leaves room for an ellipsis; signs made of several characters stay whole.

    >>> shortened("Temperature", 8)
    'Tempera…'
    """
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 1 and (unicodedata.category(text[end]) in _CONTINUES or text[end - 1] == _JOINER):
        end -= 1
    return text[:end].rstrip() + "…"


def amount(weight: float) -> str:
    """A count, or a sum of weights with two decimals.

    >>> amount(9.0), amount(3.375), amount(1_234_567.0), amount(0.004)
    ('9', '3.38', '1234567', '0.004')
    """
    if abs(weight) < 1.0:
        return f"{weight + 0.0:.3g}"
    return f"{weight:.2f}".rstrip("0").rstrip(".")


def rows(weight: float) -> str:
    """A count with its noun.

    >>> rows(1), rows(14), rows(0)
    ('1 row', '14 rows', 'no rows')
    """
    if weight == 0:
        return "no rows"
    return "1 row" if weight == 1 else f"{amount(weight)} rows"


def leaves(count: int) -> str:
    """A number of leaves with its noun.

    >>> leaves(1), leaves(1200)
    ('1 leaf', '1,200 leaves')
    """
    return "1 leaf" if count == 1 else f"{count:,} leaves"


def counted(weight: float, noun: str) -> str:
    """A count of up to six digits with any noun that gets an s.

    >>> counted(1, "error"), counted(2.5, "validation row")
    ('1 error', '2.5 validation rows')
    """
    return f"1 {noun}" if weight == 1 else f"{weight:g} {noun}s"


def percent(share: float) -> str:
    """A share in per cent with three digits; only the whole is 100 %.

    >>> percent(0.6), percent(9 / 14), percent(1.0), percent(0.99996)
    ('60 %', '64.3 %', '100 %', '> 99.9 %')
    """
    if 0.9995 <= share < 1.0 - 1e-12:
        return "> 99.9 %"
    return f"{100.0 * share:.3g} %"


def number(value: float, digits: int = 6) -> str:
    """A mean or another measured number, to so many digits (large ones to the unit).

    >>> number(7.3070000000001), number(-0.0), number(1e9 + 0.25)
    ('7.307', '0', '1000000000')
    """
    if math.isfinite(value) and abs(value) >= 10**digits:
        digits = len(str(int(abs(value))))
    return f"{value + 0.0:.{digits}g}" if abs(value) < 1e15 else f"{value:.6g}"


def spread(total_squares: float, weight: float, digits: int = 6) -> str:
    """Standard deviation of a node's target values from their sum of squares around the mean.

    >>> spread(8.0, 4.0)
    '1.41421'
    """
    return number(math.sqrt(max(total_squares, 0.0) / weight), digits) if weight > 0 else "0"
