"""What the page says of a node: which split won, by how much, what C4.5 would do, why it stopped."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from explorer import load_sample
from tests.browser.steps import opened


def test_the_root_of_play_tennis_names_the_best_split_and_its_margin(page: Page, address: str) -> None:
    """gain(Outlook) − gain(Humidity) = 0.2467 − 0.1518 = 0.0949 (Mitchell 1997, section 3.4.2)."""
    opened(page, address, "grow?data=play_tennis&recipe=ID3")
    expect(page.get_by_text("Splits on Outlook: gain 0.247, runner-up Humidity 0.152, margin 0.0949.")).to_be_visible()
    tabs = [tab.bounding_box() for tab in page.locator(".st-key-inspector").get_by_role("tab").all()]
    assert len(tabs) == 6
    assert len({tab["y"] for tab in tabs if tab}) == 1, "in one line"


@pytest.mark.slow
def test_the_sunny_days_split_on_humidity(page: Page, address: str) -> None:
    """gain(Humidity) − gain(Temperature) = 0.971 − 0.571 = 0.400 (Mitchell 1997, figure 3.4)."""
    opened(page, address, "grow?data=play_tennis&recipe=ID3&node=1")
    expect(
        page.get_by_text("Splits on Humidity: gain 0.971, runner-up Temperature 0.571, margin 0.400.")
    ).to_be_visible()


@pytest.mark.slow
def test_the_overcast_days_say_why_they_are_a_leaf(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis&recipe=ID3&node=2")
    expect(page.get_by_text("Pure: all rows agree.")).to_be_visible()


def test_what_c45_would_have_chosen_and_why(page: Page, address: str) -> None:
    """17 numbered melons: gain 0.998, split information log2 17 = 4.087, ratio 0.244 against 0.263 of the texture."""
    melons = load_sample("watermelon_2_0").frame
    asked = [("data", "watermelon_2_0"), *(("feature", name) for name in melons.columns[:-1])]
    asked += [("kind", "编号:categorical"), ("a.recipe", "ID3"), ("b.recipe", "C4.5")]
    opened(page, address, f"compare?{urlencode(asked)}")
    sentence = (
        "ID3 splits on 编号: 17 branches, gain 0.998; C4.5 divides that by the split information, 4.087 bits, which "
        "leaves 0.244, and splits on 纹理 with 0.263"
    )
    page.get_by_role("tab", name="Splits", exact=True).click()
    expect(page.get_by_text(sentence)).to_be_visible()
