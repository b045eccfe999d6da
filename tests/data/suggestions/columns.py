"""Tables with one column to examine, as read from a file."""

import explorer as ex


def table_of(cells, name="x"):
    """A table read from a file: a column with these cells, and a numbered one."""
    rows = "\n".join(f'"{cell}",r{i}' for i, cell in enumerate(cells))
    return ex.read_table(f"{name},row\n{rows}\n".encode(), name="t.csv")


def kinds_of(table):
    return [suggestion.repair.kind for suggestion in table.suggestions]


def only(table):
    (suggestion,) = table.suggestions
    return suggestion


def repaired(cells, name="x"):
    """The column after its only suggestion."""
    table = table_of(cells, name)
    return only(table).apply(table).frame[name].tolist()
