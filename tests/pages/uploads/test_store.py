"""The store of uploads: whose file is found, what is on the disk, for how long, and what a killed server leaves."""

import hashlib
import json
import os
import re
import stat
import threading
import time

import pytest

import explorer as ex
from pages.uploads import store as store_module
from pages.uploads.limits import MEGABYTE, Limits, folder
from pages.uploads.store import Store, is_key, new_key

KEY, OTHER = "k" * 43, "o" * 43
TABLE = b"x,y\n1,a\n2,b\n"
FINGERPRINT = hashlib.sha256(TABLE).hexdigest()
HOUR = 3600


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "uploads", Limits())


def on_disk(store):
    """Every file in the store, by its path."""
    return sorted(path for path in store._folder.rglob("*") if path.is_file())


def used(store, file, hours_ago):
    """Say that a file was used last so many hours ago."""
    moment = time.time() - hours_ago * HOUR
    os.utime(file.path.with_name(f"{file.path.name}.json"), (moment, moment))


def test_a_file_is_found_by_its_browser_with_its_name_and_content(store):
    put = store.put(KEY, "../../my file.csv", TABLE)
    found = store.find(KEY, FINGERPRINT[:16])
    assert (found.name, found.fingerprint, found.path.read_bytes()) == ("../../my file.csv", FINGERPRINT, TABLE)
    assert found.path == put.path
    assert found.path.is_relative_to(store._folder)


def test_size_and_choices_of_a_file_stay_with_it_under_another_name_and_key(store):
    store.note(store.put(KEY, "a.csv", TABLE), (2, 2), "file=ab&target=é")
    store.put(KEY, "b.csv", TABLE)
    store.move(KEY, OTHER)
    (found,) = store.files(OTHER)
    assert (found.name, found.shape, found.choices) == ("b.csv", (2, 2), "file=ab&target=é")
    store.forget(OTHER, FINGERPRINT)
    store.note(found, (3, 3), "")
    assert store.files(OTHER) == [], "a file that is gone is not described"


@pytest.mark.parametrize("guess", [OTHER, "A" * 43, "", "../", hashlib.sha256(KEY.encode()).hexdigest(), KEY[:-1]])
def test_another_key_finds_nothing(store, guess):
    store.put(KEY, "a.csv", TABLE)
    assert store.find(guess, FINGERPRINT) is None
    assert store.files(guess) == []
    assert not store.forget(guess, FINGERPRINT)
    assert store.find(KEY, FINGERPRINT)


@pytest.mark.parametrize(
    "digits", ["", FINGERPRINT[:15], ".*" * 8, "../" * 6, FINGERPRINT.upper(), FINGERPRINT + "0", "0" * 16, "*" * 16]
)
def test_crafted_digits_find_nothing(store, digits):
    store.put(KEY, "a.csv", TABLE)
    assert store.find(KEY, digits) is None


def test_a_file_is_never_put_under_what_is_no_key(store):
    with pytest.raises(ValueError, match="not a key"):
        store.put("../x", "a.csv", TABLE)
    assert on_disk(store) == []


def test_the_key_is_not_on_the_disk_and_the_names_there_are_hashes(store):
    store.put(KEY, "secret name.csv", TABLE)
    paths = on_disk(store)
    assert len(paths) == 2
    for path in paths:
        assert KEY.encode() not in path.read_bytes()
        parts = path.relative_to(store._folder).parts
        assert parts[0] == hashlib.sha256(KEY.encode()).hexdigest()
        assert re.fullmatch(r"[0-9a-f]{64}(\.json)?", parts[1])


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of Unix")
def test_nobody_else_may_read_the_files(store):
    store.put(KEY, "a.csv", TABLE)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in on_disk(store)}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (store._folder, *store._folder.iterdir())}
    assert (modes, folders) == ({0o600}, {0o700})


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of Unix")
@pytest.mark.parametrize("is_link", [False, True])
def test_a_folder_that_others_made_is_refused(tmp_path, is_link):
    (tmp_path / "theirs").mkdir(mode=0o755)
    place = tmp_path / "uploads"
    if is_link:
        (tmp_path / "theirs").chmod(0o700)
        place.symlink_to(tmp_path / "theirs")
    else:
        (tmp_path / "theirs").rename(place)
    with pytest.raises(PermissionError, match="this user alone"):
        Store(place, Limits())
    Store(place, Limits(), is_own=False)


def test_a_file_expires_after_its_last_use(store):
    keep = Limits().keep_hours
    file = store.put(KEY, "a.csv", TABLE)
    assert store.until(file) == pytest.approx(time.time() + keep * HOUR, abs=60)
    used(store, file, keep - 1)
    store.remove_expired()
    found = store.find(KEY, FINGERPRINT)
    assert store.until(found) == pytest.approx(time.time() + HOUR, abs=60)
    assert store.until(store.touch(found)) == pytest.approx(time.time() + keep * HOUR, abs=60)
    assert store.until(store.find(KEY, FINGERPRINT)) == pytest.approx(time.time() + keep * HOUR, abs=60)
    used(store, file, keep + 1)
    assert store.find(KEY, FINGERPRINT) is None, "not even before it is removed"
    store.remove_expired()
    assert on_disk(store) == []


