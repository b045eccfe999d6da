"""A tree or ensemble downloaded here brings along how its table was read and divided: types, weights, split, seed."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from pages.results import trees
from pages.results.source import of_upload
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.settings import OF_ROWS, changed
from pages.widgets import downloads
from tests.pages.app import fine, opened, texts, uploaded, went

DRAWN = np.random.default_rng(3)
PATIENT = np.repeat(np.arange(30), 4)
TABLE = pd.DataFrame(
    {
        "grade": DRAWN.integers(1, 5, 120),
        "level": np.array(["low", "high", "medium"])[DRAWN.integers(0, 3, 120)],
        "size": DRAWN.normal(size=120).round(2),
        "patient": [f"p{each}" for each in PATIENT],
        "day": pd.date_range("2021-01-01", periods=120).strftime("%Y-%m-%d"),
        "part": np.where(PATIENT % 3 == 0, "late", "early"),
        "w": DRAWN.integers(1, 4, 120),
    }
).assign(ill=lambda rows: np.where((rows.grade % 2 == 0) ^ (DRAWN.random(120) < 0.2), "yes", "no"))
FEATURES = ("grade", "size")
PLAIN = {"target": "ill", "features": FEATURES, "split": "three"}
CHANGED = {
    "nothing": {},
    "a numeric column made categorical": {"kinds": (("grade", "categorical"),)},
    "an ordered column": {
        "repairs": (ex.Repair("levels", "level", {"levels": [["low"], ["medium"], ["high"]]}),),
        "features": ("level", "size"),
    },
    "an ordered column made categorical": {
        "repairs": (ex.Repair("levels", "level", {"levels": [["low"], ["medium"], ["high"]]}),),
        "features": ("level", "size"),
        "kinds": (("level", "categorical"),),
    },
    "weights": {"weight": "w"},
    "shares": {"share": 50, "valid_share": 30},
    "seed": {"seed": 7},
    "two sets": {"split": "two", "share": 60},
    "no sets": {"split": "all"},
    "by group": {"divide": "groups", "divide_by": "patient", "seed": 2},
    "by time": {"divide": "time", "divide_by": "day", "split": "two", "split_times": ("2021-03-01",)},
    "by a column": {"divide": "sets", "divide_by": "part", "split": "auto", "split_values": ("late", "early")},
    "by groups and a column": {"divide": "groups", "divide_by": "patient", "split": "column", "split_by": "part"},
    "all": {"kinds": (("grade", "categorical"),), "weight": "w", "share": 55, "valid_share": 20, "seed": 11}
    | {"divide": "groups", "divide_by": "patient"},
}


@pytest.fixture
def offered(monkeypatch):
    """The models that pages offer to download, by the names of their files."""
    files = {}

    def offer(groups):
        files.update({file.name: file.make() for group in groups.values() for file in group if file.label == "JSON"})

    monkeypatch.setattr(downloads, "offer", offer)
    return files


def session_with(settings, rows=TABLE):
    """A new session with a table of its own, and these settings of it."""
    app = fine(uploaded(opened(), "shop.csv", rows.to_csv(index=False).encode()))
    app.session_state["settings"] = changed(app.session_state["settings"], **settings)
    return app


def downloaded(app, page, offered):
    """The model of a page as its menu offers it."""
    app = went(app, page)
    app.session_state["menu"] = True
    fine(app.run())
    return offered["ensemble.json" if page == "Ensembles" else "tree.json"].encode()


def sets_of(app):
    """The numbers of the rows in every set, and a hash of all their values, weights and types."""
    settings = app.session_state["settings"]
    with trees.on_table(of_upload(app.session_state["upload"], settings)):
        parts = trees.parts(settings)
    sets = [parts.train, parts.valid, parts.test]
    return [(rows.frame.index.tolist(), rows.fingerprint) if rows else None for rows in sets]


def of_rows(app):
    return {field: getattr(app.session_state["settings"], field) for field in ("repairs", *OF_ROWS)}


@pytest.mark.parametrize("case", CHANGED)
def test_a_downloaded_tree_opens_with_the_types_the_split_and_the_seed(case, offered):
    before = session_with(PLAIN | CHANGED[case])
    content = downloaded(before, "Grow", offered)
    other = {} if case == "nothing" else {"share": 80, "seed": 5}
    after = fine(uploaded(session_with(other), "m.json", content))
    assert "its target and features, its column types and its split." in texts(after.info)
    assert of_rows(after) == of_rows(before)
    assert sets_of(after) == sets_of(before)
    after.session_state["opened.tab"] = "First difference"
    assert "**The trees are identical.**" in texts(fine(after.run()).markdown)


def test_the_changes_make_a_difference():
    """Each of them, left out, leads to other rows or another tree: what the test above would not see otherwise."""
    plain = sets_of(session_with(PLAIN))
    assert [
        case for case in CHANGED if case != "nothing" and sets_of(session_with(PLAIN | CHANGED[case])) == plain
    ] == []


@pytest.mark.parametrize("case", ["all", "by a column"])
def test_a_downloaded_ensemble_opens_with_them_too(case, offered):
    asked = EnsembleSettings("forest", members=3, depth=2, seed=5)
    before = session_with(PLAIN | CHANGED[case] | {"ensembles": asked})
    content = downloaded(before, "Ensembles", offered)
    after = fine(uploaded(session_with({}), "m.json", content))
    assert of_rows(after) == of_rows(before)
    assert sets_of(after) == sets_of(before)
    after = fine(after.button("en.close").click().run())
    assert downloaded(after, "Ensembles", offered) == content


def test_without_these_columns_types_and_split_are_left_alone(offered):
    content = downloaded(session_with(PLAIN | CHANGED["all"]), "Grow", offered)
    app = session_with({"share": 80}, TABLE.drop(columns="patient"))
    kept = of_rows(app)
    app = fine(uploaded(app, "m.json", content))
    assert not app.error
    assert of_rows(app) == kept
    settings = app.session_state["settings"]
    assert (settings.target, settings.features) == ("ill", FEATURES), "which this table has"


@pytest.mark.parametrize("record", [{"split": ["sideways"]}, {"kind": ["grade:colour"]}, {"x": []}, {"data": ["golf"]}])
def test_settings_that_no_page_writes_are_left_alone(record, offered):
    content = json.loads(downloaded(session_with(PLAIN), "Grow", offered))
    app = fine(
        uploaded(session_with({"share": 80}), "m.json", json.dumps(content | {"table_settings": record}).encode())
    )
    assert not app.error
    assert app.session_state["settings"].target == "ill"


@pytest.mark.parametrize("record", [[], "split", {"split": "two"}, {"split": [1]}, {"split": None}])
def test_a_record_of_something_else_is_refused(record):
    tree = ex.grow(ex.Dataset.from_frame(TABLE, "ill", list(FEATURES)), ex.CART.replace(max_depth=1))
    with pytest.raises(ex.InputError, match="damaged"):
        ex.open_model(json.dumps(tree.to_dict() | {"table_settings": record}).encode())


def test_the_package_keeps_the_record_and_the_file_holds_no_rows(offered):
    content = json.loads(downloaded(session_with(PLAIN | CHANGED["all"]), "Grow", offered))
    record = content["table_settings"]
    by = {"divide": ["groups"], "divide_by": ["patient"], "split": ["three"], "train": ["55"], "valid": ["20"]}
    assert record == by | {"kind": ["grade:categorical"], "weight": ["w"], "seed": ["11"]}
    assert not any(patient in json.dumps(content) for patient in ("p10", "p20", "p29"))
    tree = ex.open_model(json.dumps(content).encode())
    assert tree.to_dict()["table_settings"] == record
    plain = ex.Tree.from_dict({name: value for name, value in content.items() if name != "table_settings"})
    assert tree.predict(TABLE).tolist() == plain.predict(TABLE).tolist()
