"""The frame of the lessons: the overview, the rail, the way from scene to scene, questions, links, frozen settings."""

import dataclasses
import json
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import explorer as ex
from explorer.candidates.competition import RankedCandidates
from pages.learn import scene_order
from pages.learn.path import SCENES
from pages.learn.scenes import own
from pages.settings import session, url
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, while_frozen
from pages.settings.view_settings import ViewSettings
from tests.folders import GOLDEN_FOLDER
from tests.pages.app import fine, opened, texts, uploaded, views, went

GOLDEN = json.loads((GOLDEN_FOLDER / "golden.json").read_text("utf-8"))


def scene(name="which_attribute", step=0, **query):
    return opened("Learn", learn="scene", scene=name, scene_step=str(step), **query)


def strip(app):
    """What the strip below the picture was given."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return next(data for data in given if "titles" in data)


def first_question():
    """A scene, the position of its first step with a question, and that question."""
    for each in SCENES:
        for position, step in enumerate(each.steps({})):
            if step.question is not None:
                return each, position, step.question
    raise AssertionError("no scene asks anything")


def test_the_overview_has_a_card_for_every_scene_and_the_rail_a_button():
    app = fine(opened("Learn"))
    keys = {button.key for button in app.button}
    for each in SCENES:
        assert f"learn.card.{scene_order.folder(each)}.{each.name}" in keys
        assert f"learn.open.{each.name}" in keys


def test_the_short_path_takes_about_a_quarter_of_an_hour_and_each_scene_leads_to_the_next():
    short = scene_order.short_path()
    assert 12 <= sum(each.minutes for each in short) <= 18
    visited, now = [short[0]], scene_order.following(short[0], on_short_path=True)
    while now is not None:
        visited.append(now)
        now = scene_order.following(now, on_short_path=True)
    assert tuple(visited) == short
    assert scene_order.following(SCENES[-1]) is None


def test_the_short_path_begins_at_its_first_scene_and_is_kept_in_the_link():
    app = fine(opened("Learn").button("learn.short_path").click().run())
    assert app.session_state["settings"].learn.scene == scene_order.short_path()[0].name
    assert app.session_state["settings"].to_query()["short_path"] == ["yes"]


@pytest.mark.parametrize("each", SCENES, ids=lambda each: each.name)
def test_every_scene_has_three_to_seven_steps_with_names_and_questions_that_can_be_answered(each):
    steps = each.steps({})
    assert 3 <= len(steps) <= 7
    assert len({step.name for step in steps}) == len(steps)
    for step in steps:
        if step.question is not None:
            assert 2 <= len(step.question.options) <= 9, "digits answer"
            assert set(step.question.right) <= set(range(len(step.question.options)))
            assert step.question.right


def test_a_link_to_no_scene_says_so_and_opens_all_scenes():
    app = opened("Learn", learn="scene", scene="alchemy")
    assert "There is no scene 'alchemy'" in texts(app.warning)
    assert any(button.key == "learn.short_path" for button in app.button)
    assert app.session_state["settings"].learn.section == "path"


def test_a_link_beyond_the_last_step_says_so_and_opens_the_last():
    app = scene(SCENES[0].name, 50)
    assert "the link names step 51" in texts(app.warning)
    assert strip(app)["position"] == len(SCENES[0].steps({})) - 1


def test_an_answer_shows_the_reason_and_the_number():
    each, position, question = first_question()
    wrong = next(option for option in range(len(question.options)) if option not in question.right)
    app = fine(scene(each.name, position))
    assert strip(app)["open"] == len(question.options)
    assert not app.success
    app = fine(app.button(f"learn.answer.{wrong}").click().run())
    assert question.because.split()[0] in texts(app.warning)
    assert strip(app)["open"] == 0
    app = fine(scene(each.name, position))
    app = fine(app.button(f"learn.answer.{question.right[0]}").click().run())
    assert question.because.split()[0] in texts(app.success)


def test_a_step_says_what_is_wrong_and_right_as_quotations():
    app = fine(scene("growing_rules"))
    app = fine(app.button("learn.answer.0").click().run())
    assert texts(app.warning).startswith("Not “It takes A” but “It makes a leaf”. Equal gains")


def test_candidates_that_all_split_into_each_value_do_not_say_so_in_every_row():
    (rows,) = [frame.value for frame in fine(scene("which_attribute", 2)).dataframe]
    assert [name for name in ("gain", "split", "verdict") if name in rows] == ["gain"]
    app = fine(scene("gain_ratio", 5))
    app = fine(app.button("learn.answer.0").click().run())
    assert any("split" in frame.value for frame in app.dataframe), "thresholds say which"


def test_the_last_step_marks_the_scene_as_finished_and_leads_on():
    each = SCENES[0]
    app = fine(scene(each.name, len(each.steps({})) - 1))
    button = next(button for button in app.button if button.key == f"learn.open.{each.name}")
    assert ":material/check:" in button.label
    app = fine(app.button("learn.end.next").click().run())
    assert app.session_state["settings"].learn.scene == SCENES[1].name


def test_the_end_of_a_scene_names_each_way_once():
    last = next(each for each in reversed(SCENES) if not scene_order.following(each))
    app = fine(scene(last.name, len(last.steps({})) - 1))
    assert "learn.end.next" not in {button.key for button in app.button}, "the strip leads to all scenes"
    app = fine(uploaded(opened("Data"), "mine.csv", b"x,y\n" + b"a,yes\nb,no\n" * 10))
    app = fine(went(app, "Learn"))
    app = fine(app.button("learn.open.own").click().run())
    settings = app.session_state["settings"]
    app.session_state["settings"] = dataclasses.replace(settings, learn=settings.learn.at("own", 4))
    app = fine(app.run())
    assert app.button("learn.end.own").label == "Open in the workbench", "it is on the reader's data already"


def test_a_scene_s_table_opens_in_the_workbench():
    each = next(each for each in SCENES if each.sample and each.recipe)
    app = fine(scene(each.name, len(each.steps({})) - 1))
    app = fine(app.button("learn.end.workbench").click().run())
    settings = app.session_state["settings"]
    assert (settings.sample, settings.grow.name) == (each.sample, each.recipe)


def test_without_an_own_table_the_data_page_says_what_to_do():
    each = SCENES[0]
    app = fine(scene(each.name, len(each.steps({})) - 1))
    app = fine(app.button("learn.end.own").click().run())
    assert "Open a table of your own here" in texts(app.info)


def test_the_own_scene_has_the_numbers_of_the_table_in_use(own_steps):
    root = {step.name: step for step in own_steps(data="play_tennis")}
    gold = GOLDEN["play_tennis"]
    assert root["rows"].number.value == pytest.approx(gold["entropy"])
    gains = root["candidates"].numbers
    assert gains == pytest.approx({feature: gold["gain"][feature] for feature in gains}, abs=1e-6)
    assert root["branches"].numbers["after"] == pytest.approx(gold["entropy"] - gold["gain"]["Outlook"], abs=1e-6)
    assert root["whole"].number.value == 5


def test_the_own_scene_explains_a_regression_tree_too(own_steps):
    steps = {step.name: step for step in own_steps(data="lihang_8_2_regression", recipe="CART")}
    y = ex.load_sample("lihang_8_2_regression").frame["y"].to_numpy(dtype=float)
    assert steps["rows"].number.value == pytest.approx(np.var(y))
    assert "thresholds" in steps


def test_a_curve_of_many_thresholds_words_some_of_them_and_the_winner(own_steps, monkeypatch):
    """Wording each of 50,000 thresholds of a long table would take minutes."""
    make, made = RankedCandidates.make, []
    monkeypatch.setattr(RankedCandidates, "make", lambda *given: made.append(given) or make(*given))
    (whole,) = [step for step in own_steps(data="iris", recipe="CART") if step.name == "thresholds"]
    n_made = len(made)
    monkeypatch.setattr(own, "_MOST_CUTS", 5)
    (some,) = [step for step in own_steps(data="iris", recipe="CART") if step.name == "thresholds"]
    assert len(made) - n_made < 20 < n_made
    assert some.text == whole.text
    pictures = (some.picture, whole.picture)
    few, every = ([(place.at, place.reading) for place in each.places] for each in pictures)
    assert len(few) <= 7 < len(every)
    assert set(few) <= set(every)
    assert few[some.picture.shown] == every[whole.picture.shown]


def test_the_own_scene_says_of_a_leaf_why_it_is_one(own_steps):
    names = [step.name for step in own_steps(data="play_tennis", node="4")]  # Outlook = Sunny and Humidity = High
    assert names == ["rows", "leaf", "whole"]


@pytest.fixture
def own_steps(monkeypatch):
    """The steps of the own scene for the settings of a link."""

    def steps(**query):
        settings, problems = url.settings_from_query({key: [value] for key, value in query.items()})
        assert problems == []
        monkeypatch.setattr(session, "read", lambda: settings)
        return own.SCENE.steps({})

    return steps


def test_the_inspector_of_a_node_opens_its_scene():
    app = fine(opened("Grow", data="play_tennis", node="1"))
    app = fine(app.button("explain_node").click().run())
    assert app.session_state["settings"].learn.scene == "own"


def test_a_tree_in_a_scene_has_no_tools_and_no_slider():
    app = fine(scene("own", data="play_tennis"))
    view = views(app)["learn.tree"]
    assert view["bare"]
    assert not views(fine(opened("Grow", data="play_tennis")))["grow"]["bare"]


FROZEN = Settings(view=ViewSettings(frozen=True))


@pytest.mark.parametrize(
    "change",
    [
        {"sample": "titanic"},
        {"grow": GrowSettings("CART")},
        {"target": "Wind"},
        {"palette": "vivid"},
        {"ensembles": EnsembleSettings(method="forest")},
        {"view": ViewSettings(frozen=True, class_labels=(("Yes", "ja"),))},
    ],
    ids=lambda change: next(iter(change)),
)
def test_frozen_settings_stay_as_they_are(change):
    assert while_frozen(FROZEN, dataclasses.replace(FROZEN, **change)) == FROZEN


@pytest.mark.parametrize(
    "change",
    [
        {"node": 3},
        {"alpha": 0.2},
        {"view": ViewSettings(frozen=True, presenter=True)},
        {"learn": FROZEN.learn.at("mixed", 2)},
        {"ensembles": EnsembleSettings(member=2)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_shown_of_frozen_settings_still_changes(change):
    wanted = dataclasses.replace(FROZEN, **change)
    assert while_frozen(FROZEN, wanted) == wanted


def test_unfreezing_lets_everything_change_again():
    wanted = Settings(sample="titanic")
    assert while_frozen(FROZEN, wanted) == wanted


def test_a_frozen_page_refuses_another_algorithm_and_says_why():
    app = opened("Grow", data="play_tennis", frozen="yes")
    app = app.segmented_control("grow.recipe").set_value("CART").run()
    assert "The settings are frozen" in texts(app.info)
    assert app.session_state["settings"].grow == GrowSettings()


def test_frozen_settings_have_a_sign_beside_them_and_lessons_none():
    assert "The settings are frozen" in texts(opened("Grow", data="play_tennis", frozen="yes").caption)
    assert "The settings are frozen" not in texts(scene(frozen="yes").caption)


def test_the_lesson_link_freezes_and_presents_as_ticked():
    app = scene(SCENES[0].name, 1)
    app.session_state["share"] = True
    app = fine(app.run())
    assert lesson_query(app)["frozen"] == ["yes"]
    assert "presenter" not in lesson_query(app)
    app = fine(app.checkbox("lesson_link.presenter").check().run())
    query = lesson_query(fine(app.checkbox("lesson_link.frozen").uncheck().run()))
    assert query["presenter"] == ["yes"]
    assert "frozen" not in query
    assert (query["scene"], query["scene_step"]) == ([SCENES[0].name], ["1"])


def lesson_query(app):
    return parse_qs(urlsplit(app.code[0].value).query)
