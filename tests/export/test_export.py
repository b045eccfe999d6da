"""Text and DOT: the numbers of play_tennis, cuts, and names that try to break out."""

import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import InputError
from explorer.export import to_dot, to_text
from explorer.formatting import percent, quoted_text, shortened, visible
from explorer.tree.truncation import nodes_below
from tests.oracles.dot_reader import read_dot
from tests.oracles.handmade import NASTY_NAMES, Knot, knot, renamed, tennis_tree, tree_of


def test_text_of_play_tennis():
    assert to_text(tennis_tree()).split("\n") == [
        "PlayTennis: Yes (9 of 14, 64.3 %)",
        "  Outlook = Sunny: No (3 of 5, 60.0 %)",
        "    Humidity = High: No (3 of 3, 100 %)",
        "    Humidity = Normal: Yes (2 of 2, 100 %)",
        "  Outlook = Overcast: Yes (4 of 4, 100 %)",
        "  Outlook = Rain: Yes (3 of 5, 60.0 %)",
        "    Wind = Weak: Yes (3 of 3, 100 %)",
        "    Wind = Strong: No (2 of 2, 100 %)",
    ]


def test_text_says_what_a_cut_hides():
    assert to_text(tennis_tree(), max_depth=1).split("\n") == [
        "PlayTennis: Yes (9 of 14, 64.3 %)",
        "  Outlook = Sunny: No (3 of 5, 60.0 %)",
        "    … 2 nodes below",
        "  Outlook = Overcast: Yes (4 of 4, 100 %)",
        "  Outlook = Rain: Yes (3 of 5, 60.0 %)",
        "    … 2 nodes below",
    ]
    assert to_text(tennis_tree(), max_depth=0).endswith("\n  … 7 nodes below")
    assert to_text(tennis_tree(), max_depth=2) == to_text(tennis_tree())


def test_text_of_a_pruned_tree_shows_its_kept_part():
    closed = np.zeros(8, dtype=bool)
    closed[1] = True
    lines = to_text(tennis_tree().with_pruned(closed)).split("\n")
    assert len(lines) == 6
    assert lines[1] == "  Outlook = Sunny: No (3 of 5, 60.0 %)"


def test_an_empty_branch_speaks_for_its_parent():
    tree = renamed(knot((3, 1), (0, 0)), "f", ("a", "b"), ("yes", "no"))
    assert to_text(tree).split("\n")[-1] == "  f = b: yes (no rows)"
    assert read_dot(to_dot(tree)).nodes["n2"]["label"] == "yes, no rows"


def test_regression_shows_mean_spread_and_rows():
    tree = renamed(Knot((4, 2.5, 9.0), [Knot((3, 2.0, 0.0)), Knot((1, 4.0, 0.0))]), "x", ("a", "b"), (), "variance")
    assert to_text(tree).split("\n") == ["x: 2.5 ± 1.5 (4 rows)", "  x = a: 2 ± 0 (3 rows)", "  x = b: 4 ± 0 (1 row)"]
    assert read_dot(to_dot(tree, colours=["red"])).nodes["n0"]["label"] == "x\n2.5 ± 1.5\n4 rows"


def test_dot_of_play_tennis():
    graph = read_dot(to_dot(tennis_tree(), colours=["#1261A6", "#D55E00"], text_colours=["white", "black"]))
    assert graph.nodes["n0"]["label"] == "Outlook\n9 Yes · 5 No\nYes, 14 rows"
    assert graph.nodes["n4"]["label"] == "3 No\nNo, 3 rows"
    assert (graph.nodes["n0"]["fillcolor"], graph.nodes["n0"]["fontcolor"]) == ("#1261A6", "white")
    assert (graph.nodes["n1"]["fillcolor"], graph.nodes["n1"]["fontcolor"]) == ("#D55E00", "black")
    assert {edge: graph.edges[edge]["label"].strip() for edge in graph.edges} == {
        ("n0", "n1"): "= Sunny",
        ("n0", "n2"): "= Overcast",
        ("n0", "n3"): "= Rain",
        ("n1", "n4"): "= High",
        ("n1", "n5"): "= Normal",
        ("n3", "n6"): "= Weak",
        ("n3", "n7"): "= Strong",
    }
    assert graph.edges["n0", "n1"]["tooltip"] == "Outlook = Sunny"


def test_dot_takes_the_pages_colours():
    graph = read_dot(to_dot(tennis_tree(), background="#14171C", foreground="#E7EAF0"))
    assert graph.defaults["graph"]["bgcolor"] == "#14171C"
    assert graph.defaults["node"]["color"] == graph.defaults["edge"]["fontcolor"] == "#E7EAF0"
    assert "fillcolor" not in graph.nodes["n0"]


