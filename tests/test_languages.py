"""The catalogues: complete, without keys that no text has, and with every field of the English templates."""

import ast
import json
import re
import string
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import explorer as ex
from explorer.data import samples
from explorer.drawing.joined_modules import templates_of
from explorer.formatting import percent
from explorer.messages import (
    LANGUAGES,
    ask_for_catalogue,
    catalogue_of,
    chinese,
    clauses,
    current_catalogue,
    language,
    language_for,
    paragraph,
    sentence,
    spacing,
    spoken_in,
)
from explorer.messages import languages as catalogues
from pages.learn.path import scene_of
from pages.learn.scenes.markdown import Text, read
from pages.text import score_text
from tests.folders import ROOT
from tests.oracles.python_text import contents

FILES = sorted((Path(catalogues.__file__).with_name("chinese")).glob("*.json"))
LARGEST_FILE = 300_000
_HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,.;:!?]( |$)")


def literals(call: ast.Call) -> Iterator[str]:
    yield from (each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str))


def templates_in_python() -> Iterator[str]:
    for path in [*(ROOT / "explorer").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]:
        for called, call in contents(path).worded:
            if called in ("message", "plural"):
                yield from literals(call)


def scene_texts() -> Iterator[Text]:
    """The texts of the scenes, each with its Chinese beside it; reading them checks that both have the same fields."""
    for path in sorted((ROOT / "pages" / "learn" / "scenes").rglob("*.md")):
        yield from (text for text in read(path.read_text("utf-8"), path.name).texts() if not text.is_literal)


def sample_texts() -> Iterator[dict[str, str]]:
    """The texts of the built-in tables, by language."""
    file = json.loads((Path(samples.__file__).with_name("samples.json")).read_text("utf-8"))
    yield from file["licences"].values()
    for sample in file["samples"]:
        yield from (sample[name] for name in ("title", "story", "source") if not isinstance(sample[name], str))


@pytest.fixture(scope="module")
def english() -> set[str]:
    """Every template of a catalogue that a reader may see."""
    scripts = (path.read_text("utf-8") for path in (ROOT / "explorer").rglob("*.js"))
    return {*templates_in_python(), *(template for script in scripts for template in templates_of(script))}


@pytest.fixture(scope="module")
def plurals() -> set[tuple[str, str]]:
    """The two templates of every plural in Python."""
    found = set()
    for path in [*(ROOT / "explorer").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        for called, call in contents(path).worded:
            if called == "plural":
                found |= set(pairwise(literals(call)))
    return found


def fields(template: str) -> Counter[tuple[str, str | None, str | None]]:
    parsed = string.Formatter().parse(template)
    return Counter((name, form, conversion) for _, name, form, conversion in parsed if name is not None)


def words(text: str) -> int:
    return len(text.split())


def test_every_template_is_translated_and_nothing_else(english):
    assert len(english) + len({text.english for text in scene_texts()}) > 3_000, "the templates are found"
    assert english - set(chinese().templates) == set()
    assert set(chinese().templates) - english == set()


def test_every_text_of_a_sample_is_in_every_language():
    languages = {catalogue_of(code).language for code in LANGUAGES}
    with spoken_in(chinese()):
        assert ex.SAMPLES["play_tennis"].title == "打网球吗？"
    assert ex.SAMPLES["play_tennis"].title == "Play tennis?"
    assert [texts for texts in sample_texts() if set(texts) != languages or not all(texts.values())] == []


def test_no_template_is_in_two_files():
    times = Counter(template for file in FILES for template in json.loads(file.read_text("utf-8")))
    assert [template for template, n in times.items() if n > 1] == []
    assert all(file.stat().st_size < LARGEST_FILE for file in FILES)


def test_a_translation_has_the_fields_of_its_template_with_their_formats():
    assert [one for one, other in chinese().templates.items() if fields(one) != fields(other)] == []


def test_both_templates_of_a_plural_read_alike_in_chinese(plurals):
    """Chinese nouns have one form; templates that say different things have other fields or more words."""
    translated = chinese().templates
    alike = [(one, many) for one, many in plurals if fields(one) == fields(many) and words(one) == words(many)]
    assert len(alike) > 100
    assert [pair for pair in alike if translated[pair[0]] != translated[pair[1]]] == []


def test_chinese_sentences_have_full_width_marks():
    table = "age, class\n22, yes\n38, no"  # a table, which keeps its commas
    pairs = [*chinese().templates.items(), *((text.english, text.chinese) for text in scene_texts())]
    pairs += [(texts["en"], texts["zh-Hans"]) for texts in sample_texts()]
    wrong = [zh for en, zh in pairs if _HALF_WIDTH.search(zh) and en != table]
    assert wrong == []
    assert all(zh.strip() for en, zh in pairs if en.strip())


@pytest.mark.parametrize(
    ("tag", "language"),
    [("zh-CN", "zh"), ("zh", "zh"), ("zh_TW", "zh"), ("ZH-hans", "zh"), ("en-GB", "en"), ("fr", "en"), ("", "en")],
)
def test_the_language_for_a_browser(tag, language):
    assert language_for(tag) == language


def test_every_language_has_its_catalogue():
    assert [catalogue_of(code).language for code in LANGUAGES] == ["en", "zh-Hans"]
    assert catalogue_of("xx").language == "en"


def test_an_error_in_chinese_names_the_culprit():
    with spoken_in(chinese()), pytest.raises(ex.InputError, match="没有") as error:
        ex.load_sample("no_such_table")
    assert "no_such_table" in str(error.value)


def test_what_is_put_together_has_the_marks_of_the_language():
    with spoken_in(chinese()):
        assert paragraph([sentence("甲"), sentence(clauses(["乙", "丙"]))]) == "甲。乙；丙。"


def test_numbers_and_lists_look_as_the_language_has_them():
    with spoken_in(chinese()):
        assert (percent(9 / 14), percent(0.99996), score_text(0.9286, False)) == ("64.3%", "> 99.9%", "92.9%")
        days = next(step for step in scene_of("stability").steps({}) if step.name == "each day")
        assert days.question is not None
        assert "D3、D6、D12" in days.question.because


def test_chinese_has_a_space_only_beside_latin_letters_and_numbers():
    filled = spacing.filled
    assert (
        filled("{feature} 的 {score} 为 {value:.2f}", {"feature": "年龄", "score": "增益", "value": 1})
        == "年龄的增益为 1.00"
    )
    assert filled("{feature} 的 {score} 为", {"feature": "age", "score": "Gini"}) == "age 的 Gini 为"
    assert filled("用 {name!r} 或 {{x}}", {"name": "a b"}) == "用 'a b' 或 {x}"
    assert filled("{text} 有 {n} 行", {"text": "到此为止。", "n": 2}) == "到此为止。有 2 行"
    assert filled("“{name}”", {"name": "有 房子"}) == "“有 房子”"


def test_a_context_without_a_choice_asks_the_application(monkeypatch):
    monkeypatch.setattr(language, "_asked", [])
    assert current_catalogue().language == "en"
    ask_for_catalogue(chinese)
    assert current_catalogue().language == "zh-Hans"
    with spoken_in(catalogue_of("en")):
        assert current_catalogue().language == "en", "a choice of the context comes first"
