"""A rule, and a list of rules that predicts rows (DEFINITIONS section 13)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.explaining.node_rule import Term, conjunction
from explorer.explaining.rules.matching import Rows, Step
from explorer.formatting import amount, number, percent, rows_or_weight, spread, visible
from explorer.messages import message
from explorer.recipe.missing import POLICIES
from explorer.tree.leaf_mixture import named, predictions_of_shares
from explorer.tree.tree import Tree
from explorer.values import Value

Floats = NDArray[np.float64]


def all_other_rows() -> str:
    """The condition of the default rule."""
    return message("all other rows")


@dataclass(frozen=True)
class Rule:
    """If all `terms` hold, then `prediction`.

    `stats` are the class weights, or (W, mean, M2), of the rows that the rule was evaluated on. `shares` are its
    predicted class probabilities (none for numbers), `leaves` the nodes it was made from. A rule for rows that stop
    above the leaves has the reason in `stop`. `accuracy` is the estimate that post-pruning sorts by, `steps` are the
    tree's tests from which the terms are made.
    """

    terms: tuple[Term, ...]
    prediction: Value
    weight: float
    stats: tuple[float, ...]
    shares: tuple[float, ...]
    leaves: tuple[int, ...]
    steps: tuple[Step, ...] = field(default=(), repr=False)
    code: int = field(default=-1, repr=False)
    """Index of the prediction among the classes; −1 for numbers."""
    stop: str | None = None
    accuracy: float | None = None
    lower_bound: float | None = None
    """The accuracy that the rule has at least, by C4.5's upper limit of its error (section 13); None for numbers."""
    has_mean: bool = True
    """Whether a predicted number is the mean of the rows; not so where `Tree.with_predictions` replaced it."""
    counts_rows: bool = True
    """Whether amounts are numbers of rows (see `Tree.counts_rows`)."""
    action: str = ""
    """What to do with its rows (`Tree.with_actions`)."""

    @property
    def leaf(self) -> int:
        """The node that the rule was made from, the first of several."""
        return self.leaves[0]

    @property
    def confidence(self) -> float | None:
        """The share of the predicted class; None for numbers."""
        return None if self.code < 0 else self.shares[self.code]

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the numbers in its rows; None for classes, and without rows or their mean."""
        if self.code >= 0 or not self.has_mean or not self.weight:
            return None
        return math.sqrt(max(self.stats[2], 0.0) / self.weight)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of the rule, in words."""
        words = tuple(term.words for term in self.terms)
        return words if self.stop is None else (*words, self.stop)

    @property
    def words(self) -> str:
        """The conditions in one line; "all rows" without any."""
        return conjunction(self.conditions) or message("all rows")

    def words_with_names(self, longest: int, most_values: int | None = None) -> str:
        """The conditions in one line, with the names of features shortened to so many letters.

        Of a long list of categories only the first `most_values` are named, for a line that is cut before it ends.

        >>> Rule((Term("Temperature at noon", high=20.0),), "No", 3.0, (3.0,), (1.0,), (1,)).words_with_names(12)
        'Temperature… ≤ 20'
        """
        return conjunction(self.conditions_with_names(longest, most_values)) or message("all rows")

    def conditions_with_names(self, longest: int, most_values: int | None = None) -> list[str]:
        """The same conditions one by one; none for all rows."""
        terms = [term.cut(longest, most_values).words for term in self.terms]
        return terms if self.stop is None else [*terms, self.stop]

    @property
    def statement(self) -> str:
        """The rule without the rows behind it."""
        if not self.conditions:
            return message("all rows: {prediction}", prediction=self.prediction)
        return message("if {conditions} then {prediction}", conditions=self.words, prediction=self.prediction)

    @property
    def finding(self) -> str:
        """The prediction, and the rows behind it."""
        behind = rows_or_weight(self.weight, self.counts_rows)
        if self.code < 0:
            mean = number(float(self.prediction))
            if not self.weight:
                return message("{prediction} (no rows)", prediction=mean)
            if not self.has_mean:
                return f"{mean} ({behind})"
            return f"{mean} ± {spread(self.stats[2], self.weight)} ({behind})"
        if not self.weight:
            return message("{prediction} (no rows)", prediction=self.prediction)
        own = self.stats[self.code]
        if not self.counts_rows:
            share = percent(own / self.weight)
            return message("{prediction} ({share} of {weight})", prediction=self.prediction, share=share, weight=behind)
        return message(
            "{prediction} ({own} of {rows}, {share})",
            prediction=self.prediction,
            own=amount(own),
            rows=amount(self.weight),
            share=percent(own / self.weight),
        )

    @property
    def text(self) -> str:
        """The rule as a line, with the rows behind it."""
        finding = self.finding
        if self.accuracy is not None:
            finding = message(
                "{finding}, estimated accuracy {accuracy}", finding=finding, accuracy=percent(self.accuracy)
            )
        if self.action:
            finding = message("{prediction}; action: {action}", prediction=finding, action=self.action)
        if not self.conditions:
            return message("all rows: {prediction}", prediction=finding)
        return message("if {conditions} then {prediction}", conditions=self.words, prediction=finding)


