"""Labels and colours of classes: everywhere the same, in the link, and without an effect on weights and costs."""

import json
import re

import pytest

import explorer as ex
from pages.results import provenance, trees
from pages.settings import url
from pages.settings.settings import Settings
from pages.settings.view_settings import ViewSettings
from pages.widgets import downloads
from tests.oracles.pack_reader import unpacked
from tests.pages.app import NAMES, editor, fine, metrics, opened, summary, tab, texts, typed, unfold, views, went

LABELS = {"data": "titanic", "label": ["0=lost", "1=saved"]}


def settings_of(query):
    result, problems = url.settings_from_query({k: v if isinstance(v, list) else [v] for k, v in query.items()})
    assert problems == []
    return result


def menu(app):
    """The page with its menu open."""
    app.session_state["menu"] = True
    return fine(app.run())


def test_tree_and_inspector_show_the_labels():
    app = fine(opened("Grow", **LABELS))
    assert "predicts **lost**" in texts(app.markdown)
    assert "predicts **0**" not in texts(app.markdown)
    header, _ = unpacked(trees.tree_payload(settings_of(LABELS)))
    assert header["classes"] == ["lost", "saved"]
    app = tab(app, "node.tab", "Thresholds")
    (branches,) = [str(html.value) for html in app.get("html") if ">branch<" in str(html.value)]
    assert {"lost", "saved"} <= set(re.findall(r">([^<>]+)</th>", branches))


def test_the_tree_is_the_same_but_for_its_labels():
    plain = trees.grown(settings_of({"data": "titanic"})).tree
    labelled = trees.grown(settings_of(LABELS)).tree
    assert labelled.stats.tolist() == plain.stats.tolist()
    assert labelled.classes == ("lost", "saved")
    assert metrics(opened("Grow", **LABELS)) == metrics(opened("Grow", data="titanic"))


@pytest.mark.parametrize("page", ["Rules", "Evaluate", "Prune", "Compare"])
def test_every_page_opens_under_labels(page):
    app = fine(opened(page, **LABELS))
    assert app.query_params["label"] == ["0=lost", "1=saved"]


def test_rules_and_exports_name_the_labels():
    settings = settings_of({**LABELS, "recipe": "CART", "max_depth": "2"})
    made = provenance.of_grown(settings)
    files = {file.name: file for group in downloads._files(made, "safe").values() for file in group}
    for name in ("rules.txt", "rules.csv", "tree.txt", "tree.py", "tree.sql", "tree.json", "tree.dot", "tree.svg"):
        text = files[name].make()
        assert "saved" in text, name
        assert "lost" in text, name


def test_the_report_says_the_labels_and_its_script_grows_the_tree_again(tmp_path, monkeypatch):
    made = provenance.of_grown(settings_of({**LABELS, "class_weights": "[[1,2.0]]"}))
    report, script = ex.to_report(made, "markdown"), ex.to_script(made)
    assert "0 → lost, 1 → saved" in report
    assert "data = data.with_class_labels({0: 'lost', 1: 'saved'})" in script
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(script, "again.py", "exec"), names)
    assert names["tree"].to_dict() == made.tree.to_dict()


class TestWeightsAndCosts:
    """Settings and links name the classes as the file does; tables and the tree show the labels."""

    def test_a_link_made_before_the_labels_keeps_its_meaning(self):
        amounts = {"recipe": "CART", "class_weights": "[[1,2.0]]", "costs": "[[0,[[1,3.0]]]]"}
        plain = trees.grown(settings_of({"data": "titanic", **amounts})).tree
        labelled = trees.grown(settings_of({**LABELS, **amounts})).tree
        assert labelled.stats.tolist() == plain.stats.tolist()
        assert dict(labelled.recipe.class_weights) == {"saved": 2.0}
        app = fine(opened("Grow", **LABELS, **amounts))
        assert app.query_params["class_weights"] == "[[1,2.0]]"
        assert not texts(app.warning)

    def test_the_tables_show_labels_and_the_link_keeps_the_names_of_the_file(self):
        app = fine(unfold(opened("Grow", **LABELS, recipe="CART")))
        table = editor(app, "class", "weight")
        assert table.value["class"].tolist() == ["lost", "saved"]
        app = fine(typed(app, table, _1={"weight": 2}))
        assert json.loads(app.query_params["class_weights"]) == [[1, 2.0]]
        assert editor(app, "class", "weight").value["weight"].tolist() == [1, 2]

    def test_weights_outlive_a_change_of_labels(self):
        app = menu(opened("Grow", data="titanic", recipe="CART", class_weights="[[1,2.0]]"))
        size = metrics(app)
        app = fine(app.text_input("label.1.survived").set_value("saved").run())
        assert app.query_params["label"] == "1=saved"
        assert app.query_params["class_weights"] == "[[1,2.0]]"
        assert metrics(app) == size


