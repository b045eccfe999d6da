"""Built-in tables: what each shows, its source and its licence."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from explorer.data.read import read_table
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.messages import Worded, listing, message

_FOLDER = Path(__file__).parent


def _textbook() -> str:
    return message("facts from a textbook, no licence stated")


def _cc_by() -> str:
    return message("CC BY 4.0 (as listed by the UCI repository)")


def _cc0() -> str:
    return message("CC0 1.0 (public domain)")


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A built-in table.

    `story` is an inviting line, `kinds` gives the types of ambiguous columns, `features` None leaves the
    choice to `Dataset.from_frame`, which leaves out `left_out` (ids and constants). `rows` and `columns` are counts.
    """

    key: str
    title: Worded = Worded()
    story: Worded = Worded()
    target: str
    source: Worded = Worded()
    licence: Worded = Worded()
    rows: int
    columns: int
    features: tuple[str, ...] | None = None
    left_out: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    group: str = "textbook"
    """One of "textbook", "real" (collected data) and "generated"."""

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.kinds.get(self.target) == "numeric"

    @property
    def path(self) -> Path:
        """Where the CSV file lies."""
        return _FOLDER / f"{self.key}.csv"


def load_sample(key: str) -> Table:
    """Read a built-in table; `InputError` for an unknown key.

    >>> load_sample("play_tennis").frame.shape
    (14, 6)
    """
    if key not in SAMPLES:
        close = difflib.get_close_matches(key, SAMPLES, n=1)
        if close:
            raise InputError(
                message(
                    "There is no sample '{name}': did you mean '{close}'? The samples are {names}.",
                    name=key,
                    close=close[0],
                    names=listing(SAMPLES),
                )
            )
        raise InputError(
            message("There is no sample '{name}': choose one of {names}.", name=key, names=listing(SAMPLES))
        )
    return read_table(SAMPLES[key].path)


def _categorical(*columns: str) -> Mapping[str, str]:
    return MappingProxyType(dict.fromkeys(columns, "categorical"))


