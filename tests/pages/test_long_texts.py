"""A split may list thousands of categories: pages show as much of it as anybody reads."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.pages.app import fine, opened, uploaded, views, went

MOST = 5_000
"""Letters of one text, with its words and the signs that Markdown needs."""


@pytest.fixture(scope="module")
def app():
    """A table that is split on a column of two thousand categories of which none is short."""
    rng, codes = np.random.default_rng(0), np.repeat(np.arange(2_000), 2)
    likely = np.where(codes % 2, 0.9, 0.1)
    frame = pd.DataFrame({"code": [f"category {code:05d}" for code in codes], "x": rng.normal(size=codes.size)})
    frame["y"] = np.where(rng.random(codes.size) < likely, "yes", "no")
    return fine(uploaded(opened(), "codes.csv", frame.to_csv(index=False).encode()))


@pytest.mark.parametrize("page", ["Grow", "Rules"])
def test_no_text_is_longer_than_anybody_reads(app, page):
    fine(went(app, page))
    app.session_state["settings"] = replace(app.session_state["settings"], node=1)
    fine(app.run())
    texts = [element.value for kind in (app.markdown, app.caption, app.subheader) for element in kind]
    cells = [str(cell) for table in app.dataframe for column in table.value for cell in table.value[column]]
    rules = [str(view.get("rule", "")) for view in views(app).values()]
    assert any("category 0" in text for text in (*texts, *cells)), "the split is shown"
    assert max(map(len, (*texts, *cells, *rules))) < MOST
