"""The report of a tree: what it says, and that names stay names in it."""

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.export.report.markdown import escaped
from explorer.export.report.sections import MOST_LINES
from explorer.formatting import percent
from tests.oracles import used_trees
from tests.oracles.reported import VOTE_COSTS, cross_validated, decided, grown, provenance

HOSTILE = [*used_trees.NASTY, "</style><script>alert(1)</script>", "![x](http://evil.example)", "| a | b |", "*b* `c`"]


def test_what_a_person_decided_is_reported_with_what_is_not_in_force():
    known = decided()
    assert known.tree.condition(0).threshold == 12.5
    report = ex.to_report(known, "markdown").replace("\\", "")
    assert "- While growing, at the root: split on age ≤ 12.5." in report
    assert "does not split on sex, nor does any node below." in report
    assert "made a leaf; not in force: above it, the tree now splits on age ≤ 12.5." in report


def test_the_report_of_play_tennis_says_what_the_book_does():
    report = ex.to_report(provenance("play_tennis", ex.ID3), "markdown")
    assert "# Decision tree for PlayTennis" in report
    assert "| Day | left out | categorical | 14 | 0 | id-like: 14 values in 14 rows |" in report
    assert "Training set: all 14 rows." in report
    assert "ID3 with its default settings." in report
    assert "| score | training: tree | training: baseline |" in report
    assert "| accuracy | 1 | 0.642857 |" in report, "9 of 14 say Yes"
    assert "The tree is not pruned." in report
    assert "  Outlook = Overcast: Yes (4 of 4, 100 %)" in report
    assert "Mitchell, Machine Learning" in report


def test_split_settings_and_pruning_are_reported():
    alpha = 0.125
    known = provenance("iris", ex.CART.replace(max_depth=3), (0.6, 0.2), seed=5, alpha=alpha, hand=(("collapse", 0),))
    report = ex.to_report(known, "markdown")
    assert (
        "with seed 5 into 60 %, 20 %, 20 % of the rows: "
        "training set (90 rows), validation set (30 rows), test set (30 rows)."
    ) in report
    assert "| max\\_depth | – | 3 |" in report
    assert "Pruned by cost-complexity at α = 0.125 with risk “impurity”. Then changed by hand." in report
    assert "- Node 0 (all rows) was made a leaf." in report


def lines_of(report, section):
    """The table of a section: cells by line."""
    lines = report.replace("\\", "").split(f"## {section}\n")[1].split("\n## ")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][2:]


def test_every_leaf_tells_its_validation_rows():
    known = provenance("titanic", ex.CART.replace(max_depth=3), (0.7,))
    tree, (train, valid) = known.tree, known.parts
    at_leaf = pd.DataFrame({"leaf": tree.apply(valid), "y": valid.frame["survived"].to_numpy()}).groupby("leaf")["y"]
    lines = lines_of(ex.to_report(known, "markdown"), "Leaves on validation rows")
    assert [int(line[0]) for line in lines] == [node for node in tree.preorder() if tree.is_leaf[node]]
    assert sum(int(line[4]) for line in lines) == valid.n_rows
    for leaf, _, n_train, predicted, n_valid, right, sign in lines:
        assert int(n_train) == (tree.apply(train) == int(leaf)).sum()
        if int(leaf) not in at_leaf.groups:
            assert (n_valid, right, sign) == ("0", "–", "")
            continue
        counts = at_leaf.get_group(int(leaf)).value_counts()
        assert (int(n_valid), right) == (counts.sum(), percent(counts.get(int(predicted), 0) / counts.sum()))
        assert (sign == "≠") == (counts.max() > counts.get(int(predicted), 0))
    assert "Leaves on validation rows" not in ex.to_report(provenance("titanic", ex.CART), "markdown")


