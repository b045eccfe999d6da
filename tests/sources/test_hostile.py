"""Connected tables that something is wrong with: words that name the culprit, the right tree, nothing left behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.errors import EngineError, SourceChangedError
from tests.folders import ROOT
from tests.oracles.connected import COARSE, ENGINES, assert_same, in_memory
from tests.oracles.examples import slow

WORDS = np.array(["no", "yes"])
DEEP = ex.CART.replace(max_depth=5, missing="most_common")


@pytest.fixture(params=ENGINES)
def engine(request) -> str:
    return request.param


@pytest.fixture(autouse=True)
def temp(tmp_path, monkeypatch):
    """An own folder for temporary files, which has to be empty at the end."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    left = [path.name for path in folder.iterdir()]
    assert left == [], "left behind"


def written(folder: Path, frame: pd.DataFrame, name: str = "table.parquet") -> Path:
    frame.to_parquet(folder / name, index=False)
    return folder / name


def noisy(x: np.ndarray, seed: int = 0) -> np.ndarray:
    """Words that depend on the order of the numbers, one in ten by chance."""
    rng = np.random.default_rng(seed)
    ranks = pd.Series(np.asarray(x, dtype=float)).rank().fillna(0).to_numpy()
    truth = (np.floor(4 * ranks / (len(ranks) + 1)) % 2).astype(int)
    return WORDS[np.where(rng.random(len(x)) < 0.1, 1 - truth, truth)]


def connect(path, engine: str, **options) -> "ex.Source":
    return ex.connect(path, target="y", engine=engine, **{"rows_in_memory": 0, **COARSE, **options})


def encode(path, engine: str, **options) -> None:
    """Connect, encode, and close."""
    source = connect(path, engine, **options)
    try:
        assert source.layout.n_rows >= 0
    finally:
        source.close()


def assert_tree_as_in_memory(folder: Path, frame: pd.DataFrame, engine: str, meant: pd.DataFrame | None = None) -> None:
    """The tree of the file is that of the frame in memory, or of the frame that it is meant as; it has a split."""
    source = connect(written(folder, frame), engine)
    try:
        tree = ex.grow(source, DEEP)
    finally:
        source.close()
    expected = ex.grow(in_memory(frame if meant is None else meant, "y"), DEEP)
    assert expected.n_leaves > 1
    assert [feature.name for feature in tree.features] == [feature.name for feature in expected.features]
    assert_same(tree, expected)


NUMBERS = {
    "nan": np.where(np.arange(400) % 7 == 0, np.nan, np.random.default_rng(0).normal(size=400)),
    "cauchy": np.random.default_rng(1).standard_cauchy(400) ** 5,
    "huge and tiny": np.random.default_rng(2).choice([1e300, -1e300, 1e-300, -1e-300, 5e-324, 0.0, 1.0], 400),
    "both zeros": np.random.default_rng(3).choice([0.0, -0.0, 1.0, -1.0], 400),
    "neighbouring doubles": 1.0 + np.random.default_rng(4).integers(0, 60, 400) * 2.0**-52,
    "widest range": np.random.default_rng(5).choice([-1.7e308, 1.7e308, 0.0, 2.0], 400),
    "all equal but one": np.where(np.arange(400) == 17, 3.0, 2.0),
    "whole": np.random.default_rng(6).integers(-10_000, 10_000, 400),
    "bytes": np.random.default_rng(7).integers(0, 200, 400).astype(np.uint8),
    "32-bit": np.random.default_rng(8).normal(size=400).astype(np.float32),
}


@pytest.mark.parametrize("name", list(NUMBERS))
def test_numbers_of_every_sort_give_the_tree_of_memory(tmp_path, name, engine):
    x = NUMBERS[name]
    assert_tree_as_in_memory(tmp_path, pd.DataFrame({"x": x, "y": noisy(x)}), engine)


