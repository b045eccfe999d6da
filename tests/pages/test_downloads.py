"""What can be taken away from the Grow and Prune pages: each file when it is requested, and a report that holds."""

import base64
import csv
import io
import json
import time
import xml.etree.ElementTree as ET

import pytest
from streamlit.testing.v1 import AppTest

import explorer as ex
from pages.settings import labels
from pages.widgets import downloads
from tests.oracles import used_trees
from tests.oracles.pack_reader import unpacked
from tests.oracles.tables import titanic_tree
from tests.pages.app import SAMPLE_FILES, fine, metrics, opened, uploaded, views, went


def menu(app):
    """The page with its menu open: downloads are its first tab."""
    app.session_state["menu"] = True
    return fine(app.run())


@pytest.fixture
def provenance(monkeypatch):
    """Gives what the pages would hand to their downloads, the latest last."""
    handed = []
    monkeypatch.setattr(downloads, "downloads", lambda settings, made, slider=None: handed.append(made()))
    return handed


@pytest.fixture
def sliders(monkeypatch):
    """Gives the sliders that the pages would hand to their web pages, None where they are plain."""
    handed = []
    monkeypatch.setattr(downloads, "downloads", lambda settings, made, slider=None: handed.append(slider and slider()))
    return handed


def grown_again(made, folder, monkeypatch):
    """What the report's script ends with."""
    monkeypatch.chdir(folder)
    names = {}
    exec(compile(ex.to_script(made), "again.py", "exec"), names)
    return names


def accuracy(shown: float) -> str:
    """As the pages print it."""
    return f"{100 * shown:.1f} %"


@pytest.mark.parametrize(
    "query",
    [
        {"data": "titanic", "recipe": "C4.5", "max_depth": "4", "seed": "3"},
        {"data": "vote", "recipe": "CART", "split": "three", "costs": '[["democrat",[["republican",5]]]]'},
        {"data": "titanic", "recipe": "CART", "feature": ["sex", "age", "pclass"], "kind": "pclass:categorical"},
        {"data": "mushroom", "target": "odor"},
        {"data": "watermelon_2_0", "recipe": "ID3", "split": "two", "prepruning": "true"},
        {"data": "titanic", "recipe": "C4.5", "choice": '{"op":"force","path":[],"way":[],"feature":"pclass"}'},
    ],
    ids=lambda query: " ".join(map(str, query.values())),
)
def test_the_report_of_the_grow_page_grows_the_tree_of_the_page(query, provenance, tmp_path, monkeypatch):
    app = menu(opened("Grow", **query))
    assert set(query) <= set(app.query_params), "all of it was taken"
    again = grown_again(provenance[-1], tmp_path, monkeypatch)
    assert again["tree"].to_dict() == provenance[-1].tree.to_dict()
    shown = metrics(app)
    assert shown["Leaves"] == f"{again['tree'].n_leaves:,}"
    assert shown["Depth"] == str(again["tree"].max_depth)
    assert shown["Validation"] == accuracy(again["scores"]["Validation"]["accuracy"].value)


def test_the_report_of_the_prune_page_has_alpha_and_what_was_done_by_hand(provenance, tmp_path, monkeypatch):
    menu(opened("Prune", data="auto_mpg", recipe="CART", alpha="0.8", hand="-2+1", risk="unnormalised"))
    made = provenance[-1]
    again = grown_again(made, tmp_path, monkeypatch)
    assert again["tree"].to_dict() == made.tree.to_dict()
    assert (made.alpha, made.hand, made.risk) == (0.8, (("collapse", 2), ("restore", 1)), "unnormalised")
    assert "Pruned by hand: " in ex.to_report(made, "markdown")


def view_of(page):
    """What the view of a web page begins with, and the packs that it has."""
    content = json.loads(page.split('id="view-data">')[1].split("</script>")[0])
    return content["view"], [base64.b64decode(pack) for pack in content["payloads"]]


