"""The Ensembles page: the package's numbers, members that open like any tree, and everything in the link."""

import json
import re

import numpy as np
import pytest

import explorer as ex
from explorer.ensembles.picture.of_ensemble import picture_of
from explorer.formatting import percent
from pages.ensembles import summary
from pages.ensembles.files import of_settings
from pages.ensembles.presets import PRESETS
from pages.results import ensembles, evaluation, trees
from pages.results.ensembles import Compared, OwnTree, grown
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.settings import Settings, changed
from pages.settings.url import settings_from_query
from pages.text import number, score_text
from tests.folders import ROOT
from tests.pages.app import choice_lists, editor, fine, opened, tab, texts, typed, uploaded, views, went

LI_HANG = {"data": "lihang_8_1", "en.method": "adaboost", "en.members": "3", "en.vote": "half_log"}
SMALL_FOREST = {"data": "play_tennis", "en.method": "forest", "en.members": "5"}


def line(app):
    """The summary line without its Markdown."""
    return next(text for text in (element.value for element in app.markdown) if " tree" in text).replace("\xa0", " ")


def boosted_points(rounds):
    """Li Hang's example 8.1 by the package."""
    data = ex.Dataset.from_frame(ex.load_sample("lihang_8_1").frame, "y", ["x"], {"y": "categorical", "x": "numeric"})
    return ex.adaboost(data, ex.CART.replace(max_depth=1, impurity="error"), rounds, vote="half_log"), data


@pytest.mark.parametrize(("sample", "preset"), [(sample, one) for sample, some in PRESETS.items() for one in some])
def test_a_preset_has_all_its_members(sample, preset):
    made = ensembles.ensemble(Settings(sample=sample, ensembles=preset.chosen))
    assert made.n_stages == preset.chosen.members


def test_three_rounds_of_li_hang_have_the_books_votes_and_no_error():
    app = fine(opened("Ensembles", **LI_HANG))
    assert "AdaBoost, 3 trees" in line(app)
    assert "| **ensemble** | **100 %** |" in texts(app.markdown)
    shown = ensembles.ensemble(app.session_state["settings"])
    votes = [member.vote for member in shown.members]
    assert np.allclose(votes, [0.5 * np.log(7 / 3), 0.5 * np.log(11 / 3), 0.5 * np.log(9 / 2)])


def test_the_summary_line_names_no_score_that_stands_elsewhere():
    """Beside the inspector at 1,400 pixels about 150 letters fit on one line."""
    app = fine(opened("Ensembles", data="titanic"))
    said = line(app).replace("*", "")
    assert "624 + 267 rows" in said
    assert "out-of-bag" not in said
    assert "leaves" not in said
    assert len(said) <= 150


def test_the_first_picture_suits_the_target():
    assert "AdaBoost" in line(opened("Ensembles", data="lihang_8_1"))
    assert "Gradient boosting" in line(opened("Ensembles", data="lihang_8_2_regression"))
    assert "Random forest" in line(opened("Ensembles", data="play_tennis"))


def test_the_peers_stand_in_a_table_that_loads_nothing_more():
    app = fine(opened("Ensembles", data="play_tennis"))
    settings = app.session_state["settings"]
    rows = ensembles.row_set(settings, ensembles.ensemble(settings))
    peers = ensembles.compared(settings, rows)
    (single,) = re.findall(r"\| full CART tree .*", texts(app.markdown))
    assert ":small[(min. samples per leaf 1)]" in single, "why its score differs from that of the reader's tree"
    assert "| your tree :small[(Grow: ID3)] |" in texts(app.markdown)
    assert single.endswith(f"| {peers.n_leaves:,} | {score_text(peers.tree, False)} |")
    assert not app.dataframe


