"""The numbers of one round with their arithmetic: error and vote of a member, a leaf's value, a sample's size."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.formulas import has_vote_formula, step_formula, vote_formula
from explorer.ensembles.members import Ensemble
from explorer.ensembles.out_of_bag import VOTING
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Number, Quantity, Sum, ratio
from explorer.explaining.formulas.impurity import below
from explorer.messages import message, plural

_ONE = Number(1)


def round_formula(ensemble: Ensemble, stage: int, row: Dataset | None = None) -> Derivation:
    """How the numbers of a round come about: ε, α and Z; or a leaf's value and F; or how many rows were drawn.

    `row` is one row whose score is followed; without it the largest leaf is shown.
    """
    member = next(member for member in ensemble.members if member.stage == stage)
    if has_vote_formula(ensemble, member):
        return vote_formula(ensemble, member)
    if ensemble.method in VOTING:
        return _sample(ensemble, member)
    if ensemble.combination.is_vote:
        vote = Formula(Quantity("v", "v", Number(member.vote)), member.vote)
        return Derivation((vote,), (("v", message("the vote of the tree")),))
    return _step(ensemble, member, stage, row)


def _sample(ensemble: Ensemble, member: Member) -> Derivation:
    """How many rows the member did not draw, beside what is expected of a bootstrap."""
    train = ensemble.train
    if train is None or member.weights is None:
        whole = Number(len(ensemble.members))
        vote = Quantity("v", "v", ratio(1, len(ensemble.members)))
        part = plural(
            len(ensemble.members),
            "each tree’s part in the mean of {n} tree",
            "each tree’s part in the mean of {n} trees",
        )
        return Derivation((Formula(vote, 1 / whole.value),), (("v", part),))
    out, n = int((member.weights == 0).sum()), train.n_rows
    share = Formula(Quantity(message("out"), rf"\text{{{message('out')}}}", ratio(out, n)), out / n)
    words = message("share of the training rows that this tree did not draw: its out-of-bag rows")
    if not ensemble.options.get("bootstrap"):
        return Derivation((share,), ((message("out"), words),))
    draws = round(float((member.weights / train.weight_of_rows()).sum()))
    expected = Quantity("P", "P", (_ONE - ratio(1, n)) ** Number(draws))
    legend = (
        (message("out"), words),
        ("P", message("probability that a row is not drawn in {n} draws with replacement", n=draws)),
    )
    return Derivation((share, Formula(expected, (1 - 1 / n) ** draws)), legend)


def _step(ensemble: Ensemble, member: Member, stage: int, row: Dataset | None) -> Derivation:
    """F before, the leaf's value times the learning rate, and F after, for a row or for the largest leaf."""
    followed = row if row is not None else _row_of_largest_leaf(ensemble, member)
    if followed is not None and ensemble.method == "gradient_boosting" and member.target is not None:
        return step_formula(ensemble, member, followed)
    if followed is None:
        rate = Quantity("ν", r"\nu", Number(member.vote))
        return Derivation((Formula(rate, member.vote),), (("ν", message("learning rate")),))
    code = member.of_class or 0
    before = float(ensemble.raw(followed, stage - 1)[0, code])
    answer = float(member.tree.predict_encoded(followed)[0])
    after = before + member.vote * answer
    value = Quantity("γ", r"\gamma", Number(answer))
    earlier = Quantity(f"F{below(str(stage - 1))}(x)", rf"F_{{{stage - 1}}}(x)", Number(before))
    step = Quantity("ν", r"\nu", Number(member.vote)) * value
    now = Quantity(f"F{below(str(stage))}(x)", rf"F_{{{stage}}}(x)", Sum(((1, earlier), (1, step))))
    which = message("row {n}", n=int(followed.row_numbers[0]) + 1)
    legend = (
        ("γ", message("value of the leaf that x, {row}, reaches in this round’s tree", row=which)),
        ("ν", message("learning rate")),
        ("F", message("the score: for classes the log-odds")),
    )
    return Derivation((Formula(value, answer), Formula(now, after)), legend)


def _row_of_largest_leaf(ensemble: Ensemble, member: Member) -> Dataset | None:
    train = ensemble.train
    if train is None:
        return None
    leaves = member.tree.apply(train)
    largest = np.bincount(leaves).argmax()
    return train.take(np.flatnonzero(leaves == largest)[:1])
