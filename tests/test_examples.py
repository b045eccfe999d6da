"""The examples run from top to end with the numbers of the books; documents name files that exist and one version."""

import re
import runpy
import tomllib
from fractions import Fraction

import numpy as np
import pytest

import explorer as ex
from tests.folders import ROOT


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run an example in an empty folder; gives the names it has defined."""
    monkeypatch.chdir(tmp_path)
    return lambda name: runpy.run_path(str(ROOT / "examples" / f"{name}.py"))


def test_play_tennis_has_the_numbers_of_the_books(run):
    example = run("play_tennis")
    # Quinlan (1986), Mitchell (1997) table 3.2 and figure 3.3
    gains = {feature: round(gain, 3) for feature, gain in example["gains"].items()}
    assert gains == {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    assert example["gain_by_hand"] == pytest.approx(example["root"].chosen.gain, rel=1e-12)
    assert example["id3"].n_leaves == 5
    # DEFINITIONS sections 2 and 4
    assert example["error_of_root"] == Fraction(5, 14)
    assert example["gini_of_root"] == Fraction(45, 98)
    assert round(example["entropy_of_root"], 3) == 0.940
    assert round(example["split_information"], 3) == 1.577
    assert round(example["gain_ratio"], 3) == 0.156
    assert example["competing"] == ["Outlook", "Humidity"]


def test_play_tennis_prunes_as_defined(run):
    path = run("play_tennis")["path"]  # DEFINITIONS section 7, weakest links
    assert path.alphas == pytest.approx([0, 2 / 35, 113 / 980], rel=1e-12)
    assert path.n_leaves.tolist() == [7, 3, 1]
    assert path.risks == pytest.approx([0, 8 / 35, 45 / 98], rel=1e-12)


def test_titanic_pruning_follows_the_definitions(run):
    example = run("titanic_pruning")
    train, tree, path = example["train"], example["tree"], example["path"]
    survived = train.frame["survived"].astype(int)
    male = train.frame["sex"] == "male"
    # for a 0/1 target the Gini decrease is twice that of the variance, W_L·W_R/W²·(ȳ_L − ȳ_R)² (DEFINITIONS section 2)
    decrease = 2 * male.mean() * (1 - male.mean()) * (survived[male].mean() - survived[~male].mean()) ** 2
    assert example["root"].chosen.condition.text == "sex = male"
    assert example["root"].chosen.gain == pytest.approx(decrease, rel=1e-12)
    # the last α is g(root) in the last tree before it (section 7)
    weakest_link = (path.risks[-1] - path.risks[-2]) / (path.n_leaves[-2] - 1)
    assert path.alphas[-1] == pytest.approx(weakest_link, rel=1e-9)
    assert example["curve"].max() == example["curve"][example["best"]]
    # 1-SE rule: the fewest leaves whose error is at most that of the best plus its standard error
    judged = example["cross_validation"]
    within = judged.mean >= judged.mean[judged.best] - judged.standard_error[judged.best]
    assert judged.one_se == max(np.flatnonzero(within))
    assert tree.n_leaves == path.n_leaves[judged.one_se] == len(example["rules"])
    assert example["accuracy"].value == np.mean(
        tree.predict(example["test"].frame) == example["test"].frame["survived"].to_numpy()
    )


def test_titanic_pruning_writes_a_report_and_a_query(run, tmp_path):
    run("titanic_pruning")
    assert {path.name for path in tmp_path.iterdir()} == {"titanic_report.html", "titanic_tree.sql"}
    assert "passengers" in (tmp_path / "titanic_tree.sql").read_text("utf-8")


def test_every_example_is_run_here():
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert names == set(re.findall(r'run\("(\w+)"\)', (ROOT / "tests" / "test_examples.py").read_text("utf-8")))


def test_package_pyproject_and_changelog_have_one_version():
    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    assert "version" in pyproject["project"]["dynamic"]
    assert pyproject["tool"]["hatch"]["version"] == {"path": "explorer/__init__.py"}
    released = re.findall(r"^## \[?(\d+\.\d+\.\d+)\]?", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert ex.__version__ == released[0]


INVENTED = "stability"
"""The page that CONTRIBUTING adds as an example."""


def documents():
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_file_that_a_document_names_exists():
    named = {
        (document.name, path)
        for document in documents()
        if document.name != "CHANGELOG.md"
        for path in re.findall(
            r"`((?:explorer|pages|tests|examples|docs)/[\w./-]+|\w+\.(?:py|toml|txt))`", document.read_text("utf-8")
        )
    }
    tops = [ROOT / folder for folder in ("", "explorer", "pages", "pages/rules")]
    missing = [pair for pair in sorted(named) if not any((top / pair[1]).exists() for top in tops)]
    assert [pair for pair in missing if INVENTED not in pair[1]] == []


def test_every_link_between_documents_leads_somewhere():
    broken = []
    for document in documents():
        for target in re.findall(r"\]\((?!https?:)([^)]+)\)", document.read_text("utf-8")):
            name, _, heading = target.partition("#")
            file = (document.parent / name).resolve() if name else document
            if not file.exists():
                broken.append((document.name, target))
            elif heading:
                titles = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
                if heading not in {title.lower().replace(" ", "-") for title in titles}:
                    broken.append((document.name, target))
    assert broken == []


def test_every_public_name_in_a_document_exists():
    named = {name for document in documents() for name in re.findall(r"\bex\.(\w+)", document.read_text("utf-8"))}
    assert {name for name in named if not hasattr(ex, name)} == set()
