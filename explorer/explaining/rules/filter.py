"""Which rules of a list are shown, in which order, and how often a list is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.explaining.rules.rule import Rule, RuleList

_ORDERS: Mapping[str, Callable[[Rule], float]] = {
    "order": lambda rule: 0.0,
    "support": lambda rule: -rule.weight,
    "confidence": lambda rule: -(rule.confidence or 0.0),
}


def pick_rules(
    found: RuleList,
    sort: str = "order",
    code: int | None = None,
    least_rows: float = 0.0,
    least_confidence: float = 0.0,
    search: str = "",
) -> tuple[Rule, ...]:
    """The rules with this answer (a class code), so many rows, this confidence and all words of the search text.

    Sorted as they are asked ("order"), by their rows ("support") or by "confidence", the largest first; equal ones as
    they are asked. Rules for rows that stop above the leaves, and the default, come last whatever the order. Upper and
    lower case count alike. Raises InputError for another order.

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> found = rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> [rule.words for rule in pick_rules(found, "support", code=1, search="rain weak")]
    ['Outlook = Rain and Wind = Weak']
    """
    if sort not in _ORDERS:
        raise InputError(f"Rules cannot be sorted by {sort!r}: choose one of {', '.join(_ORDERS)}.")
    words = search.casefold().split()

    def is_shown(rule: Rule) -> bool:
        text = f"{rule.words} then {rule.prediction}".casefold()
        if rule.weight < least_rows or not all(word in text for word in words):
            return False
        return (code is None or rule.code == code) and (rule.confidence is None or rule.confidence >= least_confidence)

    ordered = sorted(found.rules, key=_ORDERS[sort])
    return tuple(filter(is_shown, (*ordered, *found.otherwise, found.default)))


def list_accuracy(found: RuleList, data: Dataset) -> float:
    """Share of the row weight to which a list of rules gives the right class.

    >>> from explorer import ID3, grow, load_sample

    >>> from explorer import rules
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> list_accuracy(rules(grow(tennis, ID3)), tennis)
    1.0
    """
    truth = np.array(data.classes, dtype=object)[data.y]
    return float(np.average(truth == np.asarray(found.predict(data), dtype=object), weights=data.weight_of_rows()))
