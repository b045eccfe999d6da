"""Nested JSON: records are found and cut up as pandas writes and normalises them, with a sentence of what was taken."""

import json

import pandas as pd
import pytest

import explorer as ex

PEOPLE = [
    {"name": "Ann", "age": 29, "home": {"city": "Ulm", "geo": {"lat": 48.4}}, "tags": ["a"]},
    {"name": "Bo", "age": None, "home": {"city": "Köln"}},
]
FRAME = pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", None], "z": [0.5, None, -1.0]})


def cells(frame: pd.DataFrame) -> dict[str, list[object]]:
    return {str(name): [None if pd.isna(cell) else cell for cell in frame[name].tolist()] for name in frame}


def read(document: object, **how: object) -> ex.Table:
    return ex.read_table(json.dumps(document, **how).encode(), "t.json")  # type: ignore[arg-type]


@pytest.mark.parametrize("indent", [None, 2])
def test_nested_records_become_the_columns_of_json_normalize(indent: int | None) -> None:
    own = cells(pd.json_normalize(PEOPLE).drop(columns="tags"))
    for document in (PEOPLE, {"meta": {"page": 1, "of": [1, 2]}, "result": {"people": PEOPLE, "few": PEOPLE[:1]}}):
        table = read(document, indent=indent)
        assert cells(table.frame) == own
        assert any("'home.city'" in note for note in table.notes)
        assert any("'tags'" in note for note in table.notes)
        assert any("2 records at 'result.people'" in note for note in table.notes) == isinstance(document, dict)


def test_nested_records_on_lines_become_columns_too() -> None:
    raw = "\n".join(json.dumps(person) for person in PEOPLE)
    assert cells(ex.read_table(raw.encode()).frame) == cells(pd.json_normalize(PEOPLE).drop(columns="tags"))


@pytest.mark.parametrize("orient", ["columns", "split", "table", "records"])
def test_each_form_that_pandas_writes_gives_its_frame(orient: str) -> None:
    table = ex.read_table(FRAME.to_json(orient=orient, index=False if orient == "table" else None).encode(), "t.json")
    assert cells(table.frame) == cells(FRAME)


def test_records_under_keys_have_the_key_as_a_column() -> None:
    frame = FRAME.set_index(pd.Index(["p", "q", "r"]))
    table = ex.read_table(frame.to_json(orient="index").encode(), "t.json")
    assert cells(table.frame) == {"key": ["p", "q", "r"], **cells(FRAME)}
    assert any("under their keys" in note for note in table.notes)


def test_lists_of_one_length_are_columns() -> None:
    assert cells(read({"x": [1, 2], "y": ["a", None]}).frame) == {"x": [1, 2], "y": ["a", None]}


def test_a_key_with_a_point_is_kept_beside_a_nested_one() -> None:
    assert cells(read([{"a.b": 1, "a": {"b": 2}}, {"a": {"b": 3}, "c": 1}]).frame)["a.b"] == [1, 3]


def test_records_that_lie_too_deep_are_named() -> None:
    record: dict[str, object] = {"x": 1}
    for _ in range(12):
        record = {"x": 1, "in": record}
    table = read([record, record])
    assert table.frame.shape[1] == 9
    assert any("was left out: its cells are records" in note for note in table.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a":\n [{"x": 1},\n {"x": }]}', "Line 3 of .* is not valid JSON"),
        ('{"a": 1}\n{"a": \n', "Line 2 of .* is not valid JSON"),
        ('{"a": ' * 100_000, "is not valid JSON"),
        ('{"a": [1, [2]]}', "no flat record"),
        ('{"data": [' + '{"x": 1},' * 200_000 + '{"x": 2}]}', "100,000 rows"),
        ('{"x": "' + "y" * (5 << 20) + '"\n}', "32 MB"),
    ],
)
def test_damaged_and_large_documents_are_refused(text: str, said: str) -> None:
    budget = ex.Budget(bytes=32 << 20, rows=100_000)
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(text.encode(), "t.json", budget=budget)
