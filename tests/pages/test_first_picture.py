"""The first tree of a table: large tables begin with CART and a least leaf size, small ones with ID3 in full."""

import numpy as np
import pandas as pd
import pytest

from pages.results import trees
from pages.settings import url
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, changed
from tests.pages.app import fine, metrics, opened, picked, summary, uploaded, went


def csv(rows, seed=0, categories=0):
    """A table of two numbers and some categories, and a class that depends on one number nearly always."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(rows, 2)).round(3), columns=["a", "b"])
    for i in range(categories):
        frame[f"c{i}"] = draw.choice(["u", "v"], rows)
    frame["y"] = np.where((frame["a"] > 0) ^ (draw.random(rows) < 0.2), "p", "q")
    return frame.to_csv(index=False).encode()


def of_upload(rows, categories=0):
    return fine(went(fine(uploaded(opened(), "own.csv", csv(rows, categories=categories))), "Grow"))


class TestWhichTables:
    """From 500 rows on: CART with at least max(2, 0.5 % of the training rows) in a leaf."""

    @pytest.mark.parametrize(("rows", "least"), [(500, 2), (1000, 4), (2000, 7)])
    def test_an_upload_of_500_rows_or_more(self, rows, least):
        # 70 % of the rows train: 0.5 % of 350, 700 and 1,400 are 1.75, 3.5 and 7
        app = of_upload(rows)
        assert app.segmented_control("grow.recipe").value == "CART"
        assert app.number_input("grow.min_rows_leaf").value == least
        assert f"CART, min. samples per leaf {least}" in summary(app)
        assert app.button("grow_fully").label == "Grow fully"

    @pytest.mark.parametrize(("sample", "least"), [("titanic", 3), ("credit_g", 4)])
    def test_a_real_sample(self, sample, least):
        # 624 and 700 training rows
        app = fine(opened("Grow", data=sample))
        assert f"CART, min. samples per leaf {least}" in summary(app)
        assert app.number_input("grow.min_rows_leaf").value == least

    @pytest.mark.parametrize(("rows", "categories", "is_large"), [(99, 0, False), (100, 1, True), (100, 2, False)])
    def test_an_upload_with_more_numbers_than_categories_of_100_rows_or_more(self, rows, categories, is_large):
        assert ("CART, min. samples per leaf 2" in summary(of_upload(rows, categories))) == is_large

    def test_499_rows_of_as_many_categories_are_a_small_table(self):
        """CART in full, as ID3 would cut its numbers into intervals."""
        app = of_upload(499, categories=2)
        assert app.segmented_control("grow.recipe").value == "CART"
        assert "min. samples per leaf" not in summary(app)
        assert "grow_fully" not in [button.key for button in app.button]

    @pytest.mark.parametrize("sample", ["play_tennis", "golf", "iris", "watermelon_3_0"])
    def test_textbook_tables_keep_id3_in_full(self, sample):
        app = fine(opened("Grow", data=sample))
        assert app.segmented_control("grow.recipe").value == "ID3"
        assert "grow_fully" not in [button.key for button in app.button]
        assert trees.recipe(Settings(sample=sample)).min_rows_leaf == 0

    def test_a_small_numeric_target_begins_with_cart_in_full(self):
        app = fine(opened("Grow", data="auto_mpg"))
        assert app.segmented_control("grow.recipe").value == "CART"
        assert "min. samples per leaf" not in summary(app)


class TestGrowFully:
    """One click from the first picture to the full tree."""

    def test_the_button_gives_the_tree_without_a_least_leaf(self):
        app = fine(opened("Grow", data="titanic"))
        before = int(metrics(app)["Leaves"].replace(",", ""))
        app = fine(app.button("grow_fully").click().run())
        full = trees.grown(Settings(sample="titanic", grow=GrowSettings("CART"))).tree
        assert metrics(app)["Leaves"] == f"{full.n_leaves:,}"
        assert full.n_leaves > before
        assert app.query_params["recipe"] == "CART"
        assert "min. samples per leaf" not in summary(app)
        assert "grow_fully" not in [button.key for button in app.button]

    def test_every_leaf_of_the_full_tree_is_pure_or_cannot_be_split(self):
        tree = trees.grown(Settings(sample="titanic", grow=GrowSettings("CART"))).tree
        smallest = min(tree.weight[tree.is_leaf])
        assert smallest < trees.first_recipe(np.ones(624)).min_rows_leaf


class TestOneOptionChanged:
    """A change of one option starts from the tree that is shown, not from another one."""

    def test_cart_and_the_leaf_size_stay(self):
        app = fine(opened("Grow", data="titanic"))
        app = fine(app.number_input("grow.max_depth").set_value(3).run())
        assert app.segmented_control("grow.recipe").value == "CART"
        assert app.number_input("grow.min_rows_leaf").value == 3
        assert metrics(app)["Depth"] == "3"
        link = {"recipe": "CART", "min_rows_leaf": "3", "max_depth": "3"}
        assert {key: app.query_params[key] for key in link} == link

    def test_explicit_names_what_the_first_picture_takes_for_granted(self):
        assert trees.explicit(Settings(sample="titanic")) == GrowSettings("CART", (("min_rows_leaf", 3),))
        assert trees.explicit(Settings()) == GrowSettings("ID3")

    def test_explicit_keeps_what_a_link_changed_without_naming_an_algorithm(self):
        settings = Settings(sample="titanic", grow=GrowSettings("", (("max_depth", 2),)))
        assert trees.explicit(settings) == GrowSettings("ID3", (("max_depth", 2),))

    def test_another_algorithm_is_taken_as_in_its_book(self):
        app = fine(picked(opened("Grow", data="titanic"), "grow", "C4.5"))
        assert app.query_params["recipe"] == "C4.5"
        assert "min_rows_leaf" not in app.query_params


class TestLinks:
    """A link that names an algorithm or an option means what it says."""

    @pytest.mark.parametrize("name", ["ID3", "C4.5", "CART"])
    def test_a_link_with_an_algorithm_has_no_first_picture(self, name):
        app = fine(opened("Grow", data="titanic", recipe=name))
        assert app.segmented_control("grow.recipe").value == name
        assert "grow_fully" not in [button.key for button in app.button]
        settings, _ = url.settings_from_query({"data": ["titanic"], "recipe": [name]})
        assert not trees.has_first_picture(settings)

    def test_a_link_without_one_opens_the_first_picture_and_stays_short(self):
        app = fine(opened("Grow", data="titanic"))
        assert set(app.query_params) == {"data"}

    def test_another_seed_keeps_the_first_picture(self):
        assert trees.has_first_picture(changed(Settings(sample="titanic"), seed=3))
