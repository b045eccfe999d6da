"""Everything a reader has chosen, in one frozen object, and what a change of one choice resets."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import explorer as ex
from explorer.data.reading import AS_FOUND, ReadingOptions
from explorer.data.samples import SAMPLES
from explorer.drawing.palette import PALETTES
from explorer.formatting import shortened
from explorer.messages import message
from pages.settings import labels
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.kept.test_set_log import NotedTestScore
from pages.settings.kept.trees import KeptTree, from_letters, to_letters
from pages.settings.learn_settings import LearnSettings
from pages.settings.page_settings import (
    SIDES,
    CompareSettings,
    EvaluateSettings,
    GrowSettings,
    PredictSettings,
    RulesSettings,
    StabilitySettings,
    grow_settings,
)
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import (
    ACTIONS,
    DECISION,
    TEXT,
    TEXTS,
    Format,
    Query,
    QueryRecord,
    choice,
    in_query,
    nested,
    number,
    parsed,
    switch,
    whole,
)
from pages.settings.view_settings import TimelineSettings, ViewSettings

NO_CHOICES = ex.Choices()
_FILE_DIGITS = 16
"""An address names a file of one's own by so many digits of the hash of its content."""
MOST_ROWS_TEXT = 8192
"""Letters of the packed rows that an address may hold: 6 KB, to base 64."""
LARGEST_LINE = 1_048_576
"""The last line that may hold the names of the columns: the last row of a sheet."""
_LONGEST_QUOTED = 100
_OPS = {"-": "collapse", "+": "restore"}
_SIGNS = {op: sign for sign, op in _OPS.items()}


def _parse_file(text: str) -> str | None:
    return text if re.fullmatch(r"[0-9a-f]*", text, re.ASCII) else None


def _parse_rows(text: str) -> str | None:
    return text if len(text) <= MOST_ROWS_TEXT and re.fullmatch(r"[A-Za-z0-9_-]*", text, re.ASCII) else None


def _parse_reading(text: str) -> ReadingOptions | None:
    try:
        return ReadingOptions.from_plain(json.loads(text)) if text else AS_FOUND
    except (ValueError, RecursionError, ex.InputError):
        return None


def _reading_text(reading: ReadingOptions) -> str:
    return json.dumps(reading.given, ensure_ascii=False, separators=(",", ":"))


def _parse_manual_steps(text: str) -> tuple[tuple[str, int], ...] | None:
    """Manual pruning steps, written -4+7: collapse node 4, restore node 7."""
    if not re.fullmatch(r"([+-]\d{1,9}){0,200}", text, re.ASCII):
        return None
    return tuple((_OPS[sign], int(node)) for sign, node in re.findall(r"([+-])(\d+)", text))


def _manual_steps_text(steps: tuple[tuple[str, int], ...]) -> str:
    return "".join(f"{_SIGNS[op]}{node}" for op, node in steps)


def _parse_codes(text: str) -> tuple[int, ...] | None:
    """Every class code from 0 on once, written 1-0; none without a text."""
    if not text:
        return ()
    codes = tuple(map(int, text.split("-"))) if re.fullmatch(r"\d{1,4}(-\d{1,4}){0,999}", text, re.ASCII) else ()
    return codes if codes and sorted(codes) == list(range(len(codes))) else None


def _codes_text(codes: tuple[int, ...]) -> str:
    return "-".join(map(str, codes))


def _read_features(reader: QueryReader, key: str, default: None) -> tuple[str, ...] | None:
    return reader.texts(key) or default


def _read_kinds(reader: QueryReader, key: str, default: tuple[()]) -> tuple[tuple[str, str], ...]:
    """Pairs of column and kind, written column:kind."""
    pairs = [text.rpartition(":")[::2] for text in reader.texts(key)]
    if all(kind in ("numeric", "categorical", "ordered") for _, kind in pairs):
        return tuple((column, kind) for column, kind in pairs)
    reader.refuse(key, None)
    return default


