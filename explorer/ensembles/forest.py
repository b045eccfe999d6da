"""Bagging, random forests and extremely randomised trees (DEFINITIONS section 18)."""

from __future__ import annotations

from explorer.data.dataset import Dataset
from explorer.ensembles.members import Ensemble, Member, ensemble_of
from explorer.ensembles.rounds import Progress, Round, checked_count, run_rounds
from explorer.ensembles.sample import checked_seed, times_drawn
from explorer.growing.grow import grow
from explorer.recipe.recipe import CART, Recipe


def forest(
    data: Dataset,
    recipe: Recipe = CART,
    n_estimators: int = 100,
    max_features: int | float | str | None = "sqrt",
    bootstrap: bool = True,
    max_samples: int | float | None = None,
    vote: str = "shares",
    seed: int = 0,
    progress: Progress | None = None,
) -> Ensemble:
    """A random forest (Breiman 2001)."""
    checked_count("n_estimators", n_estimators)
    seed = checked_seed(seed)

    def one_member(stage: int, state: None, report: Progress) -> Round[None]:
        weights = None
        if bootstrap:
            weights = times_drawn(seed, stage - 1, data.n_rows, data.n_rows) * data.weight_of_rows()
        drawn = data if weights is None else data.with_weights(weights)
        member = Member(grow(drawn, recipe, progress=report), stage, 1.0 / n_estimators, weights)
        return Round((member,), state)

    rounds = run_rounds(one_member, None, n_estimators, progress)
    options = {"n_estimators": n_estimators, "max_features": max_features, "bootstrap": bootstrap, "seed": seed}
    combination = "mean_of_numbers" if data.is_regression else "mean_of_shares"
    return ensemble_of(
        data, recipe, "forest", combination, rounds.members, rounds.n_stages, options, ended=rounds.ended
    )


def bagging(
    data: Dataset,
    recipe: Recipe = CART,
    n_estimators: int = 100,
    bootstrap: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
) -> Ensemble:
    """Bagged trees: a forest whose trees may test every feature at every node (Breiman 1996)."""
    return forest(data, recipe, n_estimators, None, bootstrap, seed=seed, progress=progress)
