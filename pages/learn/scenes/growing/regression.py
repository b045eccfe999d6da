"""A tree of numbers: the cut that leaves the least squared error, and the staircase that the tree predicts."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.splits.cut import Cut, CutAt
from explorer.drawing.pictures.splits.staircase import Stair, Staircase
from explorer.explaining import remaining_error_formula
from explorer.formatting import number_text
from explorer.messages import listing, message
from pages.learn.scenes.step import Choice, Chosen, Competition, Number, Question, Scene, Step
from pages.results.lessons import trees

_TABLE, _RECIPE = "lihang_8_2_regression", "CART"
_PRINTED = {2.5: "12.07", 3.5: "8.36", 8.5: "11.73"}
"""Sums that the book prints otherwise than they are rounded to two decimals."""
_LIMITS = {"0": 0.0, "0.05": 0.05, "0.2": 0.2, "2": 2.0}


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From one mean, over the best cut, to the tree and where it stops."""
    limit = chosen.get("limit", "0.2")
    return _mean(), _cut(), _next_cut(), _tree_grows(), _stop(limit if limit in _LIMITS else "0.2")


def _tree() -> ex.Tree:
    return trees.grown(_TABLE, _RECIPE)


def _points() -> tuple[tuple[float, float], ...]:
    frame = trees.rows(_TABLE).frame
    return tuple((float(x), float(y)) for x, y in zip(frame["x"], frame["y"], strict=True))


def _candidates() -> list[ex.Candidate]:
    """The cuts, in ascending order."""
    candidates = trees.decision(_TABLE, _RECIPE).candidates
    return sorted(candidates, key=lambda candidate: candidate.condition.threshold or 0.0)


def _cut_at(candidate: ex.Candidate) -> CutAt:
    left, right = candidate.branch_stats.tolist()
    return CutAt(float(candidate.condition.threshold or 0.0), left[1], right[1], left[2] + right[2])


def _picture(says: str, with_cuts: bool = True, asks: bool = False) -> Cut:
    _, mean, squares = _tree().node(0).stats.tolist()
    cuts = tuple(_cut_at(candidate) for candidate in _candidates()) if with_cuts else ()
    best = min(range(len(cuts)), key=lambda i: cuts[i].squared_error) if cuts else None
    return Cut(
        says=says,
        x_name="x",
        y_name="y",
        points=_points(),
        mean=mean,
        squared_error=squares,
        cuts=cuts,
        shown=0 if asks or best is None else best,
        has_curve=not asks,
        best=None if asks else best,
    )


def _mean() -> Step:
    _, mean, squares = _tree().node(0).stats.tolist()
    return Step(
        name="mean",
        title=message("One number for ten rows"),
        text=message(
            "A regression tree predicts a number. Without a split it predicts the mean, {mean:.3f}, "
            "which leaves the least squared error: the squares' area together.",
            mean=mean,
        ),
        picture=_picture(message("Ten points, their mean, and a square for the error of each."), with_cuts=False),
        number=Number(message("Sum of squared errors"), squares, 2),
        numbers={"mean": mean, "squared error": squares},
        source=message("Li Hang (2012), example 8.2"),
    )


def _cut() -> Step:
    tree, decision = _tree(), trees.decision(_TABLE, _RECIPE)
    cuts = {number_text(cut.threshold): cut for cut in map(_cut_at, _candidates())}
    best = decision.chosen
    assert best is not None
    at = _cut_at(best)
    options = ("3.5", "5.5", "6.5", "8.5")
    return Step(
        name="cut",
        title=message("Where to cut?"),
        text=message(
            "A cut s gives each side its own mean, and m(s) sums the squared errors of both. "
            "Drag the cut: CART tries every midpoint and takes the lowest m(s)."
        ),
        picture=_picture(message("Ten points with a cut, the means of both sides, and m(s) for all nine cuts.")),
        before=_picture(message("Ten points with a cut that can be moved, and the means of both sides."), asks=True),
        number=Number(
            f"m({number_text(at.threshold)})", at.squared_error, 2, remaining_error_formula(tree.node(0), best)
        ),
        question=Question(
            message("Drag the cut first. Which cut leaves the least squared error?"),
            options,
            (options.index(number_text(at.threshold)),),
            message(
                "The means are {left:.2f} and {right:.2f}, and the squares are small on both sides.",
                left=at.left_mean,
                right=at.right_mean,
            ),
        ),
        competition=Competition(decision, tree),
        numbers={f"m({name})": cut.squared_error for name, cut in cuts.items()}
        | {"best cut": at.threshold, "left mean": at.left_mean, "right mean": at.right_mean},
        source=message(
            "Li Hang (2012), example 8.2. The book prints {printed}; exact are {exact}.",
            printed=listing(f"m({number_text(s)}) = {text}" for s, text in _PRINTED.items()),
            exact=listing(f"{cuts[number_text(s)].squared_error:.3f}" for s in _PRINTED),
        ),
    )