def _read_test_set_uses(reader: QueryReader, key: str, default: tuple[()]) -> tuple[str, ...]:
    notes = reader.texts(key)
    if all(NotedTestScore.read(note) for note in notes):
        return notes
    reader.refuse(key, None)
    return default


def _read_started(reader: QueryReader, key: str, default: tuple[()]) -> tuple[str, ...]:
    names = reader.texts(key)
    if set(names) <= set(labels.STARTED):
        return names
    reader.refuse(key, None)
    return default


def _read_choices(reader: QueryReader, key: str, default: ex.Choices) -> ex.Choices:
    """What the reader decided about the tree, one choice per parameter."""
    try:
        return ex.Choices.from_plain([json.loads(text) for text in reader.texts(key)])
    except ex.InputError as error:
        reader.refuse(key, None, str(error))
    except (ValueError, RecursionError):
        reader.refuse(key, None)
    return default


def _read_repairs(reader: QueryReader, key: str, default: tuple[()]) -> tuple[ex.Repair, ...]:
    """Repairs of the table, in order; without any where one of them is none: the others may build on it."""
    try:
        return tuple(ex.Repair.from_plain(json.loads(text)) for text in reader.texts(key))
    except ex.InputError as error:
        reader.refuse(key, None, str(error))
    except (ValueError, RecursionError):
        reader.refuse(key, None)
    return default


def _choice_text(plain_choice: object) -> str:
    return json.dumps(plain_choice, ensure_ascii=False, separators=(",", ":"))


FILE = Format(
    lambda reader, key, default: reader.parsed(key, default, _parse_file),
    lambda key, upload: {key: [upload[:_FILE_DIGITS]]},
)
FEATURES = Format(_read_features, lambda key, features: {key: list(features)})
KINDS = Format(_read_kinds, lambda key, kinds: {key: [f"{column}:{kind}" for column, kind in kinds]})
TEST_SET_USES = Format(_read_test_set_uses, lambda key, notes: {key: list(notes)})
STARTED = Format(_read_started, lambda key, names: {key: list(names)})
REPAIRS = Format(_read_repairs, lambda key, repairs: {key: [_choice_text(repair.to_plain()) for repair in repairs]})
CHOICES = Format(_read_choices, lambda key, choices: {key: [_choice_text(plain) for plain in choices.to_plain()]})


