"""Adjusted p-values of χ² tests, in logarithms so that none underflows; called by both layers.

Section 25 of explorer/ensembles/DEFINITIONS.md: χ² of a test's branches and the classes, times the ways in which the
feature could have been cut (Kass 1980), adjusted once more for the number of features that compete.
"""

import math

import numpy as np

from explorer.jit import kernel
from explorer.recipe.columns import ONE_VS_REST, SUBSET, THRESHOLD
from explorer.recipe.split_score import ADJUST_BONFERRONI, ADJUST_SIDAK

NEGLIGIBLE = 1e-12
"""A χ² below this share of the weight is rounding."""
_FAR, _TINY, _LARGE = 25.0, -30.0, 50


@kernel
def chi2_of(table):
    """Pearson's χ² and its degrees of freedom, of row weights by branch and class; empty ones count for nothing.

    >>> chi2, df = chi2_of(np.array([[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]]))    # Outlook
    >>> round(chi2, 4), df
    (3.5467, 2)
    """
    n_branches, n_classes = table.shape
    branches, classes = np.zeros(n_branches), np.zeros(n_classes)
    for i in range(n_branches):
        for k in range(n_classes):
            branches[i] += table[i, k]
            classes[k] += table[i, k]
    total = classes.sum()
    statistic, filled, present = 0.0, 0, 0
    for i in range(n_branches):
        filled += 1 if branches[i] > 0.0 else 0
    for k in range(n_classes):
        present += 1 if classes[k] > 0.0 else 0
        for i in range(n_branches):
            expected = branches[i] * classes[k] / total if total > 0.0 else 0.0
            if expected > 0.0:
                statistic += (table[i, k] - expected) ** 2 / expected
    if statistic <= NEGLIGIBLE * total:
        statistic = 0.0
    return statistic, max(filled - 1, 0) * max(present - 1, 0)


@kernel
def log_erfc(x):
    """Logarithm of the complementary error function for x ≥ 0, by its asymptotic series where erfc underflows."""
    if x < _FAR:
        return math.log(math.erfc(x))
    square = x * x
    series = -0.5 / square + 0.75 / square**2 - 1.875 / square**3
    return -square - math.log(x * math.sqrt(math.pi)) + math.log1p(series)


@kernel
def log_upper_tail(statistic, df):
    """Logarithm of the probability that a χ² variable with whole degrees of freedom is larger: a finite sum.

    >>> bool(np.isclose(np.exp(log_upper_tail(3.841458820694124, 1)), 0.05))
    True
    """
    half = statistic / 2.0
    if df < 1 or half <= 0.0:
        return 0.0
    odd, log_half = df % 2, math.log(half)
    largest = log_erfc(math.sqrt(half)) if odd else -np.inf
    for i in range(df // 2):
        power = i + odd / 2.0
        largest = max(largest, power * log_half - half - math.lgamma(power + 1.0))
    total = math.exp(log_erfc(math.sqrt(half)) - largest) if odd else 0.0
    for i in range(df // 2):
        power = i + odd / 2.0
        total += math.exp(power * log_half - half - math.lgamma(power + 1.0) - largest)
    return min(largest + math.log(total), 0.0)


@kernel
def log_ways(test, n_values):
    """Logarithm of the number of ways in which a feature with so many values at a node could have been cut.

    Thresholds: values − 1. Two groups of c categories: 2^(c − 1) − 1; one of them against the rest: c, but one way for
    two. A branch for each value: one way.
    """
    if n_values < 3:
        return 0.0
    if test == THRESHOLD:
        return math.log(n_values - 1.0)
    if test == ONE_VS_REST:
        return math.log(float(n_values))
    if test != SUBSET:
        return 0.0
    return (n_values - 1) * math.log(2.0) if n_values > _LARGE else math.log(2.0 ** (n_values - 1) - 1.0)


@kernel
def log_adjusted(log_p, n_features, adjustment):
    """A feature's log p, at most 0, allowing for so many features: Bonferroni m·p, Šidák 1 − (1 − p)^m."""
    log_p = min(log_p, 0.0)
    if adjustment == ADJUST_BONFERRONI or (adjustment == ADJUST_SIDAK and log_p < _TINY):
        return min(log_p + math.log(n_features), 0.0)
    if adjustment == ADJUST_SIDAK and log_p < 0.0:
        return math.log(-math.expm1(n_features * math.log1p(-math.exp(log_p))))
    return log_p


@kernel
def log_worth(log_p, n_features, adjustment):
    """LogWorth, −log₁₀ of the adjusted p: what features compete by."""
    return -log_adjusted(log_p, n_features, adjustment) / math.log(10.0) + 0.0


@kernel
def fill_log_worths(log_ps, gains, adjustment, scores):
    """Write LogWorth of every feature from its log p; nan where it has no gain and does not compete."""
    n_features = 0
    for gain in gains:
        n_features += 0 if np.isnan(gain) else 1
    for feature in range(gains.size):
        scores[feature] = np.nan if np.isnan(gains[feature]) else log_worth(log_ps[feature], n_features, adjustment)
