"""The Rules page: rules are the package's, a rule chosen is a node chosen, and files hold no formulas."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import explorer as ex
from explorer import formatting
from explorer.explaining.rules.filter import pick_rules
from explorer.export.plain_csv import rules_csv
from pages.results import rules as rules_of_page
from pages.results import trees
from pages.rules import post_pruning, rule_table
from pages.settings import url
from pages.settings.page_settings import GrowSettings, RulesSettings
from pages.settings.settings import Settings, changed
from pages.widgets.choice_list import choice_list
from tests.pages.app import choice_lists, fine, opened, texts, uploaded, views, went

PRUNED = {"r.list": "pruned"}
IN_ORDER = {"r.sort": "order"}
COUNTS = re.compile(r"(.+ %) (\S+) of (\S+)")
ROWS, ROUNDS, COMPARED = "Rows of the rule", "Pruning rounds", "Rules and tree"


@pytest.fixture(scope="module")
def tennis():
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def frames(app, title):
    """The tables that have a column with this heading."""
    return [frame.value for frame in app.dataframe if title in frame.value]


def rules_shown(app):
    """The list of rules as a table; the column of rows and confidence ("93.8 % 30 of 32") as two."""
    (table,) = choice_lists(app)
    place = 2  # after the rule and its prediction
    name = table.columns[place]
    parts = [COUNTS.fullmatch(cell) for cell in table[name]]
    if any(parts):
        table[name] = [part[3] if part else cell for part, cell in zip(parts, table[name], strict=True)]
        table.insert(place + 1, "confidence", [part[1] if part else "–" for part in parts])
    return table


def with_tab(tab, **query):
    """The page with one of its tabs open."""
    app = opened(**query)
    app.session_state["rules.tab"] = tab
    return went(app, "Rules")


def round_table(app):
    """The lines of the table of a round, cell by cell, unescaped."""
    (table,) = [element.value for element in app.markdown if element.value.startswith("| without")]
    return [
        [cell.strip() for cell in line.replace("\\", "").replace("\xa0", " ")[1:-1].split("|")]
        for line in table.splitlines()
    ]


def accuracies(app):
    """The accuracies of tree, pruned rules and baseline, by what stands before them."""
    table = next(table.value for table in app.table if "Tree" in table.value.index)
    return table.iloc[:, 0].to_dict()


def lit(app):
    """The nodes of the lighted path, and those with a ring."""
    view = views(app)["rules"]
    return [node for node, _ in view["row_path"]], [mark["node"] for mark in view["marks"]]


def test_the_tree_is_said_as_a_disjunction_of_conjunctions():
    """Mitchell (1997), section 3.2: the paths to Yes; a class chosen has its own."""
    said = (
        "PlayTennis = Yes ⇔ (Outlook = Sunny ∧ Humidity = Normal) ∨ Outlook = Overcast ∨ (Outlook = Rain ∧ Wind = Weak)"
    )
    app = fine(opened("Rules"))
    assert f"a disjunction of conjunctions: {said}" in texts(app.caption).replace("\\", "")
    of_no = fine(opened("Rules", **{"r.class": "0"}))
    assert "PlayTennis = No ⇔ (Outlook = Sunny ∧ Humidity = High)" in texts(of_no.caption).replace("\\", "")
    assert "disjunction" not in texts(fine(opened("Rules", **PRUNED)).caption)


def test_the_tree_s_rules_stand_in_a_table_and_the_pruned_tree_has_fewer(tennis):
    app = fine(opened("Rules", **IN_ORDER))
    result = ex.rules(ex.grow(tennis, ex.ID3))
    assert rules_shown(app)["if"].tolist()[:5] == [rule.words for rule in result]
    assert rules_shown(app)["training rows"].tolist()[:5] == ["3", "2", "4", "3", "2"]
    app = fine(opened("Rules", **IN_ORDER, hand="-1"))  # node 1, Humidity below Sunny, collapsed by hand
    assert rules_shown(app)["if"].tolist()[:2] == ["Outlook = Sunny", "Outlook = Overcast"]
    assert rules_shown(app)["confidence"].tolist()[0] == "60.0 %"
    assert "the tree of 4 leaves, pruned by hand" in texts(app.caption)


def test_the_most_reliable_rules_come_first():
    app = fine(opened("Rules"))
    table = rules_shown(app)
    # 0.25^(1/4), then 0.25^(1/3) twice and 0.25^(1/2) twice
    assert table["lower bound"].tolist()[:5] == ["70.7 %", "63.0 %", "63.0 %", "50.0 %", "50.0 %"]
    assert table["training rows"].tolist()[:5] == ["4", "3", "3", "2", "2"]
    assert table["then"].tolist()[:5] == ["Yes", "No", "Yes", "Yes", "No"]
    assert table["training rows"].tolist()[5:] == ["–"] * 3, "no training row stops above the leaves"
    assert "counted on the training rows that made the rule, it is right for at least this share, with 75 %" in texts(
        app.caption
    )
    assert "On new rows it may be right less often" in texts(app.caption)
    assert "It is C4.5’s approximation of the exact binomial bound." in texts(app.caption)
    app = fine(opened("Rules", data="titanic", split="two", recipe="ID3", min_rows_leaf="1", **PRUNED))
    assert "counted on the validation rows that pruned the rule" in texts(app.caption)
    table = rules_shown(app)
    first = table.iloc[0]
    assert int(first["validation rows"]) > 5
    ones = table[(table["validation rows"] == "1") & (table["confidence"] == "100 %")]
    assert len(ones) > 0, "some rules rest on one validation row"
    assert ones.index[0] > table[table["validation rows"].astype(int) >= 10].index[0]


def test_filters_narrow_the_table_and_live_in_the_address():
    app = fine(opened("Rules"))
    app = fine(app.selectbox("rules.sort").set_value("support").run())
    app = fine(app.selectbox("rules.of_class").set_value(1).run())
    app = fine(app.number_input("rules.min_rows").set_value(3).run())
    app = fine(app.text_input("rules.search").set_value("outlook").run())
    assert rules_shown(app)["if"].tolist()[:2] == ["Outlook = Overcast", "Outlook = Rain and Wind = Weak"]
    assert (
        "5 rules, one for each leaf. 2 more are for values without a branch. 3 of these 7 rules pass the filters."
        in texts(app.caption)
    )
    assert {key: app.query_params[key] for key in ("r.sort", "r.class", "r.rows", "r.search")} == {
        "r.sort": "support",
        "r.class": "1",
        "r.rows": "3",
        "r.search": "outlook",
    }
    one = fine(app.text_input("rules.search").set_value("overcast").run())
    assert "1 of these 7 rules passes the filters." in texts(one.caption)
    app = fine(app.text_input("rules.search").set_value("snow").run())
    assert "No rule passes these filters." in texts(app.markdown)
    app = fine(app.selectbox("rules.of_class").set_value(-1).run())
    assert "r.class" not in app.query_params


def test_the_rule_of_the_node_chosen_is_reported_with_its_rows():
    assert "if Outlook = Overcast then Yes (4 of 4, 100 %)" in texts(fine(opened("Rules", node="2")).markdown)
    app = fine(with_tab(ROWS, node="2"))
    assert "if Outlook = Overcast then Yes (4 of 4, 100 %)" in texts(app.markdown)
    assert lit(app) == ([0, 2], [2])
    (shown,) = frames(app, "Day")
    assert shown["Day"].tolist() == ["D3", "D7", "D12", "D13"]
    assert shown["row"].tolist() == [3, 7, 12, 13], "counted as in the file"
    assert list(shown.columns[:3]) == ["row", "PlayTennis", "Outlook"], "what the rule is about comes first"
    assert views(app)["rules"]["state"]["selected"] == 2


def test_a_rule_for_rows_that_go_no_further_predicts_no_training_row():
    app = fine(with_tab(ROWS, node="1"))
    assert "if Outlook = Sunny and Humidity has another value then No (3 of 5, 60.0 %)" in texts(app.markdown)
    assert "No training row is predicted by this rule. The rule is for rows that stop at node 1" in texts(app.caption)
    assert frames(app, "Day") == []


def test_rules_of_a_tree_decided_by_hand_are_its_leaves(tennis):
    tree = ex.grow(tennis, ex.ID3, choices=ex.Choices().force((), "Wind"))
    app = fine(opened("Rules", **IN_ORDER, choice='{"op":"force","path":[],"feature":"Wind"}'))
    assert rules_shown(app)["if"].tolist()[: tree.n_leaves] == [rule.words for rule in ex.rules(tree)]


def test_rules_pruned_one_by_one_by_hand():
    # 1 − U(1, 7) = 0.662: without Outlook = Sunny six of the seven days with Normal humidity are right
    app = fine(opened("Rules", node="5", **PRUNED))
    table = rules_shown(app).set_index("if")
    assert table.loc["Humidity = Normal", "lower bound"] == "66.2 %"
    assert "if Humidity = Normal then Yes (6 of 7, 85.7 %), estimated accuracy 66.2 %" in texts(app.markdown)
    app = fine(with_tab(ROWS, node="5", **PRUNED))
    # D7 and D13 are Normal too, but Overcast, whose rule comes first
    assert frames(app, "Day")[0]["Day"].tolist() == ["D5", "D6", "D9", "D10", "D11"]
    assert "an earlier rule predicts them" in texts(app.caption)


def test_the_rounds_go_forward_and_back_and_show_each_round(tennis):
    pruned = ex.post_prune_rules(ex.grow(tennis, ex.ID3), train=tennis)
    app = fine(with_tab(ROUNDS, **PRUNED))
    assert f"Round **1** of {len(pruned.removals)}" in texts(app.markdown)
    app = fine(app.button("round.chevron_right").click().run())
    (head, _, *lines) = round_table(app)
    assert head == ["without", "estimated accuracy", "training rows", "wrong"]
    assert lines == [  # 0.25^(1/2), 1 − U(1, 7), 1 − U(3, 5)
        ["nothing", "50.0 %", "2", "0"],
        ["**Outlook = Sunny** ✓ removed", "66.2 %", "7", "1"],
        ["Humidity = Normal", "18.1 %", "5", "3"],
    ]
    assert views(app)["rules"]["state"]["selected"] == 5
    assert app.query_params["r.step"] == "1"
    app = fine(app.button("round.chevron_left").click().run())
    assert "r.step" not in app.query_params
    assert views(app)["rules"]["state"]["selected"] == 4


def test_the_rounds_and_the_tree_are_about_one_rule(tennis):
    """A node chosen on the tree goes to its rounds; the path lit is that of the round, whatever is selected."""
    leaves = [removal.leaf for removal in ex.post_prune_rules(ex.grow(tennis, ex.ID3), train=tennis).removals]
    app = fine(with_tab(ROUNDS, node="6", **PRUNED))
    assert f"Round **{leaves.index(6) + 1}** of" in texts(app.markdown)
    assert lit(app)[1] == [6]
    app = fine(with_tab(ROUNDS, **PRUNED))
    assert "Round **1** of" in texts(app.markdown)
    assert lit(app) == ([0, 1, leaves[0]], [leaves[0]]), "the root is selected, and no rule of it is pruned"


def test_the_file_holds_what_the_list_shows():
    settings = Settings(sample="titanic", grow=GrowSettings("CART"))
    table = rules_shown(fine(opened("Rules", data="titanic", recipe="CART", **IN_ORDER)))
    file = pd.read_csv(io.StringIO(rules_csv(rules_of_page.own(settings), rules_of_page.hits(settings))))
    shown = [[cell.replace(",", "") for cell in table[name]] for name in ("training rows", "validation")]
    counts = ["–" if np.isnan(rows) else f"{rows:.0f}" for rows in file["training rows"]]
    pairs = zip(file["right validation rows"], file["validation rows"], strict=True)
    assert counts == shown[0]
    assert [f"{100 * right / rows:.3g} % {right} of {rows}" if rows else "–" for right, rows in pairs] == [
        cell.removeprefix("↓ ").replace(".0 %", " %") for cell in shown[1]
    ]
    assert "A row with a missing cell counts where a surrogate split sends it" in texts(
        fine(opened("Rules", data="titanic", recipe="CART")).caption
    )


def test_rules_are_evaluated_on_validation_rows_or_by_a_pessimistic_estimate():
    query = {"data": "titanic", "split": "two", "alpha": "0.003", "recipe": "ID3", "min_rows_leaf": "1", **PRUNED}
    sample, frame = ex.SAMPLES["titanic"], ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    tree = ex.cost_complexity_path(ex.grow(train, ex.ID3)).subtree(alpha=0.003)

    def right(rules):
        return f"{np.mean(rules.predict(valid) == np.array(valid.classes)[valid.y]):.1%}".replace("%", " %")

    app = fine(with_tab(COMPARED, **query))
    assert accuracies(app)["Rules pruned one by one"] == right(ex.post_prune_rules(tree, valid, train))
    assert accuracies(app)["Tree"] == right(ex.rules(tree))
    assert "so the score of the rules is optimistic" in texts(app.caption)
    app = fine(app.radio("rules.estimate").set_value("pessimistic").run())
    assert accuracies(app)["Rules pruned one by one"] == right(ex.post_prune_rules(tree, train=train))
    assert "validation rows were not used" in texts(app.caption)
    app = fine(app.toggle("rules.better").set_value(True).run())
    assert accuracies(app)["Rules pruned one by one"] == right(
        ex.post_prune_rules(tree, train=train, only_if_better=True)
    )
    assert app.query_params["r.better"] == "yes"


def test_rules_of_numbers_are_shown_but_not_pruned():
    app = fine(opened("Rules", data="lihang_8_2_regression", **PRUNED))
    assert not [control for control in app.radio if control.key == "rules.kind"]
    assert "so only the tree’s rules are shown" in texts(app.caption)
    assert len(rules_shown(app)) > 1


def test_too_many_rules_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr("pages.results.rules.MOST_CELLS", 14 * 3)
    app = opened("Rules", **PRUNED)
    assert not app.exception
    assert "a tree of at most 3 leaves on the Prune page" in texts(app.error)


def test_a_single_leaf_has_no_condition_to_lose():
    app = fine(with_tab(ROUNDS, alpha="0.3", **PRUNED))
    assert "Its rule has no condition to remove" in texts(app.markdown)


def test_a_round_is_reported_with_the_estimates_that_it_compared(tennis):
    result = ex.post_prune_rules(ex.grow(tennis, ex.ID3), train=tennis)
    assert (
        post_pruning.verdict(result.removals[1])
        == "A condition is removed: 66.2 % without it, 50.0 % with all conditions."
    )
    assert post_pruning.verdict(result.removals[0]).startswith("Nothing is removed: ")


def test_a_merged_rule_rings_all_its_leaves():
    settings = Settings(sample="titanic", split="two", rules=RulesSettings("pruned"))
    rule = next(rule for rule in rules_of_page.pruned(settings) if len(rule.leaves) > 1)
    tree = rules_of_page.pruned(settings).tree
    app = fine(opened("Rules", data="titanic", split="two", node=str(rule.leaves[1]), **PRUNED))
    assert lit(app) == ([*(node for node, _ in tree.path_to(rule.leaf)), rule.leaf], list(rule.leaves))


def test_a_score_of_rules_that_is_no_better_than_the_majority_is_red_and_says_so():
    app = fine(with_tab(COMPARED, alpha="0.3", **PRUNED))
    assert accuracies(app)["Tree"] == ":red[64.3 %, no better than the majority baseline]"
    assert accuracies(app)["Majority baseline"] == "64.3 %"


def test_address_and_settings_are_each_other_s_inverse():
    chosen = RulesSettings("pruned", "support", 1, 5, 80, "a b", "pessimistic", True, 7)
    assert url.settings_from_query(Settings(rules=chosen).to_query()) == (Settings(rules=chosen), [])


@pytest.mark.parametrize("query", [{"r.list": "x"}, {"r.percent": "101"}, {"r.step": "-1"}, {"r.estimate": "x"}])
def test_a_bad_address_is_reported(query):
    settings, problems = url.settings_from_query({key: [text] for key, text in query.items()})
    assert settings == Settings()
    assert len(problems) == 1


def test_other_rules_begin_the_rounds_again_and_another_target_drops_the_filter():
    settings = Settings(rules=RulesSettings("pruned", of_class=1, search="x", min_rows=2, step=4))
    assert changed(settings, alpha=0.1).rules == RulesSettings("pruned", of_class=1, search="x", min_rows=2)
    assert changed(settings, target="y").rules == RulesSettings("pruned", min_rows=2)


def hostile():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"=cmd|' /C calc'!A0": rng.choice(["=1+1", "<b>x</b>", "**y**"], 120)})
    frame["@t"] = np.where(frame.iloc[:, 0] == "=1+1", "=2+2", "-3:smile:")
    return frame


def test_names_like_code_are_shown_as_text():
    app = uploaded(opened(), "odd.csv", hostile().to_csv(index=False).encode())
    app = fine(app.switch_page("pages/rules/page.py").run())
    assert any("= <b>x</b>" in rule for rule in rules_shown(app)["if"])
    app = fine(app.radio("rules.kind").set_value("pruned").run())
    app.session_state["rules.tab"] = ROUNDS
    app = fine(app.run())
    written = [element.value for element in app.markdown if "calc" in element.value]
    assert written
    assert all("\\=cmd" in text for text in written)


def test_no_cell_of_the_file_begins_as_a_formula():
    data = ex.Dataset.from_frame(hostile(), "@t")
    lines = list(csv.reader(io.StringIO(rules_csv(ex.rules(ex.grow(data, ex.ID3))))))
    assert len(lines) > 3
    assert any(cell == "'=2+2" for line in lines for cell in line)
    assert not [cell for line in lines for cell in line if cell.startswith(("=", "+", "-", "@"))]


def test_a_rule_without_rows_is_reported_to_predict_as_the_node_above():
    said = "A rule without rows predicts as its leaf’s parent does."
    assert said not in texts(fine(opened("Rules")).caption)
    app = fine(opened("Rules", data="titanic", recipe="ID3", min_rows_leaf="1"))
    assert "0" in rules_shown(app)["training rows"].tolist()
    assert said in texts(app.caption)


def test_missing_cells_stay_empty_in_the_rows_of_a_rule():
    app = fine(with_tab(ROWS, data="titanic", recipe="ID3", min_rows_leaf="1", node="9"))
    rows = next(frame for frame in app.dataframe if "embarked" in frame.value)
    assert rows.proto.HasField("placeholder")
    assert rows.proto.placeholder == ""


def test_a_second_condition_has_room_beside_a_long_name():
    """The list shortens names of features, the sentence of the rule selected does not; the rule follows its class."""
    name = "Avg. monthly spend (€, incl. VAT)"
    frame = pd.DataFrame({name: [1.0, 1.0, 2.0, 2.0], "b": list("xyxy"), "y": list("nnyn")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    rule = next(rule for rule in ex.rules(tree) if len(rule.terms) == 2)
    assert rule.words_with_names(18) == rule.words.replace(name, "Avg. monthly spen…")
    (table,) = choice_lists(fine(opened("Rules")))
    assert list(table.columns) == ["if", "then", "training rows", "lower bound"]


def test_each_rule_says_how_often_it_is_right_on_validation_rows():
    table = rules_shown(fine(opened("Rules", data="titanic", recipe="CART")))
    settings = Settings(sample="titanic")
    assert "validation" not in rules_shown(fine(opened("Rules"))).columns, "without validation rows"
    counts = [tuple(map(int, cell.split()[-3::2])) for cell in table["validation"] if cell != "–"]
    valid = trees.parts(settings).valid
    assert sum(predicted for _, predicted in counts) == valid.n_rows
    app = fine(opened("Evaluate", data="titanic", recipe="CART"))
    accuracy = sum(right for right, _ in counts) / valid.n_rows
    assert f"validation accuracy {100 * accuracy:.1f} %" in texts(app.markdown)


def share(cell):
    """The share of a cell such as "↓ 28.6 % 2 of 7"."""
    return float(re.search(r"([\d.]+) %", cell)[1])


def test_a_rule_that_does_worse_on_validation_rows_than_its_bound_is_marked_and_says_so():
    app = fine(opened("Rules", data="titanic", recipe="CART"))
    table = rules_shown(app)
    remarks, marked = table.attrs["remarks"]["validation"], []
    n_less = 0
    for line, (bound, cell) in enumerate(zip(table["lower bound"], table["validation"], strict=True)):
        less = "–" not in (bound, cell) and share(cell) < share(bound)
        right, predicted = (0, 1) if cell == "–" else map(int, cell.split()[-3::2])
        below = less and binom.cdf(right, predicted, share(bound) / 100) < 0.05
        assert cell.startswith("↓") == below == bool(remarks[line])
        marked += [remarks[line]] if below else []
        n_less += less
    assert 0 < len(marked) < n_less
    assert set(marked) == {"On validation rows the rule is right less often than its lower bound says, beyond chance."}
    assert "↓: right on fewer validation rows than a rule as accurate as that would be in 95 %" in texts(app.caption)


def test_rules_can_be_sorted_by_what_validation_rows_say():
    app = fine(opened("Rules", data="titanic", recipe="CART", **{"r.sort": "validation"}))
    table = rules_shown(app)
    assert "Validation accuracy" in app.selectbox("rules.sort").options
    assert table.attrs["order"] == ["validation"]
    cells = table["validation"].tolist()[:-1]
    keys = [(-1, 0) if cell == "–" else (share(cell), int(cell.split()[-1])) for cell in cells]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) > 2
    without = fine(opened("Rules"))
    assert "Validation accuracy" not in without.selectbox("rules.sort").options


def test_conditions_end_a_line_only_between_them():
    penguins = ex.Dataset.from_frame(ex.load_sample("penguins").frame, "species")
    rule_list = ex.rules(ex.grow(penguins, ex.ID3.replace(max_depth=2)))
    for rule, cell in zip(
        rule_list.rules, rule_table.columns_of(rule_list, rule_list.rules, "order")[0].cells, strict=True
    ):
        assert [part.replace("\xa0", " ") for part in cell.split("\nand ")] == list(rule.conditions)


def test_all_other_rows_stand_last_in_every_order_and_the_heading_says_which_it_is():
    headings = {
        "reliability": ["lower bound"],
        "support": ["training rows"],
        "confidence": ["training rows"],
        "order": [],
    }
    for order, heading in headings.items():
        table = rules_shown(fine(opened("Rules", **{"r.sort": order})))
        assert table["if"].tolist()[-1] == "all other rows"
        assert table.attrs["order"] == heading


def test_only_what_is_shown_is_worded(monkeypatch):
    """Lists of thousands of categories: without a search no rule is worded to be filtered, and a cell is cut before."""
    frame = pd.DataFrame({"town": [f"town é{i:04}" for i in range(4_000)], "y": ["no", "yes"] * 2_000})
    rule_list = ex.rules(ex.grow(ex.Dataset.from_frame(frame, "y", features=["town"]), ex.CART))
    texts_before = [rule_table.readable(rule.words_with_names(rule_table._LONGEST_NAME)) for rule in rule_list.rules]
    worded = []
    monkeypatch.setattr(ex.Rule, "statement", property(worded.append))
    shown = pick_rules(rule_list, "support")
    assert worded == []
    values = []
    monkeypatch.setattr(formatting, "quoted_text", lambda value: values.append(value) or str(value))
    cells = rule_table.columns_of(rule_list, shown, "support")[0].cells
    assert len(values) == 2 * 1_000
    assert [cell.replace("\xa0", " ").replace("\n", " ") for cell in cells[:2]] == texts_before


def test_both_limits_of_an_interval_stand_around_its_name():
    """A line of the list may end before the second limit, never between a limit and its sign."""
    penguins = ex.Dataset.from_frame(ex.load_sample("penguins").frame, "species")
    rule_list = ex.rules(ex.grow(penguins, ex.ID3.replace(max_depth=2)))
    cells = "\n".join(rule_table.columns_of(rule_list, rule_list.rules, "order")[0].cells)
    assert re.search(r"\d\xa0<\xa0flipper_length_mm ≤\xa0\d", cells)
    assert "…" not in cells


def test_a_projector_shows_what_a_rule_says():
    app = fine(opened("Rules", data="titanic", max_depth="3", presenter="yes"))
    (table,) = choice_lists(app)
    assert list(table.columns) == ["if", "then", "training rows", "lower bound", "validation"]
    app = fine(opened("Rules", presenter="yes", **PRUNED))
    assert "#" not in rules_shown(app).columns
    assert "in the order of the numbers" not in texts(app.caption)


def test_a_line_is_chosen_by_its_position_and_left_by_anything_else(monkeypatch):
    for line, chosen in ((2, 2), (0, 0), (-1, None), (3, None), ("2", None), (None, None)):
        monkeypatch.setattr(choice_list.st, "session_state", {"list": {"line": line}})
        assert choice_list._line_chosen("list", 3) == chosen


def test_a_formula_that_is_cut_can_be_read_whole():
    settings = Settings(sample="titanic", grow=GrowSettings("CART", (("max_depth", 5),)))
    app = fine(opened("Rules", data="titanic", recipe="CART", max_depth="5"))
    rule_list = rules_of_page.own(settings)
    formula = rule_list.formula(max(rule.code for rule in rule_list))
    assert len(formula) > 240
    assert formula in {code.value for code in app.code}