@dataclass(frozen=True)
class Settings(QueryRecord):
    """All choices. Empty names mean "the table's own default"; `alpha` None is the tree before any pruning.

    `connected` is the name of a table that stays where it is, "" without one: its rows are divided by the column
    `split_by` ("": found), with `split_values` as training, validation and test set where its values decide.
    `upload` and `prediction_file` are the hashes of the reader's own table and of the file whose rows are predicted. Of
    the table, `sheet`, `header_line` and `reading` say what was read and how ("" and 0: found), and `repairs` what was
    made of it since. `rows` is the whole file as text (see `pages/uploads/in_link.py`) where the reader puts it into
    the link, else "".
    `weight` is the column with the rows' weights, "" where every row weighs 1. A table in memory is divided as `divide`
    says, by the column `divide_by`: at `split_times`, where they are given, or by `split_values` as above.

    `smoothing` is how class probabilities are smoothed, with m = `smoothing_m` where the rule has one. `decide` is the
    code of one of two classes and the probability from which on it is predicted, or a cutoff for each of more classes;
    without it the heaviest class is. `actions` say what to do with the rows of nodes (`Tree.with_actions`).
    `model_classes` are the codes of the classes that those of a model from a file stand for, in its order, where it
    names them otherwise.
    `manual_steps` are manual pruning steps, (op, node); `test_set_uses` notes every use of the test set (see
    `test_set_log`). `choices` are the reader's about the tree of the Grow page, `kept` are trees kept by name.
    `started` names the long work whose results are on the pages: a link starts it again.
    `metric` scores pruned trees of classes: "" by expected cost where there are costs, else by accuracy. `method` to
    `gamma` are of the table of methods, `book` is the tree shown of its example, "" without it.
    Folds by time leave `fold_gap` rows out before a fold and grow on at most `fold_rows`, 0 for all.
    """

    sample: str = in_query("play_tennis", "data", choice(SAMPLES))
    upload: str = in_query("", "file", FILE)
    rows: str = in_query("", "rows", parsed(_parse_rows))
    connected: str = in_query("", "table", TEXT)
    sheet: str = in_query("", "sheet", TEXT)
    repairs: tuple[ex.Repair, ...] = in_query((), "repair", REPAIRS)
    header_line: int = in_query(0, "header", whole(0, LARGEST_LINE))
    reading: ReadingOptions = in_query(AS_FOUND, "read", parsed(_parse_reading, _reading_text))
    prediction_file: str = in_query("", "ask.file", FILE)
    target: str = in_query("", "target", TEXT)
    features: tuple[str, ...] | None = in_query(None, "feature", FEATURES)
    kinds: tuple[tuple[str, str], ...] = in_query((), "kind", KINDS)
    weight: str = in_query("", "weight", TEXT)
    split: str = in_query("auto", "split", choice(labels.ALL_SPLITS))
    split_by: str = in_query("", "split_by", TEXT)
    divide: str = in_query("rows", "divide", choice(labels.DIVISIONS))
    divide_by: str = in_query("", "divide_by", TEXT)
    split_times: tuple[str, ...] = in_query((), "at", TEXTS)
    split_values: tuple[str, ...] = in_query((), "part", TEXTS)
    share: int = in_query(70, "train", whole(10, 90))
    valid_share: int = in_query(15, "valid", whole(5, 45))
    seed: int = in_query(0, "seed", whole())
    node: int = in_query(0, "node", whole())
    left_node: int = in_query(0, "a.node", whole())
    right_node: int = in_query(0, "b.node", whole())
    third_node: int = in_query(0, "c.node", whole())
    pruning: str = in_query("slide", "pruning", choice(labels.PRUNING))
    risk: str = in_query("impurity", "risk", choice(labels.RISKS))
    metric: str = in_query("", "metric", choice(("", *labels.METRICS)))
    smoothing: str = in_query("none", "smoothing", choice(labels.SMOOTHINGS))
    decide: tuple[float, ...] = in_query((), "decide", DECISION)
    model_classes: tuple[int, ...] = in_query((), "classes", parsed(_parse_codes, _codes_text))
    actions: tuple[tuple[int, str], ...] = in_query((), "action", ACTIONS)
    smoothing_m: float = in_query(1.0, "smoothing_m", number(*labels.SMOOTHING_ROWS))
    alpha: float | None = in_query(None, "alpha", number())
    manual_steps: tuple[tuple[str, int], ...] = in_query((), "hand", parsed(_parse_manual_steps, _manual_steps_text))
    method: str = in_query("unpruned", "method", choice(labels.METHODS))
    order: str = in_query("best_first", "order", choice(labels.ORDERS))
    ties: str = in_query("prune", "ties", choice(labels.TIES))
    confidence: float = in_query(0.25, "confidence", number(*labels.CONFIDENCES))
    limit: str = in_query("release8", "limit", choice(labels.LIMITS))
    raising: bool = in_query(False, "raising", switch())
    gamma: float = in_query(1.0, "prune.gamma", number(0.0, labels.LARGEST_GAMMA))
    book: str = in_query("", "book", choice(labels.BOOK))
    folds: int = in_query(10, "folds", whole(2, 100))
    fold_seed: int = in_query(0, "fold_seed", whole())
    fold_gap: int = in_query(0, "fold_gap", whole())
    fold_rows: int = in_query(0, "fold_rows", whole())
    started: tuple[str, ...] = in_query((), "run", STARTED)
    test_set_uses: tuple[str, ...] = in_query((), "opened", TEST_SET_USES)
    choices: ex.Choices = in_query(NO_CHOICES, "choice", CHOICES)
    kept: tuple[KeptTree, ...] = in_query((), "kept", parsed(from_letters, to_letters))
    palette: str = in_query("safe", "palette", choice(PALETTES))
    view: ViewSettings = in_query(ViewSettings(), "view", nested(ViewSettings))
    timeline: TimelineSettings = in_query(TimelineSettings(), "timeline", nested(TimelineSettings))
    stability: StabilitySettings = in_query(StabilitySettings(), "st", nested(StabilitySettings))
    compare: CompareSettings = in_query(CompareSettings(), "compare", nested(CompareSettings))
    evaluate: EvaluateSettings = in_query(EvaluateSettings(), "e", nested(EvaluateSettings))
    rules: RulesSettings = in_query(RulesSettings(), "r", nested(RulesSettings))
    predict: PredictSettings = in_query(PredictSettings(), "ask", nested(PredictSettings))
    ensembles: EnsembleSettings = in_query(EnsembleSettings(), "en", nested(EnsembleSettings))
    learn: LearnSettings = in_query(LearnSettings(), "lesson", nested(LearnSettings))
    grow: GrowSettings = in_query(GrowSettings(), "", grow_settings(""))
    left: GrowSettings = in_query(GrowSettings(), "a", grow_settings("a."))
    right: GrowSettings = in_query(GrowSettings(), "b", grow_settings("b."))
    third: GrowSettings = in_query(GrowSettings(), "c", grow_settings("c."))

    def to_query(self) -> Query:
        """The table, always named, and every other choice that is not the default."""
        query = super().to_query()
        query.pop("data", None)
        return query if self.upload or self.connected else {"data": [self.sample], **query}


