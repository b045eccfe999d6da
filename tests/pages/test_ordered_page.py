"""A column of ordered levels: suggested with one click, kept in the link, and read in words on the pages."""

import io

import numpy as np
import pandas as pd

from tests.pages.app import address_of, editor, fine, opened, tab, texts, typed, uploaded, went

LEVELS = ["low", "medium", "high", "very high"]


def sizes() -> bytes:
    """Levels with a gap here and there, which decide together with a number."""
    draw = np.random.default_rng(1)
    rank, x = draw.integers(0, 4, 120), draw.normal(size=120).round(1)
    frame = pd.DataFrame(
        {"size": np.array(LEVELS, dtype=object)[rank], "x": x, "y": np.where(rank + x > 1.5, "a", "b")}
    )
    frame.loc[::19, "size"] = None
    return frame.to_csv(index=False).encode()


def in_order():
    app = fine(uploaded(opened(), "sizes.csv", sizes()))
    assert "low < medium < high < very high" in texts(app.markdown)
    return fine(app.button("suggestions.all").click().run())


def types_of(app):
    lines = editor(app, "column", "role").value
    return dict(zip(lines["column"], lines["type"], strict=True))


def test_one_click_puts_levels_in_order_and_predict_offers_them():
    app = in_order()
    assert types_of(tab(app, "table.tabs", "Columns")) == {"size": "ordered", "x": "numeric", "y": "categorical"}
    app = fine(went(app, "Predict"))
    field = next(each for each in app.selectbox if each.label == "size")
    assert [str(option) for option in field.options][:4] == LEVELS
    app = fine(tab(field.set_value(field.options[0]).run(), "predict.tab", "Decision path"))
    assert any(f"size ≤ {level}" in texts(app.markdown) for level in LEVELS)


def test_the_type_is_chosen_in_columns_and_kept_in_the_link():
    app = tab(in_order(), "table.tabs", "Columns")
    app = fine(typed(app, editor(app, "column", "role"), _0={"type": "categorical"}))
    assert types_of(app)["size"] == "categorical"
    assert address_of(app)["kind"] == ["size:categorical"]


def test_what_has_no_order_is_not_made_ordered():
    app = tab(fine(uploaded(opened(), "sizes.csv", sizes())), "table.tabs", "Columns")
    app = typed(app, editor(app, "column", "role"), _0={"type": "ordered"})
    assert "Column 'size' has no order of its own" in texts(app.error)
    assert types_of(app)["size"] == "categorical"


def test_an_order_that_the_file_declares_is_taken_and_given_up_in_columns():
    frame = pd.read_csv(io.BytesIO(sizes()))
    frame["size"] = pd.Categorical(frame["size"], LEVELS, ordered=True)
    stream = io.BytesIO()
    frame.to_parquet(stream)
    app = tab(fine(uploaded(opened(), "sizes.parquet", stream.getvalue())), "table.tabs", "Columns")
    assert types_of(app)["size"] == "ordered"
    assert "tests go by it: 'size'" in texts(app.caption)
    assert "kind" not in address_of(app)
    app = fine(typed(app, editor(app, "column", "role"), _0={"type": "categorical"}))
    assert (types_of(app)["size"], address_of(app)["kind"]) == ("categorical", ["size:categorical"])
    app = fine(typed(app, editor(app, "column", "role"), _0={"type": "ordered"}))
    assert (types_of(app)["size"], "kind" in address_of(app)) == ("ordered", False)
