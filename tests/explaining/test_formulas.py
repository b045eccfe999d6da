"""Formulas are read back as they are printed: text and LaTeX come to the number that the record holds."""

import re

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer import explaining
from explorer.candidates.measures import decrease_by, measures, recorded
from explorer.explaining.formulas.derivation import figure
from explorer.tree.metrics import targets_of
from tests.oracles.formula_checks import assert_agrees, check_formulas, inner_nodes, sides
from tests.oracles.formula_reader import value_of_latex, value_of_text
from tests.oracles.golden_walk import GOLDEN
from tests.oracles.tables import sample_dataset

SMALL = (
    "play_tennis",
    "golf",
    "golf_missing",
    "loan_lihang",
    "watermelon_2_0",
    "watermelon_3_0",
    "temperature6",
    "mammals",
    "iris",
    "vote",
    "titanic",
    "car",
)
RECIPES = {
    "ID3": ex.ID3,
    "C4.5": ex.C45,
    "C4.5, known rows only": ex.C45.replace(missing_ratio="known_rows_only", min_rows_leaf=2, min_rows_in="two"),
    "C4.5, release 8": ex.C45.replace(release8_penalty=True, log_base="e"),
    "CART": ex.CART,
    "CART, one against the rest": ex.CART.replace(categorical="one_vs_rest", missing="own_branch"),
    "entropy and costs": ex.ID3.replace(score="nunez", nunez_w=0.5, numeric="threshold", missing="own_branch"),
    "Tan and Schlimmer": ex.C45.replace(score="tan_schlimmer", log_base="e", release8_penalty=True),
    "error": ex.CART.replace(impurity="error", missing="same_class"),
    "ratio of Gini": ex.C45.replace(impurity="gini"),
}
NUMERIC = {
    "CART": ex.CART,
    "weighed twice": ex.CART.replace(score="squared_share_weighting", release8_penalty=True),
    "weighed twice, plain": ex.CART.replace(score="squared_share_weighting"),
    "Newton": ex.CART.replace(score="newton", gamma=0.5, base_score="mean", missing="default_direction"),
    "Newton, known rows": ex.CART.replace(score="newton", reg_lambda=0.0, categorical="each_value"),
    "in shares": ex.CART.replace(missing="fractional", categorical="each_value", score="tan_schlimmer"),
}


@pytest.mark.parametrize("recipe_name", RECIPES)
@pytest.mark.parametrize("name", SMALL)
def test_what_is_printed_comes_to_the_recorded_number(name, recipe_name):
    data = sample_dataset(name)
    tree = ex.grow(data, RECIPES[recipe_name])
    if tree.n_nodes_grown > 1:
        assert check_formulas(tree, data, inner_nodes(tree)) > 5


@pytest.mark.parametrize("recipe_name", NUMERIC)
@pytest.mark.parametrize("name", ["lihang_8_2_regression", "auto_mpg"])
def test_numbers_as_targets(name, recipe_name):
    data = sample_dataset(name)
    tree = ex.grow(data, NUMERIC[recipe_name].replace(max_depth=4))
    assert check_formulas(tree, data, inner_nodes(tree)) > 5


@pytest.mark.parametrize("name", ["play_tennis", "vote", "titanic"])
def test_newton_s_gain_of_two_classes(name):
    data = sample_dataset(name)
    recipe = ex.CART.replace(score="newton", missing="default_direction", reg_lambda=0.5, max_depth=4)
    tree = ex.grow(data, recipe)
    assert check_formulas(tree, data, inner_nodes(tree)) > 5
    for index, step in enumerate(steps := ex.newton_steps(tree, 1.0)):
        result = explaining.step_formula("newton", tree, steps, index, data, {}).result
        assert value_of_text(sides(result.text)[0][-1]) == pytest.approx(step.gain, rel=1e-9)


def test_the_missing_half_of_the_gain_is_named():
    data = sample_dataset("play_tennis")
    tree = ex.grow(data, ex.CART.replace(score="newton", gamma=0.25, base_score=0.5))
    score = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["score"]
    gain = 0.5**2 / 2.75 + 2.5**2 / 2.75 - 2**2 / 4.5
    assert score.result.value == pytest.approx(gain)
    legend = dict(score.legend)
    assert f"the paper's gain is {gain / 2:.6f}, its γ is 0.125." in legend["½"]