def test_the_web_page_of_the_prune_page_is_what_the_page_shows(sliders):
    app = menu(opened("Prune", data="titanic", recipe="CART", alpha="0.004", hand="-2+1", palette="okabe_ito"))
    shown = views(app)["prune"]
    view, packs = view_of(sliders[-1].page("okabe_ito"))
    assert view["state"]["position"] == shown["state"]["position"] > 0
    assert view["state"]["hand"] == shown["state"]["hand"] == [["collapse", 2], ["restore", 1]]
    assert (view["tree"], view["sequence"]) == (shown["tree"], shown["sequence"])
    assert view["by_hand"] is True
    assert view["themes"] == shown["themes"]
    header, arrays = unpacked(packs[1])
    assert (header["sig"], header["score_name"], header["how"]) == (shown["sequence"], "accuracy", "validation")
    assert len(arrays["train"]) == len(arrays["valid"]) == len(arrays["alphas"])


def test_the_web_page_of_the_grow_page_has_no_slider(sliders):
    menu(opened("Grow", data="titanic"))
    assert sliders == [None]


def test_the_report_of_a_file_of_one_s_own_reads_it_by_its_name(provenance, tmp_path, monkeypatch):
    content = SAMPLE_FILES.joinpath("iris.csv").read_bytes()
    app = menu(went(uploaded(opened(), "flowers (1).csv", content), "Grow"))
    tmp_path.joinpath("flowers (1).csv").write_bytes(content)
    again = grown_again(provenance[-1], tmp_path, monkeypatch)
    assert "ex.read_table('flowers (1).csv')" in ex.to_script(provenance[-1])
    assert metrics(app)["Leaves"] == str(again["tree"].n_leaves)


def test_a_small_table_reports_what_leaving_out_says(provenance):
    app = menu(opened("Grow"))
    left_out = metrics(app)["Leave-one-out"]
    report = ex.to_report(provenance[-1], "markdown")
    assert f"Leave-one-out accuracy of the unpruned tree: {left_out}, baseline 64.3 %." in report


def test_the_test_set_is_reported_unused_and_then_its_use(provenance):
    menu(opened("Prune", data="iris", split="three"))
    assert "The test set is not used yet: its score is unknown." in ex.to_report(provenance[-1], "markdown")
    menu(opened("Prune", data="iris", split="three", opened="0:5:0.9:0.3"))
    assert "Test set used for a tree of 5 leaves (seed 0)\\: accuracy 90.0 %" not in (
        report := ex.to_report(provenance[-1], "markdown")
    )
    assert "Test set used for a tree of 5 leaves (seed 0): accuracy 90.0 %" in report


METHODS = {
    "reduced_error": {"order": "bottom_up", "ties": "keep"},
    "pessimistic": {"confidence": "0.05", "limit": "binomial"},
    "mdl": {},
    "cost_complexity": {"risk": "error"},
    "unpruned": {},
}


@pytest.mark.parametrize(
    ("method", "options"),
    [*METHODS.items(), ("pessimistic", {"raising": "yes"})],
    ids=[*METHODS, "pessimistic, raising"],
)
def test_a_selected_method_is_reported_and_grown_again(method, options, provenance, tmp_path, monkeypatch):
    query = {"data": "titanic", "recipe": "CART", "pruning": "methods", "method": method, **options}
    app = menu(opened("Prune", **query))
    made = provenance[-1]
    again = grown_again(made, tmp_path, monkeypatch)
    assert again["tree"].to_dict() == made.tree.to_dict()
    table = app.dataframe[0].value.set_index("method").loc[labels.METHODS[method]]
    assert table["leaves"] == again["tree"].n_leaves
    assert table["training"] == accuracy(again["scores"]["Training"]["accuracy"].value)
    assert table["validation"] == accuracy(again["scores"]["Validation"]["accuracy"].value)
    report = ex.to_report(made, "markdown").replace("\\", "")
    assert WORDS[method] in report
    for name, value in options.items():
        assert name == "risk" or f"| {name} | {value} |" in report
    assert ("the steps use the node numbers of the grown tree" in report) == ("raising" in options)


WORDS = {
    "reduced_error": "Pruned by reduced error on the validation set.",
    "pessimistic": "Pruned by C4.5’s pessimistic estimates.",
    "mdl": "Pruned by MDL (description length).",
    "cost_complexity": "α was chosen by the accuracy on the validation set.",
    "unpruned": "The tree is not pruned.",
}


