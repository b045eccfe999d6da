"""Numbers of a tree, of a node, and of the candidate splits there; most know how they come about."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.explaining import Derivation, candidate_formulas, margin_formula, mean_gain_formula
from explorer.formatting import number_text, value_text
from explorer.formatting import percent as percent_text
from explorer.messages import listing
from pages.learn.vocabulary.threshold_cuts import threshold_of
from pages.learn.vocabulary.words import Derived, Here, add, word


def best_of(here: Here) -> ex.Candidate:
    """The candidate that gains most."""
    return max(here.decision.best.values(), key=lambda candidate: candidate.gain)


def _derived(here: Here, feature: str, measure: str) -> Derivation:
    return candidate_formulas(here.tree.node(here.node), here.decision.best[feature])[measure]


@word
def entropy(here: Here) -> Derived:
    """The impurity of the node, from the first line of every gain."""
    formulas = candidate_formulas(here.tree.node(here.node), next(iter(here.decision.best.values())))
    return Derived(here.decision.impurity, Derivation(formulas["gain"].formulas[:1]) if "gain" in formulas else None)


@word
def mean_gain(here: Here) -> Derived:
    """The mean of the best gains of the features, without the derivations of these."""
    whole = mean_gain_formula(here.tree.node(0), here.decision)
    if whole is not None:
        whole = Derivation(whole.formulas[-1:], tuple(pair for pair in whole.legend if pair[0].startswith("A")))
    return Derived(float(here.decision.mean_gain or 0), whole)


def measured(here: Here, measure: str) -> dict[str, float]:
    """A measure of every feature's best split: gain, gain_ratio or split_information."""
    field = {"split_information": "split_info"}.get(measure, measure)
    return {name: getattr(each, field) or 0.0 for name, each in here.decision.best.items()}


@word
def branch_entropies(here: Here, feature: str) -> Mapping[str, float]:
    """The impurities of the branches of a feature, as numbers of their own: "entropy Sunny"."""
    candidate = here.decision.best[feature]
    labels = [str(group[0]) for group in candidate.condition.branches]
    return {f"entropy {label}": value for label, value in zip(labels, candidate.impurities, strict=True)}


@word
def threshold(here: Here, feature: str) -> float:
    """The threshold of a feature's best test."""
    return threshold_of(here.decision.best[feature])


@word
def level(here: Here) -> tuple[str, ...]:
    """The features that gain most, where several gain the same."""
    gains = measured(here, "gain")
    return tuple(name for name, value in gains.items() if max(gains.values()) - value < 1e-9)


@word
def rows(here: Here) -> int:
    """How many rows the node has."""
    return round(here.tree.node(here.node).weight)


@word
def leaves(here: Here) -> int:
    """How many leaves the tree has."""
    return int(here.tree.n_leaves)


@word
def child(here: Here, value: str | int) -> int:
    """The branch of the node for a value, or at a position from 0."""
    children = here.tree.children_of(here.node)
    condition = here.tree.condition(here.node)
    assert condition is not None, "the node is split"
    return int(children[value if isinstance(value, int) else condition.branches.index((value,))])


def value_asked(candidate: ex.Candidate) -> str:
    """The one value that a test asks for: of yes and no the yes."""
    groups = [[value_text(value) for value in group] for group in candidate.condition.branches]
    single = [group[0] for group in groups if len(group) == 1]
    return "是" if "是" in single else single[0]


def tests_by_gain(here: Here, n: int) -> list[ex.Candidate]:
    """The features' best tests that gain most."""
    return sorted(here.decision.best.values(), key=lambda each: -each.gain)[:n]


@word
def best_test(here: Here) -> str:
    """The test that the tree has chosen."""
    assert here.decision.chosen is not None
    return here.decision.chosen.condition.text


