// The tree beside the canvas: tests and predictions where there is room, dots where there is none.

import { makeElement } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";
import { pathTo, treePlaces } from "../model/tree_places.js";
import { regionColour } from "./looks.js";
import { childrenOf, putAttributes, svgElement } from "./svg.js";
import { labelText, nodeName, testText } from "./words.js";

const [BOX_WIDTH, BOX_HEIGHT, DOT] = [62, 24, 5];
const [LEAST_SLOT, LARGEST_SLOT, LEVEL] = [34, 110, 70];

export class SmallTree {
  /** `onSelect(path)` is called with the path to the node that the reader chooses. */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.host = makeElement("div", "dt-tree");
    this.svg = svgElement("svg", { class: "dt-tree-svg", role: "group", "aria-label": say("Tree") });
    this.host.append(this.svg);
    this.edges = svgElement("g", { "aria-hidden": "true" }, this.svg);
    this.nodes = svgElement("g", {}, this.svg);
    this.svg.addEventListener("click", (event) => this.select(nodeOf(event.target)));
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
  }

  draw(answer, ringed, theme, range, scale) {
    this.tree = answer?.tree ?? null;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!this.tree || !width || !height) return this.clear();
    const tree = this.tree;
    putAttributes(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    const leaves = tree.feature.filter((feature) => feature < 0).length;
    const spread = Math.min(width, leaves * LARGEST_SLOT * scale);
    const slot = spread / leaves;
    const box = slot >= LEAST_SLOT ? [Math.min(BOX_WIDTH * scale, slot - 4), BOX_HEIGHT * scale] : null;
    const edge = (BOX_HEIGHT * scale) / 2 + 5;
    const tall = Math.min(height - 2 * edge, LEVEL * Math.max(1, ...tree.depth));
    const places = treePlaces(tree).map(([across, down]) => [(width - spread) / 2 + across * spread, edge + down * tall]);
    this.range = range;
    this.drawEdges(places, theme);
    this.drawNodes(places, box, answer.selected, ringed, theme);
  }

  clear() {
    childrenOf(this.edges, "line", 0);
    this.nodes.replaceChildren();
  }

  drawEdges(places, theme) {
    const { tree } = this;
    const lines = childrenOf(this.edges, "line", Math.max(0, places.length - 1));
    for (let node = 1; node < places.length; node++) {
      const [[x1, y1], [x2, y2]] = [places[tree.parent[node]], places[node]];
      const most = Math.max(1, tree.weight[0]);
      putAttributes(lines[node - 1], { x1, y1, x2, y2, stroke: theme.quiet, "stroke-width": 1 + (6 * tree.weight[node]) / most });
    }
  }

  drawNodes(places, box, selected, ringed, theme) {
    const groups = childrenOf(this.nodes, "g", places.length);
    places.forEach(([x, y], node) => {
      const group = groups[node];
      if (!group.children.length) for (const tag of ["rect", "rect", "text"]) svgElement(tag, {}, group);
      this.drawNode(group, node, box, { isSelected: node === selected, isRinged: ringed.includes(node) }, theme);
      putAttributes(group, {
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
        class: "dt-node",
        role: "button",
        tabindex: node === selected ? 0 : -1,
        "aria-pressed": node === selected,
        "aria-label": nodeName(this.tree, node),
        "data-node": node,
      });
    });
  }

  drawNode(group, node, box, { isSelected, isRinged }, theme) {
    const { tree } = this;
    const [ring, shape, text] = group.children;
    const isLeaf = tree.feature[node] < 0;
    const [width, height] = box ?? [2 * DOT, 2 * DOT];
    const rect = (grow) => ({ x: -width / 2 - grow, y: -height / 2 - grow, width: width + 2 * grow, height: height + 2 * grow });
    const rx = isLeaf ? height / 2 : 4;
    putAttributes(ring, { ...rect(4), rx: rx + 4, fill: "none", stroke: theme.primary, "stroke-width": 3, visibility: isRinged ? null : "hidden" });
    const fill = isLeaf ? regionColour(theme, tree, node, this.range) : theme.background;
    putAttributes(shape, { ...rect(0), rx, fill, stroke: isSelected ? theme.text : theme.quiet, "stroke-width": isSelected ? 2.5 : 1 });
    const shown = box ? (isLeaf ? labelText(tree, node) : testText(tree, node)) : "";
    putAttributes(text, { y: 4.5, "text-anchor": "middle", class: "dt-node-text", textLength: shown.length * 0.3 * height > width - 4 ? width - 6 : null, lengthAdjust: "spacingAndGlyphs" });
    if (text.textContent !== shown) text.textContent = shown;
  }

  select(node) {
    if (node !== null && this.tree) this.onSelect(pathTo(this.tree, node));
  }

  onKey(event) {
    const node = nodeOf(event.target);
    const next = node === null ? null : this.neighbour(node, event.key);
    if (next === null) return;
    event.preventDefault();
    this.select(next);
    this.nodes.children[next].focus();
  }

  /** The node that a key leads to; null for other keys. */
  neighbour(node, key) {
    const { parent, first, feature } = this.tree;
    if (key === "Enter" || key === " ") return node;
    if (key === "ArrowUp") return Math.max(parent[node], 0);
    if (key === "ArrowDown") return feature[node] < 0 ? node : first[node];
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const other = node + (key === "ArrowLeft" ? -1 : 1);
      return other >= 0 && other < feature.length ? other : node;
    }
    return null;
  }
}

function nodeOf(element) {
  const group = element.closest?.("[data-node]");
  return group ? Number(group.dataset.node) : null;
}
