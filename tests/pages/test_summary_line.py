"""The line above the tree: which table, which tree, and how far its score is from the baseline, read off records."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.tree import metrics
from pages.layout import summary_line
from pages.results import evaluation, trees
from pages.results.evaluation import Score
from pages.settings import url
from tests.oracles.tables import titanic_tree
from tests.pages.app import fine, opened, summary, uploaded, went


def line(app):
    """The line with its Markdown."""
    return next(element.value for element in app.markdown if ", depth " in element.value)


def percent(share):
    return f"{100 * share:.1f} %"


def noise(rows=400, seed=1):
    """Random numbers, and three classes that have nothing to do with them; the first class is the majority."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(rows, 3)).round(3), columns=["a", "b", "c"])
    return frame.assign(y=draw.choice(["p", "q", "r"], rows, p=[0.6, 0.2, 0.2]))


def test_the_line_has_the_package_s_own_numbers():
    tree, train, valid = titanic_tree()
    score, base = metrics.score(tree, valid), metrics.baseline(train, valid)
    text = summary(fine(opened("Grow", data="titanic", recipe="CART")))
    assert f"{train.n_rows} training + {valid.n_rows} validation rows" in text
    assert f"CART · {tree.n_leaves} leaves, depth {tree.max_depth}" in text
    expected = f"validation accuracy {percent(score)}, +{100 * (score - base):.1f} points over the majority baseline"
    assert f"{expected} ({percent(base)})" in text
    assert ":red[" not in line(opened("Grow", data="titanic", recipe="CART"))


def test_the_improvement_is_read_off_the_record(monkeypatch):
    made_up = Score("validation", 0.75, 0.5)
    monkeypatch.setattr(evaluation, "held_out_score", lambda *_: made_up)
    text = summary(fine(opened("Grow", data="titanic")))
    assert "validation accuracy 75.0 %, +25.0 points over the majority baseline (50.0 %)" in text


@pytest.mark.parametrize("page", ["Grow", "Prune", "Rules", "Evaluate"])
def test_a_tree_of_noise_is_red_and_says_that_it_is_no_better(page):
    content = noise().to_csv(index=False).encode()
    app = fine(uploaded(opened(recipe="CART"), "noise.csv", content))
    app.session_state["settings"] = grown_by_cart(app.session_state["settings"])
    app = fine(went(app.run(), page))
    settings = app.session_state["settings"]
    score = evaluation.held_out_score(settings_with_file(settings, content), tree_of(settings, content))
    assert score.value <= score.baseline, "three classes that no feature tells apart"
    text = f"validation accuracy {percent(score.value)}, no better than the majority baseline"
    assert f":red[{text} ({percent(score.baseline)})]" in line(app)
    assert "points over" not in line(app)
