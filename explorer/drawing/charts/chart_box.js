// A chart on two canvases: one drawn once for a size and a theme, and one drawn at every move; what the pointer does in it;
// and the tip beside a point.

import { makeElement, setShown } from "../tree_view/dom.js";
import { sizedContext } from "./strokes.js";

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{width: number, height: number}} Size
 */

/**
 * @template Plot, Theme
 * @typedef {{
 *   plan: (context: CanvasRenderingContext2D, size: Size, theme: Theme) => Plot | null,
 *   drawStill: (context: CanvasRenderingContext2D, plot: Plot) => void,
 *   drawMoving: (context: CanvasRenderingContext2D, plot: Plot) => void,
 * }} Acts what a chart does in its box: without a plot nothing is drawn
 */

/**
 * The box of a chart; its still layer lies below, or above with `isStillAbove`.
 * @template Plot, Theme
 * @param {string} className @param {Acts<Plot, Theme>} acts
 */
export function makeChartBox(className, acts, { isStillAbove = false } = {}) {
  return new ChartBox(className, acts, isStillAbove);
}

/** @template Plot, Theme */
class ChartBox {
  /** @param {string} className @param {Acts<Plot, Theme>} acts @param {boolean} isStillAbove */
  constructor(className, acts, isStillAbove) {
    this.acts = acts;
    /** @type {Theme | null} */
    this.theme = null;
    /** @type {Plot | null} */
    this.plan = null;
    this.frame = 0;
    this.still = makeElement("canvas", "", { role: "img", "aria-label": "" });
    this.moving = makeElement("canvas", "", { "aria-hidden": "true" });
    const layers = isStillAbove ? [this.moving, this.still] : [this.still, this.moving];
    this.element = makeElement("div", `tv-chart ${className}`, {}, layers);
    this.observer = new ResizeObserver(() => this.redrawSoon());
    this.observer.observe(this.element);
  }

  /** What was planned for the last drawing; null while it does not hold. */
  plot() {
    return this.plan;
  }

  /** @param {Theme} theme */
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

  /** Draw the moving layer again, unless all will be. */
  redrawMoving() {
    if (!this.plan || !this.context || this.frame) return;
    this.context.clearRect(0, 0, this.element.clientWidth, this.element.clientHeight);
    this.acts.drawMoving(this.context, this.plan);
  }

  /** @param {string} text */
  describe(text) {
    this.still.setAttribute("aria-label", text);
  }

  destroy() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

/**
 * Pressing in an element and moving on is a drag, by mouse, pen or touch; moving alone is hovering.
 * @param {HTMLElement} element
 * @param {{onDrag: (point: Point) => void, onRelease: () => void, onHover?: (point: Point | null) => void}} hooks
 */
export function listenToPointer(element, { onDrag, onRelease, onHover = () => {} }) {
  let isHeld = false;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    isHeld = true;
    onHover(null);
    onDrag(pointIn(element, event));
  });
  element.addEventListener("pointermove", (event) => (isHeld ? onDrag : onHover)(pointIn(element, event)));
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(name, () => {
      if (isHeld) onRelease();
      isHeld = false;
    });
  }
  element.addEventListener("pointerleave", () => isHeld || onHover(null));
}

/** A tip in an element: {show(lines, point), hide()}. */
export function makeTip(/** @type {HTMLElement} */ host) {
  const tip = makeElement("div", "tv-tip", { "aria-hidden": "true", hidden: "" });
  host.append(tip);
  /** @type {(lines: string[], point: Point) => void} */
  const show = (lines, { x, y }) => {
    tip.replaceChildren(...lines.map((line) => makeElement("div", "", {}, [line])));
    setShown(tip, true);
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    const left = x + 14 + width <= host.clientWidth ? x + 14 : x - 14 - width;
    tip.style.left = `${Math.max(0, Math.min(left, host.clientWidth - width))}px`;
    tip.style.top = `${Math.max(0, Math.min(y + 12, host.clientHeight - height))}px`;
  };
  return { show, hide: () => setShown(tip, false) };
}

/**
 * The place of a pointer in an element, in its own pixels.
 * @param {Element} element @param {PointerEvent | MouseEvent} event @returns {Point}
 */
export function pointIn(element, event) {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/**
 * The nearest of the points that lies within `most` pixels, −1 for none.
 * @param {number} n @param {(i: number) => number[]} at @param {Point} point
 */
export function nearestPoint(n, at, { x, y }, most = 14) {
  let [nearest, least] = [-1, most * most];
  for (let i = 0; i < n; i++) {
    const [px, py] = at(i);
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance < least) [nearest, least] = [i, distance];
  }
  return nearest;
}
