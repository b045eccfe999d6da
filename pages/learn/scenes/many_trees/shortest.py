"""The shortest tree: all 113 trees of depth two on the 14 days, and six rows on which ID3 misses the shortest."""

from __future__ import annotations

from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.many_trees.small_trees import SmallTrees, TreeGallery, small_tree
from explorer.messages import message
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TablePicture
from pages.results.lessons import many_trees, trees

_TABLE, _SIX, _SEVEN = "play_tennis", "xor_six_rows", "depth_against_size"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """All trees level by level, then ID3's tree, then six rows that mislead it, then what short may mean."""
    return _level_one(), _level_two(), _greedy(), _six_rows(), _fooled(), _why(), _two_meanings()


def _gallery(depth: int, title: str, selected: int) -> TreeGallery:
    return TreeGallery(
        says=message("All trees as small shapes, those that classify every day correctly framed."),
        title=title,
        trees=many_trees.trees_of_depth(_TABLE, depth),
        selected=selected,
    )


def _level_one() -> Step:
    found = many_trees.shortest(_TABLE)
    return Step(
        name="depth one",
        title=message("Every tree with one test"),
        text=message(
            "Breadth-first search starts with the smallest trees: a leaf, then one test. "
            "A tree whose leaves have one class each gets a frame; there is none yet."
        ),
        picture=_gallery(1, message("All trees of depth ≤ 1"), 1),
        number=Number(message("Trees of depth ≤ 1"), found.trees_by_depth[1], 0),
        numbers={"trees": float(found.trees_by_depth[1]), "consistent": float(found.consistent_by_depth[1])},
        source=message("Mitchell, Machine Learning (1997), section 3.6"),
    )


def _level_two() -> Step:
    found = many_trees.shortest(_TABLE)
    return Step(
        name="depth two",
        title=message("Every tree with two levels of tests"),
        text=message(
            "Next come all trees of depth 2. Point at one, or move the slider, to read its tests. "
            "The trees that fit all rows are the version space."
        ),
        picture=_gallery(2, message("All trees of depth ≤ 2"), 0),
        before=_gallery(1, message("All trees of depth ≤ 1"), 1),
        number=Number(message("Trees of depth ≤ 2"), found.trees_by_depth[2], 0),
        question=Question(
            message(
                "Four features: how many different trees of depth at most 2 are there, and how many fit all 14 days?"
            ),
            (
                message("{n} trees, {fit} fits", n=20, fit=1),
                message("{n} trees, {fit} fits", n=found.trees_by_depth[2], fit=found.consistent_by_depth[2]),
                message("{n} trees, {fit} fits", n=found.trees_by_depth[3], fit=found.consistent_by_depth[3]),
            ),
            (1,),
            message("Below each root every branch chooses among three features or a leaf; one tree is consistent."),
        ),
        numbers={"trees": float(found.trees_by_depth[2]), "consistent": float(found.consistent_by_depth[2])},
        source=message("Mitchell, Machine Learning (1997), section 3.6"),
    )


def _greedy() -> Step:
    found = many_trees.shortest(_TABLE)
    compared = sum(sum(level) for level in found.greedy_candidates)
    return Step(
        name="greedy",
        title=message("ID3 looks at ten candidates"),
        text=message(
            "ID3 compares 4 features at the root and 3 at each mixed branch. "
            "Here it arrives at the same tree as the search through all {n}. "
            "It prefers short trees with large gains at the top: this is its inductive bias.",
            n=found.trees_by_depth[2],
        ),
        picture=SmallTrees(
            says=message("The shortest tree and ID3's tree side by side: they are the same."),
            trees=(
                small_tree(
                    found.tree,
                    "shortest",
                    message("Shortest of {n}", n=found.trees_by_depth[2]),
                    is_best=True,
                    counts=True,
                ),
                small_tree(found.greedy, "greedy", message("ID3"), counts=True),
            ),
        ),
        number=Number(message("Candidates that ID3 compares"), compared, 0),
        numbers={
            "candidates": float(compared),
            "tests": float(found.tests or 0),
            "depth": float(found.depth or 0),
            "equally short": float(found.optimal),
        },
    )


