"""Pruning methods side by side: every tree is the package's, its steps end with it, and the book's example."""

import numpy as np
import pytest

import explorer as ex
from pages.prune import textbook_example
from pages.results import pruning, pruning_steps
from pages.settings import labels, url
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.text import escape_markdown
from tests.oracles.golden_walk import GOLDEN
from tests.oracles.pack_reader import unpacked
from tests.oracles.tables import titanic_tree
from tests.pages.app import fine, opened, tab, texts, views, went

ENTRY = GOLDEN["watermelon_pruning"]
TITANIC = {"data": "titanic", "recipe": "CART", "pruning": "methods"}


def shown_methods(**query):
    return fine(opened("Prune", **{"pruning": "methods", **query}))


def table(app):
    frame = app.dataframe[0].value
    return frame.set_index(frame.columns[0])


def test_the_table_has_every_method_with_the_package_s_own_numbers():
    tree, train, valid = titanic_tree()
    rows = {row.name: row for row in ex.prune_methods(tree, train, valid)}
    result = table(shown_methods(**TITANIC))
    expected = {
        "Unpruned": "unpruned",
        "Cost-complexity, best α": "cost-complexity, best α",
        "Reduced error": "reduced error, best first",
        "Pessimistic (C4.5)": "pessimistic",
        "MDL (description length)": "description length",
    }
    assert list(result.index) == [*expected, "Gain below γ (XGBoost)"]
    assert result.loc["Gain below γ (XGBoost)", "leaves"] == ex.newton_prune(tree).n_leaves
    for shown, name in expected.items():
        line, row = result.loc[shown], rows[name]
        assert line["leaves"] == row.n_leaves
        assert line["training"] == f"{row.training_score:.1%}".replace("%", " %")
        assert line["validation"] == f"{row.validation_score:.1%}".replace("%", " %")


def test_the_tree_chosen_by_alpha_is_named_beside_those_of_the_methods():
    path = ex.cost_complexity_path(titanic_tree()[0])
    step = len(path) - 3
    app = shown_methods(**TITANIC, alpha=str(path.alphas[step]))
    said = f"keep the tree chosen under “Cost-complexity: drag α”, with {path.n_leaves[step]} leaves."
    assert said in texts(app.caption)
    assert "keep the tree" not in texts(shown_methods(**TITANIC).caption)


def test_pre_and_post_pruning_stand_side_by_side_with_their_times_once_opened():
    app = shown_methods(**TITANIC)
    assert "| Pre-pruned |" not in texts(app.markdown)
    app = fine(tab(app, "methods.times", True))
    times = pruning.times(app.session_state["settings"])
    shown = texts(app.markdown)
    assert "|  | Unpruned | Pre-pruned | Post-pruned |" in shown
    assert f"| leaves | {' | '.join(str(times[name].tree.n_leaves) for name in ('unpruned', 'pre', 'post'))} |" in shown
    assert f"| grow | {' | '.join(f'{1000 * each.grow:,.1f} ms' for each in times.values())} |" in shown


def test_the_options_of_the_address_are_those_of_the_methods():
    tree, train, valid = titanic_tree()
    options = {"order": "bottom_up", "ties": "keep", "confidence": "0.05", "limit": "binomial", "raising": "yes"}
    app = shown_methods(**TITANIC, **options, method="reduced_error")
    result = table(app)
    assert result.loc["Reduced error", "leaves"] == ex.reduced_error_prune(tree, valid, "bottom_up", "keep").n_leaves
    raised = ex.pessimistic_prune(tree, 0.05, True, "binomial", train)
    assert result.loc["Pessimistic (C4.5)", "leaves"] == raised.n_leaves
    assert raised.n_leaves != ex.pessimistic_prune(tree).n_leaves
    assert app.selectbox("methods.order").value == "bottom_up"
    assert app.number_input("methods.confidence").value == 0.05
    assert app.toggle("methods.raising").value is True


def test_an_option_changed_on_the_page_changes_its_method_and_the_address():
    tree, _, _ = titanic_tree()
    app = fine(shown_methods(**TITANIC).number_input("methods.confidence").set_value(0.01).run())
    assert table(app).loc["Pessimistic (C4.5)", "leaves"] == ex.pessimistic_prune(tree, 0.01).n_leaves
    app = fine(app.selectbox("methods.ties").select("keep").run())
    assert table(app).loc["Reduced error", "leaves"] == ex.reduced_error_prune(tree, app_valid(), ties="keep").n_leaves
    app = fine(went(went(app, "Data"), "Prune"))
    assert app.query_params["confidence"] == "0.01"
    assert app.query_params["ties"] == "keep"


def app_valid():
    return titanic_tree()[2]


