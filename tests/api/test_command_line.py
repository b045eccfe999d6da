"""The commands `python -m explorer` and `decision-tree-explorer`."""

import importlib.util
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import explorer as ex
from explorer.commands import grow as command
from explorer.commands import open_app
from explorer.formatting import percent
from explorer.tree import metrics
from tests.folders import ROOT

FILE = "age,job,spare,late\n" + "".join(
    f"{20 + i // 2},{'abc'[i % 3]},{'yes' if i >= 20 else 'no'},{i % 2}\n" for i in range(40)
)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("loans.csv").write_text(FILE, "utf-8")
    return "loans.csv"


def run(capsys, *arguments):
    status = command.main(arguments)
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_it_prints_the_size_the_scores_and_the_tree(capsys):
    status, out, _ = run(capsys, "play_tennis", "--algorithm", "id3")
    assert status == 0
    assert out.splitlines()[0] == (
        "14 rows, target 'PlayTennis', ID3: 5 leaves, training accuracy 100 % (baseline 64.3 %)."
    )
    assert "  Outlook = Overcast: Yes (4 of 4, 100 %)" in out.splitlines()


def test_a_file_needs_no_target_and_takes_one(capsys, table):
    assert "target 'late'" in run(capsys, table)[1]
    assert "target 'spare', CART: 2 leaves, training accuracy 100 %" in run(capsys, table, "--target", "spare")[1]


def test_the_limits_of_growing_hold(capsys):
    assert "CART: 4 leaves" in run(capsys, "iris", "--max-leaves", "4")[1]
    assert "CART: 2 leaves" in run(capsys, "iris", "--max-depth", "1")[1]
    path = ex.cost_complexity_path(ex.grow(data_of("iris", min_leaf := 20), ex.CART.replace(min_rows_leaf=min_leaf)))
    assert f"CART: {path.n_leaves[0]} leaves" in run(capsys, "iris", "--min-leaf", "20")[1]


def data_of(sample, *_):
    about = ex.SAMPLES[sample]
    return ex.Dataset.from_frame(ex.load_sample(sample).frame, about.target, about.features, dict(about.kinds))


@pytest.mark.parametrize("rule", ["best", "1-se"])
def test_cross_validation_chooses_the_size(capsys, rule):
    _, out, _ = run(capsys, "iris", "--prune", rule, "--seed", "3")
    folded = ex.cross_validate_path(data_of("iris"), ex.CART, seed=3)
    position = folded.best if rule == "best" else folded.one_se
    assert f"CART: {folded.n_leaves[position]} leaves" in out
    assert f"10-fold cross-validation {100 * folded.mean[position]:.1f} %" in out


def test_folds_keep_to_groups_and_to_time(capsys, table):
    data = ex.Dataset.from_frame(ex.read_table(table).frame, "late", groups="job")
    folded = ex.cross_validate_path(data, ex.CART, 3)
    out = run(capsys, table, "--target", "late", "--groups", "job", "--prune", "best", "--folds", "3")[1]
    assert f"in leave-one-group-out over 3 groups {percent(folded.mean[folded.best])} ±" in out
    assert "job" not in out
    assert "'job' has 3 values in these rows" in run(capsys, table, "--groups", "job", "--prune", "best")[2]
    assert run(capsys, table, "--target", "spare", "--time", "age", "--prune", "best", "--folds", "3")[0] == 0


def test_sets_are_split_at_a_time_or_by_a_column(capsys, table, tmp_path):
    frame = ex.read_table(table).frame
    early, late = ex.Dataset.from_frame(frame, "late", time="age").split_at(30)
    tree = ex.grow(early, ex.CART)
    scores = [metrics.score(tree, part) for part in (early, late)]
    asked = ("--target", "late", "--time", "age", "--split-at", "30", "--script", "again.py", "--report", "r.md")
    out = run(capsys, table, *asked)[1]
    assert out.startswith(f"20 + 20 rows, target 'late', CART: {tree.n_leaves} leaves, training accuracy")
    assert f"training accuracy {percent(scores[0])} " in out
    assert f"validation accuracy {percent(scores[1])} " in out
    assert "data.split_at('30')" in Path("again.py").read_text("utf-8").replace('"', "'")
    assert "at 30" in Path("r.md").read_text("utf-8")

    sets = Path("sets.csv")
    sets.write_text("x,late,set\n" + "".join(f"{i // 2},{i % 2},{('train', 'test')[i >= 12]}\n" for i in range(20)))
    assert "12 + 8 rows, target 'late'" in run(capsys, str(sets), "--split-by", "set")[1]
    assert "8 + 12 rows, target 'late'" in run(capsys, str(sets), "--split-by", "set", "test", "train")[1]
    assert "no time to split at" in run(capsys, table, "--split-at", "30")[2]
    assert "There is no column 'sets'" in run(capsys, table, "--split-by", "sets")[2]


