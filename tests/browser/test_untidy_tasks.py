"""The six things that a new user wants, with three untidy files: each as from the tidy table that the file was made of.

The untidy cells say what the tidy ones do, so the tree on the page must be that of the tidy table.
"""

import io
import re
from collections.abc import Callable

import numpy as np
import openpyxl
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import explorer as ex
from tests.browser.hand import Hand, seen
from tests.browser.steps import at_page, leaves_shown, settled, summary, tab_opened, uploaded, view_value, visit

LEVELS = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
ENDS = """(field) => {
    const [digits, button] = [[...field.querySelectorAll("[role=spinbutton]")].at(-1), field.querySelector("button")];
    return [digits.getBoundingClientRect().right, button.getBoundingClientRect().left];
}"""
"""Where the digits of a date end, and where the button that clears it begins."""
DRAW = np.random.default_rng(14)


def loans() -> pd.DataFrame:
    """1,200 loans: the dearer, the more often not paid back."""
    rate = DRAW.integers(50, 240, 1200) / 10
    income = DRAW.integers(18_000, 160_000, 1200)
    term = DRAW.choice([36, 60], 1200)
    is_default = DRAW.random(1200) < 0.05 + 0.03 * np.maximum(rate - 12, 0) + 0.1 * (term == 60)
    return pd.DataFrame(
        {"Interest rate": rate, "Income": income, "Term": term, "Defaulted": np.where(is_default, "Yes", "No")}
    )


def loans_file(tidy: pd.DataFrame) -> bytes:
    """A title, per cent and money as text, units, spellings, the header once more, and a total."""
    spelled = {"Yes": ["Yes", "yes", "YES "], "No": ["No", "no", " NO"]}
    lines = [
        f'{rate}%,"${income:,}",{term} months,{spelled[state][i % 3]}'
        for i, (rate, income, term, state) in enumerate(tidy.itertuples(index=False))
    ]
    head = ",".join(tidy.columns)
    total = f'Total,"${tidy["Income"].sum():,}",,'
    return "\n".join(["Loan book of the bank", "", head, *lines[:600], head, *lines[600:], total, ""]).encode()


def survey() -> pd.DataFrame:
    """400 answers on a scale of five, and whether the guest would return."""
    score = DRAW.integers(0, 5, 400)
    nights = DRAW.integers(1, 15, 400)
    returns = np.where((score >= 3) ^ (DRAW.random(400) < 0.1), "would return", "would not")
    return pd.DataFrame({"Content": np.array(LEVELS)[score], "Nights": nights, "Return": returns})