@pytest.mark.parametrize("method", [name for name in labels.METHODS if name != "one_se"])
def test_a_selected_method_is_the_tree_in_the_view_and_its_steps_end_with_it(method):
    tree, train, valid = titanic_tree()
    pruned = {
        "unpruned": lambda: tree,
        "cost_complexity": lambda: next(r.tree for r in ex.prune_methods(tree, train, valid) if "best α" in r.name),
        "reduced_error": lambda: ex.reduced_error_prune(tree, valid),
        "pessimistic": lambda: ex.pessimistic_prune(tree),
        "mdl": lambda: ex.mdl_prune(tree, train),
        "newton": lambda: ex.newton_prune(tree),
    }[method]()
    app = fine(shown_methods(**TITANIC).selectbox("pick.method").set_value(method).run())
    assert list(views(app)) == [f"methods.{method}"]
    settings = Settings(sample="titanic", grow=GrowSettings("CART"), pruning="methods", method=method)
    sequence = pruning_steps.step_sequence(settings, method)
    header, arrays = unpacked(sequence.content)
    assert views(app)[f"methods.{method}"]["state"]["position"] == sequence.begin == len(header["captions"]) - 1
    assert arrays["leaves"][0] == tree.n_leaves
    assert arrays["leaves"][-1] == pruned.n_leaves
    closed = (tree.feature >= 0) & (arrays["collapse"] <= sequence.begin)
    assert np.array_equal(tree.with_pruned(closed).is_leaf, pruned.is_leaf)


def test_a_step_of_a_method_speaks_of_the_node_in_its_caption():
    sequence = pruning_steps.step_sequence(Settings(sample="titanic", grow=GrowSettings("CART")), "mdl")
    header, arrays = unpacked(sequence.content)
    assert len(header["captions"]) == 154  # 153 tests, and the tree before the first decision
    for caption, focus in zip(header["captions"][1:], arrays["focus"][1:], strict=True):
        assert caption.startswith(f"Node {focus}: ")
    assert list(sequence.captions) == header["captions"]


def test_the_whole_caption_of_a_step_is_in_the_inspector():
    last = ex.reduced_error_steps(titanic_tree()[0], app_valid())[-1].text
    assert escape_markdown(last) in texts(shown_methods(**TITANIC, method="reduced_error").markdown)


def test_a_raised_tree_is_shown_as_a_tree_of_its_own_with_its_decisions_below():
    app = shown_methods(**TITANIC, method="pessimistic", raising="yes")
    tree, train, _ = titanic_tree()
    raised = ex.pessimistic_prune(tree, raising=True, train=train)
    assert table(app).loc["Pessimistic (C4.5)", "leaves"] == raised.n_leaves
    assert "Subtree raising moved rows to other branches, so the nodes of this tree have new numbers." in texts(
        app.caption
    )
    decisions = ex.pessimistic_steps(tree, raising=True, train=train)
    assert app.dataframe[1].value["decision"].tolist() == [step.text for step in decisions]


def test_a_tree_of_many_tests_is_shown_as_grown_and_as_pruned():
    rng = np.random.default_rng(0)
    lines = [f"{x:.6f},{'ab'[int(y)]}" for x, y in zip(rng.random(3000), rng.random(3000) < 0.5, strict=True)]
    app = opened().file_uploader[0].upload("noise.csv", "\n".join(["x,y", *lines]).encode(), "text/csv").run()
    app = fine(went(app, "Grow").button("grow_fully").click().run())
    app = fine(went(app, "Prune").radio("pruning").set_value("methods").run())
    assert table(app).loc["Unpruned", "leaves"] > 501
    app = fine(app.selectbox("pick.method").set_value("mdl").run())
    assert "Above 500 internal nodes the tree is shown as grown and as pruned" in texts(app.caption)
    assert views(app)["methods.mdl"]["state"]["position"] == 1


def test_methods_that_need_validation_rows_say_how_to_get_them():
    app = shown_methods(data="play_tennis", method="reduced_error")
    assert "Reduced error" not in table(app).index
    assert "not possible here" in texts(app.info)
    assert "This method needs a validation set, and there is none." in texts(app.caption)
    assert not [box for box in app.selectbox if box.key == "methods.order"]
    app = fine(app.button("set_aside").click().run())
    assert "Reduced error" in table(app).index
    assert app.query_params["split"] == "two"


def test_a_numeric_target_has_fewer_methods_and_says_why():
    app = shown_methods(data="auto_mpg")
    assert list(table(app).index) == [
        "Unpruned",
        "Cost-complexity, best α",
        "Reduced error",
        "Gain below γ (XGBoost)",
    ]
    assert "the target 'mpg' is numeric" in texts(app.caption)
    assert not [box for box in app.number_input if box.key == "methods.confidence"]


