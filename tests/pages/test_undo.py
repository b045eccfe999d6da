"""Every step can be undone and done again: in order, over all pages and tables, with a text that says what it was."""

import contextlib
import dataclasses
import itertools
import random

import pytest
from streamlit.runtime.scriptrunner import StopException

import explorer as ex
from pages.layout.steps import undo, words
from pages.settings import history, session
from pages.settings.history import MOST_STEPS, PART, REDO, UNDO, History
from pages.settings.page_settings import CompareSettings, GrowSettings, PredictSettings, RulesSettings
from pages.settings.settings import TABLE, Settings, changed
from pages.settings.view_settings import ViewSettings
from tests.pages.app import SAMPLE_FILES, fine, opened, picked, texts, typed, uploaded, went

CAR = SAMPLE_FILES.joinpath("car.csv").read_bytes()
FIELDS = dataclasses.fields(Settings)
RECORDS = {field.name: field.default for field in FIELDS if dataclasses.is_dataclass(field.default)}


def stepped(steps, before, now):
    return history.noted(steps, before, now), now


def gone(steps, now, how):
    """What undo or redo gives, and the history after it."""
    state = history.restored(steps.next(how), now)
    return history.noted(steps, now, state, how), state


def some_step(settings, rng):
    """Settings a step away, chosen at random."""
    number, word = rng.randrange(1000), rng.choice("abcdefgh")
    choices = {
        "sample": rng.choice(["iris", "golf", "titanic"]),
        "target": word,
        "features": (word, "x"),
        "kinds": ((word, "numeric"),),
        "split": rng.choice(["all", "two", "three"]),
        "share": rng.randrange(10, 91),
        "grow": GrowSettings(rng.choice(["ID3", "C4.5", "CART"]), (("min_rows_leaf", number),)),
        "right": GrowSettings("CART", (("max_depth", number),)),
        "alpha": number / 7,
        "manual_steps": (("collapse", number),),
        "repairs": (ex.Repair.from_plain(["per_cent", word, {"decimal": ".", "group": ","}]),),
        "smoothing": rng.choice(["none", "laplace"]),
        "folds": rng.randrange(2, 101),
        "palette": rng.choice(["safe", "greys"]),
        "rules": RulesSettings(min_rows=number),
        "compare": CompareSettings(has_third=rng.random() < 0.5, row=number),
        "predict": PredictSettings(cells=((0, str(number)),)),
        "view": ViewSettings(class_labels=((word, str(number)),), frozen=settings.view.frozen),
    }
    field = rng.choice(list(choices))
    return changed(settings, **{field: choices[field]})


@pytest.mark.parametrize("seed", range(40))
def test_undo_goes_back_through_all_states_and_redo_through_all_again(seed):
    rng = random.Random(seed)
    now, steps, states = Settings(), History(), []
    for _ in range(rng.randrange(1, 30)):
        if rng.random() < 0.3:
            now = changed(now, node=rng.randrange(9))  # a look is no step
        after = some_step(now, rng)
        if history.chosen(after) != history.chosen(now):
            states.append(now)
        steps, now = stepped(steps, now, after)
    on_the_way = []
    for state in reversed(states):
        on_the_way.append(now)
        steps, now = gone(steps, now, UNDO)
        assert now.to_query() == state.to_query()
    assert steps.next(UNDO) is None
    for state in reversed(on_the_way):
        steps, now = gone(steps, now, REDO)
        assert now.to_query() == state.to_query()
    assert steps.next(REDO) is None
    assert len(steps.before) == len(states)


@pytest.mark.parametrize("seed", range(20))
def test_undo_then_redo_changes_nothing_wherever_one_is(seed):
    rng = random.Random(seed)
    now, steps = Settings(), History()
    for _ in range(60):
        draw = rng.random()
        how = UNDO if draw < 0.3 else REDO
        if draw < 0.5 and steps.next(how) is not None:
            back = REDO if how == UNDO else UNDO
            other, state = gone(steps, now, how)
            again, same = gone(other, state, back)
            assert (again, same) == (steps, now)
            steps, now = other, state
        else:
            steps, now = stepped(steps, now, some_step(now, rng))


