"""The question which column to predict: who is asked, what a click does, and what repairs change."""

from tests.pages.app import fine, opened, texts, uploaded

UNSURE = "a,b,c\n" + "".join(f"{i % 7}.5,{i % 5}.25,{i % 6}.75\n" for i in range(40))
PRICES = "price,ram,ads,trend\n" + "".join(
    f'"{1 + i % 3},{100 + 7 * i}",{i % 4},{i * 3 % 31},{i % 35}\n' for i in range(60)
)
HEIGHTS = "time_stamp,sex,height\n" + "".join(
    f"2014-09-{2 + i % 20:02d} 13:{i % 60:02d}:36,{('Male', 'Female')[i % 3 == 0]},{'Yyy' if i == 9 else 60 + i % 17}\n"
    for i in range(80)
)
"""As the table of reported heights in R's package dslabs: what is no number keeps the heights from being guessed."""


def target(app):
    return app.session_state["settings"].target


def asked(app):
    return [button.label for button in app.button if str(button.key).startswith("guessed_target.")]


def test_who_does_not_name_the_target_is_asked_and_one_click_answers():
    app = fine(uploaded(opened(), "unsure.csv", UNSURE.encode()))
    assert target(app) == "c"
    assert sorted(asked(app)) == ["a", "b", "c"]
    assert asked(app)[0] == "c"
    app = fine(app.button("guessed_target.1").click().run())
    assert target(app) == "a"
    assert asked(app) == []


def test_the_guess_is_kept_by_a_click_too():
    app = fine(uploaded(opened(), "unsure.csv", UNSURE.encode()))
    app = fine(app.button("guessed_target.0").click().run())
    assert (target(app), asked(app)) == ("c", [])


def test_a_name_that_tells_the_target_is_no_question():
    app = fine(uploaded(opened(), "told.csv", UNSURE.replace("b", "outcome").encode()))
    assert (target(app), asked(app)) == ("outcome", [])


def test_a_number_that_a_repair_makes_of_text_becomes_the_target_unless_one_was_chosen():
    app = fine(uploaded(opened(), "computers.csv", PRICES.encode()))
    assert target(app) != "price"
    repaired = fine(apply_first(app))
    assert target(repaired) == "price"
    assert "'price': it is the target" in texts(repaired.info)
    app = fine(uploaded(opened(), "computers.csv", PRICES.encode()))
    app = fine(app.selectbox("target").set_value("ads").run())
    assert target(fine(apply_first(app))) == "ads"


def test_undo_takes_back_the_repairs_and_the_target_that_came_with_them_in_one_step():
    app = fine(uploaded(opened(), "computers.csv", PRICES.encode()))
    first = app.session_state["settings"]
    app = fine(apply_first(app))
    repaired = app.session_state["settings"]
    assert (target(app), len(repaired.repairs)) == ("price", 1)
    app = fine(app.button("undo").click().run())
    assert app.session_state["settings"] == first
    app = fine(app.button("redo").click().run())
    assert app.session_state["settings"] == repaired


def test_a_guess_stays_the_target_and_a_question_when_other_columns_are_repaired():
    app = fine(uploaded(opened(), "reported_heights.csv", HEIGHTS.encode()))
    assert target(app) == "sex"
    app = fine(app.button("suggestions.all").click().run())
    assert [repair.kind for repair in app.session_state["settings"].repairs] == ["dates"]
    assert target(app) == "sex"
    assert not [name for name in asked(app) if name.startswith("time_stamp")], "a date is no target"
    app = fine(apply_first(app))
    assert len(app.session_state["settings"].repairs) == 2
    assert target(app) == "sex"
    assert "it is the target" not in texts(app.info)
    assert (asked(app)[0], set(asked(app))) == ("sex", {"sex", "height"})


def test_the_target_is_guessed_again_when_the_repair_that_made_it_a_number_is_undone():
    app = fine(apply_first(fine(uploaded(opened(), "computers.csv", PRICES.encode()))))
    assert target(app) == "price"
    undo = next(button for button in app.button if str(button.key).startswith("suggestion.undo."))
    app = fine(undo.click().run())
    assert target(app) not in ("price", "")
    assert f"'{target(app)}': it is the target" in texts(app.info)


def apply_first(app):
    """Answer the question what a comma is, and take the repair."""
    for box in app.selectbox:
        if str(box.key).startswith("suggestion.choice."):
            app = box.set_value(box.options[0] if box.value is None else box.value).run()
            break
    button = next(button for button in app.button if str(button.key).startswith("suggestion.apply."))
    return button.click().run()
