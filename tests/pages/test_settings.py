"""What a change of one setting resets, and that every default is written once."""

import dataclasses

import pytest

import explorer as ex
from explorer.data.reading import AS_FOUND, ReadingOptions
from pages.settings import url
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.learn_settings import LearnSettings
from pages.settings.page_settings import (
    SIDES,
    CompareSettings,
    EvaluateSettings,
    GrowSettings,
    PredictSettings,
    RulesSettings,
    StabilitySettings,
)
from pages.settings.settings import OF_READER, OF_TABLE, RESETS, TABLE, Settings, changed
from pages.settings.view_settings import TimelineSettings, ViewSettings
from tests.folders import ROOT

CHOICES = ex.Choices().lock(())
WEIGHTED = GrowSettings("CART", (("class_weights", (("Yes", 2.0),)), ("max_depth", 3)))
SIZED = GrowSettings("CART", (("max_depth", 3),))
STRIP = ex.Repair("blanks", "species")
BUSY = Settings(
    sample="iris",
    sheet="Flowers",
    learn=LearnSettings(section="scene", scene="mixed", step=2, chosen=(("unit", "nats"),)),
    header_line=3,
    reading=ReadingOptions(thousands=".", missing=("?",)),
    repairs=(STRIP,),
    prediction_file="cd34",
    target="species",
    features=("petal length",),
    kinds=(("petal width", "categorical"),),
    weight="sepal width",
    split="three",
    split_by="petal width",
    divide="time",
    divide_by="petal length",
    split_times=("2", "3"),
    split_values=("a", "b"),
    share=60,
    valid_share=20,
    seed=3,
    grow=WEIGHTED,
    left=WEIGHTED,
    right=WEIGHTED,
    third=SIZED,
    choices=CHOICES,
    compare=CompareSettings(
        True, False, "AC", "train", (0, 1), 5, "petal length", "petal width", (0.1, 0.2, 0.3), has_chosen_node=True
    ),
    evaluate=EvaluateSettings("train", (0, 1), 5, 2, at_root=True, threshold=3, profits=(5.0, -2.0, 0.0, 1.0)),
    rules=RulesSettings("pruned", "support", 1, 4, 50, "petal", "pessimistic", True, 6),
    predict=PredictSettings(7, ((0, "1.5"),), True, "1", (0,), "train"),
    node=1,
    left_node=2,
    right_node=3,
    third_node=4,
    pruning="methods",
    risk="error",
    metric="auc",
    smoothing="m_estimate",
    smoothing_m=2.0,
    decide=(1, 0.3),
    model_classes=(1, 0),
    actions=((2, "call"),),
    alpha=0.05,
    manual_steps=(("collapse", 2),),
    method="mdl",
    confidence=0.1,
    book="zhou",
    folds=5,
    fold_seed=8,
    fold_gap=2,
    fold_rows=30,
    test_set_uses=("3:8:0.8:0.6",),
    palette="greys",
    view=ViewSettings("icicle", "no", True, (("setosa", "short"),), (("setosa", "#112233"),)),
    timeline=TimelineSettings(2, "best_first", (0, 1), asks=True),
    stability=StabilitySettings("bootstrap", 50, on_tree=False),
    ensembles=EnsembleSettings("adaboost", 9, stage=3, member=2, node=4),
    gamma=2.0,
)
"""Every field that can be reset differs from its default."""