def test_the_report_of_a_method_has_its_steps(provenance):
    menu(opened("Prune", data="titanic", recipe="CART", pruning="methods", method="mdl"))
    made = provenance[-1]
    steps = ex.mdl_steps(ex.grow(made.train, ex.CART), made.train)
    text = ex.to_report(made, "markdown").replace("\\", "").split("## Pruning steps")[1].split("\n## ")[0]
    assert text.strip().splitlines() == [f"- {step.text}" for step in steps]
    assert len(steps) == 153


def test_the_web_page_of_a_method_has_its_steps(sliders):
    menu(opened("Prune", data="titanic", recipe="CART", pruning="methods", method="reduced_error"))
    view, packs = view_of(sliders[-1].page("safe"))
    header, arrays = unpacked(packs[1])
    made = by_reduced_error()
    assert view["by_hand"] is False
    assert view["state"] == {"selected": 0, "position": len(header["captions"]) - 1, "hand": []}
    assert arrays["leaves"][-1] == made.n_leaves


def by_reduced_error():
    """Titanic, grown by CART and pruned by reduced error."""
    tree, _, valid = titanic_tree()
    return ex.reduced_error_prune(tree, valid)


def test_an_unpruned_tree_has_no_steps_to_slide_over(sliders):
    menu(opened("Prune", data="titanic", recipe="CART", pruning="methods"))
    assert sliders == [None]


def test_the_1_se_tree_of_a_small_table_reports_the_rows_left_out(provenance, tmp_path, monkeypatch):
    menu(opened("Prune", data="play_tennis", recipe="CART", pruning="methods", method="one_se"))
    made = provenance[-1]
    again = grown_again(made, tmp_path, monkeypatch)
    assert again["tree"].to_dict() == made.tree.to_dict()
    report = ex.to_report(made, "markdown")
    assert "Leave-one-out: each of the 14 rows is predicted by a tree grown without it." in report
    # leaving out each day, the 7 leaves are right 7 times, 3 leaves 8 times, the root 9 times (sd 0.479, over √14)
    assert "| best, 1-SE, root, this tree | 1 | " in report
    assert "| 0.642857 | 0.12806 |" in report
    assert "| unpruned | 7 | 0 | 0.5 | 0.133631 |" in report


def test_cross_validation_on_the_page_is_in_its_report(provenance, tmp_path, monkeypatch):
    app = opened("Prune", data="titanic", recipe="CART", folds="5", fold_seed="3", metric="auc")
    menu(app).button("cross_validate").click().run()
    for _ in range(300):
        if provenance[-1].folded is not None:
            break
        time.sleep(0.2)
        fine(app.run())
    made = provenance[-1]
    assert made.folded is not None
    again = grown_again(made, tmp_path, monkeypatch)
    assert again["folded"].mean.tolist() == made.folded.mean.tolist()
    report = ex.to_report(made, "markdown")
    assert "5-fold cross-validation of the training set (624 rows) with seed 3." in report.replace("\\", "")
    assert "Score: AUC (higher is better)." in report


@pytest.mark.parametrize(("page", "data"), [("Grow", "play_tennis"), ("Prune", "titanic"), ("Grow", "auto_mpg")])
def test_offering_files_makes_none_of_them(page, data, monkeypatch):
    def made(*_, **__):
        raise AssertionError("This was made without being asked for.")

    for form in (
        "report",
        "script",
        "html",
        "dot",
        "text",
        "listing",
        "python",
        "sql",
        "pdf",
        "png",
        "pptx",
        "xlsx",
        "onnx",
        "pmml",
    ):
        monkeypatch.setattr(ex, f"to_{form}", made)
    monkeypatch.setattr(ex, "rules", made)
    app = opened(page, data=data)
    assert offered(app) == [], "nothing is prepared while it is closed"
    assert len(offered(menu(app))) == (21 if data == "auto_mpg" else 22)


def offered(app):
    """The forms of the tree that the page offers."""
    return [button.key for button in app.get("download_button") if (button.key or "").startswith("download.")]


NO_TEXTS = ("pdf", "png", "pptx", "xlsx", "onnx")
"""Files that `tests/export/test_office.py` and `test_onnx.py` read back."""


