"""The formula of a number, as mathematics in a real browser."""

from playwright.sync_api import Page, expect

from tests.browser.steps import click_cell, opened, tab_opened


def test_the_root_of_play_tennis_shows_its_gain(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis&recipe=ID3&node=0")
    tab_opened(page, "Formula")
    formula = page.locator(".st-key-formula-candidate")
    expect(formula.locator(".katex-error")).to_have_count(0)
    read = formula.locator(".katex-mathml annotation").first
    expect(read).to_contain_text(r"\frac{9}{14} \cdot \log_2\frac{9}{14}")
    expect(read).to_contain_text(r"\approx 0.247")
    seen = formula.locator(".katex-html").first
    expect(seen).to_be_visible()
    expect(seen).to_contain_text("0.247")
    formula.get_by_role("button", name="Copy").click()
    expect(page.get_by_test_id("stPopoverBody").get_by_text("H(D) = −5/14·log2(5/14)").first).to_be_visible()


def test_a_row_of_the_table_opens_its_formula(page: Page, address: str) -> None:
    opened(page, address, "grow?data=play_tennis&recipe=C4.5&node=0")
    table = page.locator(".st-key-candidates").get_by_test_id("stDataFrame")
    click_cell(page, table, 0, 2, [34])  # the mean gain's line
    tab_opened(page, "Formula")
    expect(page.get_by_role("combobox", name="Formula of")).to_have_value("mean gain")
    expect(page.locator(".st-key-formula-candidate annotation").first).to_contain_text(r"\approx 0.119")
