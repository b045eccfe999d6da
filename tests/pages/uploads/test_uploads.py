"""Uploads through the pages: they outlive a session, no other browser opens them, and large ones are read in jobs."""

import hashlib
import threading
import time
from dataclasses import replace

import pytest

import explorer as ex
from pages.results import jobs
from pages.settings.settings import OF_FILE, changed, made_of
from pages.uploads import browser, reading
from pages.uploads.limits import Limits
from pages.uploads.store import Store, new_key
from tests.pages.app import SAMPLE_FILES, SESSION, fine, opened, picked, summary, tab, texts, uploaded, went

CAR = SAMPLE_FILES.joinpath("car.csv").read_bytes()
GOLF = SAMPLE_FILES.joinpath("golf.csv").read_bytes()
PATIENCE = 60


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    """A store of this test's own."""
    kept = Store(tmp_path / "uploads", Limits())
    monkeypatch.setattr(browser, "store", lambda: kept)
    return kept


@pytest.fixture
def in_browser(monkeypatch):
    """Switches to the browser that holds this key."""

    def switch(key):
        monkeypatch.setattr(browser, "cookie", lambda: key)

    switch(new_key())
    return switch


@pytest.fixture
def in_jobs(monkeypatch):
    """Files of any size are read in the job pool."""
    monkeypatch.setattr(reading, "AT_ONCE", -1)


def address_of(app):
    return {key: app.query_params[key] for key in app.query_params}


def read_through(app):
    """Wait for the jobs of this session's files, and run the page once more."""
    pool = jobs.pool()
    keys = [one.key for purpose in ("table", "prediction") if (one := _reading(app, purpose))]
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(_is_active(pool, key) for key in keys), PATIENCE)
    return app.run()


def _reading(app, purpose):
    return app.session_state.get(f"reading.{purpose}", None)


def _is_active(pool, key):
    job = pool.look(SESSION, key)
    return job is not None and job.is_active


def heads(app):
    return texts(app.subheader)


def test_an_upload_and_all_settings_survive_a_reload(in_browser):
    app = picked(went(uploaded(opened(), "car.csv", CAR), "Grow"), "grow", "CART")
    line = summary(app)
    again = fine(opened("Grow", **address_of(app)))
    assert summary(again) == line
    assert not again.info, "nothing to say: the reader has only reloaded the page"


@pytest.mark.parametrize("key", ["A" * 43, "../../x"])
def test_another_browser_never_opens_the_file(in_browser, key):
    app = uploaded(opened(), "car.csv", CAR)
    in_browser(key)
    for digits in (address_of(app)["file"], hashlib.sha256(CAR).hexdigest()):
        other = fine(opened(file=digits))
        assert "needs an uploaded file" in texts(other.info)
        assert "car.csv" not in heads(other) + texts(other.caption)
        assert not [button for button in other.button if "car.csv" in button.label]


@pytest.mark.parametrize("digits", ["../../../etc/passwd", "0" * 16])
def test_a_crafted_fingerprint_opens_nothing(in_browser, digits):
    uploaded(opened(), "car.csv", CAR)
    app = opened(file=digits)
    assert not app.exception
    assert "car.csv" not in heads(app)


def test_all_cards_of_one_s_own_files_say_rows_and_columns(in_browser):
    app = uploaded(uploaded(opened(), "car.csv", CAR), "golf.csv", GOLF)
    expected = {}
    for name, content in (("car.csv", CAR), ("golf.csv", GOLF)):
        first, *rows = content.decode().strip().splitlines()
        expected[name] = f"*{len(rows):,} × {first.count(',') + 1}*"
    for shown in (app, opened()):
        labels = [button.label for button in shown.button]
        for name, size in expected.items():
            (card,) = [label for label in labels if label.replace("\\", "").startswith(f"**{name}**")]
            assert size in card


