"""What pages work out of small tables before anything is compiled; run as a program, in a process of its own.

Prints how many loops were compiled, and fails where a tree is another than by compiled loops.
"""

import math
from collections.abc import Iterator

import explorer as ex
from explorer import as_written, jit_parts
from explorer.compiling import compiling
from tests.oracles.compiled_ahead import loops, of_pages, split
from tests.oracles.laws import assert_nearly_same

CASES = (
    ("play_tennis", ex.ID3),
    ("play_tennis", ex.CART.replace(max_features=2, random_thresholds=True)),
    ("golf_missing", ex.C45),
    ("golf_missing", ex.CART.replace(missing="surrogate", class_weights={"Play": 3.0})),
)


def trees() -> Iterator[ex.Tree]:
    """The tree of each case."""
    for name, recipe in CASES:
        yield ex.grow(split(name)[0], recipe)


def main() -> None:
    jit_parts.LONG = math.inf
    with compiling(), as_written.run_as_written():
        grown = list(trees())
        for name, recipe in CASES[1:3]:
            for _, work in of_pages(*split(name), recipe):
                work()
        print("compiled:", sum(len(loop.overloads) for loop in loops()))
    for first, second in zip(grown, trees(), strict=True):
        assert_nearly_same(first, second)


if __name__ == "__main__":
    main()
