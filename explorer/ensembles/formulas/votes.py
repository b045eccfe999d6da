"""The numbers of a round of AdaBoost or C5.0 with their arithmetic: ε, α, Z and the new weights (sections 19, 20)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.members import Ensemble
from explorer.errors import InputError
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Call, Expression, Number, Quantity, Sum, total
from explorer.explaining.formulas.symbols import Pair
from explorer.messages import message

Floats = NDArray[np.float64]
ONE, TWO = Number(1), Number(2)
HALF = ONE / TWO
MOST_TERMS = 8
"""A sum of more different weights is shown as one number."""
MOST_DENOMINATOR = 1000


def vote_formula(ensemble: Ensemble, member: Member) -> Derivation:
    """How the vote of a member and the next weights come about; weights that fractions can write are fractions.

    Without its training rows, ε is the recorded number. Raises InputError where members do not vote by their error.

    >>> import pandas as pd
    >>> from explorer import CART, adaboost
    >>> frame = pd.DataFrame({"x": range(10), "y": [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]})
    >>> stump, data = CART.replace(impurity="error", max_depth=1), Dataset.from_frame(frame, "y", classes=[-1, 1])
    >>> boosted = adaboost(data, stump, 3, vote="half_log")
    >>> print(*vote_formula(boosted, boosted.members[2]).text.splitlines()[:2], sep="\\n")
    ε = 4·1/22 = 2/11 ≈ 0.182
    α = 1/2·ln((1 − ε)/ε) = 1/2·ln((1 − 4·1/22)/(4·1/22)) ≈ 0.752
    """
    if not has_vote_formula(ensemble, member):
        raise InputError(message("The vote of this tree has no formula: it needs boosting, and its training rows."))
    train = ensemble.train if member.weights is not None else None
    if ensemble.options.get("update") == "c50" and train is not None:
        return _midway(member, train)
    return _by_error(ensemble, member, train)


def has_vote_formula(ensemble: Ensemble, member: Member) -> bool:
    """Whether the member votes by its error, which is recorded; C5.0's needs the training rows, too."""
    has_rows = ensemble.train is not None and member.weights is not None
    needs_rows = ensemble.options.get("update") == "c50"
    return ensemble.method in ("adaboost", "c50") and "epsilon" in member.facts and (has_rows or not needs_rows)


def wrong_rows(member: Member, train: Dataset) -> NDArray[np.bool_]:
    """Which rows with a weight the member misclassifies, [n]."""
    wrong = member.tree.predict_encoded(train) != train.y
    return wrong if member.weights is None else wrong & (member.weights > 0)


def weight_sum(weights: Floats) -> Expression:
    """Σ of row weights, equal ones as count · weight.

    >>> weight_sum(np.array([0.1, 0.1, 0.25])).written(False, False)
    '2·1/10 + 1/4'
    """
    rounded = np.array([float(f"{weight:.12g}") for weight in weights])
    _, first, counts = np.unique(rounded, return_index=True, return_counts=True)
    if len(first) > MOST_TERMS or not len(first):
        return Number(float(weights.sum()))
    values = weights[first]
    terms = [_term(value, int(count)) for value, count in zip(values.tolist(), counts.tolist(), strict=True)]
    return terms[0] if len(terms) == 1 else total(terms)


def _term(weight: float, count: int) -> Expression:
    share = _as_fraction(weight)
    if count == 1:
        return share
    return Number(count) if weight == 1.0 else Number(count) * share


def _as_fraction(weight: float) -> Expression:
    """The weight as a fraction of whole numbers where it is one: 0.1 as 1/10."""
    exact = Number(weight).exact
    if exact is None or exact.denominator == 1 or exact.denominator > MOST_DENOMINATOR:
        return Number(weight)
    return Number(exact.numerator) / Number(exact.denominator)


def _error(member: Member, train: Dataset | None) -> Expression:
    """ε: the weight of the misclassified rows as a share of all; the recorded number without training rows."""
    if train is None or member.weights is None:
        return Number(member.facts["epsilon"])
    whole = float(member.weights.sum())
    wrong_weight = weight_sum(member.weights[wrong_rows(member, train)])
    return wrong_weight if abs(whole - 1.0) < 1e-9 else wrong_weight / Number(round(whole, 9))