NODES = {"node": 0, "left_node": 0, "right_node": 0, "third_node": 0}
UNCUT = {"alpha": None, "manual_steps": ()}
OTHER_TREES = CompareSettings(True, False, "AC", "train", x_feature="petal length", y_feature="petal width")
SELECTION_CLEARED = {
    "evaluate": EvaluateSettings("train", of_class=2, profits=(5.0, -2.0, 0.0, 1.0)),
    "rules": dataclasses.replace(BUSY.rules, step=0),
}
PRUNED_OTHERWISE = {
    **SELECTION_CLEARED,
    **{field: 0 for field in NODES if field != "node"},
    "compare": dataclasses.replace(BUSY.compare, cell=None, row=None, has_chosen_node=False),
}
OTHER_RISK = {**PRUNED_OTHERWISE, "compare": OTHER_TREES}
WHOLE_TREE = {"timeline": TimelineSettings(order="best_first", asks=True)}
OTHER_COLUMNS = {
    **NODES,
    **WHOLE_TREE,
    **UNCUT,
    "actions": (),
    "choices": ex.Choices(),
    "compare": CompareSettings(True, False, "AC", "train"),
    "evaluate": EvaluateSettings("train", profits=(5.0, -2.0, 0.0, 1.0)),
    "rules": RulesSettings("pruned", "support", None, 4, 50, "", "pessimistic", True),
    "predict": PredictSettings(),
    "ensembles": EnsembleSettings(),
}
OTHER_CLASSES = {"view": ViewSettings("icicle", "no", True)}
OTHER_CELLS = {
    **OTHER_COLUMNS,
    "grow": SIZED,
    "left": SIZED,
    "right": SIZED,
    "test_set_uses": (),
    "decide": (),
    "model_classes": (),
}
OTHER_TARGET = {**OTHER_CELLS, **OTHER_CLASSES}
NOTHING_ASKED = {"timeline": TimelineSettings(order="best_first")}
OF_TABLE_ANEW = {field: getattr(Settings(), field) for field in OF_TABLE}
OTHER_SHEET = {**OTHER_TARGET, **OF_TABLE_ANEW, **NOTHING_ASKED, "repairs": ()}
OTHER_TABLE = {**OTHER_SHEET, "sheet": "", "header_line": 0, "reading": AS_FOUND}
OTHER_TREE = {**NODES, **WHOLE_TREE, **UNCUT, "actions": (), **SELECTION_CLEARED, "compare": OTHER_TREES}
OTHER_ROWS = {**OTHER_TREE, "alpha": BUSY.alpha, "ensembles": EnsembleSettings("adaboost", 9)}

CASES = [
    ({"sample": "titanic"}, OTHER_TABLE),
    ({"upload": "ab12"}, OTHER_TABLE),
    ({"sample": "iris"}, OTHER_TABLE),
    ({"connected": "folder/a.parquet", "upload": ""}, OTHER_TABLE),
    ({"split_by": "sepal width"}, OTHER_ROWS),
    ({"sheet": "Leaves"}, {**OTHER_SHEET, "header_line": 0}),
    ({"header_line": 1}, OTHER_SHEET),
    ({"reading": AS_FOUND}, OTHER_SHEET),
    ({"repairs": ()}, OTHER_CELLS),
    ({"sample": "titanic", "target": "sex"}, {**OTHER_TABLE, "target": "sex"}),
    ({"target": "petal width"}, OTHER_TARGET),
    ({"target": "petal width", "features": None, "kinds": ()}, {**OTHER_TARGET, "features": None, "kinds": ()}),
    ({"features": ("sepal width",)}, OTHER_COLUMNS),
    ({"kinds": ()}, OTHER_COLUMNS),
    ({"weight": ""}, OTHER_COLUMNS),
    ({"divide": "groups"}, {**OTHER_COLUMNS, "split_times": (), "split_values": ()}),
    ({"divide_by": "sepal width"}, {**OTHER_COLUMNS, "split_times": (), "split_values": ()}),
    ({"split_times": ("1", "2")}, OTHER_ROWS),
    ({"smoothing": "laplace"}, {"evaluate": dataclasses.replace(BUSY.evaluate, threshold=0)}),
    ({"smoothing_m": 1.0}, {"evaluate": dataclasses.replace(BUSY.evaluate, threshold=0)}),
    ({"smoothing_m": 2.0}, {}),
    ({"split": "two"}, OTHER_ROWS),
    ({"split": "two", "share": 70}, OTHER_ROWS),
    ({"valid_share": 15}, OTHER_ROWS),
    ({"seed": 4}, OTHER_ROWS),
    ({"grow": SIZED}, OTHER_TREE),
    ({"choices": ex.Choices()}, {**WHOLE_TREE, **UNCUT, "actions": (), **PRUNED_OTHERWISE}),
    ({"choices": CHOICES}, {**UNCUT, "actions": (), **PRUNED_OTHERWISE}),
    ({"risk": "impurity"}, {**UNCUT, **OTHER_RISK}),
    ({"risk": "impurity", "alpha": 0.2}, {"manual_steps": (), **OTHER_RISK}),
    ({"alpha": 0.2}, PRUNED_OTHERWISE),
    ({"alpha": 0.05}, {}),
    ({"manual_steps": ()}, PRUNED_OTHERWISE),
    ({"alpha": 0.05, "manual_steps": (("collapse", 2),), "node": 9}, {}),
    (
        {"left": SIZED},
        {"left_node": 0, "compare": dataclasses.replace(OTHER_TREES, alphas=(None, 0.2, 0.3))},
    ),
    (
        {"right": SIZED, "third": GrowSettings()},
        {"right_node": 0, "third_node": 0, "compare": dataclasses.replace(OTHER_TREES, alphas=(0.1, None, None))},
    ),
    ({"third": GrowSettings(), "compare": CompareSettings()}, {"third_node": 0}),
    *(
        ({field: value}, {})
        for field, value in {
            "node": 9,
            "left_node": 9,
            "compare": CompareSettings(),
            "evaluate": EvaluateSettings(),
            "rules": RulesSettings(),
            "predict": PredictSettings(),
            "prediction_file": "",
            "pruning": "slide",
            "metric": "accuracy",
            "method": "unpruned",
            "confidence": 0.25,
            "book": "",
            "folds": 10,
            "fold_seed": 0,
            "fold_gap": 0,
            "fold_rows": 0,
            "test_set_uses": (),
            "decide": (),
            "model_classes": (),
            "palette": "safe",
        }.items()
    ),
]