def test_dot_cuts_and_says_how_much_is_hidden():
    graph = read_dot(to_dot(tennis_tree(), max_nodes=5))
    assert sorted(graph.nodes) == ["h1", "h3", "n0", "n1", "n2", "n3"]
    assert read_dot(to_dot(tennis_tree(), max_nodes=1)).nodes["h0"]["label"] == "… 7 nodes below"
    assert read_dot(to_dot(tennis_tree(), max_nodes=6)).nodes["h3"]["label"] == "… 2 nodes below"
    assert read_dot(to_dot(tennis_tree(), max_nodes=8)) == read_dot(to_dot(tennis_tree()))
    assert sorted(read_dot(to_dot(tennis_tree(), max_depth=1)).nodes) == ["h1", "h3", "n0", "n1", "n2", "n3"]


def test_the_highlighted_node_is_shown_whatever_the_limits():
    graph = read_dot(to_dot(tennis_tree(), max_nodes=1, highlight=7))
    assert graph.nodes["n7"]["penwidth"] == "4"
    assert "bold" in graph.nodes["n7"]["style"]
    assert "style" not in graph.nodes["n0"]
    assert sorted(graph.nodes) == ["h1", "n0", "n1", "n2", "n3", "n6", "n7"]


@pytest.mark.parametrize("node", [-1, 8])
def test_a_node_that_is_not_there_cannot_be_highlighted(node):
    with pytest.raises(InputError, match="not part of this tree"):
        to_dot(tennis_tree(), highlight=node)


def test_many_classes_are_counted_together():
    tree = renamed(Knot((1, 9, 2, 8, 3, 7)), "f", (), tuple("abcdef"))
    lines = read_dot(to_dot(tree)).nodes["n0"]
    assert lines["label"] == "9 b · 8 d · 3 e · 7 f · 3 others\nb, 30 rows"
    assert lines["tooltip"] == "1 a · 9 b · 2 c · 8 d · 3 e · 7 f\nb, 30 rows"


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_names_are_shown_and_never_interpreted(name):
    tree = renamed(knot((3, 1), (1, 2)), name, (name, name + "2"), (name, name + "3"))
    graph = read_dot(to_dot(tree, colours=["red", "blue"]))
    assert sorted(graph.nodes) == ["n0", "n1", "n2"]
    assert graph.nodes["n0"]["label"].split("\n")[0] == shortened(visible(name), 24)
    assert graph.nodes["n0"]["tooltip"].split("\n")[0] == visible(name)
    assert graph.edges["n0", "n1"]["tooltip"] == f"{visible(name)} = {visible(quoted_text(name))}"
    assert all(len(line) < 120 for node in graph.nodes.values() for line in node["label"].split("\n"))
    lines = to_text(tree).split("\n")
    assert len(lines) == 3
    assert lines[1].startswith(f"  {visible(name)} = {visible(quoted_text(name))}: {visible(name)} (3 of 4, 75.0 %)")


@given(st.text(max_size=60))
def test_any_name_survives_dot(name):
    tree = renamed(knot((3, 1), (1, 2)), name, (name, name + "2"), (name, name + "3"))
    graph = read_dot(to_dot(tree))
    assert graph.nodes["n0"]["tooltip"].split("\n")[0] == visible(name)
    to_dot(tree).encode("utf-8")


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_every_name():
    for name in NASTY_NAMES:
        source = to_dot(renamed(knot((3, 1), (1, 2)), name, (name, name + "2"), (name, name + "3")))
        drawn = subprocess.run(["dot", "-Tsvg"], input=source.encode(), capture_output=True, check=True)
        assert drawn.stderr == b"", name


def test_nodes_below_counts_what_is_open():
    tree = tennis_tree()
    assert list(nodes_below(tree)) == [7, 2, 0, 2, 0, 0, 0, 0]
    closed = np.zeros(8, dtype=bool)
    closed[3] = True
    assert list(nodes_below(tree.with_pruned(closed))[:4]) == [5, 2, 0, 0]


def test_a_deep_tree_needs_no_recursion():
    root = knot((1, 0), (0, 1))
    for _ in range(3_000):
        root = Knot((root.stats[0] + 1, root.stats[1]), [Knot((1, 0)), root])
    tree = tree_of(root)
    assert to_text(tree).count("\n") == tree.n_nodes - 1
    assert len(read_dot(to_dot(tree)).nodes) == tree.n_nodes


def test_long_names_are_cut_between_signs():
    family = "👨‍👩‍👧" * 20
    assert shortened(family, 10) == "👨‍👩‍👧" + "…"
    assert shortened("é" * 40, 32) == "é" * 31 + "…"
    assert percent(2 / 3) == "66.7 %"