@dataclass(frozen=True)
class Reset:
    """What becomes of other fields once one of `fields` is set: back to their default, or adjusted from their value.

    With `only_if_different` it is not enough that a field is set: its value must be another than before.
    """

    fields: tuple[str, ...]
    to_default: tuple[str, ...] = ()
    adjusted: Mapping[str, Callable[[Any], object]] = dataclasses.field(default_factory=dict)
    only_if_different: bool = False

    def applies(self, before: Settings, now: Settings, is_set: set[str]) -> bool:
        """Whether the fields set so far require this reset."""
        fields = is_set.intersection(self.fields)
        if self.only_if_different:
            return any(getattr(now, field) != getattr(before, field) for field in fields)
        return bool(fields)

    def values(self, now: Settings) -> dict[str, object]:
        """The fields that are reset, with their new values."""
        defaults = {field: getattr(_DEFAULT, field) for field in self.to_default}
        return defaults | {field: adjust(getattr(now, field)) for field, adjust in self.adjusted.items()}


_DEFAULT = Settings()
ORIGINS = ("sample", "upload", "connected")
"""Where a table comes from."""
TABLE = (*ORIGINS, "sheet", "header_line", "reading")
"""What is read as the table."""
COLUMNS = ("target", "features", "kinds", "weight", "divide", "divide_by")
ROWS = ("split", "split_by", "split_times", "split_values", "share", "valid_share", "seed")
OF_ROWS = ("kinds", "weight", "divide", "divide_by", *ROWS)
"""How a table is read and divided: what a saved tree does not say by itself."""
ORDER = "levels"
"""The kind of repair that puts the levels of a column in order."""
OF_READER = ("palette", "view", "learn", "stability", "prediction_file")
"""What stays when another table is opened; of the view all but what names classes."""
OF_PRUNING = (
    *("pruning", "risk", "metric", "smoothing", "smoothing_m", "decide", "method", "order", "ties", "confidence"),
    *("limit", "raising", "gamma", "book", "folds", "fold_seed", "fold_gap", "fold_rows"),
)
"""How trees are pruned."""
OF_TABLE = (*COLUMNS, *ROWS, "grow", *SIDES, *OF_PRUNING, "model_classes")
"""What begins anew with another table."""
OF_TREE = ("repairs", *COLUMNS, *ROWS, "grow", "choices", *OF_PRUNING, "alpha", "manual_steps", "actions")
"""What makes the tree of a table, and is kept with it."""
OF_FILE = (*TABLE, *OF_TREE, *SIDES, "kept", "test_set_uses", "view")
"""What is kept with a file, for the next time that it is opened."""
NODES = ("node", "left_node", "right_node", "third_node")
"""The nodes selected."""
_NODES_OF_SIDES = NODES[1:]
_CUT = ("alpha", "manual_steps")
"""What is pruned of the grown tree."""