def _by_error(ensemble: Ensemble, member: Member, train: Dataset | None) -> Derivation:
    """AdaBoost and Quinlan 1996: everything follows from ε."""
    facts = member.facts
    epsilon = Quantity("ε", r"\varepsilon", _error(member, train))
    formulas = [Formula(epsilon, facts["epsilon"])]
    legend: list[Pair] = [("ε", message("weight of the rows that the tree misclassifies, as a share of all"))]
    if facts["epsilon"] == 0.0:
        remark = message("No row is wrong, so the formula of the vote has no value: this tree ends boosting.")
        return Derivation(tuple(formulas), tuple(legend), (remark,))
    right = ONE - epsilon
    alpha = Quantity("α", r"\alpha", _vote(ensemble, Call("ln", (right / epsilon,))))
    formulas.append(Formula(alpha, facts["alpha"]))
    legend.append(("α", message("the vote of the tree")))
    if _is_plain(ensemble):
        formulas += _plain_update(epsilon, right)
        legend += [
            ("Z", message("sum of the new weights before they are divided by it")),
            ("c₋", message("what the weight of every misclassified row is multiplied by")),
            ("c₊", message("what the weight of every other row is multiplied by")),
        ]
    return Derivation(tuple(formulas), tuple(legend))


def _vote(ensemble: Ensemble, odds: Expression) -> Expression:
    """The vote from ln((1 − ε)/ε)."""
    rate = float(ensemble.options.get("learning_rate", 1.0))  # type: ignore[arg-type]
    meaning: Expression = odds
    if ensemble.options.get("vote") == "half_log":
        meaning = HALF * odds
    elif ensemble.method == "adaboost" and len(ensemble.classes) > 2:
        meaning = Sum(((1, odds), (1, Call("ln", (Number(len(ensemble.classes) - 1),)))))
    return meaning if rate == 1.0 else Number(rate) * meaning


def _is_plain(ensemble: Ensemble) -> bool:
    """Whether the update gives wrong and right rows half of the weight each: no learning rate, no SAMME of K > 2."""
    is_samme = ensemble.options.get("vote") == "samme" and len(ensemble.classes) > 2
    return ensemble.options.get("learning_rate", 1.0) == 1.0 and not is_samme


def _plain_update(epsilon: Quantity, right: Expression) -> list[Formula]:
    share = epsilon.value
    z = Quantity("Z", "Z", TWO * Call("sqrt", (epsilon * right,)))
    up = Quantity("c₋", "c_-", ONE / (TWO * epsilon))
    down = Quantity("c₊", "c_+", ONE / (TWO * right))
    values = 2.0 * math.sqrt(share * (1.0 - share)), 0.5 / share, 0.5 / (1.0 - share)
    return [Formula(quantity, value) for quantity, value in zip((z, up, down), values, strict=True)]


def _midway(member: Member, train: Dataset) -> Derivation:
    """C5.0: a quarter of the lead of the right rows is moved to the wrong ones."""
    assert member.weights is not None
    wrong = wrong_rows(member, train)
    right = (member.weights > 0) & ~wrong
    errors = Quantity("Wₑ", "W_e", weight_sum(member.weights[wrong]))
    others = Quantity("Wₒ", "W_o", weight_sum(member.weights[right]))
    count = Quantity("E", "E", Number(int(wrong.sum())))
    moved = Quantity("x", "x", ONE / Number(4) * (others - errors))
    formulas = [errors, others, count, moved]
    legend = [
        ("Wₑ", message("weight of the rows that the tree misclassifies")),
        ("Wₒ", message("weight of the other rows")),
        ("E", message("number of rows that the tree misclassifies")),
        ("x", message("weight that is moved to them")),
    ]
    if wrong.any():
        formulas += [
            Quantity("c₊", "c_+", (others - moved) / others),
            Quantity("a₋", "a_-", moved / count),
        ]
        legend += [
            ("c₊", message("what the weight of every other row is multiplied by")),
            ("a₋", message("what is added to the weight of every misclassified row")),
        ]
    return Derivation(tuple(Formula(quantity, quantity.value) for quantity in formulas), tuple(legend))
