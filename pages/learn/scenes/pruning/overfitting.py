"""Overfitting: one noisy day, accuracy against the number of leaves, Mitchell's definition, and the learning curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.drawing.pictures.splits.score_curves import ScoreCurves, ScoreLine, SizeMark
from explorer.explaining import candidate_formulas
from explorer.formatting import percent, value_text
from explorer.messages import listing, message, plural
from pages.learn.scenes.pruning.twigs import twigs_of
from pages.learn.scenes.step import Choice, Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import overfitting, trees
from pages.results.lessons.overfitting import GrowingSizes

_DAYS, _NOISY_DAYS, _RECIPE = "play_tennis", "play_tennis_noise15", "ID3"
_NO_EMPTY = (("empty_branches", False),)
_SUNNY = 1
_MUCH = 0.05
_TABLES = ("credit_g", "titanic")
_CURVES = ("credit_g", "titanic", "car")
_WRONG, _TENTH = ("0", "10", "20"), 10
"""Per cent of the training labels that are wrong."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From one wrong row to the definition, and to what more rows change."""
    table, rows = (_known(chosen, name, tables) for name, tables in (("table", _TABLES), ("rows", _CURVES)))
    return (
        _noisy_day(),
        _noisy_tree(chosen.get("days", "15")),
        _curve(table, _known(chosen, "wrong", _WRONG)),
        _definition(table),
        _learning(rows),
    )


def _known(chosen: Chosen, name: str, tables: Sequence[str]) -> str:
    """The table chosen; the first where a link names none of them."""
    table = chosen.get(name, tables[0])
    return table if table in tables else tables[0]


def _noisy_row() -> dict[str, str]:
    """The fifteenth day."""
    data = trees.rows(_NOISY_DAYS)
    return {feature.name: str(data.frame[feature.name].iloc[-1]) for feature in data.features}


def _noisy_day() -> Step:
    tree, noisy = trees.grown(_DAYS, _RECIPE, _NO_EMPTY), trees.rows(_NOISY_DAYS)
    day = noisy.take([noisy.n_rows - 1]).frame
    leaf = int(tree.apply(day)[0])
    predicted, recorded = str(tree.predict(day)[0]), str(day[noisy.target.name].iloc[0])
    values = listing(_noisy_row().values())
    return Step(
        name="noisy day",
        title=message("A fifteenth day is recorded wrongly"),
        text=message(
            "The tree fits the 14 days. Day 15 arrives: {values}, recorded as {recorded}.",
            values=values,
            recorded=recorded,
        ),
        picture=TreePicture(
            tree,
            message("The tree of 14 days, with the leaf of day 15 ringed."),
            marks={leaf: message("Day 15 ends here")},
        ),
        before=TreePicture(tree, message("The tree of 14 days.")),
        number=Number(message("Training errors on 14 days"), _errors(tree, trees.rows(_DAYS)), 0),
        question=Question(
            message("What does the tree predict for day 15?"),
            tuple(str(name) for name in tree.classes),
            ([str(name) for name in tree.classes].index(predicted),),
            message("The path is {rule}. The record says {recorded}.", rule=_path_words(tree, leaf), recorded=recorded),
        ),
        numbers={"leaves": float(tree.n_leaves), "training errors": _errors(tree, trees.rows(_DAYS))},
        source=message("Mitchell, Machine Learning (1997), section 3.7.1"),
    )


def _path_words(tree: ex.Tree, leaf: int) -> str:
    words = []
    for node, branch in tree.path_to(leaf):
        condition = tree.condition(node)
        if condition is not None and branch >= 0:
            words.append(condition.word(branch))
    return listing(words)


def _errors(tree: ex.Tree, data: ex.Dataset) -> float:
    return float((tree.predict_encoded(data) != data.y).sum())


