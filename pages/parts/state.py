"""Everything a reader has chosen, in one frozen object: between pages, in the session and in the web address."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

import explorer as ex
from pages.parts import options
from pages.parts.comparison import SIDES, Comparison
from pages.parts.judging import Judging
from pages.parts.prediction import Prediction
from pages.parts.ruling import Ruling

_SETTINGS, _NOTICES, _UPLOAD, _AWAITING, _SECOND = "settings", "notices", "upload", "awaiting", "second"
FIRST_SAMPLE = "play_tennis"
NO_CHOICES = ex.Choices()
SPLITS = {"auto": "Automatic", "all": "All rows", "two": "Training and validation", "three": "With a test part"}
PRUNING = {
    "slide": "Slide α",
    "given": "A given α, step by step",
    "methods": "Methods side by side",
    "per_node": "Loss per node: a demonstration",
}
RISKS = {
    "impurity": "Impurity (default)",
    "error": "Share of wrong rows",
    "unnormalised": "Impurity × rows (Li Hang)",
    "per_node": "Per node (a demonstration)",
}
METRICS = {
    "accuracy": "Accuracy",
    "auc": "AUC",
    "log_loss": "Log loss",
    "expected_cost": "Expected cost",
}
METHODS = {
    "unpruned": "Unpruned",
    "cost_complexity": "Cost-complexity, best α",
    "one_se": "Cost-complexity, 1-SE",
    "reduced_error": "Reduced error",
    "pessimistic": "Pessimistic (C4.5)",
    "mdl": "Description length",
}
ORDERS = {"best_first": "Best first (Mitchell)", "bottom_up": "Bottom-up (Quinlan)"}
TIES = {"prune": "Pruned: the smaller tree", "keep": "Kept: only if better"}
CONFIDENCES = (0.001, 0.5)
LIMITS = {"release8": "As C4.5 release 8", "binomial": "Binomial, exact", "normal": "Normal (Weka’s J48)"}
BOOK = {
    "unpruned": "Unpruned",
    "pre": "Pre-pruned",
    "zhou": "Post-pruned, only if better (Zhou)",
    "quinlan": "Post-pruned, bottom-up (Quinlan)",
    "mitchell": "Post-pruned, best first (Mitchell)",
}
"""The trees of the example from Zhou's book."""


@dataclass(frozen=True)
class Growing:
    """A recipe's name and the fields changed in it; no name leaves the choice to the kind of target."""

    name: str = ""
    changes: tuple[tuple[str, options.Value], ...] = ()

    def recipe(self, default: ex.Recipe) -> ex.Recipe:
        """The recipe with its changes; InputError if they contradict each other."""
        return options.RECIPES.get(self.name, default).replace(**dict(self.changes))

    def with_change(self, field: str, value: options.Value) -> Growing:
        """The same with one more field changed; a later change replaces an earlier one."""
        return Growing(self.name, tuple(sorted({**dict(self.changes), field: value}.items())))

    def without(self, *fields: str) -> Growing:
        """The same with some fields as the recipe has them."""
        return Growing(self.name, tuple(pair for pair in self.changes if pair[0] not in fields))

    def consistent(self, default: ex.Recipe) -> Growing:
        """The same with entropy in place of another impurity where the score is defined by it.

        `default` stands for the recipe where none is named.
        """
        own = options.RECIPES.get(self.name, default)
        changes = dict(self.changes)
        if changes.get("score", own.score) not in options.BY_ENTROPY:
            return self
        if changes.get("impurity", own.impurity) == "entropy":
            return self
        return self.with_change("impurity", "entropy")


@dataclass(frozen=True)
class Settings:
    """All choices. Empty names mean "the table's own default"; `alpha` None is the tree before any pruning.

    `hand` are steps of pruning by hand, (op, node); `opened` notes every opening of the test part (see `openings`).
    `choices` are the reader's about the tree of the Grow page. `metric` judges pruned trees of classes.
    `method` to `raising` are of the table of methods, `book` is the tree shown of its example, "" without it.
    """

    sample: str = FIRST_SAMPLE
    upload: str = ""
    target: str = ""
    features: tuple[str, ...] | None = None
    kinds: tuple[tuple[str, str], ...] = ()
    split: str = "auto"
    share: int = 70
    valid_share: int = 15
    seed: int = 0
    grow: Growing = Growing()
    choices: ex.Choices = NO_CHOICES
    left: Growing = Growing()
    right: Growing = Growing()
    third: Growing = Growing()
    compare: Comparison = field(default_factory=Comparison)
    judging: Judging = field(default_factory=Judging)
    ruling: Ruling = field(default_factory=Ruling)
    ask: Prediction = field(default_factory=Prediction)
    node: int = 0
    left_node: int = 0
    right_node: int = 0
    third_node: int = 0
    pruning: str = "slide"
    risk: str = "impurity"
    metric: str = "accuracy"
    alpha: float | None = None
    hand: tuple[tuple[str, int], ...] = ()
    method: str = "unpruned"
    order: str = "best_first"
    ties: str = "prune"
    confidence: float = 0.25
    limit: str = "release8"
    raising: bool = False
    book: str = ""
    folds: int = 10
    fold_seed: int = 0
    opened: tuple[str, ...] = ()
    palette: str = "safe"


@dataclass(frozen=True)
class Upload:
    """The reader's own table: what it is called, a hash of its bytes, and what was read."""

    name: str
    fingerprint: str
    table: ex.Table