class TestLabelsOfASample:
    """The passengers of the Titanic died or survived, as long as the reader calls it nothing else."""

    def test_they_stand_on_the_pages_and_in_no_link(self):
        app = fine(opened("Grow", data="titanic"))
        assert "predicts **died**" in texts(app.markdown)
        assert "label" not in app.query_params

    def test_the_reader_s_own_come_first_even_the_name_in_the_file(self):
        app = menu(opened("Grow", data="titanic"))
        for before, label, link in (("died", "lost", "0=lost"), ("lost", "0", "0=0")):
            app = fine(app.text_input(f"label.0.{before}").set_value(label).run())
            assert app.query_params["label"] == link
            assert f"predicts **{label}**" in texts(app.markdown)
        app = fine(app.text_input("label.0.0").set_value("").run())
        assert "label" not in app.query_params
        assert "predicts **died**" in texts(app.markdown)

    def test_they_belong_to_the_classes_of_the_file(self):
        for other in ({"target": "sex"}, {"repair": '["recoded","survived",{"values":[["0","no"]]}]'}):
            assert trees.class_labels(settings_of({"data": "titanic", **other})) == {}


class TestTheMenu:
    """The menu gives classes labels and colours, and takes them away again."""

    def test_a_label_is_taken_and_an_empty_one_takes_it_away(self):
        app = menu(opened("Grow"))
        app = fine(app.text_input("label.Yes.Yes").set_value("play").run())
        assert app.query_params["label"] == "Yes=play"
        assert "predicts **play**" in texts(app.markdown)
        app = fine(app.text_input("label.Yes.play").set_value("").run())
        assert "label" not in app.query_params
        assert "predicts **Yes**" in texts(app.markdown)

    def test_a_label_that_two_classes_would_share_is_refused(self):
        app = menu(opened("Grow"))
        app = app.text_input("label.Yes.Yes").set_value("No").run()
        assert not app.exception
        assert "Nothing was changed." in texts(app.error)
        assert "label" not in app.query_params
        assert "predicts **Yes**" in texts(app.markdown)

    def test_a_label_with_an_equals_sign_survives_the_link(self):
        app = menu(opened("Grow"))
        app = fine(app.text_input("label.Yes.Yes").set_value("temp = 20 %3D").run())
        linked = opened("Grow", label=app.query_params["label"])
        assert "predicts **temp = 20 %3D**" in texts(fine(linked).markdown)

    def test_colours_reach_the_tree_the_charts_and_the_link(self):
        app = menu(opened("Grow"))
        picker = next(picker for picker in app.color_picker if picker.key.startswith("colour.Yes."))
        app = fine(picker.set_value("#112233").run())
        assert app.query_params["colour"] == "Yes=#112233"
        assert "#112233" in json.dumps(views(app)["grow"]["themes"])
        (bar,) = [html.proto.body for html in app.get("html") if "class-bar" in html.proto.body]
        assert "#112233" in bar
        app = fine(app.button("looks.reset").click().run())
        assert "colour" not in app.query_params
        assert "#112233" not in json.dumps(views(app)["grow"]["themes"])

    def test_labels_keep_their_colours(self):
        query = {"colour": "Yes=#112233", "label": "Yes=play"}
        assert "#112233" in json.dumps(views(fine(opened("Grow", **query)))["grow"]["themes"])


def test_labels_and_colours_go_with_their_target():
    app = fine(opened("Data", **LABELS, colour="0=#112233"))
    app = fine(app.selectbox("target").select("sex").run())
    assert not {"label", "colour"} & set(app.query_params)
    fine(went(app, "Grow"))


@pytest.mark.parametrize("label", ["x", "=y", "Yes=", "Perhaps=x", ["Yes=No", "No=No"]])
def test_labels_of_a_bad_link_are_refused_and_said(label):
    app = fine(opened("Data", label=label))
    assert texts(app.warning)
    assert "label" not in app.query_params
    app = fine(went(app, "Grow"))
    assert "predicts **Yes**" in texts(app.markdown)


def test_a_target_read_as_numbers_has_no_labels():
    app = fine(opened("Grow", **LABELS, kind="survived:numeric"))
    assert "MSE" in summary(app)


def test_labels_are_shown_as_text():
    name = "**b** $x$ :red[r]"
    app = fine(opened("Grow", label=f"Yes={name}"))
    shown = [element.value for kind in (app.markdown, app.caption, app.subheader) for element in kind]
    assert not [text for text in shown if name in text]


def test_a_class_named_with_an_equals_sign_keeps_its_label_in_the_link():
    view = ViewSettings(class_labels=(("x=1", "one"), ("50%3D", "half")))
    query = Settings(view=view).to_query()
    assert settings_of(query).view == view


@pytest.mark.parametrize("page", NAMES)
def test_the_menu_opens_on_every_page(page):
    menu(opened(page))
