// The tooltip of a node.

/** @typedef {import("../canvas/level_of_detail.js").Rect} Rect */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("./surface.js").Surface} Surface */

import { outlineOf } from "../canvas/paint.js";
import { makeElement } from "../dom.js";
import { fillTip, placeTip } from "../model/node_facts.js";

const TIP_PAUSE = 60;
const MOST_RELATIVES = 40;

export class Tip {
  /** @param {HTMLElement} host @param {Surface} surface */
  constructor(host, { area, scene, choices }) {
    this.host = host;
    this.area = area;
    this.scene = scene;
    this.choices = choices;
    this.element = makeElement("div", "tv-tip", { hidden: "" });
    host.append(this.element);
  }

  hide() {
    clearTimeout(this.timer);
    this.element.hidden = true;
  }

  /** For a node that the pointer has come to, or left (−1). @param {number} t */
  follow(t) {
    clearTimeout(this.timer);
    if (t < 0) this.hide();
    else this.timer = setTimeout(() => this.show(t), TIP_PAUSE);
  }

  /** @param {number} t */
  show(t) {
    const { scene, element } = this;
    if (!scene.layout.shown[t] || !this.choices.isCanvas) return;
    fillTip(element, scene, t);
    element.hidden = false;
    const inHost = (/** @type {number} */ node) => boxInHost(outlineOf(scene, node), scene.enlarged, this.area);
    placeTip(element, this.host, inHost(t), relativesOf(scene, t).map(inHost));
  }
}

/** @param {Rect} box @param {number} enlarged @param {HTMLElement} area */
function boxInHost({ x, y, halfWidth, halfHeight }, enlarged, { offsetLeft, offsetTop }) {
  const [left, top] = [x * enlarged + offsetLeft, y * enlarged + offsetTop];
  return { x: left, y: top, halfWidth: halfWidth * enlarged, halfHeight: halfHeight * enlarged };
}

/** Parent, siblings and children that are shown; of very many the first ones. @param {Scene} scene @param {number} t */
export function relativesOf({ tree, layout }, t) {
  const childrenOf = (/** @type {number} */ node) => Array.from({ length: Math.min(tree.childCount[node], MOST_RELATIVES) }, (_, i) => tree.firstChild[node] + i);
  const above = t > 0 ? [tree.parent[t], ...childrenOf(tree.parent[t])] : [];
  return [...above, ...childrenOf(t)].filter((node) => node !== t && layout.shown[node] === 1);
}