def test_missing_cells_beside_all_bins_of_the_default(tmp_path, engine):
    x = np.random.default_rng(0).normal(size=(4000, 2))
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": noisy(x[:, 0] + x[:, 1])})
    frame.loc[::9, "a"] = np.nan
    source = ex.connect(written(tmp_path, frame), target="y", engine=engine, rows_in_memory=0)
    try:
        tree = ex.grow(source, DEEP)
    finally:
        source.close()
    assert_same(tree, ex.grow(in_memory(frame, "y"), DEEP))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_number_is_refused_by_its_column(tmp_path, value, engine):
    x = np.append(np.arange(20.0), value)
    file = written(tmp_path, pd.DataFrame({"income": x, "y": noisy(x)}))
    with pytest.raises(ex.ColumnError, match=r"'income'.*infinite"):
        encode(file, engine)


def test_an_infinite_target_is_refused(tmp_path, engine):
    file = written(tmp_path, pd.DataFrame({"x": np.arange(9.0), "y": [*np.arange(8.0), np.inf]}))
    with pytest.raises(ex.ColumnError, match=r"'y'.*infinite"):
        encode(file, engine)


def test_decimals_are_their_nearest_doubles(tmp_path, engine):
    cents = np.random.default_rng(0).integers(-5000, 5000, 300)
    frame = pd.DataFrame({"price": [Decimal(int(c)) / 100 for c in cents], "y": noisy(cents)})
    meant = frame.assign(price=[float(price) for price in frame["price"]])
    assert_tree_as_in_memory(tmp_path, frame, engine, meant)


def test_whole_numbers_that_no_double_holds_are_refused_or_noted(tmp_path, engine):
    x = 2**53 + np.arange(60)
    source = None
    try:
        source = connect(written(tmp_path, pd.DataFrame({"account": x, "y": noisy(x)})), engine)
        words = " ".join(str(note) for note in source.notes)
    except ex.ColumnError as error:
        words = str(error)
    finally:
        if source is not None:
            source.close()
    assert "'account'" in words
    assert "2^53" in words or "9,007,199,254,740,992" in words or "2⁵³" in words


def test_constant_and_empty_columns_are_no_features(tmp_path, engine):
    x, none = np.arange(40.0), pd.Series([None] * 40, dtype=object)
    same = {"same": 3.0, "word": "w", "nothing": none.astype(float), "void": none}
    source = connect(written(tmp_path, pd.DataFrame({**same, "x": x, "y": noisy(x)})), engine)
    try:
        assert [feature.name for feature in source.features] == ["x"]
        words = " ".join(note.text for note in source.notes)
        assert all(text in words for text in ("'same'", "'word'", "'nothing' is empty", "'void' is empty"))
    finally:
        source.close()


def test_only_columns_that_say_nothing(tmp_path, engine):
    file = written(tmp_path, pd.DataFrame({"same": [3.0] * 8, "y": ["no", "yes"] * 4}))
    with pytest.raises(ex.InputError, match=r"[Nn]o feature"):
        encode(file, engine)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"x": np.empty(0), "y": np.empty(0, dtype=object)}).astype({"y": "string"}), "'y'|row"),
        (pd.DataFrame({"x": [1.0], "y": ["no"]}), "'y' has a single"),
        (pd.DataFrame({"x": np.arange(9.0), "y": ["no"] * 9}), "'y' has a single"),
        (pd.DataFrame({"x": np.arange(9.0), "y": [np.nan] * 9}), "'y'"),
        (pd.DataFrame({"x": np.arange(9.0), "z": ["no"] * 9}), "'y'"),
    ],
    ids=["no row", "one row", "one class", "no target", "no such column"],
)
def test_nothing_to_predict(tmp_path, frame, words, engine):
    with pytest.raises(ex.InputError, match=words):
        encode(written(tmp_path, frame), engine)


def test_rows_without_target_are_left_out_and_noted(tmp_path, engine):
    x = np.arange(80.0)
    frame = pd.DataFrame({"x": x, "y": noisy(x)})
    frame.loc[::8, "y"] = None
    assert_tree_as_in_memory(tmp_path, frame, engine)


def three_files(folder: Path, third: pd.DataFrame) -> str:
    """Three files of one table, of which the last is given."""
    folder = folder / "parts"
    folder.mkdir()
    x = np.arange(30.0)
    for name in ("a.parquet", "b.parquet"):
        written(folder, pd.DataFrame({"x": x, "z": x[::-1], "y": noisy(x)}), name)
    written(folder, third, "c.parquet")
    return str(folder / "*.parquet")