def test_a_file_given_again_while_it_is_removed_stays(store, monkeypatch):
    used(store, store.put(KEY, "a.csv", TABLE), hours_ago=Limits().keep_hours + 1)
    again = threading.Thread(target=store.put, args=(KEY, "a.csv", TABLE))
    remove = store_module._remove

    def removed_meanwhile(path):
        again.start()
        again.join(0.2)
        remove(path)

    monkeypatch.setattr(store_module, "_remove", removed_meanwhile)
    store.remove_expired()
    again.join()
    assert store.find(KEY, FINGERPRINT) is not None


def test_expired_files_are_removed_when_the_server_starts(store):
    used(store, store.put(KEY, "a.csv", TABLE), 1)
    used(store, store.put(OTHER, "a.csv", TABLE), 25)
    again = Store(store._folder, Limits())
    assert again.find(KEY, FINGERPRINT)
    assert len(on_disk(again)) == 2


def test_a_forgotten_file_leaves_nothing(store):
    store.put(KEY, "a.csv", TABLE)
    store.put(OTHER, "a.csv", TABLE)
    assert store.forget(KEY, FINGERPRINT)
    assert store.find(KEY, FINGERPRINT) is None
    assert store.find(OTHER, FINGERPRINT), "the same content of another browser stays"
    assert len(on_disk(store)) == 2


class Killed(BaseException):
    """The server ends here."""


def dies_at(monkeypatch, name, call):
    """Let the server die at the call of this number to a function of the system."""
    calls, real = [], getattr(os, name)

    def dying(*arguments):
        calls.append(arguments)
        if len(calls) == call:
            raise Killed
        return real(*arguments)

    monkeypatch.setattr(store_module.os, name, dying)


@pytest.mark.parametrize(("name", "call"), [("fsync", 1), ("replace", 1), ("fsync", 2), ("replace", 2)])
def test_a_server_that_dies_while_writing_leaves_no_half_of_a_file(store, monkeypatch, name, call):
    with monkeypatch.context() as patch:
        dies_at(patch, name, call)
        with pytest.raises(Killed):
            store.put(KEY, "a.csv", TABLE)
    assert store.files(KEY) == []
    assert on_disk(store), "there is something to clean up"
    store.remove_expired()
    assert on_disk(store), "what is new may still be growing"
    for path in on_disk(store):
        os.utime(path, (0, 0))
    Store(store._folder, Limits())
    assert on_disk(store) == []
    assert store.put(KEY, "a.csv", TABLE).path.read_bytes() == TABLE


@pytest.mark.parametrize("damage", ["", "{", "[]", json.dumps({"name": "a"}), json.dumps({"sha256": 1, "bytes": "x"})])
def test_a_damaged_description_is_no_file(store, damage):
    file = store.put(KEY, "a.csv", TABLE)
    file.path.with_name(f"{file.path.name}.json").write_text(damage)
    assert store.find(KEY, FINGERPRINT) is None


def test_a_cut_file_is_no_file(store):
    store.put(KEY, "a.csv", TABLE).path.write_bytes(TABLE[:5])
    assert store.find(KEY, FINGERPRINT) is None


def content(number, size=10):
    return b"%d" % number + b"," * (size - 1)


def test_the_oldest_file_of_a_browser_makes_room_for_its_sixth(store):
    other = store.put(OTHER, "other.csv", content(9))
    for number in range(5):
        used(store, store.put(KEY, f"{number}.csv", content(number)), 5 - number)
    store.put(KEY, "5.csv", content(5))
    assert [file.name for file in store.files(KEY)] == ["5.csv", "4.csv", "3.csv", "2.csv", "1.csv"]
    assert store.find(OTHER, other.fingerprint)


def test_the_oldest_files_of_a_browser_make_room_for_bytes(tmp_path):
    store = Store(tmp_path, Limits(file_mb=2, browser_mb=3), is_own=False)
    for number in range(3):
        used(store, store.put(KEY, f"{number}.csv", content(number, MEGABYTE)), 5 - number)
    store.put(KEY, "3.csv", content(3, 2 * MEGABYTE))
    assert [file.name for file in store.files(KEY)] == ["3.csv", "2.csv"]


def test_a_file_over_the_limit_is_refused_by_name_of_the_limit(tmp_path):
    store = Store(tmp_path, Limits(file_mb=1), is_own=False)
    with pytest.raises(ex.InputError, match="has 2 MB, and this server takes up to 1 MB"):
        store.put(KEY, "a.csv", content(1, MEGABYTE + 1))