@pytest.mark.parametrize("reads", ["at once", "in a job"])
def test_a_file_that_made_room_is_named_and_comes_back_as_it_was_left(in_browser, reads, monkeypatch):
    """A browser has five files; the sixth takes the place of that used longest ago."""
    app = uploaded(opened(), "golf.csv", GOLF)
    app = fine(picked(went(app, "Grow"), "grow", "CART"))
    line, app = summary(app), went(app, "Data")
    if reads == "in a job":
        monkeypatch.setattr(reading, "AT_ONCE", -1)
    told = ""
    for number in range(5):
        assert "to make room" not in told
        app, told = read_and_told(app, f"car {number}.csv", CAR + b"\n" * number, reads)
    said = "'golf.csv' was removed to make room for this file. Upload it again to go on where you left it."
    assert said in told
    assert "to make room" not in texts(fine(app.run()).info), "said once"
    app, told = read_and_told(app, "golf.csv", GOLF, reads)
    assert "'car 0.csv' was removed to make room" in told
    assert summary(went(app, "Grow")) == line


def read_and_told(app, name, content, reads):
    """The page once a file is read, and what it told meanwhile: a quick job ends before the run that uploads."""
    app = fine(uploaded(app, name, content))
    told = texts(app.info)
    if reads == "in a job":
        app = fine(read_through(app))
        told += texts(app.info)
    return app, told


def test_a_new_tab_offers_the_files_of_its_browser_and_opens_them(in_browser):
    uploaded(uploaded(opened(), "car.csv", CAR), "golf.csv", GOLF)
    tab = fine(opened())
    offered = [button for button in tab.button if str(button.key).startswith("open.kept")]
    assert ["golf" in button.label for button in offered] == [True, False], "the one used last first"
    tab = fine(offered[1].click().run())
    assert "car.csv" in heads(tab)


PLANS = ["€ 1,50", "€ 2,50", "€ 9,00", "€ 8,00"]
CHURN = "".join(["id;fee;churn\n", *(f"{n};{PLANS[n % 4]};{n % 4 // 2}\n" for n in range(40))]).encode()


def test_a_file_opens_from_its_card_as_an_earlier_session_left_it(in_browser, store):
    app = fine(uploaded(opened(), "churn.csv", CHURN).button("suggestions.all").click().run())
    app = picked(went(app, "Grow"), "grow", "ID3")
    session = app.session_state["settings"]
    app.session_state["settings"] = changed(
        session, alpha=0.25, view=replace(session.view, class_labels=(("0", "stays"),))
    )
    left = fine(went(app, "Prune")).session_state["settings"]
    assert (len(left.repairs), left.grow.name, left.alpha) == (1, "ID3", 0.25)
    anew = fine(opened())
    assert anew.session_state["settings"].upload == ""
    (card,) = [button for button in anew.button if str(button.key).startswith("open.kept")]
    now = fine(card.click().run()).session_state["settings"]
    assert made_of(now, OF_FILE) == made_of(left, OF_FILE)
    assert now.view.class_labels == (("0", "stays"),)
    assert "1 repair applied" in " ".join(folded.label for folded in anew.expander)


def test_choices_that_no_longer_fit_their_file_are_named_and_left_out(in_browser, store):
    app = uploaded(opened(), "churn.csv", CHURN)
    for damaged, why in (("recipe=Oak", "“Oak”"), ("file=0000&target=gone", "'gone'")):
        (kept,) = store.files(app.session_state["browser.key"])
        store.note(kept, kept.shape, damaged)
        anew = opened()
        (card,) = [button for button in anew.button if str(button.key).startswith("open.kept")]
        anew = fine(card.click().run())
        assert why in texts(anew.warning)
        assert anew.session_state["settings"].target == "churn"


def test_a_page_says_where_the_file_is_and_until_when(in_browser, store):
    app = fine(uploaded(opened(), "car.csv", CAR))
    said = texts(app.caption)
    assert "kept on this server’s disk until" in said
    assert "tomorrow" in said, "24 hours from now"
    assert "UTC" in said, "without a browser there is no zone of its own"


