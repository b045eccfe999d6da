"""How many rules the Rules page says there are, and the list as a text to copy or to keep."""

import re

import numpy as np

import explorer as ex
from explorer.explaining.rules.filter import pick_rules
from pages.results import pruned_tree, trees
from pages.results import rules as rules_of_page
from pages.settings.page_settings import GrowSettings, RulesSettings
from pages.settings.settings import Settings
from tests.pages.app import choice_lists, fine, opened, texts

PRUNED = {"r.list": "pruned"}


def test_what_the_list_shows_is_a_text_of_its_own():
    rule_list = rules_of_page.own(Settings(sample="play_tennis", grow=GrowSettings("ID3")))
    picked = pick_rules(rule_list, "support", least_rows=3)
    lines = rule_list.to_text(picked).splitlines()
    assert [line.removeprefix("if ").split(" then ")[0] for line in lines[:2]] == [
        "Outlook = Overcast",
        "Outlook = Sunny and Humidity = High",
    ]
    assert lines[len(picked) - 1].startswith("all other rows")
    labels = [button.proto.label for button in fine(opened("Rules", **{"r.rows": "3"})).get("download_button")]
    assert f"These {len(picked)} rules as text" in labels
    everything = fine(opened("Rules")).get("download_button")
    assert [button.proto.label for button in everything] == ["Rules as text", "Rules as CSV"], "only sorted"


def test_what_the_list_shows_can_be_copied():
    rule_list = rules_of_page.own(Settings(sample="play_tennis", grow=GrowSettings("ID3")))
    app = opened("Rules")
    assert not app.code, "closed, it is not worded"
    app.session_state["list.copy"] = True
    assert [code.value for code in fine(app.run()).code] == [rule_list.to_text(pick_rules(rule_list, "reliability"))]
    app = fine(app.text_input("rules.search").set_value("wind").run())
    assert [code.value for code in app.code] == [rule_list.to_text(pick_rules(rule_list, "reliability", search="wind"))]


def test_the_text_and_its_file_have_the_order_of_the_list():
    """The rules with the most rows of Titanic are the first lines, in a list without and with filters."""
    settings = Settings(sample="titanic", grow=GrowSettings("CART"))
    rule_list = rules_of_page.own(settings)
    most = sorted((rule.weight for rule in rule_list), reverse=True)[:3]
    for least in ("0", "2"):
        app = opened("Rules", data="titanic", recipe="CART", **{"r.sort": "support", "r.rows": least})
        app.session_state["list.copy"] = True
        code = fine(app.run()).code[-1]
        rows = [int(re.search(r"\(\d+ of (\d+),", line)[1]) for line in code.value.splitlines()[:3]]
        assert rows == most != [rule.weight for rule in rule_list][:3]
    of_file = rules_of_page.ordered(Settings(sample="titanic", rules=RulesSettings(sort="support")), rule_list)
    assert [rule.weight for rule in of_file[:3]] == most
    assert set(of_file) == set(rule_list.in_order)


def test_the_default_rule_is_explained_and_not_counted():
    """The threshold splits of iris leave no value without a branch: the rules are as many as the leaves."""
    tree = pruned_tree.pruned(Settings(sample="iris", grow=GrowSettings("CART")))
    said = texts(fine(opened("Rules", data="iris", recipe="CART")).caption)
    assert f"{tree.n_leaves} rules, one for each leaf. “All other rows” is the default rule" in said
    assert "no rule covers: no training row is one." in said
    iris = Settings(sample="iris", grow=GrowSettings("CART"))
    assert (rules_of_page.own(iris).apply(trees.parts(iris).train) < tree.n_leaves).all()
    one = texts(fine(opened("Rules", data="iris", recipe="CART", max_depth="0")).caption)
    assert "1 rule, as the tree is a single leaf." in one
    virginica = texts(fine(opened("Rules", data="iris", recipe="CART", **{"r.class": "2"})).caption)
    assert "default rule" not in virginica, "it predicts another class"
    of_pruned = fine(opened("Rules", **PRUNED))
    pruned = rules_of_page.pruned(Settings(sample="play_tennis", rules=RulesSettings(kind="pruned")))
    assert f"{len(pruned)} rules. “All other rows” is the default rule" in texts(of_pruned.caption)


def test_rules_for_rows_that_stop_above_the_leaves_are_counted_in_the_caption():
    tree = pruned_tree.pruned(Settings(sample="titanic", grow=GrowSettings("ID3")))
    stopped = len(ex.rules(tree).otherwise)
    assert stopped > 1
    app = fine(opened("Rules", data="titanic", recipe="ID3"))
    assert f"one for each leaf. {stopped} more are for values without a branch. “All other" in texts(app.caption)
    assert "without a branch" not in texts(fine(opened("Rules", data="iris", recipe="CART")).caption)


