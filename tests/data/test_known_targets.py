"""How often the target of well-known tables is guessed, and how often a guess that is taken for sure is right.

`known_targets.tsv` has facts of tables in R packages (as pydataset 0.2.0 ships them), scikit-learn, statsmodels,
lifelines, ISLR, UCI and Kaggle: names of columns, their kinds and distinct values, and what their help pages
and models predict from the rest. Frames of the same facts stand for them.
"""

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pandas as pd
import pytest

from explorer.data.codes.likely_target import is_told, likely_targets

_MOST_ROWS = 240


@pytest.mark.parametrize(
    ("step", "least", "least_told"), [(10, 0.55, 0.75), pytest.param(1, 0.68, 0.85, marks=pytest.mark.slow)]
)
def test_most_targets_of_known_tables_are_guessed_and_nearly_all_of_those_taken_for_sure(step, least, least_told):
    found = [(likely_targets(frame), targets, is_told(frame)) for frame, targets in islice(_tables(), 0, None, step)]
    assert len(found) > 400 / step
    assert sum(names[0] in targets for names, targets, _ in found) >= least * len(found)
    told = [names[0] in targets for names, targets, is_sure in found if is_sure]
    assert len(told) >= len(found) / 2
    assert sum(told) >= least_told * len(told)
    asked = [not targets.isdisjoint(names[:3]) for names, targets, is_sure in found if not is_sure]
    assert sum(asked) >= 0.83 * len(asked)


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ("mv crim zn chas2 townid", "mv"),
        ("lfp2 lnnlinc age educ foreign2", "lfp2"),
        ("doctor children access health", "doctor"),
        ("med lc idp2 lpi age sex2 black2", "med"),
        ("carat cut color depth price x y z", "price"),
        ("id Sepal Petal kind", "kind"),
    ],
)
def test_first_and_last_columns_are_likelier_than_those_between(columns, target):
    frame = pd.DataFrame(
        {name: [(i % 2 if name.endswith("2") else 1.5 * i) for i in range(60)] for name in columns.split()}
    )
    assert target in likely_targets(frame)[:2]


def test_labels_of_variables_tell_the_target_as_names_do():
    frame = pd.DataFrame({name: [1.5 * i for i in range(12)] for name in ("popul", "v2", "educ", "logpopul")})
    assert likely_targets(frame)[0] == "logpopul"
    assert likely_targets(frame, described=[("v2", "Vote 1996"), ("educ", "Education")])[0] == "v2"
    assert is_told(frame, described=[("v2", "Survived")])


def _tables() -> Iterator[tuple[pd.DataFrame, set[str]]]:
    with (Path(__file__).parent / "known_targets.tsv").open(encoding="utf-8", newline="") as file:
        for _, n_rows, columns, targets in list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
            yield _frame(int(n_rows), columns.split("; ")), set(targets.split("; "))


def _frame(n_rows: int, columns: list[str]) -> pd.DataFrame:
    """A table with these names, kinds and, as far as its rows allow, numbers of distinct values."""
    n_made = min(n_rows, _MOST_ROWS)
    cells = {}
    for place, column in enumerate(columns):
        name, facts = column.rsplit(":", 1)
        kind, n_values = facts[0], int(facts[1:])
        few = n_values if n_values <= 60 else max(60, min(n_made - (n_values < n_rows), n_values * n_made // n_rows))
        values = [*range(few), *((7 * i + place * (i // 3)) % max(few, 1) for i in range(few, n_made))]
        numbers = values if kind == "i" or few <= 60 else [1.25 * value for value in values]
        cells[name] = [f"v{value}" for value in values] if kind == "t" else numbers
    return pd.DataFrame(cells)
