"""The table's name opens another table on every page, and settings that still apply are kept."""

import pytest

from tests.pages.app import SAMPLE_FILES, fine, opened, summary, table, uploaded, went

WITH_NAME = ("Grow", "Prune", "Evaluate", "Rules", "Predict", "Compare", "Ensembles")


def switched(app, key):
    """Press the name and choose a table."""
    app.session_state["switcher"] = True
    return app.run().selectbox("switcher.table").set_value(key).run()


@pytest.mark.parametrize("page", WITH_NAME)
def test_every_page_with_the_tree_opens_another_table(page):
    app = fine(opened(page, data="iris", recipe="CART", max_depth="3", risk="error"))
    assert table(app) == "Three species of iris"
    app = fine(switched(app, "golf"))
    assert table(app) == "Golf, with numbers"
    query = app.query_params
    assert (query["data"], query["recipe"], query["max_depth"], query["risk"]) == ("golf", "CART", "3", "error")
    assert not app.session_state["switcher"], "the list is closed"


def test_what_names_columns_and_nodes_of_the_table_before_is_not_kept():
    app = fine(opened("Grow", data="iris", recipe="CART", node="2", alpha="0.01", class_weights='[["setosa",2.0]]'))
    app = fine(switched(app, "golf"))
    assert not {"node", "alpha", "class_weights", "feature"} & set(app.query_params)


def test_an_algorithm_for_classes_gives_way_to_one_for_numbers():
    app = switched(opened("Grow", data="iris", recipe="C4.5"), "auto_mpg")
    assert not app.exception
    assert "CART" in summary(app)
    assert app.query_params["data"] == "auto_mpg"


def test_a_file_of_one_s_own_is_in_the_list_and_comes_back_as_it_was_left():
    app = uploaded(opened(), "golf.csv", SAMPLE_FILES.joinpath("golf.csv").read_bytes())
    app = fine(went(app, "Grow"))
    assert table(app) == "golf.csv"
    app = fine(switched(app, "iris"))
    assert table(app) != "golf.csv"
    app = fine(switched(app, "own"))
    assert table(app) == "golf.csv"
    assert "file" in app.query_params


def test_a_scene_of_the_reader_s_table_names_it_and_opens_another_and_other_scenes_name_none():
    app = fine(opened("Learn", data="iris", recipe="CART", learn="scene", scene="own"))
    assert table(app) == "Three species of iris"
    app = fine(switched(app, "golf"))
    assert table(app) == "Golf, with numbers"
    assert (app.query_params["scene"], app.query_params["recipe"]) == ("own", "CART")
    assert table(fine(opened("Learn", learn="scene", scene="gini"))) == ""
