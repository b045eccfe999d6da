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
LEAST = 120
"""By how much the pixels in the middle of a node must change, all together, to be looked at."""
LITTLE = 0.15
HELPERS = """globalThis.kept = {
  view: decisionTreeViews.get("tree"),
  picture() {
    return this.view.stage.surface.pictures[this.view.stage.choices.mode === "icicle" ? "icicle" : "branches"];
  },
  share() {
    const { painted } = this.picture();
    return this.view.stage.choices.mode === "icicle" ? painted / this.view.stage.scene.bars.count : painted;
  },
  draw() {
    const { surface } = this.view.stage;
    cancelAnimationFrame(surface.frameRequest);
    clearTimeout(surface.sharpTimer);
    surface.frameRequest = 0;
    surface.frame();
  },
  pixels({ kept }) {
    return kept.context.getImageData(0, 0, kept.canvas.width, kept.canvas.height).data;
  },
  anew() {
    const picture = new (this.picture().constructor)(document.createElement("canvas"));
    const { canvas, scene } = this.view.stage.surface;
    const other = document.createElement("canvas");
    [other.width, other.height] = [canvas.width, canvas.height];
    picture.paint(other.getContext("2d", { alpha: false }), scene);
    return this.pixels(picture);
  },
  differing(border) {
    return this.between(this.pixels(this.picture()), this.anew(), border);
  },
  change(act) {
    const { scene } = this.view.stage;
    this.before = this.pixels(this.picture());
    act(this.view);
    this.changed = Array.from(scene.repaints.ids.subarray(0, scene.repaints.size));
    this.draw();
  },
  farApart(count, step) {
    const { layout, tree, bars, marks } = this.view.stage.scene;
    const isAlone = (t) => layout.shown[t] && (bars ? bars.number[t] >= 0 : !marks.dense[tree.depth[t]]);
    const nodes = Array.from(layout.shown.keys()).filter((t) => t > 0 && isAlone(t));
    const at = (i) => (Math.floor((i * nodes.length) / count) + 7 * step) % nodes.length;
    return Array.from({ length: count }, (_, i) => nodes[at(i)]);
  },
  put(nodes, opacity) {
    const { fades, repaints } = this.view.stage.scene;
    for (const t of nodes) {
      fades.put(t, opacity);
      repaints.add(t);
    }
  },
  stale() {
    const [kept, anew] = [this.pixels(this.picture()), this.anew()];
    const { scene } = this.view.stage;
    const found = { looked: 0, stale: [] };
    for (const t of this.changed) {
      const { x, y } = this.view.nodeCentre(t);
      const { left, top } = this.view.stage.surface.canvas.getBoundingClientRect();
      const [wanted, missing] = [this.before, kept].map((one) => this.around(one, anew, x - left, y - top));
      if (wanted < LEAST) continue;
      found.looked += 1;
      if (missing > wanted / 4) found.stale.push([t, wanted, missing]);
    }
    return found;
  },
  blurred(pixels, side = 16) {
    const { width, height } = this.picture().kept.canvas;
    const wide = Math.ceil(width / side);
    const sums = new Float64Array(wide * Math.ceil(height / side));
    for (let i = 0; i < width * height; i++) {
      const cell = Math.floor(Math.floor(i / width) / side) * wide + Math.floor((i % width) / side);
      sums[cell] += pixels[4 * i] + pixels[4 * i + 1] + pixels[4 * i + 2];
    }
    return sums;
  },
  blurredDifference(one, other) {
    const [sums, others] = [this.blurred(one), this.blurred(other)];
    return sums.reduce((sum, value, i) => sum + Math.abs(value - others[i]), 0);
  },
  around(one, other, x, y) {
    const { width, height } = this.picture().kept.canvas;
    let sum = 0;
    for (let row = Math.max(0, Math.round(y) - 2); row <= Math.min(height - 1, Math.round(y) + 2); row++) {
      for (let column = Math.max(0, Math.round(x) - 2); column <= Math.min(width - 1, Math.round(x) + 2); column++) {
        const at = 4 * (row * width + column);
        for (const part of [0, 1, 2]) sum += Math.abs(one[at + part] - other[at + part]);
      }
    }
    return sum;
  },
  between(one, other, border) {
    const { width, height } = this.picture().kept.canvas;
    let count = 0;
    for (let y = border; y < height - border; y++) {
      for (let x = border; x < width - border; x++) {
        const at = 4 * (y * width + x);
        if ([0, 1, 2].some((part) => Math.abs(one[at + part] - other[at + part]) > DIFFERENT)) count++;
      }
    }
    return count;
  },
}""".replace("DIFFERENT", str(DIFFERENT)).replace("LEAST", str(LEAST))


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
        large.page.evaluate(f"kept.change((view) => {{ {act} }})")
        shares.append(large.page.evaluate("kept.share()"))
        assert large.page.evaluate("kept.differing(0)") == 0, f"step {step}"
        if is_pruned:
            assert large.page.evaluate("kept.stale()")["stale"] == [], f"step {step}"
    assert sorted(shares)[len(shares) // 2] < LITTLE


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_of_a_few_nodes_that_change_far_apart_is_painted_again(large: BareView, layout: str) -> None:
    shown(large, layout)
    looked = 0
    for step in range(8):
        opacity = step % 2
        large.page.evaluate(
            "([count, step, opacity]) => kept.change(() => kept.put(kept.farApart(count, step), opacity))",
            [5, step // 2, opacity],
        )
        found = large.page.evaluate("kept.stale()")
        assert found["stale"] == [], f"step {step}"
        looked += found["looked"]
    assert looked >= 20


@pytest.mark.parametrize("layout", LAYOUTS)
def test_while_the_wheel_turns_the_last_painting_is_stretched(large: BareView, layout: str) -> None:
    shown(large, layout)
    zoom = "(factor) => { kept.view.stage.moves.zoomAt(factor, 200, 150); kept.draw(); }"
    is_stretched = "kept.view.stage.surface.pictures.stretched.isKept"
    on_canvas = "kept.pixels({ kept: kept.view.stage.surface })"
    large.page.evaluate(zoom, 4)
    assert not large.page.evaluate(is_stretched)
    large.page.evaluate(f"() => {{ kept.start = {on_canvas}; }}")
    for factor in (1.2, 1.25, 0.8):
        large.page.evaluate(zoom, factor)
        assert large.page.evaluate(is_stretched)
    large.page.evaluate("() => { kept.right = kept.anew(); }")
    missing = large.page.evaluate(f"kept.blurredDifference({on_canvas}, kept.right)")
    assert missing < large.page.evaluate("kept.blurredDifference(kept.start, kept.right)") / 2
    large.page.evaluate(zoom, 2.1)
    assert not large.page.evaluate(is_stretched)
    assert large.page.evaluate("kept.differing(0)") == 0
    large.page.evaluate(zoom, 0.9)
    large.page.evaluate("(t) => { kept.view.stage.moves.zoomAt(0.9, 200, 150); kept.put([t], 0); kept.draw(); }", 1)
    assert not large.page.evaluate(is_stretched)
    large.page.evaluate(zoom, 0.9)
    assert large.page.evaluate(is_stretched)
    large.page.evaluate("kept.view.stage.surface.isBusy = false; kept.draw()")
    assert not large.page.evaluate(is_stretched)
    assert large.page.evaluate("kept.differing(0)") == 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_panning_moves_the_picture_and_all_is_painted_when_the_hand_rests(large: BareView, layout: str) -> None:
    shown(large, layout)
    large.page.evaluate("kept.view.stage.moves.zoomAt(3, 200, 200); kept.draw()")
    for dx, dy in ((9, 0), (-131, 12), (14, -90), (140, 70)):
        large.page.evaluate("([dx, dy]) => { kept.view.stage.moves.pan(dx, dy); kept.draw(); }", [dx, dy])
        assert large.page.evaluate("kept.share()") < 3 * LITTLE
        assert large.page.evaluate("kept.differing(40)") < 60
    large.page.evaluate("kept.view.stage.surface.isBusy = false; kept.draw()")
    assert large.page.evaluate("kept.share()") == 1
    assert large.page.evaluate("kept.differing(0)") == 0


@pytest.mark.journey
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
    large.page.evaluate("kept.picture().kept.canvas.dispatchEvent(new Event('contextrestored')); kept.draw()")
    assert large.page.evaluate("kept.share()") == 1
