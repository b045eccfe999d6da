"""Chinese fits: no label of a page is cut in the window of a small laptop, no text of a download leaves its box."""

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page

import explorer as ex
from explorer.export.exercise_sheet import exercise_sheet
from explorer.messages import catalogue_of, spoken_in
from tests.browser.steps import opened, settled, tab_opened, view_value
from tests.folders import SAMPLES_FOLDER
from tests.oracles.examples import journey

TITANIC = "data=titanic&recipe=CART&max_depth=4"
PAGES = {
    "data": "data=titanic",
    "grow": f"{TITANIC}&node=1",
    "prune": f"{TITANIC}&alpha=0.005&node=1",
    "evaluate": TITANIC,
    "rules": TITANIC,
    "predict": TITANIC,
    "compare": "data=play_tennis",
    "ensembles": "data=play_tennis",
}
SECTIONS = ["path", "exercises", "glossary", "draw", "scene"]
CUT = """() => {
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  const main = document.querySelector('[data-testid=stMain]');
  if (main.scrollWidth > main.clientWidth + 1) faults.push('the main part scrolls sideways');
  const roots = [document, ...[...document.querySelectorAll('*')].map((each) => each.shadowRoot).filter(Boolean)];
  const labels = 'button, button p, button span, [role=tab], [role=tab] p, [role=radio], label, label p, select, h1, '
    + 'h2, h3, [data-baseweb=select] [value], [data-testid=stTopNavLink], summary, summary p';
  for (const each of roots.flatMap((root) => [...root.querySelectorAll(labels)])) {
    const style = getComputedStyle(each);
    const isCut = each.scrollWidth > each.clientWidth + 1 && style.overflowX !== 'visible';
    if (each.clientWidth > 2 && isCut && style.display !== 'inline') faults.push(`cut: ${each.innerText ?? ''}`);
  }
  for (const tabs of document.querySelectorAll('[role=tablist]')) {
    if (tabs.scrollWidth > tabs.clientWidth + 1) faults.push(`tabs: ${tabs.innerText}`);
  }
  return faults;
}"""
ENGLISH = """() => [...document.querySelectorAll('button, label, h1, h2, h3, [role=tab]')]
  .filter((each) => !each.closest('[data-testid=stFileUploader], [data-testid=stDataFrame]'))
  .map((each) => each.innerText ?? '').filter((text) => /[a-z]{3,} [a-z]{3,}/.test(text))
  .filter((text) => !/[\\u4e00-\\u9fff]/.test(text) && !text.includes(' icon'))"""
OUTSIDE = """() => {
  const faults = document.querySelector('g > rect ~ text') ? [] : ['no box has a text'];
  for (const group of document.querySelectorAll('g')) {
    const box = group.querySelector(':scope > rect');
    if (!box) continue;
    const frame = box.getBBox();
    for (const text of group.querySelectorAll(':scope > text')) {
      const { x, y, width, height } = text.getBBox();
      const isOut = x < frame.x || x + width > frame.x + frame.width || y + height > frame.y + frame.height + 1;
      if (isOut) faults.push(text.textContent);
    }
  }
  const picture = document.documentElement.viewBox.baseVal;
  for (const text of document.querySelectorAll('text')) {
    const { left, right } = text.getBoundingClientRect();
    if (left < -1 || right > picture.width + 1) faults.push(`outside the picture: ${text.textContent}`);
  }
  return faults;
}"""
LONG_NAMES = """性别与年龄分组,是否持有有效的购房贷款合同,申请结果与审批意见
三十岁以下的女性申请人,持有并且正常还款,建议批准并优先放款
三十岁以下的女性申请人,没有任何贷款合同,需要补充材料后再审
三十岁以上的男性申请人,持有并且正常还款,需要补充材料后再审
三十岁以上的男性申请人,没有任何贷款合同,拒绝本次贷款申请
"""


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ex.Tree]:
    """Trees with short English names, with Chinese names, and with names too long for a box."""
    long = tmp_path_factory.mktemp("long") / "long.csv"
    long.write_text(LONG_NAMES, "utf-8")
    files = [SAMPLES_FOLDER / "play_tennis.csv", SAMPLES_FOLDER / "watermelon_2_0.csv", long]
    return {file.stem: ex.grow(dataset(file), ex.ID3) for file in files}


def dataset(file: Path) -> ex.Dataset:
    """A table whose last column is the target; a column that numbers the rows is left out."""
    frame = pd.read_csv(file)
    target = frame.columns[-1]
    features = [name for name in frame.columns[:-1] if frame[name].nunique() < len(frame) or len(frame) < 5]
    return ex.Dataset.from_frame(frame, target, features=features)


def faults_of(page: Page) -> list[str]:
    """What is cut on the page, in each of its tabs, and what is English there."""
    found = page.evaluate(CUT) + page.evaluate(ENGLISH)
    for tab in page.get_by_role("tab").all():
        tab.click()
        settled(page)
        found += page.evaluate(CUT) + page.evaluate(ENGLISH)
    return sorted(set(found))