def test_a_browser_without_cookies_is_told_that_a_reload_loses_the_file(in_browser):
    app = uploaded(opened(), "car.csv", CAR)
    app.session_state["browser.refused"] = True
    assert "cannot be opened again after a reload" in texts(fine(app.run()).caption)


def test_a_server_without_a_disk_keeps_the_file_in_memory_and_says_so(in_browser, monkeypatch):
    monkeypatch.setattr(browser, "store", lambda: None)
    app = fine(uploaded(opened(), "car.csv", CAR))
    assert "in this server’s memory only" in texts(app.caption)
    again = opened(**address_of(app))
    assert "needs an uploaded file" in texts(again.info)


def test_a_full_disk_keeps_the_file_in_memory_and_says_so(in_browser, store, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(store, "put", full)
    app = fine(uploaded(opened(), "car.csv", CAR))
    assert "car.csv" in heads(app)
    assert "in this server’s memory only" in texts(app.caption)


def test_a_file_forgotten_in_another_tab_is_asked_for_again(in_browser, store):
    uploaded(uploaded(opened(), "car.csv", CAR), "golf.csv", GOLF)
    app = fine(opened())
    (offered, _) = [button for button in app.button if str(button.key).startswith("open.kept")]
    for file in store.files(app.session_state["browser.key"]):
        store.forget(app.session_state["browser.key"], file.fingerprint)
    app = offered.click().run()
    assert not app.exception
    assert "'golf.csv' is no longer kept on this server" in texts(app.error)
    assert str(store._folder) not in texts(app.error)


def test_forgetting_a_file_removes_it_everywhere_and_opens_a_sample(in_browser, store):
    app = uploaded(opened(data="golf"), "car.csv", CAR)
    address = address_of(app)
    app = fine(app.button("forget").click().run())
    assert "Golf" in heads(app)
    assert "'car.csv' was removed from the server." in texts(app.info)
    assert not list(store._folder.rglob("*.json"))
    assert "open.file" not in [button.key for button in app.button]
    assert "needs an uploaded file" in texts(opened(**address).info)


def test_an_expired_file_asks_for_the_upload_again(in_browser, store, monkeypatch):
    address = address_of(uploaded(opened(), "car.csv", CAR))
    later = time.time() + 25 * 3600
    monkeypatch.setattr("pages.uploads.store.time.time", lambda: later)
    assert "needs an uploaded file" in texts(opened(**address).info)


def test_a_file_in_use_is_kept_longer(in_browser, store, monkeypatch):
    app = uploaded(opened(), "car.csv", CAR)
    (kept,) = store.files(app.session_state["browser.key"])
    later = time.time() + 3600
    monkeypatch.setattr("pages.uploads.opening.time.time", lambda: later)
    touched = []
    monkeypatch.setattr(store, "touch", touched.append)
    fine(app.run())
    fine(app.run())
    assert [file.fingerprint for file in touched] == [kept.fingerprint], "once in a while, not at every run"


def test_a_file_that_is_no_table_is_not_kept(in_browser, store):
    app = uploaded(opened(), "broken.csv", b"a,b\n1,2\n1,2,3,4\n")
    assert "Line 3 of 'broken.csv'" in texts(app.error)
    assert "The table opened before is still here." in texts(app.error)
    assert not list(store._folder.rglob("*.json"))


def test_a_full_server_refuses_and_the_table_before_stays(in_browser, store, monkeypatch):
    app = uploaded(opened(), "golf.csv", GOLF)
    monkeypatch.setattr(store, "size", lambda: 1 << 60)
    app = uploaded(app, "car.csv", CAR)
    assert "no room for another upload" in texts(app.error)
    assert "golf.csv" in heads(app)


class SlowFile:
    """Reading that reports progress and waits until it is let go."""

    def __init__(self, monkeypatch):
        self.begun, self.open = threading.Event(), threading.Event()
        self.stopped = threading.Event()
        real = ex.read_table

        def read_table(source, name, *, progress=None, **options):
            if not name.startswith("slow"):
                return real(source, name, progress=progress, **options)
            progress(1, 4)
            self.begun.set()
            try:
                while not self.open.wait(0.01):
                    progress(1, 4)
            except ex.Stopped:
                self.stopped.set()
                raise
            return real(source, name, progress=progress, **options)

        monkeypatch.setattr(ex, "read_table", read_table)


def progress_texts(app):
    return " ".join(element.proto.text for element in app.get("progress"))


def test_a_large_file_is_read_with_progress_while_the_table_before_stays(in_browser, in_jobs, monkeypatch):
    slow = SlowFile(monkeypatch)
    app = uploaded(opened(data="golf"), "slow.csv", CAR)
    assert slow.begun.wait(PATIENCE)
    app = fine(app.run())
    assert "Reading “slow.csv”: 15 %" in progress_texts(app)
    assert "Golf" in heads(app)
    key = _reading(app, "table").key
    slow.open.set()
    app = fine(read_through(app))
    assert "slow.csv" in heads(app)
    assert progress_texts(app) == ""
    assert jobs.pool().look(SESSION, key).result is None, "the session has the table, the pool does not"


def test_stopping_keeps_the_table_before_and_forgets_the_file(in_browser, in_jobs, monkeypatch, store):
    slow = SlowFile(monkeypatch)
    app = uploaded(opened(data="golf"), "slow.csv", CAR)
    assert slow.begun.wait(PATIENCE)
    app = fine(app.run())
    app = fine(app.button("reading.stop.table").click().run())
    assert slow.stopped.wait(PATIENCE)
    app = fine(read_through(app))
    assert "Golf" in heads(app)
    assert progress_texts(app) == ""
    assert not list(store._folder.rglob("*.json"))


def test_a_second_upload_stops_the_first(in_browser, in_jobs, monkeypatch):
    slow = SlowFile(monkeypatch)
    app = uploaded(opened(), "slow.csv", CAR)
    assert slow.begun.wait(PATIENCE)
    app = fine(read_through(uploaded(app, "golf.csv", GOLF)))
    assert slow.stopped.wait(PATIENCE)
    assert "golf.csv" in heads(app)


def test_a_large_file_that_is_no_table_is_refused_when_it_was_read(in_browser, in_jobs, monkeypatch):
    slow = SlowFile(monkeypatch)
    app = uploaded(opened(data="golf"), "slow.csv", b"a,b\n1,2\n1,2,3,4\n")
    slow.open.set()
    app = read_through(app)
    assert "Line 3 of 'slow.csv'" in texts(app.error)
    assert "Golf" in heads(app)


def test_a_reload_of_a_large_file_waits_for_it_and_then_shows_the_same_page(in_browser, in_jobs, monkeypatch):
    slow = SlowFile(monkeypatch)
    slow.open.set()
    app = picked(went(read_through(uploaded(opened(), "slow.csv", CAR)), "Grow"), "grow", "CART")
    line, address = summary(app), address_of(app)
    slow.open.clear()
    slow.begun.clear()
    again = fine(opened(**address))
    assert slow.begun.wait(PATIENCE)
    again = fine(again.run())
    assert "Reading “slow.csv”" in progress_texts(again)
    assert not again.subheader, "no table of somebody else's meanwhile"
    assert address_of(again)["file"] == address["file"]
    slow.open.set()
    assert summary(went(fine(read_through(again)), "Grow")) == line


def at_file_tab():
    return tab(opened("Predict", data="golf"), "predict.tab", "Predict a file")


def test_a_file_to_predict_survives_too_and_is_forgotten_on_request(in_browser, store):
    app = uploaded(at_file_tab(), "few.csv", GOLF)
    assert "few.csv" in texts(app.markdown)
    again = fine(opened("Predict", **address_of(app)))
    assert "few.csv" in texts(again.markdown)
    again = fine(again.button("second.forget").click().run())
    assert "few.csv" not in texts(again.markdown)
    assert not list(store._folder.rglob("*.json"))


def test_a_large_file_to_predict_is_read_at_its_place(in_browser, in_jobs, monkeypatch):
    slow = SlowFile(monkeypatch)
    app = uploaded(at_file_tab(), "slow.csv", GOLF)
    assert slow.begun.wait(PATIENCE)
    app = fine(app.run())
    assert "Reading “slow.csv”" in progress_texts(app)
    slow.open.set()
    assert "**slow.csv**" in texts(fine(read_through(app)).markdown)


def test_a_file_to_predict_is_not_among_the_tables(in_browser):
    uploaded(at_file_tab(), "few.csv", GOLF)
    offered = [button.key for button in fine(opened()).button if str(button.key).startswith("open.kept")]
    assert offered == []


def test_a_file_to_predict_is_read_with_the_signs_that_were_set_for_the_table(in_browser):
    lines = [f"{km};{y}" for km, y in zip(["2.620", "1.100", "3.146", "4.500"] * 3, "aabb" * 3, strict=True)]
    app = uploaded(opened(), "trips.csv", "\n".join(["km;y", *lines]).encode())
    address = address_of(app) | {"read": '{"thousands":"."}'}
    app = tab(opened("Predict", **address), "predict.tab", "Predict a file")
    rows = uploaded(app, "rows.csv", b"km\n3.500\n1.200\n")
    assert rows.session_state["prediction file"].table.frame["km"].tolist() == [3500, 1200]
    records = uploaded(rows, "rows.json", b'[{"km": 3500}, {"km": 1200}]')
    assert records.session_state["prediction file"].table.frame["km"].tolist() == [3500, 1200]


def test_a_file_to_predict_is_read_again_with_its_table(in_browser):
    lines = [f"{km};{y}" for km, y in zip(["2.620", "1.100", "3.146", "4.500"] * 3, "aabb" * 3, strict=True)]
    app = uploaded(opened(), "trips.csv", "\n".join(["km;y", *lines]).encode())
    rows = uploaded(tab(went(app, "Predict"), "predict.tab", "Predict a file"), "rows.csv", b"km\n3.500\n1.200\n")
    assert rows.session_state["prediction file"].table.frame["km"].tolist() == ["3.500", "1.200"]  # an open question
    app = went(rows, "Data")
    app.selectbox("file.thousands").select(".")
    app = app.button("file.again").click().run()
    assert app.session_state["prediction file"].table.frame["km"].tolist() == [3500, 1200]


def test_files_move_when_the_browser_got_its_key_from_another_tab(in_browser, monkeypatch):
    app = uploaded(opened(), "car.csv", CAR)
    found = new_key()
    state = {"browser.key": app.session_state["browser.key"], "browser_key": {"found": found}}
    monkeypatch.setattr(browser.st, "session_state", state)
    browser._found()
    assert state["browser.key"] == found
    assert [file.name for file in browser.store().files(found)] == ["car.csv"]


def test_a_single_column_says_how_cells_are_separated(in_browser):
    app = uploaded(opened(), "blanks.csv", b"a~b~c\n1~2~x\n3~4~y\n5~6~x\n")
    assert "Only one column was found, 'a~b~c'" in texts(app.error)
    assert "tabs, commas, semicolons or vertical bars" in texts(app.error)
    assert "open.file" not in [button.key for button in app.button]


def test_another_target_is_named_where_that_of_the_file_has_nothing_to_predict(in_browser):
    head = b"a\tb\tc\ncontinuous\tcontinuous\tdiscrete\n\t\tclass\n"
    app = fine(uploaded(opened(), "one.tab", head + b"1\t0\tsame\n2\t1\tsame\n3\t0\tsame\n4\t1\tsame\n"))
    assert ("Column 'c' has a single value (same): there is nothing to predict. So 'b' is the target.") in texts(
        app.warning
    )
