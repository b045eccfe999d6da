"""Growing a tree, in the order of the books: take the training set, choose a split, divide the rows, repeat."""

from __future__ import annotations

from dataclasses import replace

from explorer.compiling import (
    CELLS_BY_DEFINITION,
    ENGINE,
    FRACTIONAL_ROWS,
    PLAIN,
    has_loops,
    is_compiling,
    wait_for_loops,
)
from explorer.data.dataset import Dataset
from explorer.data.encode import Heading
from explorer.errors import InputError
from explorer.growing.best_first import with_most_leaves
from explorer.growing.constraints import ConstraintTracker, forced_nodes, with_reasons, with_remembered_paths
from explorer.growing.engine.branches import BranchPlace, WholeTable, grow_branch, whole_table
from explorer.growing.engine.node_tables import Tables, TreeArrays, tree_arrays, tree_of_arrays
from explorer.growing.engine.scheduler import grow_tables
from explorer.growing.engine.upper_tree import NodeCount, Progress
from explorer.growing.from_counts.grow_source import grow_source
from explorer.growing.plain.grow_plain import grow_plain, is_plain
from explorer.growing.plain.parts import compile_parts
from explorer.growing.reference import Branch, grow_by_definition, grow_constrained_nodes
from explorer.growing.scans.problem import centre, problem_for
from explorer.growing.stopping import undo_failing_splits
from explorer.messages import message
from explorer.recipe.class_weights import NONE, Floats, class_factors, rows_that_count, with_growing_weights
from explorer.recipe.columns import EACH_VALUE, TrainingColumn, columns_for, empty_columns
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.many_branches import column_named
from explorer.recipe.missing import FRACTIONAL
from explorer.recipe.parameters import GrowParameters, parameters_for, refuse_target
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.sources.source import Source
from explorer.threads import shared_pool
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree


def grow(
    data: Dataset | Source,
    recipe: Recipe,
    validation: Dataset | Source | None = None,
    progress: Progress | None = None,
    keep_candidates: bool = False,
    choices: Choices | None = None,
    most_nodes: int | None = None,
) -> Tree:
    """Grow a full tree on all rows of `data`.

    `validation` is the validation set, which only a recipe with `prepruning` reads: every split is evaluated on it.
    `progress(rows done, rows in all)` is called now and then and may raise `Stopped`. `keep_candidates` keeps the best
    candidate of every feature at every node in `tree.evidence`. `choices` are what a person decides: splits, leaves,
    features not to be used; `constraint_statuses(tree)` says which are in force. Ids and results are the same for any
    number of threads. Raises InputError where recipe and data do not go together, or a choice is not possible, and
    TreeTooLargeError where a branch for each of many values makes more nodes than `most_nodes`; if that is not given,
    more than half of the free memory has room for.
    A source, whose rows an engine counts, gives the same tree; some recipes need rows, and their error says so.
    """
    _check_validation(data, recipe, validation)
    if isinstance(data, Source):
        return _grow_from_counts(data, recipe, validation, progress, keep_candidates, choices)

    # 1. The training set: rows with a weight, and with values where the recipe needs them; features as columns.
    weighted, n_without_weight = rows_that_count(data, recipe.class_pairs, recipe.cost_pairs)
    used, remarks = training_rows(weighted, recipe)
    refuse_target(recipe, used)
    if n_without_weight:
        remarks = (Remark("rows_without_weight", (n_without_weight, data.n_rows)), *remarks)
    factors = class_factors(used, recipe.class_pairs, recipe.cost_pairs)
    growing = with_growing_weights(used, factors)
    columns = columns_for(growing, recipe)

    # 2. What a person decided, which replaces the search at some nodes.
    tracker = None
    if choices:
        paths = with_remembered_paths(choices, lambda earlier: grow(data, recipe, validation, choices=earlier))
        tracker = ConstraintTracker(paths, used, columns)

    # 3. Grow: from the root on, the best split of every node, its rows to the branches, until every node is a leaf.
    merges = any(column.merges for column in columns)  # which the compiled loops do not
    loops = _loops_for(growing, columns, recipe, factors, tracker) if is_compiling() and not merges else ()
    is_small = used.n_rows * len(columns) <= CELLS_BY_DEFINITION
    if not is_small:
        wait_for_loops(loops, used.n_rows, progress)
    if merges or (is_small and not has_loops(*loops)):
        tables = grow_by_definition(growing, columns, recipe, factors, tracker, progress, keep_candidates)
        arrays = tree_arrays([tables])
    else:
        with column_named(columns, recipe):
            if tracker is not None:
                arrays = grow_with_constraints(growing, columns, recipe, tracker, progress, keep_candidates, factors)
            else:
                arrays = grow_fast(growing, columns, recipe, progress, keep_candidates, factors, most_nodes=most_nodes)
    tree = tree_from_arrays(growing, recipe, columns, arrays, remarks, factors)

    # 4. Undo the splits that fail a test of their branches (χ², description length, validation rows), then those that
    # come last where the number of leaves is limited.
    if tracker is None or choices is None:
        return with_most_leaves(undo_failing_splits(tree, data, validation))
    tree = undo_failing_splits(replace(tree, forced=forced_nodes(tree, tracker)), data, validation)
    return with_reasons(with_most_leaves(tree), choices, tracker)


