"""Laws of checking: what is right is accepted however it is written, and a slip is named and never accepted."""

from fractions import Fraction

import pytest

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.explaining.exercises import EXERCISE_KINDS, SLIPS, Cell, Exercise, by_hand, check, exercise, random_table

SEEDS = range(4)


def table(sample: str) -> ex.Dataset:
    known = SAMPLES[sample]
    frame = ex.load_sample(sample).frame
    return ex.Dataset.from_frame(frame, known.target, features=known.features, kinds=known.kinds)


def exercises() -> list[Exercise]:
    """Every kind on its own table and on tables made by seed."""
    made = []
    for kind in EXERCISE_KINDS.values():
        made += [exercise(kind.name, by_hand(table(kind.sample), seed), seed) for seed in SEEDS]
        made += [exercise(kind.name, random_table(seed, kind.is_regression), seed) for seed in SEEDS]
    return made


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return [cell for made in exercises() for cell in made.asked(with_counts=True)]


def notations(value: float) -> list[str]:
    """A number as readers type it: two to six decimals, with a comma, without the zero, in per cent, as a fraction."""
    decimals = [f"{value:.{digits}f}" for digits in (2, 3, 4, 6)]
    share = f"{100 * value:.2f} %"
    near = Fraction(value).limit_denominator(10_000)
    fractions = [f"{near.numerator}/{near.denominator}"] if abs(float(near) - value) < 1e-4 else []
    short = [text.replace("0.", ".", 1) for text in decimals if text.startswith(("0.", "-0."))]
    return [
        *decimals,
        *short,
        *(text.replace(".", ",") for text in decimals),
        share,
        share.replace(".", ","),
        *fractions,
    ]


def test_the_right_value_is_accepted_in_every_notation(cells):
    refused = [
        (cell.name, cell.value, text)
        for cell in cells
        for text in ([f"{cell.value:.0f}"] if cell.is_count else notations(cell.value))
        if check(cell, text).verdict != "right"
    ]
    assert refused == []


def test_a_value_one_off_in_the_third_decimal_is_right_unless_it_is_a_slip(cells):
    for cell in cells:
        for off in (-0.00099, 0.00099):
            typed = f"{cell.value + off:.9f}"
            is_slip = any(abs(slip.value - float(typed)) < abs(off) for slip in cell.slips)
            if not (cell.is_count or is_slip):
                assert check(cell, typed).verdict == "right", (cell.name, typed)


def test_a_slip_is_named_and_never_accepted(cells):
    n_slips = 0
    for cell in cells:
        for slip in cell.slips:
            found = check(cell, f"{slip.value:.12f}")
            assert found.verdict == "slip", (cell.name, cell.value, slip)
            assert found.slip.value == pytest.approx(slip.value, abs=1e-9)
            n_slips += 1
    assert n_slips > 500


def test_every_slip_that_has_words_occurs(cells):
    used = {slip.name for cell in cells for slip in cell.slips}
    assert used == set(SLIPS)


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [("", "empty"), ("x", "unreadable"), ("0.9", "rounded"), ("0.94", "right"), ("0.5", "wrong"), ("1", "wrong")],
)
def test_the_verdicts_on_the_entropy_of_the_fourteen_days(typed, verdict):
    made = exercise("gain", by_hand(table("play_tennis"), 0), 0)
    cell = next(cell for cell in made.cells() if cell.symbol == "H(D)")
    assert check(cell, typed).verdict == verdict


@pytest.mark.parametrize(
    ("typed", "slip"), [("0.652", "natural_log"), ("0.283", "log10"), ("-0.940", "no_minus"), ("5/14", "error_instead")]
)
def test_known_slips_of_this_entropy_by_hand(typed, slip):
    made = exercise("gain", by_hand(table("play_tennis"), 0), 0)
    cell = next(cell for cell in made.cells() if cell.symbol == "H(D)")
    assert check(cell, typed).slip.name == slip


def test_a_count_is_right_only_if_it_is_that_number():
    cell = Cell("n", "rows", 5.0)
    assert [check(cell, text).verdict for text in ("5", "5.0", "10/2", "5.001", "4")] == ["right"] * 3 + ["wrong"] * 2
