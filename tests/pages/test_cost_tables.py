"""Weights and costs typed into their tables: taken, refused without losing anything, and gone with their table."""

import json

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

import explorer as ex
from pages.grow.of_columns import cost_tables
from tests.pages.app import editor, fine, metrics, opened, picked, summary, texts, typed, unfold, went

COSTS = '[["bad",[["good",5.0]]]]'


def test_a_class_weight_typed_in_grows_another_tree_and_is_in_the_address():
    app = unfold(opened("Grow", recipe="CART", max_depth="0"))
    assert "predicts **Yes**" in texts(app.markdown)  # 9 Yes and 5 No
    app = fine(typed(app, editor(app, "class", "weight"), _0={"weight": 2}))  # No: 2·5 > 9
    assert "predicts **No**" in texts(app.markdown)
    assert app.query_params["class_weights"] == '[["No",2.0]]'
    assert editor(app, "class", "weight").value["weight"].tolist() == [2, 1]


def test_balanced_weights_are_scikit_learns_and_make_classes_count_alike():
    app = unfold(opened("Grow", recipe="CART", max_depth="0"))
    app = fine(app.button("grow.balanced").click().run())
    no, yes = compute_class_weight("balanced", classes=np.array(["No", "Yes"]), y=np.array(["No"] * 5 + ["Yes"] * 9))
    assert dict(json.loads(app.query_params["class_weights"])) == pytest.approx({"No": no, "Yes": yes})


def test_a_cost_typed_in_makes_the_root_predict_what_costs_least():
    app = unfold(opened("Grow", recipe="CART", max_depth="0"))
    app = fine(typed(app, editor(app, "class", "predicted No"), _0={"predicted Yes": 3}))  # No 9·1 < Yes 5·3
    assert "predicts **No**" in texts(app.markdown)
    assert app.query_params["costs"] == '[["No",[["Yes",3.0]]]]'
    app = fine(typed(app, editor(app, "class", "predicted No"), _0={"predicted Yes": 1}))
    assert "predicts **Yes**" in texts(app.markdown)
    assert "costs" not in app.query_params


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        (("class", "weight"), {"weight": -2}, "'No' the value -2: give a finite number from 0 on"),
        (("class", "predicted No"), {"predicted No": 2}, "correct prediction"),
    ],
)
def test_a_refused_amount_is_reported_and_stays_in_its_table(table, line, message):
    app = unfold(opened("Grow"))
    before, key = metrics(app), editor(app, *table).proto.id
    app = typed(app, editor(app, *table), _0=line)
    assert not app.exception
    assert message in texts(app.error)
    assert metrics(app) == before
    assert editor(app, *table).proto.id == key, "the same table, so what was typed is still in it"


def test_costs_of_features_are_offered_where_a_score_minds_them():
    app = unfold(opened("Grow"))
    assert not [frame for frame in app.dataframe if list(frame.value.columns) == ["feature", "cost"]]
    app = unfold(opened("Grow", score="tan_schlimmer"))
    costs = {"_0": {"cost": 10}, "_2": {"cost": 2}, "_3": {"cost": 0.5}}  # Outlook, Humidity, Wind
    app = fine(typed(app, editor(app, "feature", "cost"), **costs))
    assert "**Splits on Humidity**" in texts(app.markdown)
    app = typed(app, editor(app, "feature", "cost"), _1={"cost": 0})
    assert "'Temperature' costs 0" in texts(app.error)


def test_weights_outlive_a_page_switch_and_another_algorithm():
    app = picked(unfold(opened("Grow", data="credit_g", costs=COSTS)), "grow", "CART")
    app = fine(went(went(app, "Data"), "Grow"))
    assert app.query_params["costs"] == COSTS
    assert editor(app, "class", "predicted good").value["predicted good"].max() == 5


def test_weights_go_with_their_table():
    app = opened(data="credit_g", costs=COSTS)
    app = fine(app.button("open.titanic").click().run())
    assert "costs" not in app.query_params
    fine(went(app, "Grow"))


def test_weights_for_a_number_are_set_back_and_reported():
    app = opened(data="auto_mpg", class_weights='[["a",2]]')
    assert "all are 1 again" in texts(app.warning)
    app = fine(unfold(went(app, "Grow")))
    assert "**Class weights** needs classes." in texts(app.markdown)


