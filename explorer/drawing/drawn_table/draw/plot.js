// The canvas: regions of the tree, its splits, the points, and the gain curves along both axes.

/** @typedef {import("../model/points.js").Drawing} Drawing */
/** @typedef {import("../model/points.js").Place} Place */
/** @typedef {import("../model/points.js").Range} Range */
/** @typedef {import("../model/tree_places.js").Answer} Answer */
/** @typedef {import("../model/tree_places.js").Tree} Tree */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { makeElement } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";
import { Curves } from "./curves.js";
import { PER_UNIT, frameOf, pixelOf } from "./frame.js";
import { markColour, markPath, regionColour } from "./looks.js";
import { pointName } from "./words.js";
import { childrenOf, putAttributes, svgElement } from "./svg.js";

const TICKS = [0, 2, 4, 6, 8, 10];

export class Plot {
  constructor() {
    this.host = makeElement("div", "dt-plot");
    this.svg = svgElement("svg", { class: "dt-canvas", tabindex: 0, role: "application" });
    this.host.append(this.svg);
    const group = (/** @type {string} */ name, attributes = {}) => svgElement("g", { class: name, ...attributes }, this.svg);
    this.regions = group("dt-regions", { "aria-hidden": "true" });
    this.axes = group("dt-axes", { "aria-hidden": "true" });
    this.splits = group("dt-splits", { "aria-hidden": "true" });
    this.selection = svgElement("rect", { class: "dt-selection", fill: "none", "aria-hidden": "true" }, this.svg);
    this.rings = group("dt-rings", { "aria-hidden": "true" });
    this.points = group("dt-points");
    this.cursor = svgElement("path", { class: "dt-cursor", "aria-hidden": "true" }, this.svg);
    this.curves = new Curves(this.svg);
    this.frame = frameOf(0, 0, false);
    this.isMeasured = false;
  }

  /** Measure the element again; false while it has no size. @param {boolean} presenter */
  measure(presenter) {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return false;
    this.frame = frameOf(clientWidth, clientHeight, presenter);
    this.isMeasured = true;
    putAttributes(this.svg, { viewBox: `0 0 ${clientWidth} ${clientHeight}` });
    this.drawAxes();
    return true;
  }

  drawAxes() {
    const { plot } = this.frame;
    const texts = childrenOf(this.axes, "text", 2 * TICKS.length);
    TICKS.forEach((tick, index) => {
      const [left, top] = pixelOf(this.frame, tick * PER_UNIT, tick * PER_UNIT);
      putAttributes(texts[index], { x: left, y: plot.y + plot.height + 14, "text-anchor": "middle", class: "dt-small" });
      putAttributes(texts[TICKS.length + index], { x: plot.x - 6, y: top + 4, "text-anchor": "end", class: "dt-small" });
      texts[index].textContent = texts[TICKS.length + index].textContent = String(tick);
    });
  }

  /**
   * What came from Python: regions, splits, rings and curves.
   * @param {Answer | null} answer @param {number[]} ringed @param {Theme} theme @param {Range} range
   */
  drawAnswer(answer, ringed, theme, range) {
    const tree = answer?.tree ?? null;
    const nodes = tree ? tree.feature.map((_, node) => node) : [];
    const splitOf = (/** @type {number[]} */ some) => some.filter((node) => tree && tree.feature[node] >= 0);
    this.drawRegions(tree, nodes, theme, range);
    this.drawSplits(this.splits, tree, splitOf(nodes), theme.text, (depth) => Math.max(1, 3 - 0.7 * depth));
    this.drawSplits(this.rings, tree, splitOf(ringed), theme.primary, () => 5);
    putAttributes(this.selection, answer?.selected ? { ...this.box(answer.tree.boxes[answer.selected]), stroke: theme.text, visibility: null } : { visibility: "hidden" });
    this.curves.draw(this.frame, answer, theme);
  }

  /** A box [x from, x to, y from, y to] in pixels. @param {number[]} sides */
  box([fromX, toX, fromY, toY]) {
    const [left, bottom] = pixelOf(this.frame, fromX * PER_UNIT, fromY * PER_UNIT);
    const [right, top] = pixelOf(this.frame, toX * PER_UNIT, toY * PER_UNIT);
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** @param {Tree | null} tree @param {number[]} nodes @param {Theme} theme @param {Range} range */
  drawRegions(tree, nodes, theme, range) {
    const leaves = nodes.filter((node) => tree && tree.feature[node] < 0);
    const rects = childrenOf(this.regions, "rect", Math.max(leaves.length, 1));
    if (!tree) return putAttributes(rects[0], { ...this.box([0, 10, 0, 10]), fill: theme.panel });
    leaves.forEach((node, index) => putAttributes(rects[index], { ...this.box(tree.boxes[node]), fill: regionColour(theme, tree, node, range) }));
  }

  /**
   * The threshold of each node across its box.
   * @param {SVGElement} group @param {Tree | null} tree @param {number[]} nodes @param {string} stroke @param {(depth: number) => number} widthOf
   */
  drawSplits(group, tree, nodes, stroke, widthOf) {
    const lines = childrenOf(group, "line", nodes.length);
    if (!tree) return;
    nodes.forEach((node, index) => {
      const { x, y, width, height } = this.box(tree.boxes[tree.first[node]]);
      const ends = tree.feature[node] === 0 ? { x1: x + width, x2: x + width, y1: y, y2: y + height } : { x1: x, x2: x + width, y1: y, y2: y };
      putAttributes(lines[index], { ...ends, stroke, "stroke-width": widthOf(tree.depth[node]) });
    });
  }

  /** @param {Drawing} drawing @param {number} focused @param {Theme} theme @param {Range} range @param {boolean} presenter */
  drawPoints({ points, target }, focused, theme, range, presenter) {
    const marks = childrenOf(this.points, "path", points.length);
    points.forEach((point, index) => {
      const [left, top] = pixelOf(this.frame, point.x, point.y);
      putAttributes(marks[index], {
        d: markPath(target, point.mark, presenter ? 1.35 : 1),
        transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})`,
        fill: markColour(theme, target, point.mark, range),
        stroke: theme.background,
        role: "button",
        tabindex: index === focused ? 0 : -1,
        "data-point": index,
        "aria-label": pointName(points[index], index, target),
      });
    });
    const about = say("Canvas with {n} points over x and y. Arrow keys move the cursor, Enter adds a point, Tab goes to the points.", { n: points.length });
    putAttributes(this.svg, { "aria-label": about });
  }

  /** Only one point has moved: nothing else is drawn again. @param {number} index @param {Place} place */
  movePoint(index, { x, y }) {
    const [left, top] = pixelOf(this.frame, x, y);
    this.points.children[index]?.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)})`);
  }

  /** The cross at which Enter adds a point; null hides it. @param {Place | null} at @param {string} colour */
  drawCursor(at, colour) {
    if (!at) return putAttributes(this.cursor, { visibility: "hidden" });
    const [left, top] = pixelOf(this.frame, at.x, at.y);
    putAttributes(this.cursor, { visibility: null, stroke: colour, d: `M${left - 10} ${top}h20M${left} ${top - 10}v20` });
  }

  /** @param {number} index */
  focusPoint(index) {
    /** @type {SVGElement | undefined} */ (this.points.children[index])?.focus();
  }
}
