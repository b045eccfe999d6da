"""Forty untidy files: what is suggested, and the table after all of it is applied."""

import pandas as pd
import pytest

import explorer as ex
from tests.data.untidy_files import FILES
from tests.oracles.repairs import apply_all


def test_there_are_forty_files_with_every_kind_of_repair():
    assert len(FILES) >= 40
    assert len({one.name for one in FILES}) == len(FILES)


@pytest.mark.parametrize("one", FILES, ids=lambda one: one.name)
def test_an_untidy_file_becomes_the_table_that_a_person_would_make(one):
    table = ex.read_table(one.raw, name=one.name)
    assert [suggestion.repair.kind for suggestion in table.suggestions] == list(one.kinds)
    repaired = apply_all(table)
    assert repaired.frame.shape == one.shape
    assert not repaired.suggestions
    row, name, expected = one.cell
    found = repaired.frame[name].iloc[row]
    assert pd.isna(found) if expected is None else found == expected


@pytest.mark.parametrize("one", FILES, ids=lambda one: one.name)
def test_the_same_file_is_repaired_in_the_same_way_again(one):
    repairs = apply_all(ex.read_table(one.raw, name=one.name)).repairs
    plain = [repair.to_plain() for repair in repairs]
    again = ex.apply_repairs(ex.read_table(one.raw, name=one.name), [ex.Repair.from_plain(one) for one in plain])
    pd.testing.assert_frame_equal(again.frame, apply_all(ex.read_table(one.raw, name=one.name)).frame)
