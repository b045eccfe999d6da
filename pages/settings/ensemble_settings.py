"""What a reader has chosen about an ensemble: its method and options, and the stage, member, node and row shown."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass

import explorer as ex
from explorer.messages import message
from explorer.recipe.class_weights import Costs, costs_of
from explorer.values import Value
from pages.settings.growing_options import BY_FIELD, write
from pages.settings.labels import Names
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import (
    OPTIONAL_WHOLE,
    Format,
    QueryRecord,
    choice,
    in_query,
    number,
    parsed,
    switch,
    whole,
)

MOST_MEMBERS = 2_000
"""Members that a reader can ask for."""
METHODS = Names(
    lambda: {
        "forest": message("Random forest"),
        "bagging": message("Bagging"),
        "extra_trees": message("Extra trees"),
        "gradient_boosting": message("Gradient boosting"),
        "adaboost": message("AdaBoost"),
        "c50": message("C5.0 boosting"),
        "newton_boosting": message("Newton boosting (XGBoost)"),
    }
)
LOSSES = Names(
    lambda: {
        "squared_error": message("Squared error"),
        "absolute_error": message("Absolute error"),
        "huber": message("Huber"),
        "quantile": message("Quantile"),
        "log_loss": message("Log loss"),
        "exponential": message("Exponential"),
    }
)
VOTES = Names(
    lambda: {
        "samme": message("SAMME"),
        "half_log": message("M1: half the log-odds"),
    }
)
UPDATES = Names(lambda: {"quinlan96": message("Quinlan 1996"), "c50": message("Midway (C5.0)")})
CRITERIA = Names(
    lambda: {"gini": message("Gini"), "entropy": message("Entropy"), "error": message("Misclassification rate")}
)
FEATURE_DRAWS = Names(
    lambda: {
        "all": message("All features"),
        "sqrt": message("Square root (√p)"),
        "log2": message("Logarithm (log₂ p)"),
        "third": message("A third (p/3)"),
    }
)
"""How many features are drawn at a node; a whole number says it outright."""

PICTURES = ("fit", "regions", "rows", "members")
"""The main pictures of the view."""

Forced = tuple[tuple[int, ex.Choices], ...]
"""Members, counted from 0, that were grown again with these choices, in the order of their growing."""


def _parse_draws(text: str) -> str | None:
    """How many features are drawn: one of the words, or a whole number."""
    return text if text in ("", *FEATURE_DRAWS) or re.fullmatch(r"[1-9]\d{0,3}", text, re.ASCII) else None


def _read_forced(reader: QueryReader, key: str, default: Forced) -> Forced:
    """One parameter per member: its number and its choices."""
    try:
        return tuple(_forced_of(json.loads(text)) for text in reader.texts(key))
    except ex.InputError as error:
        reader.refuse(key, None, str(error))
    except (ValueError, RecursionError, TypeError):
        reader.refuse(key, None)
    return default


def _forced_of(entry: object) -> tuple[int, ex.Choices]:
    """A member and its choices as an address writes them; ValueError for anything else."""
    if not isinstance(entry, list) or len(entry) < 2 or type(entry[0]) is not int or not 0 <= entry[0] < MOST_MEMBERS:
        raise ValueError(entry)
    return entry[0], ex.Choices.from_plain(entry[1:])


def _forced_text(member: int, choices: ex.Choices) -> str:
    return json.dumps([member, *choices.to_plain()], ensure_ascii=False, separators=(",", ":"))


def _parse_costs(text: str) -> Costs | None:
    """Costs by class code as an address writes them; None for anything else."""
    if text == "":
        return ()
    try:
        costs = costs_of(BY_FIELD["costs"].read(text))
    except (ValueError, ex.InputError):
        return None
    return costs if costs and all(type(code) is int and code >= 0 for code in codes_in(costs)) else None


def codes_in(costs: Costs) -> set[Value]:
    """The classes that some costs name."""
    return {name for true, row in costs for name in (true, *(predicted for predicted, _ in row))}


FORCED = Format(_read_forced, lambda key, forced: {key: [_forced_text(*entry) for entry in forced]})


@dataclass(frozen=True)
class EnsembleSettings(QueryRecord):
    """The method and its options, and what of the ensemble is shown.

    An empty word and None leave an option to the table and the method (`pages.results.ensembles.explicit`). A `depth`
    of 0 is no limit. `stage` None is the last one. `member` and `node` are the member opened, counted from 0, and the
    node selected in it; None shows the ensemble. `row` is the number of a row in the table, `picture` the main picture
    shown ("": the first that there is). With `losses` three losses stand side by side. `forced` are members grown again
    with splits of the reader's, and all rounds after them. `costs` of misclassification name classes by their codes.
    """

    method: str = in_query("", "en.method", choice(METHODS))
    members: int | None = in_query(None, "en.members", OPTIONAL_WHOLE)
    depth: int | None = in_query(None, "en.depth", OPTIONAL_WHOLE)
    leaf: int | None = in_query(None, "en.leaf", OPTIONAL_WHOLE)
    criterion: str = in_query("", "en.criterion", choice(CRITERIA))
    draws: str = in_query("", "en.features", parsed(_parse_draws))
    bootstrap: bool = in_query(True, "en.bootstrap", switch())
    loss: str = in_query("", "en.loss", choice(LOSSES))
    rate: float | None = in_query(None, "en.rate", number(0.0, 10.0))
    start: float | None = in_query(None, "en.start", number(-1e100))
    subsample: float = in_query(1.0, "en.subsample", number(0.01, 1.0))
    delta: float | None = in_query(None, "en.delta", number())
    alpha: float = in_query(0.9, "en.alpha", number(0.001, 0.999))
    vote: str = in_query("samme", "en.vote", choice(VOTES))
    update: str = in_query("quinlan96", "en.update", choice(UPDATES))
    costs: Costs = in_query((), "en.costs", parsed(_parse_costs, write))
    reg_lambda: float = in_query(1.0, "en.lambda", number(0.0, 1e6))
    gamma: float = in_query(0.0, "en.gamma", number(0.0, 1e12))
    min_child_weight: float = in_query(1.0, "en.child_weight", number(0.0, 1e9))
    seed: int = in_query(0, "en.seed", whole())
    forced: Forced = in_query((), "en.force", FORCED)
    losses: bool = in_query(False, "en.losses", switch())
    stage: int | None = in_query(None, "en.stage", OPTIONAL_WHOLE)
    member: int | None = in_query(None, "en.member", OPTIONAL_WHOLE)
    node: int = in_query(0, "en.node", whole())
    row: int | None = in_query(None, "en.row", OPTIONAL_WHOLE)
    picture: str = in_query("", "en.picture", choice(PICTURES))

    def with_other_ensemble(self) -> EnsembleSettings:
        """The same once the members are others: what was selected in them is cleared."""
        return dataclasses.replace(self, forced=(), stage=None, member=None, node=0)

    def with_other_table(self) -> EnsembleSettings:
        """For another table everything begins anew: its target may be of the other kind."""
        return EnsembleSettings()
