"""The report of a tree: what it tells, that its script grows the same tree, and that names stay names in it."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import explorer as ex
from explorer.report.markdown import escaped
from explorer.report.sections import MOST_LINES
from explorer.samples import SAMPLES
from tests import used_trees

ROOT = Path(__file__).parents[1]
HOSTILE = [*used_trees.NASTY, "</style><script>alert(1)</script>", "![x](http://evil.example)", "| a | b |", "*b* `c`"]
_TELL = """
import json, runpy, sys
found = runpy.run_path(sys.argv[1])
scores = {rows: {one.name: [one.value, one.baseline] for one in s.values()} for rows, s in found["scores"].items()}
print("\\n" + json.dumps([found["tree"].to_dict(), scores]))
"""


def told(key, recipe, shares=(), seed=0, alpha=None, hand=(), risk="impurity", **more):
    """A built-in table, grown and pruned as the pages do it."""
    sample, table = SAMPLES[key], ex.load_sample(key)
    features = more.pop("features", sample.features)
    data = ex.Dataset.from_frame(table.frame, sample.target, features=features, kinds=sample.kinds)
    facts = {"sample": key, "kinds": sample.kinds, "shares": shares, "seed": seed}
    return grown(table, data, recipe, alpha, hand, risk, **(facts | more))


def grown(table, data, recipe, alpha=None, hand=(), risk="impurity", shares=(), seed=0, choices=None, **more):
    parts = data.split(*shares, seed=seed) if shares else (data,)
    tree = ex.grow(parts[0], recipe, parts[1] if recipe.prepruning else None, choices=choices)
    if alpha is not None:
        path = ex.cost_complexity_path(tree, risk=risk)
        tree = tree.with_closed(ex.closed_at(path, path.position(alpha)))
    tree = ex.prune_by_hand(tree, hand)
    return ex.Provenance(table, data, tree, parts, shares=shares, seed=seed, alpha=alpha, hand=hand, risk=risk, **more)


def own_file(folder: Path, name="my table (1).csv"):
    """A file of one's own, with names that a script has to quote and a column that does not count."""
    text = 'who,it\'s "odd",天气,grade\n' + "".join(
        f"p{i},{i % 7},{'晴雨雪'[i % 3]},{'yes' if i % 7 > 3 or i % 3 == 2 else 'no'}\n" for i in range(60)
    )
    folder.joinpath(name).write_text(text, "utf-8")
    table = ex.read_table(folder / name)
    kinds = {'it\'s "odd"': "categorical"}
    data = ex.Dataset.from_frame(table.frame, "grade", kinds=kinds)
    return grown(table, data, ex.CART.replace(min_rows_leaf=2), shares=(0.6, 0.2), seed=3, kinds=kinds)


def decided():
    """Titanic by a cut and a grouping of one's own, a leaf, a feature kept out, and one choice that rests."""
    plain = told("titanic", ex.CART.replace(max_depth=3), (0.7,)).tree
    choices = ex.Choices().lock(plain.place(plain.children_of(0)[0])).force((), "age", threshold=12.5)
    choices = choices.force((1,), "embarked", categories=["S"]).forbid((0,), "sex")
    return told("titanic", ex.CART.replace(max_depth=3), (0.7,), alpha=0.001, choices=choices)


VOTE_COSTS = {"democrat": {"republican": 5.0}}
CASES = {
    "titanic C4.5": lambda folder: told("titanic", ex.C45, (0.7,), seed=1),
    "vote with costs": lambda folder: told("vote", ex.CART.replace(costs=VOTE_COSTS), (0.6, 0.2)),
    "auto_mpg by α and by hand": lambda folder: told(
        "auto_mpg", ex.CART, (0.7,), alpha=0.5, hand=(("collapse", 4), ("restore", 7))
    ),
    "watermelons, pre-pruned": lambda folder: told("watermelon_2_0", ex.ID3.replace(prepruning=True), (0.6,)),
    "a custom recipe": lambda folder: told(
        "car", ex.Recipe(name="mine", score="gain_ratio", impurity="entropy", class_weights={"vgood": 3}, max_depth=4)
    ),
    "a file of one's own": own_file,
    "decided by hand": lambda folder: decided(),
}


