"""Numbers stored as text are found, and become the numbers that a person reads."""

import explorer as ex


def table_of(*cells, name="rate"):
    """A table with one column to examine and a plain one."""
    rows = "\n".join(f'"{cell}",{i}' for i, cell in enumerate(cells))
    return ex.read_table(f"{name},plain\n{rows}\n".encode(), name="t.csv")


def test_per_cent_as_text_is_suggested_and_applied():
    table = table_of("11.4%", "7.9 %", "", "-12%")
    (suggestion,) = table.suggestions
    assert suggestion.sentence == "'rate' looks like a percentage stored as text (3 values). Convert it to a number?"
    assert (suggestion.column, suggestion.n_cells, suggestion.is_question) == ("rate", 3, False)
    assert suggestion.examples == (("11.4%", "11.4"), ("7.9 %", "7.9"), ("-12%", "-12"))
    repaired = suggestion.apply(table)
    assert repaired.frame["rate"].tolist()[:2] == [11.4, 7.9]
    assert repaired.frame["rate"].isna().tolist() == [False, False, True, False]
    assert repaired.repairs == (suggestion.repair,)
    assert repaired.suggestions == ()
    assert table.frame["rate"].tolist()[:2] == ["11.4%", "7.9 %"]
    assert table.repairs == ()
