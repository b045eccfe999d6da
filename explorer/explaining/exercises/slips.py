"""The slips that everybody makes once, in words and as arithmetic on the counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from explorer.explaining.exercises.exercise import Slip
from explorer.messages import WordedTable, message

SLIPS = WordedTable(
    {
        "natural_log": lambda: message("That is in nats: the natural logarithm was used. Divide by ln 2 for bits."),
        "log10": lambda: message("That is with the logarithm to base 10. Divide by log₁₀ 2 for bits."),
        "no_minus": lambda: message("The minus sign is missing: logarithms of shares are negative."),
        "no_factor": lambda: message("Each logarithm has to be multiplied by its share: p·log₂ p."),
        "whole_denominator": lambda: message("The denominator is the size of the branch, not of the whole node."),
        "no_weights": lambda: message("The branches were added without their weights: rows of the branch / all rows."),
        "equal_weights": lambda: message("That is the plain mean of the branches. Weigh each by its rows."),
        "gain_instead": lambda: message("That is the gain: the decrease, not what remains."),
        "remaining_instead": lambda: message("That is what remains after the split. Subtract it from H(D) or Gini(D)."),
        "wrong_order": lambda: message("The difference is the other way round."),
        "gini_instead": lambda: message("That is with the Gini index instead of the entropy."),
        "entropy_instead": lambda: message("That is the entropy. The Gini index has squares and no logarithm."),
        "error_instead": lambda: message("That is 1 − max p, the error rate of the majority class."),
        "squares_only": lambda: message("That is the sum of the squared shares. Subtract it from 1."),
        "shares_not_squared": lambda: message("The shares of the branches count once, not squared."),
        "class_entropy": lambda: message("That is the entropy of the classes. Use the shares of the branches."),
        "log_of_branches": lambda: message("That is log₂ of the number of branches, right only for equal sizes."),
        "not_divided": lambda: message("That is the gain itself: divide it by the split information."),
        "inverted": lambda: message("The fraction is upside down: gain / split information."),
        "by_entropy": lambda: message("That is the gain divided by H(D). Divide by the split information."),
        "multiplied": lambda: message("The gain is to be divided by the split information, not multiplied."),
        "variance_instead": lambda: message("That is the variance, the sum divided by n. Do not divide."),
        "sample_variance": lambda: message("That is the sample variance, the sum divided by n − 1. Do not divide."),
        "absolute_errors": lambda: message("The deviations were added without being squared."),
        "whole_mean": lambda: message("Take the deviations from the mean of the branch, not of the whole node."),
        "median_instead": lambda: message("That is the median. Take the mean."),
        "other_branch": lambda: message("That is the value of the other branch."),
        "one_branch": lambda: message("That is one branch only: add both."),
        "half": lambda: message("That is the mean of the two sums. Add them."),
        "no_division_by_rows": lambda: message("Divide by the number of all rows N."),
        "node_denominator": lambda: message("Divide by the number of all rows N, not by those of the node."),
        "right_rows": lambda: message("That counts the rows that are right. R counts the wrong ones."),
        "mean_of_leaves": lambda: message("That is the mean of the leaves. R(Tₜ) is their sum."),
        "nodes_counted": lambda: message("Count the leaves only, not the internal nodes."),
        "leaves_not_less_one": lambda: message("Divide by the number of leaves minus 1: the node becomes one leaf."),
        "not_per_leaf": lambda: message("Divide by the number of leaves minus 1."),
        "leaf_risk_only": lambda: message("Subtract R(Tₜ) first: what counts is the increase."),
        "errors_observed": lambda: message("Those are the errors seen in training. Pessimistic pruning expects more."),
        "half_added": lambda: message("That adds ½ error a leaf, an older rule. C4.5 takes an upper limit."),
        "rate_instead": lambda: message("That is the error rate: multiply it by the rows of the leaf."),
        "no_root": lambda: message("CF is to be raised to 1/N: take the N-th root."),
        "largest_instead": lambda: message("That split leaves the most. Look for the least."),
        "edge_instead": lambda: message("That is one of the two values. The threshold is their midpoint."),
    }
)
"""What each slip is told as: the mistake, and what to do instead."""
_NATS, _DIGITS = math.log(2.0), math.log10(2.0)


def log_slips(bits: float) -> Iterator[Slip]:
    """Another base of the logarithm, for any number that is a sum of logarithms."""
    yield Slip("natural_log", bits * _NATS)
    yield Slip("log10", bits * _DIGITS)
    yield Slip("no_minus", -bits)


def _logs(counts: Sequence[float], total: float) -> float:
    """−Σ c/N·log₂ c/N, the denominators whatever they are."""
    return -math.fsum(count / total * math.log2(count / total) for count in counts if count > 0)


def entropy(counts: Sequence[float]) -> float:
    """Entropy of class counts, in bits."""
    return _logs(counts, sum(counts)) + 0.0


def gini(counts: Sequence[float]) -> float:
    """Gini index of class counts."""
    return 1.0 - math.fsum((count / sum(counts)) ** 2 for count in counts)


def _error(counts: Sequence[float]) -> float:
    return 1.0 - max(counts) / sum(counts)


def entropy_slips(counts: Sequence[float], whole: float) -> Iterator[Slip]:
    """What goes wrong with the entropy of class counts; `whole` is the number of rows of the node split."""
    yield from log_slips(entropy(counts))
    yield Slip("whole_denominator", _logs(counts, whole))
    yield Slip("error_instead", _error(counts))
    yield Slip("gini_instead", gini(counts))
    total = sum(counts)
    yield Slip("no_factor", -math.fsum(math.log2(count / total) for count in counts if count > 0))


def gini_slips(counts: Sequence[float], whole: float) -> Iterator[Slip]:
    """The same for the Gini index."""
    yield Slip("squares_only", 1.0 - gini(counts))
    yield Slip("entropy_instead", entropy(counts))
    yield Slip("error_instead", _error(counts))
    yield Slip("whole_denominator", 1.0 - math.fsum((count / whole) ** 2 for count in counts))


def weighting_slips(impurities: Sequence[float], weights: Sequence[float], before: float) -> Iterator[Slip]:
    """What goes wrong with the weighted impurity of the branches."""
    shares = [weight / sum(weights) for weight in weights]
    mean = math.fsum(share * each for share, each in zip(shares, impurities, strict=True))
    yield Slip("no_weights", math.fsum(impurities))
    yield Slip("equal_weights", math.fsum(impurities) / len(impurities))
    yield Slip("gain_instead", before - mean)
    squares = math.fsum(share**2 * each for share, each in zip(shares, impurities, strict=True))
    yield Slip("shares_not_squared", squares)


def decrease_slips(impurities: Sequence[float], weights: Sequence[float], before: float) -> Iterator[Slip]:
    """What goes wrong with the decrease."""
    total = sum(weights)
    mean = math.fsum(weight / total * each for weight, each in zip(weights, impurities, strict=True))
    yield Slip("remaining_instead", mean)
    yield Slip("wrong_order", mean - before)
    yield Slip("no_weights", before - math.fsum(impurities))
    yield Slip("equal_weights", before - math.fsum(impurities) / len(impurities))


def split_information_slips(weights: Sequence[float], class_entropy: float) -> Iterator[Slip]:
    """What goes wrong with the split information."""
    yield from log_slips(entropy(weights))
    yield Slip("class_entropy", class_entropy)
    yield Slip("log_of_branches", math.log2(len(weights)))
    yield Slip("gini_instead", gini(weights))


def ratio_slips(gain: float, information: float, class_entropy: float) -> Iterator[Slip]:
    """What goes wrong with the gain ratio."""
    yield Slip("not_divided", gain)
    yield Slip("by_entropy", gain / class_entropy)
    yield Slip("multiplied", gain * information)
    if gain > 0:
        yield Slip("inverted", information / gain)
