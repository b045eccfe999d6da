"""Everything a reader has chosen, in one frozen object."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import explorer as ex
from explorer.recipe.split_score import SCORES
from pages.settings import growing_options
from pages.settings.page_settings import SIDES, CompareSettings, EvaluateSettings, PredictSettings, RulesSettings

FIRST_SAMPLE = "play_tennis"
NO_CHOICES = ex.Choices()


@dataclass(frozen=True)
class Growing:
    """A recipe's name and the fields changed in it; no name leaves the choice to the kind of target."""

    name: str = ""
    changes: tuple[tuple[str, growing_options.Value], ...] = ()

    def recipe(self, default: ex.Recipe) -> ex.Recipe:
        """The recipe with its changes; InputError if they contradict each other."""
        return growing_options.RECIPES.get(self.name, default).replace(**dict(self.changes))

    def with_change(self, field: str, value: growing_options.Value) -> Growing:
        """The same with one more field changed; a later change replaces an earlier one."""
        return Growing(self.name, tuple(sorted({**dict(self.changes), field: value}.items())))

    def without(self, *fields: str) -> Growing:
        """The same with some fields as the recipe has them."""
        return Growing(self.name, tuple(pair for pair in self.changes if pair[0] not in fields))

    def consistent(self, default: ex.Recipe) -> Growing:
        """The same with entropy in place of another impurity where the score is defined by it.

        `default` stands for the recipe where none is named.
        """
        own = growing_options.RECIPES.get(self.name, default)
        changes = dict(self.changes)
        if not SCORES[str(changes.get("score", own.score))].by_entropy:
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
    compare: CompareSettings = field(default_factory=CompareSettings)
    judging: EvaluateSettings = field(default_factory=EvaluateSettings)
    ruling: RulesSettings = field(default_factory=RulesSettings)
    ask: PredictSettings = field(default_factory=PredictSettings)
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


_SAME_TABLE = ("target", "features", "kinds")
_SAME_TREE = ("split", "share", "valid_share", "seed", "grow")
_SAME_CUT = ("choices", "risk", "alpha", "hand")


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
            "ask": PredictSettings(),
            "judging": EvaluateSettings(rows=settings.judging.rows),
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
    fields = [table.field for table in growing_options.TABLES]
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