@dataclass(frozen=True, eq=False)
class RuleList:
    """An ordered list of rules; the first rule that a row fulfils predicts it.

    `otherwise` are the rules for rows that stop above the leaves (a value that has no branch), `default` predicts rows
    that fulfil no rule. A row with a missing value fulfils a condition where the tree sends it down that branch. Where
    the tree sends it down several branches (missing="fractional", unseen="fractional"), the row fulfils rules in part.
    If it fulfils no rule wholly, its prediction averages the rules it fulfils in part, each weighted by that part.
    """

    tree: Tree = field(repr=False)
    rules: tuple[Rule, ...]
    default: Rule
    otherwise: tuple[Rule, ...] = ()
    removals: tuple[Removal, ...] = field(default=(), repr=False)
    """The rounds of post-pruning."""
    on_validation: bool = False
    """Whether the rules count validation rows, not training rows."""
    has_missing: bool = False
    """Whether some of the rows counted lack a value that the rules test."""
    left_out: tuple[tuple[Rule, Rule], ...] = field(default=(), repr=False)
    """Pruned rules that can never decide, each with the earlier rule that all of their rows fulfil."""

    def __len__(self) -> int:
        """How many rules there are beside those for all other rows."""
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        """The rules without those for all other rows."""
        return iter(self.rules)

    def __getitem__(self, index: int) -> Rule:
        """The rule at an index."""
        return self.rules[index]

    @property
    def in_order(self) -> tuple[Rule, ...]:
        """All rules in their order, the default last."""
        return (*self.rules, *self.otherwise, self.default)

    @property
    def amount_name(self) -> str:
        """What the rules count: training or validation rows, or their weight."""
        if not self.tree.counts_rows:
            return message("validation weight") if self.on_validation else message("training weight")
        return message("validation rows") if self.on_validation else message("training rows")

    @property
    def missing_note(self) -> str:
        """How rows with missing cells are counted; empty where there are none."""
        return POLICIES[self.tree.recipe.missing].in_rules if self.has_missing else ""

    def has_own_rows(self, rule: Rule) -> bool:
        """Whether the rows of a rule fulfil it: a rule for rows that stop at a node has those of the node."""
        return bool(rule.weight) and rule.stop is None and (rule is not self.default or bool(self.removals))

    def apply(self, rows: pd.DataFrame | Dataset) -> NDArray[np.int64]:
        """The index in `in_order` of the rule that predicts each row, [n]; −1 where several do in part."""
        return self._matched(rows).rule

    def predict(self, rows: pd.DataFrame | Dataset) -> NDArray[Any]:
        """The prediction for each row, [n]: a class in its own type, or a mean."""
        matched = self._matched(rows)
        values = np.array([rule.prediction if self.tree.is_regression else rule.code for rule in self.in_order])
        if self.tree.is_regression:
            return np.where(matched.rule >= 0, values[matched.rule], matched.averaged(values[:, None])[:, 0])
        averaged = predictions_of_shares(matched.averaged(self._shares), self.tree.deciding_costs)
        return named(np.where(matched.rule >= 0, values[matched.rule], averaged), self.tree.classes)

    def predict_proba(self, rows: pd.DataFrame | Dataset) -> Floats:
        """The class probabilities of each row in class order, [n, K]; for classes only."""
        matched = self._matched(rows)
        return np.where((matched.rule >= 0)[:, None], self._shares[matched.rule], matched.averaged(self._shares))

    @property
    def _shares(self) -> Floats:
        return np.array([rule.shares for rule in self.in_order]).reshape(len(self.in_order), -1)

    def _matched(self, rows: pd.DataFrame | Dataset) -> _MatchedRows:
        routed = Rows(self.tree, rows)
        last = len(self.in_order) - 1
        first = np.full(routed.n_rows, last + 1, dtype=np.int64)
        divided: list[tuple[NDArray[np.intp], int, Floats]] = []
        for index, match in routed.matches([rule.steps for rule in self.in_order[:-1]]):
            whole = match.rows[~match.divided]
            first[whole] = np.minimum(first[whole], index)
            if match.divided.any():
                divided.append((match.rows[match.divided], index, match.parts[match.divided]))
        several = np.zeros(routed.n_rows, dtype=bool)
        for positions, _, _ in divided:
            several[positions] = True
        several &= first > last
        return _MatchedRows(np.where(several, -1, np.minimum(first, last)), tuple(divided))

    def formula(self, code: int) -> str:
        """When leaves predict a class, as a disjunction of conjunctions; "" where none, or one without terms, does.

        >>> from explorer import ID3, Dataset, grow, load_sample
        >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
        >>> from explorer.explaining.rules import rules
        >>> rules(tree).formula(1)
        'PlayTennis = Yes ⇔ (Outlook = Sunny ∧ Humidity = Normal) ∨ Outlook = Overcast ∨ (Outlook = Rain ∧ Wind = Weak)'
        """
        cases = [rule.conditions for rule in self.rules if rule.code == code]
        if not all(cases):
            return ""
        joined = [case[0] if len(case) == 1 else f"({' ∧ '.join(case)})" for case in cases]
        return f"{self.tree.target} = {self.tree.classes[code]} ⇔ {' ∨ '.join(joined)}" if joined else ""

    def to_text(self, only: Sequence[Rule] | None = None) -> str:
        """A line per rule, control characters made visible; the default; how missing cells count, and what decides.

        Of `only` some rules, in the order given. Rules pruned one by one stand in the order that decides, with their
        numbers in the list, after a line that says so. A rule without rows of its own has no counts.

        >>> from explorer import ID3, Dataset, grow, load_sample
        >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
        >>> from explorer.explaining.rules import rules
        >>> print(rules(tree).to_text().splitlines()[0])
        if Outlook = Sunny and Humidity = High then No (3 of 3, 100 %)
        """
        place = {id(rule): position for position, rule in enumerate(self.in_order, 1)}
        listed = self.in_order if only is None else tuple(only)
        if self.removals:
            listed = tuple(sorted(listed, key=lambda rule: place[id(rule)]))
        lines = [self._line(rule) for rule in listed]
        if self.removals:
            lines = [f"#{place[id(rule)]} {line}" for rule, line in zip(listed, lines, strict=True)]
            first = message("A row is predicted by the first rule that it fulfils, in the order of the numbers.")
            lines = [first, "", *lines]
        decided = "" if self.tree.decision is None else self.tree.decision.sentence
        notes = [note for note in (self.missing_note, decided) if note]
        return "\n".join(map(visible, (*lines, *([""] if notes else []), *notes)))

    def _line(self, rule: Rule) -> str:
        """A rule as a line, without the counts of rows that do not fulfil it."""
        counted = rule if self.has_own_rows(rule) else replace(rule, weight=0.0)
        return (
            message("all other rows: {prediction}", prediction=counted.finding)
            if rule is self.default
            else counted.text
        )

    def to_frame(self, hits: Mapping[Rule, tuple[float, float]] = MappingProxyType({})) -> pd.DataFrame:
        """The rules as a table: conditions, prediction, rows, confidence, lower bound, rows per class, leaf.

        Before the leaf stands the estimated accuracy of rules that were pruned, and the policy for missing cells
        where some of the rows have such. Where weights count no rows, "weight" stands for "rows". Rules without
        rows of their own have no amounts. `hits` are validation rows that each rule predicts, and those of them
        that it predicts rightly (`rule_hits`), or of numbers its mean absolute error there (`rule_errors`). Where
        the tree has actions, "action" is what to do with the rows of a rule; where a threshold or cutoffs decide,
        "decision" says which.
        """
        listed = self.in_order
        amount = f"{'validation' if self.on_validation else 'training'} {'rows' if self.tree.counts_rows else 'weight'}"
        own = [self.has_own_rows(rule) for rule in listed]

        def counted(values: Iterable[float]) -> pd.Series:
            shown = zip(values, listed, own, strict=True)
            return _amounts(value if is_own or not rule.weight else None for value, rule, is_own in shown)

        columns: dict[str, Any] = {
            "rule": [*(rule.words for rule in listed[:-1]), all_other_rows()],
            "prediction": [rule.prediction for rule in listed],
            amount: counted(rule.weight for rule in listed),
        }
        if not self.tree.is_regression:
            shares = (
                ("confidence", [rule.confidence for rule in listed]),
                ("lower bound", [r.lower_bound for r in listed]),
            )
            columns |= {name: np.where(own, np.array(values, dtype=np.float64), np.nan) for name, values in shares}
            for code, name in enumerate(self.tree.classes):
                columns[f"{amount} of {name}"] = counted(rule.stats[code] for rule in listed)
        if any(rule.accuracy is not None for rule in listed):
            columns["estimated accuracy"] = [rule.accuracy for rule in listed]
        if self.tree.is_regression and self.tree.has_deviations:
            columns["standard deviation"] = [
                rule.deviation if is_own else None for rule, is_own in zip(listed, own, strict=True)
            ]
        if hits:
            columns["validation rows"] = _amounts(hits[rule][0] for rule in listed)
            second = "mean absolute error" if self.tree.is_regression else "right validation rows"
            has_none = self.tree.is_regression  # of no rows there is no mean
            columns[second] = _amounts(hits[rule][1] if hits[rule][0] or not has_none else None for rule in listed)
        if self.tree.actions:
            columns["action"] = [rule.action for rule in listed]
        if self.missing_note:
            columns["missing cells"] = [POLICIES[self.tree.recipe.missing].label] * len(listed)
        if self.tree.decision is not None:
            columns["decision"] = [self.tree.decision.sentence] * len(listed)
        return pd.DataFrame({**columns, "leaf": [rule.leaf for rule in listed]})


