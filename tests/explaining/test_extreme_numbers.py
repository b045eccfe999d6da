"""Every result and picture on tables of numbers at the ends of what 64 bits hold: finite, or an error in words."""

import contextlib
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.drawing.figures.decision_regions import regions_figure
from explorer.drawing.figures.split_chart import threshold_chart
from explorer.drawing.palette import LIGHT
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.picture.of_ensemble import picture_of
from explorer.evaluation.decision_regions import decision_regions

VALUES = {
    "wide": [-1.7e308, -1.7e308, 1.7e308, 1.7e308],
    "large": [1.6e308, 1.6e308, 1.7e308, 1.7e308],
    "tiny": [5e-324, 1e-323, 1e-308, 2e-308],
    "far": [1e15, 1e15, 1e15 + 1, 1e15 + 1],
    "seconds": [1.7e9 + n / 1000 for n in range(4)],
}
TARGETS = {
    "classes": ["no", "no", "yes", "yes"],
    "wide": [-9e99, -9e99, 9e99, 9e99],
    "tiny": [1e-79, 2e-79, 3e-79, 4e-79],
    "far": [1e15, 1e15, 1e15 + 1, 1e15 + 1],
}
RECIPES = {
    "cart": ex.CART,
    "bins": ex.CART.replace(numeric="bins", bins=3),
    "id3": ex.ID3.replace(numeric="bins", bins=3),
    "c45": ex.C45,
}


def table(x: str, y: str, features: str = "xz") -> ex.Dataset:
    """Sixteen rows of one column, a second one of small numbers, and the target."""
    frame = pd.DataFrame({"x": VALUES[x] * 4, "z": [1.0, 2.0, 3.0, 4.0] * 4, "y": TARGETS[y] * 4})
    kinds = {"x": "numeric", "z": "numeric"} | ({} if y == "classes" else {"y": "numeric"})
    return ex.Dataset.from_frame(frame, "y", list(features), kinds)


def results(data: ex.Dataset, recipe: ex.Recipe) -> Iterator[Callable[[], object]]:
    """What pages show of a tree, each to be called."""
    tree = ex.grow(data, recipe)
    yield lambda: ex.evaluate(tree, data)
    yield lambda: [ex.flip(tree, data, row) for row in range(4)]
    yield lambda: [ex.row_path(tree, data, row) for row in range(4)]
    yield lambda: ex.rules(tree).to_text()
    yield lambda: ex.cross_validate_path(data, recipe, folds=3)
    yield lambda: ex.learning_curve(data, recipe, sizes=[0.5, 1.0], folds=3)
    yield lambda: ex.permutation_importance(tree, data, 2)["x"].standard_deviation
    yield lambda: ex.paired_scores(data, [recipe, ex.CART], folds=3)
    yield lambda: [form(tree) for form in (ex.to_python, ex.to_sql, ex.to_text, ex.to_dot, ex.to_svg, ex.to_html)]
    yield lambda: tree_payload(tree)
    yield lambda: _regions(tree, data)
    if tree.is_inner[0] and tree.condition(0).threshold is not None:
        yield lambda: _chart(tree, data)


def _regions(tree: ex.Tree, data: ex.Dataset) -> np.ndarray:
    regions = decision_regions(tree, data, "x", "z")
    columns = [feature.values[codes] for feature, codes in zip(data.features, data.codes, strict=True)]
    regions_figure(regions, data.classes, *columns, data.y, LIGHT).to_json()
    assert (regions.edges_across[1:] > regions.edges_across[:-1]).all()
    return regions.edges_across


def _chart(tree: ex.Tree, data: ex.Dataset) -> None:
    profile = ex.decide(tree, data, 0).profile(data.features[int(tree.feature[0])].name)
    edges, heights = profile.histogram()
    assert heights.sum() == pytest.approx(profile.stats.sum())
    threshold_chart(profile, tree, float(edges[1]), ("x", "gain"), LIGHT).to_json()


def check(result: object) -> None:
    """No number of a result is infinite, however deep it lies."""
    for value in getattr(result, "__dict__", {"": result}).values():
        if isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype.kind == "f":
            assert not np.isinf(value).any()


@pytest.mark.parametrize(
    ("y", "name"), [(y, name) for y in TARGETS for name in RECIPES if y == "classes" or name in ("cart", "bins")]
)
@pytest.mark.parametrize("x", VALUES)
def test_results_of_a_tree(x: str, y: str, name: str) -> None:
    for result in results(table(x, y), RECIPES[name]):
        with contextlib.suppress(ex.InputError):
            check(result())


@pytest.mark.parametrize("y", TARGETS)
@pytest.mark.parametrize("x", VALUES)
def test_pictures_of_ensembles(x: str, y: str) -> None:
    for features in ("x", "xz"):
        shown = table(x, y, features)
        for grow in (ex.forest, ex.gradient_boost, ex.bagging):
            picture_payload(picture_of(grow(shown, n_estimators=3), shown))