def test_alpha_prunes(capsys):
    leaves = ex.prune_at_alpha(ex.grow(data_of("iris"), ex.CART), 0.02).n_leaves
    assert f"CART: {leaves} leaves" in run(capsys, "iris", "--alpha", "0.02")[1]


def test_repairs_are_made_only_when_asked(capsys, tmp_path):
    money = tmp_path / "money.csv"
    rows = "".join(f"${i // 2},000;{'a' if i >= 40 else 'b'}\n" for i in range(20, 80))
    money.write_text("income;state\n" + rows, "utf-8")
    assert "repaired:" not in run(capsys, str(money))[2]
    _, out, err = run(capsys, str(money), "--repair", "--target", "state")
    assert "repaired: 'income' looks like money" in err
    assert "income ≤ 19500" in out


def test_files_are_written_by_their_endings(capsys, table):
    names = [f"tree{ending}" for ending in command.WRITERS]
    more = ("--report", "report.md", "--script", "again.py", "--rules")
    status, out, err = run(capsys, table, "--target", "spare", "--write", *names, *more)
    assert status == 0, err
    assert "if age ≤ 29.5 then no (20 of 20, 100 %)" in out
    tree = ex.Tree.from_dict(json.loads(Path("tree.json").read_text("utf-8")))
    assert Path("tree.txt").read_text("utf-8") == ex.to_text(tree)
    assert Path("tree.sql").read_text("utf-8") == ex.to_sql(tree)
    assert Path("tree.svg").read_text("utf-8").startswith("<svg")
    assert Path("report.md").read_text("utf-8").startswith("#")
    again = {}
    exec(compile(Path("again.py").read_text("utf-8"), "again.py", "exec"), again)  # runs beside its file
    assert np.array_equal(again["tree"].feature, tree.feature)
    assert [line for line in err.splitlines() if line.startswith("wrote")] == [
        f"wrote {n}" for n in (*names, "report.md", "again.py")
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nix.csv"], "error: There is no file 'nix.csv', and no built-in table of that name: choose"),
        (["loans.csv", "--target", "nix"], "error: There is no column 'nix'"),
        (["loans.csv", "--write", "tree.pdf"], "error: 'tree.pdf' ends in none of .txt, .csv"),
        (["loans.csv", "--report", "report.pdf"], "error: 'report.pdf' ends in none of .html, .md"),
        (["loans.csv", "--alpha", "-1"], "error: α is the penalty of a leaf"),
        (
            ["loans.csv", "--write", "nowhere/tree.svg"],
            "error: [Errno 2] No such file or directory: 'nowhere/tree.svg'",
        ),
    ],
)
def test_a_mistake_ends_with_a_sentence(capsys, table, arguments, said):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert said in err.splitlines()[-1]


def test_the_module_runs_as_a_command(table):
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "golf"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("14 rows, target 'class', CART: ")


def test_the_app_starts_for_this_machine_alone():
    asked = open_app.parser().parse_args(["--port", "8600", "--no-browser"])
    assert open_app.app_file() == ROOT / "app.py"
    words = open_app.command(ROOT / "app.py", asked)
    assert words[:3] == ["streamlit", "run", str(ROOT / "app.py")]
    assert words[3:] == ["--server.address=localhost", "--server.port=8600", "--server.headless=true"]


def test_the_server_is_told_which_table_to_begin_with(monkeypatch, table):
    started = []
    monkeypatch.setattr(open_app, "os", SimpleNamespace(environ={}))
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(open_app.runpy, "run_module", lambda name, **_: started.append((name, *sys.argv)))
    assert open_app.main([table, "--target", "spare"]) == 0
    assert [words[:3] for words in started] == [("streamlit", "streamlit", "run")]
    assert open_app.os.environ == {"EXPLORER_OPEN": str(Path(table).resolve()), "EXPLORER_TARGET": "spare"}


@pytest.mark.slow
def test_the_server_ends_with_the_command(table):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"from explorer.commands.open_app import main; main(['{table}', '--port', '{port}', '--no-browser'])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
    assert any("http://localhost" in line for line in running.stdout)
    assert socket.create_connection(("127.0.0.1", port)).close() is None
    running.terminate()
    running.communicate(timeout=60)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nix.csv"], "error: There is no file 'nix.csv'."),
        (
            ["loans.csv", "--target", "nix"],
            "error: 'loans.csv' has no column 'nix'. Its columns are age, job, spare, late.",
        ),
        (["--target", "spare"], "error: --target names a column of a table: name the table too."),
    ],
)
def test_the_app_is_not_started_on_a_mistake(capsys, table, arguments, said):
    assert open_app.main(arguments) == 2
    assert capsys.readouterr().err.strip() == said


def test_the_library_alone_says_how_to_install_the_app(capsys, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(open_app.importlib.util, "find_spec", lambda name: None if name == "streamlit" else found(name))
    assert open_app.main([]) == 2
    assert "pip install 'decision-tree-explorer[app]'" in capsys.readouterr().err
