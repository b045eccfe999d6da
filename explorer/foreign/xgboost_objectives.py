"""The objectives of XGBoost that can be read: how its scores become a prediction, and where they start."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.foreign.limits import unknown_objective
from explorer.foreign.xgboost_trees import refuse
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED


def same(base_score: float) -> float:
    """The score starts at the base score."""
    return base_score


def log_odds(base_score: float) -> float:
    """ln(p/(1 − p)) as XGBoost computes it: p at least 10⁻⁶ away from 0 and 1, all in 32 bits.

    >>> round(log_odds(0.0), 5), round(log_odds(1.0), 5)
    (-13.81551, 13.74516)
    """
    if not 0.0 <= base_score <= 1.0:
        refuse(message("its base score {value:g} is no probability", value=base_score))
    one, least = np.float32(1.0), np.float32(1e-6)
    probability = np.clip(np.float32(base_score), least, one - least)
    return float(-np.log(one / probability - one))


def logarithm(base_score: float) -> float:
    """The score of a positive mean, its natural logarithm."""
    if base_score <= 0.0:
        refuse(message("its base score {value:g} is not above 0", value=base_score))
    return math.log(base_score)


@dataclass(frozen=True)
class Objective:
    """The combination of the trees by its name, and the score that a base score stands for."""

    combination: str
    start: Callable[[float], float] = same


OBJECTIVES = {
    "reg:squarederror": Objective("sum"),
    "reg:linear": Objective("sum"),
    "reg:absoluteerror": Objective("sum"),
    "reg:pseudohubererror": Objective("sum"),
    "reg:squaredlogerror": Objective("sum"),
    "reg:quantileerror": Objective("sum"),
    "reg:logistic": Objective("sum_to_share", log_odds),
    "count:poisson": Objective("sum_exponential", logarithm),
    "reg:gamma": Objective("sum_exponential", logarithm),
    "reg:tweedie": Objective("sum_exponential", logarithm),
    "reg:expectileerror": Objective("sum"),
    "binary:logitraw": Objective("sum"),
    "rank:pairwise": Objective("sum"),
    "rank:ndcg": Objective("sum"),
    "rank:map": Objective("sum"),
    "survival:cox": Objective("sum_exponential", logarithm),
    "survival:aft": Objective("sum_exponential", logarithm),
    "binary:logistic": Objective("sum_sigmoid", log_odds),
    "multi:softmax": Objective("sum_softmax"),
    "multi:softprob": Objective("sum_softmax"),
}


def objective_of(name: str) -> Objective:
    """The objective of this name; InputError for one that cannot be read."""
    if name not in OBJECTIVES:
        raise unknown_objective(name, OBJECTIVES)
    return OBJECTIVES[name]


def base_scores(value: object) -> list[float]:
    """The base score of a saved model: a number as text, or since version 3.1 a list as text."""
    try:
        numbers: Any = json.loads(value) if isinstance(value, str) else value
        several = isinstance(numbers, (list, tuple, np.ndarray))
        found = [float(number) for number in (numbers if several else [numbers])]
    except (TypeError, ValueError, RecursionError, OverflowError):
        refuse(message("'{name}' is no finite number", name="base_score"))
    if not found or not all(abs(number) <= LARGEST_SUMMED for number in found):
        refuse(message("'{name}' is no finite number", name="base_score"))
    return found