def test_boosting_on_a_small_table_is_scored_on_rows_left_out():
    app = fine(opened("Ensembles", data="play_tennis", **{"en.method": "adaboost", "en.members": "10"}))
    settings, rows = app.session_state["settings"], np.arange(14)
    train = trees.parts(settings).train
    answers = [grown.grown_on(settings, train.take(rows != i)).predict(train.take(rows == i))[0] for i in range(14)]
    score = np.mean([train.classes[code] == answer for code, answer in zip(train.y, answers, strict=True)])
    assert f"cross-validated accuracy {percent(score)} · your tree (Grow) 78.6 %" in line(app)
    assert re.search(r"\| full CART tree .* 50.0 % \|", texts(app.markdown))
    training = ensembles.ensemble(settings).staged_scores(train)[-1]
    assert f"| **ensemble** | **{percent(training)}** | **{percent(score)}** |" in texts(app.markdown)
    assert not [button for button in app.button if button.key == "en.set_aside"]


def test_boosting_of_many_rows_offers_rows_to_score_it_on(monkeypatch):
    monkeypatch.setattr(grown, "MOST_AT_ONCE", 14 * 4 * 10)
    app = fine(opened("Ensembles", data="play_tennis", **{"en.method": "adaboost", "en.members": "10"}))
    assert "training accuracy" in line(app)
    assert "your tree (Grow) 100 %" in line(app)
    app = fine(app.button("en.set_aside").click().run())
    assert "validation accuracy" in line(app)


def test_an_ensemble_worse_than_a_single_tree_says_so():
    """One stump on the three irises cannot be better than the tree it is a part of."""
    app = fine(opened("Ensembles", data="iris", **{"en.method": "bagging", "en.members": "1", "en.depth": "1"}))
    assert "your tree (Grow) 93.3 % · full CART tree 95.6 %" in line(app)
    assert "worse than the full CART tree" in line(app)
    assert ":red[" not in line(app), "a few rows may be the whole difference"


@pytest.mark.parametrize(
    ("of_ensemble", "full", "pruned", "named", "verdict"),
    [
        (12.13, 18.19, 6.181, "pruned CART tree (2 leaves) 6.181", "worse than the pruned CART tree"),
        (6.181, 18.19, 6.181, "pruned CART tree (2 leaves) 6.181", "no better than the pruned CART tree"),
        (5.0, 18.19, 6.181, "pruned CART tree (2 leaves) 6.181", ""),
        (13.0, 12.0, 12.5, "full CART tree 12", "worse than the full CART tree"),
        (13.0, 18.19, 20.0, "", ""),
        (18.5, 18.19, 19.0, "", "worse than your tree"),
    ],
)
def test_the_best_single_tree_on_the_same_rows_is_named_and_compared(of_ensemble, full, pruned, named, verdict):
    """A tree that beats the ensemble is said beside it, and not only at the end of a table."""
    yours = OwnTree(18.19, 9, False)
    peers = Compared(constant=20.5, tree=full, pruned=pruned, n_leaves=11, n_leaves_pruned=2)
    said = summary.peers_text(peers, yours, "validation", True).split(" · ")
    assert said == ["your tree (Grow) 18.19", *([named] if named else []), "mean 20.5"]
    assert summary.verdict_text(of_ensemble, peers, yours, "validation", True) == verdict


def test_of_shares_the_larger_is_the_better_and_training_rows_decide_nothing():
    yours, peers = OwnTree(0.8, 9, False), Compared(0.5, 0.7, 0.9, 11, 3)
    assert "pruned CART tree (3 leaves) 90.0" in summary.peers_text(peers, yours, "folds", False)
    assert summary.verdict_text(0.85, peers, yours, "folds", False) == "worse than the pruned CART tree"
    assert "CART" not in summary.peers_text(peers, yours, "training", False)
    assert summary.verdict_text(0.85, peers, yours, "training", False) == ""


