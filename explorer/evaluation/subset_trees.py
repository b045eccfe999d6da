"""Trees on many subsets of the same rows, folds for instance: columns are sorted once, trees grow side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.growing.grow_many import Presorted
from explorer.recipe.recipe import Recipe
from explorer.sources.source import Source
from explorer.threads import WORTH_A_THREAD, side_by_side
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

Result = TypeVar("Result")
Rows = NDArray[np.bool_]


def with_each_tree(
    data: Dataset,
    recipe: Recipe,
    subsets: Iterable[tuple[Rows, Rows]],
    n_subsets: int,
    use: Callable[[Tree, Rows, Rows], Result],
    progress: Callable[[int, int], None] | None = None,
    validation: Dataset | Source | None = None,
    choices: Choices | None = None,
) -> list[Result]:
    """`use(tree, training rows, held-out rows)` for each pair of masks [n], in order.

    The tree is `grow(data.take(training rows), recipe, validation, choices=choices)`. Large tables are worked on by
    background threads, so `use` must not change what others read. `progress(subsets done, subsets in all)` is called
    after each subset, for large tables also in between; an error that it raises ends the work.
    """
    presorted, halt, results = Presorted(data, recipe), np.zeros(1, dtype=np.uint8), list[Result]()

    def result_of(subset: tuple[Rows, Rows]) -> Result:
        return use(presorted.grow_rows(subset[0], validation, choices, halt), *subset)

    def report() -> None:
        if progress is not None:
            progress(len(results), n_subsets)

    # An engine that counts validation rows is asked by one thread.
    is_small = data.codes.size < WORTH_A_THREAD or (recipe.prepruning and isinstance(validation, Source))
    made = (result_of(subset) for subset in subsets) if is_small else side_by_side(result_of, subsets, report)
    with closing(made):
        try:
            for result in made:
                results.append(result)
                report()
        finally:
            halt[0] = 1
    return results
