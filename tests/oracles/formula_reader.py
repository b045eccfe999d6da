"""Reads printed formulas back: an evaluator of its own for the plain text and one for the LaTeX.

It knows nothing of how the package builds formulas, and works the functions out by Python's math and scipy's
distributions.
"""

import ast
import math
import operator
import re

from scipy import stats
from scipy.special import gammaln

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def log2_choose(rows, errors):
    """log2 C(N, E), exactly for whole numbers."""
    if float(rows).is_integer() and float(errors).is_integer():
        return math.log2(math.comb(int(rows), int(errors)))
    return (gammaln(rows + 1) - gammaln(errors + 1) - gammaln(rows - errors + 1)) / math.log(2)


FUNCTIONS = {
    "log2": math.log2,
    "ln": math.log,
    "sqrt": math.sqrt,
    "choose": log2_choose,
    "beta": lambda share, a, b: stats.beta.ppf(share, a, b),
    "tail": lambda df, x: stats.chi2.sf(x, df),
}
SIGNS = {
    "−": "-",
    "·": "*",
    "^": "**",
    "√(": "sqrt(",
    "log2 C(": "choose(",
    "BetaQuantile(": "beta(",
    "P(χ²[": "tail(",
    "] ≥ ": ", ",
    ";": ",",
}


def value_of_text(text, known=None):
    """The number that a side of a printed equation comes to; `known` are values of symbols."""
    for symbol in sorted(known or {}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(symbol)}(?!\w)", f"({known[symbol]!r})", text)
    for sign, meaning in SIGNS.items():
        text = text.replace(sign, meaning)
    return _worked_out(ast.parse(text.strip(), mode="eval").body)


def _worked_out(node):
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_worked_out(node.operand)
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_worked_out(node.left), _worked_out(node.right))
    assert isinstance(node, ast.Call), ast.dump(node)
    return FUNCTIONS[node.func.id](*map(_worked_out, node.args))


TOKEN = re.compile(
    r"\s*(\\left\(|\\right\)|\\operatorname\{Beta\}\^\{-1\}|\\chi\^2_|\\[A-Za-z]+(?:_2)?|[\d.]+|[-+{}^/;,])"
)


class Latex:
    """A reader of the LaTeX that formulas are set in: sums, products, fractions, powers and named functions."""

    def __init__(self, text):
        text = text.replace(r"\,", " ")
        self.tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            assert match, text[at : at + 40]
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0

    @property
    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token=None):
        current = self.next
        assert token is None or current == token, (token, self.tokens[self.at : self.at + 8])
        self.at += 1
        return current

    def whole(self):
        value = self.sum()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return value

    def sum(self):
        sign = -1 if self.next == "-" and self.take() else 1
        value = sign * self.product()
        while self.next in ("+", "-"):
            value += self.product() if self.take() == "+" else -self.product()
        return value

    def product(self):
        value = self.power()
        while self.next in (r"\cdot", "/"):
            value = value * self.power() if self.take() == r"\cdot" else value / self.power()
        return value

    def power(self):
        base = self.atom()
        if self.next == "^":
            self.take()
            return base ** self.braced()
        return base

    def braced(self):
        self.take("{")
        value = self.sum()
        self.take("}")
        return value

    def bracketed(self, *separators):
        self.take(r"\left(")
        values = [self.sum()]
        for separator in separators:
            self.take(separator)
            values.append(self.sum())
        self.take(r"\right)")
        return values

    def atom(self):
        token = self.next
        if token == r"\left(":
            return self.bracketed()[0]
        self.take()
        if token == r"\frac":
            return self.braced() / self.braced()
        if token == r"\sqrt":
            return math.sqrt(self.braced())
        if token in (r"\log_2", r"\ln"):
            if self.next == r"\binom":
                self.take()
                return log2_choose(self.braced(), self.braced())
            argument = self.atom() if self.next != r"\left(" else self.bracketed()[0]
            return math.log2(argument) if token == r"\log_2" else math.log(argument)
        if token == r"\operatorname{Beta}^{-1}":
            return FUNCTIONS["beta"](*self.bracketed(";", ","))
        if token == r"\Pr":
            return self.chance()
        return float(token)

    def chance(self):
        self.take(r"\left(")
        self.take(r"\chi^2_")
        df = self.braced()
        self.take(r"\ge")
        statistic = self.sum()
        self.take(r"\right)")
        return FUNCTIONS["tail"](df, statistic)


def value_of_latex(text):
    """The number that a side of an equation in LaTeX comes to."""
    return Latex(text).whole()