def _noisy_tree(days: str) -> Step:
    clean, noisy = (trees.grown(table, _RECIPE, _NO_EMPTY) for table in (_DAYS, _NOISY_DAYS))
    shown = clean if days == "14" else noisy
    sunny = trees.decision(_NOISY_DAYS, _RECIPE, _SUNNY, _NO_EMPTY)
    assert sunny.chosen is not None
    new, old = sunny.chosen.feature, clean.features[clean.feature[_SUNNY]].name
    return Step(
        name="noisy tree",
        title=message("One wrong row, a larger tree"),
        text=message(
            "ID3 grows again on all 15 days, and fits the wrong one too. "
            "The picture is the tree of 14 days until you answer; then switch between the two trees."
        ),
        picture=TreePicture(
            shown,
            message("The tree of {days} days, with the node ringed that day 15 changes.", days=days),
            marks={_SUNNY: message("Day 15 changes this split")},
        ),
        before=TreePicture(clean, message("The tree of 14 days.")),
        number=Number(
            message("Gain({feature}) where Outlook = Sunny, 15 days", feature=new),
            sunny.chosen.gain,
            derivation=candidate_formulas(noisy.node(_SUNNY), sunny.chosen)["gain"],
        ),
        question=Question(
            message("The tree of 14 days has {n} leaves. How many has that of 15 days?", n=clean.n_leaves),
            tuple(str(n) for n in (clean.n_leaves, clean.n_leaves + 1, noisy.n_leaves, 2 * clean.n_leaves)),
            (2,),
            message(
                "Below Outlook = Sunny, {new} now gains more than {old}, and its branches are split again.",
                new=new,
                old=old,
            ),
        ),
        choices=(Choice("days", message("Tree of"), {"14": message("14 days"), "15": message("15 days")}, "15"),),
        competition=Competition(sunny, noisy),
        numbers={"leaves of 14 days": float(clean.n_leaves)}
        | {f"gain {feature} below Sunny": candidate.gain for feature, candidate in sunny.best.items()},
        source=message("Mitchell, Machine Learning (1997), section 3.7.1"),
    )


def _curve(table: str, wrong: str) -> Step:
    sizes, clean, noisy = (overfitting.sizes(table, per_cent) for per_cent in (int(wrong), 0, _TENTH))
    last = len(sizes.order)
    lost = {
        "best": 100 * (clean.valid[clean.best] - noisy.valid[noisy.best]),
        "full": 100 * (clean.valid[-1] - noisy.valid[-1]),
    }
    return Step(
        name="curve",
        title=message("Accuracy against the number of leaves"),
        text=message(
            "CART grows on {n_train} rows; the {n_valid} others, the validation set, only test the tree. "
            "Drag the line from one leaf to {leaves}: accuracy is the share of rows predicted rightly. "
            "Trees of the right size are robust: with a tenth of the training labels wrong, the best tree loses "
            "{best:.1f} points, the full one {full:.1f}.",
            n_train=sizes.n_train,
            n_valid=sizes.n_valid,
            leaves=last + 1,
            **lost,
        ),
        picture=_curves(sizes, (SizeMark(sizes.best, message("best on validation")),)),
        before=_curves(sizes, (), only_training=True),
        number=Number(message("Validation accuracy of the full tree"), sizes.valid[-1]),
        question=Question(
            message("The tree grows until no leaf can be split. Which way does the validation accuracy go?"),
            (message("up to the end"), message("up, then down"), message("nowhere: it stays the same")),
            (1,),
            message(
                "It is best with {best} leaves, {best_share}, and ends at {end_share}.",
                best=sizes.best + 1,
                best_share=percent(sizes.valid[sizes.best]),
                end_share=percent(sizes.valid[-1]),
            ),
        ),
        choices=(_table_choice("table", _TABLES), _wrong_choice()),
        numbers=_size_numbers(sizes) | {f"points lost by the {which} tree": points for which, points in lost.items()},
        source=message("Mitchell, Machine Learning (1997), figure 3.6"),
    )


def _wrong_choice() -> Choice:
    """How many labels of the training rows are wrong."""
    shares = {wrong: message("{number} %", number=wrong) if wrong != "0" else message("none") for wrong in _WRONG}
    return Choice("wrong", message("Wrong labels"), shares, _WRONG[0])


def _table_choice(name: str, tables: Sequence[str]) -> Choice:
    return Choice(name, message("Table"), {table: SAMPLES[table].title for table in tables}, tables[0])


def _curves(sizes: GrowingSizes, marks: tuple[SizeMark, ...], only_training: bool = False) -> ScoreCurves:
    """The two accuracies by size, with the tree of the size; the scale begins below the lowest."""
    lines = (ScoreLine(message("Training"), sizes.train), ScoreLine(message("Validation"), sizes.valid))
    return ScoreCurves(
        says=message("Two curves of accuracy against the number of leaves, and the tree of the chosen size."),
        title=message("Accuracy by number of leaves"),
        size_name=message("Leaves"),
        sizes=tuple(range(1, len(sizes.order) + 2)),
        lines=lines[:1] if only_training else lines,
        least=math.floor(20 * min(*sizes.valid, *sizes.train) - 0.5) / 20,
        baseline=None if only_training else sizes.baseline,
        marks=marks,
        shown=0 if only_training else len(sizes.order),
        twigs=twigs_of(sizes.tree, sizes.order),
        classes=tuple(f"{sizes.tree.target} = {value_text(value)}" for value in sizes.tree.classes),
    )


