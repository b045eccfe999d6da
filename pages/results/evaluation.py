"""The evaluation of the pruned tree on the rows in force, cached under a key of all that it depends on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

import explorer as ex
from explorer.data.codes import repeats
from explorer.data.codes.repeated_ids import most_rows_of
from explorer.data.suggestions.extra_rows import CASES
from explorer.evaluation.deciding.gains import Profits
from explorer.evaluation.evaluation import RowPredictions, row_predictions, score_by
from explorer.evaluation.evaluation import Score as EvaluatedScore
from explorer.evaluation.folds import one_left_out
from explorer.evaluation.out_of_fold import OutOfFold, out_of_fold
from explorer.messages import message
from explorer.sources.source import Source
from explorer.tree import metrics
from pages.results import cross_validation, jobs, opened_tree, pruned_tree, trees
from pages.results.cache import kept
from pages.results.connected.opened import Rows
from pages.results.of_tree.grown_on import grown_on
from pages.results.trees import SMALL_TABLE
from pages.settings import session
from pages.settings.memo import remembered
from pages.settings.settings import Settings

_LEFT_OUT = {"groups": "leave_groups_out", "time": "leave_time_out"}
"""What `Score` calls rows that were left out one by one, by what divides them; "leave_one_out" at random."""
_MOST_REPEATED = 0.5
"""The share of the validation rows that say that their score is worth little, if training rows repeat them."""


@dataclass(frozen=True)
class Score:
    """A score on some rows (training, validation, or left out), beside that of the majority or the mean."""

    rows: str
    value: float
    baseline: float

    @property
    def name(self) -> str:
        """What the rows are called before the score's own name."""
        return {
            "training": message("training"),
            "table": message("this table’s"),
            "folds": message("cross-validated"),
            "validation": message("validation"),
            "leave_one_out": message("leave-one-out"),
            "leave_groups_out": message("leave-one-group-out"),
            "leave_time_out": message("rolling"),
        }[self.rows]

    @property
    def points(self) -> float:
        """The improvement of an accuracy over the majority baseline, in percentage points."""
        return 100 * (self.value - self.baseline)

    @property
    def reduction(self) -> float:
        """The share of the mean baseline's squared error that a tree takes away."""
        return 1 - self.value / self.baseline

    def is_better(self, is_regression: bool) -> bool:
        """Whether the tree is better than its baseline."""
        return self.value < self.baseline if is_regression else self.value > self.baseline

    def is_worse(self, is_regression: bool) -> bool:
        """Whether the tree is worse than its baseline by more than rounding."""
        least = metrics.TIE * abs(self.baseline)
        return (self.value - self.baseline if is_regression else self.baseline - self.value) > least


def scores(settings: Settings) -> list[Score]:
    """The scores of the unpruned tree on training and validation rows, each with its baseline."""
    subsets, tree = trees.parts(settings), trees.grown(settings).tree
    valid, whole = subsets.valid.fingerprint if subsets.valid else "", trees.all_rows(settings)
    all_scores = list(_scores(subsets.train.fingerprint, valid, trees.how_grown(tree), tree, whole))
    if subsets.valid is None and whole.train.n_rows < trees.SMALL_TABLE and not settings.connected:
        left_out = trees.curves_by(settings, "grow", "mse" if tree.is_regression else "accuracy")
        assert left_out.valid is not None
        all_scores.append(Score(_left_out(subsets), float(left_out.valid[0]), metrics.left_out_baseline(subsets.train)))
    return all_scores


def held_out_score(settings: Settings, tree: ex.Tree, slot: str = "grow") -> Score:
    """The score of a slot's tree, grown or pruned from it, on rows that it was not grown on, where there are some.

    These are the validation rows; without them, in a small table, every row left out once; in a larger one the folds,
    once the Evaluate page has predicted them; else the training rows.
    """
    subsets, whole = trees.parts(settings), trees.all_rows(settings)
    opened = opened_tree.now() if slot == "grow" else None
    if opened is not None:
        opened_tree.of_table(settings, opened)
        which = "table" if subsets.valid is None else "validation"
        rows = (subsets.valid or subsets.train).fingerprint
        return _score(which, f"{rows} {opened_tree.key(settings, opened)}", tree, whole)
    if subsets.valid is not None:
        return _score("validation", f"{subsets.valid.fingerprint} {shape_key(settings, tree, slot)}", tree, whole)
    sequence = trees.path(settings, slot)
    position = _position_of(sequence, tree)
    if tree.decision is not None and leaves_one_out(settings) and position is not None:
        accuracy = left_out_one_by_one(settings).evaluation.scores["accuracy"]
        return Score(_left_out(subsets), accuracy.value, accuracy.baseline)
    if leaves_one_out(settings) and position is not None:
        left_out = trees.curves_by(settings, slot, "mse" if tree.is_regression else "accuracy")
        assert left_out.valid is not None
        return Score(_left_out(subsets), float(left_out.valid[position]), metrics.left_out_baseline(subsets.train))
    folds = _of_folds(settings, tree) if slot == "grow" else None
    if folds is not None:
        return Score("folds", folds.value, folds.baseline)
    return _score("training", f"{subsets.train.fingerprint} {shape_key(settings, tree, slot)}", tree, whole)


