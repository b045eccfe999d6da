"""The panels for choosing a size: cross-validation in the background, the unused test set, the reasons to copy."""

import dataclasses
import json
import re
import threading

import pytest
from streamlit.testing.v1 import AppTest

import explorer as ex
from explorer.evaluation.cross_validation import cross_validate_path
from explorer.evaluation.evaluation import score_by
from explorer.tree import metrics
from pages.results import cross_validation, jobs, tree_size, trees
from pages.settings import url
from pages.settings.kept.test_set_log import NotedTestScore, SelectionScore
from pages.settings.settings import Settings
from pages.text import escape_markdown
from tests.pages.app import PATIENCE, wait_for_folds
from tests.pages.app import opened as page_of


def folds_page():
    """A page with the first panel alone, and a way to leave it."""
    import streamlit as st

    from pages.prune import choose_size
    from pages.settings import session

    if st.toggle("elsewhere"):
        st.markdown("another page")
    else:
        result = choose_size.cross_validation(session.read())
        st.markdown("no result" if result is None else f"{len(result.mean)} means, best at {result.best}")


def seal_page():
    """A page with the second panel, for the tree unpruned or the root alone."""
    import streamlit as st

    from pages.results import trees
    from pages.settings import session
    from pages.widgets import test_set

    settings = session.read()
    tree = trees.path(settings).subtree(leaves=1) if st.toggle("root") else trees.grown(settings).tree
    test_set.show(settings, tree, "the tree in hand")


def why_page():
    import streamlit as st

    from pages.prune import choose_size

    lines = ("accuracy on 9 rows", "★ best: 3 leaves", "○ mine: 8 leaves") if st.toggle("held out") else ()
    choose_size.why(lines, "It has 8 leaves. *That* is <b>why</b>.")


def opened(script, settings=None):
    app = AppTest.from_function(script, default_timeout=PATIENCE)
    app.session_state["settings"] = settings or Settings()
    app.run()
    return fine(app)


def fine(app):
    assert not app.exception
    return app


def texts(app):
    shown = [*app.markdown, *app.caption, *app.error, *app.warning]
    return " ".join(element.value for element in shown).replace("\\", "").replace("\u2060", "")


def progress_texts(app):
    return [element.proto.text for element in app.get("progress")]


class Held:
    """Cross-validation held before its first fold and after its second, until let go."""

    def __init__(self, result=None, error=None):
        self.result, self.error, self.calls = result, error, []
        self.begun, self.halfway, self.start, self.go_on = (threading.Event() for _ in range(4))

    def __call__(self, data, recipe, folds, seed, risk, metric, progress, choices=None, validation=None):
        self.calls.append((folds, seed, risk))
        self.begun.set()
        assert self.start.wait(PATIENCE)
        for done in range(1, folds + 1):
            progress(done, folds)
            if done == 2:
                self.halfway.set()
                assert self.go_on.wait(PATIENCE)
        if self.error:
            raise self.error
        return self.result


@pytest.fixture
def held(monkeypatch):
    """A held cross-validation in place of the real one, and a pool of its own."""
    work = Held()
    pool = jobs.Pool(1)
    monkeypatch.setattr(jobs, "pool", lambda: pool)
    monkeypatch.setattr(cross_validation, "cross_validate_path", work)
    yield work
    work.start.set()
    work.go_on.set()


def test_cross_validation_is_done_in_the_background_and_its_result_comes_back():
    settings = Settings(sample="iris", folds=5, fold_seed=11)
    app = opened(folds_page, settings)
    assert "no result" in texts(app)
    app = fine(app.button("cross_validate").click().run())
    wait_for_folds(settings)
    app = fine(app.run())
    train, recipe = trees.parts(settings).train, trees.recipe(settings)
    plain = cross_validate_path(train, recipe, folds=5, seed=11)
    assert f"{len(plain.mean)} means, best at {plain.best}" in texts(app)
    assert app.button("cross_validate").disabled


def test_progress_is_shown_and_outlives_a_page_switch(held):
    app = opened(folds_page)
    app = fine(app.button("cross_validate").click().run())
    assert held.begun.wait(PATIENCE)
    assert progress_texts(fine(app.run())) == ["Fold 1 of 10"]
    held.start.set()
    assert held.halfway.wait(PATIENCE)
    assert progress_texts(fine(app.run())) == ["Fold 3 of 10"]
    app = fine(app.toggle[0].set_value(True).run())
    assert "another page" in texts(app)
    held.go_on.set()
    wait_for_folds(Settings())
    app = fine(app.toggle[0].set_value(False).run())
    assert progress_texts(app) == []
    assert app.button("cross_validate").disabled
    assert len(held.calls) == 1


