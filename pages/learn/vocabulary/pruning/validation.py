"""Zhou's watermelons, pruned by a validation set: bottom-up, with ties kept or pruned, and before growing."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.drawing.pictures.pruning.validation_rows import ValidationRow, ValidationRows
from explorer.explaining import reduced_error_formula
from explorer.formatting import percent
from explorer.messages import message
from explorer.pruning import ReducedErrorStep
from pages.learn.vocabulary.melon_words import words
from pages.learn.vocabulary.pruning.exact import fraction
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import melons

_COMPARED = ("full", "pre", "zhou", "quinlan")


def _steps(ties: str) -> tuple[ReducedErrorStep, ...]:
    return melons.trees().kept_ties if ties == "keep" else melons.trees().pruned_ties


def _decided(number: int) -> ReducedErrorStep:
    """The first or second node that is pruned where ties are kept."""
    return [step for step in _steps("keep") if step.pruned][number - 1]


def _pruned(form: str) -> tuple[int, ...]:
    """The pruned nodes of a form of the tree: full, first, second (branch pruned), zhou, quinlan, root or pre."""
    if form == "pre":
        return tuple(node for node, _, _ in melons.trees().pre_pruning[1:])
    if form in ("zhou", "quinlan"):
        pruned = {step.node for step in _steps("keep" if form == "zhou" else "prune") if step.pruned}
        return tuple(sorted(node for node in pruned if not pruned & _above(node)))
    if form == "root":
        return (0,)
    return tuple(_decided(number).node for number in range(1, ("full", "first", "second").index(form) + 1))


def _above(node: int) -> set[int]:
    above, parent = set[int](), melons.trees().tree.parent
    while node:
        node = int(parent[node])
        above.add(node)
    return above


@word
def validation_melons(here: Here) -> int:
    """How many melons judge the tree."""
    return len(melons.trees().names)


@word
def right_of(here: Here, form: str, more: int = 0) -> int:
    """How many of them a form of the tree classifies right, and so many more."""
    trees, pruned = melons.trees(), _pruned(form)
    ends = (next((node for node in path if node in pruned), path[-1]) for path in trees.paths)
    return more + sum(int(trees.tree.labels[end] == actual) for end, actual in zip(ends, trees.actual, strict=True))


@word
def validated(here: Here, form: str) -> Derived:
    """The validation accuracy of a form of the tree."""
    number = {"first": 1, "second": 2}.get(form)
    derivation = reduced_error_formula(_decided(number)) if number else None
    return Derived(right_of(here, form) / validation_melons(here), derivation)


@word
def leaves_of_form(here: Here, form: str) -> int:
    """The leaves of a form of the tree."""
    tree, pruned = melons.trees().tree, _pruned(form)
    return tree.with_pruned([node in pruned for node in range(tree.n_nodes_grown)]).n_leaves


def _feature(node: int) -> str:
    condition = melons.trees().tree.condition(node)
    assert condition is not None
    return words()[condition.feature]


@word
def decided_label(here: Here, number: int) -> str:
    """What this node says as a leaf."""
    tree = melons.trees().tree
    return words()[str(tree.classes[tree.labels[_decided(number).node]])]


@word
def root_decided(here: Here, ties: str, part: str) -> Derived:
    """The accuracy before and after the decision at the root, where ties are kept or pruned."""
    root = _steps(ties)[-1]
    return Derived(getattr(root, part), reduced_error_formula(root))


@word
def each_tried(here: Here) -> Mapping[str, float]:
    """The accuracies before and after each split that pre-pruning tries, as numbers of their own."""
    tried = melons.trees().pre_pruning
    before = {f"before {k}": value for k, (_, value, _) in enumerate(tried)}
    return before | {f"after {k}": value for k, (_, _, value) in enumerate(tried)}


def _table(head: str, rows: list[tuple[str, ...]]) -> str:
    return "\n\n" + "\n".join([head, "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def _share(value: float) -> str:
    return f"{fraction(value)} = {percent(value)}"


@word
def tried_table(here: Here, head: str) -> str:
    """The splits that pre-pruning tries, with the accuracies before and after, as a table in Markdown."""
    tried = melons.trees().pre_pruning
    return _table(head, [(_feature(node), _share(before), _share(after)) for node, before, after in tried])


@word
def table_of_forms(here: Here, head: str, names: tuple[str, ...]) -> str:
    """The forms compared, each with its leaves and accuracy, as a table in Markdown."""
    rows = zip(names, _COMPARED, strict=True)
    return _table(head, [(name, str(leaves_of_form(here, form)), _share(validated(here, form))) for name, form in rows])


@word
def each_form(here: Here) -> Mapping[str, float]:
    """The leaves and accuracies of the forms compared, as numbers of their own."""
    leaves = {f"leaves {form}": float(leaves_of_form(here, form)) for form in _COMPARED}
    return leaves | {f"validation {form}": validated(here, form) for form in _COMPARED}


@word
def validation_tree(here: Here, form: str, decided: int = 0, asks: bool = False) -> ValidationRows:
    """A form of the tree with the melons at its leaves, and the node that is decided."""
    trees = melons.trees()
    return ValidationRows(
        says=here.says,
        tree=lesson_tree(trees.tree, words()),
        rows=tuple(map(ValidationRow, trees.names, trees.actual, trees.paths)),
        pruned=_pruned(form),
        lit=_decided(decided).node if decided else None,
        asks=asks,
        can_prune=not asks and not decided,
    )


add(
    # The same out of all: 3 of 7.
    of_all=lambda here, form, more=0: message(
        "{right} of {n}", right=right_of(here, form, more), n=validation_melons(here)
    ),
    training_accuracy=lambda here: melons.trees().training,  # The training accuracy of the full tree.
    # The feature of the first or second node that is pruned.
    decided_feature=lambda here, number: _feature(_decided(number).node),
    # How many nodes make no difference.
    tied_nodes=lambda here: sum(step.before == step.after for step in _steps("keep")),
    tried_feature=lambda here: _feature(0).capitalize(),  # The feature at the root, at the start of a sentence.
    tried_gain=lambda here: max(melons.trees().root_gains.values()),  # Its gain.
)
