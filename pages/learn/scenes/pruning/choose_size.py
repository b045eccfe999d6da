"""How large? Training error, cross-validation with its standard errors, and the 1-SE rule on real rows."""

from __future__ import annotations

from explorer.drawing.pictures.pruning.lesson_tree import lesson_tree
from explorer.drawing.pictures.pruning.size_curve import SizeCurve, SizePoint
from explorer.formatting import leaves as leaves_text
from explorer.messages import listing, message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step, TablePicture
from pages.results.lessons import tree_sizes
from pages.results.lessons.tree_sizes import N_FOLDS, TreeSizes

_TABLE, _OTHER = "titanic", "credit_g"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the training error to cross-validation, the 1-SE rule, other folds, a validation set and another table."""
    sizes = tree_sizes.tree_sizes(_TABLE)
    table = chosen.get("table", _OTHER)
    other = tree_sizes.tree_sizes(table if table in (_TABLE, _OTHER) else _OTHER)
    first = (_training(sizes), _validated(sizes), _one_se(sizes), _other_folds(sizes))
    return *first, _set_aside(), _other_table(other, table)


def _book() -> str:
    return message("Breiman et al. (1984), sections 3.4.2 and 3.4.3")


def _training(sizes: TreeSizes) -> Step:
    full = float(sizes.training[0])
    return Step(
        name="training",
        title=message("On its own rows, larger is better"),
        text=message(
            "CART grows {leaves} on the passengers of the Titanic. Each pruned subtree makes more training errors; "
            "drag the number of leaves.",
            leaves=leaves_text(int(sizes.path.n_leaves[0])),
        ),
        picture=_curve(sizes, 0, shows_validation=False),
        number=Number(message("Training error of the full tree"), full),
        numbers={"training error": full, "leaves": float(sizes.path.n_leaves[0])},
        source=_book(),
    )


def _validated(sizes: TreeSizes) -> Step:
    folded = sizes.folded[0]
    best = folded.best
    counts = sizes.path.n_leaves
    options = sorted({int(counts[0]), int(counts[best]), int(counts[folded.one_se]), 1}, reverse=True)
    return Step(
        name="cross-validation",
        title=message("On rows left out, it is not"),
        text=message(
            "Cross-validation grows {folds} trees, each without a tenth of the rows, and counts the errors on that "
            "tenth. It does so for every α of the sequence.",
            folds=N_FOLDS,
        ),
        picture=_curve(sizes, best, marks=1),
        before=_curve(sizes, 0, shows_validation=False),
        question=Question(
            message("How many leaves have the smallest error on rows left out?"),
            tuple(str(count) for count in options),
            (options.index(int(counts[best])),),
            message(
                "Error {best}, against {full} of the full tree.",
                best=f"{folded.mean[best]:.3f}",
                full=f"{folded.mean[0]:.3f}",
            ),
        ),
        number=Number(
            message("Cross-validated error, {leaves}", leaves=leaves_text(int(counts[best]))), float(folded.mean[best])
        ),
        numbers={
            "best error": float(folded.mean[best]),
            "best leaves": float(counts[best]),
            "full error": float(folded.mean[0]),
        },
        source=_book(),
    )


def _one_se(sizes: TreeSizes) -> Step:
    folded, counts = sizes.folded[0], sizes.path.n_leaves
    best, one_se = folded.best, folded.one_se
    mean, error = float(folded.mean[best]), float(folded.standard_error[best])
    options = sorted({int(counts[best]), int(counts[one_se]), 2, 1}, reverse=True)
    return Step(
        name="one standard error",
        title=message("The 1-SE rule"),
        text=message(
            "The best error is an estimate, with standard error {error}. The 1-SE rule takes the smallest tree "
            "whose error is at most {mean} + {error}.",
            error=f"{error:.4f}",
            mean=f"{mean:.4f}",
        ),
        picture=_curve(sizes, one_se, marks=2),
        before=_curve(sizes, best, marks=1),
        question=Question(
            message("How many leaves has the 1-SE tree?"),
            tuple(str(count) for count in options),
            (options.index(int(counts[one_se])),),
            message(
                "Its error {own} is within {limit}.", own=f"{folded.mean[one_se]:.4f}", limit=f"{mean + error:.4f}"
            ),
        ),
        number=Number(message("Best error plus one standard error"), mean + error, 4),
        numbers={
            "best error": mean,
            "standard error": error,
            "limit": mean + error,
            "1-SE error": float(folded.mean[one_se]),
            "1-SE leaves": float(counts[one_se]),
        },
        source=_book(),
    )


def _other_folds(sizes: TreeSizes) -> Step:
    counts = sizes.path.n_leaves
    best = [int(counts[folded.best]) for folded in sizes.folded]
    small = [int(counts[folded.one_se]) for folded in sizes.folded]
    return Step(
        name="other folds",
        title=message("Other folds, another best size"),
        text=message(
            "Drawn {n} times, the folds choose {best} leaves as best. The 1-SE rule chooses {small}: it is steadier.",
            n=len(best),
            best=listing(map(str, best)),
            small=listing(map(str, small)),
        ),
        picture=_curve(sizes, sizes.folded[0].one_se, marks=2, others=True),
        number=Number(message("Largest best size minus smallest, in leaves"), max(best) - min(best), 0),
        numbers={
            **{f"best {seed}": float(count) for seed, count in enumerate(best)},
            **{f"1-SE {seed}": float(count) for seed, count in enumerate(small)},
        },
        source=_book(),
    )


def _set_aside() -> Step:
    draws = tree_sizes.held_out_sizes(_TABLE)
    best = [draw.best_leaves for draw in draws]
    return Step(
        name="validation set",
        title=message("Folds, or a validation set?"),
        text=message(
            "Some books choose the size on a validation set, rows that are never used for growing. Breiman does so "
            "where rows are many, and cross-validates where they are few."
        ),
        picture=TablePicture(
            says=message("Five random validation sets, each with the size of the tree that is best on it."),
            columns=(
                message("draw"),
                message("leaves, full tree"),
                message("leaves, best tree"),
                message("error rate"),
            ),
            rows=tuple(
                (str(k), str(draw.full_leaves), str(draw.best_leaves), f"{draw.error:.3f}")
                for k, draw in enumerate(draws, 1)
            ),
        ),
        before=_curve(tree_sizes.tree_sizes(_TABLE), 0, shows_validation=False),
        question=Question(
            message("Set 30 % of the passengers aside, five times at random. Do the five agree on the size?"),
            (message("yes, nearly"), message("no, they differ a lot")),
            (1,),
            message(
                "They choose {best} leaves: {rows} rows decide, and which rows is chance.",
                best=listing(map(str, best)),
                rows=draws[0].n_rows,
            ),
        ),
        number=Number(message("Largest best size minus smallest, in leaves"), max(best) - min(best), 0),
        numbers={f"best {k}": float(count) for k, count in enumerate(best)},
        source=message("Breiman et al. (1984), section 3.4"),
    )


def _other_table(sizes: TreeSizes, table: str) -> Step:
    folded, counts = sizes.folded[0], sizes.path.n_leaves
    best, one_se = folded.best, folded.one_se
    return Step(
        name="other table",
        title=message("How large on other rows?"),
        text=message(
            "Cross-validation says {best}; the 1-SE rule says {small}. Without any split the error is {baseline}.",
            best=leaves_text(int(counts[best])),
            small=leaves_text(int(counts[one_se])),
            baseline=f"{folded.mean[-1]:.3f}",
        ),
        picture=_curve(sizes, one_se, marks=2),
        number=Number(message("Cross-validated error of the 1-SE tree"), float(folded.mean[one_se])),
        choices=(
            Choice("table", message("Table"), {_OTHER: message("German credit"), _TABLE: message("Titanic")}, _OTHER),
        ),
        numbers={
            "1-SE error": float(folded.mean[one_se]),
            "best leaves": float(counts[best]),
            "1-SE leaves": float(counts[one_se]),
        },
    )


def _curve(
    sizes: TreeSizes, begin: int, shows_validation: bool = True, marks: int = 0, others: bool = False
) -> SizeCurve:
    """The curve with `marks` of the two marks, best and 1-SE."""
    folded, path = sizes.folded[0], sizes.path
    points = zip(path.n_leaves, sizes.training, folded.mean, folded.standard_error, strict=True)
    return SizeCurve(
        says=message("Error rate against the number of leaves, on training rows and by cross-validation."),
        tree=lesson_tree(path.tree),
        leaf_from=tuple(path.leaf_from.tolist()),
        points=tuple(SizePoint(int(leaves), *map(float, numbers)) for leaves, *numbers in points),
        begin=begin,
        shows_validation=shows_validation,
        best=folded.best if marks else None,
        one_se=folded.one_se if marks > 1 else None,
        others=tuple(tuple(other.mean.tolist()) for other in sizes.folded[1:]) if others else (),
    )


SCENE = Scene(
    name="choose_size",
    title=lambda: message("How large a tree?"),
    asks=lambda: message("Which of the pruned trees predicts best?"),
    minutes=3,
    steps=steps,
    own_page="prune",
    sample=_TABLE,
    recipe="CART",
)
