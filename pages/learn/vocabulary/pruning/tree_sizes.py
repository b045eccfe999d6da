"""The size of a tree: errors of its pruned subtrees on training rows, by cross-validation and on rows set aside."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.drawing.pictures.chart import Chart, TreePanel
from explorer.drawing.pictures.curves import CurveLine, CurveMark, curves
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.formatting import leaves as leaves_text
from explorer.messages import listing, message
from pages.learn.scenes.step import TablePicture
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import tree_sizes


def _position(here: Here, which: str, seed: int = 0) -> int:
    """Where a subtree is in the sequence: full, best, 1-SE (by the folds of a seed) or root."""
    sizes = tree_sizes.tree_sizes(here.table)
    folded = sizes.folded[seed]
    return {"full": 0, "best": folded.best, "1-SE": folded.one_se, "root": len(sizes.path) - 1}[which]


@word
def folded_error(here: Here, which: str, part: str = "mean") -> float:
    """The cross-validated error of a subtree, or its standard_error."""
    return float(getattr(tree_sizes.tree_sizes(here.table).folded[0], part)[_position(here, which)])


@word
def error_limit(here: Here) -> float:
    """The smallest cross-validated error and its standard error, added up."""
    return folded_error(here, "best") + folded_error(here, "best", "standard_error")


@word
def leaves_of(here: Here, which: str, seed: int = 0) -> int:
    """The leaves of a subtree."""
    return int(tree_sizes.tree_sizes(here.table).path.n_leaves[_position(here, which, seed)])


@word
def each_size(here: Here, which: str) -> Mapping[str, float]:
    """The leaves of a subtree by each draw of the folds, or of the best one by each validation set ("held out")."""
    if which == "held out":
        return {f"best {k}": draw.best_leaves for k, draw in enumerate(tree_sizes.held_out_sizes(here.table))}
    return {f"{which} {seed}": leaves_of(here, which, seed) for seed in range(tree_sizes.SEEDS)}


@word
def spread(here: Here, which: str) -> int:
    """The largest of them minus the smallest."""
    values = each_size(here, which).values()
    return int(max(values) - min(values))


@word
def validation_sets(here: Here) -> TablePicture:
    """Random validation sets, each with the size of the tree that is best on it."""
    return TablePicture(
        says=here.says,
        columns=(message("draw"), message("leaves, full tree"), message("leaves, best tree"), message("error rate")),
        rows=tuple(
            (str(k), str(draw.full_leaves), str(draw.best_leaves), f"{draw.error:.3f}")
            for k, draw in enumerate(tree_sizes.held_out_sizes(here.table), 1)
        ),
    )


@word
def size_curve(here: Here, begin: str = "full", validation: bool = True, marks: int = 0, others: bool = False) -> Chart:
    """The errors of all subtrees over their leaves, with so many of the two marks, best and 1-SE."""
    sizes = tree_sizes.tree_sizes(here.table)
    folded, path, last = sizes.folded[0], sizes.path, len(sizes.path) - 1
    errors = [sizes.training, folded.mean, folded.standard_error, *(other.mean for other in sizes.folded[1:])]
    training, mean, standard_error, *means = (tuple(map(float, reversed(each))) for each in errors)
    lines = [CurveLine(message("training rows"), training, colour="quiet")]
    if others:
        lines += [CurveLine("", other, colour="text", is_pale=True) for other in means]
    if validation:
        lines.append(CurveLine(message("rows left out"), mean, standard_error))
    best, limit = last - folded.best, error_limit(here)
    named = [(best, message("best")), (last - folded.one_se, message("1-SE"))][:marks]
    leaves = [int(n) for n in reversed(path.n_leaves)]
    upper = max(a + b for a, b in zip(mean, standard_error, strict=True)) if validation else 0.0
    return curves(
        says=here.says,
        x=tuple(leaves),
        x_name=message("leaves"),
        y_name=message("error rate"),
        lines=tuple(lines),
        least=0.0,
        most=1.08 * max(*training, upper),
        is_log=True,
        shown=last - _position(here, begin),
        readings=tuple(
            _reading(n, error, fold if validation else None)
            for n, error, *fold in zip(leaves, training, mean, standard_error, strict=True)
        ),
        marks=tuple(CurveMark(at, message("{name}: {value}", name=name, value=leaves[at])) for at, name in named),
        limit=limit if marks > 1 else None,
        limit_text=message("best + 1 SE = {limit}", limit=f"{limit:.4f}"),
        tree=TreePanel(
            tree=lesson_tree(path.tree),
            leaf_until=tuple(last - int(position) for position in path.leaf_from),
        ),
    )


def _reading(leaves: int, training: float, fold: list[float] | None) -> str:
    fields = {"leaves": leaves_text(leaves), "training": f"{training:.3f}"}
    if fold is None:
        return message("{leaves}: training error {training}", **fields)
    mean, error = fold
    return message(
        "{leaves}: error {mean} ± {error}, training {training}", mean=f"{mean:.3f}", error=f"{error:.4f}", **fields
    )


add(
    # The training error of the full tree.
    training_error=lambda here: float(tree_sizes.tree_sizes(here.table).training[0]),
    # The same as a list in words.
    each_size_in_words=lambda here, which: listing(map(str, each_size(here, which).values())),
    held_out_rows=lambda here: tree_sizes.held_out_sizes(here.table)[0].n_rows,  # How many rows are set aside.
)
