"""Names of a table are text in every figure: no tag, no placeholder of a template, no formula."""

import html
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import explorer as ex
from explorer.data.codes.scale import NUMBERS
from explorer.drawing import figures
from explorer.drawing.figures import data_figures, row_figures, score_figures, split_chart, target_figures
from explorer.drawing.figures.decision_regions import regions_figure
from explorer.drawing.figures.dependence_figure import dependence_figure
from explorer.drawing.figures.parallel_figure import parallel_figure
from explorer.drawing.palette import LIGHT
from explorer.evaluation.decision_regions import decision_regions
from explorer.evaluation.feature_importance import PermutationImportance
from explorer.explaining.parallel_axes import parallel_axes

SIGNS = ("%{x}", "<b>", "$", "\n")
"""What plotly would take for a place in a template, a tag, a formula or a blank."""
NAME = "%{x}<b>$c$\n"
WITHOUT_NAMES = {
    "roc_figure",
    "precision_figure",
    "lift_figure",
    "residual_figure",
    "learning_figure",
    "greedy_and_optimal_figure",
    "threshold_figure",
}
"""They are given numbers and words of the program alone."""


@pytest.fixture(scope="module")
def hostile():
    """A tree over two numbers and a category whose every name reads like code."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"{NAME}{k}": rng.integers(0, 9, 60) * 1.0 for k in range(2)})
    frame[f"{NAME}s"] = rng.choice([f"{NAME}{k}" for k in "uvw"], 60)
    frame["goal"] = rng.choice([f"{NAME}{k}" for k in "yn"], 60)
    data = ex.Dataset.from_frame(frame, "goal")
    return ex.grow(data, ex.CART.replace(max_depth=3)), data


def all_figures(tree: ex.Tree, data: ex.Dataset) -> dict[str, go.Figure]:
    """Every figure that shows names, by the function that draws it."""
    x, z, s = data.frame.columns[:3]
    decision, sizes, weights = ex.decide(tree, data, 0), ex.leaf_sizes(tree), tree.node(0).stats
    number, category = decision.profile(x), decision.profile(s)
    found = decision_regions(tree, data, x, z)
    labels = tree.labels[sizes.nodes].tolist()
    shown = {name: PermutationImportance(np.array([0.1, 0.2])) for name in (x, z)}
    kept, share = ex.leaf_calibration(tree, data), f"share of {tree.classes[0]}"
    numbers, spreads = data.frame[x].to_numpy(), ex.leaf_spreads(tree, data, x)
    return {
        "share_bar": data_figures.share_bar(tree.classes, weights, LIGHT),
        "histogram": data_figures.histogram([1.0, 2.0], x, LIGHT),
        "gain_by_threshold": data_figures.gain_by_threshold([1.5, 2.5], [0.1, 0.2], 2.5, (x, "gain"), LIGHT),
        "threshold_chart": split_chart.threshold_chart(number, tree, 2.5, (x, "gain"), LIGHT),
        "category_chart": split_chart.category_chart(category, tree, category.values[:1], LIGHT),
        "calibration_figure": score_figures.calibration_figure(kept, 0, share, "#000000", LIGHT),
        "leaf_size_figure": score_figures.leaf_size_figure(sizes, labels, tree.classes, LIGHT),
        "dependence_figure": dependence_figure(ex.partial_dependence(tree, s, data), tree.classes, LIGHT),
        "importance_figure": score_figures.importance_figure({x: 0.7, z: 0.3}, shown, "loss", LIGHT),
        "stacked_decreases": target_figures.stacked_decreases([x, s], [[0.1, 0.2], [0.0, 0.1]], [x, z], LIGHT),
        "regions_figure": regions_figure(
            found, tree.classes, data.frame[x], data.frame[z], data.y, LIGHT
        ),
        "rows_figure": row_figures.rows_figure(
            (x, z), (NUMBERS, NUMBERS), (numbers, numbers, data.y.astype(float)), data.y == 0,
            np.arange(data.n_rows), tree.classes, LIGHT,
        ),
        "parallel_figure": parallel_figure(
            parallel_axes(data, [x, s], np.arange(data.n_rows)), data.y.astype(float), data.y == 0,
            np.arange(data.n_rows), tree.classes, LIGHT,
        ),
        "leaf_boxes": row_figures.leaf_boxes(
            spreads, ["a"] * len(spreads), x, NUMBERS, (numbers, np.zeros(data.n_rows, dtype=np.intp)), LIGHT
        ),
    }  # fmt: skip


def strings(value: object) -> Iterator[str]:
    """Every text in a figure's parts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object):
        for one in value:
            yield from strings(one)


def drawing_functions() -> set[str]:
    """The names of all public functions of explorer.drawing.figures that give a figure."""
    modules = [
        importlib.import_module(f"explorer.drawing.figures.{module.name}")
        for module in pkgutil.iter_modules(figures.__path__)
    ]
    return {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and function.__annotations__.get("return") == "go.Figure"
    }


def test_every_figure_is_looked_at(hostile):
    assert drawing_functions() == set(all_figures(*hostile)) | WITHOUT_NAMES


def test_names_are_text_in_every_figure(hostile):
    for drawn, figure in all_figures(*hostile).items():
        texts = list(
            strings({"data": [trace.to_plotly_json() for trace in figure.data], "of": figure.layout.to_plotly_json()})
        )
        named = [text for text in texts if "c&#36;␊" in text]
        assert named, f"{drawn} shows a name"
        # plotly reads entities last, after templates, tags and formulas: what it shows is the name
        assert all("%{x}<b>$c$␊" in html.unescape(text) for text in named), drawn
        for text in texts:
            here = (
                text.replace("<br>", "").replace("≤ %{x}:", "").replace("%{x}, %{y}", "").replace("promised %{x:", "")
            )
            assert not [sign for sign in SIGNS if sign in here], f"{drawn}: {text!r}"
