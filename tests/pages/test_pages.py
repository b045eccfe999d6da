"""Every page runs by itself, the settings outlive a page switch, and a failed action leaves things as they were."""

import json
import re

import pandas as pd
import pytest

from explorer.data.samples import SAMPLES
from pages.settings import growing_options, url
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.text import escape_markdown
from tests.oracles.examples import slow
from tests.pages.app import (
    PAGES,
    fine,
    heading,
    metrics,
    opened,
    picked,
    summary,
    tab,
    table,
    texts,
    uploaded,
    views,
    went,
)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_its_defaults(page):
    app = fine(opened(page))
    assert heading(app) == page


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("sample", ["titanic", "auto_mpg", slow("watermelon_3_0"), slow("golf_missing")])
def test_every_page_shows_samples_of_every_sort(page, sample):
    assert sample in SAMPLES
    fine(opened(page, data=sample))


def test_play_tennis_grows_on_all_rows_and_shows_the_book_s_numbers():
    app = fine(opened("Grow"))
    assert metrics(app)["Leaves"] == "5"
    table = next(frame.value for frame in app.dataframe if "gain" in frame.value)
    gains = dict(zip(table["feature"], table["gain"].round(3), strict=True))
    assert gains == {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    assert table["feature"].iloc[0] == "Outlook"


@pytest.mark.parametrize("name", ["ID3", "C4.5", "CART"])
def test_each_algorithm_grows(name):
    app = fine(picked(opened("Grow"), "grow", name))
    assert app.segmented_control("grow.recipe").value == name


def test_the_node_of_the_address_is_the_node_shown():
    app = fine(opened("Grow", node="4"))  # Outlook = Sunny and Humidity = High
    assert "**Leaf**: pure: all rows agree." in texts(app.markdown)
    assert views(app)["grow"]["state"]["selected"] == 4
    assert views(app)["grow"]["rule"] == "Node 4: Outlook = Sunny and Humidity = High"


def test_the_view_gets_script_and_payloads_separate_from_what_a_click_changes():
    both = opened("Prune", data="titanic"), opened("Prune", data="titanic", node="3", alpha="0.01")
    components = [[element.proto for element in app.run().get("bidi_component")] for app in both]
    pairs = zip(*components, strict=True)  # each session has a browser key of its own
    changed = [old for old, new in pairs if old != new and old.component_name != "browser_key"]
    assert [json.loads(proto.json).get("view") for proto in changed] == ["prune"]
    assert all(len(proto.SerializeToString()) < 20_000 for proto in changed)


def why(app):
    """The page with the reasons for the tree's size in view."""
    return tab(app, "prune.tab", "Why this size")


def test_alpha_of_the_address_is_the_tree_that_is_reported():
    app = fine(why(opened("Prune", alpha="0.3")))  # the root goes at (0.940 - 0) / 4 = 0.235
    assert views(app)["prune"]["state"]["position"] == 1
    assert "With α from 0.2351 on: 1 leaf," in texts(app.code)
    app = fine(why(opened("Prune", alpha="0.2")))
    assert views(app)["prune"]["state"]["position"] == 0
    assert "5 leaves" in texts(app.code)


def test_with_only_the_root_left_there_is_no_formula_of_a_link():
    for alpha, is_shown in (("0.2", True), ("0.3", False)):  # the root goes at (0.940 - 0) / 4 = 0.235
        app = fine(tab(opened("Prune", alpha=alpha), "prune.tab", "Weakest link"))
        assert bool([box for box in app.selectbox if box.key == "weakest.node"]) is is_shown
        assert bool(app.get("latex")) is is_shown


def test_a_tree_pruned_by_hand_is_reported_as_such():
    app = fine(why(opened("Prune", data="titanic", recipe="CART", hand="-1+1-2")))
    assert views(app)["prune"]["state"]["hand"] == [["collapse", 1], ["restore", 1], ["collapse", 2]]
    assert "Pruned by hand" in texts(app.code)


@pytest.mark.parametrize("method", ["given", "per_node"])
@pytest.mark.parametrize("risk", ["impurity", "per_node"])
def test_procedures_step_by_step(method, risk):
    app = fine(opened("Prune", pruning=method, risk=risk, alpha="0.1", recipe="CART"))
    view = views(app)[method]
    assert view["sequence"] is not None
    if method == "per_node":
        per_node, impurity = (frame.value["leaves"].tolist() for frame in app.dataframe)
        assert per_node == [3, 1, 2, 1]
        assert impurity == sorted(impurity, reverse=True)
    elif risk == "impurity":
        assert "the subtree T(α) of the sequence." in texts(app.markdown)


def test_settings_outlive_a_page_switch():
    app = picked(opened("Grow"), "grow", "CART")
    app = app.number_input("grow.max_depth").set_value(2).run()
    app = fine(went(went(app, "Data"), "Grow"))
    assert app.segmented_control("grow.recipe").value == "CART"
    assert app.number_input("grow.max_depth").value == 2
    assert metrics(app)["Depth"] == "2"


def test_the_address_is_written_again_after_a_page_switch():
    app = picked(opened("Grow", data="car"), "grow", "C4.5")
    app = went(app, "Prune")
    assert (app.query_params["data"], app.query_params["recipe"]) == ("car", "C4.5")


def test_an_address_opens_what_it_names():
    app = fine(opened("Grow", data="iris", recipe="CART", max_depth="2", node="1"))
    assert metrics(app)["Depth"] == "2"
    assert "iris" in summary(app).lower()


@pytest.mark.parametrize(
    "query",
    [
        {"data": "nowhere"},
        {"recipe": "C9"},
        {"max_depth": "-3"},
        {"max_depth": "many"},
        {"alpha": "nan"},
        {"hand": "4-x"},
        {"file": "xyz"},
        {"opened": "0:8"},
        {"palette": "neon"},
        {"pruning": "shears"},
        {"seed": "1e99"},
        {"target": "no such column"},
        {"feature": "no such column"},
        {"kind": "Outlook:colour"},
        {"split": "seven"},
    ],
)
def test_a_bad_address_falls_back_and_says_so(query):
    app = opened(**query)
    assert not app.exception
    assert not app.error
    assert texts(app.warning)
    assert "Play tennis" in texts(app.subheader)


def test_a_node_of_another_tree_falls_back_to_the_root():
    app = fine(opened("Grow", node="999"))
    assert "no node 999" in texts(app.warning)
    assert views(app)["grow"]["state"]["selected"] == 0


def test_settings_and_address_are_each_other_s_inverse():
    settings = Settings(
        sample="car",
        target="safety",
        features=("buying", "a:b"),
        kinds=(("a:b", "numeric"),),
        split="three",
        share=60,
        seed=7,
        grow=GrowSettings("CART", (("max_depth", 3), ("min_score", 0.1))),
        left=GrowSettings(
            "CART",
            (
                ("class_weights", (("hög: [x]", 2.5), (1, 0.1))),
                ("costs", (("a", (("b", 5.0), ("c", 0.25))), ("b", (("a", 2.0),)))),
                ("feature_costs", (("buying", 10.0),)),
                ("score", "tan_schlimmer"),
            ),
        ),
        right=GrowSettings("C4.5", (("empty_branches", False), ("mean_gain_filter", "off"))),
        node=4,
        right_node=2,
        pruning="given",
        manual_steps=(("collapse", 12), ("restore", 3)),
        folds=5,
        fold_seed=8,
        test_set_uses=("7:8:0.8125:0.618",),
        palette="greys",
        risk="error",
        alpha=0.1 + 0.2,
    )
    assert url.settings_from_query(settings.to_query()) == (settings, [])


@pytest.mark.parametrize("option", growing_options.OPTIONS, ids=lambda option: option.field)
def test_options_read_what_they_write(option):
    values = list(option.choices) or {"switch": [True, False], "whole": [2], "number": [0.25]}[option.kind]
    values += [None] if option.blank else []
    for value in values:
        assert option.read(growing_options.write(value)) == value
        assert getattr(growing_options.RECIPES["CART"].replace(**{option.field: value}), option.field) == value


CAR = SAMPLES["car"].path.read_bytes()


def test_an_uploaded_table_is_used_on_every_page():
    app = fine(uploaded(opened(), "car.csv", CAR))
    for page in PAGES:
        app = fine(went(app, page))
        assert page == "Learn" or "car.csv" in table(app) + texts([*app.markdown, *app.subheader]), page


def test_a_broken_file_is_reported_and_the_table_before_stays():
    app = uploaded(opened(), "car.csv", CAR)
    app = uploaded(app, "broken.csv", b"a,b\n1,2\n1,2,3,4\n")
    assert not app.exception
    assert "broken.csv" in texts(app.error)
    assert "car.csv" in texts(app.subheader)
    assert table(fine(went(app, "Grow"))) == "car.csv"


def test_a_target_with_one_class_is_reported_and_the_target_stays():
    content = b"x,one,y\n" + b"".join(b"%d,same,%s\n" % (i, b"ab"[i % 2 : i % 2 + 1]) for i in range(8))
    app = uploaded(opened(), "one.csv", content)
    app = app.selectbox("target").select("one").run()
    assert not app.exception
    assert "'one'" in texts(app.error)
    assert app.selectbox("target").value == "y"


def test_a_file_without_any_target_is_reported_and_the_table_before_stays():
    app = uploaded(opened(), "same.csv", b"x,y\n1,a\n1,a\n1,a\n")
    assert not app.exception
    assert texts(app.error)
    assert "Play tennis" in texts(app.subheader)


def test_a_numeric_target_under_id3_is_reported_and_the_tree_stays():
    app = opened("Grow", data="auto_mpg")
    before = metrics(app)
    app = picked(app, "grow", "ID3")
    assert not app.exception
    assert "ID3" in texts(app.error)
    assert app.segmented_control("grow.recipe").value == "CART"
    assert metrics(app) == before


def test_a_numeric_target_given_to_id3_by_address_is_reported():
    app = fine(opened(data="auto_mpg", recipe="ID3", risk="error"))
    assert "CART" in texts(app.warning)
    assert "impurity" in texts(app.warning)
    app = fine(went(app, "Grow"))
    assert app.segmented_control("grow.recipe").value == "CART"
    fine(went(app, "Prune"))


def test_a_sample_is_grown_by_its_own_settings_and_not_by_those_of_the_table_before():
    app = went(picked(opened("Grow"), "grow", "C4.5"), "Data")
    app = fine(app.button("open.auto_mpg").click().run())
    assert not app.warning
    assert fine(went(app, "Grow")).segmented_control("grow.recipe").value == "CART"
    app = fine(went(app, "Data").button("open.play_tennis").click().run())
    assert fine(went(app, "Grow")).segmented_control("grow.recipe").value == "C4.5"


def test_a_target_made_numeric_moves_the_recipe_to_cart_and_says_so():
    app = picked(opened("Grow", data="titanic"), "grow", "C4.5")
    app = went(app, "Data")
    app = fine(app.selectbox("target").select("fare").run())
    assert "CART" in texts(app.warning)
    assert fine(went(app, "Grow")).segmented_control("grow.recipe").value == "CART"


def test_a_thousand_categories_are_noted_and_id3_still_grows():
    rows = pd.DataFrame({"level": [f"v{i % 1000}" for i in range(3000)], "y": ["a", "b", "a"] * 1000})
    app = uploaded(opened(), "levels.csv", rows.to_csv(index=False).encode())
    assert "1,000 categories" in texts(app.warning)
    assert "level" in texts(fine(went(app, "Grow")).warning)


@pytest.mark.parametrize("text", ["**bold**", "$x^2$", ":smile:", ":material/home:", "[a](b)", "<b>", "`c`", "a_b_c"])
def test_escaped_text_has_no_live_markdown(text):
    escaped = escape_markdown(text)
    for mark in "*$[]<`_":
        assert escaped.count(mark) == escaped.count("\\" + mark)
    assert ":s" not in escaped
    assert ":m" not in escaped


def test_signs_between_spaces_stay_as_the_file_has_them():
    alone = re.compile(r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)")  # what Streamlit sets as ↔ → ← — ≥ ≤ ≈
    for name in ("score <= 50", "->", "a -- b", "x ~= y >= z", "a <-> b <- c"):
        shown = escape_markdown(name).replace("\\", "")
        assert alone.search(name)
        assert not alone.search(shown)
        assert shown.replace("\u2060", "") == name


def test_sessions_are_separate():
    first = uploaded(opened(), "car.csv", CAR)
    other = opened()
    assert "car.csv" in texts(first.subheader)
    assert "Play tennis" in texts(other.subheader)