def test_cross_validation_reports_folds_seed_score_and_the_sizes_that_matter():
    known = cross_validated(provenance("titanic", ex.CART, (0.7,), alpha=0.004), fold_seed=0, folds=5)
    report = ex.to_report(known, "markdown")
    assert "- 5-fold cross-validation of the training set (624 rows) with seed 0." in report
    assert "- Score: accuracy (higher is better).\n- Mean and standard error are over all held-out rows." in report
    folded, path = known.folded, ex.cost_complexity_path(ex.grow(known.train, ex.CART))
    positions = {
        "best": len(path) - 1 - int(np.argmax(folded.mean[::-1])),
        "1-SE": folded.one_se,
        "this tree": path.position(0.004),
    }
    assert len(set(positions.values())) == 3, "a table in which they are the same would pass by luck"
    lines = {line[0]: line[1:] for line in lines_of(report, "Cross-validation")}
    assert set(lines) == {"unpruned", *positions, "root"}
    for name, position in positions.items():
        expected = [
            path.n_leaves[position],
            path.alphas[position],
            folded.mean[position],
            folded.standard_error[position],
        ]
        assert [float(cell) for cell in lines[name]] == pytest.approx([float(number) for number in expected], rel=1e-5)
    assert int(lines["this tree"][0]) == known.tree.n_leaves


def test_leaving_out_each_day_reports_numbers_that_can_be_counted():
    report = ex.to_report(cross_validated(provenance("play_tennis", ex.CART)), "markdown")
    assert "- Leave-one-out: each of the 14 rows is predicted by a tree grown without it." in report
    # of 14 days 7, 8 and 9 are predicted rightly; a standard error is √(p(1 − p)/14)
    lines = lines_of(report, "Cross-validation")
    assert [line[0] for line in lines] == ["unpruned, this tree", "best, 1-SE, root"]
    for line, right in zip(lines, (7, 9), strict=True):
        share = right / 14
        assert float(line[3]) == pytest.approx(share, rel=1e-5)
        assert float(line[4]) == pytest.approx((share * (1 - share) / 14) ** 0.5, rel=1e-5)


def test_a_tree_cut_by_hand_is_not_taken_for_one_of_the_sequence():
    known = cross_validated(provenance("titanic", ex.CART, (0.7,), alpha=0.004, hand=(("collapse", 2),)), 0)
    report = ex.to_report(known, "markdown")
    names = [line[0] for line in lines_of(report, "Cross-validation")]
    assert any("at this α" in name for name in names)
    assert not any("this tree" in name for name in names)
    assert "The sequence has no manual changes" in report


def test_a_report_without_cross_validation_does_not_speak_of_it():
    assert "ross-validat" not in ex.to_report(provenance("iris", ex.CART, (0.7,)), "markdown")


def test_a_method_is_named_with_its_options_and_its_steps():
    options = {"order": "bottom_up", "ties": "keep"}
    known = provenance("vote", ex.CART, (0.7,), method="reduced_error", options=options)
    steps = tuple(
        step.text for step in ex.reduced_error_steps(ex.grow(known.train, ex.CART), known.parts[1], **options)
    )
    report = ex.to_report(dataclasses.replace(known, steps=steps), "markdown").replace("\\", "")
    assert "Pruned by reduced error on the validation set" in report
    assert lines_of(report, "Pruning") == [["order", "bottom_up"], ["ties", "keep"]]
    assert all(f"- {step}" in report for step in steps)


def test_the_test_part_stays_sealed():
    known = provenance("iris", ex.CART, (0.6, 0.2))
    assert set(known.scored_sets) == {"Training", "Validation"}
    assert "est: tree" not in ex.to_report(known, "markdown").split("## Scores")[1].split("## ")[0]


def test_costs_are_reported_by_class():
    known = provenance("vote", ex.CART.replace(costs=VOTE_COSTS))
    assert "| costs | – | democrat (republican 5) |" in ex.to_report(known, "markdown")
    assert "costs={'democrat': {'republican': 5.0}}" in ex.to_script(known)


