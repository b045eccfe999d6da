"""Pictures of lessons on a bare page: dragged with the mouse and moved by keys, still where motion is not wanted."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from explorer.drawing import pictures
from explorer.drawing.palette import LIGHT
from explorer.drawing.pictures.impurity_pictures import MEASURES, Bag, Bags, ImpurityTriangle
from explorer.drawing.tree_view import colour_themes
from pages.learn.path import scene_of

PAGE = """<!doctype html><style>body {{ margin: 0; --tv-height: 590px; --st-background-color: #fff;
  --st-text-color: {text}; --st-border-color: #ccc; --st-primary-color: {accent}; }}</style>
<div id="host" style="width: 640px"></div>
<script type="module">
{script}
mountPictures({{ data: {{ style: {style} }}, parentElement: document.createElement("div") }});
globalThis.root = document.getElementById("host").attachShadow({{ mode: "open" }});
pictureLoader.mount({{ data: {data}, parentElement: root, setTriggerValue() {{}} }});
</script>"""
BAG = Bags(says="A bag", classes=("No", "Yes"), bags=(Bag("", (5, 9)),), measures=MEASURES)
TRIANGLE = ImpurityTriangle(says="A triangle", classes=("a", "b", "c"), n=12, start=(4, 4, 4), measure="entropy")


def show(page: Page, picture) -> None:
    data = {
        "view": "picture",
        "step": "step",
        "picture": picture.plain(),
        "themes": colour_themes(3, "safe"),
        "presenter": False,
        "messages": {},
    }
    page.set_content(
        PAGE.format(
            script=pictures.FILES.script,
            style=json.dumps(pictures.FILES.style),
            data=json.dumps(data),
            text=LIGHT.text,
            accent=LIGHT.accent,
        )
    )
    expect(page.locator(".pic-svg")).to_be_visible()


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)


@pytest.mark.journey
def test_a_ball_dragged_out_of_the_bag_counts_no_longer(page):
    show(page, BAG)
    values = page.locator(".pic-value")
    expect(values).to_have_text(["0.940 bits", "0.459", "0.357"])
    drag(page, middle(page, ".pic-grab"), (20, 560))
    expect(values).to_have_text(["0.961 bits", "0.473", "0.385"])  # 8 and 5, while it is still held
    page.mouse.up()
    expect(values).to_have_text(["0.961 bits", "0.473", "0.385"])


def test_a_new_ball_is_dragged_into_the_bag_and_one_let_go_outside_is_not_kept(page):
    show(page, BAG)
    title = page.locator(".pic-title")
    source, bag = ".pic-grab:nth-last-of-type(2)", (320.0, 150.0)
    assert page.locator(source).count() == 1
    drag(page, middle(page, source), (20, 560))
    page.mouse.up()
    expect(title).to_have_text("9 Yes, 5 No")
    drag(page, middle(page, source), bag)
    page.mouse.up()
    expect(title).to_have_text("10 Yes, 5 No")


def test_the_bag_is_changed_by_keys_down_to_nothing(page):
    show(page, BAG)
    out = page.get_by_role("button", name="Take one No out")
    for _ in range(5):
        out.press("Enter")
    expect(page.locator(".pic-value")).to_have_text(["0.000 bits", "0.000", "0.000"])
    expect(out).to_be_disabled()


def test_the_point_of_the_curve_is_a_slider_that_says_its_value(page):
    show(page, next(each.picture for each in scene_of("mixed").steps({}) if each.name == "curves"))
    point = page.get_by_role("slider")
    said = "p = 7/14 = 0.500, Entropy: 1.000 bits, Gini index: 0.500, Error rate: 0.500"
    expect(point).to_have_attribute("aria-valuetext", said)
    point.press("ArrowRight")
    expect(point).to_have_attribute("aria-valuetext", re.compile("p = 8/14 = 0.571"))
    point.press("End")
    expect(point).to_have_value("14")
    drag(page, middle(page, ".pic-drag"), (0, 300))
    page.mouse.up()
    expect(point).to_have_value("0")


def test_pointing_at_a_line_shows_its_tree(page):
    show(page, next(each.picture for each in scene_of("cost_complexity").steps({}) if each.name == "all subtrees"))
    title = page.locator(".pic-title")
    at_alpha = title.text_content()
    box = page.locator(".pic-drag").bounding_box()
    found = set()
    for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + share * box["height"])
        found.add(title.text_content())
    assert any(text.startswith("R(T)") for text in found)
    page.mouse.move(2, 2)
    expect(title).to_have_text(at_alpha)


def test_every_key_of_the_triangle_keeps_the_number_of_balls(page):
    show(page, TRIANGLE)
    point = page.get_by_role("slider")
    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowDown"):
        point.press(key)
        said = point.get_attribute("aria-valuetext") or ""
        counts = [int(part.split()[0]) for part in said.split(":")[0].split(", ")]
        assert sum(counts) == 12
        assert min(counts) >= 0


@pytest.mark.parametrize(("motion", "duration"), [("no-preference", "0.5s"), ("reduce", "0s")])
def test_nothing_glides_where_motion_is_not_wanted(page, motion, duration):
    page.emulate_media(reduced_motion=motion)
    show(page, BAG)
    page.wait_for_timeout(200)
    seconds = page.evaluate("getComputedStyle(root.querySelector('.pic-ball')).transitionDuration")
    assert seconds == duration


DRAGGED = [
    ("regression", "cut"),
    ("overfitting", "curve"),
    ("subsets", "ordering"),
    ("cost_complexity", "all subtrees"),
    ("choose_size", "cross-validation"),
    ("not_nested", "larger alpha"),
    ("boosting", "vote"),
]


@pytest.mark.parametrize(("scene", "step"), DRAGGED, ids=lambda name: name)
def test_the_slider_of_a_plot_follows_a_drag_in_it(page, scene, step):
    show(page, next(each.picture for each in scene_of(scene).steps({}) if each.name == step))
    plot = page.locator(".pic-drag").first.bounding_box()
    said = [[each.get_attribute("aria-valuetext") for each in page.locator("input[type=range]").all()]]
    for share in (0.15, 0.85):
        page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
        page.mouse.down()
        page.mouse.move(plot["x"] + share * plot["width"], plot["y"] + share * plot["height"], steps=3)
        page.mouse.up()
        said.append([each.get_attribute("aria-valuetext") for each in page.locator("input[type=range]").all()])
    assert said[1] != said[2], said