def test_stop_ends_it_and_it_can_be_started_again(held):
    app = opened(folds_page)
    app = fine(app.button("cross_validate").click().run())
    held.start.set()
    assert held.halfway.wait(PATIENCE)
    app = fine(fine(app.run()).button("stop_job").click().run())
    assert "Stopped after 2 of 10 steps." in texts(app)
    assert not app.button("cross_validate").disabled
    fine(app.button("cross_validate").click().run())
    held.go_on.set()
    wait_for_folds(Settings())


def test_a_job_in_the_line_says_so(held):
    app = opened(folds_page)
    app = fine(app.button("cross_validate").click().run())
    assert held.begun.wait(PATIENCE)
    app = fine(app.segmented_control("folds").set_value(5).run())
    app = fine(app.button("cross_validate").click().run())
    assert progress_texts(app) == ["Waiting for other work to end"]


def test_the_folds_and_the_seed_are_those_of_the_settings(held):
    app = opened(folds_page, Settings(folds=7, fold_seed=3))
    assert app.segmented_control("folds").options == ["5", "7", "10"]
    app = fine(app.number_input("count.fold_seed").set_value(4).run())
    app = fine(app.segmented_control("folds").set_value(5).run())
    fine(app.button("cross_validate").click().run())
    assert held.begun.wait(PATIENCE)
    assert held.calls == [(5, 4, "impurity")]


def test_an_error_is_shown_as_a_message(held):
    held.error = ex.InputError("There are 14 rows, but 100 folds.")
    held.start.set()
    held.go_on.set()
    app = opened(folds_page)
    fine(app.button("cross_validate").click().run())
    wait_for_folds(Settings())
    app = fine(app.run())
    assert "There are 14 rows, but 100 folds." in texts(app)
    assert not app.button("cross_validate").disabled


@pytest.mark.parametrize("change", [{"sample": "golf"}, {"risk": "error"}, {"folds": 5}, {"fold_seed": 1}, {"seed": 1}])
def test_the_key_differs_for_different_work(change):
    settings = Settings(sample="iris")
    assert cross_validation.folds_key(settings) == cross_validation.folds_key(
        dataclasses.replace(settings, alpha=0.1, node=3)
    )
    assert cross_validation.folds_key(settings) != cross_validation.folds_key(dataclasses.replace(settings, **change))


THREE = Settings(sample="titanic", split="three")
COSTS = ((0, ((1, 1.0),)), (1, ((0, 5.0),)))


def test_the_test_set_stays_unused_until_it_is_opened():
    app = opened(seal_page, THREE)
    test = trees.parts(THREE).test
    assert f"Test set ({test.n_rows:,} rows): not used yet." in texts(app)
    assert "accuracy" not in texts(app)
    app = fine(fine(app.run()).toggle[0].set_value(True).run())
    assert "not used yet" in texts(app)


def test_a_use_is_noted_for_good_beside_its_baseline():
    app = opened(seal_page, THREE)
    app = fine(app.button("open_test").click().run())
    parts, tree = trees.parts(THREE), trees.grown(THREE).tree
    score, base = metrics.score(tree, parts.test), metrics.baseline(parts.train, parts.test)
    text = f"used for a tree of {tree.n_leaves} leaves (seed 0): accuracy {score:.1%}, baseline {base:.1%}."
    assert text.replace("%", " %") in texts(app)
    assert "have seen the test set" in texts(app)
    assert "not used yet" not in texts(app)
    assert app.session_state["settings"].test_set_uses == (f"0:{tree.n_leaves}:{score!r}:{base!r}",)