def _with_other_tree_of(side: str) -> Callable[[CompareSettings], CompareSettings]:
    return lambda compare: compare.with_other_tree(side)


RESETS = (
    Reset(("sample", "upload"), to_default=("connected",)),
    Reset(ORIGINS, to_default=("sheet", "header_line", "reading")),
    Reset(ORIGINS, to_default=("rows",), only_if_different=True),
    Reset(TABLE, to_default=("kept", "started"), only_if_different=True),
    Reset(("sheet",), to_default=("header_line",)),
    Reset(TABLE, to_default=("repairs",)),
    Reset(TABLE, to_default=OF_TABLE),
    Reset(
        (*TABLE, "repairs", "target"),
        to_default=("test_set_uses", "decide", "model_classes"),
        adjusted=dict.fromkeys(("grow", *SIDES), GrowSettings.with_other_table),
    ),
    Reset(
        (*TABLE, "repairs", *COLUMNS),
        to_default=("choices", "predict"),
        adjusted={
            "compare": CompareSettings.with_other_table,
            "evaluate": EvaluateSettings.with_other_table,
            "rules": RulesSettings.with_other_table,
            "ensembles": EnsembleSettings.with_other_table,
        },
    ),
    Reset(("divide", "divide_by"), to_default=("split_times", "split_values")),
    Reset(ROWS, adjusted={"ensembles": EnsembleSettings.with_other_ensemble}, only_if_different=True),
    Reset((*TABLE, "target"), adjusted={"view": ViewSettings.with_other_classes}),
    Reset(TABLE, adjusted={"timeline": TimelineSettings.with_other_table}, only_if_different=True),
    Reset(("choices",), to_default=(*_CUT, "actions")),
    Reset(
        (*TABLE, "repairs", *COLUMNS, *ROWS, "grow", "choices"),
        adjusted={"timeline": TimelineSettings.with_other_tree},
        only_if_different=True,
    ),
    Reset(
        ("repairs", *COLUMNS, *ROWS, "grow"),
        to_default=(*NODES, "manual_steps", "actions"),
        adjusted={"compare": CompareSettings.with_other_tree},
    ),
    Reset(("repairs", *COLUMNS, "grow"), to_default=("alpha",)),  # of other rows it is the same cost of a leaf
    Reset(
        (*ROWS, "grow", "choices", "risk", *_CUT),
        adjusted={"evaluate": EvaluateSettings.with_other_tree, "rules": RulesSettings.with_other_tree},
        only_if_different=True,
    ),
    Reset(
        ("smoothing", "smoothing_m"),
        adjusted={"evaluate": EvaluateSettings.with_other_probabilities},
        only_if_different=True,
    ),
    Reset(("risk",), to_default=_CUT),
    Reset(("risk",), adjusted={"compare": CompareSettings.with_other_tree}, only_if_different=True),
    Reset(
        ("choices", "risk", *_CUT),
        to_default=_NODES_OF_SIDES,
        adjusted={"compare": CompareSettings.with_other_pruning},
        only_if_different=True,
    ),
    *(
        Reset(
            (side,),
            to_default=(f"{side}_node",),
            adjusted={"compare": _with_other_tree_of(side)},
        )
        for side in SIDES
    ),
)
"""In this order: a field that is reset counts as set for the resets after it."""


