"""Tests on a column of dates are worded as dates, and the words select the same rows as the tree's numbers."""

import datetime
import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.codes.dates import date_text, days_to, moment_of
from explorer.data.suggestions.apply import RepairedDate
from explorer.explaining import path_words, rule_terms
from explorer.tree.serialize import fields_from_dict

ORIGIN = "2023-01-01"


def dated(with_times: bool = False) -> pd.DataFrame:
    """Days of two years, a noise and a class that both decide."""
    draw = np.random.default_rng(7)
    days = draw.integers(0, 730, 200) + (draw.integers(0, 24 * 60, 200) / 1440 if with_times else 0)
    noise = draw.random(200)
    return pd.DataFrame({"since": days, "x": noise, "y": np.where((days > 300) ^ (noise > 0.8), "a", "b")})


@pytest.mark.parametrize("with_times", [False, True])
@pytest.mark.parametrize("recipe", [ex.CART, ex.C45, ex.ID3], ids=lambda recipe: recipe.name)
def test_words_with_dates_select_the_rows_of_each_leaf(recipe: ex.Recipe, with_times: bool) -> None:
    frame = dated(with_times)
    data = ex.Dataset.from_frame(frame, "y", days_since={"since": ORIGIN})
    tree = ex.grow(data, recipe)
    leaf_of_row, texts = tree.apply(frame), [date_text(day, data.features[0].scale.since) for day in frame.since]
    n_checked = 0
    for leaf in tree.leaves().tolist():
        for term in rule_terms(tree, leaf):
            if term.feature != "since":
                continue
            words = term.words.removeprefix("since ") if term.is_interval else term.words
            assert not any(part.replace(".", "").isdigit() for part in words.split()), words
            first, _, rest = words.partition(" < ")  # "low < x ≤ high" or "x ≤ high" or "x > low"
            low = first if rest else (words.partition(" > ")[2] or words.partition("> ")[2])
            high = words.partition("≤ ")[2]
            n_checked += 1
            for text in np.array(texts)[leaf_of_row == leaf]:
                assert not low or low < text, words
                assert not high or text <= high, words
    assert n_checked > 3


def test_a_date_comes_back_from_its_days() -> None:
    for days in (0.0, 248.0, -40_000.0, 100_000.0):
        moment = moment_of(days, ORIGIN)
        assert moment is not None
        assert (days_to(moment, ORIGIN), days_to(moment.date(), ORIGIN)) == (days, days)
        assert date_text(days, ORIGIN) == (datetime.date(2023, 1, 1) + datetime.timedelta(days)).isoformat()


def test_repaired_dates_carry_their_origin_to_words_script_and_code() -> None:
    days = [datetime.date(2023, 1, 1) + datetime.timedelta(days=30 * i) for i in range(24)]
    frame = pd.DataFrame({"since": [f"{day:%d/%m/%Y}" for day in days], "y": ["no"] * 12 + ["yes"] * 12})
    options = {"order": "dmy", "origin": ORIGIN, "parts": ("month", "weekday"), "century": 1969}
    table = ex.apply_repairs(ex.Table(frame, (), "days.csv"), [ex.Repair("dates", "since", options)])
    parts = (("month", "since (month)"), ("weekday", "since (weekday)"))
    assert table.dates == (RepairedDate("since", ORIGIN, parts),)
    for day, row in zip(days, table.frame.to_dict("records"), strict=True):
        cells = table.dates[0].part_cells(row["since"])
        assert cells == {"since (month)": day.month, "since (weekday)": day.isoweekday()} == {k: row[k] for k in cells}
    data = ex.Dataset.from_frame(table.frame, "y", ["since"], days_since=table.days_since)
    tree = ex.grow(data, ex.CART)
    middle = days[11] + (days[12] - days[11]) / 2
    assert path_words(tree, 1) == [f"since ≤ {middle.isoformat()}"]
    sentence = "'since' counts days since 2023-01-01."
    assert sentence in tree.notes
    assert f"# {sentence}" in ex.to_python(tree)
    assert f"-- {sentence}" in ex.to_sql(tree, "days")
    assert "345" in ex.to_sql(tree, "days")  # 11 · 30 + 15 days: code keeps the number
    script = ex.to_script(ex.Provenance(table, data, tree, (data,)))
    assert f"days_since={{'since': '{ORIGIN}'}}" in script.replace("\n", "")
    assert ex.Tree(**fields_from_dict(json.loads(json.dumps(tree.to_dict())))).condition(0) == tree.condition(0)


def test_dates_of_a_table_are_worded_as_dates_too() -> None:
    frame = pd.DataFrame({"at": pd.date_range("2024-02-27", periods=8, freq="12h"), "y": list("aaaabbbb")})
    data = ex.Dataset.from_frame(frame, "y")
    assert path_words(ex.grow(data, ex.CART), 1) == ["at ≤ 2024-02-28 18:00"]
    assert data.date_columns == ("at",)
    assert not data.days_since


def test_what_is_no_date_is_refused() -> None:
    with pytest.raises(ex.InputError, match="'since' counts days since 'June': give a date"):
        ex.Dataset.from_frame(dated(), "y", days_since={"since": "June"})