@pytest.mark.parametrize("name", [journey(name) if name == "grow" else name for name in PAGES])
def test_no_label_of_a_page_is_cut(laptop: Page, address: str, name: str) -> None:
    opened(laptop, address, f"{name}?{PAGES[name]}&lang=zh")
    assert laptop.evaluate("document.documentElement.lang").startswith("zh")
    assert faults_of(laptop) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_no_label_of_the_lessons_is_cut(laptop: Page, address: str, section: str) -> None:
    opened(laptop, address, f"learn?learn={section}&scene=mixed&lang=zh")
    assert faults_of(laptop) == []


@pytest.mark.parametrize("name", ["play_tennis", "watermelon_2_0", "long"])
def test_no_text_of_a_picture_leaves_its_box(
    laptop: Page, tmp_path: Path, trees: dict[str, ex.Tree], name: str
) -> None:
    file = tmp_path / "tree.svg"
    with spoken_in(catalogue_of("zh")):
        file.write_text(ex.to_svg(trees[name], show_ids=True), "utf-8")
    laptop.goto(file.as_uri())
    assert laptop.evaluate("document.documentElement.getAttribute('lang')") == catalogue_of("zh").language
    assert laptop.evaluate(OUTSIDE) == []


def test_nothing_of_the_page_to_take_along_is_cut(laptop: Page, tmp_path: Path) -> None:
    data = dataset(SAMPLES_FOLDER / "watermelon_2_0.csv")
    file = tmp_path / "tree.html"
    with spoken_in(catalogue_of("zh")):
        path = ex.cost_complexity_path(ex.grow(data, ex.CART))
        file.write_text(ex.to_html(path.tree, ex.to_slider(path, data)), "utf-8")
    laptop.goto(file.as_uri())
    assert view_value(laptop, "page", "view.leafCount()") > 1
    assert laptop.evaluate("document.documentElement.lang") == catalogue_of("zh").language
    assert laptop.evaluate(CUT.replace("[data-testid=stMain]", "body")) == []


def test_nothing_of_the_sheet_to_print_is_cut(laptop: Page, tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    with spoken_in(catalogue_of("zh")):
        file.write_text(exercise_sheet(dataset(SAMPLES_FOLDER / "play_tennis.csv")), "utf-8")
    laptop.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 pixels an inch
    laptop.goto(file.as_uri())
    assert laptop.evaluate("document.documentElement.lang") == catalogue_of("zh").language
    assert laptop.evaluate(CUT.replace("[data-testid=stMain]", "body")) == []


def test_a_file_made_on_a_click_is_in_the_language_of_its_page(laptop: Page, address: str, tmp_path: Path) -> None:
    opened(laptop, address, "grow?data=play_tennis&recipe=ID3&lang=zh")
    laptop.get_by_role("button", name="⋯", exact=True).click()
    settled(laptop)
    for button, name in {"报告": "report.html", "SVG": "tree.svg", "网页": "page.html", "脚本": "again.py"}.items():
        with laptop.expect_download() as made:
            laptop.get_by_role("button", name=button, exact=True).click()
        made.value.save_as(tmp_path / name)
    for name in ("report.html", "tree.svg", "page.html"):
        assert 'lang="zh-Hans"' in (tmp_path / name).read_text("utf-8"), name
    assert "PlayTennis 的决策树" in (tmp_path / "report.html").read_text("utf-8")
    compile((tmp_path / "again.py").read_text("utf-8"), "again.py", "exec")
    laptop.goto((tmp_path / "report.html").as_uri())
    assert laptop.evaluate(CUT.replace("[data-testid=stMain]", "body")) == []


def test_uploaders_show_a_sign_and_words_of_the_page_and_no_word_of_streamlit(laptop: Page, address: str) -> None:
    for language, words in {"zh": "上传文件，或将其拖放到此处", "en": "Upload a file or drop it here"}.items():
        opened(laptop, address, f"data?lang={language}")
        shows_sign_and_words(laptop, words)
    opened(laptop, address, "predict?data=play_tennis")
    tab_opened(laptop, "Predict a file")
    shows_sign_and_words(laptop, "A file with the columns of the table")


def shows_sign_and_words(page: Page, words: str) -> None:
    """A button no wider than its sign, which screen readers can name, and right of it the words, in line with it."""
    uploader = page.get_by_test_id("stFileUploader").filter(has_text=words)
    sign = uploader.get_by_role("button", name="Upload", exact=True).bounding_box()
    text, line = (uploader.locator(part).bounding_box() for part in ("label p", "section"))
    assert sign is not None
    assert text is not None
    assert line is not None
    assert sign["width"] < 40
    assert sign["x"] + sign["width"] < text["x"]
    assert line["y"] <= text["y"]
    assert text["y"] + text["height"] <= line["y"] + line["height"]