def _size_numbers(sizes: GrowingSizes) -> dict[str, float]:
    return {
        "best training accuracy": sizes.train[sizes.best],
        "best validation accuracy": sizes.valid[sizes.best],
        "full training accuracy": sizes.train[-1],
        "full validation accuracy": sizes.valid[-1],
    }


def _definition(table: str) -> Step:
    sizes = overfitting.sizes(table)
    small, full = sizes.best, len(sizes.order)
    marks = (
        SizeMark(small, plural(small + 1, "h′: {n} leaf", "h′: {n} leaves")),
        SizeMark(full, plural(full + 1, "h: {n} leaf", "h: {n} leaves")),
    )
    return Step(
        name="definition",
        title=message("What overfitting means"),
        text=message(
            "A tree h overfits if another tree h′ has the larger training error but the smaller error on all data. "
            "On training and validation rows, h errs on {h_train} and {h_valid}, h′ on {s_train} and "
            "{s_valid}. "
            "A tree that is too small underfits: with one leaf it errs on {u_train} and {u_valid}.",
            h_train=percent(1 - sizes.train[full]),
            h_valid=percent(1 - sizes.valid[full]),
            s_train=percent(1 - sizes.train[small]),
            s_valid=percent(1 - sizes.valid[small]),
            u_train=percent(1 - sizes.train[0]),
            u_valid=percent(1 - sizes.valid[0]),
        ),
        picture=_curves(sizes, marks),
        number=Number(message("Validation error of h minus that of h′"), sizes.valid[small] - sizes.valid[full]),
        choices=(_table_choice("table", _TABLES),),
        numbers={
            "training error of h": 1 - sizes.train[full],
            "validation error of h": 1 - sizes.valid[full],
            "training error of h′": 1 - sizes.train[small],
            "validation error of h′": 1 - sizes.valid[small],
            "training error of one leaf": 1 - sizes.train[0],
            "validation error of one leaf": 1 - sizes.valid[0],
        },
        source=message("Mitchell, Machine Learning (1997), section 3.7"),
    )


def _learning(table: str) -> Step:
    curve = overfitting.learning_curve(table)
    line = (
        ScoreLine(message("Training"), tuple(curve.train.tolist()), tuple(curve.train_error.tolist())),
        ScoreLine(message("Held out"), tuple(curve.valid.tolist()), tuple(curve.valid_error.tolist())),
    )
    most = len(curve.sizes) - 1

    def picture(lines: tuple[ScoreLine, ...]) -> ScoreCurves:
        return ScoreCurves(
            says=message("Two curves of accuracy against the number of training rows."),
            title=message("Accuracy of full trees, mean of five folds"),
            size_name=message("Training rows"),
            sizes=tuple(curve.sizes.tolist()),
            lines=lines,
            least=math.floor(20 * float((curve.valid - curve.valid_error).min()) - 0.5) / 20,
            shown=most,
        )

    return Step(
        name="learning curve",
        title=message("Do more rows help?"),
        text=message(
            "Full trees grow on more and more rows and are scored on rows held out. "
            "The gap between the curves is what the tree has memorised."
        ),
        picture=picture(line),
        before=picture(line[:1]),
        number=Number(message("Gap with all rows"), float(curve.train[-1] - curve.valid[-1])),
        question=Question(
            message("How much does the held-out accuracy change with ten times as many rows?"),
            (message("less than 5 points"), message("5 points or more")),
            (0 if abs(float(curve.valid[-1] - curve.valid[0])) < _MUCH else 1,),
            message(
                "It goes from {first} to {last}: compare the other tables.",
                first=percent(float(curve.valid[0])),
                last=percent(float(curve.valid[-1])),
            ),
        ),
        choices=(_table_choice("rows", _CURVES),),
        numbers={"training": float(curve.train[-1]), "held out": float(curve.valid[-1])},
        source=message("Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 7.10"),
    )


SCENE = Scene(
    name="overfitting",
    title=lambda: message("Overfitting"),
    asks=lambda: message("Why is the tree that fits best not the tree that predicts best?"),
    minutes=3,
    steps=steps,
    on_short_path=True,
    own_page="prune",
    sample="credit_g",
    recipe="CART",
)
