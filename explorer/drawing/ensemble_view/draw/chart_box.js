// A chart on two canvases: one drawn once for a size and a theme, and one drawn at every move of the stage.

import { makeElement } from "../../tree_view/dom.js";
import { sizedContext } from "../../tree_view/charts/strokes.js";

/**
 * acts: {plan(context, size, theme) → plot or null, drawStill(context, plot), drawMoving(context, plot)}; the still layer
 * lies below, or above with `isStillAbove`. Gives {element, plot(), setTheme, redrawSoon, redrawMoving, destroy}.
 */
export function makeChartBox(className, acts, { isStillAbove = false } = {}) {
  return new ChartBox(className, acts, isStillAbove);
}

class ChartBox {
  constructor(className, acts, isStillAbove) {
    this.acts = acts;
    [this.theme, this.plan, this.frame] = [null, null, 0];
    this.still = makeElement("canvas", "", { role: "img", "aria-label": "" });
    this.moving = makeElement("canvas", "", { "aria-hidden": "true" });
    const layers = isStillAbove ? [this.moving, this.still] : [this.still, this.moving];
    this.element = makeElement("div", `ev-chart ${className}`, {}, layers);
    this.observer = new ResizeObserver(() => this.redrawSoon());
    this.observer.observe(this.element);
  }

  plot() {
    return this.plan;
  }

  setTheme(theme) {
    this.theme = theme;
    this.redrawSoon();
  }

  redrawSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.redraw();
    });
  }

  redraw() {
    const size = { width: this.element.clientWidth, height: this.element.clientHeight };
    this.plan = null;
    if (!this.theme || size.width < 40 || size.height < 40) return;
    const still = sizedContext(this.still, size);
    this.context = sizedContext(this.moving, size);
    this.plan = this.acts.plan(still, size, this.theme);
    if (!this.plan) return;
    this.acts.drawStill(still, this.plan);
    this.redrawMoving();
  }

  redrawMoving() {
    if (!this.plan) return;
    this.context.clearRect(0, 0, this.element.clientWidth, this.element.clientHeight);
    this.acts.drawMoving(this.context, this.plan);
  }

  describe(text) {
    this.still.setAttribute("aria-label", text);
  }

  destroy() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

/**
 * A chart of one stage in which a row can be chosen: what the charts of fit, votes, regions and rows have in common. Its
 * own are `set(picture)`, the acts of the chart box, `pick(event)` for a click, and `describe()`.
 */
export class StageChart {
  constructor(className, hooks, options) {
    this.hooks = hooks;
    [this.stage, this.row] = [0, -1];
    this.box = makeChartBox(className, this, options);
    this.element = this.box.element;
    this.element.addEventListener("click", (event) => this.pick(event));
  }

  setTheme(theme) {
    this.box.setTheme(theme);
  }

  setStage(stage) {
    this.stage = stage;
    this.box.redrawMoving();
  }

  setRow(row) {
    this.row = row;
    this.box.redrawMoving();
  }

  destroy() {
    this.box.destroy();
  }
}

/** The place of a pointer in an element, in its own pixels. */
export function pointIn(element, event) {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** The nearest of the points that lies within `most` pixels, −1 for none. */
export function nearestPoint(n, at, { x, y }, most = 14) {
  let [nearest, least] = [-1, most * most];
  for (let i = 0; i < n; i++) {
    const [px, py] = at(i);
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance < least) [nearest, least] = [i, distance];
  }
  return nearest;
}
