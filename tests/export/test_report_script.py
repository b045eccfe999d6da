"""The script of a report, run where there is nothing but the package, grows the same tree with the same scores."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.oracles.examples import slow
from tests.oracles.repairs import apply_all
from tests.oracles.reported import VOTE_COSTS, cross_validated, decided, grown, own_file, provenance, repaired
from tests.oracles.titanic_counts import TITANIC

_TELL = """
import contextlib, importlib.util, io, json, os, runpy, sys, traceback
assert not any(importlib.util.find_spec(name) for name in ("pages", "tests", "app")), "more than the package is there"
for folder in sys.stdin:
    os.chdir(folder.rstrip("\\n"))
    said, wrong, made = io.StringIO(), "", None
    try:
        with contextlib.redirect_stdout(said):
            found = runpy.run_path("again.py")
        scores = {
            rows: {one.name: [one.value, one.baseline] for one in s.values()} for rows, s in found["scores"].items()
        }
        folded = found.get("folded")
        folds = folded and [getattr(folded, name).tolist() for name in ("mean", "standard_error", "fold_of_row")]
        made = [found["tree"].to_dict(), scores, folds]
    except BaseException:
        wrong = traceback.format_exc()
    print(json.dumps([said.getvalue(), wrong, made]), flush=True)
"""
RAISED = {"confidence": 0.25, "raising": True, "limit": "binomial"}


def weighed(folder):
    """Rows that weigh what a column says."""
    text = "x,many,y\n" + "".join(f"{i % 9},{1 + i % 4},{'ab'[i % 9 > 3 + i % 2]}\n" for i in range(80))
    folder.joinpath("weighed.csv").write_text(text, "utf-8")
    table = ex.read_table(text.encode(), name="weighed.csv")
    data = ex.Dataset.from_frame(table.frame, "y", ["x"], weights="many")
    return grown(table, data, ex.C45, shares=(0.7,))


def labelled(folder):
    """Classes with labels, in a file of one's own."""
    text = "x,self\n" + "".join(f"{i % 9},{int(i % 9 > 3 + i % 2)}\n" for i in range(80))
    folder.joinpath("labelled.csv").write_text(text, "utf-8")
    table = ex.read_table(text.encode(), name="labelled.csv")
    data = ex.Dataset.from_frame(table.frame, "self").with_class_labels({"0": "no 'risk'", "1": "风险"})
    costs = {"风险": {"no 'risk'": 3.0}}
    return grown(table, data, ex.CART.replace(costs=costs), shares=(0.7,), seed=2)


def read_by_hand(folder, name="signs.csv", **options):
    """A file whose signs were set by hand: read as found, its numbers and its missing cells would be others."""
    land = ["NA", "DE", "AT", "FR"]
    text = "id;pay;land;y\n" + "".join(f"n{i};{1 + i % 7}.{i:03};{land[i % 4]};{'ab'[i % 7 > 3]}\n" for i in range(80))
    folder.joinpath(name).write_text(text, "utf-8")
    table = ex.read_table(folder / name, **options or {"thousands": ".", "missing": ["?", "k.A."]})
    return grown(table, ex.Dataset.from_frame(table.frame, "y", ["pay", "land"]), ex.CART, shares=(0.7,))


def counted(folder):
    """A table of counts whose cases have a row each."""
    TITANIC.to_csv(folder / "counts.csv", index=False)
    table = apply_all(ex.read_table(folder / "counts.csv"))
    return cross_validated(grown(table, ex.Dataset.from_frame(table.frame, "Survived"), ex.CART, shares=(0.7,)), 2, 3)