def _loops_for(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    factors: Floats,
    tracker: ConstraintTracker | None,
) -> tuple[str, ...]:
    """The tasks that compile what this tree needs."""
    parameters = parameters_for(recipe, data, factors=factors)
    if tracker is None and is_plain(data, columns, parameters):
        return (PLAIN,)
    return (ENGINE, FRACTIONAL_ROWS) if parameters.missing == FRACTIONAL else (ENGINE,)


def _grow_from_counts(
    source: Source,
    recipe: Recipe,
    validation: Dataset | Source | None,
    progress: Progress | None,
    keep: bool,
    choices: Choices | None,
) -> Tree:
    """The same tree from a source, level by level."""
    if choices:
        raise InputError(
            message("A connected table grows without choices by hand: grow on a sample, source.sample(100_000).")
        )
    tree = grow_source(source, recipe, progress, keep)
    return with_most_leaves(undo_failing_splits(tree, None, validation))


def _check_validation(data: Heading, recipe: Recipe, validation: Dataset | Source | None) -> None:
    """Pre-pruning needs rows of the same target."""
    if not recipe.prepruning:
        return
    if validation is None:
        raise InputError(
            message(
                "Pre-pruning evaluates splits on a validation set: give it as grow(data, recipe, validation=…), "
                "or leave prepruning out."
            )
        )
    if validation.n_rows == 0:
        raise InputError(message("The validation set has no rows: split one table with `data.split`."))
    if validation.is_regression != data.is_regression:
        raise InputError(
            message("The targets of training and validation set differ in type: split one table with `data.split`.")
        )


def grow_fast(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    progress: Progress | None = None,
    keep: bool = False,
    factors: Floats = NONE,
    limit: int | None = None,
    most_nodes: int | None = None,
) -> TreeArrays:
    """The arrays of the tree by the compiled loops: the short ones where a table is plain, else those for all.

    Nodes of up to `limit` rows are grown by one thread each. TreeTooLargeError above `most_nodes`.
    """
    parameters = parameters_for(recipe, data, keep, factors)
    if is_plain(data, columns, parameters):
        arrays = grow_plain(data, columns, parameters, progress, keep, limit)
        if most_nodes is not None and any(column.test == EACH_VALUE for column in columns):
            NodeCount(most_nodes).check(len(arrays["parent"]))
        return arrays
    problem = problem_for(data, columns, shared_pool())
    empty = empty_columns(columns)
    return tree_arrays(grow_tables(problem, parameters, keep, progress, empty, limit=limit, most_nodes=most_nodes))


def compile_plain_parts(data: Dataset, columns: list[TrainingColumn], recipe: Recipe) -> None:
    """Compile parts of the loops for complete tables ahead of them; only the types of the arguments matter."""
    compile_parts(data, columns, parameters_for(recipe, data))


def grow_with_constraints(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    tracker: ConstraintTracker,
    progress: Progress | None = None,
    keep: bool = False,
    factors: Floats = NONE,
) -> TreeArrays:
    """Nodes that choices are about, and those above them, by definition; the subtrees below by the compiled loops."""
    upper, branches = grow_constrained_nodes(data, columns, recipe, factors, tracker, keep)
    parameters, whole = parameters_for(recipe, data, keep, factors), whole_table(data)
    tables, done = [upper], data.n_rows - sum(len(branch.at_node.rows) for branch in branches)
    for branch in branches:
        if progress is not None:
            progress(max(done, 0), data.n_rows)
        tables.append(_grow_branch(data, columns, parameters, whole, branch, keep))
        done += len(branch.at_node.rows)
    if progress is not None:
        progress(data.n_rows, data.n_rows)
    return tree_arrays(tables)


def _grow_branch(
    data: Dataset,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
    whole: WholeTable,
    branch: Branch,
    keep: bool,
) -> Tables:
    """Grow a branch on its own rows."""
    rows = branch.at_node.rows
    of_branch = replace(data, y=data.y[rows], weights=None if data.weights is None else branch.at_node.weights)
    if parameters.missing == FRACTIONAL:
        of_branch = replace(of_branch, weights=branch.at_node.weights)
    own = [replace(column, codes=column.codes[rows], seen=column.in_training) for column in columns]
    place = BranchPlace(branch.node, branch.depth, branch.path, branch.bounds, branch.tested)
    return grow_branch(of_branch, own, branch.excluded, parameters, whole, place, keep)


def tree_from_arrays(
    data: Dataset,
    recipe: Recipe,
    columns: list[TrainingColumn],
    arrays: TreeArrays,
    remarks: tuple[Remark, ...] = (),
    factors: Floats = NONE,
) -> Tree:
    """The tree of these arrays, in the recipe's units and with the target's mean put back."""
    return tree_of_arrays(data, recipe, columns, arrays, centre(data) if data.is_regression else 0.0, remarks, factors)
