"""Bagging, random forests and extremely randomised trees (DEFINITIONS section 18)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.arguments import check_choice, too_uniform
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.ensembles.rounds import Progress, Round, Rounds, checked_count, run_rounds
from explorer.ensembles.sample import MOST_SEED, times_drawn, times_drawn_once, with_own_draws
from explorer.errors import InputError
from explorer.growing.grow import grow
from explorer.growing.grow_many import GrowJob, Presorted, grow_many
from explorer.messages import message
from explorer.ranges import checked_seed, is_whole
from explorer.recipe.recipe import CART, Recipe
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

Step = Callable[[int, None, Progress], Round[None]]
Weights = NDArray[np.float64] | None
MaxFeatures = int | float | str | None
VOTES = ("shares", "votes")


def forest(
    data: Dataset,
    recipe: Recipe = CART,
    n_estimators: int = 100,
    max_features: MaxFeatures = "auto",
    bootstrap: bool = True,
    max_samples: int | float | None = None,
    vote: str = "shares",
    seed: int = 0,
    progress: Progress | None = None,
    choices: Mapping[int, Choices] | None = None,
) -> Ensemble:
    """A random forest: trees on rows drawn with replacement, each node testing features drawn anew (Breiman 2001).

    `max_features` is how many features a node draws: a number, a share, "sqrt", "log2", None for all. "auto" is "sqrt"
    for classes and all for numbers (scikit-learn); "R" is ⌊√p⌋ for classes and max(⌊p/3⌋, 1) for numbers (the R package
    randomForest). `max_samples` is how many rows a member draws, a number or a share, without replacement where not
    `bootstrap`; of rows in groups (`Dataset.with_groups`), how many groups. `vote` "shares" averages the members' class
    shares (scikit-learn), "votes" counts their predictions (Breiman). `choices` are splits forced by hand in some
    members. `progress(members done, members in all)` may raise `Stopped`: the members so far are kept. Raises
    InputError where arguments, recipe and data do not go together.

    >>> from explorer import load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> trees = forest(tennis, n_estimators=3)
    >>> [float(member.weights.sum()) for member in trees.members], trees.n_stages
    ([14.0, 14.0, 14.0], 3)
    """
    options: dict[str, object] = {"n_estimators": n_estimators, "max_features": max_features, "bootstrap": bootstrap}
    options |= {"max_samples": max_samples, "vote": vote, "seed": seed}
    return _grown("forest", data, recipe, options, progress, choices)


def bagging(
    data: Dataset,
    recipe: Recipe = CART,
    n_estimators: int = 100,
    bootstrap: bool = True,
    max_samples: int | float | None = None,
    vote: str = "shares",
    seed: int = 0,
    progress: Progress | None = None,
    choices: Mapping[int, Choices] | None = None,
) -> Ensemble:
    """Bagged trees: as `forest`, but every node may test every feature (Breiman 1996)."""
    options: dict[str, object] = {"n_estimators": n_estimators, "bootstrap": bootstrap, "max_samples": max_samples}
    options |= {"vote": vote, "seed": seed}
    return _grown("bagging", data, recipe, options, progress, choices)


def extra_trees(
    data: Dataset,
    recipe: Recipe = CART,
    n_estimators: int = 100,
    max_features: MaxFeatures = "auto",
    bootstrap: bool = False,
    max_samples: int | float | None = None,
    vote: str = "shares",
    seed: int = 0,
    progress: Progress | None = None,
    choices: Mapping[int, Choices] | None = None,
) -> Ensemble:
    """Extremely randomised trees: as `forest`, on all rows, with one random threshold for each feature drawn.

    The threshold is uniform between the smallest and the largest value at the node (Geurts et al. 2006). Categorical
    features are searched as the recipe says.
    """
    options: dict[str, object] = {"n_estimators": n_estimators, "max_features": max_features, "bootstrap": bootstrap}
    options |= {"max_samples": max_samples, "vote": vote, "seed": seed}
    return _grown("extra_trees", data, recipe.replace(random_thresholds=True), options, progress, choices)


def _grown(
    method: str,
    data: Dataset,
    recipe: Recipe,
    options: dict[str, object],
    progress: Progress | None,
    choices: Mapping[int, Choices] | None,
) -> Ensemble:
    """Check the arguments, grow the members, and put them together."""
    n_members = checked_count("n_estimators", options["n_estimators"])
    check_choice("vote", options["vote"], VOTES)
    if data.is_regression and options["vote"] == "votes":
        raise InputError(message("vote is 'votes', but numbers are averaged: use vote='shares'."))
    plan = _Plan(
        data=data,
        recipe=_with_features(data, recipe, options.get("max_features")),
        seed=checked_seed(options["seed"], MOST_SEED),
        with_replacement=bool(options["bootstrap"]),
        n_drawn=_rows_to_draw(options["max_samples"], data.n_units, bool(options["bootstrap"])),
        n_members=n_members,
        choices=choices or {},
    )
    rounds, ended = Rounds((), 0), too_uniform(data)
    if ended is None:
        with closing(plan.trees(progress)) as trees:
            rounds = run_rounds(plan.next_member(trees), None, n_members, progress)
        ended = rounds.ended
    combination = "mean_of_shares" if options["vote"] == "shares" else "votes"
    combination = "mean_of_numbers" if data.is_regression else combination
    return ensemble_of(data, recipe, method, combination, rounds.members, rounds.n_stages, options, ended=ended)


@dataclass(frozen=True, eq=False)
class _Plan:
    """What every member is grown by; `n_drawn` is None where members take all rows as they are."""

    data: Dataset
    recipe: Recipe
    seed: int
    with_replacement: bool
    n_drawn: int | None
    n_members: int
    choices: Mapping[int, Choices]

    def weights(self, member: int) -> Weights:
        """The row weights of a member: how often it drew each row, times the weight of the row."""
        if self.n_drawn is None:
            return None
        draw = times_drawn if self.with_replacement else times_drawn_once
        times = self.data.of_units(draw(self.seed, member, self.data.n_units, self.n_drawn))
        return times if self.data.weights is None else times * self.data.weights

    def recipe_of(self, member: int) -> Recipe:
        """The recipe of a member, whose nodes draw from a seed of its own."""
        return with_own_draws(self.recipe, self.seed, member)

    def trees(self, progress: Progress | None) -> Generator[tuple[Tree, Weights]]:
        """The members' trees and row weights in order, several of them growing at a time."""
        done, drawn = 0, deque[Weights]()

        def report(*_: int) -> None:
            if progress is not None:
                progress(done, self.n_members)

        def jobs() -> Iterator[GrowJob]:
            for member in range(self.n_members):
                drawn.append(self.weights(member))
                yield GrowJob(drawn[-1], None, self.recipe_of(member))

        for tree in grow_many(Presorted(self.data, self.recipe), jobs(), report if progress is not None else None):
            weights = drawn.popleft()
            done += 1
            yield self._with_choices(tree, weights, done - 1), weights

    def _with_choices(self, tree: Tree, weights: Weights, member: int) -> Tree:
        """The tree grown again where splits of this member were forced by hand."""
        if member not in self.choices:
            return tree
        data = self.data if weights is None else self.data.with_weights(weights)
        return grow(data, self.recipe_of(member), choices=self.choices[member])

    def next_member(self, trees: Iterator[tuple[Tree, Weights]]) -> Step:
        """The rounds: each takes the next tree."""

        def one_round(stage: int, state: None, report: Progress) -> Round[None]:
            tree, weights = next(trees)
            return Round((Member(tree, stage, 1.0 / self.n_members, weights),), state)

        return one_round


def _with_features(data: Dataset, recipe: Recipe, max_features: object) -> Recipe:
    """The recipe with the number of features that nodes draw."""
    n_features = len(data.features)
    if max_features == "auto":
        max_features = None if data.is_regression else "sqrt"
    elif max_features == "R":
        max_features = max(n_features // 3, 1) if data.is_regression else "sqrt"
    return recipe.replace(max_features=max_features)


def _rows_to_draw(max_samples: object, n_rows: int, bootstrap: bool) -> int | None:
    """How many rows a member draws, None for all without a draw; InputError for a number or share that is none."""
    if max_samples is None:
        return n_rows if bootstrap else None
    is_share = isinstance(max_samples, (float, np.floating)) and 0 < max_samples <= 1
    if is_share:
        return max(round(n_rows * float(max_samples)), 1)  # type: ignore[arg-type]
    if is_whole(max_samples, 1, n_rows):
        return int(max_samples)
    raise InputError(
        message(
            "max_samples is {value!r}: give None, a whole number from 1 to {rows:,}, or a share above 0 up to 1.",
            value=max_samples,
            rows=n_rows,
        )
    )