@pytest.mark.parametrize(("changes", "resets"), CASES, ids=lambda case: " ".join(case) or "nothing")
def test_a_change_resets_what_no_longer_has_a_meaning(changes, resets):
    assert changed(BUSY, **changes) == dataclasses.replace(BUSY, **{**resets, **changes})


@pytest.mark.parametrize(
    ("change", "stays"), [({"upload": "ab12"}, True), ({"target": "y"}, True), ({"upload": "cd34"}, False)]
)
def test_the_rows_in_the_link_are_those_of_the_file_in_use(change, stays):
    assert changed(Settings(upload="ab12", rows="AAAA"), **change).rows == "AAAA" * stays


def test_another_table_has_no_work_started():
    assert changed(Settings(started=("cross_validate",)), sample="golf").started == ()
    assert changed(Settings(started=("cross_validate",)), alpha=0.1).started == ("cross_validate",)


def test_each_choice_is_of_a_table_of_the_reader_or_of_a_page():
    """A field that is none of these would stay when another table is opened, without anybody having decided so."""
    of_page = {"timeline", "compare", "evaluate", "rules", "predict", "ensembles", "choices", "test_set_uses"}
    of_tree = {"started", "node", "left_node", "right_node", "third_node", "alpha", "manual_steps", "actions"}
    names = {field.name for field in dataclasses.fields(Settings)}
    assert names == {*TABLE, "repairs", "rows", "kept", *OF_TABLE, *OF_READER, *of_page, *of_tree}


def test_the_table_of_resets_names_fields_that_there_are():
    names = {field.name for field in dataclasses.fields(Settings)}
    for reset in RESETS:
        assert {*reset.fields, *reset.to_default, *reset.adjusted} <= names


def test_what_may_be_reset_differs_from_its_default_in_these_cases():
    of_tables = {"upload", "rows", "kept", "connected", "order", "ties", "limit", "raising", "started"}
    same = {field.name for field in dataclasses.fields(Settings) if getattr(BUSY, field.name) == field.default}
    assert same == of_tables


def test_an_untouched_session_has_only_its_table_in_the_address():
    assert Settings().to_query() == {"data": [Settings().sample]}


def test_an_address_without_parameters_has_none_that_cannot_be_used():
    assert url.settings_from_query({}) == (Settings(), [])


def test_no_two_fields_share_a_parameter():
    records = (
        *(Settings, CompareSettings, EvaluateSettings, RulesSettings, PredictSettings, LearnSettings),
        *(ViewSettings, TimelineSettings),
    )
    keys = [field.metadata["key"] for record in records for field in dataclasses.fields(record)]
    keys += [f"{letter.lower()}.alpha" for letter in SIDES.values()]
    assert len(keys) == len(set(keys)) + 1, "only α of the settings and of the comparison, which has prefixes"


@pytest.mark.parametrize("path", sorted((ROOT / "pages" / "settings").glob("*.py")), ids=lambda path: path.stem)
def test_only_the_session_its_language_and_the_address_know_streamlit(path):
    if path.stem not in ("session", "url", "language"):
        assert "import streamlit" not in path.read_text("utf-8")
        assert "from streamlit" not in path.read_text("utf-8")


def test_a_sample_or_an_upload_takes_the_place_of_a_connected_table():
    connected = changed(BUSY, connected="folder/a.parquet", upload="")
    assert connected.connected == "folder/a.parquet"
    assert "data" not in connected.to_query()
    assert changed(connected, sample="titanic").connected == ""
    assert changed(connected, upload="ab12").connected == ""


def test_a_field_set_back_to_the_algorithm_s_own_value_leaves_the_link():
    assert SIZED.with_change("max_depth", None).to_query("") == {"recipe": ["CART"]}
    assert GrowSettings().with_change("max_depth", None).to_query("") == {"max_depth": ["none"]}  # of which recipe?
