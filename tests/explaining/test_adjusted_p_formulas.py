"""The formulas of adjusted p-values come to the recorded numbers, read back from text and from LaTeX."""

import numpy as np
import pytest

import explorer as ex
from explorer import explaining
from explorer.explaining.formulas.adjusted_p import LOG_WORTH
from tests.oracles.formula_checks import check_formulas


def grown(name: str, recipe: ex.Recipe) -> tuple[ex.Tree, ex.Dataset]:
    sample = ex.SAMPLES[name]
    data = ex.Dataset.from_frame(ex.load_sample(name).frame, sample.target, sample.features, sample.kinds)
    return ex.grow(data, recipe), data


@pytest.mark.parametrize("adjustment", ["sidak", "bonferroni", "none"])
@pytest.mark.parametrize("base", [ex.ID3, ex.CART])
def test_every_number_of_a_tree_by_p_values_is_derived(base, adjustment):
    tree, data = grown("play_tennis", base.replace(score="p_value", p_adjustment=adjustment))
    assert check_formulas(tree, data, np.flatnonzero(tree.is_inner).tolist()) > 0


def test_the_ways_of_cutting_stand_in_the_formula():
    tree, data = grown("play_tennis", ex.CART)
    outlook = ex.decide(tree, data, 0).best["Outlook"]
    lines = explaining.candidate_formulas(tree.node(0), outlook)[LOG_WORTH].formulas
    assert [line.text.split(" = ")[0] for line in lines[-5:]] == ["χ²", "df", "p", "p′", "LogWorth"]
    assert lines[-2].text.startswith("p′ = 3·p = 3·0.0777")
    assert lines[-1].text.endswith("≈ 0.632")