def survey_file(tidy: pd.DataFrame) -> bytes:
    """A workbook: a sheet to read first, then the table below a title."""
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active.append(["Survey of the guests"])
    sheet = book.create_sheet("Answers")
    sheet.append(["Hotel survey"])
    sheet.append([])
    for row in (tuple(tidy.columns), *tidy.itertuples(index=False)):
        sheet.append([cell.item() if isinstance(cell, np.generic) else cell for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def sales() -> pd.DataFrame:
    """500 sales of a shop: what costs much, or was bought late in the year, comes back."""
    day = DRAW.integers(0, 365, 500)
    price = np.round(DRAW.uniform(5, 4000, 500), 2)
    weight = DRAW.integers(1, 30, 500)
    comes_back = (price > 2500) ^ (day > 330) ^ (DRAW.random(500) < 0.05)
    return pd.DataFrame(
        {"Datum": day, "Preis": price, "Gewicht": weight, "Retoure": np.where(comes_back, "ja", "nein")}
    )


def sales_file(tidy: pd.DataFrame) -> bytes:
    """German writing in Windows-1252: semicolons, decimal commas, dates with the day first, euro and kilograms."""
    first = pd.Timestamp("2023-01-01")
    swap = str.maketrans(",.", ".,")
    lines = [
        f"{first + pd.Timedelta(days=day):%d.%m.%Y};{f'{price:,.2f}'.translate(swap)} €;{weight} kg;{state}"
        for day, price, weight, state in tidy.itertuples(index=False)
    ]
    return "\n".join([";".join(tidy.columns), *lines, ""]).encode("cp1252")


LOANS, SURVEY, SALES = loans(), survey(), sales()
FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "loans": ("loans.csv", lambda: loans_file(LOANS)),
    "survey": ("survey.xlsx", lambda: survey_file(SURVEY)),
    "sales": ("Verkäufe.csv", lambda: sales_file(SALES)),
}


def tidied(page: Page, hand: Hand, name: str) -> None:
    """Upload a file, and apply all suggestions."""
    hand.opens("")
    file_name, content = FILES[name]
    hand.drops(page.locator('.st-key-uploader input[type="file"]'), file_name, content())
    hand.clicks(page.get_by_role("button", name="Apply all suggestions"))
    expect(page.get_by_text("No suggestion is left")).to_be_visible()


def grown(tidy: pd.DataFrame, target: str) -> ex.Tree:
    """The first tree of the tidy table: CART on 70 % of the rows, 0.5 % of them in each leaf at least."""
    train, _ = ex.Dataset.from_frame(tidy, target).split(0.7, seed=0)
    return ex.grow(train, ex.CART.replace(min_rows_leaf=max(2, round(0.005 * train.n_rows))))


def test_an_untidy_table_becomes_the_tree_of_the_tidy_one(page: Page, hand: Hand) -> None:
    tidied(page, hand, "loans")
    expect(page.get_by_text("1,200 rows × 4 columns")).to_be_visible()
    hand.clicks(page.get_by_role("button", name=re.compile("Grow the tree")))
    at_page(page, "Grow")
    expected = grown(LOANS, "Defaulted")
    assert leaves_shown(page) == expected.n_leaves
    assert view_value(page, "grow", "view.tree.testText(0)") == expected.node(0).condition.text


def test_why_the_root_of_the_untidy_table_split_as_it_did(page: Page, hand: Hand) -> None:
    tidied(page, hand, "loans")
    hand.clicks(page.get_by_role("button", name=re.compile("Grow the tree")))
    at_page(page, "Grow")
    train, _ = ex.Dataset.from_frame(LOANS, "Defaulted").split(0.7, seed=0)
    best = ex.decide(grown(LOANS, "Defaulted"), train, 0).best
    table = page.locator(".st-key-candidates")
    seen(table.get_by_test_id("stDataFrame"))
    expect(table.locator("[role=gridcell]").filter(has_text="Income")).to_be_attached()
    cells = [cell.strip() for cell in table.locator("[role=gridcell]").all_text_contents()]
    for feature in ("Interest rate", "Income", "Term"):
        assert float(cells[cells.index(feature) + 1]) == pytest.approx(best[feature].gain, abs=5e-5)


def test_a_size_for_the_tree_of_a_workbook(page: Page, hand: Hand) -> None:
    tidied(page, hand, "survey")
    expect(page.get_by_role("combobox", name="Sheet or table")).to_have_value("Answers")
    hand.clicks(page.get_by_role("link", name="Prune", exact=True))
    hand.clicks(page.get_by_role("button", name=re.compile("Best")))
    ranks = SURVEY.assign(Content=SURVEY["Content"].map({level: rank for rank, level in enumerate(LEVELS, 1)}))
    train, valid = ex.Dataset.from_frame(ranks, "Return").split(0.7, seed=0)
    path = ex.cost_complexity_path(ex.grow(train, ex.CART.replace(min_rows_leaf=2)))  # more numbers than categories
    best = path.subtree(position=path.best(path.curve(valid, "accuracy"), "accuracy"))
    assert leaves_shown(page) == best.n_leaves
    seen(summary(page))


def test_where_id3_and_cart_part_on_a_german_table(page: Page, hand: Hand) -> None:
    tidied(page, hand, "sales")
    hand.clicks(page.get_by_role("link", name="Compare", exact=True))
    sentence = page.get_by_text(re.compile(r"Node \d+ \(.*\): .* splits on .*; .* splits on"))
    seen(sentence.first)
    assert view_value(page, "left", "view.tree.n") != view_value(page, "right", "view.tree.n")


def test_a_second_untidy_file_is_predicted_by_the_same_repairs(page: Page, hand: Hand) -> None:
    tidied(page, hand, "sales")
    hand.clicks(page.get_by_role("link", name="Predict", exact=True))
    page.set_viewport_size({"width": 1280, "height": 720})
    date_field = page.locator(".st-key-form .stDateInput")
    expect(date_field.get_by_role("button").first).to_be_visible()
    digits_end, button = date_field.evaluate(ENDS)
    assert digits_end <= button, "the last digit is whole beside the button that clears the date"
    tab_opened(page, "Predict a file")
    page.locator('.st-key-inspector input[type="file"]').set_input_files(
        {"name": "mehr.csv", "mimeType": "text/csv", "buffer": sales_file(SALES.head(100))}
    )
    date = pd.Timestamp("2023-01-01") + pd.to_timedelta(SALES["Datum"], unit="D")
    tidy = SALES.copy()
    tidy.insert(1, "Datum (month)", date.dt.month)
    tidy.insert(2, "Datum (weekday)", date.dt.day_of_week + 1)
    right = grown(tidy, "Retoure").predict(tidy.head(100)) == tidy["Retoure"].head(100)
    share = float(np.mean(right))
    score = page.locator(".st-key-file_score").get_by_test_id("stMetricValue").first
    expect(score).to_have_text(re.compile(rf"{share:.1%}".replace("%", r"\s?%")))


def test_rules_and_a_report_of_the_untidy_table_are_taken_away(page: Page, hand: Hand) -> None:
    tidied(page, hand, "loans")
    visit(page, "Grow")
    hand.clicks(page.get_by_role("button", name="⋯", exact=True))
    script = hand.takes(page.get_by_role("button", name=re.compile("script", re.IGNORECASE)).first).decode()
    assert "ex.apply_repairs(" in script
    assert "Interest rate" in script


def test_undo_grows_the_tree_again_and_says_so(page: Page, address: str, hand: Hand) -> None:
    tidied(page, hand, "survey")
    visit(page, "Grow")
    visit(page, "Data")
    page.get_by_text(re.compile("repairs? applied")).click()
    again, undone = "The tree is grown again on the table as it is now.", re.compile("^Undone: ")
    for undo, n_open, said in (("Undo", 1, again), ("Undo last change", 0, undone), ("Undo last change", 1, undone)):
        page.get_by_role("button", name=undo, exact=True).first.click()
        expect(page.get_by_role("button", name=re.compile("Apply all"))).to_have_count(n_open)
        expect(page.get_by_text(said).first).to_be_visible()
        settled(page)
    uploaded(page, "golf.csv")
    expect(page.get_by_role("button", name=re.compile("Apply all"))).to_have_count(0)