def run_again(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a fresh interpreter that knows nothing but where the package is."""
    folder.joinpath("again.py").write_text(script, "utf-8")
    known = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", _TELL, "again.py"],
        cwd=folder,
        env={**known, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("case", CASES)
def test_the_script_of_the_report_grows_the_same_tree_with_the_same_scores(case, tmp_path):
    known = CASES[case](tmp_path)
    script = ex.to_report(known, "markdown").split("```python\n")[1].split("\n```")[0] + "\n"
    assert script == ex.to_script(known)
    done = run_again(tmp_path, script)
    assert done.returncode == 0, done.stderr[-3000:]
    tree, scores = json.loads(done.stdout.splitlines()[-1])
    assert tree == json.loads(json.dumps(known.tree.to_dict()))
    expected = {name: ex.evaluation(known.tree, part).scores for name, part in known.judged.items()}
    assert scores == {n: {s.name: [s.value, s.baseline] for s in found.values()} for n, found in expected.items()}
    assert done.stdout.startswith(f"{known.tree.n_leaves} leaves, depth {known.tree.max_depth}\n")


def test_steps_by_hand_and_alpha_both_changed_the_tree_of_the_case_that_has_both(tmp_path):
    known = CASES["auto_mpg by α and by hand"](tmp_path)
    path = ex.cost_complexity_path(ex.grow(known.train, ex.CART))
    at_alpha = path.tree.with_closed(ex.closed_at(path, path.position(0.5)))
    assert 1 < at_alpha.n_leaves < path.tree.n_leaves
    assert (at_alpha.closed[4], at_alpha.closed[7]) == (False, True)
    assert (known.tree.closed[4], known.tree.closed[7]) == (True, False)


def test_what_a_person_decided_is_told_with_what_is_not_in_force():
    known = decided()
    assert known.tree.condition(0).threshold == 12.5
    report = ex.to_report(known, "markdown").replace("\\", "")
    assert "- While growing, at the root: split by age ≤ 12.5." in report
    assert "does not use sex, nor does any node below." in report
    assert "made a leaf; not in force: above it, age ≤ 12.5 is asked now." in report


def test_the_script_stops_at_another_table(tmp_path):
    known = own_file(tmp_path)
    file = tmp_path / known.table.name
    file.write_text(file.read_text("utf-8").replace("p3,3,", "p3,4,"), "utf-8")
    done = run_again(tmp_path, ex.to_script(known))
    assert done.returncode == 1
    assert "This is not the table of the report" in done.stderr


def test_the_report_of_play_tennis_tells_what_the_book_does():
    report = ex.to_report(told("play_tennis", ex.ID3), "markdown")
    assert "# Decision tree for PlayTennis" in report
    assert "| Day | left out | categorical | 14 | 0 | id-like: 14 values in 14 rows |" in report
    assert "The tree grew on all 14 rows." in report
    assert "ID3, as it is." in report
    assert "| score | Training: tree | Training: baseline |" in report
    assert "| accuracy | 1 | 0.642857 |" in report, "9 of 14 say Yes"
    assert "The tree is as it was grown: nothing was pruned." in report
    assert "  Outlook = Overcast: Yes (4 of 4, 100 %)" in report
    assert "Mitchell, Machine Learning" in report


def test_split_settings_and_pruning_are_told():
    alpha = 0.125
    known = told("iris", ex.CART.replace(max_depth=3), (0.6, 0.2), seed=5, alpha=alpha, hand=(("collapse", 0),))
    report = ex.to_report(known, "markdown")
    assert "with seed 5 into 60 %, 20 %, 20 % of the rows: Training 90, Validation 30, Test 30." in report
    assert "| max\\_depth | – | 3 |" in report
    assert "Pruned at α = 0.125 under the risk “impurity”, then by hand." in report
    assert "- Node 0 (all rows) was made a leaf." in report


def test_the_test_part_stays_sealed():
    known = told("iris", ex.CART, (0.6, 0.2))
    assert set(known.judged) == {"Training", "Validation"}
    assert "Test:" not in ex.to_report(known, "markdown").split("## Scores")[1].split("## ")[0]


def test_costs_are_told_by_class():
    known = told("vote", ex.CART.replace(costs=VOTE_COSTS))
    assert "| costs | – | democrat (republican 5) |" in ex.to_report(known, "markdown")
    assert "costs={'democrat': {'republican': 5.0}}" in ex.to_script(known)


def test_a_large_tree_is_cut_where_nobody_would_read_on():
    table = ex.read_table(b"x,y\n" + b"".join(b"%d,%d\n" % (i, i * i % 1009) for i in range(3000)), name="many.csv")
    data = ex.Dataset.from_frame(table.frame, "y", ["x"], kinds={"y": "numeric"})
    known = grown(table, data, ex.CART)
    assert known.tree.n_nodes > MOST_LINES
    report = ex.to_report(known, "markdown")
    listing = report.split("## The tree")[1].split("## ")[0]
    assert "nodes are too many for a picture." in listing
    assert "nodes below" in listing
    assert listing.count("(") <= 2 * MOST_LINES


def test_scores_that_some_rows_cannot_have_are_left_out():
    data = ex.load_sample("iris").frame.iloc[[0, 1, 60, 61, 62]]
    table = ex.Table(data, (), "five.csv")
    known = grown(table, ex.Dataset.from_frame(data, data.columns[-1]), ex.CART, shares=(0.8,))
    assert known.parts[1].n_rows == 1
    assert re.search(r"\| AUC \| [\d.]+ \| 0.5 \| – \| – \|", ex.to_report(known, "markdown")), "one row has no curve"


class Tags(HTMLParser):
    """The tags of a page in order, and all that is text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_names_in_a_report(name):
    def report(used: str, form: str) -> str:
        tree, frame = used_trees.nasty_tree(used)
        kinds = {used: "categorical", f"{used}2": "numeric"}
        data = ex.Dataset.from_frame(frame, "goal", list(kinds), kinds)
        return ex.to_report(
            ex.Provenance(ex.Table(frame, (used,), used), data, tree, (data,), kinds=kinds, why=used), form
        )

    plain, page = Tags(report("plain", "html")).tags, Tags(report(name, "html")).tags
    assert [tag for tag in page if tag not in ("text", "tspan", "title")] == [
        tag for tag in plain if tag not in ("text", "tspan", "title")
    ]
    assert not {"script", "img", "a"} & set(page)
    lines = report(name, "markdown").splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        line.replace("plain", escaped(name)) for line in report("plain", "markdown").splitlines() if line[:1] == "#"
    ]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("*a*", r"(?<!\\)\*"),
        ("[a](http://b)", r"(?<!\\)\["),
        ("<b>", r"(?<!\\)<"),
        ("a|b", r"(?<!\\)\|"),
        ("https://b.example", r"https:/"),
        ("www.b.example", r"www\.(?<!\\\.)"),
        ("a@b.example", r"(?<!\\)@"),
        ("12) no", r"^12\)"),
        ("---", r"^-"),
        ("+ no", r"^\+"),
        ("two\nlines", r"\n"),
        ("&lt;", r"(?<!\\)&"),
        ("a\\", r"(?<!\\)\\$"),
    ],
)
def test_marks_of_markdown_are_escaped(text, mark):
    assert not re.search(mark, escaped(text))


def test_what_no_script_could_say_is_refused():
    known = told("iris", ex.CART)
    with pytest.raises(ex.InputError, match="give the parts"):
        ex.Provenance(known.table, known.data, known.tree, known.parts, shares=(0.7,))
    with pytest.raises(ex.InputError, match="There is no sample 'irys'"):
        ex.Provenance(known.table, known.data, known.tree, known.parts, sample="irys")
    weighted = ex.Dataset.from_frame(known.table.frame, known.data.target.name, weights=[1.0] * 150)
    with pytest.raises(ex.InputError, match="put them into the table"):
        ex.Provenance(known.table, weighted, known.tree, (weighted,))
    with pytest.raises(ex.InputError, match="no report in the form 'pdf'"):
        ex.to_report(known, "pdf")
