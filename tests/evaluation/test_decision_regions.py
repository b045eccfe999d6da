"""Decision regions: every rectangle predicts what the tree predicts anywhere inside it."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.suggestions.apply import RepairedDate
from explorer.drawing.figures.decision_regions import regions_figure
from explorer.drawing.palette import DARK, LIGHT
from explorer.evaluation.decision_regions import decision_regions


def sample(name):
    found = ex.SAMPLES[name]
    return ex.Dataset.from_frame(ex.load_sample(name).frame, found.target, features=found.features, kinds=found.kinds)


def asked_at(data, regions, points):
    """A frame with random places in the plane and all other features as the regions hold them."""
    frame = data.frame.iloc[np.zeros(len(points), dtype=int)].reset_index(drop=True)
    for name, value in regions.held.items():
        frame[name] = value
    frame[regions.across], frame[regions.up] = points.T
    return frame


@pytest.mark.parametrize(
    "recipe", [ex.CART, ex.ID3, ex.C45, ex.ID3.replace(numeric="each_value")], ids=lambda r: r.name
)
@pytest.mark.parametrize(
    ("name", "across", "up"),
    [("iris", "petallength", "petalwidth"), ("iris", "sepallength", "petalwidth"), ("titanic", "age", "fare")],
)
def test_any_point_is_predicted_as_its_rectangle(recipe, name, across, up):
    data = sample(name)
    tree = ex.grow(data, recipe)
    found = decision_regions(tree, data, across, up)
    rng = np.random.default_rng(1)
    points = np.column_stack(
        [rng.choice(data.frame[feature].dropna().to_numpy(dtype=float), 300) for feature in (across, up)]
    )
    if recipe.numeric != "each_value":
        spread = [data.frame[feature].max() - data.frame[feature].min() for feature in (across, up)]
        points += rng.normal(size=points.shape) * 0.01 * np.array(spread)
    column = np.searchsorted(found.edges_across, points[:, 0]) - 1
    row = np.searchsorted(found.edges_up, points[:, 1]) - 1
    inside = (column >= 0) & (column < found.predictions.shape[1]) & (row >= 0) & (row < found.predictions.shape[0])
    expected = tree.predict_encoded(asked_at(data, found, points))
    assert inside.sum() > 250
    assert not found.is_stepped
    assert found.predictions[row[inside], column[inside]].tolist() == expected[inside].tolist()


@pytest.mark.parametrize("unseen", ["node", "fractional", "heaviest"])
def test_every_rectangle_is_predicted_as_its_point_also_where_its_value_was_never_seen(unseen):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": rng.integers(0, 9, 80), "z": rng.integers(0, 7, 80), "k": rng.choice(list("ab"), 80)})
    frame["y"] = np.where(frame.x * frame.z + 9 * (frame.k == "a") + rng.normal(0, 6, 80) > 14, "p", "q")
    data = ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric", "z": "numeric"})
    for recipe in (ex.ID3.replace(numeric="each_value", unseen=unseen), ex.CART.replace(unseen=unseen)):
        tree = ex.grow(data.take(np.arange(40)), recipe)
        found = decision_regions(tree, data, "x", "z")
        middles = [edges[:-1] + np.diff(edges) / 2 for edges in (found.edges_across, found.edges_up)]
        if recipe.numeric == "each_value":
            middles = [np.unique(frame[name]).astype(float) for name in ("x", "z")]
        points = np.array([(x, z) for z in middles[1] for x in middles[0]])
        assert found.predictions.reshape(-1).tolist() == tree.predict_encoded(asked_at(data, found, points)).tolist()


def test_a_tree_of_the_two_features_alone_is_shown_whole():
    data = sample("iris")
    tree = ex.grow(data, ex.CART.replace(max_depth=2))  # petal length, then petal width
    assert decision_regions(tree, data, "petallength", "petalwidth").is_whole_tree
    other = decision_regions(tree, data, "sepallength", "sepalwidth")
    assert other.held == {"petallength": 4.35, "petalwidth": 1.3}  # the medians of 150 rows
    assert len(np.unique(other.predictions)) == 1


def test_pruning_takes_borders_away():
    data = sample("iris")
    path = ex.cost_complexity_path(ex.grow(data, ex.CART))
    sizes = [
        decision_regions(tree, data, "petallength", "petalwidth").predictions.size
        for tree in (path.subtree(leaves=n) for n in (9, 3, 1))
    ]
    assert sizes[0] > sizes[1] == 4 > sizes[2] == 1


def test_more_places_than_can_be_seen_become_steps():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=3000), "z": rng.normal(size=3000), "y": rng.choice(list("pq"), 3000)})
    data = ex.Dataset.from_frame(frame, "y")
    found = decision_regions(ex.grow(data, ex.CART), data, "x", "z")
    assert found.is_stepped
    assert found.predictions.shape == (400, 400)


def test_parts_of_a_date_are_held_as_the_day_has_them_that_the_date_is_held_at():
    rng = np.random.default_rng(4)
    days = rng.choice(700, 81, replace=False)
    on = pd.Timestamp("2021-01-01") + pd.to_timedelta(days, "D")
    frame = pd.DataFrame({"on": days * 1.0, "on (month)": on.month * 1.0, "on (weekday)": on.day_of_week + 1.0})
    frame = frame.assign(x=rng.normal(size=81), z=rng.normal(size=81))
    frame["y"] = np.where((on.month > 6) ^ (on.day_of_week > 2) ^ (frame.x > 0) ^ (days > 300), "p", "q")
    parts = (("month", "on (month)"), ("weekday", "on (weekday)"))
    date = RepairedDate("on", "2021-01-01", parts)
    data = ex.Dataset.from_frame(frame, "y", days_since={"on": "2021-01-01"})
    tree = ex.grow(data, ex.CART)
    held = decision_regions(tree, data, "x", "z", [date]).held
    day = pd.Timestamp("2021-01-01") + pd.Timedelta(days=int(np.median(days)))
    assert held == {"on": np.median(days), "on (month)": day.month, "on (weekday)": day.isoweekday()}
    assert decision_regions(tree, data, "x", "z").held != held, "each median by itself"
    of_month = decision_regions(tree, data, "x", "on (month)", [date]).held
    assert of_month["on (weekday)"] == day.isoweekday()
    assert "on (month)" not in of_month


def test_axes_must_be_two_numbers():
    data = sample("titanic")
    tree = ex.grow(data, ex.CART)
    with pytest.raises(ex.InputError, match="'sex' is not a numeric feature"):
        decision_regions(tree, data, "sex", "age")
    with pytest.raises(ex.InputError, match="choose two features"):
        decision_regions(tree, data, "age", "age")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_figure_has_a_sign_per_class_and_shows_names_as_text(theme):
    frame = pd.DataFrame({"<b>x</b>": [1.0, 2, 3, 4, 5], "z": [1.0, 2, 1, 2, 2], "y": ["<i>p</i>", "q", "q", "r", "r"]})
    data = ex.Dataset.from_frame(frame, "y", features=["<b>x</b>", "z"])
    found = decision_regions(ex.grow(data, ex.CART), data, "<b>x</b>", "z")
    figure = regions_figure(found, data.classes, frame["<b>x</b>"], frame["z"], data.y, theme)
    assert [trace.marker.symbol for trace in figure.data[1:]] == ["circle", "square", "triangle-up"]
    assert figure.layout.showlegend
    assert figure.layout.legend.y > 1, "above the plot, away from the title of the axis"
    assert figure.data[1].name == "&lt;i&gt;p&lt;/i&gt;"
    assert figure.layout.xaxis.title.text == "&lt;b&gt;x&lt;/b&gt;"


def test_the_figure_of_numbers_puts_rows_and_predictions_on_one_scale():
    data = sample("auto_mpg")
    found = decision_regions(ex.grow(data, ex.CART.replace(max_depth=3)), data, "weight", "horsepower")
    figure = regions_figure(found, (), data.frame["weight"], data.frame["horsepower"], data.y, LIGHT)
    assert (
        (figure.data[0].zmin, figure.data[0].zmax)
        == (9.0, 46.6)
        == (figure.data[1].marker.cmin, figure.data[1].marker.cmax)
    )


def test_dates_stand_on_axes_and_in_tooltips_as_dates():
    frame = pd.DataFrame({"day": [0.0, 40.0, 80.0, 120.0], "z": [1.0, 2.0, 1.0, 2.0], "y": ["a", "a", "b", "b"]})
    data = ex.Dataset.from_frame(frame, "y", ["day", "z"], days_since={"day": "2023-01-01"})
    for up, axis in ((False, "xaxis"), (True, "yaxis")):
        across, upwards = ("z", "day") if up else ("day", "z")
        found = decision_regions(ex.grow(data, ex.CART), data, across, upwards)
        figure = regions_figure(found, data.classes, frame[across], frame[upwards], data.y, LIGHT)
        assert all(text.startswith(("2022-", "2023-")) for text in figure.layout[axis].ticktext)
        assert "2023-02-10" in figure.data[1].text[1], "40 days later"
