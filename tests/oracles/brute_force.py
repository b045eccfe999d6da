"""A decision-tree grower by brute force: every threshold, category and bipartition, gains by definition.

It is the tests' naive peer of the explorer and imports nothing from it. The names are the books': a node has *rows*; a
test sends them down its *branches*; a candidate's *gain* is the fall of the impurity. Weights and numbers are exact
fractions; only entropies are floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from math import fsum, log, log2

TIE = 1e-10  # two scores closer than this (relative) are tied
AVERAGE_SLACK = 1e-9  # relative tolerance of the mean-gain filter
NO_GAIN = 1e-12  # a gain below this share of the impurity is no gain

Rows = tuple[int, ...]


@dataclass(frozen=True)
class TrainingColumn:
    """A feature: its values in row order (None = missing), and its categories in order (None = numeric)."""

    name: str
    values: tuple
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Sample:
    """A training table; ``classes`` is None when the target is a number."""

    columns: tuple[TrainingColumn, ...]
    target: tuple
    weights: tuple[Fraction, ...]
    classes: tuple[str, ...] | None

    @property
    def rows(self) -> Rows:
        """The rows that count: those of positive weight."""
        return tuple(row for row in range(len(self.target)) if self.weights[row] > 0)


@dataclass(frozen=True)
class GrowParameters:
    """The settings of one run, under the names that the explorer's recipe gives them."""

    impurity: str = "gini"
    score: str = "decrease"
    mean_gain_filter: str = "at_least"
    release8_penalty: bool = False
    categorical: str = "subset"
    threshold_at: str = "midpoint"
    missing: str = "most_common"
    max_depth: int | None = None
    min_rows_split: float = 2.0
    min_rows_leaf: float | None = None
    min_rows_in: str = "every"
    min_score: float | None = None
    stop_at_one_feature: bool = False
    empty_branches: bool = False


@dataclass(frozen=True)
class Candidate:
    """One test of one column at one node: the rows of each branch, and what the test is worth."""

    column: int
    threshold: float | None
    branches: tuple[tuple[str, ...], ...]
    parts: tuple[Rows, ...]
    gain: float
    split_info: float
    admissible: bool

    @property
    def partition(self) -> frozenset[frozenset[int]]:
        """The non-empty groups of rows, whichever branch they are called by."""
        return frozenset(frozenset(part) for part in self.parts if part)


@dataclass(frozen=True)
class Verdict:
    """What a node does: all candidates, the best one of each column, and the winner (None: a leaf, for this reason)."""

    candidates: tuple[Candidate, ...]
    best: dict[int, Candidate]
    scores: dict[int, float]
    winner: Candidate | None
    reason: str | None
    mean_gain: float | None
    many_values: frozenset[int]


@dataclass(frozen=True)
class Grown:
    """A node of the grown tree; an empty branch is a leaf without rows."""

    rows: Rows
    verdict: Verdict | None
    children: tuple[Grown, ...] = ()

    def leaves(self) -> int:
        """The number of leaves at and under this node."""
        return sum(child.leaves() for child in self.children) or 1


# -- what a group of rows is worth -----------------------------------------------------------------------------------


def weight_of(sample: Sample, rows: Rows) -> Fraction:
    """The weight of some rows."""
    return sum((sample.weights[row] for row in rows), Fraction(0))


def class_weights(sample: Sample, rows: Rows) -> list[Fraction]:
    """The weight of every class among some rows."""
    return [weight_of(sample, tuple(r for r in rows if sample.target[r] == c)) for c in sample.classes or ()]


def mean_of(sample: Sample, rows: Rows) -> Fraction:
    """The weighted mean of a numeric target."""
    return sum(sample.weights[r] * Fraction(sample.target[r]) for r in rows) / weight_of(sample, rows)


def entropy_of(shares: list[Fraction]) -> float:
    """Entropy in bits: −Σ p·log2 p with 0·log 0 = 0."""
    return -fsum(float(p) * log2(p) for p in shares if p > 0)


