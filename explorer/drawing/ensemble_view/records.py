"""The picture of an ensemble as records of plain numbers; a page or a notebook builds them, `payload.py` packs them.

*Stage* k = 0 … M is the ensemble of the first k rounds; stage 0 has no tree. Arrays over the stages have M + 1 rows,
the first for stage 0; arrays over the rounds have M rows, the first for round 1. A round has one member, or one per
class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from explorer.drawing.thumbnail import Thumbnail

Array = NDArray[Any]

MOST_ROWS = 2000
"""A picture shows the weights of at most this many rows; a larger table gives a sample of them."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The score at every stage [M + 1] on the rows `of`; NaN where a stage has none (out-of-bag rows at stage 0)."""

    of: Literal["training", "validation", "oob"]
    values: Array


@dataclass(frozen=True)
class Baseline:
    """A score without stages, drawn as a level line: of the constant, of the single tree, of the pruned tree."""

    of: Literal["constant", "tree", "pruned_tree"]
    value: float


@dataclass(frozen=True)
class RoundFacts:
    """The numbers of a round as a line of the table: heading → text, such as {"ε": "0.3000", "α": "0.4236"}.

    The headings of all rounds make the columns, in the order in which they first occur.
    """

    stage: int
    texts: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class MemberPicture:
    """A member as a small tree: its round (from 1) and its vote.

    `title` is one line about it for the pointer and for screen readers; `of_class` is the class whose score it adds to,
    where a round has a tree per class, and `test` that of the root, "" for a leaf.
    """

    thumbnail: Thumbnail
    stage: int
    vote: float
    title: str = ""
    of_class: int | None = None
    test: str = ""


@dataclass(frozen=True, eq=False)
class Scatter:
    """Rows on one numeric feature with the fit of every stage as a staircase: x [n] and y [n] (at most `MOST_ROWS`).

    `edges` [g + 1] are the ends of the intervals in which every fit is constant, ascending; `fitted` [M + 1, g]. On the
    right stand the `targets` [M + 1, n] that the next tree is grown on (residuals or negative gradients at stage k; the
    last row may be NaN) with that tree's `answers` [M, g]: row k is what member k + 1 answers, before ν. `target_name`
    names them. For two classes, y is 0 or 1 and `fitted` the probability of class 1.
    """

    feature: str
    target: str
    x: Array
    y: Array
    edges: Array
    fitted: Array
    targets: Array | None = None
    answers: Array | None = None
    target_name: str = ""
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class VoteLine:
    """Rows of classes on one numeric feature, under a running vote: x [n], class codes [n], and intervals as `Scatter`.

    `votes` [M + 1, K, g] is the sum of the votes for each class. For two classes the view draws the difference f(x),
    positive where class 1 leads. `answers` [M, g] is the class that the round's member predicts. The rows are those of
    `RowWeights`, in its order: weights and misclassified rows come from there.
    """

    feature: str
    x: Array
    classes_of_rows: Array
    edges: Array
    votes: Array
    answers: Array


@dataclass(frozen=True, eq=False)
class Regions:
    """Predictions over two numeric features, as a grid of cells: x and y ascend, `codes` [M + 1, ny · nx] row by row.

    For classes `codes` are class codes and `certainty` [M + 1, ny · nx], 0 to 255, is the share (or normalised margin)
    of that class: cells fade with it. For numbers `codes` are 0 … 255 between `value_range`. The grid covers
    [x_range] × [y_range]; points are rows with their class codes or numbers.
    """

    x_feature: str
    y_feature: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    n_x: int
    n_y: int
    codes: Array
    x: Array
    y: Array
    values: Array
    certainty: Array | None = None
    value_range: tuple[float, float] | None = None
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class RowWeights:
    """The weights [M, n] that every round's member was grown on, and the rows [M, n] that it misclassifies.

    `rows` [n] are the rows' numbers in the training set, in any order that helps (the view groups them by class);
    `labels` name them for the reader, `classes_of_rows` [n] are class codes. Row weight 0: not drawn, or dropped.
    Where the members answer numbers, `wrong` are the rows that the stage misclassifies. `n_of_class` [K] are the rows
    of each class in the training set, of which these are some. `are_drawn`: a weight is how often the row was drawn.
    """

    rows: Array
    labels: Sequence[str]
    weights: Array
    wrong: Array
    classes_of_rows: Array | None = None
    n_of_class: Sequence[int] = ()
    are_drawn: bool = False


@dataclass(frozen=True, eq=False)
class Margins:
    """A histogram of the margins at every stage: `edges` [b + 1] from −1 to 1, `counts` [M + 1, b], `mean` [M + 1]."""

    edges: Array
    counts: Array
    mean: Array


@dataclass(frozen=True, eq=False)
class EnsemblePicture:
    """What the view shows of an ensemble; a part that is None or empty has no place in it.

    `method` is the name of the method in words, `classes` are empty for a numeric target. `is_share`: scores are shares
    (accuracy) and shown in per cent. `numeric_members`: the members answer numbers, though the target has classes.
    """

    method: str
    n_stages: int
    classes: Sequence[str]
    score_name: str
    higher_is_better: bool
    curves: tuple[Curve, ...]
    baselines: tuple[Baseline, ...] = ()
    is_share: bool = False
    numeric_members: bool = False
    facts: tuple[RoundFacts, ...] = ()
    members: tuple[MemberPicture, ...] = ()
    scatter: Scatter | None = None
    votes: VoteLine | None = None
    regions: Regions | None = None
    weights: RowWeights | None = None
    margins: Margins | None = None


@dataclass(frozen=True, eq=False)
class Waterfall:
    """How the answer for one row adds up: the start, and one number per member (already times ν or α).

    `link` says what the sum is: the prediction itself, the log-odds of `of_class`, or votes for (+) and against (−).
    `actual` is the row's own number, drawn as a line.
    """

    start: float
    values: Array
    link: Literal["identity", "logistic", "votes"] = "identity"
    of_class: str = ""
    actual: float | None = None


@dataclass(frozen=True, eq=False)
class Votes:
    """What every member predicts for one row: class codes or numbers [members], and whether the row was out of bag.

    `margin` [M + 1] is the row's margin at every stage, `actual` its class code or number.
    """

    values: Array
    out_of_bag: Array | None = None
    margin: Array | None = None
    actual: float | None = None


@dataclass(frozen=True, eq=False)
class RowPicture:
    """One row under all members: its number in the training set (−1: another row), and a label for the reader."""

    row: int
    label: str
    waterfall: Waterfall | None = None
    votes: Votes | None = None
