"""The tree as SVG: the numbers of play_tennis, boxes and texts that keep apart, and names that try to break out."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer as ex
from explorer.drawing.class_shapes import SHAPES, shape_path
from explorer.drawing.html_document import escaped
from explorer.drawing.svg.svg import drawable_depth
from explorer.drawing.svg.text_width import fitted, width
from explorer.errors import InputError
from explorer.formatting import quoted_text, visible
from tests.oracles.dot_reader import read_dot
from tests.oracles.handmade import NASTY_NAMES, Knot, knot, renamed, tennis_tree

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {SVG + name for name in ("svg", "title", "desc", "g", "path", "rect", "text", "circle")}
PLACES = {"x", "y", "width", "height", "rx", "r", "cx", "cy", "d", "transform", "viewBox", "text-anchor"}
LOOKS = {"font-family", "font-size", "font-weight", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"}
ATTRIBUTES = (
    PLACES | LOOKS | {"stroke-dasharray", "role", "lang", "data-node", "{http://www.w3.org/XML/1998/namespace}space"}
)
NASTIER = [
    *NASTY_NAMES,
    "y" * 1000,
    '"><img src=x onerror=alert(1)>',
    "a\n\\l{}|<b>",
    "' onload='alert(1)",
    "]]><script>alert(1)</script>",
    "\ud800 alone \udfff",
    "\ufffe\uffff",
    "\x00\x07\x1b\x7f\x85\u2028",
    "https://example.org/x.svg",
]


def read(picture: str) -> ET.Element:
    """The document, after a look at everything that is in it."""
    picture.encode("utf-8")
    root = ET.fromstring(picture)
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
    assert "url(" not in re.sub(r"<(title|text)[^>]*>[^<]*", "", picture)
    return root


def boxes(root: ET.Element) -> dict[int, tuple[float, float, float, float]]:
    """Left, top, right and bottom of every node's box."""
    found = {}
    for rect in root.iter(SVG + "rect"):
        if "data-node" in rect.attrib:
            x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            found[int(rect.attrib["data-node"])] = (x, y, x + w, y + h)
    return found


def nodes(root: ET.Element) -> dict[int, ET.Element]:
    """The group of every node."""
    groups = {}
    for group in root.iter(SVG + "g"):
        rect = group.find(SVG + "rect")
        if rect is not None and "data-node" in rect.attrib:
            groups[int(rect.attrib["data-node"])] = group
    return groups


def texts(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(SVG + "text")]


def test_play_tennis_in_boxes():
    root = read(ex.to_svg(tennis_tree()))
    found = nodes(root)
    assert sorted(found) == list(range(8))
    assert texts(found[0]) == ["Outlook", "Yes", "14 rows"]
    assert texts(found[1]) == ["Humidity", "No", "5 rows", "= Sunny"]
    assert texts(found[7]) == ["No", "2 rows", "= Strong"]
    title = found[1].find(SVG + "title")
    assert title.text.split("\n") == ["Outlook = Sunny", "split: Humidity", "2 Yes · 3 No", "prediction: No, 5 rows"]
    assert root.find(SVG + "title").text == "Decision tree for PlayTennis"
    assert root.find(SVG + "desc").text == "5 leaves, depth 2, 14 rows"
    assert root.attrib["role"] == "img"


def test_the_class_bar_has_the_classes_shares():
    bar = [r for r in nodes(read(ex.to_svg(tennis_tree())))[0].iter(SVG + "rect") if "data-node" not in r.attrib]
    lengths = [float(segment.attrib["width"]) + 1.0 for segment in bar]
    assert [segment.attrib["fill"] for segment in bar] == ["#1261A6", "#D55E00"]
    assert lengths[0] / sum(lengths) == pytest.approx(9 / 14, abs=1e-3)


def test_branches_are_as_thick_as_their_share_of_the_rows():
    root = read(ex.to_svg(tennis_tree()))
    thick = [float(path.attrib["stroke-width"]) for path in root.iter(SVG + "path") if path.attrib["d"].count("C")]
    assert thick == pytest.approx([9 * n / 14 for n in (5, 4, 5, 3, 2, 3, 2)], abs=0.01)


def test_the_highlighted_node_and_its_path_stand_out():
    root = read(ex.to_svg(tennis_tree(), highlight=7))
    strong = [path for path in root.iter(SVG + "path") if path.attrib.get("stroke-opacity") == "0.85"]
    outlined = [n for n, group in nodes(root).items() if any(r.get("stroke-width") == "3" for r in group)]
    assert (len(strong), outlined) == (2, [7])
    with pytest.raises(InputError, match="not part of this tree"):
        ex.to_svg(tennis_tree(), highlight=8)


def test_a_pruned_tree_shows_its_kept_part():
    tree = tennis_tree().with_pruned(np.arange(8) == 1)
    root = read(ex.to_svg(tree, show_ids=True))
    assert sorted(nodes(root)) == [0, 1, 2, 3, 6, 7]
    assert texts(nodes(root)[1]) == ["No", "5 rows · node 1", "= Sunny"]