def test_a_new_step_ends_what_can_be_redone_and_a_look_or_a_part_of_a_step_does_not():
    first, second = Settings(alpha=0.1), Settings(alpha=0.2)
    steps = history.noted(history.noted(History(), Settings(), first), first, second)
    steps, now = gone(steps, second, UNDO)
    assert history.noted(steps, now, changed(now, node=4)) == steps
    assert history.noted(steps, now, changed(now, folds=5), PART) == steps
    assert steps.next(REDO) == second
    assert history.noted(steps, now, changed(now, folds=5)).next(REDO) is None


def test_what_the_reader_looks_at_stays_and_uses_of_the_test_set_stay_noted():
    before = Settings(sample="iris", rows="abc")
    now = changed(before, alpha=0.1, rows="", test_set_uses=("one",), view=ViewSettings("icicle", presenter=True))
    back = history.restored(before, now)
    assert (back.alpha, back.view, back.test_set_uses, back.rows) == (None, now.view, ("one",), "")
    assert history.restored(before, changed(now, sample="golf")).test_set_uses == ()


def test_what_a_session_keeps_is_bounded():
    steps, now = History(), Settings()
    for share in range(MOST_STEPS + 20):
        steps, now = stepped(steps, now, Settings(alpha=float(share)))
    assert len(steps.before) == MOST_STEPS
    for column in range(30):
        steps, now = stepped(steps, now, Settings(features=(str(column),) * (history.MOST_NAMES // 10)))
    assert sum(len(state.features or ()) for state in steps.before) <= history.MOST_NAMES
    shared = ("x",) * (history.MOST_NAMES // 2)
    for share in range(MOST_STEPS):
        steps, now = stepped(steps, now, Settings(features=shared, alpha=float(share)))
    assert len(steps.before) == MOST_STEPS, "names that all of them share are held once"


def test_each_setting_is_a_step_with_words_or_a_look():
    looks = {f"{part}.{field}".lstrip(".") for part, fields in history.NO_STEP.items() for field in fields}
    slots, records = {"grow", "left", "right", "third"}, set(RECORDS) - {"learn", "choices", "reading"}
    fields = {field.name for field in FIELDS} - {*TABLE, *(records - slots)}
    for name in records - slots:
        fields |= {f"{name}.{field.name}" for field in dataclasses.fields(RECORDS[name])}
    assert set(words.ORDER) - records | {name for name in words.NAMES if "." in name} | slots == fields - looks
    assert set(words.ORDER) - records <= set(words.NAMES)


@pytest.mark.parametrize(
    ("before", "changes", "expected"),
    [
        (Settings(), {"alpha": 0.5}, "α none → 0.500"),
        (Settings(alpha=0.5), {"grow": GrowSettings("C4.5")}, "Algorithm ID3 → C4.5"),
        (
            Settings(grow=GrowSettings("CART", (("min_rows_leaf", 5),))),
            {"grow": GrowSettings("CART", (("min_rows_leaf", 1),))},
            "Min. samples per leaf 5 → 1",
        ),
        (Settings(), {"right": GrowSettings("", (("max_depth", 3),))}, "B: Max. depth no limit → 3"),
        (Settings(folds=10), {"folds": 5, "fold_seed": 3}, "Folds 10 → 5, Seed of the folds 0 → 3"),
        (Settings(target="a"), {"target": "b"}, "the target a → b"),
        (Settings(), {"sample": "iris"}, "Table play_tennis → iris"),
        (Settings(), {"repairs": (ex.Repair("per_cent", "rate", {"decimal": ".", "group": ","}),)}, None),
        (Settings(), {"manual_steps": (("collapse", 3), ("collapse", 4))}, "Pruned by hand 0 → 2"),
        (Settings(), {"smoothing": "laplace"}, "Probabilities Shares of the training rows → Smoothed: Laplace"),
        (Settings(), {"features": ("a",), "split": "two"}, "roles, the split of the rows"),
    ],
)
def test_a_step_is_said_by_what_was_chosen_without_what_that_set_back(before, changes, expected):
    def recipe_of(settings, slot):
        return getattr(settings, slot).recipe(ex.ID3)

    after = changed(before, **changes)
    if expected is None:
        expected = f"rate: {after.repairs[0].label}"
    assert words.said(before, after, lambda settings: settings.sample, recipe_of) == expected


def role(app, name, chosen):
    table = next(frame for frame in app.dataframe if "role" in frame.value)
    return fine(typed(app, table, **{f"_{list(table.value['column']).index(name)}": {"role": chosen}}))


def with_menu(app):
    app.session_state["menu"] = True
    return app.run()


def query(app):
    return app.session_state["settings"].to_query()


def test_steps_of_several_pages_and_tables_are_undone_and_redone_in_order():
    app = uploaded(opened(), "car.csv", CAR)
    states = [query(app)]
    app = role(app, "safety", "not used")
    states.append(query(app))
    app = picked(went(app, "Grow"), "grow", "C4.5")
    states.append(query(app))
    app = fine(went(app, "Data").button("open.golf").click().run())
    states.append(query(app))
    for state in reversed(states[:-1]):
        app = fine(app.button("undo").click().run())
        assert query(app) == state
    for state in states[1:]:
        app = fine(app.button("redo").click().run())
        assert query(app) == state
    assert not [button for button in app.button if button.key == "redo"]


def test_the_first_visit_and_a_link_have_nothing_to_undo():
    for given in ({}, {"data": "iris", "recipe": "CART"}, {"data": "iris", "target": "nowhere"}):
        app = with_menu(opened(**given))
        assert not [button.key for button in app.button if str(button.key).endswith(("undo", "redo"))], given


def test_a_step_is_undone_from_the_menu_of_any_page_and_said():
    app = picked(opened("Grow", data="iris"), "grow", "C4.5")
    app = fine(with_menu(app).button("menu.undo").click().run())
    assert app.session_state["settings"].grow == GrowSettings()
    assert "Undone: Algorithm C4.5 → ID3." in texts(app.toast)
    app = fine(app.button("menu.redo").click().run())
    assert app.session_state["settings"].grow == GrowSettings("C4.5")
    assert "Redone: Algorithm ID3 → C4.5." in texts(app.toast)
    app = fine(went(app, "Data").selectbox("target").select("petalwidth").run())
    assert app.button("undo").proto.help == "the target petalwidth → class, Algorithm CART → C4.5"


def test_start_over_is_undone_as_one_step():
    app = opened(data="iris")
    app = role(app, "sepalwidth", "not used")
    app = picked(went(app, "Grow"), "grow", "CART")
    before = app.session_state["settings"]
    app = fine(went(app, "Data").button("start_over").click().run())
    assert app.session_state["settings"].grow == GrowSettings()
    app = fine(app.button("undo").click().run())
    assert history.chosen(app.session_state["settings"]) == history.chosen(before)


def test_frozen_settings_are_not_undone():
    app = picked(opened("Grow", data="iris"), "grow", "C4.5")
    settings = app.session_state["settings"]
    app.session_state["settings"] = changed(settings, view=ViewSettings(frozen=True))
    app = with_menu(app.run()).button("menu.undo").click().run()
    assert app.session_state["settings"].grow == GrowSettings("C4.5")
    assert "frozen" in texts(app.info)
    app.session_state["settings"] = settings
    assert fine(with_menu(app.run()).button("menu.undo").click().run()).session_state["settings"].grow == GrowSettings()


def test_a_forgotten_file_is_gone_from_the_steps():
    app = role(uploaded(opened(), "car.csv", CAR), "safety", "not used")
    app = fine(app.button("forget").click().run())
    assert all(not state.upload for state in app.session_state["past"].history.before)


class StoppedState(dict):
    """The state of a session of which one use stops the run, as Streamlit stops one for the next action."""

    uses_left, is_running = 0, False

    def _used(self):
        self.uses_left -= self.is_running
        if self.is_running and self.uses_left == 0:
            raise StopException

    def __getitem__(self, key):
        self._used()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._used()
        super().__setitem__(key, value)

    def __contains__(self, key):
        self._used()
        return super().__contains__(key)

    def get(self, key, default=None):
        self._used()
        return super().get(key, default)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


@pytest.mark.parametrize("uses", [*range(1, 60), 10**9])
def test_a_step_by_keys_is_done_once_wherever_streamlit_stops_it(monkeypatch, uses):
    state = StoppedState()
    monkeypatch.setattr(undo.st, "session_state", state)
    monkeypatch.setattr(undo.go_to.opening, "restore_table", lambda settings: session.awaiting_file())
    monkeypatch.setattr(undo.go_to.reading, "current", lambda place: place)
    steps = [
        Settings(sample="iris"),
        Settings(upload="abc"),
        Settings(sample="golf"),
        Settings(sample="golf", grow=GrowSettings("C4.5")),
        Settings(sample="golf", grow=GrowSettings("CART")),
    ]
    for settings in steps:
        session.keep(settings)

    asks = itertools.count()

    def read():
        """The file that a step waits for is there."""
        if (held := session.awaiting_file()) is not None:
            session.keep_resumed(session.resumed(held))
            session.await_file(None)

    def asked(*hows):
        """Ask as the browser does: for what is not done yet, and while no file is read."""
        first = session.step_done() + 1
        for _ in range(10):
            read()
            steps = [n for n in enumerate(hows, first) if n[0] > session.step_done()]
            state["shell"] = {"steps": {"ask": next(asks), "steps": steps}}
            state.is_running = True
            with contextlib.suppress(StopException):
                undo.by_keys()
            state.is_running = False
        assert session.step_done() == first + len(hows) - 1
        return history.chosen(session.read())

    state.uses_left = uses
    assert asked(UNDO, UNDO, UNDO) == history.chosen(steps[1])
    state.uses_left = uses
    assert asked(REDO, REDO, REDO) == history.chosen(steps[4])
    assert session.history().next(REDO) is None


def test_a_step_by_a_button_is_not_taken_for_one_by_keys_that_was_stopped(monkeypatch):
    monkeypatch.setattr(undo.st, "session_state", {})
    for name in ("ID3", "C4.5", "CART"):
        session.keep(Settings(sample="golf", grow=GrowSettings(name)))
    with pytest.raises(StopException), session.numbered_step(1):
        raise StopException
    undo.go(UNDO)
    with session.numbered_step(1) as is_new:
        assert is_new
    with session.numbered_step(1) as is_new:
        assert not is_new


def test_a_control_that_still_shows_the_step_before_takes_nothing_back(monkeypatch):
    state = {}
    monkeypatch.setattr(undo.st, "session_state", state)
    trees = [Settings(sample="golf", grow=GrowSettings(name)) for name in ("ID3", "C4.5", "CART")]
    for settings in trees[:2]:
        session.keep(settings)
    asked = (([1], trees[0]), ([1, 2], trees[1]), ([2], trees[1]), ([2], trees[1]), ([3], trees[0]))
    for ask, (numbers, kept) in enumerate(asked):
        steps = [[number, REDO if number == 2 else UNDO] for number in numbers]
        state["shell"] = {"steps": {"ask": ask, "steps": steps}}
        session.keep(trees[2])  # by a control of the page, in the run that keys ask for
        undo.by_keys()
        assert session.read().grow == kept.grow
    del state["shell"]
    undo.by_keys()  # on the way to another page
    state["shell"] = {"steps": {"ask": ask, "steps": steps}}
    session.keep(trees[2])
    assert session.read().grow == trees[2].grow, "chosen by the reader"


def test_keys_after_a_step_to_another_file_wait_until_it_is_read(monkeypatch):
    gone, reading = [], []
    state = {"shell": {"steps": {"ask": 1, "steps": [[1, UNDO], [2, UNDO], [3, REDO]]}}}
    monkeypatch.setattr(undo.st, "session_state", state)

    def go(how):
        if is_stopped:
            raise StopException
        gone.append(how)
        reading.append(len(gone) == 1)
        return ""

    is_stopped = True
    monkeypatch.setattr(undo, "_gone", go)
    monkeypatch.setattr(undo.session, "is_going_along", lambda: bool(reading and reading[-1]))
    with pytest.raises(StopException):
        undo.by_keys()
    assert (gone, session.step_done()) == ([], 0), "a step that is stopped on its way is not done"
    is_stopped = False
    undo.by_keys()
    assert (gone, session.step_done()) == ([UNDO], 1)
    undo.by_keys()
    assert (gone, session.step_done()) == ([UNDO], 1), "asked again too early"
    reading.append(False)
    undo.by_keys()
    assert (gone, session.step_done()) == ([UNDO, UNDO, REDO], 3)
    undo.by_keys()
    assert gone == [UNDO, UNDO, REDO], "each once, however often it is asked for"
    del state["shell"]
    undo.by_keys()  # on the way to another page, whose frame asks again
    assert gone == [UNDO, UNDO, REDO]
