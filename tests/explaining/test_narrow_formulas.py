"""Formulas in lines for a panel: the sides of the wide form, term by term, in lines that fit."""

import re

import pytest

import explorer as ex
from explorer import explaining
from explorer.explaining.formulas.expression import Call, Number, Power, Product, Quantity, Quotient, Sum, ratio
from explorer.explaining.formulas.narrow import pieces
from tests.oracles.formula_checks import derivations, inner_nodes
from tests.oracles.formula_reader import value_of_latex
from tests.oracles.tables import sample_dataset

BEGINNING, END = r"\begin{aligned}\rule{0pt}{1.7em}", r"\end{aligned}"
WIDEST = 36
"""Signs on a line, with a fraction as wide as its wider half: about 350 pixels."""
TREES = {
    "play_tennis": ex.ID3,
    "golf_missing": ex.C45,
    "auto_mpg": ex.CART.replace(max_depth=4),
    "titanic": ex.CART.replace(max_depth=4),
}


def lines_of(block):
    assert block.startswith(BEGINNING)
    assert block.endswith(END)
    return block.removeprefix(BEGINNING).removesuffix(END).split(r" \\[5pt] ")


def terms(block):
    """The numbers, names and signs of a block in their order, without its lines, brackets and fraction bars."""
    plain = re.sub(r"\\quad|\\left|\\right|\\Bigl|\\Bigr|\\frac|[&(){}/\s]", " ", " ".join(lines_of(block)))
    return re.findall(r"[\d.]+(?:\\ldots)?|\\[A-Za-z]+|[A-Za-z]|[-+=^_|,;]", plain)


def signs(line):
    """A rough width: the signs that are seen, of a fraction those of its wider half."""
    innermost = re.compile(r"\\(?:frac|binom)\{([^{}]*)\}\{([^{}]*)\}")
    line = re.sub(r"\\(?:operatorname|text|mathit|tilde)\{([^{}]*)\}", r"\1", line)
    line = re.sub(r"[_^]\{[^{}]*\}", "1", line)
    line = re.sub(r"\\(?:quad|left|right|Bigl|Bigr|,)|&", "", line)
    line = re.sub(r"\\log_2", "log", line)
    line = re.sub(r"\\(?:cdot|approx|sqrt|ldots|Delta|alpha|chi|ge|mid)", "x", line)
    while innermost.search(line):
        line = innermost.sub(lambda match: max(match.groups(), key=len), line)
    return len(re.sub(r"[{}\s]", "", line))


def all_derivations(name):
    data = sample_dataset(name)
    tree = ex.grow(data, TREES[name])
    for node in inner_nodes(tree):
        yield from filter(None, derivations(tree, data, node))
    path = ex.cost_complexity_path(tree)
    yield from filter(None, (explaining.link_formula(path, node) for node in inner_nodes(tree, most=6)))
    if not tree.is_regression:
        steps, bits = ex.pessimistic_steps(tree), ex.mdl_steps(tree, data)
        yield from (explaining.pessimistic_formula(tree, steps, i, 0.25, "release8") for i in range(len(steps)))
        yield from (explaining.mdl_formula(tree, bits, i, data) for i in range(len(bits)))


@pytest.mark.parametrize("name", TREES)
def test_narrow_lines_have_the_terms_of_the_wide_ones_in_their_order(name):
    compared = 0
    for derivation in all_derivations(name):
        if not derivation.is_cut:
            assert terms(derivation.narrow) == terms(derivation.aligned)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", TREES)
def test_narrow_lines_fit_the_panel(name):
    lines = [line for derivation in all_derivations(name) for line in lines_of(derivation.narrow)]
    widest = max(lines, key=signs)
    assert signs(widest) <= WIDEST, widest


@pytest.mark.parametrize("name", TREES)
def test_a_side_begins_its_own_line_unless_the_formula_fits_on_one(name):
    for derivation in all_derivations(name):
        for formula in derivation.formulas:
            *sides, result = formula.narrow_lines()
            assert all(line.count("&") == 1 for line in (*sides, result))
            assert all("=" not in line.partition("&")[2].removeprefix("=") for line in sides)


def seen_as_one(expression, room):
    """The value of the pieces read back in a row."""
    found = pieces(expression, True, room)
    text = " ".join(found).replace("\n", "").replace(r"\Bigl(", r"\left(").replace(r"\Bigr)", r"\right)")
    return len(found), value_of_latex(text)


@pytest.mark.parametrize("room", [4.0, 12.0, 20.0, 100.0])
def test_pieces_come_to_the_value_of_the_whole(room):
    inner = Sum(((1, ratio(3, 7)), (-1, Number(2)), (1, Product((Number(4), ratio(1, 9))))))
    quotient = Quotient(inner, Sum(((1, Number(5)), (-1, Number(3)))))
    logarithm = Call("log2", (Sum(((1, Number(12)), (1, ratio(7, 11)))),))
    named = Quantity("x", "x", Product((Sum(((-1, Number(3)), (1, Number(8)))), logarithm)))
    for expression in (quotient, Sum(((-1, quotient), (-1, inner), (1, named))), Power(inner, Number(2))):
        count, value = seen_as_one(expression, room)
        assert value == pytest.approx(expression.value, rel=1e-12)
        assert count == 1 if room == 100.0 else count > 1 or room > 4.0