def test_a_column_that_changes_its_type_in_the_third_file(tmp_path, engine):
    third = pd.DataFrame({"x": ["11.4%"] * 30, "z": np.arange(30.0), "y": ["no"] * 30})
    with pytest.raises(ex.InputError, match=r"'x'.*c\.parquet|c\.parquet.*'x'"):
        encode(three_files(tmp_path, third), engine)


def test_whole_numbers_in_one_file_and_doubles_in_another_are_numbers(tmp_path, engine):
    third = pd.DataFrame({"x": np.arange(30), "z": np.arange(30.0), "y": noisy(np.arange(30))})
    source = connect(three_files(tmp_path, third), engine)
    try:
        assert (source.n_rows, [feature.kind for feature in source.features]) == (90, ["numeric", "numeric"])
    finally:
        source.close()


def test_a_column_that_one_file_does_not_have(tmp_path, engine):
    third = pd.DataFrame({"x": np.arange(30.0), "y": ["no"] * 30})
    with pytest.raises(ex.InputError, match=r"'z'.*c\.parquet|c\.parquet.*'z'"):
        encode(three_files(tmp_path, third), engine)


NAMES = [
    'a "quoted" name',
    "it's",
    "two\nlines",
    "naïve 年龄 🌳",
    "select",
    "x; DROP TABLE work; --",
    "",
    " ",
    "c0",
    "node",
]


def test_columns_of_any_name(tmp_path, engine):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.normal(size=300) for name in NAMES if name})
    frame["y"] = noisy(frame.sum(axis=1).to_numpy())
    assert_tree_as_in_memory(tmp_path, frame, engine)


def test_two_columns_that_differ_in_case_only(tmp_path, engine):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"Age": rng.normal(size=300), "age": rng.integers(0, 9, 300)})
    frame["y"] = noisy(frame["Age"].to_numpy())
    try:
        assert_tree_as_in_memory(tmp_path, frame, engine)
    except ex.InputError as error:
        assert "'Age'" in str(error)  # noqa: PT017 - either is right: the tree, or a refusal that names both
        assert "'age'" in str(error)  # noqa: PT017


CATEGORIES = [
    "'; DROP TABLE work; --",
    "<script>alert(1)</script>",
    'a "b"',
    "NULL",
    "nan",
    "",
    " ",
    "é",
    "e\u0301",
    "0",
    "a\nb",
    "%s{x}",
]


def test_categories_of_any_text(tmp_path, engine):
    rng = np.random.default_rng(0)
    word = rng.choice([text for text in CATEGORIES if text], 400)
    number = rng.normal(size=400)
    hits = np.isin(word, CATEGORIES[::2]) ^ (rng.random(400) < 0.1)
    assert_tree_as_in_memory(
        tmp_path, pd.DataFrame({"word": word, "number": number, "y": WORDS[hits.astype(int)]}), engine
    )


def test_classes_of_any_text(tmp_path, engine):
    x = np.random.default_rng(0).normal(size=200)
    classes = np.array(["it's", '<b>"x"</b>'])
    frame = pd.DataFrame({"x": x, "y": classes[(noisy(x) == "yes").astype(int)]})
    assert_tree_as_in_memory(tmp_path, frame, engine)


def test_a_path_with_quotes_and_wildcards_in_its_folder(tmp_path, engine):
    folder = tmp_path / "it's [a] folder"
    folder.mkdir()
    x = np.arange(80.0)
    assert_tree_as_in_memory(folder, pd.DataFrame({"x": x, "y": noisy(x)}), engine)


def test_a_file_that_is_not_there_and_one_that_is_no_table(tmp_path, engine):
    with pytest.raises(ex.InputError, match=r"nowhere\.parquet"):
        encode(tmp_path / "nowhere.parquet", engine)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 this is no table PAR1")
    with pytest.raises(ex.InputError, match=r"broken\.parquet"):
        encode(broken, engine)
    with pytest.raises(ex.InputError, match=r"\*\.parquet"):
        encode(tmp_path / "empty" / "*.parquet", engine)


def grown(tmp_path: Path, engine: str, **options) -> tuple["ex.Source", ex.Tree, Path]:
    x = np.random.default_rng(0).normal(size=500)
    file = written(tmp_path, pd.DataFrame({"x": x, "z": x[::-1], "y": noisy(x)}))
    source = connect(file, engine, **options)
    return source, ex.grow(source, DEEP), file


