"""What a reader chose about a table stays with it: over pages, over other tables, and back by undo."""

import dataclasses

import pytest

from pages.settings import tables
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import OF_READER, Settings, changed
from pages.settings.view_settings import ViewSettings
from tests.pages.app import NAMES, SAMPLE_FILES, fine, opened, picked, texts, typed, uploaded, went

CAR = SAMPLE_FILES.joinpath("car.csv").read_bytes()
LEAVES = GrowSettings("CART", (("min_rows_leaf", 7),))


def editor(app):
    return next(frame for frame in app.dataframe if "role" in frame.value)


def roles(app):
    return dict(zip(editor(app).value["column"], editor(app).value["role"], strict=True))


def types(app):
    return dict(zip(editor(app).value["column"], editor(app).value["type"], strict=True))


def edited(app, name, **words):
    """Edit the line of a column; a browser reports all edits of its editor each time."""
    table = editor(app)
    line = list(table.value["column"]).index(name)
    app._edits = getattr(app, "_edits", {})
    held = app._edits.setdefault(table.proto.id, {})
    held[f"_{line}"] = {**held.get(f"_{line}", {}), **words}
    return typed(app, table, **held)


@pytest.mark.parametrize("page", [name for name in NAMES if name != "Data"])
def test_roles_and_types_stay_when_the_reader_comes_back_from_a_page(page):
    app = edited(edited(opened(data="iris"), "sepalwidth", role="not used"), "petalwidth", type="categorical")
    app = fine(went(fine(went(app, page)), "Data"))
    assert roles(app)["sepalwidth"] == "not used"
    assert types(app)["petalwidth"] == "categorical"
    app = edited(app, "sepallength", role="not used")
    assert [name for name, role in roles(app).items() if role == "not used"] == ["sepallength", "sepalwidth"]


def test_another_target_leaves_the_roles_of_all_other_columns():
    app = edited(edited(opened(data="titanic"), "fare", role="not used"), "sibsp", role="weight")
    app = fine(app.selectbox("target").select("sex").run())
    assert roles(app)["fare"] == "not used"
    assert roles(app)["sibsp"] == "weight"
    assert (roles(app)["sex"], roles(app)["survived"]) == ("target", "feature")
    app = edited(app, "survived", role="target")
    assert (roles(app)["sex"], roles(app)["survived"], roles(app)["fare"]) == ("feature", "target", "not used")


def test_a_refused_edit_leaves_no_trace_in_the_table_or_later():
    app = edited(opened(data="iris"), "class", role="feature")
    assert "The table needs one target" in texts(app.error)
    assert roles(app)["class"] == "target"
    app = fine(edited(app, "sepalwidth", role="not used"))
    assert roles(app)["class"] == "target"


def test_a_table_comes_back_as_it_was_left():
    app = edited(uploaded(opened(), "car.csv", CAR), "safety", role="not used")
    app = app.selectbox("choose.split").select("three").run()
    app = picked(went(app, "Grow"), "grow", "C4.5")
    left = app.session_state["settings"]
    app = fine(went(app, "Data").button("open.golf").click().run())
    assert app.session_state["settings"].grow == GrowSettings(), "growing settings are those of one table"
    app = fine(app.button("open.file").click().run())
    assert app.session_state["settings"] == left
    assert roles(app)["safety"] == "not used"
    assert app.selectbox("choose.split").value == "three"


def test_what_is_the_reader_s_stays_when_a_table_comes_back():
    left = Settings(sample="iris", grow=LEAVES, view=ViewSettings("icicle", class_labels=(("a", "b"),)))
    now = Settings(sample="golf", palette="greys", view=ViewSettings("right", frozen=True))
    kept = tables.noted(tables.noted({}, left), now)
    back = tables.recalled(kept, changed(now, sample="iris"))
    assert back is not None
    assert (back.grow, back.view.class_labels) == (LEAVES, (("a", "b"),))
    assert (back.palette, back.view.layout, back.view.frozen) == ("greys", "right", True)
    assert {field.name for field in dataclasses.fields(Settings)} >= set(OF_READER)


def test_what_a_session_keeps_of_its_tables_is_bounded():
    kept = {}
    for table in range(tables.MOST_TABLES + 5):
        kept = tables.noted(kept, Settings(upload=f"{table:x}"))
    assert len(kept) == tables.MOST_TABLES
    wide = Settings(upload="ff", features=("x",) * tables.MOST_NAMES)
    assert list(tables.noted(kept, Settings(upload="fe", features=("y",))).values())[-1].upload == "fe"
    assert list(tables.noted(tables.noted(kept, wide), Settings(upload="fe", features=("y",))).values()) == [
        Settings(upload="fe", features=("y",))
    ]


def test_a_forgotten_file_leaves_none_of_its_names_behind():
    app = edited(uploaded(opened(), "car.csv", CAR), "safety", role="not used")
    app = fine(app.button("forget").click().run())
    assert "safety" not in repr(app.session_state["past"].tables)
    assert "safety" not in repr(app.session_state["past"].history)
