"""Recipes that several tests go through, and one drawn at random with every option at once."""

from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge

ENGINE_RECIPES = {
    "subset": ex.CART,
    "one_vs_rest": ex.CART.replace(categorical="one_vs_rest"),
    "each_value": ex.CART.replace(categorical="each_value"),
    "min_rows_leaf": ex.CART.replace(min_rows_leaf=6.0),
    "observed": ex.CART.replace(threshold_at="observed", max_depth=4),
    "drop": ex.CART.replace(missing="drop"),
}
FOUR_RECIPES = [ex.CART, ex.CART.replace(unseen="heaviest"), ex.ID3, ex.C45]
RECIPES_BY_NAME = {
    "cart": ex.CART,
    "c45": ex.C45,
    "id3": ex.ID3,
    "each number": ex.ID3.replace(numeric="each_value"),
    "one against the rest": ex.CART.replace(categorical="one_vs_rest", missing="own_branch"),
    "heaviest": ex.C45.replace(missing="most_common", unseen="heaviest", empty_branches=False),
    "drop": ex.CART.replace(missing="drop", unseen="random"),
}
POLICIES = ["drop", "most_common", "same_class", "fractional", "surrogate", "own_branch", "default_direction"]
GROUPINGS = ["subset", "one_vs_rest", "each_value"]


def recipe_for(policy: str, categorical: str, target: str, **changes) -> ex.Recipe:
    """CART with one policy; gain ratio where the target has classes and branches are many."""
    recipe = ex.CART.replace(missing=policy, categorical=categorical, empty_branches=categorical == "each_value")
    if target != "number" and categorical == "each_value":
        recipe = recipe.replace(impurity="entropy", score="gain_ratio")
    return recipe.replace(**changes)


@st.composite
def class_weights_and_costs(draw: st.DrawFn, sample) -> dict:
    """Class weights, costs of mistakes, or both, with simple ratios so that ties stay ties."""
    first, second, *_ = sample.classes
    weights = {first: draw(st.sampled_from([0.5, 2.0])), second: draw(st.sampled_from([1.0, 4.0]))}
    costs = {first: {second: draw(st.sampled_from([0.5, 3.0]))}, second: {first: draw(st.sampled_from([1.0, 8.0]))}}
    return draw(
        st.sampled_from([{"class_weights": weights}, {"costs": costs}, {"class_weights": weights, "costs": costs}])
    )


@st.composite
def crossed(draw: st.DrawFn, policy: str, **fixed):
    """A small table of classes with holes and weights, and a recipe with every option at once."""
    sample = draw(bridge.samples(regression=False, weights="any"))
    rules = draw(bridge.rules_for(sample, missing="most_common"))
    changes = {"score": draw(st.sampled_from([rules.score, "tan_schlimmer", "nunez"])), "missing": policy}
    prices = {column.name: draw(st.sampled_from([0.5, 1.0, 3.0])) for column in sample.columns}
    changes |= {"feature_costs": prices, "nunez_w": draw(st.sampled_from([0.0, 0.5, 1.0]))}
    changes |= {"unseen": draw(st.sampled_from(["node", "heaviest", "fractional", "random"]))}
    changes |= {"chi2_level": draw(st.sampled_from([None, 0.3, 0.6])), **draw(class_weights_and_costs(sample)), **fixed}
    return bridge.to_dataset(sample), bridge.to_recipe(rules).replace(**changes)