def impurity_of(sample: Sample, rows: Rows, kind: str) -> Fraction | float:
    """The impurity of some rows by its definition; exact unless it is an entropy."""
    total = weight_of(sample, rows)
    if kind == "variance":
        mean = mean_of(sample, rows)
        return sum(sample.weights[r] * (Fraction(sample.target[r]) - mean) ** 2 for r in rows) / total
    if kind in ("absolute_error", "quantile"):
        over, under = {"absolute_error": (1, 1), "quantile": (Fraction(9, 10), Fraction(1, 10))}[kind]
        return min(loss_from(sample, rows, sample.target[row], over, under) for row in rows) / total
    if kind == "poisson":
        mean = float(mean_of(sample, rows))
        return fsum(
            float(sample.weights[r]) * (sample.target[r] * log(sample.target[r] / mean) if sample.target[r] else 0.0)
            for r in rows
        ) / float(total)  # fmt: skip
    shares = [weight / total for weight in class_weights(sample, rows)]
    if kind == "entropy":
        return entropy_of(shares)
    return 1 - sum(p * p for p in shares) if kind == "gini" else 1 - max(shares)


def loss_from(sample: Sample, rows: Rows, predicted: float, over, under) -> Fraction:
    """What predicting one number for all rows costs, at so much for each unit that the target lies above or below."""
    distances = [(sample.weights[row], Fraction(sample.target[row]) - Fraction(predicted)) for row in rows]
    return sum((weight * (over * d if d > 0 else -under * d) for weight, d in distances), Fraction(0))


def gain_of(sample: Sample, rows: Rows, parts: tuple[Rows, ...], kind: str) -> float:
    """Impurity of the node − Σ share of the branch × impurity of the branch; what is no gain is 0."""
    whole, total = impurity_of(sample, rows, kind), weight_of(sample, rows)
    terms = [weight_of(sample, part) / total * impurity_of(sample, part, kind) for part in parts if part]
    exact = all(isinstance(number, Fraction) for number in [whole, *terms])
    gain = float(whole - sum(terms)) if exact else fsum([float(whole), *(-float(term) for term in terms)])
    return gain if abs(gain) > NO_GAIN * float(whole) else 0.0


# -- the candidates of a column --------------------------------------------------------------------------------------


def most_common(sample: Sample, column: TrainingColumn, rows: Rows):
    """The imputed value of a missing cell: the heaviest category (ties: the earliest), or the weighted median."""
    known = [row for row in rows if column.values[row] is not None]
    if not known:
        return None
    if column.categories is not None:
        weight = {c: weight_of(sample, tuple(r for r in known if column.values[r] == c)) for c in column.categories}
        return max(column.categories, key=weight.__getitem__)
    return weighted_median([(column.values[row], sample.weights[row]) for row in known])


def weighted_median(pairs: list[tuple[float, Fraction]]) -> float:
    """The middle value by weight; where the halves meet exactly between two values, their mean."""
    values, half, below = sorted({value for value, _ in pairs}), sum(w for _, w in pairs) / 2, Fraction(0)
    for lower, upper in zip(values, [*values[1:], values[-1]], strict=True):
        below += sum(weight for value, weight in pairs if value == lower)
        if below >= half:
            return lower if below > half else decimal_middle(lower, upper)
    raise AssertionError("the weights of the rows sum to nothing")


def decimal_middle(a: float, b: float) -> float:
    """Halfway between a < b as decimals: the middle to 15 digits of the larger, where only rounding differs."""
    middle, larger = a + (b - a) / 2, max(abs(a), abs(b))
    short = round(Decimal(middle), 14 - Decimal(larger).adjusted())
    is_rounding = abs(short - Decimal(middle)) <= Decimal(4 * 2.0**-52 * larger)
    return float(short) if is_rounding and a <= float(short) < b else middle


def place_threshold(column: TrainingColumn, trained_on: Rows, a: float, b: float, where: str) -> float:
    """The threshold between adjacent values a < b: their midpoint (never b), a itself, or Quinlan's observed value."""
    middle = a + (b - a) / 2
    if middle >= b or where == "observed":
        return a
    if where == "midpoint":
        return decimal_middle(a, b)
    return max(column.values[r] for r in trained_on if column.values[r] is not None and column.values[r] <= middle)


def thresholds(column: TrainingColumn, trained_on: Rows, rows: Rows, where: str) -> list[float]:
    """Every threshold between adjacent known values of a numeric column at a node."""
    seen = sorted({column.values[row] for row in rows if column.values[row] is not None})
    return [place_threshold(column, trained_on, a, b, where) for a, b in pairwise(seen)]


