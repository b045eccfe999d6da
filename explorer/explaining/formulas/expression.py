"""Arithmetic that can be shown: an expression can be evaluated, printed as text, and set in LaTeX.

Vocabulary: a *quantity* is an expression that has a symbol, such as H(D); it prints as its symbol, or *unfolded* as
what it stands for. The leaves of an unfolded expression are numbers, so no intermediate result is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from explorer.growing.stopping import upper_tail


@dataclass(frozen=True)
class Function:
    """How a function is evaluated, printed and set; `{}` stands for an argument.

    `never_zero`: a value of 0 only means that the number is too small for a float.
    """

    evaluate: Callable[..., float]
    text: str
    latex: str
    never_zero: bool = False


def _choose(rows: float, errors: float) -> float:
    """C(N, E) as a logarithm to base 2, fractional numbers by Γ."""
    natural = math.lgamma(rows + 1) - math.lgamma(errors + 1) - math.lgamma(rows - errors + 1)
    return max(natural / math.log(2.0), 0.0)


def _beta_quantile(share: float, a: float, b: float) -> float:
    from scipy.special import betaincinv  # takes a fifth of a second, and few need it

    return float(betaincinv(a, b, share))


FUNCTIONS: dict[str, Function] = {
    "log2": Function(math.log2, "log2({})", r"\log_2\left({}\right)"),
    "ln": Function(math.log, "ln({})", r"\ln\left({}\right)"),
    "sqrt": Function(math.sqrt, "√({})", r"\sqrt{{}}"),
    "log2_choose": Function(_choose, "log2 C({}; {})", r"\log_2\binom{{}}{{}}"),
    "beta_quantile": Function(
        _beta_quantile,
        "BetaQuantile({}; {}, {})",
        r"\operatorname{Beta}^{-1}\left({};\, {},\, {}\right)",
    ),
    "chi2_tail": Function(
        lambda df, statistic: upper_tail(statistic, round(df)),
        "P(χ²[{}] ≥ {})",
        r"\Pr\left(\chi^2_{{}} \ge {}\right)",
        never_zero=True,
    ),
}


LARGEST_NUMERATOR, LARGEST_DENOMINATOR = 10_000, 1000
ROUNDING = 5e-13
"""A fraction this close, relatively, is the sum of thousands of weights without its rounding errors."""
SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the parts of an expression hold together."""


class Expression:
    """What all expressions can do; `value` is a float, `exact` a fraction where only fractions went in.

    >>> ((Number(3) - Number(1)) ** Number(2) * Number(4) / Number(5)).written(False, False)
    '(3 − 1)^2·4/5'
    """

    binding = ATOM

    def __sub__(self, other: Expression) -> Sum:
        return Sum(((1, self), (-1, other)))

    def __mul__(self, other: Expression) -> Product:
        return Product((self, other))

    def __truediv__(self, other: Expression) -> Quotient:
        return Quotient(self, other)

    def __pow__(self, other: Expression) -> Power:
        return Power(self, other)

    @property
    def value(self) -> float:
        """The number that the expression comes to."""
        raise NotImplementedError

    @property
    def exact(self) -> Fraction | None:
        """The same without rounding; None where a logarithm, root or measured number is inside."""
        return None

    @property
    def never_zero(self) -> bool:
        """Whether a value of 0 only means that it is too small for a float."""
        return False

    def written(self, latex: bool, unfold: bool) -> str:
        """The expression as text or LaTeX, quantities as symbols or unfolded."""
        raise NotImplementedError

    def inside(self, binding: int, latex: bool, unfold: bool) -> str:
        """The same as a part of another expression: in brackets where precedence requires them."""
        text = self.written(latex, unfold)
        held = self.held_by(unfold)
        if held >= binding:
            return text
        return rf"\left({text}\right)" if latex else f"({text})"

    def held_by(self, unfold: bool) -> int:
        """How tightly what is written holds together."""
        return self.binding


