"""The line above the tree: which table, which tree, and how far its score is from the baseline, read off records."""

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
    return next(element.value for element in app.markdown if ", depth " in element.value).replace("\xa0", " ")


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
    expected = f"validation accuracy {percent(score)}, +{100 * (score - base):.1f} points over the majority"
    assert f"{expected} ({percent(base)})" in text
    assert ":red[" not in line(opened("Grow", data="titanic", recipe="CART"))


def test_the_improvement_is_read_off_the_record(monkeypatch):
    made_up = Score("validation", 0.75, 0.5)
    monkeypatch.setattr(evaluation, "held_out_score", lambda *_: made_up)
    text = summary(fine(opened("Grow", data="titanic")))
    assert "validation accuracy 75.0 %, +25.0 points over the majority (50.0 %)" in text


@pytest.mark.parametrize("page", ["Grow", "Prune", "Rules", "Evaluate"])
def test_a_tree_of_noise_is_red_and_says_that_it_is_no_better(page):
    frame = noise()
    train, valid = ex.Dataset.from_frame(frame, "y").split(0.7, seed=0)
    score, base = metrics.score(ex.grow(train, ex.CART), valid), metrics.baseline(train, valid)
    assert score <= base, "three classes that no feature tells apart"
    app = fine(went(fine(uploaded(opened(), "noise.csv", frame.to_csv(index=False).encode())), "Grow"))
    app = fine(app.button("grow_fully").click().run())
    app = fine(went(app, page)) if page != "Grow" else app
    verdict = "worse" if score < base else "no better"
    text = f"validation accuracy {percent(score)}, {verdict} than the majority baseline ({percent(base)})"
    assert f":red[{text}]" in line(app)
    assert "points over" not in line(app)


def test_a_score_at_its_baseline_is_no_better():
    text = summary_line.improvement_text(Score("validation", 0.6, 0.6), False)
    assert text == "validation accuracy 60.0 %, no better than the majority baseline (60.0 %)"
    assert not Score("validation", 0.6, 0.6).is_better(False)
    assert Score("validation", 0.6 - 1e-15, 0.6).is_worse(False) is False
    text = summary_line.improvement_text(Score("validation", 0.0, 0.35), False)
    assert text == "validation accuracy 0 %, worse than the majority baseline (35.0 %)"
    app = fine(opened("Grow", recipe="CART", max_depth="0"))  # the root alone is the majority
    assert ":red[leave-one-out accuracy 64.3 %, no better than the majority baseline (64.3 %)]" in line(app)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score("validation", 2.0, 8.0), "validation MSE 2, 75.0 % below the mean baseline (8)"),
        (Score("training", 8.0, 8.0), "training MSE 8, no better than the mean baseline (8)"),
        (Score("validation", 9.0, 8.0), "validation MSE 9, worse than the mean baseline (8)"),
    ],
)
def test_numbers_have_their_share_of_the_squared_error(score, text):
    assert summary_line.improvement_text(score, True) == text


def test_rows_are_said_as_they_are_shared_out():
    assert "14 training rows" in summary(opened("Grow"))
    three = trees.parts(url.settings_from_query({"data": ["titanic"], "split": ["three"]})[0])
    sizes = [part.n_rows for part in (three.train, three.valid, three.test)]
    assert "{} training + {} validation + {} test rows".format(*sizes) in summary(
        opened("Grow", data="titanic", split="three")
    )


def test_the_name_of_a_file_is_shown_as_text():
    name = "**b** $x$ :red[r].csv"
    app = fine(uploaded(opened(), name, noise(60).to_csv(index=False).encode()))
    assert name not in line(fine(went(app, "Grow")))


def test_a_tree_pruned_by_hand_is_not_praised_for_its_training_rows():
    """Pruning the sunny days' node of five leaves loses two of the fourteen days, and no left-out row was predicted."""
    text = summary(fine(opened("Prune", data="play_tennis", recipe="ID3", hand="-1")))
    assert "training accuracy 85.7 %; a tree pruned by hand has no held-out score" in text
    assert "baseline" not in text
