"""Which loops are still compiled, or loaded from disk, after `warm_up`; run as a program, in a process of its own.

Prints a line for every one, with what was done when it was needed: none if everything was ready.
"""

import gc
from collections.abc import Callable, Iterator

from numba.core.dispatcher import Dispatcher

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.explaining.predict_table import predict_table

CASES = (
    *(("titanic", recipe) for recipe in (ex.ID3, ex.CART, ex.C45)),
    ("play_tennis", ex.ID3),
    ("iris", ex.CART),
    ("golf_missing", ex.C45),
    ("auto_mpg", ex.CART),
    ("auto_mpg", ex.CART.replace(missing="fractional")),
    ("play_tennis", ex.CART.replace(class_weights={"No": 3.0})),
)
"""Tables, and algorithms that are tried on them."""


def split(name: str) -> tuple[ex.Dataset, ex.Dataset]:
    sample = ex.SAMPLES[name]
    data = ex.Dataset.from_frame(
        ex.load_sample(name).frame, sample.target, features=sample.features, kinds=sample.kinds
    )
    return data.split(0.7, seed=0)


def of_pages(train: ex.Dataset, valid: ex.Dataset, recipe: ex.Recipe) -> Iterator[tuple[str, Callable[[], object]]]:
    """What Evaluate, Rules and Predict work out of one tree, piece by piece."""
    tree = ex.grow(train, recipe)
    path = ex.cost_complexity_path(tree)
    pruned = path.subtree(position=len(path) // 2)
    yield "scores", lambda: [ex.evaluate(each, valid) for each in (tree, pruned)]
    yield "predictions", lambda: row_predictions(pruned, valid)
    yield "curve", lambda: path.curve(valid)
    yield "leaves", lambda: (ex.leaf_calibration(pruned, valid), ex.leaf_sizes(pruned), pruned.routes(valid))
    yield "importance", lambda: (ex.importance(pruned), ex.permutation_importance(pruned, valid, 2))
    yield "held-out folds", lambda: out_of_fold(train, recipe, 0, 5)
    yield "learning curve", lambda: ex.learning_curve(train, recipe, folds=3)
    yield "rules", lambda: (ex.rules(pruned).predict(valid), pruned.rows_at(valid, 0))
    yield "decision path", lambda: ex.row_path(pruned, valid.take([0]))
    yield "table of rows", lambda: predict_table(pruned, train, valid.frame)
    if not tree.is_regression:
        yield "curves", lambda: ex.class_curves(tree, valid, tree.classes[0])
        yield "rules pruned on validation rows", lambda: ex.post_prune_rules(pruned, valid, train)
        yield "rules pruned on training rows", lambda: ex.post_prune_rules(pruned, None, train)
        yield "flip", lambda: ex.flip(pruned, train, 0)


def loops() -> list[Dispatcher]:
    """Every function of the package that is compiled."""
    known = [loop for loop in gc.get_objects() if isinstance(loop, Dispatcher)]
    return [loop for loop in known if loop.py_func.__module__.startswith("explorer")]


def ready(known: list[Dispatcher]) -> set[tuple[str, str]]:
    """The loops and the types that each is ready for."""
    return {
        (f"{loop.py_func.__module__}.{loop.py_func.__name__}", str(types))
        for loop in known
        for types in loop.signatures
    }


def main() -> None:
    ex.warm_up()
    known = loops()
    for name, recipe in (*CASES, ("mushroom", ex.CART)):  # the last is grown by all threads
        train, _ = split(name)
        before = ready(known)
        ex.grow(train, recipe, keep_candidates=True)
        for loop, types in sorted(ready(known) - before):
            print(f"{loop} for the kept candidates of {name} by {recipe.name}: {types}")
    for name, recipe in CASES:
        train, valid = split(name)
        for what, work in of_pages(train, valid, recipe):
            before = ready(known)
            work()
            for loop, types in sorted(ready(known) - before):
                print(f"{loop} for {what} of {name} by {recipe.name}: {types}")


if __name__ == "__main__":
    main()
