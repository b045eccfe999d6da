r"""A side of an equation in lines narrow enough for a panel beside the tree.

A line breaks before an operator: at the outermost sum or product first, and inside brackets only where a part of it is
still too wide. A fraction wider than a line becomes a quotient with a slash. Widths are in digits of KaTeX's font.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from explorer.explaining.formulas.expression import (
    ATOM,
    FUNCTIONS,
    POWER,
    PRODUCT,
    SUM,
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quantity,
    Quotient,
    Sum,
)

WIDTH = 34.0
"""The widest line, in digits: about 340 pixels on a page."""
_LONG = re.compile(r"(\d\.0*\d{4})\d{5,}")
"""On a page, a number with many digits behind the point ends in dots; what is copied has them all."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}]|[_^]|\S")
_RAISED = 0.7
_FRACTION_ENDS = 0.5
_WIDTHS = {"+": 2.4, "-": 2.4, "=": 2.7, "(": 0.8, ")": 0.8, ".": 0.6, ",": 0.8, ";": 0.8, "|": 0.8, "/": 1.0} | {
    r"\approx": 2.7,
    r"\ge": 2.7,
    r"\mid": 1.7,
    r"\cdot": 1.5,
    r"\log": 3.0,
    r"\ln": 2.2,
    r"\Pr": 2.6,
    r"\sqrt": 1.8,
    r"\binom": 2.0,
    r"\ldots": 2.7,
    r"\quad": 2.0,
    r"\left": 0.4,
    r"\right": 0.4,
    r"\Bigl": 0.5,
    r"\Bigr": 0.5,
}
_NEW_LINE = "\n"
"""Begins a piece that begins a line: a term that is wider than a line."""
_NO_WIDTH = frozenset({"&", r"\text", r"\operatorname", r"\mathit", r"\tilde", r"\frac", r"\,"})


def page_latex(latex: str) -> str:
    """The LaTeX with long numbers cut by dots."""
    return _LONG.sub(r"\1\\ldots ", latex)


def width(latex: str) -> float:
    r"""The width of some LaTeX in digits, estimated.

    >>> width("14"), width(r"\frac{10}{3}"), round(width(r"D_{1}"), 3)
    (2.0, 2.5, 1.7)
    """
    return sum(_widths(iter(_TOKEN.findall(latex))))


def _widths(tokens: Iterator[str]) -> Iterator[float]:
    """The width of each part up to the end of the group."""
    for token in tokens:
        if token == "}":
            return
        if token == "{":
            yield sum(_widths(tokens))
        elif token in "_^":
            yield _RAISED * _next_width(tokens)
        elif token in (r"\frac", r"\binom"):
            yield max(_next_width(tokens), _next_width(tokens)) + _WIDTHS.get(token, _FRACTION_ENDS)
        elif token not in _NO_WIDTH:
            yield _WIDTHS.get(token, 1.0)


def _next_width(tokens: Iterator[str]) -> float:
    """The width of an argument: a group, or one sign."""
    token = next(tokens, "")
    return sum(_widths(tokens)) if token == "{" else _WIDTHS.get(token, 1.0)


def pieces(expression: Expression, unfold: bool, room: float) -> list[str]:
    """The expression in LaTeX, cut where a line may break: one piece if it fits into the room."""
    whole = page_latex(expression.written(True, unfold))
    if width(whole) <= room:
        return [whole]
    match expression:
        case Quantity(meaning=meaning) if unfold:
            return pieces(meaning, unfold, room)
        case Sum(terms=terms) if terms:
            return _of_sum(expression, unfold, room)
        case Product(factors=factors):
            parts = [_inside(factor, PRODUCT, unfold, room) for factor in factors]
            return [*parts[0], *(piece for part in parts[1:] for piece in _after(r"\cdot ", part))]
        case Quotient(top=top, bottom=bottom):
            tightly = POWER if isinstance(top, Number) else PRODUCT
            return [*_inside(top, tightly, unfold, room), *_after("/ ", _inside(bottom, POWER, unfold, room))]
        case Power(base=base, exponent=exponent):
            *first, last = _inside(base, ATOM, unfold, room)
            return [*first, f"{last}^{{{page_latex(exponent.written(True, unfold))}}}"]
        case Call():
            return _of_call(expression, unfold, room)
    return [whole]


def _of_sum(expression: Sum, unfold: bool, room: float) -> list[str]:
    """The pieces of all terms, with their signs in front."""
    found = list[str]()
    for index, (sign, term) in enumerate(expression.terms):
        tightly = SUM if index == 0 and sign > 0 else PRODUCT
        mark = "-" if sign < 0 else "+" if index else ""
        parts = _after(f"{mark} " if index else mark, _inside(term, tightly, unfold, room))
        found += _after(_NEW_LINE, parts) if index and len(parts) > 1 else parts
    return found


def _of_call(expression: Call, unfold: bool, room: float) -> list[str]:
    """The pieces of a function with brackets around its arguments: it may break inside the last of them."""
    before, bracket, after = FUNCTIONS[expression.function].latex.rpartition(r"{}\right)")
    if not bracket or after:
        return [page_latex(expression.written(True, unfold))]
    *others, last = expression.arguments
    for argument in others:
        before = before.replace("{}", argument.written(True, unfold), 1)
    return _bracketed(pieces(last, unfold, room), before.replace(r"\left(", r"\Bigl("))


def _inside(expression: Expression, binding: int, unfold: bool, room: float) -> list[str]:
    """The pieces of a part of another expression, in brackets where precedence requires them."""
    whole = page_latex(expression.inside(binding, True, unfold))
    if width(whole) <= room:
        return [whole]
    parts = pieces(expression, unfold, room)
    return parts if expression.held_by(unfold) >= binding else _bracketed(parts)


def _bracketed(parts: list[str], opening: str = r"\Bigl(") -> list[str]:
    """The pieces between brackets that may stand on different lines, as `\\left(` and `\\right)` may not."""
    *first, last = _after(opening, parts)
    return [*first, rf"{last}\Bigr)"]


def _after(mark: str, parts: list[str]) -> list[str]:
    return [mark + parts[0], *parts[1:]]


def filled_lines(parts: list[str], room: float, measure: Callable[[str], float] = width) -> list[str]:
    """The pieces in lines: as many on a line as fit, and at least one.

    >>> filled_lines(["1", "+ 2", "+ 3"], 5.0)
    ['1 + 2', '+ 3']
    """
    lines = [parts[0]]
    for part in parts[1:]:
        if part.startswith(_NEW_LINE) or measure(f"{lines[-1]} {part}") > room:
            lines.append(part.removeprefix(_NEW_LINE))
        else:
            lines[-1] += f" {part}"
    return lines
