"""A number with its arithmetic, and a derivation: the formulas that lead to a result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from explorer.explaining.formulas.expression import Expression, Quantity, Quotient, Sum, scientific
from explorer.explaining.formulas.narrow import WIDTH, filled_lines, page_latex, pieces, width
from explorer.formatting import figure, is_rounding_of

LARGEST_FRACTION = 10**6
LINE = 72
"""How many characters of plain text fit into a line on a page, set in LaTeX."""
MOST_UNFOLDED = 8
"""A sum that takes more lines with all its numbers is shown by its symbols alone."""
_WIDEST_SYMBOL, _INDENT = 8.0, 5.0
"""In narrow lines, a wider symbol has a line of its own; and the room for a relation and an indent."""
MOST_FORMULA_LINES, MOST_LINES = 24, 80
"""Longer formulas and derivations are cut on a page; their text and their LaTeX to copy are always complete."""


@dataclass(frozen=True)
class Formula:
    """A quantity with its recorded number; `value` is that number and is never calculated again.

    >>> from explorer.explaining.formulas.expression import ratio
    >>> Formula(Quantity("R(t)", "R(t)", ratio(45, 98)), 45 / 98).text
    'R(t) = 45/98 ≈ 0.459'
    """

    quantity: Quantity
    value: float

    @property
    def text(self) -> str:
        """One line: symbol, formula, the formula with all numbers, and the result."""
        return self._line(latex=False)

    @property
    def latex(self) -> str:
        """The same in LaTeX, without line breaks."""
        return self._line(latex=True)

    @property
    def latex_at_relation(self) -> str:
        """The same with "&" where lines are aligned, before the first relation."""
        symbol = self.quantity.latex_symbol
        return f"{symbol} &{self.latex[len(symbol) + 1 :]}"

    def _line(self, latex: bool) -> str:
        symbol = self.quantity.latex_symbol if latex else self.quantity.symbol
        return " ".join(
            part for part in (symbol, *(self._sides(True) if latex else self._in_text), self._result(latex)) if part
        )

    def _sides(self, latex: bool) -> list[str]:
        """The formula in symbols and with all numbers, or once where that is the same."""
        sides = [self.quantity.meaning.written(latex, unfold) for unfold in (False, True)]
        return [f"= {side}" for side in dict.fromkeys(sides)]

    @cached_property
    def _in_text(self) -> list[str]:
        return self._sides(latex=False)

    def _result(self, latex: bool) -> str:
        """The exact fraction, if it is small, and the figure; either is omitted where the formula already shows it."""
        if self.value == 0 and self.quantity.meaning.never_zero:
            return "< 10^{-300}" if latex else "< 10⁻³⁰⁰"
        exact, short = self.quantity.exact, figure(self.value)
        if f"= {short}" in self._in_text:
            return ""
        relation = "=" if is_rounding_of(self.value, float(short)) else r"\approx" if latex else "≈"
        result = f"{relation} {scientific(short, latex)}"
        if exact is None or max(abs(exact.numerator), exact.denominator) > LARGEST_FRACTION:
            return result
        if exact.denominator == 1 or str(exact) in (side[2:] for side in self._in_text):
            return result
        minus = "-" if exact < 0 else ""
        top, bottom = abs(exact.numerator), exact.denominator
        printed = rf"{minus}\frac{{{top}}}{{{bottom}}}" if latex else str(exact).replace("-", "−")
        return f"= {printed} {result}"

    def lines(self) -> list[str]:
        """The same as lines of LaTeX for a page, aligned at the relation by "&" and short enough to read.

        A quotient, or a sum of many or very long terms, is not unfolded: its quantities have their own formulas.
        """
        lines = [line for unfold in self._sides_on_a_page for line in _broken(self.quantity.meaning, unfold)]
        last, room = lines[-1]
        result = self._result(latex=True)
        ending = [(f"{last} {result}", 0)] if room >= len(result) // 2 else [lines[-1], (f"&{result}", 0)]
        return [
            page_latex(line if index else f"{self.quantity.latex_symbol} {line}")
            for index, (line, _) in enumerate([*lines[:-1], *ending])
        ]

    @cached_property
    def _sides_on_a_page(self) -> tuple[bool, ...]:
        """Whether the quantities are unfolded on each side that a page shows."""
        meaning = self.quantity.meaning
        is_unfolded = bool(self._in_text[1:]) and _is_readable(meaning)
        return (False, True) if is_unfolded and len(_broken(meaning, unfold=True)) <= MOST_UNFOLDED else (False,)

    def narrow_lines(self) -> list[str]:
        """The same sides in lines that fit a panel: each side begins a line, unless all fits on one."""
        symbol, result = self.quantity.latex_symbol, self._result(latex=True)
        meaning = self.quantity.meaning
        has_own_line = width(symbol) > _WIDEST_SYMBOL
        room = WIDTH - _INDENT - (0.0 if has_own_line else width(symbol))
        sides = [filled_lines(pieces(meaning, unfold, room), room) for unfold in self._sides_on_a_page]
        single = f"= {sides[0][0]} {result}".rstrip()
        if len(sides) == len(sides[0]) == 1 and width(single) <= room + _INDENT:
            lines = [f"&{single}"]
        else:
            lines = [line for first, *rest in sides for line in (f"&= {first}", *(rf"&\quad {more}" for more in rest))]
            lines += [f"&{result}"] if result else []
        return [f"&{symbol}", *lines] if has_own_line else [f"{symbol} {lines[0]}", *lines[1:]]


def _is_readable(meaning: Expression) -> bool:
    """Whether every unfolded term fits on a line."""
    if isinstance(meaning, Quotient):
        return len(meaning.written(False, True)) <= LINE
    terms = [term for _, term in meaning.terms] if isinstance(meaning, Sum) else [meaning]
    return all(len(term.written(False, True)) <= LINE for term in terms)


def _broken(meaning: Expression, unfold: bool) -> list[tuple[str, int]]:
    """An equation in lines, with the room left on each: as many terms of a sum as fit, long terms on their own."""
    if not isinstance(meaning, Sum) or not meaning.terms:
        return [(f"&= {meaning.written(True, unfold)}", LINE - len(meaning.written(False, unfold)))]
    lines = [("&=", LINE)]
    for index, (text, latex) in enumerate(
        zip(meaning.pieces(False, unfold), meaning.pieces(True, unfold), strict=True)
    ):
        line, room = lines[-1]
        if index == 0 or len(text) <= room:
            lines[-1] = f"{line} {latex}", room - len(text) - 1
        else:
            lines.append((rf"&\quad {latex}", LINE - len(text)))
    return lines


@dataclass(frozen=True)
class Derivation:
    """Formulas in the order in which they build on each other, what their symbols stand for, and remarks.

    Symbols are plain text, and so is what they stand for: names of classes and columns are in the legend only.
    """

    formulas: tuple[Formula, ...]
    legend: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def result(self) -> Formula:
        """The last formula."""
        return self.formulas[-1]

    @property
    def text(self) -> str:
        """All formulas as text, each on its own line, then the legend and the remarks."""
        legend = [f"{symbol}: {meaning}" for symbol, meaning in self.legend]
        return "\n".join([*(formula.text for formula in self.formulas), *legend, *self.remarks])

    @property
    def latex(self) -> str:
        """All formulas in LaTeX, to be pasted into a document that uses amsmath."""
        lines = (formula.latex_at_relation for formula in self.formulas)
        return "\\[\n\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n\\]"

    @cached_property
    def aligned(self) -> str:
        """The formulas as aligned lines of LaTeX for a page; too many lines are cut in the middle."""
        formulas = [_cut([[line] for line in formula.lines()], MOST_FORMULA_LINES) for formula in self.formulas]
        return _block(_cut(formulas, MOST_LINES))

    @cached_property
    def narrow(self) -> str:
        """The same in lines that fit a panel beside the tree; it may have twice as many."""
        formulas = [
            _cut([[line] for line in formula.narrow_lines()], 2 * MOST_FORMULA_LINES) for formula in self.formulas
        ]
        return _block(_cut(formulas, 2 * MOST_LINES))

    @property
    def is_cut(self) -> bool:
        """Whether the lines for a page leave something out."""
        return _DOTS in self.aligned or _DOTS in self.narrow

    @property
    def is_long(self) -> bool:
        """Whether the lines for a page are more than a reader sees at once."""
        return self.aligned.count(r"\\[5pt]") > MOST_FORMULA_LINES


def _block(lines: list[str]) -> str:
    """Aligned lines of LaTeX for a page."""
    return r"\begin{aligned}\rule{0pt}{1.7em}" + r" \\[5pt] ".join(lines) + r"\end{aligned}"


_DOTS = r"&\;\;\vdots"


def _cut(groups: list[list[str]], most: int) -> list[str]:
    """The lines of all groups; beyond `most` lines, only those of the first and the last groups."""
    if sum(map(len, groups)) <= most:
        return [line for group in groups for line in group]
    first, last = list[str](), list[str]()
    for group in groups:
        if len(first) + len(group) > most // 2:
            break
        first += group
    for group in reversed(groups):
        if last and len(last) + len(group) > most // 2:
            break
        last = group + last
    return [*first, _DOTS, *last]