def test_raising_is_not_tried_where_rows_are_in_several_leaves():
    app = shown_methods(data="titanic", recipe="C4.5", raising="yes")
    assert not app.toggle
    assert "No subtree raising: “Missing values: Every branch, in shares” treats rows" in texts(app.caption)
    assert "Pessimistic (C4.5)" in table(app).index


def test_raising_is_left_out_where_it_would_take_long_and_that_is_said(monkeypatch):
    monkeypatch.setattr(pruning, "MOST_RAISED", 623)  # the tree grows on 624 rows
    app = shown_methods(**TITANIC, raising="yes")
    assert not app.toggle
    assert "it is available up to 623 training rows, and this tree has 624." in texts(app.caption)
    assert table(app).loc["Pessimistic (C4.5)", "leaves"] == ex.pessimistic_prune(titanic_tree()[0]).n_leaves


def test_a_small_table_knows_the_best_size_and_the_1_se_rule_by_leaving_out_row_by_row():
    app = shown_methods(data="play_tennis", recipe="CART", method="one_se")
    sample = ex.SAMPLES["play_tennis"]
    frame = ex.load_sample("play_tennis").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    left_out = ex.cross_validate_path(data, ex.CART, np.arange(data.n_rows))
    sizes = ex.cost_complexity_path(ex.grow(data, ex.CART)).n_leaves
    result = table(app)
    assert result.loc["Cost-complexity, best α", "leaves"] == sizes[left_out.best]
    assert result.loc["Cost-complexity, 1-SE", "leaves"] == sizes[left_out.one_se]
    assert "α is chosen by leave-one-out over 14 rows." in texts(app.caption)
    assert list(views(app)) == ["methods.one_se"]


def test_the_book_s_watermelons_have_the_book_s_numbers():
    before = fine(opened("Prune", pruning="methods", data="car"))
    app = fine(before.button("book").click().run())
    result = app.dataframe[0].value.set_index("tree")
    strict = ENTRY["bottom-up, prune only if validation accuracy strictly improves (seed 004, Zhou)"]
    quinlan = ENTRY["bottom-up, prune if not worse (Quinlan REP)"]
    expected = {
        "unpruned": (ENTRY["unpruned"]["leaves"], ENTRY["unpruned"]["valid_acc"]),
        "pre": (3, ENTRY["pre_pruning"]["valid_acc"]),  # 脐部 alone, with three values
        "zhou": (strict["leaves"], strict["valid_acc"]),
        "quinlan": (quinlan["leaves"], quinlan["valid_acc"]),
        "mitchell": (quinlan["leaves"], quinlan["valid_acc"]),
    }
    for name, (leaves, score) in expected.items():
        line = result.loc[labels.BOOK[name]]
        assert line["leaves"] == leaves
        assert line["validation"].startswith(score.replace("/", " of "))
    assert app.query_params["data"] == "car", "the reader's own settings stay"
    app = fine(app.button("book").click().run())
    assert "Unpruned" in table(app).index
    assert "book" not in app.query_params


@pytest.mark.parametrize("name", labels.BOOK)
def test_every_tree_of_the_book_has_steps_that_end_with_it(name):
    app = shown_methods(book=name)
    sequence, tree = textbook_example.steps_of(name), textbook_example.pruned(name)
    header, arrays = unpacked(sequence.content)
    assert views(app)[f"book.{name}"]["state"]["position"] == sequence.begin == len(header["captions"]) - 1
    assert arrays["leaves"][-1] == tree.n_leaves


def test_the_steps_of_pre_pruning_are_the_book_s_log():
    header, arrays = unpacked(textbook_example.steps_of("pre").content)
    assert arrays["leaves"].tolist() == [1, 3, 3, 3]
    assert "42.9 % without a split, 71.4 % with it: split." in header["captions"][1]
    assert "71.4 % as a leaf, 57.1 % split: leaf." in header["captions"][2]
    assert "71.4 % as a leaf, 71.4 % split: leaf." in header["captions"][3]


def test_settings_of_the_methods_and_address_are_each_other_s_inverse():
    settings = Settings(
        pruning="methods",
        method="pessimistic",
        order="bottom_up",
        ties="keep",
        confidence=0.1 + 0.2,
        limit="binomial",
        raising=True,
        book="pre",
    )
    assert url.settings_from_query(settings.to_query()) == (settings, [])


@pytest.mark.parametrize(
    "query",
    [
        {"method": "axe"},
        {"order": "random"},
        {"ties": "flip"},
        {"confidence": "0.9"},
        {"confidence": "nan"},
        {"limit": "sky"},
        {"raising": "maybe"},
        {"book": "melons"},
    ],
)
def test_a_bad_address_of_the_methods_falls_back_and_says_so(query):
    app = fine(opened("Data", **query))
    assert texts(app.warning)
