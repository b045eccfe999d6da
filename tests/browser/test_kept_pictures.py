"""The picture of a large tree that is kept from frame to frame shows what painting everything would show."""

import pytest
from playwright.sync_api import Page

import explorer as ex
from explorer.drawing.tree_view.payload import tree_payload
from tests.benchmarks.drag import noise
from tests.browser.bare_view import BareView

DATA = ex.Dataset.from_frame(noise(5_000), "y")
LARGE = ex.grow(DATA, ex.CART)
LAYOUTS = ["down", pytest.param("right", marks=pytest.mark.slow), "icicle"]
DIFFERENT = 70
"""Of 255, by which a pixel must differ: lines in one stroke with others are smoothed a little differently."""
LITTLE = 0.15
HELPERS = """globalThis.kept = {
  view: decisionTreeViews.get("tree"),
  picture() {
    return this.view.stage.pictures[this.view.stage.mode === "icicle" ? "icicle" : "branches"];
  },
  share() {
    const { painted } = this.picture();
    return this.view.stage.mode === "icicle" ? painted / this.view.stage.scene.bars.count : painted;
  },
  draw() {
    const { stage } = this.view;
    cancelAnimationFrame(stage.frameRequest);
    clearTimeout(stage.sharpTimer);
    stage.frameRequest = 0;
    stage.frame();
  },
  pixels({ ground }) {
    return ground.context.getImageData(0, 0, ground.canvas.width, ground.canvas.height).data;
  },
  differing(border) {
    const anew = new (this.picture().constructor)(document.createElement("canvas"));
    const { canvas, scene } = this.view.stage;
    const other = document.createElement("canvas");
    [other.width, other.height] = [canvas.width, canvas.height];
    anew.paint(other.getContext("2d", { alpha: false }), scene);
    return this.between(this.pixels(this.picture()), this.pixels(anew), border);
  },
  between(one, other, border) {
    const { width, height } = this.picture().ground.canvas;
    let count = 0;
    for (let y = border; y < height - border; y++) {
      for (let x = border; x < width - border; x++) {
        const at = 4 * (y * width + x);
        if ([0, 1, 2].some((part) => Math.abs(one[at + part] - other[at + part]) > DIFFERENT)) count++;
      }
    }
    return count;
  },
}""".replace("DIFFERENT", str(DIFFERENT))


@pytest.fixture
def large(page: Page) -> BareView:
    page.set_viewport_size({"width": 1100, "height": 700})
    bare = BareView(page, [tree_payload(LARGE), ex.to_slider(ex.cost_complexity_path(LARGE), DATA)])
    bare.mount({"ghosts": True})
    page.evaluate(HELPERS)
    return bare


def shown(bare: BareView, layout: str) -> None:
    """The layout, drawn once, with every node faded in."""
    bare.page.evaluate("(layout) => kept.view.stage.setMode(layout)", layout)
    bare.page.evaluate("for (let frame = 0; frame < 30; frame++) kept.draw()")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_step_of_alpha_and_another_selection_paint_little_and_forget_nothing(large: BareView, layout: str) -> None:
    shown(large, layout)
    shares = []
    for step in range(1, 13):
        is_pruned = step % 3 > 0
        prune = f"view.state.position = {4 * step}; view.showPosition();"
        act = prune if is_pruned else f"view.stage.setSelected({97 * step});"
        large.page.evaluate("() => { kept.before = kept.pixels(kept.picture()); }")
        large.page.evaluate(f"() => {{ const {{ view }} = kept; {act} kept.draw(); }}")
        shares.append(large.page.evaluate("kept.share()"))
        assert large.page.evaluate("kept.differing(0)") == 0, f"step {step}"
        if is_pruned:
            assert large.page.evaluate("kept.between(kept.before, kept.pixels(kept.picture()), 0)") > 0
    assert sorted(shares)[len(shares) // 2] < LITTLE


@pytest.mark.parametrize("layout", LAYOUTS)
def test_panning_moves_the_picture_and_all_is_painted_when_the_hand_rests(large: BareView, layout: str) -> None:
    shown(large, layout)
    large.page.evaluate("kept.view.stage.zoomAt(3, 200, 200); kept.draw()")
    for dx, dy in ((9, 0), (-131, 12), (14, -90), (140, 70)):
        large.page.evaluate("([dx, dy]) => { kept.view.stage.pan(dx, dy); kept.draw(); }", [dx, dy])
        assert large.page.evaluate("kept.share()") < 3 * LITTLE
        assert large.page.evaluate("kept.differing(40)") < 60
    large.page.evaluate("kept.view.stage.isBusy = false; kept.draw()")
    assert large.page.evaluate("kept.share()") == 1
    assert large.page.evaluate("kept.differing(0)") == 0


def test_an_answer_with_the_same_colours_paints_nothing_anew(large: BareView) -> None:
    shown(large, "icicle")
    same = "kept.paints === view.stage.scene.paints"
    large.page.evaluate("kept.paints = kept.view.stage.scene.paints")
    large.mount({"ghosts": True}, echo=0, rule="a rule", rule_of=3)
    assert large.value(same)
    assert large.page.evaluate("kept.share()") == 0
    large.page.evaluate("document.body.style.setProperty('--st-background-color', '#0e1117')")
    large.mount({"ghosts": True}, echo=0)
    assert not large.value(same)


def test_a_picture_that_the_browser_has_dropped_is_painted_anew(large: BareView) -> None:
    shown(large, "icicle")
    assert large.page.evaluate("kept.share()") == 0
    large.page.evaluate("kept.picture().ground.canvas.dispatchEvent(new Event('contextrestored')); kept.draw()")
    assert large.page.evaluate("kept.share()") == 1