def changed(settings: Settings, **changes: object) -> Settings:
    """The settings with some fields set, and with the fields reset that no longer have a meaning (see `RESETS`)."""
    now, is_set = dataclasses.replace(settings, **changes), set(changes)  # type: ignore[arg-type]
    for reset in RESETS:
        if reset.applies(settings, now, is_set):
            values = {field: value for field, value in reset.values(now).items() if field not in changes}
            now, is_set = dataclasses.replace(now, **values), is_set | set(values)  # type: ignore[arg-type]
    return now


def made_of(settings: Settings, fields: tuple[str, ...] = OF_TREE) -> Query:
    """What makes the tree of the settings, or other fields, as the parameters of a link."""
    made = Settings(**{field: getattr(settings, field) for field in fields})
    return {key: texts for key, texts in made.to_query().items() if key != "data"}


def how_read(settings: Settings) -> Query:
    """How the table is read and divided, for a saved tree: columns and orders of levels, but no other repairs."""
    orders = tuple(repair for repair in settings.repairs if repair.kind == ORDER)
    return made_of(dataclasses.replace(settings, repairs=orders), ("repairs", *OF_ROWS))


def with_kept(settings: Settings, tree: KeptTree) -> Settings:
    """The settings with the tree that was kept; InputError for one that these settings cannot have."""
    made = understood(tree.query)
    now = changed(settings, **{field: getattr(made, field) for field in OF_TREE})
    return dataclasses.replace(now, test_set_uses=settings.test_set_uses)


def understood(query: Query) -> Settings:
    """Settings of which every parameter is used as it is written; else InputError."""
    read = Settings.from_query(QueryReader(query))
    written = {"data": [read.sample]} | read.to_query()
    for key, texts in query.items():
        if written.get(key) != texts:
            text = shortened(" ".join(texts), _LONGEST_QUOTED)
            raise ex.InputError(message("This version cannot use {key} = “{given}”.", key=key, given=text))
    return read


def begun_anew(settings: Settings) -> Settings:
    """The settings with the table as it opens for the first time."""
    return changed(settings, **{field: getattr(settings, field) for field in TABLE})


_SHOWN = (*NODES, *_CUT, "timeline", "learn", "evaluate", "rules", "predict", "prediction_file", "compare", "rows")
"""What says which part of the trees is shown, and stays free while the settings are frozen."""
MEMBER_SHOWN = ("losses", "stage", "member", "node", "row", "picture")
"""The same of an ensemble."""


def while_frozen(before: Settings, now: Settings) -> Settings:
    """The settings `now` as far as they may follow `before`: of frozen ones only what is shown can change."""
    if not (before.view.frozen and now.view.frozen):
        return now
    shown = {field: getattr(now, field) for field in _SHOWN}
    view = dataclasses.replace(now.view, class_labels=before.view.class_labels, class_colours=before.view.class_colours)
    members = {field: getattr(now.ensembles, field) for field in MEMBER_SHOWN}
    return dataclasses.replace(before, view=view, ensembles=dataclasses.replace(before.ensembles, **members), **shown)


def growing_of(settings: Settings, slot: str) -> GrowSettings:
    """How the tree of a slot is grown: "grow" or a side; an untouched left side of a comparison follows "grow"."""
    growing: GrowSettings = getattr(settings, slot)
    return settings.grow if slot == "left" and growing == GrowSettings() else growing


def choices_of(settings: Settings, slot: str) -> ex.Choices | None:
    """What the reader decided about a slot's tree: only that of the Grow page has any, also where it is compared."""
    return settings.choices or None if growing_of(settings, slot) is settings.grow else None


def node_field(settings: Settings, slot: str) -> str:
    """The field with the selected node of a slot; a side with the Grow page's tree shares its node."""
    return "node" if growing_of(settings, slot) is settings.grow else f"{slot}_node"