def groupings(present: list[str], kind: str) -> list[tuple[tuple[str, ...], ...]]:
    """Every grouping of the categories present; of two mirrored ones that whose first group has the first category."""
    if kind == "each_value":
        return [tuple((category,) for category in present)]
    if kind == "one_vs_rest":
        lefts = [present[:1], *([c for c in present if c != single] for single in present[1:] if len(present) > 2)]
    else:
        sizes = range(1, len(present))
        lefts = [list(left) for size in sizes for left in combinations(present, size) if left[0] == present[0]]
    return [(tuple(left), tuple(c for c in present if c not in left)) for left in lefts]


def cells(sample: Sample, column: TrainingColumn, rows: Rows) -> dict[int, object]:
    """The value of every row at a node, missing ones filled in."""
    fill = most_common(sample, column, rows)
    return {row: fill if column.values[row] is None else column.values[row] for row in rows}


def candidates_of(
    sample: Sample, trained_on: Rows, rows: Rows, number: int, parameters: GrowParameters
) -> list[Candidate]:
    """All candidates of one column at a node, in order: lower thresholds and earlier groups first."""
    column = sample.columns[number]
    value = cells(sample, column, rows)
    if column.categories is None:
        cuts = thresholds(column, trained_on, rows, parameters.threshold_at)
        halves = [(tuple(r for r in rows if value[r] <= t), tuple(r for r in rows if value[r] > t)) for t in cuts]
        candidates = [
            measure(sample, rows, number, t, (), parts, parameters) for t, parts in zip(cuts, halves, strict=True)
        ]
        return penalise(sample, rows, candidates) if parameters.release8_penalty else candidates
    present = [c for c in column.categories if any(column.values[row] == c for row in rows)]
    listed = present
    if parameters.categorical == "each_value" and parameters.empty_branches:
        listed = [c for c in column.categories if any(column.values[row] == c for row in trained_on)]
    candidates = []
    for groups in groupings(listed, parameters.categorical) if len(present) > 1 else []:
        parts = tuple(tuple(row for row in rows if value[row] in group) for group in groups)
        candidates.append(measure(sample, rows, number, None, groups, parts, parameters))
    return candidates


def measure(sample, rows, number, threshold, groups, parts, parameters) -> Candidate:
    """A candidate with its numbers, from the rows of its branches."""
    total = weight_of(sample, rows)
    shares = [weight_of(sample, part) / total for part in parts]
    admissible = is_admissible(sample, sample.columns[number], parts, parameters)
    gain = gain_of(sample, rows, parts, parameters.impurity)
    return Candidate(number, threshold, groups, parts, gain, entropy_of(shares), admissible)


def is_admissible(sample: Sample, column: TrainingColumn, parts: tuple[Rows, ...], parameters: GrowParameters) -> bool:
    """Two branches with rows, and the minimum of known weight in every one of them (or in two)."""
    known = [weight_of(sample, tuple(r for r in part if column.values[r] is not None)) for part in parts if part]
    minimum = parameters.min_rows_leaf or 0
    enough = [weight >= minimum for weight in known]
    return len(known) > 1 and (all(enough) if parameters.min_rows_in == "every" else sum(enough) > 1)


def penalise(sample: Sample, rows: Rows, candidates: list[Candidate]) -> list[Candidate]:
    """Release 8 of C4.5: a column's gains − log2(admissible thresholds) / |D|; what is left must be positive."""
    count = sum(candidate.admissible for candidate in candidates)
    penalty = log2(count) / float(weight_of(sample, rows)) if count else 0.0
    gains = [candidate.gain - penalty for candidate in candidates]
    return [
        Candidate(c.column, c.threshold, c.branches, c.parts, gain, c.split_info, c.admissible and gain > 0)
        for c, gain in zip(candidates, gains, strict=True)
    ]


# -- which candidate wins --------------------------------------------------------------------------------------------


def first_of_the_best(numbers: list[float], scale: float) -> int:
    """The position of the first number that is as good as the largest: the tie rule, in two passes."""
    largest = max(numbers)
    return next(i for i, number in enumerate(numbers) if number >= largest - TIE * max(abs(largest), scale))


