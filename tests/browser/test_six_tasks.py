"""Six things that a new user wants, each within five clicks and without scrolling a page."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hand import Hand, seen
from tests.browser.steps import SAMPLES, at_page, leaves_shown, summary, view_value


@pytest.mark.journey
def test_a_table_of_one_s_own_becomes_a_tree(page: Page, hand: Hand) -> None:
    hand.opens("")
    hand.drops(
        page.locator('.st-key-uploader input[type="file"]'), "titanic.csv", (SAMPLES / "titanic.csv").read_bytes()
    )
    hand.clicks(page.get_by_role("combobox", name="Target"))
    hand.types("survived", "Enter")
    hand.clicks(page.get_by_role("button", name=re.compile("Grow the tree")))
    at_page(page, "Grow")
    expect(summary(page)).to_contain_text("titanic.csv")
    assert leaves_shown(page) > 20
    assert view_value(page, "grow", "view.leafCount()") == leaves_shown(page)
    assert view_value(page, "grow", "view.tree.features.map((feature) => feature.name)").count("survived") == 0
    seen(page.locator(".tv-frame"))


@pytest.mark.journey
def test_why_the_root_split_as_it_did(page: Page, hand: Hand) -> None:
    """The gains of Mitchell 1997, section 3.4.2: Outlook 0.247, Humidity 0.152, Wind 0.048, Temperature 0.029."""
    hand.opens("grow?data=play_tennis&recipe=ID3")
    table = page.locator(".st-key-candidates")
    seen(table.get_by_test_id("stDataFrame"))
    expect(table.locator("[role=gridcell]").filter(has_text="Temperature")).to_be_attached()
    cells = [cell.strip() for cell in table.locator("[role=gridcell]").all_text_contents()]
    names = ["Outlook", "Humidity", "Wind", "Temperature"]
    assert [cell for cell in cells if cell in names] == names
    gains = [f"{float(cells[cells.index(name) + 1]):.3f}" for name in names]
    assert gains == ["0.247", "0.152", "0.048", "0.029"]
    hand.clicks(page.get_by_role("tab", name="Formula", exact=True))
    formula = page.locator(".st-key-formula-candidate .katex-mathml annotation").first
    for part in (r"\frac{5}{14}", r"\frac{9}{14}", r"\approx 0.940", r"\approx 0.247"):
        expect(formula).to_contain_text(part)
    for place, numerator in ((0, "5"), (2, "9")):  # H(D) is in view; the inspector scrolls to the lines after it
        fraction = page.locator(".st-key-formula-candidate .katex-html .mfrac").nth(place)
        assert sorted(re.findall(r"\d+", fraction.inner_text())) == sorted([numerator, "14"])
        seen(fraction)


@pytest.mark.journey
def test_a_size_by_the_validation_set(page: Page, hand: Hand) -> None:
    hand.opens("grow?data=titanic&recipe=CART")
    before = leaves_shown(page)
    hand.clicks(page.get_by_role("link", name="Prune", exact=True))
    hand.clicks(page.get_by_role("button", name=re.compile("Best")))
    assert 1 < leaves_shown(page) < before
    line = summary(page)
    seen(line)
    text = line.inner_text().replace("\u00a0", " ")
    found = re.search(r"validation accuracy ([\d.]+) %, \+([\d.]+) points over the majority \(([\d.]+) %\)", text)
    assert found is not None
    score, improvement, baseline = map(float, found.groups())
    assert improvement == pytest.approx(score - baseline, abs=0.11)
    assert view_value(page, "prune", "view.position() === view.sequence.best")


@pytest.mark.journey
def test_where_id3_and_cart_part(page: Page, hand: Hand) -> None:
    hand.opens("grow?data=titanic&recipe=ID3")
    hand.clicks(page.get_by_role("link", name="Compare", exact=True))
    assert view_value(page, "left", "view.tree.n") != view_value(page, "right", "view.tree.n")
    sentence = page.get_by_text(
        re.compile(
            r"Node \d+ \(.*\): ID3 splits on .* \((\d+ branches, )?gain [\d.]+\); "
            r"CART splits on .* \(Gini decrease [\d.]+\)"
        )
    )
    seen(sentence.first)
    node = int(re.findall(r"Node (\d+) ", sentence.first.inner_text())[0])
    assert view_value(page, "left", "view.state.selected") == node
    first = "[view.tree.testText(view.state.selected), view.tree.firstChild[view.state.selected] >= 0]"
    assert view_value(page, "left", first) != view_value(page, "right", first)


@pytest.mark.journey
def test_a_row_is_explained_and_flipped(page: Page, hand: Hand) -> None:
    hand.opens("predict?data=titanic&recipe=CART")
    lit = "[...view.stage.scene.rowPath.keys()].length"
    assert view_value(page, "predict", lit) > 1
    predicted = page.locator(".st-key-prediction").get_by_test_id("stMetricValue").first
    seen(predicted)
    before = predicted.inner_text()
    hand.clicks(page.get_by_role("tab", name="Decision path", exact=True))
    seen(page.locator(".st-key-inspector").get_by_role("table").first)
    hand.clicks(page.get_by_role("tab", name="Counterfactual", exact=True))
    hand.clicks(page.get_by_role("button", name="Apply", exact=True).first)
    expect(predicted).not_to_have_text(before)
    assert "ask.cells=" in page.url
    assert view_value(page, "predict", lit) > 1


@pytest.mark.journey
def test_rules_and_picture_are_taken_away(page: Page, hand: Hand) -> None:
    hand.opens("grow?data=play_tennis&recipe=ID3")
    hand.clicks(page.get_by_role("button", name="⋯", exact=True))
    picture = hand.takes(page.get_by_role("button", name="SVG", exact=True)).decode()
    assert picture.startswith("<svg")
    for word in ("Outlook", "Humidity", "Wind", "Overcast"):
        assert word in picture
    rules = hand.takes(page.get_by_role("button", name="Rules", exact=True)).decode().strip().splitlines()
    assert sum("100 %)" in rule for rule in rules) == 5  # the five pure leaves of Mitchell's tree, figure 3.1
    table = hand.takes(page.get_by_role("button", name="Rules, CSV", exact=True)).decode()
    confidences = [line["confidence"] for line in csv.DictReader(io.StringIO(table))]
    assert [float(share) for share in confidences if share].count(1.0) == 5  # rules without rows have none
