"""All kinds of exercises: what each is called, which table it needs, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.exercises.exercise import Exercise
from explorer.explaining.exercises.pruning import pessimistic_exercise, weakest_link_exercise
from explorer.explaining.exercises.splits import gain_exercise, gini_exercise, ratio_exercise
from explorer.explaining.exercises.thresholds import squares_exercise, threshold_exercise
from explorer.messages import Worded, message


@dataclass(frozen=True, kw_only=True)
class ExerciseKind:
    """A kind of exercise by its name in links; `make` takes a table for sums by hand and a seed.

    `needs` is the type of feature that it is about ("" for any), `sample` the built-in table that it begins with.
    """

    name: str
    label: Worded = Worded()
    make: Callable[[Dataset, int], Exercise]
    needs: str = ""
    is_regression: bool = False
    sample: str = "play_tennis"

    def suits(self, data: Dataset) -> bool:
        """Whether target and features of a table are of the types that it needs."""
        kinds = {feature.type for feature in data.features}
        return data.is_regression == self.is_regression and (not self.needs or self.needs in kinds)


_ALL = (
    ExerciseKind(
        name="gain",
        label=lambda: message("Information gain (ID3)"),
        make=gain_exercise,
        needs="categorical",
    ),
    ExerciseKind(
        name="gain_ratio",
        label=lambda: message("Gain ratio (C4.5)"),
        make=ratio_exercise,
        needs="categorical",
        sample="mammals",
    ),
    ExerciseKind(
        name="gini",
        label=lambda: message("Gini of a binary split (CART)"),
        make=gini_exercise,
        sample="loan_a1a2a3",
    ),
    ExerciseKind(
        name="threshold",
        label=lambda: message("Threshold of a numeric column"),
        make=threshold_exercise,
        needs="numeric",
        sample="temperature6",
    ),
    ExerciseKind(
        name="squared_error",
        label=lambda: message("Squared error (regression)"),
        make=squares_exercise,
        needs="numeric",
        is_regression=True,
        sample="lihang_8_2_regression",
    ),
    ExerciseKind(
        name="weakest_link",
        label=lambda: message("Weakest link g(t)"),
        make=weakest_link_exercise,
        sample="loan_a1a2a3",
    ),
    ExerciseKind(
        name="pessimistic",
        label=lambda: message("Pessimistic error (C4.5)"),
        make=pessimistic_exercise,
        sample="loan_a1a2a3",
    ),
)
EXERCISE_KINDS: Mapping[str, ExerciseKind] = {kind.name: kind for kind in _ALL}
"""Every kind by its name, in the order in which they are learnt."""


def exercise(kind: str, data: Dataset, seed: int = 0) -> Exercise:
    """An exercise of a kind on a table for sums by hand (see `by_hand`); the same seed gives the same exercise.

    Raises InputError for an unknown kind, and where the table has nothing of the kind to ask.

    >>> from explorer import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis", features=["Outlook"])
    >>> print(exercise("gain", data).task)
    Work out the information gain of Outlook for PlayTennis.
    >>> [(cell.symbol, cell.shown) for cell in exercise("gain", data).asked(with_counts=False)][-2:]
    [('H(D|A)', '0.694'), ('gain(A)', '0.247')]
    """
    if kind not in EXERCISE_KINDS:
        names = ", ".join(EXERCISE_KINDS)
        raise InputError(message("There is no exercise '{name}': choose one of {names}.", name=kind, names=names))
    chosen = EXERCISE_KINDS[kind]
    if not chosen.suits(data):
        raise InputError(
            message("The table has no columns for “{label}”. Choose another table or exercise.", label=chosen.label)
        )
    return chosen.make(data, seed)