def _amounts(amounts: Iterable[float | None]) -> pd.Series:
    """Amounts with gaps where there are none; whole numbers where all of them are."""
    series = pd.Series(list(amounts), dtype="float64")
    return series.astype("Int64") if bool((series.dropna() % 1 == 0).all()) else series


@dataclass(frozen=True, eq=False)
class _MatchedRows:
    """The rule that predicts each row, [n], −1 where several do in part; the rows, rule and parts of those that do."""

    rule: NDArray[np.int64]
    divided: tuple[tuple[NDArray[np.intp], int, Floats], ...]

    def averaged(self, values: Floats) -> Floats:
        """The average of the rules' values [rules, m] over those that each row fulfils in part, [n, m]."""
        sums, totals = np.zeros((self.rule.size, values.shape[1])), np.zeros(self.rule.size)
        for positions, index, parts in self.divided:
            sums[positions] += parts[:, None] * values[index]
            totals[positions] += parts
        return np.asarray(sums / np.where(totals > 0, totals, 1.0)[:, None])


@dataclass(frozen=True)
class Estimate:
    """How often a rule is right: among `rows` that fulfil it, `wrong` are of another class (weights of rows)."""

    rows: float
    wrong: float
    accuracy: float

    @property
    def text(self) -> str:
        """The numbers in words."""
        return message(
            "{accuracy} ({wrong} of {rows} misclassified)",
            accuracy=percent(self.accuracy),
            wrong=amount(self.wrong),
            rows=amount(self.rows),
        )


@dataclass(frozen=True)
class Removal:
    """A round of pruning the rule of a leaf: its estimate, those without each of its conditions, and the removed one.

    `removed` is an index into `conditions`, None in the round that ends the rule's pruning.
    """

    leaf: int
    prediction: Value
    conditions: tuple[str, ...]
    before: Estimate
    without: tuple[Estimate, ...]
    removed: int | None

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        trials = ", ".join(
            message("without {condition}: {estimate}", condition=condition, estimate=estimate.text)
            for condition, estimate in zip(self.conditions, self.without, strict=True)
        )
        fields = {
            "leaf": self.leaf,
            "conditions": conjunction(self.conditions),
            "prediction": self.prediction,
            "estimate": self.before.text,
            "trials": trials,
        }
        if self.removed is None:
            return message(
                "Node {leaf}, if {conditions} then {prediction}: {estimate}; {trials}; nothing is removed.", **fields
            )
        return message(
            "Node {leaf}, if {conditions} then {prediction}: {estimate}; {trials}; {removed} is removed.",
            removed=self.conditions[self.removed],
            **fields,
        )
