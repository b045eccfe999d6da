"""The numbers of one round with their arithmetic: error and vote of a member, a leaf's value, a sample's size."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.ensembles.formulas import step_formula, vote_formula
from explorer.ensembles.members import Ensemble, Member
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import (
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quantity,
    Quotient,
    Sum,
    difference,
    ratio,
)
from explorer.messages import message

_ONE = Number(1)
_HALF = Quotient(_ONE, Number(2))


def round_formula(ensemble: Ensemble, stage: int, row: Dataset | None = None) -> Derivation:
    """How the numbers of a round come about: ε, α and Z; or a leaf's value and F; or how many rows were drawn.

    `row` is one row whose score is followed; without it the largest leaf is shown.
    """
    members = [member for member in ensemble.members if member.stage == stage]
    if ensemble.train is not None and ensemble.method in ("adaboost", "c50"):
        return vote_formula(ensemble, members[0])
    if "epsilon" in members[0].facts and "alpha" in members[0].facts:
        return _vote(ensemble, members[0])
    if ensemble.combination.is_mean:
        return _sample(ensemble, members[0])
    return _step(ensemble, members[0], stage, row)


def _vote(ensemble: Ensemble, member: Member) -> Derivation:
    """The weighted error of the member, and the vote that follows from it."""
    facts = member.facts
    error = Quantity("ε", r"\varepsilon", Number(facts["epsilon"]))
    odds = Call("ln", (Quotient(difference(_ONE, error), error),))
    alpha = Quantity("α", r"\alpha", _vote_of(ensemble, odds))
    formulas = [Formula(error, facts["epsilon"])]
    if facts["epsilon"] > 0:
        formulas.append(Formula(alpha, facts["alpha"]))
    if "z" in facts:
        root = Call("sqrt", (Product((error, difference(_ONE, error))),))
        formulas.append(Formula(Quantity("Z", "Z", Product((Number(2), root))), facts["z"]))
    legend = (
        ("ε", message("weight of the rows that the member misclassifies, as a share of all")),
        ("α", message("the member’s vote")),
        ("Z", message("what the new weights are divided by; the training error is at most the product of all Z")),
    )
    return Derivation(tuple(formulas), legend[: len(formulas)])


def _vote_of(ensemble: Ensemble, odds: Expression) -> Expression:
    """½ ln((1 − ε)/ε), or Zhu's ln((1 − ε)/ε) + ln(K − 1), times the learning rate."""
    rate = Number(float(ensemble.options.get("learning_rate", 1.0)))  # type: ignore[arg-type]
    if ensemble.options.get("vote") == "half_log":
        meaning: Expression = Product((_HALF, odds))
    elif len(ensemble.classes) > 2 and ensemble.method == "adaboost":
        meaning = Sum(((1, odds), (1, Call("ln", (Number(len(ensemble.classes) - 1),)))))
    else:
        meaning = odds
    return meaning if rate.value == 1.0 else Product((rate, meaning))


def _sample(ensemble: Ensemble, member: Member) -> Derivation:
    """How many rows the member did not draw, beside what is expected of a bootstrap."""
    train = ensemble.train
    if train is None or member.weights is None:
        whole = Number(len(ensemble.members))
        vote = Quantity("v", "v", ratio(1, len(ensemble.members)))
        part = message("each member’s part in the mean of {n} members", n=len(ensemble.members))
        return Derivation((Formula(vote, 1 / whole.value),), (("v", part),))
    out, n = int((member.weights == 0).sum()), train.n_rows
    share = Quantity(message("out"), rf"\text{{{message('out')}}}", ratio(out, n))
    expected = Quantity("P", "P", Power(difference(_ONE, ratio(1, n)), Number(n)))
    legend = (
        (message("out"), message("share of the training rows that this member did not draw: its out-of-bag rows")),
        ("P", message("probability that a row is not drawn in {n} draws with replacement; e⁻¹ in the limit", n=n)),
    )
    return Derivation((Formula(share, out / n), Formula(expected, (1 - 1 / n) ** n)), legend)


def _step(ensemble: Ensemble, member: Member, stage: int, row: Dataset | None) -> Derivation:
    """F before, the leaf's value times the learning rate, and F after, for a row or for the largest leaf."""
    tree = member.tree
    followed = row if row is not None else _row_of_largest_leaf(ensemble, member)
    if followed is not None and ensemble.method == "gradient_boosting" and member.target is not None:
        return step_formula(ensemble, member, followed)
    if followed is None:
        rate = Quantity("ν", r"\nu", Number(member.vote))
        return Derivation((Formula(rate, member.vote),), (("ν", message("learning rate")),))
    code = member.of_class or 0
    before = float(ensemble.raw(followed, stage - 1)[0, code])
    answer = float(tree.predict_encoded(followed)[0])
    after = before + member.vote * answer
    value = Quantity("γ", r"\gamma", _leaf_value(ensemble, member, int(tree.apply(followed)[0]), answer))
    earlier = Quantity(f"F{_lowered(stage - 1)}(x)", rf"F_{{{stage - 1}}}(x)", Number(before))
    step = Product((Quantity("ν", r"\nu", Number(member.vote)), value))
    now = Quantity(f"F{_lowered(stage)}(x)", rf"F_{{{stage}}}(x)", Sum(((1, earlier), (1, step))))
    which = message("row {n}", n=int(followed.row_numbers[0]) + 1)
    legend = (
        ("γ", message("value of the leaf that x, {row}, reaches in this round’s tree", row=which)),
        ("ν", message("learning rate")),
        ("F", message("the score: for classes the log-odds")),
    )
    return Derivation((Formula(value, answer), Formula(now, after)), legend)


def _leaf_value(ensemble: Ensemble, member: Member, leaf: int, answer: float) -> Expression:
    """The mean of the residuals in the leaf, where the loss is the squared error; else the number."""
    train = ensemble.train
    is_mean = ensemble.is_regression and ensemble.options.get("loss") == "squared_error"
    if train is None or member.target is None or not is_mean or train.weights is not None:
        return Number(answer)
    reached = member.tree.apply(train) == leaf
    if member.weights is not None:
        reached &= member.weights > 0
    if not reached.any():
        return Number(answer)
    return Quotient(Number(float(np.asarray(member.target)[reached].sum())), Number(int(reached.sum())))


def _row_of_largest_leaf(ensemble: Ensemble, member: Member) -> Dataset | None:
    train = ensemble.train
    if train is None:
        return None
    leaves = member.tree.apply(train)
    largest = np.bincount(leaves).argmax()
    return train.take(np.flatnonzero(leaves == largest)[:1])


def _lowered(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
