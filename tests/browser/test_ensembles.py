"""The Ensembles page in a browser: rounds that play, a member's candidates, three losses, and the link."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import opened, settled

BOOK = "ensembles?data=lihang_8_1&en.method=adaboost&en.members=3&en.criterion=error&en.vote=half_log"


@pytest.mark.journey
def test_li_hangs_ten_points_play_three_rounds(page: Page, address: str) -> None:
    opened(page, address, f"{BOOK}&en.stage=0")
    expect(page.get_by_text("stage 0 of 3")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("stage 3 of 3")).to_be_visible()
    expect(page.get_by_text("training 100 %").first).to_be_visible()


def test_the_stage_that_the_reader_leaves_is_in_the_address(page: Page, address: str) -> None:
    opened(page, address, f"{BOOK}&en.stage=1")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("stage 2 of 3")).to_be_visible()
    page.wait_for_url("**en.stage=2**")
    page.reload()
    settled(page)
    expect(page.get_by_text("stage 2 of 3")).to_be_visible()


def test_a_member_opens_its_candidates_and_the_link_opens_it_again(page: Page, address: str) -> None:
    opened(page, address, "ensembles?data=play_tennis&en.method=forest&en.members=5&en.member=1")
    expect(page.get_by_text("Tree 2 of 5")).to_be_visible()
    expect(page.get_by_role("tab", name="Candidates")).to_be_visible()
    page.get_by_role("treeitem").first.wait_for(state="attached")
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**en.node=**")
    settled(page)
    page.reload()
    settled(page)
    expect(page.get_by_text("Tree 2 of 5")).to_be_visible()
    page.get_by_role("button", name="Ensemble", exact=True).click()
    expect(page.get_by_text("stage 5 of 5")).to_be_visible()


def test_the_outlier_table_shows_three_losses(page: Page, address: str) -> None:
    opened(page, address, "ensembles?data=outlier8")
    page.get_by_role("button", name="Three losses side by side").click()
    for loss in ("Squared error", "Absolute error", "Huber"):
        expect(page.locator(".st-key-stages").get_by_text(loss, exact=True)).to_be_visible()
    expect(page.get_by_text("stage 1 of 6")).to_have_count(3)
