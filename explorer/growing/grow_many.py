"""Many trees on the same rows: columns are encoded and sorted once, and independent trees grow side by side.

Every tree equals that of `grow` on a data set with these rows, weights and targets, node for node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.compiling import ENGINE, MEMBERS, has_loops
from explorer.data.dataset import Dataset
from explorer.errors import InputError, Stopped
from explorer.growing.best_first import with_most_leaves
from explorer.growing.engine.best_split import draws
from explorer.growing.engine.node_tables import tree_arrays
from explorer.growing.engine.scheduler import grow_tables
from explorer.growing.engine.upper_tree import Progress
from explorer.growing.grow import grow, tree_from_arrays
from explorer.growing.plain.grow_plain import can_be_multiplied, grow_table, has_plain_recipe, has_plain_rows
from explorer.growing.plain.members import most_weight, table_of_member, whole_weights, with_draws
from explorer.growing.plain.table import PlainTable, plain_table
from explorer.growing.scans.problem import Problem, centre, code_of_each, kept_keys, problem_for, target_arrays
from explorer.growing.stopping import undo_failing_splits
from explorer.recipe.columns import THRESHOLD, TrainingColumn, columns_for, have_many_values
from explorer.recipe.parameters import GrowParameters, parameters_for, refuse_target
from explorer.recipe.recipe import Recipe
from explorer.sources.source import Source
from explorer.threads import shared_pool, side_by_side
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

Weights = NDArray[np.float64]


class GrowJob(NamedTuple):
    """One tree to grow: row weights [n], a numeric target [n] and a recipe; None for those of the presorted data."""

    weights: Weights | None = None
    target: NDArray[np.float64] | None = None
    recipe: Recipe | None = None


class _Member(NamedTuple):
    """The rows that a tree is grown on: their data, without codes, and of the presorted rows the targets [n].

    `used` [n] says which these are, `weights` [n] what they weigh; None for all, and for weights of 1.
    """

    data: Dataset
    y: NDArray[Any]
    used: NDArray[np.bool_] | None
    weights: Weights | None


class Presorted:
    """A data set with its columns sorted, from which many trees are grown.

    Recipes may differ from the first one in fields that change no column: limits, scores, `feature_seed`.

    >>> from explorer import CART, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> weights = np.array([0.0, 2.0] * 7)
    >>> repr(Presorted(data, CART).grow(weights)) == repr(grow(data.with_weights(weights), CART))
    True
    """

    def __init__(self, data: Dataset, recipe: Recipe) -> None:
        """Sort every column; nothing is sorted for recipes whose columns depend on the weights of the rows."""
        refuse_target(recipe, data)
        self.data, self.recipe = data, recipe
        self.columns: list[TrainingColumn] = []
        self.table: PlainTable | None = None
        self._impurity = -1
        lacking = zip(data.features, data.codes, strict=True)
        self._lacking = {feature.kind for feature, codes in lacking if (codes == feature.n_values).any()}
        self._is_presorted = self._has_fixed_columns(recipe)
        if self._is_presorted:
            self.columns = [replace(column, listed=np.asarray(column.listed)) for column in columns_for(data, recipe)]
            with suppress(InputError):  # a recipe that does not go with this target may go with another
                parameters = parameters_for(recipe, data)
                self._impurity = parameters.impurity
                if has_plain_recipe(self.columns, parameters) and has_plain_rows(data, self.columns):
                    self.table = plain_table(data, self.columns, parameters)

    @cached_property
    def problem(self) -> Problem:
        """The sorted columns for the loops that grow every table."""
        return problem_for(self.data, self.columns, shared_pool())

    @cached_property
    def table_with_draws(self) -> PlainTable:
        """The table for the loops of complete ones, where nodes draw features."""
        assert self.table is not None
        return with_draws(self.table, self.columns, random_thresholds=False)

    @cached_property
    def table_with_random_thresholds(self) -> PlainTable:
        """The same where they draw thresholds too."""
        assert self.table is not None
        return with_draws(self.table, self.columns, random_thresholds=True)

    def is_fast_for(self, recipe: Recipe | None = None) -> bool:
        """Whether trees of this recipe are grown from the sorted columns; if not, `grow` is called for each."""
        recipe = self.recipe if recipe is None else recipe
        return self._is_presorted and self._has_fixed_columns(recipe) and has_loops(ENGINE, MEMBERS)

    def _has_fixed_columns(self, recipe: Recipe) -> bool:
        """Whether columns and rows stay the same whatever the weights, and nothing is asked of the whole data later."""
        kinds, lacking = {feature.kind for feature in self.data.features}, self._lacking
        depends_on_weights = "numeric" in kinds and (recipe.numeric == "bins" or recipe.threshold_at == "c45")
        counts_classes = recipe.class_pairs is not None or recipe.cost_pairs is not None
        moves_rows = bool(lacking) and recipe.missing in ("drop", "own_branch", "fractional")
        # Where missing is a category, the columns depend on whether a row with a weight lacks it.
        is_threshold = recipe.numeric == "threshold" and lacking <= {"numeric"}
        moves_rows = moves_rows or (bool(lacking) and recipe.missing == "default_direction" and not is_threshold)
        asks_all = recipe.mdl_stop or recipe.prepruning
        kept = [(one.feature_sets, one.monotone) for one in (recipe, self.recipe)]  # with the columns
        asks_all = asks_all or kept[0] != kept[1]
        asks_all = asks_all or recipe.merge_level is not None  # the definition grows such trees
        return not (depends_on_weights or counts_classes or moves_rows or asks_all)

    def grow(
        self,
        weights: ArrayLike | None = None,
        target: ArrayLike | None = None,
        recipe: Recipe | None = None,
        progress: Progress | None = None,
        choices: Choices | None = None,
    ) -> Tree:
        """The tree on the same rows with these weights [n] and numeric targets [n], by all threads.

        With `choices` made by hand `grow` does it.

        Raises InputError as `Dataset.with_weights`, `Dataset.with_target` and `grow` do.
        """
        recipe = self.recipe if recipe is None else recipe
        if choices or not self.is_fast_for(recipe):
            return grow(self._whole_data(weights, target), recipe, progress=progress, choices=choices or None)
        return self._grown(self._member(weights, target), recipe, progress, None)

    def _whole_data(self, weights: ArrayLike | None, target: ArrayLike | None) -> Dataset:
        """The data with other targets and weights, which `grow` takes."""
        data = self.data if target is None else self.data.with_target(target)
        return data if weights is None else data.with_weights(weights)

    def _member(self, weights: ArrayLike | None, target: ArrayLike | None) -> _Member:
        """All rows that have a weight."""
        without_codes = replace(self.data, codes=self.data.codes[:0])
        whole = without_codes if target is None else without_codes.with_target(target)
        if weights is None:
            return _Member(whole, whole.y, None, whole.weights)
        return _Member(whole.with_weights(weights), whole.y, *_used_rows(weights))

    def _grown(
        self, member: _Member, recipe: Recipe, progress: Progress | None, halt: NDArray[np.uint8] | None
    ) -> Tree:
        """The tree on these rows, by the calling thread alone where there is `halt` [1], which ends it early."""
        parameters = parameters_for(recipe, member.data)
        table = self._plain_table(member, parameters)
        if table is not None:
            arrays = grow_table(table, self.columns, parameters, member.data.n_rows, progress, halt)
        else:
            problem, empty = self._problem(member, recipe)
            arrays = tree_arrays(grow_tables(problem, parameters, False, progress, empty, halt=halt))
        tree = tree_from_arrays(member.data, recipe, self.columns, arrays)
        return with_most_leaves(undo_failing_splits(tree, member.data, None))

    def _plain_table(self, member: _Member, parameters: GrowParameters) -> PlainTable | None:
        """The table of the loops for complete ones, if they can grow this tree."""
        if self.table is None or not has_plain_recipe(self.columns, parameters):
            return None
        if parameters.impurity != self._impurity:  # by which some columns are counted, others in order
            return None
        if parameters.regression and not can_be_multiplied(member.y):
            return None
        try:
            weights = whole_weights(member.weights, most_weight(self.table))
        except ValueError:
            return None
        table = self.table
        if parameters.random_thresholds:
            table = self.table_with_random_thresholds
        elif draws(parameters, len(self.columns)):
            table = self.table_with_draws
        return table_of_member(table, self.columns, parameters, member.data, member.y, member.used, weights)

    def _problem(self, member: _Member, recipe: Recipe) -> tuple[Problem, frozenset[int]]:
        """The rows taken out of the sorted columns, for the loops for all, and the columns without a value."""
        data, used = member.data, member.used
        problem = self.problem._replace(
            keys=self.problem.keys.copy() if used is None else kept_keys(self.problem.keys, used, data.n_rows),
            branch=np.zeros_like(self.problem.branch),
            weights=np.empty(0) if data.weights is None or member.weights is None else member.weights,
            total_weight=float(data.weight_of_rows().sum()),
            centre=centre(data) if data.is_regression else 0.0,
            **target_arrays(data, member.y),
        )
        if used is not None:
            problem = problem._replace(
                has_missing=code_of_each(problem.keys[:, -1]) == problem.n_values,
                in_training=_present_codes(problem),
            )
        if recipe.score == "gain_ratio":
            problem = problem._replace(many_values=_many_values(problem, data.n_rows))
        first_codes = code_of_each(problem.keys[:, 0])
        return problem, frozenset(np.flatnonzero(first_codes >= problem.missing_codes).tolist())

    def grow_alone(self, job: GrowJob, halt: NDArray[np.uint8]) -> Tree:
        """The tree of a job by one thread, for the pool: it waits for no other thread. `halt` [1] ends it early."""
        return self._grown(self._member(job.weights, job.target), job.recipe or self.recipe, None, halt)

    def grow_rows(
        self,
        rows: NDArray[np.bool_],
        validation: Dataset | Source | None = None,
        choices: Choices | None = None,
        halt: NDArray[np.uint8] | None = None,
    ) -> Tree:
        """The tree on the rows where the mask is true, for `side_by_side`: `grow(data.take(rows), …)`.

        Once `halt` [1] is not 0, it ends early with Stopped. Raises InputError as `grow` does.
        """
        halt = np.zeros(1, dtype=np.uint8) if halt is None else halt

        def stop_if_halted(*_: int) -> None:
            if halt[0]:
                raise Stopped

        stop_if_halted()
        if choices or not self.is_fast_for():
            return grow(self.data.take(rows), self.recipe, validation, stop_if_halted, choices=choices)
        whole = replace(self.data, codes=self.data.codes[:0])
        tree = self._grown(_Member(whole.take(rows), whole.y, rows, whole.weights), self.recipe, None, halt)
        stop_if_halted()
        return tree


def _used_rows(weights: ArrayLike) -> tuple[NDArray[np.bool_] | None, Weights]:
    """Which rows have a weight, None for all, and the weight of every row."""
    all_weights = np.ascontiguousarray(weights, dtype=np.float64)
    used = all_weights > 0
    return None if used.all() else used, all_weights


def _present_codes(problem: Problem) -> NDArray[np.bool_]:
    """Which codes the rows of the problem have, as in `Problem.in_training`; thresholds do not ask for them."""
    in_training = problem.in_training.copy()
    for feature in np.flatnonzero(problem.tests != THRESHOLD):
        codes = slice(int(problem.offsets[feature]), int(problem.offsets[feature + 1]))
        in_training[codes] = False
        in_training[codes.start + np.unique(code_of_each(problem.keys[feature]))] = True
    return in_training


def _many_values(problem: Problem, n_rows: int) -> NDArray[np.bool_]:
    """Which features are left out of the mean gain, [F]; a code has a value unless it stands for a missing cell."""
    starts, ends = problem.offsets[:-1], problem.offsets[:-1] + problem.missing_codes
    n_values = [problem.in_training[start:end].sum() for start, end in zip(starts, ends, strict=True)]
    return have_many_values(np.array(n_values), problem.tests, max(problem.total_weight, float(n_rows)))


def grow_many(presorted: Presorted, jobs: Iterable[GrowJob], progress: Progress | None = None) -> Iterator[Tree]:
    """The trees of some jobs, in order; jobs are taken when a thread is free for them.

    `progress(trees done, 0)` is called now and then while a tree is waited for, and may raise `Stopped`: trees that are
    still growing are then given up.
    """
    halt, done = np.zeros(1, dtype=np.uint8), 0

    def report() -> None:
        if progress is not None:
            progress(done, 0)

    def stop_if_halted(*_: int) -> None:
        if halt[0]:
            raise Stopped

    def grown(job: GrowJob) -> Tree:
        if presorted.is_fast_for(job.recipe):
            return presorted.grow_alone(job, halt)
        return presorted.grow(job.weights, job.target, job.recipe, stop_if_halted)

    try:
        for tree in side_by_side(grown, jobs, report):
            yield tree
            done += 1
    finally:
        halt[0] = 1