def test_growing_weights_are_counted_and_named():
    data = sample_dataset("titanic")
    recipe = ex.CART.replace(class_weights={data.classes[0]: 2.5}, costs={data.classes[1]: {data.classes[0]: 5}})
    tree = ex.grow(data, recipe.replace(max_depth=3, release8_penalty=True))
    assert check_formulas(tree, data, inner_nodes(tree)) > 5
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["Gini decrease"]
    assert any("weighted" in remark and "class weight" in remark for remark in derivation.remarks)


def test_row_weights_need_not_be_whole():
    data = sample_dataset("iris", weights=[1.0, 0.5, 0.3, 2.0])
    tree = ex.grow(data, ex.C45)
    assert check_formulas(tree, data, inner_nodes(tree)) > 5


def test_a_count_in_shares_is_printed_as_a_fraction():
    # Quinlan's golf table: the row without an outlook counts 5/13 under Sunny
    data = sample_dataset("golf_missing")
    tree = ex.grow(data, ex.C45.replace(min_rows_leaf=2, min_rows_in="two"))
    derivation = explaining.missing_formula(
        tree.node(0), ex.decide(tree, data, 0), ex.missing_row_branches(tree, data, 0)
    )
    assert [formula.text for formula in derivation.formulas[:2]] == ["F = 13/14 ≈ 0.929", "m₁ = 1·5/13 = 5/13 ≈ 0.385"]
    below = explaining.candidate_formulas(tree.node(1), ex.decide(tree, data, 1).chosen)["gain"]
    assert "(44/13)" in below.text


def test_the_numbers_of_golden():
    golden = GOLDEN["golf_missing"]["outlook"]
    data = sample_dataset("golf_missing")
    tree = ex.grow(data, ex.C45)
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).best["outlook"])
    near = {"gain": "gain = known_fraction * gain(known)", "gain ratio": "gain_ratio (Quinlan)"}
    near["split information"] = "split_info_with_unknown_as_extra_group (Quinlan)"
    for name, key in near.items():
        parts, _ = sides(derivation[name].result.text)
        assert value_of_text(parts[-1]) == pytest.approx(golden[key], abs=1e-9)
    entropy, _ = sides(derivation["gain"].formulas[0].text)
    assert value_of_text(entropy[-1]) == pytest.approx(golden["entropy_known"], abs=1e-9)


@pytest.mark.parametrize("column", ["Outlook", "Temperature", "Humidity", "Wind"])
def test_the_gains_of_play_tennis_are_goldens(column):
    data = sample_dataset("play_tennis")
    tree = ex.grow(data, ex.CART.replace(categorical="each_value"))
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).best[column])
    parts, _ = sides(derivation["gain"].result.text)
    assert value_of_text(parts[-1]) == pytest.approx(GOLDEN["play_tennis"]["gain"][column], abs=1e-9)


def test_symbols_stand_for_what_comes_before():
    # the gain in symbols, with the values of the formulas above it
    data = sample_dataset("play_tennis")
    tree = ex.grow(data, ex.ID3)
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain"]
    known = {formula.quantity.symbol: formula.value for formula in derivation.formulas[:-1]}
    in_symbols = derivation.result.text.split(" = ")[1]
    assert value_of_text(in_symbols, known) == pytest.approx(GOLDEN["play_tennis"]["gain"]["Outlook"], abs=1e-9)


def test_no_name_of_the_table_is_in_a_formula():
    frame = ex.load_sample("play_tennis").frame.rename(columns={"Outlook": r"\frac{}"}).replace("Sunny", "$x_1$")
    data = ex.Dataset.from_frame(frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3)
    derivation = explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain"]
    assert ("A", r"the split on \frac{}") in derivation.legend
    assert ("D₁", r"\frac{} = $x_1$ · No: 3, Yes: 2") in derivation.legend
    assert "$" not in derivation.latex + derivation.aligned
    assert "{}" not in derivation.latex + derivation.aligned