def both_scores(settings: Settings, tree: ex.Tree, slot: str = "grow") -> list[Score]:
    """The scores of a slot's tree, grown or pruned, on its training rows and, where there are some, on others."""
    train, held_out = trees.parts(settings).train.fingerprint, held_out_score(settings, tree, slot)
    whole = trees.all_rows(settings)
    training = _score("training", f"{train} {shape_key(settings, tree, slot)}", tree, whole)
    return [training] if held_out.rows == "training" else [training, held_out]


def _of_folds(settings: Settings, tree: ex.Tree) -> EvaluatedScore | None:
    """The score of a pruned tree of the sequence on the rows of its folds, where they have been predicted."""
    if settings.connected or _position_of(trees.path(settings), tree) != pruned_tree.position(
        settings, trees.path(settings)
    ):
        return None
    result = of_folds(settings)
    return None if result is None else result.evaluation.scores["mse" if tree.is_regression else "accuracy"]


def of_folds(settings: Settings) -> OutOfFold | None:
    """Every training row predicted by a tree of the other folds, as far as it is known."""
    job = jobs.pool().look(jobs.session(), left_out_key(settings))
    return job.result if job is not None and isinstance(job.result, OutOfFold) else None


def _left_out(subsets: trees.Parts) -> str:
    """What `Score` calls the rows of a small table that are left out one by one."""
    division = subsets.train.division
    return "leave_one_out" if division is None else _LEFT_OUT[division.kind]


def _position_of(path: ex.Path, tree: ex.Tree) -> int | None:
    """Where a pruned tree stands in the sequence; None for one that is not in it."""
    position = path.position_of_leaves(tree.n_leaves)
    return position if np.array_equal(ex.pruned_at(path, position), tree.is_pruned) else None


def shape_key(settings: Settings, tree: ex.Tree, slot: str) -> str:
    """A text for a tree of a slot in the shape that pruning has left it."""
    shape = hashlib.sha256(tree.is_pruned.tobytes()).hexdigest()
    return f"{trees.grown_key(settings, slot)} {shape} {tree.decision}"


@kept()
def _score(rows: str, key: str, _tree: ex.Tree, _subsets: trees.Parts | Rows) -> Score:
    data = _subsets.valid if rows == "validation" and _subsets.valid is not None else _subsets.train
    return scored(rows, _tree, data, _subsets.train)


def scored(rows: str, tree: ex.Tree, data: ex.Dataset | Source, train: ex.Dataset | Source) -> Score:
    """The score of a tree on rows in memory, or on those that an engine counts."""
    used = grown_on(train, tree.recipe)  # of which the root's majority or mean is
    data = used if rows == "training" else data
    if isinstance(data, ex.Dataset) and isinstance(used, ex.Dataset):
        return Score(rows, metrics.score(tree, data), metrics.baseline(used, data))
    score = score_by(tree, data, "mse" if tree.is_regression else "accuracy")
    return Score(rows, score.value, score.baseline)


def costs(settings: Settings) -> list[Score]:
    """The expected cost of the unpruned tree, beside that of the best constant one; empty without costs."""
    subsets, tree = trees.all_rows(settings), trees.grown(settings).tree
    if tree.costs is None:
        return []
    sets = _row_sets(subsets) | {"training": grown_on(subsets.train, tree.recipe)}
    by_rows = {rows: score_by(tree, data, "expected_cost") for rows, data in sets.items()}
    return [Score(rows, score.value, score.baseline) for rows, score in by_rows.items()]


def _row_sets(subsets: trees.Parts | Rows) -> dict[str, ex.Dataset | Source]:
    """The rows that trees are scored on, by what `Score` calls them."""
    return {"training": subsets.train} | ({"validation": subsets.valid} if subsets.valid else {})


@kept()
def _scores(fingerprint: str, valid: str, how: str, _tree: ex.Tree, _subsets: trees.Parts | Rows) -> tuple[Score, ...]:
    return tuple(scored(rows, _tree, data, _subsets.train) for rows, data in _row_sets(_subsets).items())