@dataclass(frozen=True)
class Number(Expression):
    """A count or another given number: a whole number, a short decimal, a small fraction, or else all its digits.

    >>> [Number(value).written(False, False) for value in (9.0, 2.5, 5 / 13, 0.1 + 0.2, math.pi)]
    ['9', '2.5', '5/13', '0.3', '3.141592653589793']
    """

    given: float

    @cached_property
    def _fraction(self) -> Fraction | None:
        near = Fraction(self.given).limit_denominator(LARGEST_DENOMINATOR)
        is_small = abs(near.numerator) <= LARGEST_NUMERATOR or 10**9 % near.denominator == 0
        return near if is_small and abs(float(near) - self.given) <= ROUNDING * abs(self.given) else None

    @property
    def value(self) -> float:
        """The number given."""
        return float(self.given)

    @property
    def exact(self) -> Fraction | None:
        """The fraction that is printed, if any."""
        return self._fraction

    @property
    def _is_decimal(self) -> bool:
        return self._fraction is not None and 10**9 % self._fraction.denominator == 0

    def held_by(self, unfold: bool) -> int:
        """A fraction is a division and a power of ten a product; a number below 0 is a sum with one sign."""
        if self.given < 0:
            return SUM
        return PRODUCT if set(self.written(False, False)) & set("/e") else ATOM

    def written(self, latex: bool, unfold: bool) -> str:
        """The number; in LaTeX a power of ten is spelt out."""
        sign = "" if self.given >= 0 else "-" if latex else "−"
        return sign + self._without_sign(latex)

    def _without_sign(self, latex: bool) -> str:
        if self._fraction is None:
            return scientific(repr(abs(float(self.given))), latex)
        if self._fraction.denominator == 1 or not self._is_decimal:
            return str(abs(self._fraction))
        return scientific(repr(abs(float(self._fraction))), latex)


@dataclass(frozen=True)
class Quantity(Expression):
    """An expression with a symbol, in text and in LaTeX."""

    symbol: str
    latex_symbol: str
    meaning: Expression

    @property
    def value(self) -> float:
        """What it stands for, evaluated."""
        return self.meaning.value

    @property
    def exact(self) -> Fraction | None:
        """What it stands for as a fraction."""
        return self.meaning.exact

    def held_by(self, unfold: bool) -> int:
        """A symbol holds together, what it stands for as it does."""
        return self.meaning.held_by(unfold) if unfold else ATOM

    def written(self, latex: bool, unfold: bool) -> str:
        """The symbol, or what it stands for."""
        if unfold:
            return self.meaning.written(latex, unfold)
        return self.latex_symbol if latex else self.symbol


@dataclass(frozen=True)
class Sum(Expression):
    """Terms with their signs, +1 or −1."""

    terms: tuple[tuple[int, Expression], ...]
    binding = SUM

    @property
    def value(self) -> float:
        """All terms, added without rounding in between."""
        return math.fsum(sign * term.value for sign, term in self.terms) + 0.0

    @property
    def exact(self) -> Fraction | None:
        """The sum of fractions."""
        parts = _all_exact([term for _, term in self.terms])
        return None if parts is None else sum((s * p for (s, _), p in zip(self.terms, parts, strict=True)), Fraction(0))

    def held_by(self, unfold: bool) -> int:
        """A single term without a sign holds as it would alone, and so does the 0 that no term at all makes."""
        if not self.terms:
            return ATOM
        alone = len(self.terms) == 1 and self.terms[0][0] > 0
        return self.terms[0][1].held_by(unfold) if alone else self.binding

    def written(self, latex: bool, unfold: bool) -> str:
        """The terms with signs between them."""
        if not self.terms:
            return "0"
        pieces = self.pieces(latex, unfold)
        return pieces[0] + "".join(f" {piece}" for piece in pieces[1:])

    def pieces(self, latex: bool, unfold: bool) -> list[str]:
        """The terms, each with its sign in front."""
        minus, pieces = ("-" if latex else "−"), list[str]()
        for index, (sign, term) in enumerate(self.terms):
            text = term.inside(SUM if index == 0 and sign > 0 else PRODUCT, latex, unfold)
            before = minus if sign < 0 else "" if index == 0 else "+"
            pieces.append(f"{before} {text}" if index and before else f"{before}{text}")
        return pieces


@dataclass(frozen=True)
class Product(Expression):
    """Factors."""

    factors: tuple[Expression, ...]
    binding = PRODUCT

    @property
    def value(self) -> float:
        """All factors multiplied."""
        return math.prod(factor.value for factor in self.factors)

    @property
    def exact(self) -> Fraction | None:
        """The product of fractions."""
        parts = _all_exact(self.factors)
        return None if parts is None else math.prod(parts, start=Fraction(1))

    def written(self, latex: bool, unfold: bool) -> str:
        """The factors with a dot between them."""
        return (r" \cdot " if latex else "·").join(f.inside(PRODUCT, latex, unfold) for f in self.factors)


