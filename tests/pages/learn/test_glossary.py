"""The glossary: every link leads somewhere, every Chinese term is the one of the catalogues, and the search finds."""

import json
from pathlib import Path

import pytest

from explorer.messages import chinese, languages, spoken_in
from pages.layout.shell import PAGE_PATHS
from pages.learn.glossary.section import PAGES, position_of
from pages.learn.glossary.term import GROUPS, Term
from pages.learn.path import SCENES, scene_of
from tests.folders import ROOT
from tests.pages.app import opened

TERMS = [term for terms in GROUPS.values() for term in terms]
LINKS = sorted({link for term in TERMS for link in term.links})
SELDOM = {
    *("置信因子", "复杂度参数", "停止规则", "规则后剪枝", "类似编号的列", "奈特", "按比例分配的样本", "归纳偏置"),
    *("奥卡姆剃刀", "版本空间", "合取的析取", "经验熵", "欠拟合", "正则化的极大似然"),
}
"""Terms that may stand in the glossary only."""


def named(name: str) -> Term:
    return next(term for term in TERMS if term.in_english == name)


def test_there_are_about_eighty_terms_and_none_twice():
    names = [term.in_english for term in TERMS]
    assert len(set(names)) == len(names) >= 80
    chinese_names = [term.in_chinese for term in TERMS]
    assert len(set(chinese_names)) == len(chinese_names)


def test_both_languages_stand_side_by_side_whichever_is_on():
    term = named("information gain")
    with spoken_in(chinese()):
        assert (term.in_english, term.in_chinese) == ("information gain", "信息增益")
        assert "熵" in term.definition
    assert (term.in_english, term.in_chinese) == ("information gain", "信息增益")
    assert "entropy" in term.definition


@pytest.mark.parametrize("name", sorted({link.partition("/")[0] for link in LINKS if "/" in link}))
def test_a_link_to_a_scene_names_one_of_its_steps(name):
    assert name in {scene.name for scene in SCENES}
    steps = [step.name for step in scene_of(name).steps({})]
    wanted = {link.partition("/")[2] for link in LINKS if link.startswith(f"{name}/")}
    assert wanted - set(steps) == set()
    for step in wanted:
        assert position_of(scene_of(name), step) == steps.index(step)


def test_a_link_to_a_page_names_one_with_an_address():
    pages = {link for link in LINKS if "/" not in link}
    assert pages - set(PAGE_PATHS) == set()
    assert pages == set(PAGES)
    assert all((ROOT / "pages" / name / "page.py").exists() for name in pages)


def test_every_scene_of_the_path_is_linked():
    linked = {link.partition("/")[0] for link in LINKS if "/" in link}
    assert {scene.name for scene in SCENES if scene.on_short_path} <= linked


def test_the_chinese_terms_are_those_of_the_other_texts():
    """Every other part of the product has its own file of translations; the terms occur in these."""
    folder = Path(languages.__file__).with_name("chinese")
    files = [file for file in folder.glob("*.json") if file.name != "learn_drill.json"]
    others = " ".join(text for file in files for text in json.loads(file.read_text("utf-8")).values())
    others += " ".join(path.read_text("utf-8") for path in (ROOT / "pages" / "learn" / "scenes").rglob("*.md"))
    unknown = {term.in_chinese for term in TERMS if term.in_chinese not in others}
    assert unknown <= SELDOM


@pytest.mark.parametrize("wanted", ["gini", "基尼", "1 − Σ p²", "Gini(D)", " GINI "])
def test_the_search_looks_at_both_names_the_symbol_and_the_meaning(wanted):
    assert named("Gini index").matches(wanted)
    assert not named("bootstrap").matches(wanted)


def test_a_search_shows_the_terms_that_match_and_their_links_open():
    app = opened("Learn", learn="glossary")
    assert not app.exception
    app.text_input(key="learn.glossary.search").set_value("sequence").run()
    shown = [element.value for element in app.markdown]
    assert any("子树序列" in text for text in shown)
    assert not any("混淆矩阵" in text for text in shown)
    app.button(key="learn.glossary.subtree sequence.cost_complexity/sequence").click().run()
    assert not app.exception
    names = [step.name for step in scene_of("cost_complexity").steps({})]
    assert app.query_params["scene"] == "cost_complexity"
    assert app.query_params["scene_step"] == str(names.index("sequence"))


@pytest.mark.parametrize(
    "lecture",
    [
        *("inductive bias", "Occam's razor", "version space", "disjunction of conjunctions", "empirical entropy"),
        *("underfitting", "regularised maximum likelihood"),
    ],
)
def test_what_a_lecture_says_by_name_is_found(lecture):
    term = named(lecture)
    assert term.links
    assert term.matches(lecture)