@pytest.mark.parametrize("metric", ["auc", "log_loss", "expected_cost"])
def test_the_selection_metric_is_reported_beside_its_baseline_too(metric):
    costs = {"costs": [json.dumps(COSTS)]} if metric == "expected_cost" else {}
    settings, _ = url.settings_from_query({"data": ["titanic"], "split": ["three"], "metric": [metric], **costs})
    app = opened(seal_page, settings)
    app = fine(app.button("open_test").click().run())
    parts, tree = trees.parts(settings), trees.grown(settings).tree
    text = score_by(tree, parts.test, metric)
    note = NotedTestScore.read(app.session_state["settings"].test_set_uses[0])
    assert note.selection == SelectionScore(metric, text.value, text.baseline)
    assert note.score == metrics.score(tree, parts.test)
    name = {"auc": "AUC", "log_loss": "log loss", "expected_cost": "expected cost"}[metric]
    assert re.search(rf"accuracy [\d.]+ %, baseline [\d.]+ %; {name} [\d.]+, baseline [\d.]+\.", texts(app))


def test_a_note_with_two_scores_goes_through_the_address():
    note = "0:8:0.8125:0.618:log_loss:0.25:0.6875"
    settings, problems = url.settings_from_query({"opened": [note]})
    assert (settings.test_set_uses, problems) == ((note,), [])
    assert NotedTestScore.read(note).text(False).endswith("61.8 %; log loss 0.25, baseline 0.6875.")


def test_uses_are_listed_in_order_and_the_same_one_once():
    app = opened(seal_page, THREE)
    app = fine(app.button("open_test").click().run())
    app = fine(app.button("open_test").click().run())
    assert len(app.session_state["settings"].test_set_uses) == 1
    app = fine(app.toggle[0].set_value(True).run())
    app = fine(app.button("open_test").click().run())
    shown = texts(app)
    assert shown.index("(1) ") < shown.index("(2) Test set used for a tree of 1 leaf (seed 0)")
    assert shown.count("Choices made after this") == 1


def test_the_note_stays_where_there_is_no_test_set():
    app = opened(seal_page, dataclasses.replace(THREE, split="two", test_set_uses=("0:8:0.8125:0.618",)))
    assert "8 leaves (seed 0): accuracy 81.2 %, baseline 61.8 %." in texts(app)
    assert "The rows have no test set any more." in texts(app)


def test_a_numeric_target_is_scored_by_its_squared_error():
    app = opened(seal_page, Settings(sample="auto_mpg", split="three"))
    app = fine(app.button("open_test").click().run())
    assert re.search(r"mean squared error [\d.]+, baseline [\d.]+", texts(app))


NO_NOTES = [
    "0:8:0.5:0.5:auc",
    "0:8:0.5:0.5:luck:1:1",
    "0:8:0.5:0.5:auc:nan:0.5",
    "0:8:0.5:0.5:auc:1:1:1",
    "",
    "0:8",
    "0:8:0.5",
    "0:8:x:0.5",
    "a:8:0.5:0.5",
    "0:8:nan:0.5",
    "0:8:0.5:1e999",
    "1" * 5000 + ":8:0.5:0.5",
]


@pytest.mark.parametrize("note", NO_NOTES)
def test_what_is_no_note_is_refused_in_the_address(note):
    assert NotedTestScore.read(note) is None
    settings, problems = url.settings_from_query({"opened": [note]})
    assert settings.test_set_uses == ()
    assert len(problems) == 1


def test_without_a_test_set_the_page_says_how_to_get_one():
    app = opened(seal_page, Settings())
    assert "There is no test set." in texts(app)
    assert not app.button


def test_the_reasons_are_text_and_given_to_copy_as_they_are():
    app = opened(why_page)
    assert [text.value for text in app.markdown] == [escape_markdown("It has 8 leaves. *That* is <b>why</b>.")]
    app = app.toggle[0].set_value(True).run()
    assert [text.value for text in app.markdown] == ["**Accuracy on 9 rows**  \n★ best: 3 leaves  \n○ mine: 8 leaves"]
    assert [code.value for code in app.code] == ["It has 8 leaves. *That* is <b>why</b>."]
    assert "Why this size" in [tab.label for tab in page_of("Prune").tabs]