def _six_rows() -> Step:
    found, frame = many_trees.shortest(_SIX), trees.rows(_SIX).frame
    table = TablePicture(
        says=message("Six rows with four binary features."),
        columns=tuple(map(str, frame.columns)),
        rows=tuple(tuple(map(str, row)) for row in frame.itertuples(index=False)),
    )
    return Step(
        name="six rows",
        title=message("Six rows with a hidden rule"),
        text=message(
            "The class is B xor D: 1 where exactly one of the two is 1. "
            "With four binary features, no five different rows mislead ID3 as these six do."
        ),
        picture=table,
        number=Number(message("Tests that suffice"), found.tests or 0, 0),
        question=Question(
            message("Which feature does ID3 take first?"),
            found.features,
            (found.features.index(str(found.greedy.node(0).condition.feature)),),  # type: ignore[union-attr]
            message("A alone has the largest gain, although the rule does not need it."),
        ),
        numbers={"tests": float(found.tests or 0), "depth": float(found.depth or 0)},
    )


def _fooled() -> Step:
    found = many_trees.shortest(_SIX)
    tests = int(found.greedy.is_inner.sum())
    return Step(
        name="fooled",
        title=message("ID3's tree is longer than it need be"),
        text=message(
            "ID3 needs {id3} tests and depth {depth}; {tests} tests and depth {least} suffice. "
            "It never takes a split back. "
            "Of {trees} trees of depth up to {least}, {fit} are consistent: Occam’s razor would take one of these.",
            id3=tests,
            depth=found.greedy.max_depth,
            tests=found.tests,
            least=found.depth,
            trees=found.trees_by_depth[2],
            fit=found.consistent_by_depth[2],
        ),
        picture=SmallTrees(
            says=message("ID3's tree beside the shortest tree for the six rows."),
            trees=(
                small_tree(found.greedy, "greedy", message("ID3: {n} tests", n=tests), counts=True),
                small_tree(
                    found.tree, "shortest", message("Shortest: {n} tests", n=found.tests), is_best=True, counts=True
                ),
            ),
        ),
        number=Number(message("Tests in ID3's tree"), tests, 0),
        numbers={
            "ID3 tests": float(tests),
            "ID3 depth": float(found.greedy.max_depth),
            "tests": float(found.tests or 0),
            "depth": float(found.depth or 0),
            "equally short": float(found.optimal),
            "trees": float(found.trees_by_depth[3]),
            "trees of depth 2": float(found.trees_by_depth[2]),
            "consistent of depth 2": float(found.consistent_by_depth[2]),
        },
    )


def _why() -> Step:
    tree, decision = trees.grown(_SIX, "ID3"), trees.decision(_SIX, "ID3")
    gains = {feature: candidate.gain for feature, candidate in decision.best.items()}
    return Step(
        name="why",
        title=message("Why the greedy choice fails"),
        text=message(
            "B and D decide the class together, but each alone tells little or nothing. "
            "Gain looks one split ahead, so it takes A."
        ),
        picture=Bars(
            says=message("Bars with the information gain of the four features at the root."),
            title=message("Information gain at the root, in bits"),
            bars=tuple(Bar(name, gain, f"{gain:.3f}", name == "A") for name, gain in gains.items()),
            most=1.2 * max(gains.values()),
        ),
        number=Number(message("Lead of A over the runner-up, in bits"), float(decision.margin or 0.0), 4),
        competition=Competition(decision, tree),
        numbers={f"gain {name}": gain for name, gain in gains.items()} | {"lead": float(decision.margin or 0.0)},
    )


def _two_meanings() -> Step:
    by_depth, by_tests = many_trees.shortest(_SEVEN), many_trees.shortest(_SEVEN, "tests")
    return Step(
        name="two meanings",
        title=message("Shortest can mean two things"),
        text=message(
            "Seven rows: the tree of least depth has more tests, and the tree with fewest tests is deeper. "
            "A definition must say which it means."
        ),
        picture=SmallTrees(
            says=message("The tree of least depth beside the tree with the fewest tests."),
            trees=(
                small_tree(
                    by_depth.tree,
                    "depth",
                    message("Least depth"),
                    note=message("depth {depth}, {tests} tests", depth=by_depth.depth, tests=by_depth.tests),
                ),
                small_tree(
                    by_tests.tree,
                    "tests",
                    message("Fewest tests"),
                    note=message("depth {depth}, {tests} tests", depth=by_tests.depth, tests=by_tests.tests),
                ),
            ),
        ),
        number=Number(message("Fewest tests at depth {depth}", depth=by_depth.depth), by_depth.tests or 0, 0),
        numbers={
            "least depth": float(by_depth.depth or 0),
            "tests at least depth": float(by_depth.tests or 0),
            "fewest tests": float(by_tests.tests or 0),
            "depth of fewest tests": float(by_tests.depth or 0),
        },
    )


SCENE = Scene(
    name="shortest",
    title=lambda: message("The shortest tree"),
    asks=lambda: message("Does greedy growing find the shortest tree?"),
    minutes=3,
    steps=steps,
    own_page="compare",
    sample=_TABLE,
    recipe="ID3",
)
