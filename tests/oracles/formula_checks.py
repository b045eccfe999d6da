"""Formulas of a tree read back and worked out: what every side of an equation comes to."""

import math
import re

import numpy as np
import pytest

import explorer as ex
from explorer import explaining
from tests.oracles.formula_reader import value_of_latex, value_of_text


def sides(text):
    """The sides of an equation without its name, and the figure that it ends with."""
    _, *parts = re.split(r" (?:=|≈) | (?:\\approx) ", text)
    return parts[:-1] or parts, parts[-1]


def assert_agrees(formula, scale):
    """Every side without symbols, as text and in LaTeX, comes to the recorded number; the end is that, rounded."""
    near = pytest.approx(formula.value, rel=1e-12, abs=1e-12 * max(scale, 1.0))
    for text, read in ((formula.text, value_of_text), (formula.latex, value_of_latex)):
        equal, figure = sides(text)
        plain = [side for side in equal if not is_symbolic(side)]
        assert plain, text
        for side in plain:
            assert read(side) == near, text
        ended = float(figure.replace(r" \cdot 10^{", "e").replace("}", "").replace("−", "-"))
        exponent = math.floor(math.log10(abs(formula.value))) if formula.value else 0
        assert abs(ended - formula.value) <= 0.5001 * 10.0 ** max(-3, exponent - 2)


def is_symbolic(side):
    """Whether a side of an equation has symbols in it."""
    for name in ("log2 C(", "log2(", "ln(", "√(", "BetaQuantile(", r"\operatorname{Beta}^{-1}"):
        side = side.replace(name, "(")
    for name in (r"\log_2", r"\ln", r"\sqrt", r"\frac", r"\binom", r"\cdot", r"\left", r"\right"):
        side = side.replace(name, " ")
    side = side.replace(r"\ge", " ").replace(r"\Pr", " ").replace(r"\chi^2_", " ").replace("P(χ²[", "(")
    side = side.replace("≥", " ").replace(r"\,", " ")
    return bool(re.search(r"(?<![\d.])[^\W\d_]|[|\\]", re.sub(r"\d+(\.\d+)?e-?\d+", "1", side)))


def derivations(tree, data, node, most=4):
    """Every derivation of a node's numbers."""
    view, decision = tree.node(node), ex.decide(tree, data, node)
    for candidate in list(decision.candidates[:most]):
        yield from explaining.candidate_formulas(view, candidate).values()
    yield explaining.mean_gain_formula(view, decision)
    yield explaining.margin_formula(view, decision)
    yield explaining.chi2_formula(view, decision)
    yield explaining.missing_formula(view, decision, ex.missing_row_branches(tree, data, node))


def check_formulas(tree, data, nodes):
    """Check every formula of some nodes; gives how many there were."""
    checked = 0
    for node in nodes:
        scale = float(tree.impurity[0])
        for derivation in derivations(tree, data, node):
            for formula in derivation.formulas if derivation is not None else ():
                assert_agrees(formula, scale)
                checked += 1
    return checked


def inner_nodes(tree, most=2):
    """The first nodes that are split."""
    return np.flatnonzero(tree.feature >= 0)[:most].tolist()