def test_gini_and_gain_are_derived_for_any_tree():
    # Outlook: 45/98 − 10/14·12/25 = 57/490
    data = sample_dataset("play_tennis")
    tree = ex.grow(data, ex.ID3)
    outlook = ex.decide(tree, data, 0).chosen
    assert decrease_by("gini", outlook) == pytest.approx(57 / 490, abs=1e-12)
    assert list(measures(outlook, tree.recipe, False)) == ["gain", "split information", "gain ratio", "Gini decrease"]
    assert "= 57/490 ≈ 0.116" in explaining.candidate_formulas(tree.node(0), outlook)["Gini decrease"].result.text


@pytest.mark.parametrize(
    ("recipe", "names"),
    [
        (ex.ID3, {"gain"}),
        (ex.C45, {"gain", "split information", "gain ratio"}),
        (ex.CART, {"Gini decrease"}),
        (ex.CART.replace(impurity="error"), {"error decrease"}),
        (ex.C45.replace(impurity="gini"), {"Gini decrease", "split information", "gain ratio"}),
        (ex.C45.replace(impurity="error"), {"error decrease", "split information", "gain ratio"}),
    ],
)
def test_numbers_that_were_recorded_are_those_of_all_measures(recipe, names):
    data = sample_dataset("golf_missing")
    decision = ex.decide(ex.grow(data, recipe), data, 0)
    for best in decision.best.values():
        everything = measures(best, recipe, False)
        assert recorded(best, recipe, False) == pytest.approx({name: everything[name] for name in names}, abs=1e-12)


def test_the_gain_ratio_of_a_cart_tree_counts_entropy():
    data = sample_dataset("play_tennis")
    by_gini = ex.grow(data, ex.CART.replace(categorical="each_value"))
    outlook = ex.decide(by_gini, data, 0).best["Outlook"]
    assert measures(outlook, by_gini.recipe, False)["gain ratio"] == pytest.approx(0.1564275624, abs=1e-9)


def test_prepruning_counts_hits():
    data = sample_dataset("watermelon_2_0")
    train, valid = data.take(np.arange(0, 17, 2)), data.take(np.arange(1, 17, 2))
    tree = ex.grow(train, ex.ID3.replace(prepruning=True), validation=valid)
    rows = float(targets_of(tree, valid)[1].sum())
    derivation = explaining.validation_formula(tree.node(0), ex.decide(tree, train, 0), rows)
    for formula in derivation.formulas:
        assert_agrees(formula, 1.0)
        assert re.search(r"= \d/8 ", formula.text)


RISKS = [("gini", "impurity"), ("gini", "error"), ("gini", "unnormalised"), ("gini", "per_node"), ("C4.5", "impurity")]


@pytest.mark.parametrize(("recipe_name", "risk"), RISKS)
@pytest.mark.parametrize("name", ["play_tennis", "iris", "golf_missing", "titanic"])
def test_weakest_links(name, recipe_name, risk):
    data = sample_dataset(name)
    tree = ex.grow(data, ex.C45 if recipe_name == "C4.5" else ex.CART)
    path = ex.cost_complexity_path(tree, risk=risk)
    inner = inner_nodes(tree, 12)
    derivations = [explaining.link_formula(path, node) for node in inner]
    assert any(derivation is not None for derivation in derivations)
    for derivation in derivations:
        for formula in derivation.formulas if derivation is not None else ():
            assert_agrees(formula, float(tree.weight[0]))


def test_weakest_links_of_numbers_and_of_costs():
    numbers = sample_dataset("lihang_8_2_regression")
    data = sample_dataset("titanic")
    costs = ex.CART.replace(costs={data.classes[0]: {data.classes[1]: 5}}, max_depth=4)
    for tree, risk in ((ex.grow(numbers, ex.CART), "impurity"), (ex.grow(data, costs), "error")):
        path = ex.cost_complexity_path(tree, risk=risk)
        for node in inner_nodes(tree, 8):
            for formula in explaining.link_formula(path, node).formulas:
                assert_agrees(formula, 1.0)


