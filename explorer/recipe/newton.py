"""Sums of gradients and Hessians at a node, for XGBoost's gain (section 22 of the definitions of ensembles).

A numeric target is −g/h of every row, and a row's weight is h: then H = W and −G = Σ w·(y − base). For plain numbers
that is squared error, h = 1. Two classes are the first step of the logistic loss from one probability p: g = p − y and
h = p·(1 − p), so both sums follow from the class weights. Leaves are −G/(H + λ).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.jit import borrowing, kernel
from explorer.messages import message
from explorer.recipe.impurity import newton_pair_gain
from explorer.recipe.recipe import Recipe

MEAN = "mean"
"""The base score that XGBoost estimates: the mean of a numeric target, the share of the second class."""


def newton_base(recipe: Recipe, data: Dataset) -> float:
    """F_0 of the rows: a number, or the probability p of the second of two classes. InputError for more classes."""
    if len(data.classes) not in (0, 2):
        raise InputError(
            message(
                "Score 'newton' needs a numeric target or two classes, but the target '{target}' has {n} classes: "
                "use newton_boost, which grows one tree per class, or another score.",
                target=data.target.name,
                n=len(data.classes),
            )
        )
    if recipe.base_score == MEAN:
        weights = data.weight_of_rows()
        base = float(np.average(data.y, weights=weights)) if weights.sum() > 0 else 0.0
        if data.classes and not 0.0 < base < 1.0:  # one class alone is a leaf, whatever the base
            base = default_base(False)
    elif recipe.base_score is None:
        base = default_base(data.is_regression)
    else:
        base = float(recipe.base_score)
    if not data.is_regression and not 0.0 < base < 1.0:
        raise InputError(
            message(
                "Recipe field 'base_score' is {value:g}, but with two classes it is a probability: give a number "
                "between 0 and 1, or None for 0.5.",
                value=base,
            )
        )
    return base


def default_base(is_regression: bool) -> float:
    """The base score where none is given: 0, or the probability ½."""
    return 0.0 if is_regression else 0.5


@borrowing
def hessian_of(parameters):
    """Second derivative of a row of weight 1: 1 for numbers, p·(1 − p) for two classes."""
    return 1.0 if parameters.regression else parameters.base * (1.0 - parameters.base)


@borrowing
def newton_pair(parameters, mean, first, first_weight, second, second_weight):
    """Newton's gain of two branches per weight of both, from class weights or sums around the mean.

    `mean` is the mean of both branches of a numeric target, around which their sums are: the last of their entries.
    """
    if first_weight <= 0.0 or second_weight <= 0.0:
        return 0.0
    if parameters.regression:
        offset, last = mean - parameters.base, first.size - 1
        first_sum, second_sum = first[last] + first_weight * offset, second[last] + second_weight * offset
    else:
        first_sum, second_sum = first[1] - parameters.base * first_weight, second[1] - parameters.base * second_weight
    h = hessian_of(parameters)
    gain = newton_pair_gain(h * first_weight, first_sum, h * second_weight, second_sum, parameters.reg_lambda)
    return gain / (first_weight + second_weight)


@kernel
def newton_pairs(parameters, mean, first, second, first_weights, second_weights):
    """`newton_pair` of many tests, from sums [tests, 1] or class weights [tests, 2]."""
    gains = np.zeros(first.shape[0])
    for i in range(first.shape[0]):
        gains[i] = newton_pair(parameters, mean, first[i], first_weights[i], second[i], second_weights[i])
    return gains


@borrowing
def newton_of_branches(parameters, mean, sums, weights):
    """Newton's gain of any number of branches per weight of all, from their sums around the mean (or class 2's weight).

    Branches without rows add nothing.
    """
    h, before, after, total = hessian_of(parameters), 0.0, 0.0, 0.0
    for i in range(weights.size):
        own = sums[i] + weights[i] * (mean - parameters.base if parameters.regression else -parameters.base)
        if weights[i] > 0.0:
            after += own * own / (h * weights[i] + parameters.reg_lambda)
        before += own
        total += weights[i]
    return (after - before * before / (h * total + parameters.reg_lambda)) / total


Floats = NDArray[np.float64]


def gradient_sums(stats: Floats, base: float, is_regression: bool) -> tuple[Floats, Floats]:
    """G and H of nodes from their statistics [n, 3] (W, mean, M2) or class weights [n, 2].

    >>> gradient_sums(np.array([[8.0, 4.125, 55.0]]), 0.0, True)      # eight rows with mean 4.125
    (array([-33.]), array([8.]))
    >>> gradient_sums(np.array([[4.0, 4.0]]), 0.5, False)
    (array([0.]), array([2.]))
    """
    if is_regression:
        return stats[:, 0] * (base - stats[:, 1]), stats[:, 0].copy()
    weights = stats.sum(axis=1)
    return base * weights - stats[:, 1], base * (1.0 - base) * weights


def newton_leaves(gradients: Floats, hessians: Floats, reg_lambda: float) -> Floats:
    """The leaf values −G/(H + λ); 0 where both are 0."""
    below = hessians + reg_lambda
    return np.divide(-gradients, below, out=np.zeros_like(gradients), where=below > 0)


def newton_scores(gradients: Floats, hessians: Floats, reg_lambda: float) -> Floats:
    """What a leaf saves of the objective, G²/(H + λ) (twice the paper's); 0 where both are 0."""
    return -gradients * newton_leaves(gradients, hessians, reg_lambda)


def log_odds(probability: float) -> float:
    """ln(p/(1 − p)), the F_0 of the logistic loss."""
    return math.log(probability / (1.0 - probability))
