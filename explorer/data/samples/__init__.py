"""Built-in tables: what each shows, its source and its licence."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from explorer.data.read import Table, read_table
from explorer.errors import InputError

_FOLDER = Path(__file__).parent
_TEXTBOOK = "facts from a textbook, no licence stated"
_CC_BY = "CC BY 4.0 (as listed by the UCI repository)"
_CC0 = "CC0 1.0 (public domain)"


@dataclass(frozen=True)
class Sample:
    """A built-in table.

    `story` is an inviting line, `kinds` gives the kinds of ambiguous columns, `features` None leaves the
    choice to `Dataset.from_frame`, which leaves out `left_out` (ids and constants). `rows` and `columns` are counts.
    """

    key: str
    title: str
    story: str
    target: str
    source: str
    licence: str
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
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise InputError(f"There is no sample '{key}'.{hint} Choose one of: {', '.join(SAMPLES)}.")
    return read_table(SAMPLES[key].path)


def _categorical(*columns: str) -> Mapping[str, str]:
    return MappingProxyType(dict.fromkeys(columns, "categorical"))


_ALL = (
    Sample(
        key="play_tennis",
        title="Play tennis?",
        story="Fourteen Saturday mornings, one question: is it a day for tennis? Every textbook starts here.",
        target="PlayTennis",
        source="J. R. Quinlan, Induction of Decision Trees (1986); T. Mitchell, Machine Learning (1997)",
        licence=_TEXTBOOK,
        rows=14,
        columns=6,
        left_out=("Day",),
    ),
    Sample(
        key="play_tennis_noise15",
        title="Play tennis, with one wrong day",
        story="The same fourteen days and one that contradicts them: watch a noisy row grow its own branch.",
        target="PlayTennis",
        source="play_tennis and the noisy example of T. Mitchell, Machine Learning (1997), section 3.7",
        licence=_TEXTBOOK,
        rows=15,
        columns=6,
        left_out=("Day",),
    ),
    Sample(
        key="golf",
        title="Golf, with numbers",
        story="The tennis days again with degrees and per cent: where would you cut the humidity?",
        target="class",
        source="J. R. Quinlan, C4.5: Programs for Machine Learning (1993)",
        licence=_TEXTBOOK,
        rows=14,
        columns=5,
    ),
    Sample(
        key="golf_missing",
        title="Golf, one outlook unknown",
        story="One cell of the golf table is missing: see what a single question mark does to every gain.",
        target="class",
        source="J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter on unknown values",
        licence=_TEXTBOOK,
        rows=14,
        columns=5,
    ),
    Sample(
        key="loan_lihang",
        title="Who gets the loan?",
        story="Fifteen applicants, four questions: two of them are enough. Which two?",
        target="类别",
        source="Li Hang, Statistical Learning Methods, table 5.1",
        licence=_TEXTBOOK,
        rows=15,
        columns=6,
        left_out=("ID",),
    ),
    Sample(
        key="loan_a1a2a3",
        title="Loan, in three letters",
        story="Fifteen loans behind the codes A1, A2 and A3: small enough to prune by hand, step by step.",
        target="Y",
        source="Rebuilt by the authors of this project from printed marginal counts",
        licence=_CC0,
        rows=15,
        columns=4,
        kinds=_categorical("A1", "A2", "Y"),
    ),
    Sample(
        key="mammals",
        title="Is it a mammal?",
        story="Dolphins swim, bats fly, and neither lays an egg: which question finds the mammals?",
        target="哺乳动物",
        source="Rebuilt by the authors of this project from printed information gains",
        licence=_CC0,
        rows=14,
        columns=6,
        left_out=("名称",),
    ),
    Sample(
        key="watermelon_2_0",
        title="Ripe watermelons",
        story="Knock on it, look at its stalk, feel its skin: seventeen melons, which ones are ripe?",
        target="好瓜",
        source="Zhou Zhihua, Machine Learning, table 4.1",
        licence=_TEXTBOOK,
        rows=17,
        columns=8,
        left_out=("编号",),
    ),
    Sample(
        key="watermelon_3_0",
        title="Ripe watermelons, weighed",
        story="The same melons with density and sugar measured: words and numbers compete for the first cut.",
        target="好瓜",
        source="Zhou Zhihua, Machine Learning, table 4.3",
        licence=_TEXTBOOK,
        rows=17,
        columns=10,
        left_out=("编号",),
    ),
    Sample(
        key="temperature6",
        title="Six temperatures",
        story="Six days, one number each: the smallest table on which a threshold can be found with pencil and paper.",
        target="PlayTennis",
        source="T. Mitchell, Machine Learning (1997), section 3.7",
        licence=_TEXTBOOK,
        rows=6,
        columns=2,
        features=("Temperature",),
    ),
    Sample(
        key="lihang_8_2_regression",
        title="Ten points to predict",
        story="Ten points on a line: cut it once, cut it twice, and watch the staircase approach them.",
        target="y",
        source="Li Hang, Statistical Learning Methods, table 8.2",
        licence=_TEXTBOOK,
        rows=10,
        columns=2,
        features=("x",),
        kinds=MappingProxyType({"x": "numeric", "y": "numeric"}),
    ),
    Sample(
        key="iris",
        title="Three irises",
        story="Four measurements tell three flowers apart: the first cut gets one species entirely right.",
        target="class",
        source="R. A. Fisher (1936), UCI Machine Learning Repository",
        licence=_CC_BY,
        rows=150,
        columns=5,
        group="real",
    ),
    Sample(
        key="penguins",
        title="Penguins of the Palmer Archipelago",
        story="Bills, flippers and islands: name the species of 344 penguins, some of them not fully measured.",
        target="species",
        source="A. Horst, A. Hill and K. Gorman, palmerpenguins; copy of the seaborn project",
        licence=_CC0,
        rows=344,
        columns=7,
        group="real",
    ),
    Sample(
        key="titanic",
        title="Who survived the Titanic?",
        story="Women and children first? 891 passengers, and many of their ages are unknown.",
        target="survived",
        source="Encyclopedia Titanica and Kaggle; copy of the seaborn project",
        licence="the source states no licence",
        rows=891,
        columns=11,
        left_out=("name", "ticket", "cabin"),
        kinds=_categorical("survived"),
        group="real",
    ),
    Sample(
        key="vote",
        title="Sixteen votes in Congress",
        story="Tell a representative's party from sixteen votes of 1984: one question already does most of it.",
        target="party",
        source="Congressional Quarterly Almanac (1984), UCI Machine Learning Repository",
        licence=_CC_BY,
        rows=435,
        columns=17,
        group="real",
    ),
    Sample(
        key="car",
        title="Which car to buy?",
        story="1,728 cars rated by a hidden set of rules: can the tree find them again?",
        target="class",
        source="M. Bohanec, Car Evaluation, UCI Machine Learning Repository",
        licence=_CC_BY,
        rows=1728,
        columns=7,
        group="real",
    ),
    Sample(
        key="mushroom",
        title="Edible or poisonous?",
        story="8,124 mushrooms, and one good sniff is nearly all it takes. Do not try this outdoors.",
        target="class",
        source="The Audubon Society Field Guide (1981), UCI Machine Learning Repository",
        licence=_CC_BY,
        rows=8124,
        columns=23,
        left_out=("veil-type",),
        group="real",
    ),
    Sample(
        key="credit_g",
        title="German credit",
        story="Good or bad risk? Caution: personal_status (which holds the sex) and foreign_worker are among the "
        "columns; a bank must not decide by them. Try it with and without.",
        target="class",
        source="H. Hofmann, Statlog German Credit, UCI Machine Learning Repository",
        licence=_CC_BY,
        rows=1000,
        columns=21,
        group="real",
    ),
    Sample(
        key="auto_mpg",
        title="Miles per gallon",
        story="398 cars of the seventies: predict a number, how far they get on a gallon.",
        target="mpg",
        source="R. Quinlan, Auto MPG, UCI Machine Learning Repository; copy of the seaborn project",
        licence=_CC_BY,
        rows=398,
        columns=9,
        left_out=("name",),
        kinds=MappingProxyType({"mpg": "numeric"}),
        group="real",
    ),
    Sample(
        key="seed004_random",
        title="Pure chance",
        story="A hundred rows of random numbers: there is nothing to learn, and the full tree learns it by heart.",
        target="y",
        source="Generated with numpy's RandomState(42)",
        licence=_CC0,
        rows=100,
        columns=5,
        kinds=_categorical("y"),
        group="generated",
    ),
    Sample(
        key="fixed_alpha",
        title="A price that backfires",
        story="Nine rows on which the per_node risk gives a larger tree for a larger α: why the risk must be weighted.",
        target="y",
        source="Made by the authors of this project",
        licence=_CC0,
        rows=9,
        columns=3,
        kinds=_categorical("A", "B", "y"),
        group="generated",
    ),
)

SAMPLES: Mapping[str, Sample] = MappingProxyType({sample.key: sample for sample in _ALL})
"""Every sample by its key, in the order a gallery shows them; play_tennis comes first."""