def decide(
    sample: Sample, trained_on: Rows, rows: Rows, free: tuple[int, ...], depth: int, parameters: GrowParameters
) -> Verdict:
    """What the node with these rows does, when the columns ``free`` may still be used."""
    candidates = [c for number in free for c in candidates_of(sample, trained_on, rows, number, parameters)]
    impurity = float(impurity_of(sample, rows, parameters.impurity))
    best = {}
    for number in free:
        admissible = [c for c in candidates if c.column == number and c.admissible]
        if admissible:
            best[number] = admissible[first_of_the_best([c.gain for c in admissible], impurity)]
    many_values = many_valued(sample, trained_on, parameters)
    scores, mean = score_all(best, many_values, parameters)
    reason = stop_before(sample, rows, free, depth, parameters) or stop_after(scores, parameters)
    scale = 0.0 if parameters.score == "gain_ratio" else impurity
    winner = None if reason else best[list(scores)[first_of_the_best(list(scores.values()), scale)]]
    return Verdict(tuple(candidates), best, scores, winner, reason, mean, many_values)


def many_valued(sample: Sample, trained_on: Rows, parameters: GrowParameters) -> frozenset[int]:
    """The columns that C4.5 leaves out of the mean: a branch for each of 0.3·n values or more, unless all are such."""
    n_values = {
        number: len({column.values[row] for row in trained_on} - {None})
        for number, column in enumerate(sample.columns)
        if column.categories is not None and parameters.categorical == "each_value"
    }
    size = max(weight_of(sample, trained_on), len(trained_on))
    many = {number for number, count in n_values.items() if count >= Fraction(3, 10) * size}
    return frozenset(many if len(many) < len(sample.columns) else ())


def score_all(
    best: dict[int, Candidate], many: frozenset[int], parameters: GrowParameters
) -> tuple[dict[int, float], float | None]:
    """The score of every column that may compete, and the mean gain under a mean-gain filter."""
    if parameters.score != "gain_ratio":
        return {number: c.gain for number, c in best.items()}, None
    rated = {number: c for number, c in best.items() if c.split_info > 0}
    gains = [c.gain for number, c in rated.items() if number not in many]
    mean = fsum(gains) / len(gains) if gains else None
    passing = {n: c for n, c in rated.items() if passes_mean(c.gain, mean, parameters.mean_gain_filter)}
    return {n: c.gain / c.split_info for n, c in passing.items()}, mean


def passes_mean(gain: float, mean: float | None, mode: str) -> bool:
    """The mean-gain filter of C4.5: at least the mean (with a slack for rounding), strictly above it, or off."""
    if mode == "off":
        return True
    if mean is None:
        return False
    return gain >= mean - AVERAGE_SLACK * abs(mean) if mode == "at_least" else gain > mean + NO_GAIN * abs(mean)


def stop_before(
    sample: Sample, rows: Rows, free: tuple[int, ...], depth: int, parameters: GrowParameters
) -> str | None:
    """Why a node is a leaf before its candidates are looked at, the first reason in order."""
    if len({sample.target[row] for row in rows}) == 1:
        return "pure"
    if not free or (parameters.stop_at_one_feature and len(free) == 1):
        return "no feature left"
    if weight_of(sample, rows) < parameters.min_rows_split:
        return "too few rows"
    return "depth" if parameters.max_depth is not None and depth >= parameters.max_depth else None


def stop_after(scores: dict[int, float], parameters: GrowParameters) -> str | None:
    """Why a node is a leaf although it has candidates."""
    if not scores:
        return "no admissible candidate"
    return "score" if parameters.min_score is not None and max(scores.values()) < parameters.min_score else None


def training_rows(sample: Sample, parameters: GrowParameters) -> Rows:
    """The rows that grow the tree: under "drop" those with no missing cell."""
    if parameters.missing != "drop":
        return sample.rows
    return tuple(r for r in sample.rows if all(column.values[r] is not None for column in sample.columns))


def grow(sample: Sample, parameters: GrowParameters) -> Grown:
    """The whole tree, from the root down."""
    trained_on = training_rows(sample, parameters)
    free = tuple(i for i, c in enumerate(sample.columns) if any(c.values[row] is not None for row in trained_on))
    return grow_node(sample, trained_on, trained_on, free, 0, parameters)


def grow_node(sample, trained_on, rows, free, depth, parameters) -> Grown:
    """A node and everything under it."""
    if not rows:
        return Grown((), None)
    verdict = decide(sample, trained_on, rows, free, depth, parameters)
    if verdict.winner is None:
        return Grown(rows, verdict)
    used_up = (
        {verdict.winner.column} if len(verdict.winner.branches) and parameters.categorical == "each_value" else set()
    )
    left = tuple(number for number in free if number not in used_up)
    parts = verdict.winner.parts
    return Grown(rows, verdict, tuple(grow_node(sample, trained_on, p, left, depth + 1, parameters) for p in parts))
