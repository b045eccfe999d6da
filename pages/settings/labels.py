"""The values that settings can take, with the names that pages show for them in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from explorer.messages import Catalogue, current_catalogue, listing, message, plural
from explorer.pruning.methods import PRUNING_METHODS
from explorer.recipe.feature_constraints import FeatureSets


class Names(Mapping[str, str]):
    """Values and their names; a name is worded when it is looked up, in the language of that moment.

    >>> names = Names(lambda: {"all": message("All rows")})
    >>> names["all"], list(names)
    ('All rows', ['all'])
    """

    def __init__(self, make: Callable[[], dict[str, str]]) -> None:
        self._make = make
        self._worded: tuple[Catalogue, dict[str, str]] | None = None

    def __getitem__(self, value: str) -> str:
        return self._now()[value]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def _now(self) -> dict[str, str]:
        """All of them in the language in force; worded again where the last reader spoke another one."""
        worded, catalogue = self._worded, current_catalogue()
        if worded is None or worded[0] is not catalogue:
            worded = self._worded = catalogue, self._make()
        return worded[1]


def _of_method(method: str, option: str) -> Names:
    """The values of an option of a pruning method."""
    return Names(lambda: dict(PRUNING_METHODS[method].values_of(option)))


SPLITS = Names(
    lambda: {
        "auto": message("Automatic"),
        "all": message("All rows for training"),
        "two": message("Training and validation"),
        "three": message("Training, validation and test"),
    }
)
CONNECTED_SPLITS = Names(
    lambda: {
        **SPLITS,
        "column": message("By the values of a column"),
    }
)
"""How the rows of a connected table are divided."""
DIVISIONS = Names(
    lambda: {
        "rows": message("Rows at random, stratified"),
        "groups": message("By group: no group in two sets"),
        "time": message("By time: later rows are held out"),
        "sets": message("By a column that names the sets"),
    }
)
"""How the rows of a table in memory are divided."""
ALL_SPLITS = ("auto", "all", "two", "three", "column")
PRUNING = Names(
    lambda: {
        "slide": message("Cost-complexity: drag α"),
        "given": message("Cost-complexity: one α, step by step"),
        "methods": message("All methods side by side"),
        "per_node": message("Loss per node: a counterexample"),
    }
)
RISKS = Names(
    lambda: {
        "impurity": message("Impurity (default)"),
        "error": message("Misclassification rate"),
        "unnormalised": message("Impurity × rows (Li Hang)"),
        "per_node": message("Per node (a counterexample)"),
    }
)
COMPARISONS = Names(
    lambda: {
        "algorithms": message("Algorithms"),
        "shortest": message("Shortest tree"),
        "optimal": message("Greedy and optimal"),
        "targets": message("Several targets"),
    }
)
"""What the Compare page compares."""
PRUNED_ALIKE = Names(
    lambda: {
        "size": message("Pruned to the same size"),
        "alpha": message("Pruned at the same α"),
        "best": message("Pruned, each at its best"),
        "one_se": message("Pruned, each by 1-SE"),
        "full": message("Grown full"),
        "own": message("Pruned, each at its own α"),
    }
)
"""How the trees of a comparison are pruned; at an α of its own each is by its slider."""
METRICS = Names(
    lambda: {
        "accuracy": message("Accuracy"),
        "auc": message("AUC"),
        "log_loss": message("Log loss"),
        "expected_cost": message("Expected cost"),
    }
)
SMOOTHINGS = Names(
    lambda: {
        "none": message("Shares of the training rows"),
        "laplace": message("Smoothed: Laplace"),
        "m_estimate": message("Smoothed: m-estimate"),
    }
)
SMOOTHING_ROWS = (0.01, 10_000.0)
"""Least and largest m of the m-estimate."""
ROW_SETS = Names(lambda: {"valid": message("Validation rows"), "train": message("Training rows")})
METHODS = Names(
    lambda: {"unpruned": message("Unpruned"), **{key: method.label for key, method in PRUNING_METHODS.items()}}
)
ORDERS = _of_method("reduced_error", "order")
TIES = _of_method("reduced_error", "ties")
CONFIDENCES = (0.001, 0.5)
LARGEST_GAMMA = 1e12
LIMITS = _of_method("pessimistic", "limit")
BOOK = Names(
    lambda: {
        "unpruned": message("Unpruned"),
        "pre": message("Pre-pruned"),
        "zhou": message("Post-pruned, only if better (Zhou)"),
        "quinlan": message("Post-pruned, bottom-up (Quinlan)"),
        "mitchell": message("Post-pruned, best first (Mitchell)"),
    }
)
"""The trees of the example from Zhou's book."""
STARTED = (
    *("cross_validate", "paired", "stability.run", "held_out.run", "shuffled.run", "without.run", "learning.run"),
    *("others.run", "several_targets.run", "optimal.run"),
)
"""Long work that begins by a click, by its button."""
RULE_LISTS = ("tree", "pruned")
"""The tree's own rules, or each pruned by itself."""
RULE_ORDERS = ("reliability", "order", "support", "confidence", "validation")
RULE_ESTIMATES = ("valid", "pessimistic")
"""A rule's accuracy on validation rows, or a pessimistic one on training rows."""
_NAMED_FEATURES = 3
"""Features of a set that are named in the line above the tree."""


def sets_words(sets: FeatureSets) -> str:
    """Interaction constraints: the features of a set that is alone and small, else how many sets there are."""
    if len(sets) == 1 and len(sets[0]) <= _NAMED_FEATURES:
        return message("interactions: {features}", features=listing(sets[0]))
    return plural(len(sets), "{n:,} interaction set", "{n:,} interaction sets")


def direction_words(name: str, sign: int) -> str:
    """A monotone constraint: the feature, and whether predictions only rise or only fall with it."""
    return message("{name} increasing", name=name) if sign > 0 else message("{name} decreasing", name=name)