@dataclass(frozen=True)
class Notice:
    """A message that the next page run shows once."""

    level: str
    text: str


_SAME_TABLE = ("target", "features", "kinds")
_SAME_TREE = ("split", "share", "valid_share", "seed", "grow")
_SAME_CUT = ("choices", "risk", "alpha", "hand")


def read() -> Settings:
    """The settings of this session."""
    settings: Settings = st.session_state.get(_SETTINGS, Settings())
    return settings


def is_new() -> bool:
    """Whether this session has no settings yet."""
    return _SETTINGS not in st.session_state


def changed(settings: Settings, **changes: object) -> Settings:
    """The settings with some changed, and with what no longer has a meaning set back."""
    if {"sample", "upload"} & set(changes):
        changes = {"target": "", "features": None, "kinds": (), "split": "auto", **changes}
    if {"sample", "upload", "target"} & set(changes):
        changes = _amounts_dropped(settings) | changes
    if "target" in changes:
        changes = {"opened": (), **changes}
    if {"sample", "upload", *_SAME_TABLE} & set(changes):
        changes = {"choices": NO_CHOICES, **changes}
    if "choices" in changes:
        changes = {"alpha": None, "hand": (), **changes}
    if set(_SAME_TABLE + _SAME_TREE) & set(changes):
        nodes = {"node": 0, **{f"{side}_node": 0 for side in SIDES}}
        changes = {**nodes, "alpha": None, "hand": (), "compare": settings.compare.with_other_tree(*SIDES), **changes}
    if {"sample", "upload", *_SAME_TABLE} & set(changes):
        changes["compare"] = settings.compare.with_other_table()
        changes |= {
            "ask": Prediction(),
            "judging": Judging(rows=settings.judging.rows),
            "ruling": settings.ruling.with_other_table(),
        }
    elif any(field in changes and changes[field] != getattr(settings, field) for field in _SAME_TREE + _SAME_CUT):
        let_go = {"judging": settings.judging.with_other_tree(), "ruling": settings.ruling.with_other_tree()}
        changes = let_go | changes
    if "risk" in changes:
        changes = {"alpha": None, "hand": (), **changes}
    for side in SIDES.keys() & set(changes):
        changes = {f"{side}_node": 0, "compare": settings.compare.with_other_tree(side), **changes}
    return dataclasses.replace(settings, **changes)  # type: ignore[arg-type]


def _amounts_dropped(settings: Settings) -> dict[str, object]:
    """Ways to grow without the amounts that name classes and columns of one table; only those that change."""
    fields = [table.field for table in options.TABLES]
    kept = {slot: getattr(settings, slot).without(*fields) for slot in ("grow", *SIDES)}
    return {slot: growing for slot, growing in kept.items() if growing != getattr(settings, slot)}


def growing_of(settings: Settings, slot: str) -> Growing:
    """What a slot is grown by: "grow" or a side; an untouched left side of a comparison follows the Grow page."""
    growing: Growing = getattr(settings, slot)
    return settings.grow if slot == "left" and growing == Growing() else growing


def choices_of(settings: Settings, slot: str) -> ex.Choices | None:
    """What the reader decided about a slot's tree: only that of the Grow page has any."""
    return settings.choices if slot == "grow" and settings.choices else None


def node_field(settings: Settings, slot: str) -> str:
    """The field with the selected node of a slot; a side with the Grow page's tree shares its."""
    same_tree = growing_of(settings, slot) is settings.grow and choices_of(settings, slot) == (settings.choices or None)
    return "node" if same_tree else f"{slot}_node"


def keep(settings: Settings) -> None:
    """Make these the settings of the session."""
    st.session_state[_SETTINGS] = settings


def attempt(check: Callable[[Settings], object], **changes: object) -> bool:
    """Change the settings if `check` passes on them; else keep the old ones and say why."""
    proposed = changed(read(), **changes)
    try:
        check(proposed)
    except ex.ExplorerError as error:
        notify("error", f"{error} Nothing was changed.")
        return False
    keep(proposed)
    return True


def notify(level: str, text: str) -> None:
    """Leave a message ("error", "warning" or "info") for the next run of a page."""
    st.session_state.setdefault(_NOTICES, []).append(Notice(level, text))


def take_notices() -> Sequence[Notice]:
    """The messages left, which are then gone."""
    notices: Sequence[Notice] = st.session_state.pop(_NOTICES, [])
    return notices


def await_file(settings: Settings | None) -> None:
    """Hold settings back until the file that they are about is there; None holds nothing any more."""
    st.session_state[_AWAITING] = settings


def awaiting_file() -> Settings | None:
    """The settings held back."""
    found: Settings | None = st.session_state.get(_AWAITING)
    return found


def upload() -> Upload | None:
    """The reader's own table, if one was read in this session."""
    found: Upload | None = st.session_state.get(_UPLOAD)
    return found


def keep_upload(new: Upload | None) -> None:
    """Keep the reader's table for the session, or forget it."""
    st.session_state[_UPLOAD] = new


def second() -> Upload | None:
    """The file whose rows the tree is to answer, if one was read in this session."""
    found: Upload | None = st.session_state.get(_SECOND)
    return found


def keep_second(new: Upload | None) -> None:
    """Keep that file for the session, or forget it."""
    st.session_state[_SECOND] = new