def _staircase(tree: ex.Tree, says: str, shown: int | None = None) -> Staircase:
    """A tree of one numeric feature, split by split in the order of growing."""
    order = trees.split_nodes(tree)
    split_at = {node: position for position, node in enumerate(order)}
    points = _points()
    bounds = {0: (points[0][0] - 0.5, points[-1][0] + 0.5)}
    for node in order:
        (low, high), threshold = bounds[node], float(tree.threshold[node])
        first, second = tree.children_of(node)
        bounds[first], bounds[second] = (low, threshold), (threshold, high)
    stairs = tuple(
        Stair(
            *bounds[node],
            mean=float(tree.values[node]),
            depth=int(tree.depth[node]),
            parent=int(tree.parent[node]),
            since=split_at[int(tree.parent[node])] + 1 if node else 0,
            until=split_at.get(node),
            threshold=float(tree.threshold[node]) if node in split_at else None,
        )
        for node in range(tree.n_nodes)
    )
    return Staircase(
        says=says,
        x_name="x",
        y_name="y",
        points=points,
        stairs=stairs,
        squared_errors=_errors_after(tree, order),
        shown=len(order) if shown is None else shown,
    )


def _errors_after(tree: ex.Tree, order: tuple[int, ...]) -> tuple[float, ...]:
    """The sum of squared errors after 0, 1, 2, … splits."""
    squares = tree.stats[:, 2]
    errors = [float(squares[0])]
    for node in order:
        errors.append(max(errors[-1] - float(squares[node] - squares[list(tree.children_of(node))].sum()), 0.0))
    return tuple(errors)


def _says() -> str:
    return message("Points with the staircase that the tree predicts, and the tree below it.")


def _next_cut() -> Step:
    tree = _tree()
    left, right = (tree.node(child) for child in tree.node(0).children)
    condition = left.condition
    assert condition is not None
    decision = trees.decision(_TABLE, _RECIPE, left.id)
    assert decision.chosen is not None
    options = tuple(f"x ≤ {number_text(value)}" for value in (1.5, 3.5, 5.5))
    return Step(
        name="next cut",
        title=message("The same again on each side"),
        text=message(
            "The tree predicts a staircase with two steps, {left:.2f} and {right:.2f}. "
            "Each side is cut again by the same rule.",
            left=left.label,
            right=right.label,
        ),
        picture=_staircase(tree, _says(), 2),
        before=_staircase(tree, _says(), 1),
        number=Number(
            message("Squared error left by {test}", test=condition.word(0)),
            float(decision.chosen.branch_stats[:, 2].sum()),
            derivation=remaining_error_formula(left, decision.chosen),
        ),
        question=Question(
            message("Where does CART cut the left side, x ≤ {cut}?", cut=number_text(float(tree.threshold[0]))),
            options,
            (options.index(condition.word(0)),),
            message(
                "The left side has squared error {before:.2f}; this cut leaves {after:.2f} of it.",
                before=float(left.stats[2]),
                after=float(decision.chosen.branch_stats[:, 2].sum()),
            ),
        ),
        numbers={
            "left mean": float(left.stats[1]),
            "right mean": float(right.stats[1]),
            "left squared error": float(left.stats[2]),
        },
        source=message("Li Hang (2012), section 5.5"),
    )


def _tree_grows() -> Step:
    tree = _tree()
    return Step(
        name="full tree",
        title=message("Every row its own step"),
        text=message(
            "Move the slider below: each split adds a step to the staircase and lowers the squared error. "
            "Unstopped, the tree ends with a leaf for each row."
        ),
        picture=_staircase(tree, _says()),
        number=Number(message("Leaves"), tree.n_leaves, 0),
        numbers={"leaves": float(tree.n_leaves)},
    )


def _stop(limit: str) -> Step:
    delta = _LIMITS[limit]
    tree = trees.grown(_TABLE, _RECIPE, (("min_squared_error", delta),)) if delta else _tree()
    by_default = trees.grown(_TABLE, _RECIPE, (("min_squared_error", 0.2),))
    leaves = {f"mean of leaf {place}": float(tree.values[node]) for place, node in enumerate(_leaves(tree), start=1)}
    errors = tree.stats[list(_leaves(tree)), 2]
    counts = tuple(str(n) for n in (2, by_default.n_leaves, by_default.n_leaves + 3, _tree().n_leaves))
    return Step(
        name="stop",
        title=message("When is a side good enough?"),
        text=message(
            "One rule found in print: stop where the squared error of a node is below a limit δ. "
            "Change δ and see how many steps stay."
        ),
        picture=_staircase(tree, _says()),
        before=_staircase(_tree(), _says()),
        number=Number(message("Largest squared error of a leaf"), float(errors.max())),
        question=Question(
            message("How many leaves stay with δ = 0.2?"),
            counts,
            (1,),
            message("Both outer sides stop early; only the rows from 4 to 6 are cut once more."),
        ),
        choices=(
            Choice("limit", "δ", {name: name if value else message("none") for name, value in _LIMITS.items()}, "0.2"),
        ),
        numbers={"leaves": float(tree.n_leaves)} | leaves,
        source=message("Breiman et al. (1984), chapter 8, grow large trees and prune instead."),
    )


def _leaves(tree: ex.Tree) -> tuple[int, ...]:
    """The leaves from left to right."""
    return tuple(node for node in tree.preorder() if tree.feature[node] < 0)


SCENE = Scene(
    name="regression",
    title=lambda: message("A tree that predicts numbers"),
    asks=lambda: message("How does a tree predict a number, and where does it cut?"),
    minutes=4,
    steps=steps,
    sample=_TABLE,
    recipe=_RECIPE,
)
