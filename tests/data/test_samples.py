"""Every built-in table opens, says where it comes from, and opens the same way each time."""

import pytest

from explorer.data.dataset import Dataset
from explorer.data.samples import SAMPLES, Sample, load_sample
from explorer.errors import InputError

every_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))


def open_sample(sample: Sample) -> Dataset:
    frame = load_sample(sample.key).frame
    return Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)


@every_sample
def test_the_table_is_the_one_described(sample: Sample) -> None:
    table = load_sample(sample.key)
    assert table.frame.shape == (sample.rows, sample.columns)
    assert table.name == f"{sample.key}.csv"
    assert {sample.target, *sample.left_out, *sample.kinds, *(sample.features or ())} <= set(table.frame)


@every_sample
def test_what_is_left_out_is_what_the_sample_says(sample: Sample) -> None:
    data = open_sample(sample)
    assert {column.name for column in data.columns if column.role == "left out"} == set(sample.left_out)
    assert data.n_rows == sample.rows


@every_sample
def test_texts_are_one_line_each(sample: Sample) -> None:
    for text in (sample.title, sample.story, sample.source, sample.licence):
        assert text.strip() == text != ""
        assert "\n" not in text
    assert len(sample.story) < 200


def test_play_tennis_comes_first() -> None:
    assert next(iter(SAMPLES)) == "play_tennis"


def test_the_targets_have_the_kind_that_their_description_names() -> None:
    regression = {key for key, sample in SAMPLES.items() if open_sample(sample).is_regression}
    assert regression == {"lihang_8_2_regression", "auto_mpg", "outlier8"}


@pytest.mark.parametrize(
    ("key", "counts"),
    [
        ("play_tennis", {"No": 5, "Yes": 9}),
        ("car", {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}),
        ("mushroom", {"p": 3916, "e": 4208}),
        ("vote", {"republican": 168, "democrat": 267}),
        ("credit_g", {"good": 700, "bad": 300}),
        ("iris", {"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}),
    ],
)
def test_class_counts_are_the_published_ones(key: str, counts: dict[str, int]) -> None:
    assert load_sample(key).frame[SAMPLES[key].target].value_counts(sort=False).to_dict() == counts


@pytest.mark.parametrize(("key", "missing"), [("mushroom", 2480), ("vote", 392), ("golf_missing", 1), ("credit_g", 0)])
def test_missing_cells_are_the_published_ones(key: str, missing: int) -> None:
    assert load_sample(key).frame.isna().to_numpy().sum() == missing


def test_titanic_says_that_no_licence_is_stated() -> None:
    assert SAMPLES["titanic"].licence == "the source states no licence"


def test_credit_g_warns_of_its_sensitive_columns() -> None:
    assert {"personal_status", "foreign_worker"} <= set(SAMPLES["credit_g"].story.replace(",", " ").split())


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no sample 'play_tenis'.*did you mean 'play_tennis'.*watermelon_2_0"):
        load_sample("play_tenis")
