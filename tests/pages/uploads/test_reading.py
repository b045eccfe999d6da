"""Two readings of one file at a time, as by two tabs or a second drop: neither takes the file away from the other."""

import threading
from types import SimpleNamespace

import pytest

import explorer as ex
from pages.uploads import reading
from pages.uploads.limits import Limits
from pages.uploads.reading import Given, read
from pages.uploads.store import Store, new_key
from pages.widgets import upload

TABLE = b"a,b\n1,x\n2,y\n"
PATIENCE = 60


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, Limits(), is_own=False)


class Steps:
    """In place of the reader of tables: the first reading waits, and ends as asked once the second has begun."""

    def __init__(self, first):
        self.first, self.table, self.begun, self.go_on = first, reading._table, threading.Event(), threading.Event()
        self.given = []

    def __call__(self, source, given, progress):
        self.given.append(given)
        if len(self.given) == 1:
            self.begun.set()
            assert self.go_on.wait(PATIENCE)
            if self.first is not None:
                raise self.first
        return self.table(source, given, progress)


@pytest.mark.parametrize(
    "first", [ex.Stopped("stop"), ex.InputError("no table"), None], ids=["stopped", "failed", "read"]
)
@pytest.mark.parametrize("is_last", [True, False], ids=["while the second reads", "after it"])
def test_a_reading_that_ends_leaves_the_file_to_another(store, monkeypatch, first, is_last):
    key, steps, ended = new_key(), Steps(first), []
    monkeypatch.setattr(reading, "_table", steps)

    def read_first():
        try:
            ended.append(read(Given("t.csv", TABLE), store, key))
        except ex.ExplorerError as error:
            ended.append(error)

    thread = threading.Thread(target=read_first)

    def end_first(*_):
        steps.go_on.set()
        thread.join(PATIENCE)

    thread.start()
    assert steps.begun.wait(PATIENCE)
    second = Given("t.csv", TABLE)
    if is_last:
        put = store.put
        monkeypatch.setattr(store, "put", lambda *args: (put(*args), end_first())[0])  # before its file is opened
    own = read(second, store, key)
    end_first()
    assert own.table.frame.shape == (2, 2)
    assert len(ended) == 1
    (kept,) = store.files(key)
    assert kept.path.read_bytes() == TABLE


def test_a_new_file_that_nobody_could_read_goes(store):
    key = new_key()
    with pytest.raises(ex.InputError):
        read(Given("t.csv", b"\x00\x01\x02"), store, key)
    assert store.files(key) == []
    read(Given("t.csv", TABLE), store, key)
    with pytest.raises(ex.InputError):
        read(Given("t.csv", TABLE, header_line=99), store, key)
    assert len(store.files(key)) == 1, "one that was there stays"


def test_a_file_that_is_gone_before_it_is_read_is_to_be_uploaded_again(store, monkeypatch):
    put = store.put

    def put_and_lose(*args):
        kept = put(*args)
        kept.path.unlink()
        return kept

    monkeypatch.setattr(store, "put", put_and_lose)
    with pytest.raises(ex.InputError, match=r"'t\.csv' is no longer kept on this server: upload it again"):
        read(Given("t.csv", TABLE), store, new_key())


def test_a_file_that_the_browser_reports_twice_is_taken_once(monkeypatch):
    """A run that was asked for before the first report was answered brings the state of the uploader once more."""
    taken = []
    first, again = (SimpleNamespace(file_id=number, name="t.csv", getvalue=lambda: TABLE) for number in "12")
    monkeypatch.setattr(upload.st, "session_state", {"u.0": first})
    for _ in range(2):
        upload._given("u.0", "u", lambda *given: taken.append(given), taken.append)
    assert taken == [("t.csv", TABLE)]
    upload.st.session_state["u.0"] = again
    upload._given("u.0", "u", lambda *given: taken.append(given), taken.append)
    assert len(taken) == 2, "the same file dropped anew is another one"