def test_a_large_tree_is_cut_where_nobody_would_read_on():
    table = ex.read_table(b"x,y\n" + b"".join(b"%d,%d\n" % (i, i * i % 1009) for i in range(3000)), name="many.csv")
    data = ex.Dataset.from_frame(table.frame, "y", ["x"], kinds={"y": "numeric"})
    known = grown(table, data, ex.CART)
    assert known.tree.n_nodes > MOST_LINES
    report = ex.to_report(known, "markdown")
    listing = report.split("## Tree")[1].split("## ")[0]
    assert "nodes, too many for a picture." in listing
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
            ex.Provenance(ex.Table(frame, (used,), used), data, tree, (data,), kinds=kinds, why=used, steps=(used,)),
            form,
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
    known = provenance("iris", ex.CART)
    with pytest.raises(ex.InputError, match="Give the parts"):
        ex.Provenance(known.table, known.data, known.tree, known.parts, shares=(0.7,))
    with pytest.raises(ex.InputError, match="There is no sample 'irys'"):
        ex.Provenance(known.table, known.data, known.tree, known.parts, sample="irys")
    weighted = ex.Dataset.from_frame(known.table.frame, known.data.target.name, weights=[1.0] * 150)
    with pytest.raises(ex.InputError, match="Add them to the table"):
        ex.Provenance(known.table, weighted, known.tree, (weighted,))
    made = {"table": known.table, "data": known.data, "tree": known.tree, "parts": known.parts}
    folded = ex.cross_validate_path(known.data, ex.CART, 5, seed=1)
    for seed, risk in ((None, "impurity"), (2, "impurity"), (1, "error")):
        with pytest.raises(ex.InputError, match="Give the seed and the risk"):
            ex.Provenance(**made, folded=folded, fold_seed=seed, risk=risk)
    with pytest.raises(ex.InputError, match="no pruning method 'best'"):
        ex.Provenance(**made, method="best")
    with pytest.raises(ex.InputError, match="needs a validation set"):
        ex.Provenance(**made, method="reduced_error")
    with pytest.raises(ex.InputError, match="Give only one of them"):
        ex.Provenance(**made, method="mdl", alpha=0.1)
    with pytest.raises(ex.InputError, match="no report in the form 'pdf'"):
        ex.to_report(known, "pdf")


@pytest.mark.parametrize(("key", "curves"), [("titanic", 1), ("iris", 3)])
def test_the_report_has_matrix_curves_and_importance_on_held_out_rows(key, curves):
    known = provenance(key, ex.CART.replace(max_depth=3), (0.7,))
    report, found = ex.to_report(known, "markdown"), ex.evaluate(known.tree, known.parts[1])
    matrix = lines_of(report, "Confusion matrix")
    classes = len(found.labels)
    assert [[float(cell) for cell in line[1:]] for line in matrix[:classes]] == found.confusion.tolist()
    assert [line[0] for line in matrix[:classes]] == [str(name) for name in known.tree.classes]
    assert float(matrix[-1][-1]) == pytest.approx(found.classes[-1].area, abs=1e-4)
    page = ex.to_report(known, "html")
    picture = page.split("<h2>ROC</h2>")[1].split("</svg>")[0]
    assert picture.count("AUC ") == curves
    shuffled = ex.permutation_importance(known.tree, known.parts[1], 10)
    lines = {line[0]: line[1:] for line in lines_of(report, "Feature importance")}
    assert lines.keys() >= {name for name, losses in shuffled.items() if losses.losses.any()}
    for name, (impurity, mean, span) in lines.items():
        assert float(impurity) == pytest.approx(ex.importance(known.tree)[name], rel=1e-3)
        assert float(mean) == pytest.approx(shuffled[name].mean, rel=1e-3, abs=1e-4)
        low, high = map(float, span.split(" to "))
        assert low <= float(mean) <= high


def test_a_report_of_numbers_has_importance_alone_and_one_of_a_leaf_says_so():
    numbers = ex.to_report(provenance("auto_mpg", ex.CART.replace(max_depth=2), (0.7,)), "markdown")
    assert "## ROC" not in numbers
    assert "| feature | impurity importance | increase of the MSE |" in numbers
    leaf = ex.to_report(provenance("play_tennis", ex.ID3.replace(max_depth=0)), "markdown")
    assert "The tree tests no feature." in leaf
