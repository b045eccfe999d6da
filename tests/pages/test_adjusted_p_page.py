"""Adjusted p-values on the Grow page: their columns for every recipe on classes, and the split criterion."""

from tests.pages.app import fine, measured, opened, texts, unfold

COLUMNS = ["χ²", "ways of cutting", "adjusted p", "LogWorth"]


def candidates(app):
    table = next(frame.value for frame in app.dataframe if frame.key == "candidates")
    return table.set_index("feature")


def test_every_candidate_on_classes_has_its_chi2_and_adjusted_p():
    table = candidates(fine(measured(opened("Grow", data="play_tennis", recipe="CART"))))
    assert list(table.columns).index("LogWorth") - list(table.columns).index("χ²") == 3
    # {Overcast} against the rest: χ² = 28/9 with 1 degree, p = 0.0778, times 3 ways of making two groups of three
    assert table.loc["Outlook", COLUMNS].round(3).tolist() == [3.111, 3.0, 0.233, 0.632]
    assert table.loc["Humidity", COLUMNS].round(3).tolist() == [2.8, 1.0, 0.094, 1.026]


def test_a_numeric_target_has_no_such_columns():
    table = candidates(fine(measured(opened("Grow", data="lihang_8_2_regression"))))
    assert not set(COLUMNS) & set(table.columns)


def test_features_compete_by_the_adjusted_p():
    app = fine(opened("Grow", data="play_tennis", recipe="ID3", score="p_value"))
    table = candidates(app)
    assert table.index[0] == "Humidity"
    assert round(table.loc["Humidity", "adjusted LogWorth"], 4) == 0.4854  # −log₁₀(1 − (1 − 0.0943)⁴)
    assert unfold(app).selectbox("grow.p_adjustment").value == "sidak"
    app = fine(opened("Grow", data="play_tennis", recipe="ID3", score="p_value", chi2_level="0.05"))
    assert "the split is not significant" in texts(app.markdown)


def test_merged_categories_share_a_branch_and_pay_for_their_ways():
    app = fine(
        opened("Grow", data="play_tennis", recipe="ID3", score="p_value", merge_level="0.1", p_adjustment="none")
    )
    assert unfold(app).number_input("grow.merge_level").value == 0.1
    table = candidates(app)
    assert table.loc["Outlook", "split"] == "Outlook ∈ {Sunny, Rain}"
    assert table.loc["Outlook", COLUMNS[:3]].round(3).tolist() == [3.111, 3.0, 0.233]  # Kass: 3 ways, 3 · 0.0778
    assert "no two of them differ significantly" in texts(app.caption)
    assert "merge_level" not in fine(opened("Grow", data="play_tennis", recipe="CART")).query_params
