"""The numbers of every kind of exercise against their definitions, and that seeds and tables are as promised."""

import math
from collections import Counter

import pytest

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.explaining.exercises import EXERCISE_KINDS, Exercise, by_hand, exercise, random_table
from tests.explaining.exercises import arithmetic as by_definition

SEEDS = range(6)


def table(sample: str) -> ex.Dataset:
    known = SAMPLES[sample]
    frame = ex.load_sample(sample).frame
    return ex.Dataset.from_frame(frame, known.target, features=known.features, kinds=known.kinds)


def values(made: Exercise) -> dict[str, float]:
    return {cell.name: cell.value for cell in made.cells()}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sample", ["play_tennis", "mammals", "random"])
def test_gain_and_ratio_are_those_of_the_definition(sample, seed):
    data = random_table(seed) if sample == "random" else by_hand(table(sample), seed)
    made = exercise("gain_ratio", data, seed)
    rows = data.frame.to_dict("records")
    features = [feature.name for feature in data.features if feature.kind == "categorical"]
    feature = next(name for name in features if made.lines[0].label.startswith(f"D₁: {name} ="))
    groups = by_definition.branches(rows, feature, data.target.name)
    before = by_definition.entropy([row[data.target.name] for row in rows])
    left = by_definition.remaining(groups, by_definition.entropy)
    sizes = by_definition.entropy([row[feature] for row in rows])
    found = values(made)
    assert found["H(D)"] == pytest.approx(before)
    assert found["H(D|A)"] == pytest.approx(left)
    assert found["gain(A)"] == pytest.approx(before - left)
    assert found["SI(A)"] == pytest.approx(sizes)
    assert found["gain ratio(A)"] == pytest.approx((before - left) / sizes)
    entropies = sorted(by_definition.entropy(group) for group in groups)
    assert sorted(value for name, value in found.items() if name.startswith("H(D") and name[3] in "₁₂₃₄") == (
        pytest.approx(entropies)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gini_decrease_is_that_of_the_definition(seed):
    data = by_hand(table("loan_a1a2a3"), seed)
    made = exercise("gini", data, seed)
    counts = [[cell.value for cell in line.cells[:2]] for line in made.lines[:3]]
    groups = [["1"] * int(first) + ["0"] * int(second) for first, second in counts]
    found = values(made)
    assert [found["Gini(D₁)"], found["Gini(D₂)"], found["Gini(D)"]] == [
        pytest.approx(float(by_definition.gini(group))) for group in groups
    ]
    left = float(by_definition.remaining(groups[:2], by_definition.gini))
    assert found["Gini(D|A)"] == pytest.approx(left)
    assert found["ΔGini(A)"] == pytest.approx(float(by_definition.gini(groups[2])) - left)
    assert counts[2] == [10, 5]


def test_the_threshold_of_the_six_temperatures():
    made = exercise("threshold", by_hand(table("temperature6"), 0), 0)
    found = values(made)
    assert [found["t₁"], found["t₂"], found["t*"]] == [54, 85, 54]
    rows = made.rows.to_dict("records")
    for cut, name in ((54, "gain(A₁)"), (85, "gain(A₂)")):
        groups = [[row["PlayTennis"] for row in rows if (row["Temperature"] <= cut) == low] for low in (True, False)]
        before = by_definition.entropy([row["PlayTennis"] for row in rows])
        assert found[name] == pytest.approx(before - by_definition.remaining(groups, by_definition.entropy))


@pytest.mark.parametrize("seed", SEEDS)
def test_squared_errors_are_those_of_the_definition(seed):
    made = exercise("squared_error", by_hand(table("lihang_8_2_regression"), seed), seed)
    rows, sums = made.rows.to_dict("records"), {}
    for line in made.lines[:-1]:
        cut = float(line.label.removeprefix("x ≤ "))
        sides = [[row["y"] for row in rows if (row["x"] <= cut) == low] for low in (True, False)]
        expected = [number for side in sides for number in (sum(side) / len(side), by_definition.squares(side))]
        sums[cut] = expected[1] + expected[3]
        assert [cell.value for cell in line.cells] == pytest.approx([*expected, sums[cut]])
    assert made.lines[-1].cells[-1].value == min(sums, key=sums.get)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sample", ["loan_a1a2a3", "play_tennis_noise15", "random"])
def test_g_is_the_increase_of_the_error_rate_per_leaf_saved(sample, seed):
    data = random_table(seed) if sample == "random" else by_hand(table(sample), seed)
    made = exercise("weakest_link", data, seed)
    *leaves, node = [[cell.value for cell in line.cells] for line in made.lines[:-3]]
    for *counts, n, risk in (*leaves, node):
        assert n == sum(counts)
        assert risk == pytest.approx((n - max(counts)) / data.n_rows)
    assert [sum(leaf[k] for leaf in leaves) for k in range(3)] == node[:3], "the leaves share the rows of the node"
    found = values(made)
    below = sum(leaf[-1] for leaf in leaves)
    assert found["R(Tₜ)"] == pytest.approx(below)
    assert found["|Tₜ|"] == len(leaves)
    assert found["g(t)"] == pytest.approx((node[-1] - below) / (len(leaves) - 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_expected_errors_are_those_of_quinlan(seed):
    """U(0, N) = 1 − CF^(1/N); else Wilson's limit; between no error and one it is interpolated, which no leaf needs."""
    made = exercise("pessimistic", by_hand(table("loan_a1a2a3"), seed), seed)
    z = 0.6925  # C4.5's table, between CF = 20 % (0.84) and 40 % (0.25)
    lines = [line for line in made.lines if len([cell for cell in line.cells if cell]) == 3]
    for n, errors, expected in ([cell.value for cell in line.cells] for line in lines):
        if errors == 0:
            assert expected == pytest.approx(n * (1 - 0.25 ** (1 / n)))
        elif errors + 0.5 < n:
            f = (errors + 0.5) / n
            upper = (f + z**2 / (2 * n) + z * math.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)
            assert expected == pytest.approx(n * upper)
    leaves = [line.cells[-1].value for line in lines[:-1]]
    assert values(made)["e(Tₜ)"] == pytest.approx(sum(leaves))


@pytest.mark.parametrize("kind", EXERCISE_KINDS)
def test_a_seed_gives_one_exercise(kind):
    entry = EXERCISE_KINDS[kind]
    data = by_hand(table(entry.sample), 5)
    first, again = exercise(kind, data, 5), exercise(kind, by_hand(table(entry.sample), 5), 5)
    assert first.lines == again.lines
    assert first.rows.equals(again.rows)


def test_seeds_give_different_exercises():
    tasks = Counter(exercise("gain", by_hand(table("play_tennis"), 0), seed).task for seed in range(12))
    assert len(tasks) == 4, "every attribute is asked"


@pytest.mark.parametrize("seed", range(8))
def test_a_random_table_has_no_tie_and_can_be_worked_by_hand(seed):
    rows = random_table(seed).frame.to_dict("records")
    target, features = "Sold", ("Colour", "Size", "Shape")
    before = by_definition.entropy([row[target] for row in rows])
    gains = sorted(
        before - by_definition.remaining(by_definition.branches(rows, name, target), by_definition.entropy)
        for name in features
    )
    assert gains[-1] - gains[-2] > 0.02
    assert len(rows) == 12
    assert min(min(Counter(row[name] for row in rows).values()) for name in features) >= 2


def test_a_large_table_is_sampled_by_seed_and_keeps_complete_rows():
    data = by_hand(table("titanic"), 3)
    assert data.n_rows == 14
    assert len(data.features) <= 5
    assert not data.frame.isna().to_numpy().any()
    assert by_hand(table("titanic"), 3).frame.equals(data.frame)
    assert not by_hand(table("titanic"), 4).frame.equals(data.frame)


def test_a_node_gives_its_own_rows():
    whole = table("play_tennis")
    tree = ex.grow(whole, ex.ID3)
    sunny = by_hand(whole, 0, tree.rows_at(whole, tree.node(0).children[0]).tolist())
    assert sunny.n_rows == 5
    assert set(whole.frame["Outlook"].iloc[tree.rows_at(whole, 1)]) == {"Sunny"}
    assert "Outlook" not in sunny.frame.columns


def test_a_table_without_what_a_kind_needs_is_refused():
    with pytest.raises(ex.InputError, match="no columns for “Threshold"):
        exercise("threshold", by_hand(table("play_tennis"), 0), 0)
    with pytest.raises(ex.InputError, match="There is no exercise 'x'"):
        exercise("x", by_hand(table("play_tennis"), 0), 0)
    with pytest.raises(ex.InputError, match="Too few different rows"):
        by_hand(table("play_tennis"), 0, [2, 6, 11, 12])


def test_no_sum_by_hand_has_a_date_in_it():
    frame = ex.load_sample("play_tennis").frame.assign(day=range(14), hours=range(14))
    data = ex.Dataset.from_frame(frame, "PlayTennis", features=["day", "hours"], days_since={"day": "2024-01-01"})
    assert [feature.name for feature in by_hand(data, 0).features] == ["hours"]
    days = ex.Dataset.from_frame(frame, "PlayTennis", features=["day"], days_since={"day": "2024-01-01"})
    with pytest.raises(ex.InputError, match="Choose another table"):
        by_hand(days, 0)