def test_the_single_tree_to_beat_is_the_readers_own_as_pruned():
    """Titanic's tree of 7 leaves, which by hand is right for 222 of the 267 validation rows."""
    first = fine(opened("Prune", data="titanic"))
    path = trees.path(first.session_state["settings"])
    alpha = float(path.alphas[path.position_of_leaves(7)])
    app = fine(opened("Ensembles", data="titanic", alpha=repr(alpha)))
    settings = app.session_state["settings"]
    tree, valid = evaluation.evaluated_tree(settings), trees.parts(settings).valid
    right = sum(tree.predict(valid) == np.array(valid.classes)[valid.y])
    assert (tree.n_leaves, right) == (7, 222)
    assert "your tree (Prune) 83.1 %" in line(app)
    assert re.search(r"\| your tree :small\[\(Prune: CART.*\)\] \| 7 \| 83.1 % \|", texts(app.markdown))
    of_forest = ensembles.scores_by_stage(settings, ensembles.ensemble(settings), "validation")[-1]
    assert ("worse than" in line(app)) == (of_forest < 222 / 267)
    assert "validation accuracy 83.1" in texts(fine(went(app, "Evaluate")).markdown)


def test_a_member_opens_with_its_candidates_those_not_drawn_too():
    app = fine(opened("Ensembles", **SMALL_FOREST, **{"en.member": "2"}))
    settings = app.session_state["settings"]
    made = ensembles.ensemble(settings)
    data = ensembles.member_data(settings, 2)
    decision = ex.decide(made.members[2].tree, data, 0)
    table = app.dataframe[0].value
    assert set(table["feature"]) >= set(decision.best)
    assert any("not drawn" in str(verdict) for verdict in table["verdict"])
    out = {name: best.gain for name, best in decision.best.items() if best.rejected == "not drawn at this node"}
    said = next(text.value for text in app.caption if "not drawn at this node" in text.value)
    assert f"{len(out)} of {len(decision.best)} features" in said
    assert max(out, key=out.get) in said
    assert views(app)["ensembles_member"]["state"]["selected"] == 0


def test_the_rows_of_a_member_have_their_weights():
    app = fine(tab(opened("Ensembles", **SMALL_FOREST, **{"en.member": "2"}), "en.node_tab", "Rows"))
    weights = ensembles.ensemble(app.session_state["settings"]).members[2].weights
    assert app.dataframe[0].value["weight"].tolist() == weights.tolist()


def test_weights_of_adaboost_are_not_called_rows():
    """Ten rows have the weights 1/10: their sum 1 is not one row."""
    app = fine(opened("Ensembles", **LI_HANG, **{"en.member": "0"}))
    said = texts(app.markdown)
    assert "10 rows, weight 1 " in said
    assert "1 row " not in said


def test_the_way_back_leads_to_the_ensemble():
    app = opened("Ensembles", **SMALL_FOREST, **{"en.member": "2"})
    fine(app.button(key="en.next").click().run())
    assert app.session_state["settings"].ensembles.member == 3
    fine(app.button(key="en.back").click().run())
    assert app.session_state["settings"].ensembles.member is None
    assert "ensembles" in views(app)


def test_growing_on_from_a_forced_split_is_said_and_undone():
    choice = [1, *ex.Choices().force(boosted_points(3)[0].members[1].tree.place(0), ex.SplitRequest("x")).to_plain()]
    app = fine(opened("Ensembles", **LI_HANG, **{"en.force": json.dumps(choice)}))
    assert "Tree 2 has a split of yours; all rounds after it were grown anew." in texts(app.caption)
    fine(app.button(key="en.unforce").click().run())
    assert app.session_state["settings"].ensembles.forced == ()


def test_three_losses_stand_side_by_side_at_the_same_stage():
    app = opened("Ensembles", data="outlier8")
    app = fine(app.button(key="en.preset.0").click().run())
    shown = views(app)
    losses = ("squared_error", "absolute_error", "huber")
    assert [shown[f"ensembles_{loss}"]["state"]["stage"] for loss in losses] == [1, 1, 1]
    table = app.dataframe[0].value
    assert table["split"].tolist() == ["x ≤ 6.5", "x ≤ 4.5", "x ≤ 4.5"]