def test_rules_that_can_never_decide_are_left_out_and_counted():
    """Golf has a rule for all rows: none follows it, and each rule left says how many rows it decides."""
    app = fine(opened("Rules", data="golf", split="two", **PRUNED, **{"r.sort": "order"}))
    settings = app.session_state["settings"]
    rule_list, valid = rules_of_page.pruned(settings), trees.parts(settings).valid
    (table,) = choice_lists(app)
    assert [rule.words for rule in rule_list][-1] == "all rows"
    firing = rule_list.apply(valid).tolist()
    assert table["decides"].astype(int).tolist() == [firing.count(index) for index in range(len(table))]
    remarks = table.attrs["remarks"]["decides"]
    assert [bool(remark) for remark in remarks] == [index not in firing for index in range(len(table))]
    assert remarks[1] == (
        "Decides none of the validation rows: each one that fulfils the rule is decided by an earlier rule."
    )
    assert remarks[-1] == "Decides none of the validation rows: each of them fulfils a rule."
    assert table.attrs["pale"] == [index for index in range(len(table)) if index not in firing]
    said = (
        f"{len(rule_list)} rules. 2 more can never decide, as earlier rules have all of their rows, and are left out."
    )
    assert said in texts(app.caption)
    rule, earlier = rule_list.left_out[0]
    app = fine(opened("Rules", data="golf", split="two", node=str(rule.leaf), **PRUNED))
    assert (
        f"The rule of this leaf, {rule.statement}, is left out: every row that fulfils it is decided by rule "
        f"{rule_list.in_order.index(earlier) + 1} or an earlier one."
    ) in texts(app.caption).replace("\\", "")


def test_rules_no_better_than_the_majority_are_warned_of(monkeypatch):
    """Golf, ID3: 9 of 14 days are Play, which is all that the pruned rules predict; its tree is right on all days."""
    query = {"data": "golf", "recipe": "ID3", **PRUNED}
    said = "On training rows these rules are no better than the majority baseline: accuracy 64.3 %, baseline 64.3 %."
    (warning,) = fine(opened("Rules", **query)).warning
    assert warning.value == f"{said} That of the tree’s rules is 100 %."
    assert not fine(opened("Rules", **PRUNED)).warning, "13 of 14 days of PlayTennis"
    scores = rules_of_page.accuracies
    monkeypatch.setattr(
        rules_of_page,
        "accuracies",
        lambda chosen: ("training", 0.5, 0.75, 0.625) if chosen.rules.only_if_better else scores(chosen),
    )
    (warning,) = fine(opened("Rules", **query)).warning
    assert "With “Only on improvement” their accuracy is 75.0 %." in warning.value
    assert not fine(opened("Rules", **query, **{"r.better": "yes"})).warning


def test_a_list_in_another_order_says_which_decides():
    query = {"data": "golf", "split": "two", **PRUNED}
    another = "The list is in another order than the one that decides"
    assert another in texts(fine(opened("Rules", **query, **{"r.sort": "support"})).caption)
    in_order = texts(fine(opened("Rules", **query, **{"r.sort": "order"})).caption)
    assert another not in in_order
    assert "by the first rule that it fulfils, in the order of the numbers." in in_order


def test_rules_for_numbers_say_how_far_the_numbers_lie_from_them():
    app = fine(opened("Rules", data="auto_mpg", max_depth="2", split="two", **{"r.sort": "order"}))
    settings = app.session_state["settings"]
    rule_list, valid, train = rules_of_page.own(settings), trees.parts(settings).valid, trees.parts(settings).train
    (table,) = choice_lists(app)
    of_train, of_valid = rule_list.apply(train), rule_list.apply(valid)
    for index, rule in enumerate(rule_list):
        assert table["SD"][index] == f"{np.std(train.y[of_train == index]):.3f}"
        error = np.abs(valid.y[of_valid == index] - rule.prediction).mean()
        assert table["validation MAE"][index] == f"{error:.3f} {(of_valid == index).sum()} rows"
    assert table["SD"].tolist()[-1] == table["validation MAE"].tolist()[-1] == "–", "all other rows"
    assert "validation" not in app.selectbox("rules.sort").options
    without = fine(opened("Rules", data="lihang_8_2_regression"))
    assert "validation MAE" not in choice_lists(without)[0]