def repeated_text(settings: Settings) -> str:
    """That validation rows repeat training rows, where most do, and whole rows are equal by no chance; else empty."""
    subsets = trees.parts(settings)
    n, is_chance = repeated_rows(settings)
    if subsets.valid is None or not n or is_chance:
        return ""
    repeated, n_rows = (
        _repeated(f"{subsets.train.fingerprint} {subsets.valid.fingerprint}", subsets),
        subsets.valid.n_rows,
    )
    if repeated < _MOST_REPEATED * n_rows:
        return ""
    return message(
        "{n:,} of {rows:,} validation rows equal a training row in all features and the target: if they are the same "
        "cases, the score is too good.",
        n=repeated,
        rows=n_rows,
    )


def repeated_rows(settings: Settings) -> tuple[int, bool]:
    """How many rows equal an earlier one in every column of the table, and whether different cases may be so.

    None of a connected table, and of one with a row for each case. An unused id or date tells cases apart, and equal
    rows with one id are one case.
    """
    if settings.connected or any(repair.kind == CASES.name for repair in settings.repairs):
        return 0, True
    data = trees.data(settings)
    return _whole_rows(f"{trees.source(settings).key} {data.fingerprint}", data)


@kept()
def _whole_rows(key: str, _data: ex.Dataset) -> tuple[int, bool]:
    frame = _data.frame
    n = int(frame.duplicated().sum()) if repeats.repeated_rows(_data.codes, _data.y) else 0
    codes = [pd.factorize(frame[name], use_na_sentinel=False)[0] for name in frame] if n else []
    has_id = any(map(most_rows_of, map(str, frame)))
    return n, not has_id and (repeats.are_by_chance(codes) or repeats.have_usual_values(codes))


@kept()
def _repeated(key: str, _subsets: trees.Parts) -> int:
    train, valid = _subsets.train, _subsets.valid
    return 0 if valid is None else repeats.rows_also_in(valid.codes, valid.y, train.codes, train.y)


keep_changes = partial(session.keep_part, "evaluate")
"""Change what was chosen on the Evaluate page."""


def tree_key(settings: Settings) -> str:
    """A text for everything that the pruned tree depends on."""
    opened = opened_tree.now()
    if opened is not None:
        return opened_tree.key(settings, opened)
    path = trees.path(settings)
    cut = (
        f"{settings.risk} {pruned_tree.position(settings, path)} {pruned_tree.known_manual_steps(settings, path.tree)}"
    )
    return f"{trees.grown_key(settings)} {cut}"


def predicting_key(settings: Settings) -> str:
    """A text for everything that the predictions of the pruned tree depend on."""
    return f"{tree_key(settings)} {pruned_tree.predicting_key(settings)}"


def evaluated_tree(settings: Settings) -> ex.Tree:
    """The pruned tree, its probabilities smoothed and its classes predicted as the settings say.

    A tree that is open from a file predicts as its file says.
    """
    opened = opened_tree.now()
    if opened is not None:
        return opened_tree.tree(settings, opened)
    return pruned_tree.predicting(settings, pruned_tree.pruned(settings))


def choices(settings: Settings) -> dict[str, str]:
    """The rows that the tree can be evaluated on, best first, and what they are called."""
    if opened_tree.now() is not None:  # which no rows are left out of
        return _choices_of_file(settings)
    train, held_out = {"train": message("Training rows")}, {"held_out": _held_out_name(settings)}
    if trees.parts(settings).valid is not None:
        valid = {"valid": message("Validation rows")}
        return valid | train if settings.connected else valid | held_out | train
    return held_out | train if leaves_one_out(settings) else train | held_out


def _choices_of_file(settings: Settings) -> dict[str, str]:
    """The rows of the table that a tree from a file can be evaluated on."""
    if trees.parts(settings).valid is None:
        return {"train": message("Rows of the table")}
    return {"valid": message("Validation rows"), "train": message("Training rows")}


def _held_out_name(settings: Settings) -> str:
    """What predictions of training rows by trees without them are called."""
    if not leaves_one_out(settings):
        return message("Cross-validation")
    names = {"groups": message("Leave one group out"), "time": message("Rolling: later rows")}
    return names.get(trees.division(settings).kind, message("Leave-one-out"))


def chosen(settings: Settings) -> str:
    """The rows in force: those chosen where the table has them, else the best there are."""
    names = choices(settings)
    return settings.evaluate.rows if settings.evaluate.rows in names else next(iter(names))


def leaves_one_out(settings: Settings) -> bool:
    """Whether held-out predictions come from leaving out one row at a time, as for small tables."""
    is_small = not settings.connected and trees.parts(settings).train.n_rows < SMALL_TABLE
    return is_small and opened_tree.now() is None


