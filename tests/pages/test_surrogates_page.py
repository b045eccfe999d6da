"""A feature that only surrogates test says on the pages where the tree uses it."""

import pandas as pd

import explorer as ex
from explorer.explaining.row_form import surrogates_alone
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import changed
from tests.pages.app import fine, opened, texts, uploaded, went


def test_a_feature_of_surrogates_alone_says_where_it_is_used():
    # x decides every row that has one; z agrees with it in 17 of 20, and w knows nothing
    x = ["low"] * 10 + ["high"] * 9 + [None]
    z = [*"ppqqpppppp", *"qqqqqpqqqq"]
    frame = pd.DataFrame({"x": x, "z": z, "w": [*"uv"] * 10, "y": ["a"] * 10 + ["b"] * 10})
    assert surrogates_alone(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)) == {"z": ["x"]}
    app = fine(uploaded(opened(), "stand_in.csv", pd.concat([frame] * 5).to_csv(index=False).encode()))
    app.session_state["settings"] = changed(app.session_state["settings"], target="y", grow=GrowSettings(name="CART"))
    app = fine(went(app, "Predict"))
    assert texts(app.caption).count("Used only where x is missing:") == 1
    assert "x  \n" not in texts(app.markdown), "x is split on"
    app.session_state["evaluate.tab"] = "Importance"
    app = fine(went(app, "Evaluate"))
    assert "z is a surrogate only: the tree uses it where x is missing." in texts(app.caption)