@dataclass(frozen=True)
class Quotient(Expression):
    """A numerator over a denominator."""

    top: Expression
    bottom: Expression

    def held_by(self, unfold: bool) -> int:
        """As a product: the LaTeX bar would hold more, but both are bracketed alike."""
        return PRODUCT

    @property
    def value(self) -> float:
        """The top divided by the bottom."""
        return self.top.value / self.bottom.value

    @property
    def exact(self) -> Fraction | None:
        """The quotient of fractions."""
        parts = _all_exact([self.top, self.bottom])
        return None if parts is None or not parts[1] else parts[0] / parts[1]

    def written(self, latex: bool, unfold: bool) -> str:
        """A slash, or a bar."""
        if latex:
            return rf"\frac{{{self.top.written(True, unfold)}}}{{{self.bottom.written(True, unfold)}}}"
        tightly = POWER if isinstance(self.top, Number) else PRODUCT
        return f"{self.top.inside(tightly, False, unfold)}/{self.bottom.inside(POWER, False, unfold)}"


@dataclass(frozen=True)
class Power(Expression):
    """A base with an exponent."""

    base: Expression
    exponent: Expression
    binding = POWER

    @property
    def value(self) -> float:
        """The power."""
        return float(self.base.value**self.exponent.value)

    @property
    def exact(self) -> Fraction | None:
        """The power of a fraction, for a small whole exponent."""
        parts = _all_exact([self.base, self.exponent])
        if parts is None or parts[1].denominator != 1 or not 0 <= parts[1] <= 64:
            return None
        return parts[0] ** int(parts[1])

    def written(self, latex: bool, unfold: bool) -> str:
        """The exponent raised."""
        base = self.base.inside(ATOM, latex, unfold)
        if latex:
            return f"{base}^{{{self.exponent.written(True, unfold)}}}"
        return f"{base}^{self.exponent.inside(ATOM, False, unfold)}"


@dataclass(frozen=True)
class Call(Expression):
    """A function of `FUNCTIONS` applied to arguments."""

    function: str
    arguments: tuple[Expression, ...]

    @property
    def value(self) -> float:
        """The function of the arguments' values."""
        return float(FUNCTIONS[self.function].evaluate(*(argument.value for argument in self.arguments)))

    @property
    def never_zero(self) -> bool:
        """As the function's own entry says."""
        return FUNCTIONS[self.function].never_zero

    def written(self, latex: bool, unfold: bool) -> str:
        """The function as its own entry sets it."""
        entry = FUNCTIONS[self.function]
        bare = latex and len(self.arguments) == 1 and isinstance(self.arguments[0], Quotient)
        if bare and entry.latex.endswith(r"\left({}\right)"):
            return entry.latex.replace(r"\left({}\right)", "") + self.arguments[0].written(True, unfold)
        return _filled(entry.latex if latex else entry.text, [a.written(latex, unfold) for a in self.arguments])


def _filled(template: str, texts: Sequence[str]) -> str:
    """The template with `{}` filled from left to right; other braces belong to LaTeX."""
    pieces = template.split("{}")
    return "".join(piece + text for piece, text in zip(pieces, [*texts, ""], strict=True))


def _all_exact(parts: Sequence[Expression]) -> list[Fraction] | None:
    exact = [part.exact for part in parts]
    fractions = [fraction for fraction in exact if fraction is not None]
    return fractions if len(fractions) == len(exact) else None


def scientific(text: str, latex: bool) -> str:
    """A printed float, its power of ten spelt out in LaTeX.

    >>> scientific("1.5e-07", True), scientific("0.25", True)
    ('1.5 \\\\cdot 10^{-7}', '0.25')
    """
    if not latex or "e" not in text:
        return text
    digits, exponent = text.split("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}"


def total(terms: Sequence[Expression], sign: int = 1) -> Sum:
    """The sum of the terms, all with the same sign."""
    return Sum(tuple((sign, term) for term in terms))


def difference(first: Expression, *others: Expression) -> Sum:
    """The first minus all others.

    >>> difference(Number(3), Number(1), Number(0.5)).written(False, False)
    '3 − 1 − 0.5'
    """
    return Sum(((1, first), *((-1, other) for other in others)))


def ratio(top: float, bottom: float) -> Quotient:
    """Two numbers as a fraction that is left as it is.

    >>> ratio(4, 4).written(False, False)
    '4/4'
    """
    return Quotient(Number(top), Number(bottom))