def files_of(tree, data, table=None):
    """The files that are texts."""
    made = ex.Provenance(table or ex.Table(data.frame, (), "t.csv"), data, tree, (data,))
    all_files = [file for files in downloads._files(made, "safe").values() for file in files]
    return {file.name: file for file in all_files if not file.name.endswith(NO_TEXTS)}


def test_every_file_holds_the_tree():
    table = ex.load_sample("play_tennis")
    data = ex.Dataset.from_frame(table.frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3)
    made = {name: file.make() for name, file in files_of(tree, data, table).items()}
    assert ex.Tree.from_dict(json.loads(made["tree.json"])).to_dict() == tree.to_dict()
    assert ET.fromstring(made["tree.svg"]).tag.endswith("svg")
    assert made["counts.txt"].startswith("[9+,5-] .64+ .36-")
    assert made["tree.txt"].count("\n") == 7
    assert len(made["rules.txt"].splitlines()) == 8  # 5 leaves, other values at 2 nodes, the root's default
    assert "digraph" in made["tree.dot"]
    assert "CASE" in made["tree.sql"]
    assert 'id="view-data"' in made["tree.html"]
    predict = {}
    exec(compile(made["tree.py"], "tree.py", "exec"), predict)
    assert predict["predict"]({"Outlook": "Rain", "Humidity": "High", "Wind": "Strong"})[0] == "No"
    assert "<h1>Decision tree for PlayTennis</h1>" in made["report.html"]
    assert "# Decision tree for PlayTennis" in made["report.md"]
    assert "ex.grow(train, recipe)" in made["again.py"]


@pytest.mark.parametrize("label", ["ONNX", "PMML"])
def test_a_model_for_engines_is_offered_where_the_tree_can_be_one(label):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    refusals = {}
    for recipe in (ex.ID3, ex.C45):
        made = downloads._files_of_tree(ex.grow(data, recipe), "safe")
        refusals[recipe.name] = next(each.refusal for files in made.values() for each in files if each.label == label)
    assert refusals["ID3"] == ""
    assert "rows with a missing or unseen cell follow several branches" in refusals["C4.5"]


def page_with_a_refused_file():
    from pages.widgets.downloads import File, offer

    refused = File("ONNX", "tree.onnx", "A model.", str, "No file: '*a*'.")
    offer({"Code": [refused, File("JSON", "tree.json", "Every number.", str)]})


def test_a_file_that_the_tree_cannot_be_says_why_beside_its_button():
    app = AppTest.from_function(page_with_a_refused_file, default_timeout=60).run()
    assert not app.exception
    assert [each.value for each in app.caption] == [r"No file: '\*a\*'.", "Every number."]


def test_the_listing_is_offered_for_two_classes_only():
    iris = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    assert "counts.txt" not in files_of(ex.grow(iris, ex.CART), iris)


@pytest.mark.parametrize("name", [*used_trees.NASTY, "=1+1", "@x", "</script>", "-2"])
def test_no_file_breaks_by_names_of_a_table(name):
    tree, frame = used_trees.nasty_tree(name)
    kinds = {name: "categorical", f"{name}2": "numeric"}
    files = files_of(tree, ex.Dataset.from_frame(frame, "goal", list(kinds), kinds))
    assert [n for n, f in files.items() if f.refusal] == (["tree.pmml"] if "\x0c" in name else [])
    made = {n: f.make() for n, f in files.items() if not f.refusal}
    ET.fromstring(made["tree.svg"])
    assert json.loads(made["tree.json"]) == json.loads(json.dumps(tree.to_dict()))
    for line in csv.reader(io.StringIO(made["rules.csv"])):
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in line)
    compile(made["tree.py"], "tree.py", "exec")
    compile(made["again.py"], "again.py", "exec")


def test_the_picture_of_a_tree_too_large_to_draw_is_its_top(monkeypatch):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3)
    assert "down to" not in files_of(tree, data)["tree.svg"].purpose
    monkeypatch.setattr("explorer.drawing.svg.svg.MOST_NODES", 5)
    picture = files_of(tree, data)["tree.svg"]
    assert "down to depth 1. The tree has 8 nodes" in picture.purpose
    assert picture.make().count("data-node=") == 4
    assert picture.make().count("… 2 nodes below</text>") == 2