_ALL = (
    Sample(
        key="play_tennis",
        title=lambda: message("Play tennis?"),
        story=lambda: message(
            "14 Saturday mornings: does the weather suit tennis? The first example in many textbooks."
        ),
        target="PlayTennis",
        source="J. R. Quinlan, Induction of Decision Trees (1986); T. Mitchell, Machine Learning (1997)",
        licence=_textbook,
        rows=14,
        columns=6,
        left_out=("Day",),
    ),
    Sample(
        key="play_tennis_noise15",
        title=lambda: message("Play tennis, with one wrong day"),
        story=lambda: message(
            "The same 14 days and one that contradicts them: see the tree grow a branch for one noisy row."
        ),
        target="PlayTennis",
        source="play_tennis and the noisy example of T. Mitchell, Machine Learning (1997), section 3.7",
        licence=_textbook,
        rows=15,
        columns=6,
        left_out=("Day",),
    ),
    Sample(
        key="golf",
        title=lambda: message("Golf, with numbers"),
        story=lambda: message(
            "The same days with temperature and humidity as numbers: at which humidity does the tree split?"
        ),
        target="class",
        source="J. R. Quinlan, C4.5: Programs for Machine Learning (1993)",
        licence=_textbook,
        rows=14,
        columns=5,
    ),
    Sample(
        key="golf_missing",
        title=lambda: message("Golf, one outlook unknown"),
        story=lambda: message("The golf table with one missing value: see how it changes every gain."),
        target="class",
        source="J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter on unknown values",
        licence=_textbook,
        rows=14,
        columns=5,
    ),
    Sample(
        key="loan_lihang",
        title=lambda: message("Who gets the loan?"),
        story=lambda: message("15 applicants, four features: two of them are enough. Which two?"),
        target="类别",
        source="Li Hang, Statistical Learning Methods, table 5.1",
        licence=_textbook,
        rows=15,
        columns=6,
        left_out=("ID",),
    ),
    Sample(
        key="loan_a1a2a3",
        title=lambda: message("Loans, with features A1 to A3"),
        story=lambda: message("15 loans with the features A1, A2 and A3: small enough to prune by hand, step by step."),
        target="Y",
        source=lambda: message("Rebuilt by the authors of this project from printed marginal counts"),
        licence=_cc0,
        rows=15,
        columns=4,
        kinds=_categorical("A1", "A2", "Y"),
    ),
    Sample(
        key="mammals",
        title=lambda: message("Is it a mammal?"),
        story=lambda: message("14 animals: which feature separates the mammals from the rest?"),
        target="哺乳动物",
        source=lambda: message("Rebuilt by the authors of this project from printed information gains"),
        licence=_cc0,
        rows=14,
        columns=6,
        left_out=("名称",),
    ),
    Sample(
        key="watermelon_2_0",
        title=lambda: message("Ripe watermelons"),
        story=lambda: message("17 watermelons described by sound, stalk and skin: which ones are ripe?"),
        target="好瓜",
        source="Zhou Zhihua, Machine Learning, table 4.1",
        licence=_textbook,
        rows=17,
        columns=8,
        left_out=("编号",),
    ),
    Sample(
        key="watermelon_3_0",
        title=lambda: message("Ripe watermelons, with numbers"),
        story=lambda: message(
            "The same melons with density and sugar: categories and numbers compete for the first split."
        ),
        target="好瓜",
        source="Zhou Zhihua, Machine Learning, table 4.3",
        licence=_textbook,
        rows=17,
        columns=10,
        left_out=("编号",),
    ),
    Sample(
        key="temperature6",
        title=lambda: message("Six temperatures"),
        story=lambda: message("6 days, one number each: find the threshold with pencil and paper."),
        target="PlayTennis",
        source="T. Mitchell, Machine Learning (1997), section 3.7",
        licence=_textbook,
        rows=6,
        columns=2,
        features=("Temperature",),
    ),
    Sample(
        key="lihang_8_1",
        title=lambda: message("Ten points, two classes"),
        story=lambda: message("10 points that no stump separates: three rounds of AdaBoost do."),
        target="y",
        source="Li Hang, Statistical Learning Methods, table 8.1",
        licence=_textbook,
        rows=10,
        columns=2,
        features=("x",),
        kinds=MappingProxyType({"x": "numeric", "y": "categorical"}),
    ),
    Sample(
        key="lihang_8_2_regression",
        title=lambda: message("Ten points to predict"),
        story=lambda: message("10 points, one feature: each split adds a step to the prediction."),
        target="y",
        source="Li Hang, Statistical Learning Methods, table 8.2",
        licence=_textbook,
        rows=10,
        columns=2,
        features=("x",),
        kinds=MappingProxyType({"x": "numeric", "y": "numeric"}),
    ),
    Sample(
        key="iris",
        title=lambda: message("Three species of iris"),
        story=lambda: message(
            "150 flowers, four measurements: the first split separates one of three species completely."
        ),
        target="class",
        source="R. A. Fisher (1936), UCI Machine Learning Repository",
        licence=_cc_by,
        rows=150,
        columns=5,
        group="real",
    ),
    Sample(
        key="penguins",
        title=lambda: message("Penguins of the Palmer Archipelago"),
        story=lambda: message("344 penguins of three species, some with missing measurements."),
        target="species",
        source="A. Horst, A. Hill and K. Gorman, palmerpenguins; copy of the seaborn project",
        licence=_cc0,
        rows=344,
        columns=7,
        group="real",
    ),
    Sample(
        key="titanic",
        title=lambda: message("Who survived the Titanic?"),
        story=lambda: message("Women and children first? 891 passengers, many of unknown age."),
        target="survived",
        source="Encyclopedia Titanica and Kaggle; copy of the seaborn project",
        licence=lambda: message("the source states no licence"),
        rows=891,
        columns=11,
        left_out=("name", "ticket", "cabin"),
        kinds=_categorical("survived"),
        group="real",
    ),
    Sample(
        key="vote",
        title=lambda: message("Sixteen votes in Congress"),
        story=lambda: message(
            "Predict a representative's party from 16 votes of 1984: one vote already predicts most of them."
        ),
        target="party",
        source="Congressional Quarterly Almanac (1984), UCI Machine Learning Repository",
        licence=_cc_by,
        rows=435,
        columns=17,
        group="real",
    ),
    Sample(
        key="car",
        title=lambda: message("Which car to buy?"),
        story=lambda: message("1,728 cars rated by a set of rules: does the tree find the rules?"),
        target="class",
        source="M. Bohanec, Car Evaluation, UCI Machine Learning Repository",
        licence=_cc_by,
        rows=1728,
        columns=7,
        group="real",
    ),
    Sample(
        key="mushroom",
        title=lambda: message("Edible or poisonous?"),
        story=lambda: message(
            "8,124 mushrooms: the odor alone predicts nearly all of them. Do not rely on it outdoors."
        ),
        target="class",
        source="The Audubon Society Field Guide (1981), UCI Machine Learning Repository",
        licence=_cc_by,
        rows=8124,
        columns=23,
        left_out=("veil-type",),
        group="real",
    ),
    Sample(
        key="credit_g",
        title=lambda: message("German credit"),
        story=lambda: message(
            "Good or bad risk? Caution: personal_status (which holds the sex) and foreign_worker are among the "
            "columns; a bank must not decide by them. Try it with and without."
        ),
        target="class",
        source="H. Hofmann, Statlog German Credit, UCI Machine Learning Repository",
        licence=_cc_by,
        rows=1000,
        columns=21,
        group="real",
    ),
    Sample(
        key="auto_mpg",
        title=lambda: message("Miles per gallon"),
        story=lambda: message("398 cars of the 1970s: predict a number, the miles per gallon."),
        target="mpg",
        source="R. Quinlan, Auto MPG, UCI Machine Learning Repository; copy of the seaborn project",
        licence=_cc_by,
        rows=398,
        columns=9,
        left_out=("name",),
        kinds=MappingProxyType({"mpg": "numeric"}),
        group="real",
    ),
    Sample(
        key="outlier8",
        title=lambda: message("Eight points, one outlier"),
        story=lambda: message("8 points, one of them far off: three losses of boosting answer it differently."),
        target="y",
        source=lambda: message("Made by the authors of this project"),
        licence=_cc0,
        rows=8,
        columns=2,
        features=("x",),
        kinds=MappingProxyType({"x": "numeric", "y": "numeric"}),
        group="generated",
    ),
    Sample(
        key="seed004_random",
        title=lambda: message("Pure chance"),
        story=lambda: message("100 rows of random numbers: there is nothing to learn, and the full tree overfits."),
        target="y",
        source=lambda: message("Generated with numpy's RandomState(42)"),
        licence=_cc0,
        rows=100,
        columns=5,
        kinds=_categorical("y"),
        group="generated",
    ),
    Sample(
        key="xor_six_rows",
        title=lambda: message("ID3 is not shortest"),
        story=lambda: message(
            "6 rows, 4 features: the class is B xor D, but ID3 splits on A first and needs a test more."
        ),
        target="class",
        source=lambda: message("Found by exhaustive search by the authors of this project"),
        licence=_cc0,
        rows=6,
        columns=5,
        kinds=_categorical("A", "B", "C", "D", "class"),
        group="generated",
    ),
    Sample(
        key="depth_against_size",
        title=lambda: message("Least depth or fewest tests?"),
        story=lambda: message("7 rows on which the flattest consistent tree is not the one with the fewest tests."),
        target="class",
        source=lambda: message("Found by random search by the authors of this project"),
        licence=_cc0,
        rows=7,
        columns=5,
        kinds=_categorical("A", "B", "C", "D", "class"),
        group="generated",
    ),
    Sample(
        key="fixed_alpha",
        title=lambda: message("Risk per node: a counterexample"),
        story=lambda: message(
            "9 rows on which the per_node risk gives a larger tree for a larger α: why the risk must be weighted."
        ),
        target="y",
        source=lambda: message("Made by the authors of this project"),
        licence=_cc0,
        rows=9,
        columns=3,
        kinds=_categorical("A", "B", "y"),
        group="generated",
    ),
)

SAMPLES: Mapping[str, Sample] = MappingProxyType({sample.key: sample for sample in _ALL})
"""Every sample by its key, in the order a gallery shows them; play_tennis comes first."""
