"""Every page and every tab on tables of numbers at the ends of what 64 bits hold: no uncaught error, no overflow."""

import pandas as pd
import pytest

from tests.pages.app import NAMES, fine, opened, uploaded, went

TABS = {
    "Data": ["table.tabs"],
    "Grow": ["node.tab"],
    "Prune": ["prune.tab"],
    "Evaluate": ["evaluate.tab"],
    "Rules": ["rules.tab"],
    "Predict": ["predict.tab"],
    "Compare": ["compare.tab"],
    "Ensembles": ["en.tab"],
}
"""The tabs of the pages by their keys."""


VALUES = {
    "wide": [-1.7e308, -1.7e308, 1.7e308, 1.7e308],
    "large": [1.6e308, 1.7e308, 1.6e308, None],
    "tiny": [1e-308, 5e-324, 2e-308, 3e-308],
    "far": [1e15, 1e15, 1e15 + 1, 1e15 + 1],
    "seconds": [1.7e9 + n / 1000 for n in range(4)],
}
TARGETS = {"classes": ["no", "no", "yes", "yes"], "numbers": [-9e99, 1e15, 1e-80, 9e99]}


@pytest.mark.parametrize("name", TARGETS)
def test_every_page_shows_extreme_numbers(name):
    table = pd.DataFrame({column: values * 4 for column, values in {**VALUES, "y": TARGETS[name]}.items()})
    app = uploaded(opened(), "extreme.csv", table.to_csv(index=False).encode())
    for page in NAMES[:-1]:
        app = fine(went(app, page))
        for key in TABS.get(page, ()):
            for label in [tab.label for tab in app.tabs]:
                app.session_state[key] = label
                app = fine(app.run())
