"""The price of greed below a node of the grown tree, worked out in the job pool where a reader asks for it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.optimal.price_of_greed import MOST_DEPTH
from explorer.optimal.problem import Problem
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.text import number

IS_ASKED, DEPTH = "greed.asked", "greed.depth"
"""Whether the reader asks for it, and within how many splits, as long as the session lasts."""
DEPTHS = tuple(range(1, MOST_DEPTH + 1))
SECONDS, USUAL_DEPTH = 60.0, 3
"""So long a search takes at most."""


def depth() -> int:
    """Within how many splits trees are compared."""
    return int(st.session_state.get(DEPTH, USUAL_DEPTH))


def key(settings: Settings, node: int) -> str:
    """What the work is kept under."""
    return f"price of greed {trees.grown_key(settings)} {node} {depth()}"


def refusal(settings: Settings, recipe: ex.Recipe) -> str:
    """Why trees of the training rows by a recipe cannot be searched; "" where they can."""
    train = trees.parts(settings).train
    return _refusal(train.fingerprint, recipe, train)


@kept(by_language=True)
def _refusal(rows: str, recipe: ex.Recipe, _train: ex.Dataset) -> str:
    try:
        Problem.of(_train, recipe, 0.0)
    except ex.InputError as error:
        return str(error)
    return ""


def submit(settings: Settings, node: int) -> None:
    """Have it worked out."""
    tree, train, within = trees.grown(settings).tree, trees.parts(settings).train, depth()

    def work(progress: jobs.Progress) -> ex.PriceOfGreed:
        def report(lower: float, upper: float) -> None:
            progress(int(100 * lower / upper) if upper > 0.0 else 100, 100)

        return ex.price_of_greed(tree, train, node, within, SECONDS, report)

    jobs.pool().submit(jobs.session(), key(settings, node), work)


def found(settings: Settings, node: int) -> ex.PriceOfGreed | None:
    """The result, once it is there."""
    job = jobs.pool().look(jobs.session(), key(settings, node))
    result = job.result if job is not None else None
    return result if isinstance(result, ex.PriceOfGreed) else None


def signs(settings: Settings, node: int) -> dict[int, str]:
    """The nodes at which greed was paid, and how much, where the reader asks for it."""
    if not st.session_state.get(IS_ASKED) or settings.connected or settings.timeline.asks:
        return {}
    price = found(settings, node)
    if price is None:
        return {}
    tree = trees.grown(settings).tree
    return {at: message("Greed cost {loss} here.", loss=loss_text(paid, tree)) for at, paid in price.paid.items()}


def loss_text(loss: float, tree: ex.Tree) -> str:
    """A loss in its unit: rows, or what their errors cost, or squared errors."""
    if tree.is_regression or tree.recipe.costs is not None or tree.recipe.class_weights is not None:
        return number(loss)
    return tree.rows_text(round(loss, 9))