def test_every_choice_survives_the_link():
    chosen = EnsembleSettings(
        method="gradient_boosting",
        members=7,
        depth=2,
        leaf=3,
        draws="2",
        bootstrap=False,
        loss="huber",
        rate=0.25,
        start=-1.5,
        subsample=0.5,
        delta=2.5,
        alpha=0.8,
        vote="half_log",
        update="c50",
        reg_lambda=2.0,
        gamma=0.5,
        min_child_weight=3.0,
        seed=9,
        costs=((1, ((0, 5.0),)),),
        criterion="entropy",
        forced=((1, ex.Choices().lock(boosted_points(2)[0].members[1].tree.place(0))),),
        losses=True,
        stage=4,
        member=1,
        node=2,
        row=5,
        picture="members",
    )
    query = Settings(sample="auto_mpg", ensembles=chosen).to_query()
    read, problems = settings_from_query(query)
    assert problems == []
    assert read.ensembles == chosen


def test_a_link_opens_stage_and_member():
    app = fine(opened("Ensembles", **LI_HANG, **{"en.stage": "2", "en.row": "6"}))
    assert views(app)["ensembles"]["state"] == {"stage": 2, "member": -1, "row": 6, "tab": ""}


@pytest.mark.parametrize("value", ["x", "[1]", '["a", {}]', '[-1, {"op": "lock", "path": []}]', "[" * 3000])
def test_a_broken_forced_split_in_a_link_is_refused(value):
    settings, problems = settings_from_query({"en.force": [value]})
    assert settings.ensembles.forced == ()
    assert len(problems) == 1


def test_another_table_begins_anew():
    settings = Settings(ensembles=EnsembleSettings(method="forest", member=2))
    assert changed(settings, sample="iris").ensembles == EnsembleSettings()
    assert changed(settings, seed=5).ensembles == EnsembleSettings(method="forest")


@pytest.mark.parametrize("name", ["This row", "Stage", "Tree list", "Importance"])
@pytest.mark.parametrize("query", [LI_HANG, SMALL_FOREST], ids=lambda query: query["data"])
def test_every_tab_shows_something_on_every_kind_of_table(query, name):
    fine(tab(opened("Ensembles", **query, **{"en.row": "1"}), "en.tab", name))


def test_a_tree_is_called_a_tree_and_a_round_of_several_classes_has_one_for_each():
    iris = {"data": "iris", "en.method": "gradient_boosting", "en.members": "2", "recipe": "CART"}
    app = fine(tab(opened("Ensembles", **iris), "en.tab", "Tree list"))
    assert "Gradient boosting, 6 trees in 2 rounds" in line(app)
    assert app.number_input(key="en.members").label == "Rounds"
    (table,) = choice_lists(app)
    assert table["tree"].tolist() == ["1", "2", "3", "4", "5", "6"]
    assert table["round"].tolist() == ["1", "1", "1", "2", "2", "2"]
    assert table["class"].tolist() == ["Iris-setosa", "Iris-versicolor", "Iris-virginica"] * 2
    titles = [member.title for member in picture_of(ensembles.ensemble(app.session_state["settings"])).members]
    assert [title.split(": ")[0] for title in titles] == [f"Tree {n}" for n in range(1, 7)]
    assert titles[4].split(",")[-3:-1] == [" round 2", " for class Iris-versicolor"]
    app = fine(tab(opened("Ensembles", **iris), "en.tab", "Stage"))
    assert "The ensemble after 2 rounds, each of which grew a tree for each of the 3 classes." in texts(app.caption)
    app = fine(tab(opened("Ensembles", **SMALL_FOREST), "en.tab", "Tree list"))
    assert list(choice_lists(app)[0]) == ["tree", "first split", "leaves", "depth"], "equal votes need no column"
    assert app.number_input(key="en.members").label == "Trees"


