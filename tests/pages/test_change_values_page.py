"""The tab Change values on the Data page: what is said becomes a repair, in summary line, link, script and download."""

import json

import pandas as pd
import pytest

import explorer as ex
from tests.pages.app import address_of, fine, opened, summary, tab, texts, uploaded, went

PEOPLE = pd.DataFrame(
    {
        "grade": [("A", "B", "C", "D")[number % 4] for number in range(80)],
        "age": [15 + number for number in range(80)],
        "size": [("low", "mid", "high")[number % 3] for number in range(80)],
        "paid": [("yes", "no")[number % 5 == 0] for number in range(80)],
    }
)
CSV = PEOPLE.to_csv(index=False).encode()


def people():
    return tab(fine(uploaded(opened(), "people.csv", CSV)), "table.tabs", "Change values")


def applied(app, column, way, **given):
    """The page after a column's way was chosen, its widgets set and the button pressed."""
    app.selectbox(key="change.column").set_value(column).run()
    if way is not None:
        app.segmented_control(key=f"change.what.{column}").set_value(way).run()
    for key, value in given.items():
        widget = next(
            each
            for each in [*app.multiselect, *app.button_group, *app.text_input, *app.number_input]
            if str(each.key).startswith(f"change.{key}.{column}")
        )
        widget.set_value(value).run()
    return app.button(key="change.apply").click().run()


def repairs_of(app):
    return [ex.Repair.from_plain(json.loads(text)) for text in address_of(app)["repair"]]


CASES = [
    (
        "grade",
        None,
        {"merged": ["C", "D"], "call": "bad"},
        ["recoded", "grade", {"values": [["C", "bad"], ["D", "bad"]]}],
    ),
    (
        "size",
        "ordered",
        {"ordered": ["low", "mid", "high"]},
        ["levels", "size", {"levels": [["low"], ["mid"], ["high"]]}],
    ),
    ("age", "intervals", {"ends": "30; 60"}, ["intervals", "age", {"edges": [30.0, 60.0]}]),
    ("age", "missing", {"missing": ["94"]}, ["missing_codes", "age", {"codes": ["94"], "numbers": [94.0]}]),
    ("age", "kept", {"low": 35}, ["kept_rows", "", {"column": "age", "values": [], "low": 35, "high": None}]),
    (
        "grade",
        "kept",
        {"kept": ["A"]},
        ["kept_rows", "", {"column": "grade", "values": ["A"], "low": None, "high": None}],
    ),
]


@pytest.mark.parametrize(("column", "way", "given", "expected"), CASES)
def test_what_is_said_becomes_a_repair_in_the_link(column, way, given, expected):
    app = fine(applied(people(), column, way, **given))
    assert repairs_of(app) == [ex.Repair.from_plain(expected)]
    assert ex.Repair.from_plain(expected).label[1:] in texts(app.main.get_by_key("suggestions").markdown)


def test_a_filter_says_in_the_summary_line_how_many_rows_it_keeps():
    app = fine(went(applied(people(), "age", "kept", low=35, high=74), "Grow"))
    assert "40 of 80 rows kept" in summary(app)
    assert "rows kept" not in summary(fine(went(people(), "Grow")))


def test_the_button_waits_for_what_is_complete():
    app = people()
    assert app.button(key="change.apply").disabled
    app.selectbox(key="change.column").set_value("size").run()
    app.segmented_control(key="change.what.size").set_value("ordered").run()
    app.multiselect(key="change.ordered.size").set_value(["low", "high"]).run()
    assert app.button(key="change.apply").disabled  # one value has no place
    app.multiselect(key="change.ordered.size").set_value(["low", "mid", "high"]).run()
    assert not app.button(key="change.apply").disabled


def test_a_filter_that_leaves_no_tree_is_refused_with_nothing_lost():
    app = applied(people(), "paid", "kept", kept=["yes"])
    assert "repair" not in app.query_params
    assert "has a single value" in texts(app.error)


def test_ways_that_a_column_does_not_have_are_not_offered():
    app = people()
    app.selectbox(key="change.column").set_value("age").run()
    assert [str(each) for each in app.segmented_control(key="change.what.age").options] == [
        "Merge",
        "Intervals",
        "Missing",
        "Keep rows",
    ]


def test_the_classes_of_the_target_are_merged_into_two_at_once():
    frame = PEOPLE.assign(type=[("WinF", "WinNF", "Con", "Tabl", "Head")[number % 5] for number in range(80)])
    app = fine(uploaded(opened(), "glass.csv", frame.to_csv(index=False).encode()))
    app = tab(fine(app.selectbox(key="target").set_value("type").run()), "table.tabs", "Change values")
    assert app.selectbox(key="change.column").value == "type", "the target, which has more than two classes"
    (few,) = [each for each in app.button_group if str(each.key).startswith("change.merged.type")]
    app = fine(few.set_value(["WinF", "WinNF"]).run())
    app = fine(app.button(key="change.apply").click().run())
    (repair,) = repairs_of(app)
    assert dict(repair.settings["values"]) == {
        **dict.fromkeys(("WinF", "WinNF"), "WinF + WinNF"),
        **dict.fromkeys(("Con", "Tabl", "Head"), "other"),
    }
    assert len(tab(app, "table.tabs", "Columns").dataframe) > 0
    assert app.selectbox(key="target").value == "type"


def test_all_other_values_of_a_feature_stay_unless_they_get_a_name():
    app = people()
    app.selectbox(key="change.column").set_value("size").run()
    (few,) = [each for each in app.button_group if str(each.key).startswith("change.merged.size")]
    few.set_value(["low"]).run()
    assert app.button(key="change.apply").disabled, "a value called as it is called"
    app.text_input(key="change.others.size.False").set_value("more").run()
    app = fine(app.button(key="change.apply").click().run())
    assert dict(repairs_of(app)[0].settings["values"]) == {"mid": "more", "high": "more"}
