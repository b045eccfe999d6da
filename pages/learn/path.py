"""All scenes, in the order of the path through them."""

from __future__ import annotations

from explorer.errors import InputError
from explorer.messages import message
from pages.learn.scenes.growing import (
    cart,
    day_column,
    gain_ratio,
    gini_or_entropy,
    information,
    loans,
    melons,
    missing_cells,
    mixed,
    regression,
    subsets,
    thresholds,
    which_attribute,
)
from pages.learn.scenes.many_trees import bagging, boosting, residuals, shortest, stability
from pages.learn.scenes.pruning import (
    choose_size,
    cost_complexity,
    not_nested,
    overfitting,
    pessimistic,
    reduced_error,
    weakest_link,
)
from pages.learn.scenes.step import Scene
from pages.learn.scenes.textbooks import growing_rules, missing_and_costs, pruning_rules, stopping_rules

SCENES: tuple[Scene, ...] = (
    mixed.SCENE,
    information.SCENE,
    which_attribute.SCENE,
    day_column.SCENE,
    thresholds.SCENE,
    gain_ratio.SCENE,
    missing_cells.SCENE,
    loans.SCENE,
    melons.SCENE,
    cart.SCENE,
    gini_or_entropy.SCENE,
    subsets.SCENE,
    regression.SCENE,
    overfitting.SCENE,
    cost_complexity.SCENE,
    weakest_link.SCENE,
    choose_size.SCENE,
    not_nested.SCENE,
    reduced_error.SCENE,
    pessimistic.SCENE,
    stability.SCENE,
    shortest.SCENE,
    boosting.SCENE,
    residuals.SCENE,
    bagging.SCENE,
    growing_rules.SCENE,
    stopping_rules.SCENE,
    pruning_rules.SCENE,
    missing_and_costs.SCENE,
)


def scene_of(name: str) -> Scene:
    """The scene of this name; InputError where there is none."""
    for scene in SCENES:
        if scene.name == name:
            return scene
    names = ", ".join(scene.name for scene in SCENES)
    raise InputError(message("There is no scene '{name}': choose one of {names}.", name=name, names=names))