def test_what_readers_see_of_an_ensemble_has_no_second_word_for_its_trees():
    folders = "pages/ensembles", "explorer/drawing/ensemble_view", "explorer/ensembles/picture"
    call = re.compile(r'(?:message|plural|say|sayCount)\(\s*(?:[\w.()]+,\s*)?"([^"]+)"')
    files = [file for name in folders for file in (ROOT / name).rglob("*.[pj][ys]")]
    said = [text for file in files for text in call.findall(file.read_text("utf-8"))]
    assert len(said) > 100
    assert [text for text in said if re.search(r"\bmembers?\b", re.sub(r"\{.*?\}", "", text), re.IGNORECASE)] == []


@pytest.mark.parametrize(
    "method", ["forest", "bagging", "extra_trees", "gradient_boosting", "adaboost", "c50", "newton_boosting"]
)
def test_every_method_shows_its_ensemble_and_a_member(method):
    query = {"data": "play_tennis", "en.method": method, "en.members": "3"}
    fine(opened("Ensembles", **query))
    fine(opened("Ensembles", **query, **{"en.member": "0"}))


@pytest.mark.parametrize("is_yardstick", [False, True])
def test_boosting_permutes_features_among_validation_rows(is_yardstick):
    """Shuffled by hand: a feature that no tree tests loses nothing, and the best one most of the accuracy."""
    query = {"data": "iris", "en.method": "adaboost", "en.members": "3", "en.tab": "importance"}
    app = fine(tab(opened("Ensembles", **query), "en.tab", "Importance"))
    assert "what the score on the validation rows loses" in texts(app.caption)
    settings = app.session_state["settings"]
    made = ensembles.with_yardstick(settings)[0] if is_yardstick else ensembles.ensemble(settings)
    losses = ensembles.permuted(settings, made, is_yardstick)
    names = [[member.tree.features[i].name for i in member.tree.tested_features()] for member in made.members]
    assert {name for name, found in losses.items() if found.losses.any()} <= set().union(*names)
    assert max(found.mean for found in losses.values()) > 0.2


def test_errors_are_said_in_place_of_the_picture():
    """SAMME on a table in which nothing tells two even classes apart: its first tree is no better than chance."""
    app = opened("Data")
    app = app.file_uploader[0].upload("even.csv", b"a,y\n" + b"1,p\n1,q\n2,p\n2,q\n" * 3, "text/csv").run()
    app = went(app, "Ensembles")
    assert not app.exception
    assert "no better than chance" in texts(app.error)
    assert app.selectbox(key="en.method").value == "adaboost"


def test_the_web_page_bears_the_name_of_the_table_and_the_readers_colours():
    settings = settings_from_query({**{key: [value] for key, value in SMALL_FOREST.items()}, "palette": ["greys"]})[0]
    pages = [
        file.make()
        for chosen in (settings, changed(settings, palette="safe"))
        for files in of_settings(chosen).values()
        for file in files
        if file.name == "ensemble.html"
    ]
    assert all("<h1>Play tennis?</h1>" in page for page in pages)
    assert pages[0] != pages[1]


@pytest.mark.parametrize("content", [b"null", b"3", b"[]", b'"a"', b"", b"{}", b"[" * 100_000, b"\xff\x00"])
def test_a_file_without_a_model_is_refused_with_what_can_be_read(content):
    with pytest.raises(ex.InputError, match=r"'m.json' holds no model that can be read. Readable: XGBoost .JSON., .*"):
        ex.open_model(content, "m.json")


