"""Every way of writing a number that a keyboard allows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.explaining.exercises import read_typed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.247", 0.247),
        (".247", 0.247),
        ("0,247", 0.247),
        (" 0.247 ", 0.247),
        ("+0.247", 0.247),
        ("5/14", 5 / 14),
        ("-5/14", -5 / 14),
        ("2.5 / 14", 2.5 / 14),
        ("35.7 %", 0.357),
        ("35,7%", 0.357),
        ("\uff10\uff0e\uff12\uff14\uff17", 0.247),
        ("\uff13\uff15\uff0e\uff17\uff05", 0.357),
        ("5\uff0f14", 5 / 14),
        ("\u22120.5", -0.5),
        ("3.", 3.0),
        ("0", 0.0),
    ],
)
def test_a_number_is_read_in_every_notation(text, value):
    typed = read_typed(text)
    assert typed is not None
    assert typed.value == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    "text", ["", " ", ".", "abc", "1/0", "1/", "/2", "1/2/3", "1.2.3", "--1", "0x10", "nan", "inf", "%"]
)
def test_what_is_no_number_is_not_read(text):
    assert read_typed(text) is None


def test_the_digits_typed_are_counted():
    assert [read_typed(text).decimals for text in ("0.9", "0.940", "94 %", "94.0 %", "1")] == [1, 3, 2, 3, 0]
    assert read_typed("1/3").half_unit == 0.0
    assert read_typed("0.94").half_unit == pytest.approx(0.005)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    typed = read_typed(text)
    assert typed is None or typed.value == typed.value