def visits(folder, split, folded=0, window=None, **division):
    """Visits of patients, on days, some of them of an older study."""
    random, lines = np.random.default_rng(4), ["x,z,id,day,study,ill"]
    for i in range(120):
        patient, study = i % 20, ("old", "new")[i >= 90]
        day, ill = f"2021-{1 + i // 10:02}-{1 + i % 7:02}", "ny"[int(patient + random.integers(3)) % 3 // 2]
        lines.append(f"{random.integers(6)},{patient % 3},{patient},{day},{study},{ill}")
    text = "\n".join(lines) + "\n"
    folder.joinpath("visits.csv").write_text(text, "utf-8")
    table = ex.read_table(text.encode(), name="visits.csv")
    data = ex.Dataset.from_frame(table.frame, "ill", ["x", "z"], **division)
    data = data.with_time("day", **window) if window else data
    known = grown(table, data, ex.CART, seed=3, **split)
    return cross_validated(known, None if folded == "one" else 2, folded) if folded else known


CASES = {
    "by group": lambda folder: visits(folder, {"shares": (0.6, 0.2)}, 4, groups="id"),
    "each group left out": lambda folder: visits(folder, {"shares": (0.7,)}, "one", groups="id"),
    "by time": lambda folder: visits(folder, {"shares": (0.7,)}, 3, time="day"),
    "by time in windows": lambda folder: visits(
        folder, {"shares": (0.7,)}, 3, {"max_train_size": 30, "gap": 4}, time="day"
    ),
    "a table of counts": counted,
    "at a date": lambda folder: visits(folder, {"split_times": ("2021-05-01", "2021-08-01")}, "one", time="day"),
    "by a column of sets": lambda folder: visits(folder, {"split_column": "study", "split_values": ("old", "new")}, 3),
    "signs and marks set by hand": read_by_hand,
    "play_tennis ID3": lambda folder: provenance("play_tennis", ex.ID3),
    "titanic C4.5": lambda folder: provenance("titanic", ex.C45, (0.7,), seed=1),
    "missing cells in shares": lambda folder: provenance("golf_missing", ex.C45.replace(min_rows_leaf=2)),
    "missing cells by surrogates": lambda folder: provenance("titanic", ex.CART.replace(max_depth=5), (0.7,)),
    "vote with costs": lambda folder: provenance("vote", ex.CART.replace(costs=VOTE_COSTS), (0.6, 0.2)),
    "auto_mpg by α and by hand": lambda folder: provenance(
        "auto_mpg", ex.CART, (0.7,), alpha=0.5, hand=(("collapse", 4), ("restore", 7))
    ),
    "α under another risk": lambda folder: provenance("iris", ex.CART, (0.7,), alpha=0.01, risk="error"),
    "watermelons, pre-pruned": lambda folder: provenance("watermelon_2_0", ex.ID3.replace(prepruning=True), (0.6,)),
    "a custom recipe": lambda folder: provenance(
        "car", ex.Recipe(name="mine", score="gain_ratio", impurity="entropy", class_weights={"vgood": 3}, max_depth=4)
    ),
    "a file of one's own": own_file,
    "a file with weights": weighed,
    "classes with labels": labelled,
    "a file repaired first": repaired,
    "decided by hand": lambda folder: decided(),
    "reduced error": lambda folder: provenance("titanic", ex.CART, (0.7,), method="reduced_error"),
    "reduced error, bottom-up, only if better": lambda folder: provenance(
        "titanic", ex.C45, (0.7,), method="reduced_error", options={"order": "bottom_up", "ties": "keep"}
    ),
    "reduced error of numbers": lambda folder: provenance("auto_mpg", ex.CART, (0.6, 0.2), method="reduced_error"),
    "pessimistic": lambda folder: provenance(
        "titanic", ex.C45, (0.7,), method="pessimistic", options={"confidence": 0.1}
    ),
    "pessimistic, raising": lambda folder: provenance("titanic", ex.CART, (0.7,), method="pessimistic", options=RAISED),
    "description length": lambda folder: provenance("vote", ex.C45, (0.7,), method="mdl"),
    "a method, then by hand": lambda folder: provenance(
        "titanic", ex.CART, (0.7,), method="mdl", hand=(("restore", 1), ("collapse", 2))
    ),
    "cross-validated": lambda folder: cross_validated(provenance("titanic", ex.CART, (0.7,), alpha=0.004), 7, 4, "auc"),
    "cross-validated numbers": lambda folder: cross_validated(
        provenance("auto_mpg", ex.CART, alpha=2.0, risk="unnormalised"), 0
    ),
    "each row left out": lambda folder: cross_validated(provenance("watermelon_3_0", ex.CART)),
    "cross-validated, decided by hand": lambda folder: cross_validated(decided(), 2),
    "cross-validated, pre-pruned": lambda folder: cross_validated(
        provenance("iris", ex.CART.replace(prepruning=True), (0.6,)), 1, 3
    ),
}

QUICK = {
    "play_tennis ID3",
    "classes with labels",
    "a file of one's own",
    "a file repaired first",
    "auto_mpg by α and by hand",
    "cross-validated, decided by hand",
    "each group left out",
    "at a date",
    "by time in windows",
    "a table of counts",
    "by a column of sets",
}
"""One case of each sort: a sample, a file, pruned, cross-validated."""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """An interpreter where the package is and nothing else of the repository, as an installation has it."""
    installed = tmp_path_factory.mktemp("installed")
    installed.joinpath("explorer").symlink_to(ROOT / "explorer", target_is_directory=True)
    known = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    with subprocess.Popen(
        [sys.executable, "-c", _TELL],
        cwd=installed,
        env={**known, "PYTHONPATH": str(installed), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as interpreter:
        yield interpreter
        interpreter.stdin.close()


def run_again(folder: Path, script: str, elsewhere: subprocess.Popen[str]) -> tuple[str, str, object]:
    """What a script prints there, what it raises, and what it makes: the tree, its scores, and those of the folds."""
    folder.joinpath("again.py").write_text(script, "utf-8")
    elsewhere.stdin.write(f"{folder}\n")
    elsewhere.stdin.flush()
    printed, wrong, made = json.loads(elsewhere.stdout.readline())
    return printed, wrong, made


@pytest.mark.parametrize("case", [case if case in QUICK else slow(case) for case in CASES])
def test_the_script_of_the_report_grows_the_same_tree_with_the_same_scores(case, tmp_path, elsewhere):
    known = CASES[case](tmp_path)
    script = ex.to_report(known, "markdown").split("```python\n")[1].split("\n```")[0] + "\n"
    assert script == ex.to_script(known)
    printed, wrong, made = run_again(tmp_path, script, elsewhere)
    assert wrong == ""
    tree, scores, folds = made
    assert tree == json.loads(json.dumps(known.tree.to_dict()))
    expected = {name: ex.evaluate(known.tree, part).scores for name, part in known.scored_sets.items()}
    assert scores == {n: {s.name: [s.value, s.baseline] for s in scored.values()} for n, scored in expected.items()}
    assert printed.startswith(f"{known.tree.n_leaves} leaves, depth {known.tree.max_depth}\n")
    assert (folds is None) == (known.folded is None)
    if known.folded is not None:
        assert folds == [
            array.tolist() for array in (known.folded.mean, known.folded.standard_error, known.folded.fold_of_row)
        ]
        assert f"best: {known.folded.n_leaves[known.folded.best]} leaves, {known.folded.metric} " in printed


def test_the_cases_are_what_they_are_called(tmp_path):
    """A case whose option changes nothing would hold without it."""
    shares = CASES["missing cells in shares"](tmp_path)
    assert shares.tree.recipe.missing == "fractional"
    assert shares.tree.missing_weight.sum() > 0
    surrogates = CASES["missing cells by surrogates"](tmp_path)
    assert surrogates.tree.recipe.missing == "surrogate"
    assert surrogates.tree.missing_weight.sum() > 0
    sizes = {}
    for case in CASES:
        known = CASES[case](tmp_path)
        if known.method is not None:
            full = ex.grow(known.train, known.tree.recipe)
            assert 1 < known.tree.n_leaves < full.n_leaves, case
            sizes[case] = known.tree.n_leaves
    assert sizes["reduced error"] != sizes["description length"]
    raised = CASES["pessimistic, raising"](tmp_path)
    assert raised.tree.n_nodes_grown != ex.grow(raised.train, ex.CART).n_nodes_grown
    plain = provenance("titanic", ex.CART, (0.7,), method="mdl").tree
    assert sizes["a method, then by hand"] != plain.n_leaves
    assert not np.array_equal(weighed(tmp_path).tree.stats, grown_without_weights(tmp_path).stats)


def grown_without_weights(folder):
    table = ex.read_table(folder / "weighed.csv")
    return ex.grow(ex.Dataset.from_frame(table.frame, "y", ["x"]).split(0.7, seed=0)[0], ex.C45)


def test_steps_by_hand_and_alpha_both_changed_the_tree_of_the_case_that_has_both(tmp_path):
    known = CASES["auto_mpg by α and by hand"](tmp_path)
    path = ex.cost_complexity_path(ex.grow(known.train, ex.CART))
    at_alpha = path.tree.with_pruned(ex.pruned_at(path, path.position(0.5)))
    assert 1 < at_alpha.n_leaves < path.tree.n_leaves
    assert (at_alpha.is_pruned[4], at_alpha.is_pruned[7]) == (False, True)
    assert (known.tree.is_pruned[4], known.tree.is_pruned[7]) == (True, False)


def test_the_report_lists_the_repairs_and_the_script_repeats_them(tmp_path):
    known = repaired(tmp_path)
    kinds = [repair.kind for repair in known.table.repairs]
    assert kinds == ["totals", "money", "dates", "levels", "spellings", "missing_codes"]
    report, script = ex.to_report(known, "markdown"), ex.to_script(known)
    section = report.split("## Repairs")[1].split("\n## ")[0]
    assert section.count("\n- ") == len(kinds)
    assert "expects the columns after the repairs" in section
    assert all(f"ex.Repair('{kind}'" in script for kind in kinds)
    assert "## Repairs" not in ex.to_report(own_file(tmp_path), "markdown")


def test_the_script_reads_the_chosen_sheet_and_header_line(tmp_path):
    known = own_file(tmp_path)
    table = dataclasses.replace(known.table, sheets=("a", "b"), sheet="b", header_line=3)
    script = ex.to_script(dataclasses.replace(known, table=table))
    assert "table = ex.read_table('my table (1).csv', sheet='b', header_line=3)\n" in script


def test_the_script_reads_with_what_was_set_by_hand_and_with_nothing_else(tmp_path):
    by_hand = ex.to_script(read_by_hand(tmp_path))
    assert "ex.read_table('signs.csv', thousands='.', missing=('?', 'k.A.'))\n" in by_hand
    assert "ex.read_table('my table (1).csv')\n" in ex.to_script(own_file(tmp_path))


def test_the_script_stops_at_another_table(tmp_path, elsewhere):
    known = own_file(tmp_path)
    file = tmp_path / known.table.name
    file.write_text(file.read_text("utf-8").replace("p3,3,", "p3,4,"), "utf-8")
    _, wrong, made = run_again(tmp_path, ex.to_script(known), elsewhere)
    assert made is None
    assert "This is not the table of the report" in wrong