def test_a_table_that_changed_after_growing_is_not_asked_again(tmp_path, engine):
    source, tree, file = grown(tmp_path, engine)
    try:
        x = np.random.default_rng(1).normal(size=400)
        written(tmp_path, pd.DataFrame({"x": x, "z": x, "y": noisy(x)}))
        os.utime(file, (1, 1))
        with pytest.raises(SourceChangedError, match="grow"):
            ex.decide(tree, source, 0)
    finally:
        source.close()


def test_a_table_that_was_removed_after_growing_is_not_asked_again(tmp_path, engine):
    source, tree, file = grown(tmp_path, engine)
    try:
        file.unlink()
        with pytest.raises(EngineError, match=r"table\.parquet"):
            ex.decide(tree, source, 0)
    finally:
        source.close()


def test_a_temporary_folder_that_was_removed(tmp_path, temp, engine):
    source, tree, _ = grown(tmp_path, engine)
    for folder in temp.iterdir():
        shutil.rmtree(folder)
    try:
        ex.decide(tree, source, 0)  # what is still open may still be read
    except EngineError as error:
        assert "connect" in str(error).lower()  # noqa: PT017
    finally:
        source.close()


def test_a_closed_source_says_so(tmp_path, engine):
    source, tree, _ = grown(tmp_path, engine)
    source.close()
    source.close()
    for call in (lambda: ex.grow(source, DEEP), lambda: ex.decide(tree, source, 0)):
        with pytest.raises(ex.ExplorerError, match="closed"):
            call()


def test_growing_can_be_stopped_and_goes_on_after_that(tmp_path, engine):
    source, tree, _ = grown(tmp_path, engine)

    def stop(*_: object) -> None:
        raise ex.Stopped

    try:
        with pytest.raises(ex.Stopped):
            ex.grow(source, DEEP, progress=stop)
        assert_same(ex.grow(source, DEEP), tree)
    finally:
        source.close()


def test_too_little_memory_is_said(tmp_path, engine):
    x = np.random.default_rng(0).normal(size=(200_000, 6))
    frame = pd.DataFrame(x, columns=list("abcdef")).assign(y=noisy(x[:, 0]))
    file = written(tmp_path, frame)
    with pytest.raises(ex.ExplorerError, match="memory"):
        encode(file, engine, memory_limit="1MB")


RUN = """
import os, resource, signal, sys
import explorer as ex
from explorer.errors import EngineError
file, engine, end = sys.argv[1:]
if end == "full disk":
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))  # no file may grow beyond
source = ex.connect(file, target="y", engine=engine, rows_in_memory=0)
try:
    ex.grow(source, ex.CART.replace(max_depth=3, missing="drop"))
    source.engine
except EngineError as error:
    print("error:", error)
if end == "killed":
    print("left:", os.listdir(os.environ["TMPDIR"]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
if end == "error":
    raise SystemExit(1)
if end == "closed":
    source.close()
"""


def run(file: Path, engine: str, end: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, str(file), engine, end]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def long_file(tmp_path) -> Path:
    x = np.random.default_rng(0).normal(size=(60_000, 5))
    return written(tmp_path, pd.DataFrame(x, columns=list("abcde")).assign(y=noisy(x[:, 0])), "long.parquet")


@pytest.mark.parametrize("end", [slow("closed"), "ended", slow("error")])
def test_nothing_is_left_when_the_process_ends(long_file, temp, engine, end):
    done = run(long_file, engine, end)
    assert done.returncode == (end == "error"), done.stderr
    assert list(temp.iterdir()) == []


@pytest.mark.slow
def test_the_folder_of_a_killed_process_goes_with_the_next_connection(long_file, temp, engine):
    done = run(long_file, engine, "killed")
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert run(long_file, engine, "closed").returncode == 0
    assert list(temp.iterdir()) == []


def test_a_full_disk_is_said_and_nothing_is_left(long_file, temp, engine):
    done = run(long_file, engine, "full disk")
    assert done.returncode == 0, done.stderr
    assert "error:" in done.stdout
    assert "disk" in done.stdout
    assert list(temp.iterdir()) == []
