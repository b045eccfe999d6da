"""The watermelons of Zhou, Machine Learning, section 4.3: ten to train, seven to validate, and the book's trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.pruning import ReducedErrorStep
from explorer.tree import metrics
from pages.results.cache import kept

SAMPLE = "watermelon_2_0"
FEATURES = ("脐部", "色泽", "根蒂", "敲声", "纹理", "触感")
"""The book takes 脐部 first where it is level with 色泽."""
TRAINING, VALIDATION = (1, 2, 3, 6, 7, 10, 14, 15, 16, 17), (4, 5, 8, 9, 11, 12, 13)
"""The numbers of the melons in the book's training and validation sets."""
CLASSES = ["是", "否"]
"""With 是 (good) first, a leaf of as many good as bad melons says good, as in the book."""
REDUCED_ERROR_OPTIONS = {
    "zhou": ("bottom_up", "keep"),
    "quinlan": ("bottom_up", "prune"),
    "mitchell": ("best_first", "prune"),
}
"""Order and treatment of ties, by the name of a tree: of Zhou, Quinlan and Mitchell."""
_UNKNOWN = {"色泽": (1, 5, 13), "根蒂": (9, 17), "敲声": (3, 12), "纹理": (8, 10), "脐部": (6, 15), "触感": (2, 11)}
"""The numbers of the melons without a value, by the feature: table 4.4 of the book."""


@kept()
def parts() -> tuple[ex.Dataset, ex.Dataset]:
    """The book's training and validation rows."""
    frame, sample = ex.load_sample(SAMPLE).frame, SAMPLES[SAMPLE]
    data = ex.Dataset.from_frame(frame, sample.target, features=list(FEATURES), classes=CLASSES)
    first, second = (np.array(part) - 1 for part in (TRAINING, VALIDATION))
    return data.take(first), data.take(second)


@kept()
def pruned(name: str) -> ex.Tree:
    """The tree unpruned, pre-pruned ("pre"), or pruned with one of `REDUCED_ERROR_OPTIONS`."""
    train, valid = parts()
    if name == "pre":
        return ex.grow(train, ex.ID3.replace(prepruning=True), validation=valid)
    tree = ex.grow(train, ex.ID3)
    return tree if name == "unpruned" else ex.reduced_error_prune(tree, valid, *REDUCED_ERROR_OPTIONS[name])


@dataclass(frozen=True)
class MelonTrees:
    """Zhou's watermelons: the full tree, the validation rows' paths in it, and the steps of pruning bottom-up.

    `kept_ties` and `pruned_ties` are the steps where ties are kept and pruned; `pre_pruning` has, for each split that
    pre-pruning tried, the full tree's node and the validation accuracy before and after; `training` and `validation`
    are the accuracies of the full tree. `root_gains` are the gains at the root.
    """

    tree: ex.Tree
    names: tuple[str, ...]
    actual: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    kept_ties: tuple[ReducedErrorStep, ...]
    pruned_ties: tuple[ReducedErrorStep, ...]
    pre_pruning: tuple[tuple[int, float, float], ...]
    training: float
    root_gains: dict[str, float]


@kept()
def trees() -> MelonTrees:
    """The trees of section 4.3 of Zhou's book."""
    train, valid = parts()
    tree = pruned("unpruned")
    early = pruned("pre")
    assert early.validation is not None
    tried = [node for node in range(early.n_nodes_grown) if not np.isnan(early.validation[node, 0])]
    decision = ex.decide(tree, train, 0)
    return MelonTrees(
        tree=tree,
        names=tuple(str(number) for number in VALIDATION),
        actual=tuple(valid.y.tolist()),
        paths=tuple(_path_to(tree, leaf) for leaf in tree.apply(valid).tolist()),
        kept_ties=tuple(ex.reduced_error_steps(tree, valid, "bottom_up", "keep")),
        pruned_ties=tuple(ex.reduced_error_steps(tree, valid, "bottom_up", "prune")),
        pre_pruning=tuple((node, float(early.validation[node][0]), float(early.validation[node][1])) for node in tried),
        training=float(metrics.score(tree, train)),
        root_gains={name: float(candidate.gain) for name, candidate in decision.best.items()},
    )


def _path_to(tree: ex.Tree, leaf: int) -> tuple[int, ...]:
    path = [leaf]
    while path[-1]:
        path.append(int(tree.parent[path[-1]]))
    return tuple(reversed(path))


@kept()
def with_unknown() -> ex.Dataset:
    """The 17 melons with the missing values of table 4.4."""
    frame, sample = ex.load_sample(SAMPLE).frame.copy(), SAMPLES[SAMPLE]
    for feature, melons in _UNKNOWN.items():
        frame.loc[[melon - 1 for melon in melons], feature] = None
    return ex.Dataset.from_frame(frame, sample.target, features=list(_UNKNOWN))


@kept()
def root_with_unknown() -> tuple[ex.Tree, ex.Decision]:
    """Their first split by gain, and its candidates; a melon without a value goes down all branches in parts."""
    tree = ex.grow(with_unknown(), ex.ID3.replace(missing="fractional", max_depth=1))
    return tree, ex.decide(tree, with_unknown(), 0)


def parts_of(melon: int) -> tuple[float, ...]:
    """The parts in which the melon of this number goes down the branches of that split."""
    data = with_unknown()
    return tuple(root_with_unknown()[0].routes(data.take([melon - 1]))[2].tolist())


@kept()
def root_by_number() -> ex.Candidate:
    """The split of all 17 melons into one branch a melon, by its number."""
    frame, sample = ex.load_sample(SAMPLE).frame, SAMPLES[SAMPLE]
    data = ex.Dataset.from_frame(frame, sample.target, features=["编号"], kinds={"编号": "categorical"})
    return ex.decide(ex.grow(data, ex.ID3), data, 0).best["编号"]
