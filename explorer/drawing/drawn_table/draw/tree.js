// The tree beside the canvas: tests and predictions where there is room, dots where there is none.

/** @typedef {import("../model/points.js").Range} Range */
/** @typedef {import("../model/tree_places.js").Answer} Answer */
/** @typedef {import("../model/tree_places.js").Pair} Pair */
/** @typedef {import("../model/tree_places.js").Tree} Tree */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */
/** @typedef {Pair | null} Box width and height of a node with words; null where there is room for dots only */

import { makeElement } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";
import { pathTo, treePlaces } from "../model/tree_places.js";
import { regionColour } from "./looks.js";
import { childrenOf, putAttributes, svgElement } from "./svg.js";
import { labelText, nodeName, testText } from "./words.js";

const [BOX_WIDTH, BOX_HEIGHT, DOT] = [62, 24, 5];
const SHAPES = /** @type {const} */ (["rect", "rect", "text"]); // of a node: its ring, its box and its words
const [LEAST_SLOT, LARGEST_SLOT, LEVEL] = [34, 110, 70];

export class SmallTree {
  /**
   * `onSelect(path)` is called with the path to the node that the reader chooses.
   * @param {(path: string) => void} onSelect
   */
  constructor(onSelect) {
    /** @type {Tree | null} */
    this.tree = null;
    /** @type {Range} */
    this.range = [0, 0];
    this.onSelect = onSelect;
    this.host = makeElement("div", "dt-tree");
    this.svg = svgElement("svg", { class: "dt-tree-svg", role: "group", "aria-label": say("Tree") });
    this.host.append(this.svg);
    this.edges = svgElement("g", { "aria-hidden": "true" }, this.svg);
    this.nodes = svgElement("g", {}, this.svg);
    this.svg.addEventListener("click", (event) => this.select(nodeOf(event.target)));
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {Answer | null} answer @param {number[]} ringed @param {Theme} theme @param {Range} range @param {number} scale */
  draw(answer, ringed, theme, range, scale) {
    const tree = (this.tree = answer?.tree ?? null);
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!answer || !tree || !width || !height) return this.clear();
    putAttributes(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    const leaves = tree.feature.filter((feature) => feature < 0).length;
    const spread = Math.min(width, leaves * LARGEST_SLOT * scale);
    const slot = spread / leaves;
    /** @type {Box} */
    const box = slot >= LEAST_SLOT ? [Math.min(BOX_WIDTH * scale, slot - 4), BOX_HEIGHT * scale] : null;
    const edge = (BOX_HEIGHT * scale) / 2 + 5;
    const tall = Math.min(height - 2 * edge, LEVEL * Math.max(1, ...tree.depth));
    const placeOf = (/** @type {Pair} */ [across, down]) => /** @type {Pair} */ ([(width - spread) / 2 + across * spread, edge + down * tall]);
    const places = treePlaces(tree).map(placeOf);
    this.range = range;
    this.drawEdges(tree, places, theme);
    this.drawNodes(tree, places, box, answer.selected, ringed, theme);
  }

  clear() {
    childrenOf(this.edges, "line", 0);
    this.nodes.replaceChildren();
  }

  /** @param {Tree} tree @param {Pair[]} places @param {Theme} theme */
  drawEdges(tree, places, theme) {
    const lines = childrenOf(this.edges, "line", Math.max(0, places.length - 1));
    for (let node = 1; node < places.length; node++) {
      const [[x1, y1], [x2, y2]] = [places[tree.parent[node]], places[node]];
      const most = Math.max(1, tree.weight[0]);
      putAttributes(lines[node - 1], { x1, y1, x2, y2, stroke: theme.quiet, "stroke-width": 1 + (6 * tree.weight[node]) / most });
    }
  }

  /** @param {Tree} tree @param {Pair[]} places @param {Box} box @param {number} selected @param {number[]} ringed @param {Theme} theme */
  drawNodes(tree, places, box, selected, ringed, theme) {
    const groups = childrenOf(this.nodes, "g", places.length);
    places.forEach(([x, y], node) => {
      const group = groups[node];
      if (!group.children.length) for (const tag of SHAPES) svgElement(tag, {}, group);
      this.drawNode(tree, group, node, box, { isSelected: node === selected, isRinged: ringed.includes(node) }, theme);
      putAttributes(group, {
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
        class: "dt-node",
        role: "button",
        tabindex: node === selected ? 0 : -1,
        "aria-pressed": node === selected,
        "aria-label": nodeName(tree, node),
        "data-node": node,
      });
    });
  }

  /** @param {Tree} tree @param {SVGElement} group @param {number} node @param {Box} box @param {{ isSelected: boolean, isRinged: boolean }} state @param {Theme} theme */
  drawNode(tree, group, node, box, { isSelected, isRinged }, theme) {
    const [ring, shape, text] = group.children;
    const isLeaf = tree.feature[node] < 0;
    const [width, height] = box ?? [2 * DOT, 2 * DOT];
    const rect = (/** @type {number} */ grow) => ({ x: -width / 2 - grow, y: -height / 2 - grow, width: width + 2 * grow, height: height + 2 * grow });
    const rx = isLeaf ? height / 2 : 4;
    putAttributes(ring, { ...rect(4), rx: rx + 4, fill: "none", stroke: theme.primary, "stroke-width": 3, visibility: isRinged ? null : "hidden" });
    const fill = isLeaf ? regionColour(theme, tree, node, this.range) : theme.background;
    putAttributes(shape, { ...rect(0), rx, fill, stroke: isSelected ? theme.text : theme.quiet, "stroke-width": isSelected ? 2.5 : 1 });
    const shown = box ? (isLeaf ? labelText(tree, node) : testText(tree, node)) : "";
    putAttributes(text, { y: 4.5, "text-anchor": "middle", class: "dt-node-text", textLength: shown.length * 0.3 * height > width - 4 ? width - 6 : null, lengthAdjust: "spacingAndGlyphs" });
    if (text.textContent !== shown) text.textContent = shown;
  }

  /** @param {number | null} node */
  select(node) {
    if (node !== null && this.tree) this.onSelect(pathTo(this.tree, node));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const node = nodeOf(event.target);
    const next = node === null || !this.tree ? null : neighbour(this.tree, node, event.key);
    if (next === null) return;
    event.preventDefault();
    this.select(next);
    /** @type {SVGElement} */ (this.nodes.children[next]).focus();
  }
}

/** The node that a key leads to; null for other keys. @param {Tree} tree @param {number} node @param {string} key */
function neighbour({ parent, first, feature }, node, key) {
  if (key === "Enter" || key === " ") return node;
  if (key === "ArrowUp") return Math.max(parent[node], 0);
  if (key === "ArrowDown") return feature[node] < 0 ? node : first[node];
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const other = node + (key === "ArrowLeft" ? -1 : 1);
    return other >= 0 && other < feature.length ? other : node;
  }
  return null;
}

/** @param {EventTarget | null} element */
function nodeOf(element) {
  const group = element instanceof Element ? element.closest("[data-node]") : null;
  return group ? Number(group.getAttribute("data-node")) : null;
}
