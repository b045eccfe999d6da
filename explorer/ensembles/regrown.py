"""An ensemble in which one member is grown again with choices made by hand, and what depends on it too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.ensembles.adaboost import adaboost
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.c50 import c50
from explorer.ensembles.gradient import gradient_boost
from explorer.ensembles.members import Ensemble
from explorer.ensembles.newton import newton_boost
from explorer.ensembles.rounds import Progress
from explorer.errors import InputError
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.tree.constraints import Choices

_BOOSTING: dict[str, Callable[..., Ensemble]] = {
    "adaboost": adaboost,
    "c50": c50,
    "gradient_boosting": gradient_boost,
    "newton_boosting": newton_boost,
}
"""The methods whose members depend on those before them."""


def regrown(ensemble: Ensemble, member: int, choices: Choices, progress: Progress | None = None) -> Ensemble:
    """The ensemble with the member at this position (from 0) grown again under choices made by hand.

    In boosting, the rounds before stay as they are and all after it are grown anew. Members of a forest do not depend
    on each other: the others stay. Choices made for earlier members stay in force. Raises InputError for a member that
    does not exist, and for an ensemble without its training rows.

    >>> from explorer import CART, Dataset, Choices, SplitRequest, gradient_boost, load_sample
    >>> data = Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y")
    >>> boosted = gradient_boost(data, CART.replace(max_depth=1), n_estimators=3, learning_rate=1.0)
    >>> forced = Choices().force(boosted.members[0].tree.place(0), SplitRequest("x", "threshold", 3.5))
    >>> [float(each.tree.threshold[0]) for each in regrown(boosted, 0, forced).members]
    [3.5, 6.5, 3.5]
    """
    if not 0 <= member < len(ensemble.members):
        raise InputError(
            message(
                "There is no tree {member}: trees go from 0 to {last}.",
                member=member,
                last=len(ensemble.members) - 1,
            )
        )
    train = ensemble.train
    if train is None:
        raise InputError(
            message("This ensemble is without its training rows: grow it here to change one of its trees.")
        )
    if ensemble.method not in _BOOSTING:
        changed = _grown_again(ensemble, ensemble.members[member], choices, progress)
        return replace(ensemble, members=(*ensemble.members[:member], changed, *ensemble.members[member + 1 :]))
    before = {place: each.tree.choices for place, each in enumerate(ensemble.members[:member]) if each.tree.choices}
    build, options = _BOOSTING[ensemble.method], dict(ensemble.options)
    if options.get("n_iter_no_change") is not None:  # its validation rows are not kept: as many rounds as before
        options |= {"n_iter_no_change": None, "n_estimators": ensemble.n_stages}
    rows_and_recipe = (train,) if build is newton_boost else (train, ensemble.recipe)
    return build(*rows_and_recipe, **options, choices={**before, member: choices}, progress=progress)


def _grown_again(ensemble: Ensemble, member: Member, choices: Choices, progress: Progress | None) -> Member:
    """The member on the same rows, by the same recipe."""
    assert ensemble.train is not None
    tree = grow(member.data(ensemble.train), member.tree.recipe, progress=progress, choices=choices)
    return replace(member, tree=tree)