@pytest.mark.parametrize(
    ("sample", "labels", "classes"),
    [
        ("play_tennis", ["→ No", "→ Yes"], ["No", "Yes"]),
        ("iris", ["1", "2", "3"], ["1 Iris-setosa", "2 Iris-versicolor", "3 Iris-virginica"]),
    ],
)
def test_costs_of_three_classes_fit_into_the_rail_by_their_numbers(sample, labels, classes):
    app = fine(unfold(opened("Grow", data=sample, recipe="CART"), "grow"))
    (table,) = [frame for frame in app.dataframe if frame.value.columns[1:2].str.startswith("predicted ").any()]
    assert table.value["class"].tolist() == classes
    columns = json.loads(table.proto.columns)
    assert [columns[name]["label"] for name in table.value.columns[1:]] == labels
    assert sum(columns[name]["width"] for name in table.value.columns) <= 204, "pixels of a rail"


def test_the_tables_say_what_the_recipe_keeps():
    data = ex.Dataset.from_frame(ex.load_sample("credit_g").frame, "class")
    names = list(data.classes)
    frame = cost_tables.pd.DataFrame({"class": names, "weight": [1.0, 3.0]})
    assert cost_tables.value_of(frame, "class_weights", names) == ((names[1], 3.0),)
    frame = cost_tables.pd.DataFrame({"class": names, "a": [0, 1], "b": [7, 0]})
    assert cost_tables.value_of(frame, "costs", names) == ((names[0], ((names[1], 7.0),)),)


@pytest.mark.parametrize(
    "query",
    [
        {"class_weights": "[[[["},
        {"class_weights": "[" * 50_000},
        {"class_weights": '[["Yes",-1]]'},
        {"class_weights": '[["Yes",1' + "0" * 400 + "]]"},
        {"class_weights": '[["Perhaps",2]]'},
        {"costs": '[["No",[["Yes","dear"]]]]'},
        {"costs": '[["No",3]]'},
        {"costs": "{}"},
        {"feature_costs": '[["no such column",2]]'},
        {"chi2_level": "2"},
        {"nunez_w": "1.5"},
    ],
    ids=lambda query: next(iter(query)),
)
def test_amounts_of_a_bad_address_fall_back_and_are_reported(query):
    app = fine(opened(**query))
    assert texts(app.warning)
    assert not set(query) & set(app.query_params)


CREDIT = {"data": "credit_g", "recipe": "CART", "max_depth": "3", "costs": '[["bad",[["good",5.0]]]]'}


def credit():
    """The tree of these settings and its rows, by the package."""
    sample = ex.SAMPLES["credit_g"]
    frame = ex.load_sample("credit_g").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=dict(sample.kinds))
    train, valid = data.split(0.7, seed=0)
    return ex.grow(train, ex.CART.replace(max_depth=3, costs={"bad": {"good": 5}})), valid


def test_with_costs_the_cost_per_row_stands_beside_the_accuracy():
    tree, valid = credit()
    bad, said_good = valid.frame["class"] == "bad", tree.predict(valid) == "good"
    cost = (5 * (bad & said_good) + (~bad & ~said_good)).mean()
    always_bad = (~bad).mean()  # 5 for each of 30 % bad rows would be more
    text = f"validation expected cost {cost:.3f}, cheapest constant prediction {always_bad:.3f}"
    app = fine(unfold(opened("Grow", **CREDIT)))
    assert text in summary(app)
    assert "expected cost" not in summary(fine(unfold(opened("Grow", **{**CREDIT, "costs": "[]"}))))
    shown = fine(opened("Prune", pruning="methods", **CREDIT)).dataframe[0].value.set_index("method")
    assert shown.loc["Unpruned", "expected cost"] == f"{cost:.3f}"


def test_the_page_says_what_a_row_of_each_class_counts_for():
    # 490 good and 210 bad rows, a bad one costs 5: 490 + 1050 = 1540, so f = 700/1540 and 5·700/1540
    app = fine(unfold(opened("Grow", **CREDIT)))
    assert "from class weights and costs: good 0.455, bad 2.273." in texts(app.caption)
    assert "The weights add up to 700;" in texts(app.caption)
    assert "700 rows · Gini" in texts(app.markdown)
    assert "weights add up" not in texts(fine(unfold(opened("Grow", **{**CREDIT, "costs": "[]"}))).caption)
