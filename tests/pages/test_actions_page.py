"""What to do with the rows of leaves: typed on Rules and Evaluate, said on Predict, kept in the link."""

import io

import pandas as pd

import explorer as ex
from pages.results import evaluation
from pages.settings.settings import Settings, changed
from pages.settings.url import settings_from_query
from tests.pages.app import address_of, choice_lists, fine, opened, texts

HOSTILE = "call **them** <b>now</b> [x](http://y)"
STUMP = {"max_depth": "1"}


def test_an_action_typed_for_a_rule_is_said_by_the_list_and_on_predict():
    app = fine(opened("Rules", node="2", **STUMP))  # overcast
    app = fine(app.text_input("action.rule").set_value(HOSTILE).run())
    assert address_of(app)["action"] == [f"2:{HOSTILE}"]
    (table,) = choice_lists(app)
    assert HOSTILE in table["action"].tolist()
    assert table["action"].tolist().count("") == len(table) - 1
    app = fine(opened("Predict", action=[f"0:{HOSTILE}"], **STUMP))
    assert f"Action: **{HOSTILE}**" in texts(app.markdown)
    assert r"\*\*them\*\*" in " ".join(text.value for text in app.markdown), "shown as text only"


def test_an_empty_text_takes_the_action_back():
    app = fine(opened("Rules", node="2", action=["2:call"], **STUMP))
    assert app.text_input("action.rule").value == "call"
    app = fine(app.text_input("action.rule").set_value("").run())
    assert "action" not in address_of(app)


def test_the_rules_of_the_first_leaves_are_those_of_the_table_of_gains():
    app = opened("Evaluate", **{"e.rows": "train", "e.class": "1"}, **STUMP)
    app.session_state["evaluate.tab"] = "Leaves"
    app = fine(app.run())
    app = fine(app.number_input("gains.top").set_value(2).run())
    code = next(each.value for each in app.code if "if Outlook" in each.value)
    assert [line.split(" then ")[0] for line in code.splitlines()] == ["if Outlook = Overcast", "if Outlook = Rain"]
    assert "64.3 % of these rows and 77.8 % of the class" in texts(app.caption)  # 9 of 14 days, 7 of 9 Yes
    app = fine(app.text_input("action.top").set_value("call first").run())
    assert sorted(address_of(app)["action"]) == ["2:call first", "3:call first"]


def test_another_tree_forgets_the_actions_and_a_damaged_link_is_told_so():
    settings = changed(Settings(), actions=((2, "call"),))
    assert changed(settings, grow=settings.grow.with_change("max_depth", 1)).actions == ()
    assert changed(settings, alpha=0.1).actions == ((2, "call"),)
    for text, problems in (("2:call", 0), ("2:", 1), ("x:call", 1), ("2", 1)):
        assert len(settings_from_query({"action": [text]})[1]) == problems


def test_actions_beyond_the_tree_are_left_out():
    settings = changed(Settings(), actions=((0, "wait"), (999, "call")))
    assert evaluation.evaluated_tree(settings).actions == ((0, "wait"),)
    csv = ex.rules(evaluation.evaluated_tree(settings)).to_frame().to_csv()
    assert set(pd.read_csv(io.StringIO(csv))["action"]) == {"wait"}