@word
def decrease(here: Here) -> Derived:
    """The decrease of the recipe's impurity by the chosen test."""
    chosen, kind = here.decision.chosen, here.tree.recipe.impurity
    assert chosen is not None
    formulas = candidate_formulas(here.tree.node(here.node), chosen)
    return Derived(chosen.gain, formulas["gain" if kind == "entropy" else "Gini decrease"])


@word
def percent(here: Here, share: float) -> str:
    """A share in per cent."""
    return percent_text(share)


add(
    # Fields of a recipe, as a `with` line gives them.
    settings=lambda here, **values: {**dict(here.changes), **values},
    plain=lambda here, value: float(value),  # A number without its derivation.
    impurity=lambda here: here.tree.node(here.node).impurity,  # The impurity of the node.
    # The gain of a feature's best split.
    gain=lambda here, feature: Derived(here.decision.best[feature].gain, _derived(here, feature, "gain")),
    # The gain ratio of a feature's best split.
    gain_ratio=lambda here, feature: Derived(
        here.decision.best[feature].gain_ratio or 0.0, _derived(here, feature, "gain ratio")
    ),
    # The entropy of the branch sizes of a feature's best split.
    split_information=lambda here, feature: here.decision.best[feature].split_info,
    # The mean impurity of the branches.
    left_after=lambda here, feature: here.decision.impurity - here.decision.best[feature].gain,
    # The lead of the best feature over the second.
    margin=lambda here: Derived(
        float(here.decision.margin or 0), margin_formula(here.tree.node(here.node), here.decision)
    ),
    # A measure of every feature, as numbers of their own: "gain Outlook".
    each=lambda here, measure, after="": {
        f"{measure.replace('_', ' ')} {name}{after}": value for name, value in measured(here, measure).items()
    },
    # A feature's best test, such as "humidity ≤ 75".
    condition=lambda here, feature: f"{feature} ≤ {number_text(threshold(here, feature))}",
    best=lambda here: best_of(here).feature,  # The feature that gains most.
    features=lambda here: tuple(here.decision.best),  # The features that compete at the node, by their names.
    name=lambda here, name: here.named(name),  # A name of the table, with its meaning where it is Chinese.
    most=lambda here: round(max(here.tree.node(here.node).stats)),  # How many rows of the node have its largest class.
    # How many rows of the node have its smallest class.
    fewest=lambda here: round(min(here.tree.node(here.node).stats)),
    splits=lambda here: int(here.tree.n_nodes - here.tree.n_leaves),  # How many splits the tree has.
    depth=lambda here: here.tree.max_depth,  # How deep the tree is.
    # The branch of the node with the largest impurity.
    most_mixed=lambda here: int(
        max(here.tree.children_of(here.node), key=lambda child: here.tree.node(child).impurity)
    ),
    # The branch of the node with the most rows.
    heaviest=lambda here: int(max(here.tree.children_of(here.node), key=lambda child: here.tree.node(child).weight)),
    # The mean impurity after asking for each value, as numbers of their own: "age = young".
    each_value=lambda here: {
        f"{each.feature} = {value_asked(each)}": each.weighted_impurity for each in here.decision.candidates
    },
    text=lambda here, words: words,  # A text as it is, such as what the reader chose.
    # The decreases by the best tests, as numbers of their own.
    each_decrease=lambda here, n: {f"decrease {each.condition.text}": each.gain for each in tests_by_gain(here, n)},
    table_title=lambda here: SAMPLES[here.table].title,  # What the table is called.
    # The features that gain the same, as a list in words.
    level_in_words=lambda here: listing(map(here.named, level(here))),
    number=lambda here, words: float(words),  # A text as a number, such as what the reader chose.
    # Texts and numbers as a list in words.
    listed=lambda here, *each: listing(value if isinstance(value, str) else f"{value:.3f}" for value in each),
    # What goes with the reader's choice, of pairs of a choice and what goes with it.
    pick=lambda here, key, *pairs: {str(each): value for each, value in pairs}[key],
    # The first of two answers where a number is less than a limit, else the second.
    whether_less=lambda here, value, limit, less, more: less if value < limit else more,
)