def test_the_fractions_of_play_tennis():
    path = ex.cost_complexity_path(ex.grow(sample_dataset("play_tennis"), ex.CART.replace(categorical="one_vs_rest")))
    derivation = explaining.link_formula(path, 0)
    assert derivation.formulas[1].text.endswith("= 8/35 ≈ 0.229")
    assert derivation.result.text.endswith("= 113/980 ≈ 0.115")


def test_a_fixed_alpha():
    tree = ex.grow(sample_dataset("iris"), ex.CART)
    for risk in ("impurity", "per_node"):
        steps = ex.fixed_alpha_steps(tree, 0.01, risk)
        for position in range(len(steps)):
            for formula in explaining.fixed_alpha_formula(tree, steps, position, 0.01, risk).formulas:
                assert_agrees(formula, 1.0)


def test_reduced_error():
    data = sample_dataset("titanic")
    train, valid = data.split(0.7, seed=0)
    tree = ex.grow(train, ex.C45.replace(max_depth=6))
    for step in ex.reduced_error_steps(tree, valid, "bottom_up"):
        for formula in explaining.reduced_error_formula(step).formulas:
            assert_agrees(formula, valid.n_rows)


@pytest.mark.parametrize("limit", ["release8", "binomial", "normal"])
@pytest.mark.parametrize("name", ["golf_missing", "vote", "titanic"])
def test_pessimistic_estimates(name, limit):
    tree = ex.grow(sample_dataset(name), ex.C45)
    steps = ex.pessimistic_steps(tree, 0.25, False, limit)[:25]
    for position in range(len(steps)):
        for formula in explaining.pessimistic_formula(tree, steps, position, 0.25, limit).formulas:
            assert_agrees(formula, 100.0)


@pytest.mark.parametrize("limit", ["release8", "normal", "binomial"])
@pytest.mark.parametrize("errors", [0.0, 0.3, 0.9999, 1.0, 1.5, 3.0, 3.7, 4.0])
def test_expected_errors_at_the_edges(limit, errors):
    for rows in (4.0, 4.2, 100.0):
        term = explaining.expected_errors(errors, rows, 0.25, limit)
        wanted = rows * ex.upper_error(errors, rows, 0.25, limit)
        assert value_of_text(term.written(False, True)) == pytest.approx(wanted, rel=1e-12)
        assert value_of_latex(term.written(True, True)) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", ["play_tennis", "iris", "golf_missing", "car"])
def test_description_length(name):
    data = sample_dataset(name)
    tree = ex.grow(data, ex.C45)
    for recipe in (ex.C45, ex.CART):
        tree = ex.grow(data, recipe)
        steps = ex.mdl_steps(tree, data)[-10:]
        every = ex.mdl_steps(tree, data)
        for step in steps:
            for formula in explaining.mdl_formula(tree, every, every.index(step), data).formulas:
                assert_agrees(formula, 1000.0)


def crowded(classes, branches):
    """A table in which every branch of one feature has rows of every class."""
    rows = [(f"b{i}", f"c{k}") for i in range(branches) for k in range(classes) for _ in range(1 + (i + k) % 3)]
    frame = pd.DataFrame(rows, columns=["x", "y"])
    data = ex.Dataset.from_frame(frame, "y", features=["x"])
    tree = ex.grow(data, ex.ID3)
    return tree, explaining.candidate_formulas(tree.node(0), ex.decide(tree, data, 0).chosen)["gain"]


def test_thirty_classes_and_forty_branches_are_derived_completely_in_lines_that_fit():
    tree, derivation = crowded(30, 40)
    for formula in derivation.formulas:
        assert_agrees(formula, float(tree.impurity[0]))
    assert len(derivation.legend) == 44  # gain, H(D|A), A, D and forty branches
    assert derivation.is_cut
    assert derivation.aligned.count(r"\\") <= 81
    assert derivation.aligned.endswith(figure(derivation.result.value) + r"\end{aligned}")
    assert max(line.count(r"\log") for line in derivation.aligned.split(r"\\")) <= 5


def test_four_classes_are_not_cut():
    _, derivation = crowded(4, 3)
    assert not derivation.is_cut
    assert not derivation.is_long
