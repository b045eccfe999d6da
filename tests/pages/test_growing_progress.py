"""What the Grow page says of a tree and of its address: oversized trees, baselines, refusals with their reason."""

import json

import numpy as np
import pandas as pd

import explorer as ex
from tests.pages.app import fine, metrics, opened, summary, texts, uploaded, went


def holed(rows=80):
    """Random numbers with many empty cells, and a class that does not depend on them."""
    draw = np.random.default_rng(7)
    frame = pd.DataFrame(draw.normal(size=(rows, 4)).round(2), columns=list("abcd"))
    frame = frame.mask(draw.random(frame.shape) < 0.3)
    return frame.assign(y=draw.choice(["p", "q"], rows))


def test_more_leaves_than_rows_are_explained_and_mended():
    app = fine(uploaded(opened(), "holed.csv", holed().to_csv(index=False).encode()))
    app = fine(went(app, "Grow"))
    app = fine(app.segmented_control("grow.recipe").set_value("C4.5").run())
    assert int(metrics(app)["Leaves"].replace(",", "")) > 80
    assert "The tree has more leaves (" in texts(app.warning)
    app = fine(app.button("oversized").click().run())
    assert app.number_input("grow.min_rows_leaf").value == 2
    assert int(metrics(app)["Leaves"].replace(",", "")) <= 80
    assert "more leaves" not in texts(app.warning)


def test_a_tree_with_fewer_leaves_than_rows_is_left_alone():
    app = fine(opened("Grow", data="golf_missing", recipe="C4.5"))
    assert "oversized" not in [button.key for button in app.button]


def test_leaving_one_out_has_the_baseline_of_all_rows():
    # 9 melons are not ripe and 8 are: 9/17 = 52.9 %; the majority of the other 16 is wrong for each of them
    app = fine(opened("Grow", data="watermelon_2_0"))
    assert "leave-one-out accuracy" in summary(app)
    assert "over the majority (52.9 %)" in summary(app)


def test_an_address_refused_says_why():
    costs = json.dumps([["Outlook", 0]])
    app = opened(score="tan_schlimmer", feature_costs=costs)
    assert ": Column 'Outlook' costs 0" in texts(app.warning)
    assert "The default is used instead." in texts(app.warning)


def test_addresses_know_the_packages_names_of_recipes():
    app = fine(opened("Grow", recipe="C45"))
    assert app.segmented_control("grow.recipe").value == "C4.5" == ex.C45.name
    assert "The link has" not in texts(app.warning)
