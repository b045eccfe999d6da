"""Choices made by hand come back from their file on the Grow page; a file that does not fit is refused and said."""

import re
from pathlib import Path

import explorer as ex
from pages.grow import manual_choices
from pages.settings.settings import Settings
from pages.settings.url import settings_from_query
from tests.pages.app import fine, metrics, opened, texts


def given(app, content, name="choices.json"):
    content = content if isinstance(content, bytes) else content.to_json().encode()
    n_loaded = app.session_state.get("saved.loaded", 0)
    app.session_state[f"saved.load.{n_loaded}"] = True  # the place of the uploader, opened
    app = app.run()
    return app.file_uploader[0].upload(name, content, "application/json").run()


def loaded(app, content):
    return fine(given(app, content))


def address_of(choices):
    return Settings(choices=choices).to_query()["choice"]


def settings(app):
    return app.session_state["settings"]


def test_saved_choices_grow_the_tree_that_they_were_saved_from():
    choices = ex.Choices().force(ex.NodePath((), ()), "Wind").lock(ex.NodePath((1,), ("Wind = Strong",)))
    app = loaded(opened("Grow"), choices)
    assert settings(app).choices == choices
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    assert metrics(app)["Leaves"] == str(ex.grow(data, ex.ID3, choices=choices).n_leaves)
    assert "split on Wind" in texts(app.markdown)
    assert fine(app.button("decided.clear").click().run()).session_state["settings"].choices == ex.Choices()


def test_they_take_the_place_of_those_made_so_far_and_what_has_no_place_rests():
    made = ex.Choices().lock(ex.NodePath((), ()))
    app = opened("Grow", choice=address_of(made))
    wanted = ex.Choices().force(ex.NodePath((), ()), "Wind").lock(ex.NodePath((0,), ("Outlook = Sunny",)))
    app = loaded(app, wanted)
    assert settings(app).choices == wanted
    assert "(inactive: above it, the tree now splits on Wind)" in texts(app.markdown)


def refused(content, message):
    app = opened("Grow", choice=address_of(ex.Choices().lock(ex.NodePath((1,), ("Outlook = Overcast",)))))
    before = settings(app)
    app = given(app, content, "mine.json")
    assert not app.exception
    assert settings(app) == before
    said = texts(app.error).replace("\\", "")
    assert "'mine.json' was not loaded" in said
    assert message in said
    assert "Nothing was changed" in said


def test_a_file_that_is_no_json_is_refused():
    refused(b"Wind at the root", "not JSON (line 1, column 1)")


def test_a_file_about_another_table_is_refused_by_its_feature():
    refused(ex.Choices().force((), "Wimd"), "did you mean 'Wind'?")


def test_a_file_without_choices_is_refused():
    refused(b"[]", "The file has no manual choices")


def test_a_file_that_fits_nowhere_is_refused():
    refused(ex.Choices().lock(ex.NodePath((0,), ("Sky = grey",))), "None of its choices is possible in this tree")


def test_a_bare_path_that_leads_nowhere_is_refused():
    refused(ex.Choices().lock((7,)), "is not possible")


def test_a_huge_file_is_refused_unread(monkeypatch):
    monkeypatch.setattr(manual_choices, "_LARGEST", 10_000)
    refused(b"[" * 10_001, "larger than 10 kB")


def test_a_link_with_a_choice_that_cannot_be_says_which_and_why():
    whole = '{"op":"force","path":[],"feature":"Wind","test":"threshold","threshold":1' + "0" * 400 + "}"
    result, problems = settings_from_query({"choice": [whole]})
    assert result.choices == ex.Choices()
    (said,) = problems
    assert "Choice 1: The threshold of 'Wind' is inf: give a finite number." in said
    assert "0" * 100 not in said


def test_the_file_in_the_definitions_is_read_as_they_say():
    definitions = (Path(ex.__file__).parent / "DEFINITIONS.md").read_text("utf-8")
    example = definitions.split("a leaf where it is strong:")[1].split("A file with any other key")[0]
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3, choices=ex.Choices.from_json(example))
    assert all(status.is_in_force for status in ex.constraint_statuses(tree))
    assert [tree.node(node).condition and tree.node(node).condition.feature for node in (0, 2)] == ["Wind", None]
    assert set(re.findall(r"^\| `(\w+)` \|", definitions, re.M)) >= {
        *("op", "path", "way", "feature", "test", "threshold", "categories")
    }