def test_another_best_size_on_the_validation_rows_is_said_after_cross_validation():
    settings = Settings(sample="car", split="two")
    train, valid, path = trees.parts(settings).train, trees.all_rows(settings).valid, trees.path(settings)
    folded = cross_validate_path(train, trees.recipe(settings), folds=5, seed=settings.fold_seed)
    scores = [score_by(tree, valid, "accuracy").value for tree in (path.subtree(position=i) for i in range(len(path)))]
    best = max(range(len(path)), key=lambda i: (scores[i], i))
    assert path.n_leaves[best] != path.n_leaves[folded.best]
    said = (
        f"On the 518 validation rows another size is best, {path.n_leaves[best]} leaves with accuracy "
        f"{scores[best]:.1%}; the best by cross-validation, {path.n_leaves[folded.best]} leaves, has "
        f"{scores[folded.best]:.1%} there and is marked ★."
    ).replace("%", " %")
    full = trees.grown(settings).tree
    assert tree_size.sentences(settings, full, folded).endswith(said)
    assert tree_size.other_best(settings, folded) in tree_size.sentences(settings, full, folded)
    marked, smallest, mine = tree_size.lines(settings, full, folded)[1:]
    assert marked.startswith(f"★ best: {path.n_leaves[folded.best]} leaves, ")
    assert smallest.startswith(f"◇ 1-SE: {path.n_leaves[folded.one_se]} leaves, ")
    assert mine == f"○ mine: {full.n_leaves} leaves, {100 * folded.mean[0]:.1f} %"
    assert "another size" not in tree_size.sentences(settings, full, None)
    same = dataclasses.replace(folded, best=trees.curves(settings).best)
    assert "another size" not in tree_size.sentences(settings, full, same)


def test_the_page_says_on_which_rows_each_accuracy_is():
    def said(**query):
        return texts(fine(page_of("Prune", **query)))

    small = said(data="play_tennis")
    assert "Leave-one-out accuracy: each of the 14 rows is predicted by a tree grown on all others." in small
    assert "Training accuracy: on the 14 rows it was grown on" in small
    settings = Settings(sample="titanic")
    large = said(data="titanic")
    assert (
        f"Validation accuracy: on {trees.all_rows(settings).valid.n_rows} rows that the tree was not grown on." in large
    )
    assert "Cross-validated accuracy" not in large
    train = trees.parts(settings).train
    folded = cross_validate_path(train, trees.recipe(settings), folds=2, seed=0)
    assert (
        "The line above the tree has it. Cross-validated accuracy, by which ★ and ◇ go: the mean of 2 folds of "
        f"{train.n_rows} training rows, each predicted by a tree grown on other rows. Training accuracy: "
    ) in tree_size.which_score(settings, folded)


def test_cross_validation_stands_in_the_rail_and_for_a_lecture_beside_the_curve():
    """A lecture hides the rail, and frozen settings make it inert; the curve fills a window of 1280 × 720."""
    app = fine(page_of("Prune", data="iris"))
    assert "cross_validate" in [button.key for button in app.sidebar.button]
    frozen = fine(page_of("Prune", data="iris", frozen="yes"))
    assert "cross_validate" in [button.key for button in frozen.main.button]
    lecture = fine(page_of("Prune", data="iris", presenter="yes"))
    assert "cross_validate" in [button.key for button in lecture.main.button]


def test_a_validation_score_is_called_optimistic_only_where_the_rows_may_have_chosen_the_size():
    """Unpruned, by cross-validation, the best on these rows, another size, by hand, and rows that stopped growth."""
    settings = Settings(sample="car", split="two")
    path, best = trees.path(settings), trees.curves(settings).best
    folded = cross_validate_path(trees.parts(settings).train, trees.recipe(settings), folds=5, seed=0)
    assert 0 < best != folded.best
    assert folded.one_se not in (0, best, folded.best)
    other = next(i for i in range(1, len(path)) if i not in (best, folded.best, folded.one_se))

    def worth(position, folded=None, **changes):
        at = dataclasses.replace(settings, alpha=float(path.alphas[position]) if position else None, **changes)
        return tree_size.worth_of_validation(at, folded)

    assert worth(0).endswith("nor to choose its size: it is unpruned.")
    for position in (folded.best, folded.one_se):
        assert worth(position, folded).startswith("Cross-validation of the training rows chose this size.")
        assert worth(position, folded).endswith("so this score is not optimistic.")
    chosen = "this size is the best on them: if they chose it, this score is optimistic."
    assert chosen in worth(best)
    assert chosen in worth(best, folded)
    assert "If they chose its size, this score is optimistic" in worth(other)
    assert "It was pruned by hand" in worth(0, manual_steps=(("prune", 0),))
    stopped = fine(page_of("Evaluate", data="titanic", recipe="CART", split="two", prepruning="true"))
    assert "Validation rows decided on the splits of this tree, so this score is optimistic" in texts(stopped)
