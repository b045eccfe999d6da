"""Write the files of orange/ and what Orange reads in them: `python tests/data/tools/write_orange.py`.

Run with Orange 3.40: `python -m venv o && o/bin/pip install orange3==3.40.0`, then o/bin/python.
"""

import json
from pathlib import Path
from typing import Any

from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

FOLDER = Path(__file__).parent / "orange"
HAND = {
    "three_lines.tab": (
        "age\tsize\twhen\ty\tname\tnote\tw\nc\tsmall\\ one big\tt\td\tstring\ts\tc\n\t\t\tclass\tmeta\tignore\tweight\n"
        "1.5\tsmall one\t2024-01-02\tb\tx?\tn\t1\n?\tbig\t2024-01-03 10:30\ta\t?\tn\t2\n3\t\t?\tb\t*\tn\t0.5\n"
        "~\thuge\tNA\ta\t~\tn\t1\n.\tbig\t\tb\t-\tn\t3\n"
    ),
    "prefixes.tab": (
        "mS#name\tcD#y\tC#age\tD#size\ti#x\tw#w\tT#when\nB\ta\t1\tbig\tq\t2\t2020-01-01\nC\tb\t.\t10\tq\t1\t\n"
        'D ""q""\ta\tnan\t9\tq\t1\t2020-05-01\nE\t*\tNA\tN/A\tq\t4\t?\nF\t-\t1e3\t100\tq\t4\t1969-12-31\n'
    ),
    "levels.tab": "a\tb\nd\td\n\tclass\n10\tz9\n9\tz10\nx2\tNaN\n100\tnone\n?\tz9\n",
}


def read(path: Path) -> dict[str, Any]:
    """Columns as Orange reads them: role, levels, cells (None: missing; moments in seconds), and the weights."""
    table = Table(str(path))
    columns = {}
    for variable in (*table.domain.variables, *table.domain.metas):
        role = "class" if variable in table.domain.class_vars else "meta" if variable in table.domain.metas else ""
        cells = [None if cell != cell else cell for cell in table.get_column(variable).tolist()]
        if isinstance(variable, DiscreteVariable):
            cells = [None if cell is None else variable.values[int(cell)] for cell in cells]
        if isinstance(variable, StringVariable):
            cells = [str(cell) or None for cell in cells]
        levels = list(variable.values) if isinstance(variable, DiscreteVariable) else None
        columns[variable.name] = {"kind": type(variable).__name__, "role": role, "levels": levels, "cells": cells}
    return {"columns": columns, "weights": table.W.ravel().tolist() if table.has_weights() else None}


def main() -> None:
    """Write each file, by hand as its documentation has it or by Orange, and read it."""
    for name, text in HAND.items():
        (FOLDER / name).write_text(text, "utf-8")
    size = DiscreteVariable("size", ("small", "very big", "middle"))
    domain = Domain(
        [ContinuousVariable("x, y"), size], DiscreteVariable("class", ("no", "yes")), [StringVariable("id")]
    )
    rows = [
        [1.25, "very big", "yes", "a"],
        [-3, None, "no", "b\tc"],
        [None, "small", "yes", 'd "e"'],
        [1e-7, "small", "no", ""],
    ]
    table = Table.from_list(domain, rows)
    for name in ("saved.tab", "saved.csv"):
        table.save(str(FOLDER / name))
        (FOLDER / f"{name}.metadata").unlink(missing_ok=True)
    for name in (*HAND, "saved.tab", "saved.csv"):
        (FOLDER / f"{name}.json").write_text(json.dumps(read(FOLDER / name), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