def test_regression_shows_the_mean_between_its_deviations():
    tree = renamed(Knot((4, 2.5, 9.0), [Knot((3, 2.0, 0.0)), Knot((1, 5.0, 0.0))]), "x", ("a", "b"), (), "variance")
    found = nodes(read(ex.to_svg(tree)))
    left, _, right, _ = boxes(read(ex.to_svg(tree)))[0]
    dot = next(found[0].iter(SVG + "circle"))
    assert texts(found[0]) == ["x", "2.5", "4 rows"]
    inside = (float(dot.attrib["cx"]) - left - 11) / (right - left - 22)
    assert inside == pytest.approx((2.5 - 1.0) / (5.0 - 1.0), abs=1e-3)
    fills = [next(found[n].iter(SVG + "circle")).attrib["fill"] for n in (1, 2)]
    assert fills == ["#DCE9F5", "#0B4A8A"]


def test_an_empty_branch_speaks_for_its_parent():
    root = read(ex.to_svg(renamed(knot((3, 1), (0, 0)), "f", ("a", "b"), ("yes", "no"))))
    assert texts(nodes(root)[2]) == ["yes", "no rows", "= b"]


def test_colours_are_checked():
    two = ["#112233", "#445566"]
    assert "#112233" in ex.to_svg(tennis_tree(), two, two, "#778899", "#AABBCC")
    with pytest.raises(InputError, match="form #RRGGBB"):
        ex.to_svg(tennis_tree(), ["red", "url(#a)"])
    with pytest.raises(InputError, match="form #RRGGBB"):
        ex.to_svg(tennis_tree(), background='"/><script/>')
    with pytest.raises(InputError, match="needs 2 colours"):
        ex.to_svg(tennis_tree(), two[:1])
    with pytest.raises(InputError, match="not a direction"):
        ex.to_svg(tennis_tree(), direction="up")


def assert_apart(root: ET.Element) -> None:
    """No two boxes and no two words on branches touch; everything lies in the picture."""
    rects = list(boxes(root).values())
    for group in nodes(root).values():
        for text in list(group)[-1:]:
            if text.tag == SVG + "text" and text.attrib.get("text-anchor") == "middle":
                half, x, y = width(text.text or "", 11.5) / 2, float(text.attrib["x"]), float(text.attrib["y"])
                rects.append((x - half, y - 10, x + half, y + 2))
    for (a, b, c, d), (e, f, g, h) in combinations(rects, 2):
        assert c <= e or g <= a or d <= f or h <= b, "two boxes overlap"
    wide, tall = float(root.attrib["width"]), float(root.attrib["height"])
    shift = re.search(r"translate\(([\d.]+) ([\d.]+)\)", ET.tostring(root, encoding="unicode"))
    x, y = float(shift[1]), float(shift[2])
    assert all(a >= -x and c + x <= wide and b >= -y and d + y <= tall for a, b, c, d in rects)


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize("sample", ["play_tennis", "titanic", "car", "auto_mpg", "iris", "mushroom"])
def test_boxes_and_words_never_overlap(sample, direction):
    data = ex.Dataset.from_frame(ex.load_sample(sample).frame, target=ex.SAMPLES[sample].target)
    recipe = ex.CART if sample in ("titanic", "auto_mpg") else ex.C45
    assert_apart(read(ex.to_svg(ex.grow(data, recipe.replace(max_depth=5)), direction=direction)))


def test_texts_of_a_box_stand_beside_each_other():
    tree = renamed(knot((3, 1), (1, 2)), "W" * 40, ("W" * 40, "天" * 40), ("M" * 40, "气" * 40))
    for node, group in nodes(read(ex.to_svg(tree))).items():
        left, _, right, _ = boxes(read(ex.to_svg(tree)))[node]
        lines: dict[float, list[tuple[float, float]]] = {}
        for text in (t for t in group.iter(SVG + "text") if t.attrib.get("text-anchor") != "middle"):
            bold = text.attrib.get("font-weight") is not None
            long = width(text.text, float(text.attrib.get("font-size", 13)), bold)
            x = float(text.attrib["x"]) - (long if text.attrib.get("text-anchor") == "end" else 0)
            lines.setdefault(float(text.attrib["y"]), []).append((x, x + long))
        for line in lines.values():
            ordered = sorted(line)
            assert ordered[0][0] >= left
            assert ordered[-1][1] <= right
            assert all(one[1] <= other[0] for one, other in pairwise(ordered))


