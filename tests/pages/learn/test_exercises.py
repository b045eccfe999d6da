"""The exercises on the page: typed cells are checked, hints come in two levels, shown cells are counted as shown."""

from explorer.explaining.exercises import EXERCISE_KINDS
from tests.pages.app import fine, opened, texts


def exercise(**chosen):
    return fine(
        opened("Learn", learn="exercises", **{"with": [f"exercise.{name}={value}" for name, value in chosen.items()]})
    )


def cell(app, symbol):
    (found,) = [each for each in app.text_input if each.label.startswith(f"{symbol} ")]
    return found


def typed(app, symbol, text):
    cell(app, symbol).set_value(text)
    return fine(app.run())


def task(app):
    return next(element.value for element in app.markdown if element.value.startswith("**"))


def test_a_right_cell_counts_and_a_slip_is_named():
    app = exercise(kind="gain", table="play_tennis")
    assert "0 of" in app.get("progress")[0].proto.text
    app = typed(app, "H(D)", "0,940")
    assert "1 of" in app.get("progress")[0].proto.text
    app = typed(app, "H(D)", "0.652")
    assert "0 of" in app.get("progress")[0].proto.text
    assert "natural logarithm" in texts(app.caption)


def test_what_was_typed_stays_when_the_exercise_is_opened_again():
    app = typed(exercise(kind="gain", table="play_tennis"), "H(D)", "0.94")
    first = task(app)
    app.button(key="learn.exercise.another").click()
    fine(app.run())
    assert task(app) != first
    app.number_input(key="learn.exercise.seed").set_value(0)
    fine(app.run())
    assert task(app) == first
    assert cell(app, "H(D)").value == "0.94"


def test_every_kind_can_be_opened_by_its_link():
    for kind in EXERCISE_KINDS:
        app = exercise(kind=kind)
        assert len(app.text_input) >= 4, kind
        assert not app.error, kind


def test_counts_are_asked_on_wish():
    given, asked = exercise(kind="gini"), exercise(kind="gini", counts="asked")
    assert len(asked.text_input) == len(given.text_input) + 9


def test_the_rows_of_ones_own_table_are_used():
    app = exercise(kind="gain", table="own")
    assert not app.error
    assert "PlayTennis" in task(app)


def test_a_link_with_nonsense_opens_the_first_exercise():
    app = exercise(kind="luck", table="nowhere", seed="-3", counts="maybe")
    assert "information gain" in task(app)


def test_the_table_of_an_exercise_does_not_change_that_of_a_scene():
    app = fine(opened("Learn", learn="scene", scene="cost_complexity"))
    fine(app.button("learn.open.exercises").click().run())
    app.selectbox("learn.exercise.table").set_value("random")
    fine(app.run())
    app = fine(app.button("learn.open.cost_complexity").click().run())
    assert not app.warning
    app = fine(app.button("learn.open.exercises").click().run())
    assert app.selectbox("learn.exercise.table").value == "random"


def test_a_seed_of_many_digits_is_cut():
    app = exercise(seed="1" * 5000)
    assert app.number_input("learn.exercise.seed").value == 111_111