def test_a_full_server_refuses_and_takes_no_other_reader_s_file(tmp_path):
    store = Store(tmp_path, Limits(total_mb=2), is_own=False)
    store.put(KEY, "a.csv", content(1, MEGABYTE))
    with pytest.raises(ex.InputError, match="no room for another upload"):
        store.put(OTHER, "b.csv", content(2, MEGABYTE))
    assert store.files(OTHER) == []
    assert [file.name for file in store.files(KEY)] == ["a.csv"]
    store.put(KEY, "b.csv", content(2, MEGABYTE))
    assert [file.name for file in store.files(KEY)] == ["b.csv"], "the reader's own oldest file makes room"


def test_what_a_dead_server_left_counts_as_used_room(tmp_path):
    store = Store(tmp_path, Limits(total_mb=1), is_own=False)
    other = tmp_path / hashlib.sha256(b"other").hexdigest()
    other.mkdir()
    (other / "0123.part").write_bytes(bytes(MEGABYTE))
    with pytest.raises(ex.InputError, match="no room"):
        store.put(KEY, "a.csv", TABLE)


def test_the_same_content_again_is_one_file_under_its_last_name(store):
    store.put(KEY, "a.csv", TABLE)
    store.put(KEY, "b.csv", TABLE)
    assert [file.name for file in store.files(KEY)] == ["b.csv"]
    assert len(on_disk(store)) == 2


def test_foreign_files_in_the_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.part").write_text("mine")
    for path in (tmp_path / "notes.txt", tmp_path / "other" / "x.part"):
        os.utime(path, (0, 0))
    Store(tmp_path, Limits(), is_own=False)
    assert len(list(tmp_path.rglob("*.*"))) == 2


def test_keys_are_long_and_differ():
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(is_key(key) for key in keys)


def test_the_environment_sets_the_limits_and_the_folder(monkeypatch, tmp_path):
    for name, value in {
        "UPLOADS": str(tmp_path),
        "UPLOAD_MB": "7",
        "UPLOAD_TOTAL_MB": "70",
        "KEEP_HOURS": "0.5",
    }.items():
        monkeypatch.setenv(f"EXPLORER_{name}", value)
    limits = Limits.from_environment()
    assert (limits.file_mb, limits.total_mb, limits.keep_hours) == (7, 70, 0.5)
    assert folder() == (tmp_path, False)
    monkeypatch.delenv("EXPLORER_UPLOADS")
    assert folder()[1]
    monkeypatch.setenv("EXPLORER_KEEP_HOURS", "-1")
    with pytest.raises(ValueError, match="EXPLORER_KEEP_HOURS is -1"):
        Limits.from_environment()
    monkeypatch.setenv("EXPLORER_KEEP_HOURS", "one day")
    with pytest.raises(ValueError, match="EXPLORER_KEEP_HOURS is one day"):
        Limits.from_environment()


def test_the_files_of_one_key_are_moved_to_another(store):
    store.put(KEY, "a.csv", TABLE)
    store.put(KEY, "b.csv", content(1), is_table=False)
    store.put(OTHER, "mine.csv", TABLE)
    store.move(KEY, OTHER)
    assert store.files(KEY) == []
    found = {file.name: (file.path.read_bytes(), file.is_table) for file in store.files(OTHER)}
    assert found == {"mine.csv": (TABLE, True), "b.csv": (content(1), False)}
    store.move(OTHER, OTHER)
    assert len(store.files(OTHER)) == 2
    assert len(on_disk(store)) == 4, "each with its description, and nothing under the first key"


def test_files_unused_for_an_hour_make_room_for_other_readers(tmp_path):
    store = Store(tmp_path, Limits(total_mb=4), is_own=False)
    last, middle, first = "1" * 43, "2" * 43, "3" * 43
    used(store, store.put(last, "last.csv", content(1, MEGABYTE)), 1.5)
    used(store, store.put(first, "first.csv", content(2, MEGABYTE)), 3)
    used(store, store.put(middle, "old.csv", content(3, MEGABYTE)), 5)
    store.put(KEY, "a.csv", content(5, MEGABYTE // 2))
    used(store, store.put(middle, "new.csv", TABLE), 2)
    store.put(KEY, "b.csv", content(4, MEGABYTE))
    left = {key: [file.name for file in store.files(key)] for key in (last, middle, first, KEY)}
    assert left == {last: ["last.csv"], middle: ["new.csv", "old.csv"], first: [], KEY: ["b.csv", "a.csv"]}


def test_an_upload_that_finds_no_room_removes_no_file(tmp_path):
    store = Store(tmp_path, Limits(total_mb=3), is_own=False)
    used(store, store.put(OTHER, "idle.csv", content(1, MEGABYTE)), 2)
    store.put("1" * 43, "busy.csv", content(2, MEGABYTE))
    with pytest.raises(ex.InputError, match="no room"):
        store.put(KEY, "b.csv", content(4, 3 * MEGABYTE))
    assert store.files(OTHER)


def test_a_table_stays_a_table_when_its_rows_are_predicted_too(store):
    assert not store.put(KEY, "a.csv", TABLE, is_table=False).is_table
    assert store.put(KEY, "a.csv", TABLE).is_table
    assert store.put(KEY, "a.csv", TABLE, is_table=False).is_table
    assert store.find(KEY, FINGERPRINT).is_table