@pytest.mark.parametrize("name", NASTIER)
def test_names_are_text_everywhere(name):
    tree = renamed(knot((3, 1), (1, 2)), name, (name, name + "2"), (name, name + "3"))
    root = read(ex.to_svg(tree, highlight=1))
    assert sorted(nodes(root)) == [0, 1, 2]
    assert nodes(root)[0].find(SVG + "title").text.split("\n")[1] == f"split: {visible(name)}"
    assert nodes(root)[1].find(SVG + "title").text.split("\n")[0] == f"{visible(name)} = {visible(quoted_text(name))}"
    assert texts(nodes(root)[0])[0] == fitted(name, 230.0, 13.0, bold=True)
    assert sorted(read_dot(ex.to_dot(tree)).nodes) == ["n0", "n1", "n2"]
    assert len(ex.to_text(tree).split("\n")) == 3
    assert_apart(root)


@settings(deadline=None)
@given(st.text(st.characters(categories=None), max_size=60))
def test_any_name_survives_svg(name):
    tree = renamed(knot((3, 1), (1, 2)), name, (name, name + "2"), (name, name + "3"))
    root = read(ex.to_svg(tree))
    assert nodes(root)[0].find(SVG + "title").text.split("\n")[1] == f"split: {visible(name)}"


def test_text_is_escaped_once_and_for_content_and_attributes_alike():
    assert escaped("""<a b="c" d='e'>&""") == "&lt;a b=&quot;c&quot; d=&#x27;e&#x27;&gt;&amp;"
    assert escaped("\ufffe\ud800\x00") == "⟨U+FFFE⟩⟨U+D800⟩␀"


@given(st.text(max_size=80), st.integers(20, 400))
def test_a_fitted_text_needs_no_more_than_its_room(text, room):
    cut = fitted(text, room, 13.0)
    assert width(cut, 13.0) <= room
    assert cut == visible(text) or cut.endswith("…")


def test_every_class_of_ten_has_its_own_shape():
    assert len({shape_path(k, 0.0, 0.0, 5.0) for k in range(10)}) == len(SHAPES) == 10
    assert shape_path(10, 0.0, 0.0, 5.0) == shape_path(0, 0.0, 0.0, 5.0)


def test_many_classes_are_counted_in_the_legend():
    classes = tuple(f"kind {k}" for k in range(40))
    legend = texts(read(ex.to_svg(renamed(Knot((1,) * 40), "f", (), classes))))
    assert "and 16 more" in legend


def test_a_large_tree_takes_linear_room():
    rows = np.random.default_rng(3).random((3000, 3))
    frame = pd.DataFrame(rows, columns=list("abc")).assign(y=np.where(rows[:, 0] * 7 % 1 > rows[:, 1], "u", "v"))
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.CART)
    picture = ex.to_svg(tree)
    assert len(boxes(read(picture))) == tree.n_nodes
    assert len(picture) < 1500 * tree.n_nodes


def test_a_notebook_shows_a_tree_as_its_picture_unless_it_is_too_large():
    tree = ex.grow(ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis"), ex.ID3)
    assert tree._repr_svg_() == ex.to_svg(tree, background="#FFFFFF")
    frame = pd.DataFrame({"x": np.arange(300.0), "goal": np.where(np.arange(300) % 2, "odd", "even")})
    large = ex.grow(ex.Dataset.from_frame(frame, "goal", ["x"]), ex.CART)
    assert (large.n_nodes, large._repr_svg_()) == (599, None)
    assert large.with_pruned(np.arange(large.n_nodes_grown) == 0)._repr_svg_() is not None


def test_a_picture_of_the_top_counts_what_it_hides():
    tree = tennis_tree()
    root = read(ex.to_svg(tree, max_depth=1))
    shown = nodes(root)
    assert sorted(shown) == [0, 1, 2, 3]
    hidden = {node: [text for text in texts(group) if "below" in text] for node, group in shown.items()}
    assert hidden == {0: [], 1: ["5 rows · … 2 nodes below"], 2: [], 3: ["5 rows · … 2 nodes below"]}
    assert "… 2 nodes below" in shown[1].find(SVG + "title").text
    assert root.find(SVG + "desc").text == "5 leaves, depth 2, 14 rows"
    assert ex.to_svg(tree, max_depth=2) == ex.to_svg(tree, max_depth=9) == ex.to_svg(tree)


def test_the_path_to_the_highlighted_node_is_shown_at_any_depth():
    assert sorted(nodes(read(ex.to_svg(tennis_tree(), max_depth=0, highlight=6)))) == [0, 1, 2, 3, 6, 7]


def test_a_tree_too_large_to_draw_is_refused_with_the_depth_that_can_be_drawn(monkeypatch):
    tree = tennis_tree()
    monkeypatch.setattr("explorer.drawing.svg.svg.MOST_NODES", 8)
    assert len(nodes(read(ex.to_svg(tree)))) == 8
    monkeypatch.setattr("explorer.drawing.svg.svg.MOST_NODES", 7)
    with pytest.raises(InputError, match=r"would have 8 nodes, more than 7\..*max_depth=1"):
        ex.to_svg(tree)
    assert len(nodes(read(ex.to_svg(tree, max_depth=1)))) == 4
    assert drawable_depth(tree) == 1
    monkeypatch.setattr("explorer.drawing.svg.svg.MOST_NODES", 3)
    assert drawable_depth(tree) == 0