def every_row(settings: Settings) -> ex.Dataset | Source:
    """The rows in force, which of a connected table an engine counts."""
    if not settings.connected:
        return rows(settings)
    whole = trees.all_rows(settings)
    return whole.valid if chosen(settings) == "valid" and whole.valid is not None else whole.train


def rows(settings: Settings) -> ex.Dataset:
    """The rows in force that are in memory: of a connected table a sample."""
    subsets = trees.parts(settings)
    if chosen(settings) == "valid" and subsets.valid is not None:
        return subsets.valid
    is_own = chosen(settings) == "train" and opened_tree.now() is None
    return _training_rows(settings) if is_own else subsets.train


@remembered
def _training_rows(settings: Settings) -> ex.Dataset:
    return grown_on(trees.parts(settings).train, trees.recipe(settings))


def evaluation_key(settings: Settings) -> str:
    """A text for everything that is known of the pruned tree on the rows in force."""
    return f"{predicting_key(settings)} {rows(settings).fingerprint}"


def evaluation(settings: Settings) -> tuple[ex.Evaluation, RowPredictions]:
    """The scores of the pruned tree on the rows in force, and its predictions; raises InputError."""
    opened = opened_tree.now()
    if opened is not None:
        opened_tree.of_table(settings, opened)  # which has its target, or an error
    return _evaluation(evaluation_key(settings), evaluated_tree(settings), every_row(settings), rows(settings))


def left_out_key(settings: Settings) -> str:
    """A text for everything that held-out predictions depend on; manual pruning steps are not part of it."""
    path = trees.path(settings)
    folds = "one by one" if leaves_one_out(settings) else f"{cross_validation.n_folds(settings)} {settings.fold_seed}"
    cut = f"{settings.risk} {pruned_tree.position(settings, path)}"
    return f"held out {trees.grown_key(settings)} {cut} {pruned_tree.predicting_key(settings)} {folds}"


def left_out_one_by_one(settings: Settings) -> OutOfFold:
    """Every row of a small table predicted by a tree of all others; raises InputError."""
    train, path = trees.parts(settings).train, trees.path(settings)
    position = pruned_tree.position(settings, path)
    tree = pruned_tree.predicting(settings, path.tree)
    return _one_by_one(left_out_key(settings), train, tree, position, settings.risk)


def class_curves(settings: Settings, code: int) -> ex.ClassCurves:
    """ROC, precision and recall, lift of one class on the rows in force; raises InputError."""
    return _class_curves(evaluation_key(settings), code, evaluated_tree(settings), every_row(settings))


def gains(settings: Settings, code: int) -> pd.DataFrame:
    """The gains of the leaves in a class on the rows in force, with the profits in force; raises InputError."""
    hit, false_alarm, miss, rest = settings.evaluate.profits
    profits, by_training = (hit, false_alarm, miss, rest), settings.evaluate.gains_by_training
    return _gains(evaluation_key(settings), code, profits, by_training, evaluated_tree(settings), every_row(settings))


def calibration(settings: Settings) -> ex.LeafCalibration:
    """The calibration of the leaves on the rows in force; raises InputError."""
    return _calibration(evaluation_key(settings), evaluated_tree(settings), every_row(settings))


@kept()
def _evaluation(
    key: str, _tree: ex.Tree, _whole: ex.Dataset | Source, _rows: ex.Dataset
) -> tuple[ex.Evaluation, RowPredictions]:
    return ex.evaluate(_tree, _whole), row_predictions(_tree, _rows)


@kept()
def _one_by_one(key: str, _train: ex.Dataset, _tree: ex.Tree, _position: int, _risk: str) -> OutOfFold:
    folds = one_left_out(_train)
    return out_of_fold(
        _train,
        _tree.recipe,
        _position,
        folds,
        risk=_risk,
        choices=_tree.choices,
        smoothing=_tree.smoothing,
        decision=_tree.decision,
    )


@kept()
def _class_curves(key: str, code: int, _tree: ex.Tree, _rows: ex.Dataset | Source) -> ex.ClassCurves:
    return ex.class_curves(_tree, _rows, _tree.classes[code])


@kept()
def _gains(
    key: str, code: int, profits: Profits, by_training: bool, _tree: ex.Tree, _rows: ex.Dataset | Source
) -> pd.DataFrame:
    return ex.gains(_tree, _rows, code, profits, by_training)


@kept()
def _calibration(key: str, _tree: ex.Tree, _rows: ex.Dataset | Source) -> ex.LeafCalibration:
    return ex.leaf_calibration(_tree, _rows)
