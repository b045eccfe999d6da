"""How formulas are worded: fractions in sums of weights, costs, deviates, filled cells, what is pasted elsewhere."""

import re

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer import explaining
from tests.oracles.formula_checks import assert_agrees, check_formulas, inner_nodes
from tests.oracles.formula_reader import value_of_text
from tests.oracles.tables import sample_dataset


def test_sums_of_growing_weights_are_printed_as_the_fractions_they_are():
    # bad → good costs 5: the 210 bad rows weigh 5·700/1540 = 25/11 each, the 490 good ones 5/11
    data, _ = sample_dataset("credit_g").split(0.7, seed=0)
    recipe = ex.CART.replace(max_depth=3, costs={"bad": {"good": 5}})
    tree = ex.grow(data, recipe)
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["Gini decrease"]
    assert "5250/11" in derivation.text
    assert "2450/11" in derivation.text
    assert not re.search(r"\d\.\d{9}", derivation.text)
    assert check_formulas(tree, data, inner_nodes(tree)) > 5


def root(name, recipe, feature):
    data = sample_dataset(name)
    tree = ex.grow(data, recipe)
    return tree, explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).best[feature])


def test_the_cost_stands_in_the_score():
    # Outlook gains 0.24675 bits: (2^0.24675 - 1)/(1 + 3)^0.5 and 0.24675²/3
    recipe = ex.ID3.replace(score="nunez", nunez_w=0.5, feature_costs={"Outlook": 3})
    derivation = root("play_tennis", recipe, "Outlook")[1]["score"]
    assert "/(3 + 1)^0.5" in derivation.result.text
    assert derivation.result.value == pytest.approx((2**0.2467498198 - 1) / 2, abs=1e-9)
    assert ("cost(A)", "3, the cost of measuring Outlook") in derivation.legend
    assert any(symbol == "w" for symbol, _ in derivation.legend)
    squared = root("play_tennis", recipe.replace(score="tan_schlimmer"), "Outlook")[1]["score"]
    assert squared.result.text.split(" = ")[1] == "gain(A)^2/cost(A)"
    assert not any(symbol == "w" for symbol, _ in squared.legend)


def test_filled_cells_are_counted_in_the_legend():
    # golf: one day of fourteen has no outlook
    derivation = root("golf_missing", ex.ID3.replace(numeric="threshold"), "outlook")[1]["gain"]
    assert any(symbol == "D" and "1 of them with an imputed value" in words for symbol, words in derivation.legend)
    none = root("golf_missing", ex.C45, "outlook")[1]["gain"]
    assert not any("imputed" in words for _, words in none.legend)


def test_squared_errors_have_a_name_and_a_short_form_on_the_page():
    tree, derivation = root("auto_mpg", ex.CART.replace(max_depth=1), "weight")
    first = derivation["variance decrease"].formulas[0]
    assert first.text.startswith("Var(D) = SSE(D)/398 = ")
    assert value_of_text(first.text.split(" = ")[2].split(" ≈ ")[0]) == pytest.approx(
        float(tree.impurity[0]), rel=1e-12
    )
    assert not re.search(r"\.\d{9}", derivation["variance decrease"].aligned)
    assert r"\ldots" not in derivation["variance decrease"].latex


def test_the_deviate_of_a_confidence_is_named():
    # C4.5's table gives 0.69 for 25 % and 0.84 for 20 %
    data = sample_dataset("vote")
    tree = ex.grow(data, ex.C45)
    steps = ex.pessimistic_steps(tree)
    derivations = [explaining.pessimistic_formula(tree, steps, step, 0.25, "release8") for step in range(len(steps))]
    legend = [entry for derivation in derivations for entry in derivation.legend]
    assert any(symbol == "z" and "CF = 0.25 from C4.5's table" in words for symbol, words in legend)
    assert any(symbol == "z" and words.startswith("0.69") for symbol, words in legend)


@pytest.mark.parametrize("name", ["play_tennis", "iris", "golf_missing", "car"])
def test_a_split_tested_by_its_bits_has_its_formula(name):
    data = sample_dataset(name)
    tree = ex.grow(data, ex.C45.replace(mdl_stop=True, class_weights={data.classes[0]: 2.0}))
    for node in (0, *inner_nodes(tree)):
        decision = ex.decide(tree, data, node)
        derivation = explaining.split_bits_formula(tree.node(node), decision)
        assert derivation.result.value == decision.bits.as_split
        for formula in derivation.formulas:
            assert_agrees(formula, 1000.0)


def test_the_bits_of_outlook():
    # by hand: 1 + log2 4 + log2 1 for the test and 3·(1 + 1) for its leaves make 9; exceptions in DEFINITIONS' form
    derivation = bits_of_tennis().text
    assert "bits[tree, split] = 1 + log2(4) + log2(1) + 3·(1 + log2(2)) = 9" in derivation
    assert "log2(14 + 1) + log2 C(14; 5)" in derivation


def bits_of_tennis():
    data = sample_dataset("play_tennis")
    tree = ex.grow(data, ex.ID3)
    return explaining.split_bits_formula(tree.node(0), ex.decide(tree, data, 0))


def test_what_is_pasted_is_one_aligned_block():
    _, formulas = root("play_tennis", ex.ID3, "Outlook")
    lines = formulas["gain"].latex.split("\n")
    assert (lines[:2], lines[-2:]) == ([r"\[", r"\begin{aligned}"], [r"\end{aligned}", r"\]"])
    assert all(line.count("&") == 1 for line in lines[2:-2])
    assert all(line.endswith(r" \\") for line in lines[2:-3])


def test_a_chance_too_small_for_a_float_is_below_a_bound_and_not_zero():
    # 20,000 rows parted without a mistake: χ² = N = 20,000 with df 1, and P(χ² ≥ 20,000) is about e^−10,000
    frame = pd.DataFrame({"x": ["u"] * 10_000 + ["v"] * 10_000, "goal": ["a"] * 10_000 + ["b"] * 10_000})
    data = ex.Dataset.from_frame(frame, "goal")
    tree = ex.grow(data, ex.ID3)
    derivation = explaining.chi2_formula(tree.node(0), ex.decide(tree, data, 0))
    assert derivation.formulas[-1].text.endswith("·10000/20000)) < 10⁻³⁰⁰")
    assert derivation.formulas[-1].latex.endswith("< 10^{-300}")


def test_a_gain_ratio_of_a_number_has_its_formula_too():
    # Li Hang's x ≤ 5 parts 10 rows: the ratio is the decrease of variance by the entropy of the branch sizes
    data = sample_dataset("lihang_8_2_regression")
    tree = ex.grow(data, ex.CART.replace(score="gain_ratio"))
    decision = ex.decide(tree, data, 0)
    derivation = explaining.candidate_formulas(tree.node(0), decision.chosen)
    sizes = np.array(decision.chosen.weights) / 10
    expected = decision.chosen.gain / -(sizes * np.log2(sizes)).sum()
    assert decision.chosen.score == pytest.approx(expected)
    assert derivation["gain ratio"].result.value == pytest.approx(expected)
    assert check_formulas(tree, data, [0]) > 5