def test_the_rounds_up_to_the_best_one_can_be_chosen():
    lines = (ROOT / "tests/reference/foreign/xgboost-3.4.1.json").read_text("utf-8")
    case = next(case for case in json.loads(lines) if case["name"] == "stopped early")
    content = json.dumps(case["content"]).encode()
    app = fine(uploaded(opened(data="iris"), "m.json", content))
    rounds = app.segmented_control(key="en.rounds")
    assert (rounds.options, rounds.value) == (["Up to the best round, 11", "All 14 rounds"], False)
    assert "round 11 of 14 was the best" in rounds.help
    app = fine(rounds.set_value(True).run())
    assert app.session_state["opened ensemble"].ensemble.n_stages == case["best"] == 11
    app = fine(app.segmented_control(key="en.rounds").set_value(False).run())
    assert app.session_state["opened ensemble"].ensemble.n_stages == 14


def test_costs_typed_in_grow_c50_and_are_in_the_link():
    """Predicting “good” for a bad customer costs 5, as in the table's own description."""
    app = fine(opened("Ensembles", data="credit_g", **{"en.method": "c50", "en.members": "3"}))
    assert "expected cost" not in texts(app.markdown)
    app = tab(app, "en.cost_table", True)
    app = fine(typed(app, editor(app, "class", "predicted good"), _1={"predicted good": 5}))
    assert app.query_params["en.costs"] == "[[1,[[0,5.0]]]]"
    settings = app.session_state["settings"]
    made, subsets = ensembles.ensemble(settings), trees.parts(settings)
    alone = ex.c50(subsets.train, ex.C45.replace(min_rows_leaf=2, costs={"bad": {"good": 5}}), 3)
    predicted, true = alone.predict(subsets.valid), np.array(subsets.valid.classes)[subsets.valid.y]
    assert (made.predict(subsets.valid) == predicted).all()

    def paid(predicted):
        return float(np.mean(5 * ((true == "bad") & (predicted == "good")) + ((true == "good") & (predicted == "bad"))))

    cheapest = min(5 * np.mean(true == "bad"), np.mean(true == "good"))
    assert f"validation expected cost {number(paid(predicted), 3)}" in texts(app.markdown)
    assert f"cheapest constant prediction {number(cheapest, 3)}" in line(app)
    assert "worse than the majority" not in line(app)
    single = ex.grow(subsets.train, ex.CART.replace(min_rows_leaf=2, costs={"bad": {"good": 5}}))
    table = next(part.value for part in app.markdown if part.value.startswith("|"))
    rows = {
        cells[1].split(":small")[0].strip("* "): cells[-2].strip("* ")
        for cells in (row.split("|") for row in table.splitlines())
    }
    assert rows["ensemble"] == f"{paid(predicted):.3f}"
    assert rows["full CART tree"] == f"{paid(single.predict(subsets.valid)):.3f}"
    assert rows["baseline"] == f"{cheapest:.3f}"
    curve = next(curve for curve in ensembles.picture(settings).curves if curve.of == "validation")
    assert curve.values[-1] == pytest.approx(paid(predicted)), "the curve and its star follow the headline"
    app = typed(app, editor(app, "class", "predicted good"), _0={"predicted good": 2})
    assert "correct prediction" in texts(app.error)
    assert app.session_state["settings"] == settings


def test_costs_stay_with_methods_that_vote_for_classes_of_the_table():
    def read(costs, method="forest"):
        return settings_from_query({"data": ["iris"], "en.method": [method], "en.costs": [costs]})

    kept = "[[1,[[0,5.0]]]]"
    assert ensembles.explicit(read(kept)[0]).costs == ((1, ((0, 5.0),)),)
    assert not ensembles.explicit(read(kept, "adaboost")[0]).costs
    assert not ensembles.explicit(read("[[3,[[0,5.0]]]]")[0]).costs
    for wrong in ("[[1,[[1,5.0]]]]", '[["a",[[0,5.0]]]]', "[[1,5.0]]", "[[1,[[0,-1]]]]", "7", "[["):
        settings, refused = read(wrong)
        assert settings.ensembles.costs == ()
        assert refused
