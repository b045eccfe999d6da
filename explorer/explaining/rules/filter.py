"""The rules of a list that a filter selects, their order, and how often a list and each of its rules are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.rules.rule import Rule, RuleList
from explorer.messages import listing, message
from explorer.pruning.error_bound import upper_error

Hits = Mapping[Rule, tuple[float, float]]
"""Of rules how many validation rows each predicts, and how many of them rightly."""

_CHANCE = 0.05
"""A shortfall that chance brings in so few samples is one."""

_ORDERS: Mapping[str, Callable[[Rule, Hits], tuple[float, ...]]] = {
    "order": lambda rule, hits: (),
    "reliability": lambda rule, hits: (-(rule.lower_bound or 0.0),),
    "support": lambda rule, hits: (-rule.weight,),
    "confidence": lambda rule, hits: (-(rule.confidence or 0.0),),
    "validation": lambda rule, hits: _by_share(*hits.get(rule, (0.0, 0.0))),
}


def _by_share(predicted: float, right: float) -> tuple[float, ...]:
    """The larger share first, of equal ones that of more rows; last without rows."""
    return (-right / predicted, -predicted) if predicted else (1.0, 0.0)


def pick_rules(
    rule_list: RuleList,
    sort: str = "order",
    code: int | None = None,
    least_rows: float = 0.0,
    least_confidence: float = 0.0,
    search: str = "",
    hits: Hits = MappingProxyType({}),
) -> tuple[Rule, ...]:
    """The rules that predict this class (a code), with enough rows and confidence, and all words of the search text.

    Sorted as in the list ("order"), by the lower bound of their accuracy ("reliability"), by their rows ("support") or
    by "confidence", or by the share of validation rows that they predict rightly ("validation", of `hits`: rows that
    a rule predicts, and those rightly; of equal shares the one of more rows), the largest first. Equal ones stay as in
    the list. Rules for rows that stop above the leaves, and
    the default, come last in every order. The search ignores case. Raises InputError for another order.

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> rule_list = rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> [rule.words for rule in pick_rules(rule_list, "support", code=1, search="rain weak")]
    ['Outlook = Rain and Wind = Weak']
    """
    if sort not in _ORDERS:
        orders = listing(_ORDERS)
        raise InputError(
            message("Rules cannot be sorted by {order!r}. Choose one of {orders}.", order=sort, orders=orders)
        )
    words = search.casefold().split()

    def is_shown(rule: Rule) -> bool:
        if rule.weight < least_rows or not (code is None or rule.code == code):
            return False
        if rule.confidence is not None and rule.confidence < least_confidence:
            return False
        text = rule.statement.casefold() if words else ""  # a statement may list thousands of categories
        return all(word in text for word in words)

    ordered = sorted(rule_list.rules, key=lambda rule: _ORDERS[sort](rule, hits))
    return tuple(filter(is_shown, (*ordered, *rule_list.otherwise, rule_list.default)))


def rules_of_nodes(rule_list: RuleList, nodes: Iterable[int]) -> tuple[Rule, ...]:
    """The rules of nodes where rows end, in the order of these, such as the first leaves of `gains`.

    A node without a rule of its own has none here.

    >>> from explorer import ID3, gains, grow, load_sample, rules
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, ID3.replace(max_depth=1))
    >>> [rule.statement for rule in rules_of_nodes(rules(tree), gains(tree, tennis, 1)["leaf"].head(2))]
    ['if Outlook = Overcast then Yes', 'if Outlook = Rain then Yes']
    """
    by_node: dict[int, Rule] = {}
    for rule in rule_list.in_order[:-1]:
        for node in rule.leaves:
            by_node.setdefault(node, rule)
    return tuple(dict.fromkeys(by_node[int(node)] for node in nodes if int(node) in by_node))


def list_accuracy(rule_list: RuleList, data: Dataset) -> float:
    """Share of the row weight for which a list of rules predicts the true class.

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> list_accuracy(rules(grow(tennis, ID3)), tennis)
    1.0
    """
    return float(np.average(_is_right(rule_list, data), weights=data.weight_of_rows()))


def rule_hits(rule_list: RuleList, data: Dataset) -> NDArray[np.float64]:
    """The row weight that each rule of `in_order` predicts, and how much of it rightly, [rules, 2].

    Rows that several rules predict in part count for none.

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> rule_hits(rules(grow(tennis, ID3)), tennis)[:2].tolist()
    [[3.0, 3.0], [2.0, 2.0]]
    """
    rule, weights, is_right = rule_list.apply(data), data.weight_of_rows(), _is_right(rule_list, data)
    whole, n_rules = rule >= 0, len(rule_list.in_order)
    predicted = np.bincount(rule[whole], weights[whole], n_rules)
    return np.column_stack([predicted, np.bincount(rule[whole], (weights * is_right)[whole], n_rules)])


def rule_errors(rule_list: RuleList, data: Dataset) -> NDArray[np.float64]:
    """Of numbers the row weight that each rule of `in_order` predicts, and its mean absolute error there, [rules, 2].

    The error is 0 without such rows. Rows that several rules predict in part count for none.

    >>> import pandas as pd
    >>> from explorer import CART, grow, rules
    >>> numbers = Dataset.from_frame(pd.DataFrame({"x": [1, 1, 2, 2], "y": [1.0, 3.0, 7.0, 7.0]}), "y", ["x"])
    >>> rule_errors(rules(grow(numbers, CART)), numbers)[:2].tolist()  # the means are 2 and 7
    [[2.0, 1.0], [2.0, 0.0]]
    """
    rule, weights, n_rules = rule_list.apply(data), data.weight_of_rows(), len(rule_list.in_order)
    errors = np.abs(np.asarray(rule_list.predict(data), dtype=np.float64) - data.y)
    whole = rule >= 0
    predicted = np.bincount(rule[whole], weights[whole], n_rules)
    summed = np.bincount(rule[whole], (weights * errors)[whole], n_rules)
    return np.column_stack([predicted, summed / np.where(predicted > 0, predicted, 1.0)])


def is_clearly_below(rule_list: RuleList, rule: Rule, predicted: float, right: float) -> bool:
    """Whether a rule is right on fewer of the rows it predicts than its lower bound says, beyond chance.

    Chance alone makes a rule as accurate as its bound right so rarely in less than 5 % of samples (binomial).

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> rule_list = rules(grow(tennis, ID3))
    >>> rule_list[2].lower_bound  # Overcast, 4 of 4: 0.25^(1/4)
    0.7071067811865476
    >>> [is_clearly_below(rule_list, rule_list[2], 10, right) for right in (4, 5)]  # binomial 0.043 and 0.140
    [True, False]
    """
    if not predicted or not rule_list.tree.counts_rows or not rule_list.has_own_rows(rule):
        return False
    return upper_error(right, predicted, _CHANCE, "binomial") < (rule.lower_bound or 0.0)


def _is_right(rule_list: RuleList, data: Dataset) -> NDArray[np.bool_]:
    """Whether the list predicts the true class of each row, [n]."""
    true_classes = np.array(data.classes, dtype=object)[data.y]
    is_right: NDArray[np.bool_] = true_classes == np.asarray(rule_list.predict(data), dtype=object)
    return is_right
