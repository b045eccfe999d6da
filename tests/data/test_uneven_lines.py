"""Lines longer or shorter than the header: delimiters at their ends, names of rows, and texts below a table."""

import pytest

import explorer as ex

ROWS = [[1, 2, "x"], [3, 4, "y"]]
BANK = [
    (b"a;b;c\n1;2;x;\n3;4;y;\n", ["a", "b", "c"], ROWS, "ends with a delimiter"),
    (b"a,b,c,\n1,2,x,\n3,4,y,\n", ["a", "b", "c"], ROWS, "neither a name nor a value"),
    (b"a,b,c,\n1,2,x\n3,4,y\n", ["a", "b", "c"], ROWS, "neither a name nor a value"),
    (b'"a","c"\n"1",1,"x"\n"2",3,"y"\n', ["row name", "a", "c"], [[1, 1, "x"], [2, 3, "y"]], "name of the row"),
    (
        b'"a","c"\n"Fiat",1,"x"\n"BMW",3,"y"\n',
        ["row name", "a", "c"],
        [["Fiat", 1, "x"], ["BMW", 3, "y"]],
        "of the row",
    ),
    (
        b"a;c\n1;x;\n3;y;\nSource: a; b; c; d\n",
        ["a", "c"],
        [["1", "x"], ["3", "y"], ["Source: a; b; c; d", None]],
        "delimiter",
    ),
]


def cells(table):
    return table.frame.astype(object).where(table.frame.notna(), None).to_numpy().tolist()


@pytest.mark.parametrize(("raw", "names", "rows", "noted"), BANK)
def test_one_more_cell_in_every_line_is_read_and_noted(raw, names, rows, noted):
    table = ex.read_table(raw, name="t.csv")
    assert (list(table.frame), cells(table)) == (names, rows)
    assert noted in " ".join(table.notes)


BELOW = [
    b"Source: World Bank",
    b"Source: World Bank, 2020, table 4, page 5",
    b"\nNotes\n* provisional, revised\n",
    b"Total,6\n",
    b"Total,6,\nSource: World Bank\n",
    b"\n\nTotal,6\n\nSource: World Bank\n(c) 2020, all rights, reserved, here\n",
    b"Quelle: Statistisches Bundesamt",
]


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_texts_below_a_table_are_read_and_offered_for_removal(below, ending):
    raw = (b"a,b,c\n1,2,x\n3,4,y\n" + below).replace(b"\n", ending)
    table = ex.read_table(raw, name="t.csv")
    assert {suggestion.repair.kind for suggestion in table.suggestions} <= {"footers", "totals"}
    assert all(suggestion.is_certain for suggestion in table.suggestions)
    for suggestion in table.suggestions:
        table = suggestion.apply(table)
    assert cells(table) == ROWS
    assert not table.suggestions


REFUSED = [
    (b"a,b,c\n1,2,x\n3,4\n", "Line 3"),  # a line that was cut
    (b"a,b,c\n1,2,x\nSource: here\n3,4,y\n5,6\n", "Line 3"),
    (b"a,b,c\n1,2,x\n3,4,y,z\n", "Line 3"),
    (b"a,b\n1,2,3\n4,5,6\n", "Line 2"),  # neither names nor numbers from 1 on
    (b"a,b\nu,2,3\nu,5,6\n", "Line 2"),
    (b"a,b\n1,2,3\n" + b"1,2\n" * 200_000, "Line 2"),  # every line is looked at once
    (b"a,b,c\n1,2,x\n" + b"a note\n" * 30, "Line 3"),
]


@pytest.mark.parametrize(("raw", "said"), REFUSED)
def test_other_lines_are_refused_by_their_number(raw, said):
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(raw, name="t.csv")


def test_rows_that_may_lack_a_cell_are_no_notes():
    for raw in (b"a,b\nx,1\ny,\n", b"a,b,c\nx,,\ny,1,2\nz,,\n"):
        assert not [one for one in ex.read_table(raw, name="t.csv").suggestions if not one.column]
