"""What a person decided about a tree is said wherever the tree is shown: in text, in DOT and in the picture."""

import pytest

import explorer as ex


@pytest.fixture(scope="module")
def decided():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    grown = ex.grow(data, ex.ID3)
    return ex.grow(data, ex.ID3, choices=ex.Choices().force(grown.place(3), "Humidity").lock(grown.place(1)))


def test_the_text_says_it_at_the_end_of_the_line(decided):
    by_hand = [line for line in ex.to_text(decided).splitlines() if "by hand" in line]
    assert by_hand == [
        "  Outlook = Sunny: No (3 of 5, 60.0 %), made a leaf by hand",
        "  Outlook = Rain: Yes (3 of 5, 60.0 %), split by hand",
    ]


def test_dot_says_it_in_the_node_and_in_its_tooltip(decided):
    by_hand = [line for line in ex.to_dot(decided).splitlines() if "by hand" in line]
    assert [line.split()[0] for line in by_hand] == ["n1", "n3"]
    assert [line.count("made a leaf by hand") + line.count("split by hand") for line in by_hand] == [2, 2]


def test_the_picture_marks_it_beside_the_rows(decided):
    picture = ex.to_svg(decided)
    assert picture.count("5 rows · by hand") == 2
    assert (picture.count("\nmade a leaf by hand</title>"), picture.count("\nsplit by hand</title>")) == (1, 1)


def test_a_split_by_hand_that_pruning_removed_is_marked_no_more(decided):
    pruned = ex.prune_by_hand(decided, [("collapse", 3)])
    assert "split by hand" not in ex.to_text(pruned) + ex.to_dot(pruned) + ex.to_svg(pruned)
    assert "made a leaf by hand" in ex.to_text(pruned)


def test_a_tree_that_nobody_touched_has_no_mark():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(data, ex.CART)
    assert "by hand" not in ex.to_text(tree) + ex.to_dot(tree) + ex.to_svg(tree)
