// The tree as indented text: real elements that screen readers can read, and only as many as are visible.
//
// row      one line per node that no folded node hides, in reading order (preorder)
// current  the row that has the tabindex; it stays in the document even when it is scrolled out of view

/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { classSign } from "../../charts/swatches.js";
import { makeElement, rootOf, textElement } from "../dom.js";
import { later } from "../later.js";
import { GHOST, INNER, looksSplit } from "../model/pruned_shape.js";
import { listing, say } from "../messages.js";
import { rowShareText } from "../canvas/row_path.js";
import { spokenNode } from "../model/node_facts.js";
import { ellipsis, visibleText } from "../format.js";

/** @typedef {{ select: (id: number) => void, fold: (id: number) => void, key: (event: KeyboardEvent) => void }} Hooks */

const OUTLINE_ROW_HEIGHT = 32;
const ROWS_TO_SPARE = 8;
const INDENT = 18;
const DEEPEST_INDENT = 24;
const LONGEST_LINE = 160;
const LONGEST_TITLE = 1000;
const LEAST_LINE = 280; // what a line needs beside its indent; narrower views scroll sideways

/** Ids in preorder, leaving out what is below a folded node or too deep. @param {TreeData} tree @param {Uint8Array} shown */
export function outlineRows(tree, shown) {
  const rows = [];
  const waiting = [0];
  for (let t = waiting.pop(); t !== undefined; t = waiting.pop()) {
    rows.push(t);
    const first = tree.firstChild[t];
    if (first < 0 || !shown[first]) continue;
    for (let child = first + tree.childCount[t] - 1; child >= first; child--) waiting.push(child);
  }
  return Int32Array.from(rows);
}

export class Outline {
  /** @param {HTMLElement} host @param {Hooks} on */
  constructor(host, on) {
    this.on = on;
    this.element = textElement("div", "tv-outline");
    this.element.setAttribute("role", "tree");
    this.element.setAttribute("aria-label", say("Decision tree as text"));
    this.spacer = textElement("div", "tv-outline-rows");
    this.spacer.setAttribute("role", "presentation");
    this.element.append(this.spacer);
    this.element.hidden = true;
    /** @type {Map<number, HTMLElement>} by row */
    this.built = new Map();
    /** @type {Scene} */
    this.scene = later();
    /** @type {Int32Array} ids in reading order */
    this.rows = later();
    this.rowOfNode = new Int32Array(0);
    host.append(this.element);
    this.element.addEventListener("scroll", () => this.render());
    this.element.addEventListener("keydown", (event) => this.keyDown(event));
    this.element.addEventListener("click", (event) => this.click(event));
  }

  /** New rows after another tree, folding or depth limit. @param {Scene} scene */
  setScene(scene) {
    this.scene = scene;
    this.rows = outlineRows(scene.tree, scene.layout.shown);
    this.rowOfNode = new Int32Array(scene.tree.n).fill(-1);
    this.rows.forEach((t, row) => (this.rowOfNode[t] = row));
    this.spacer.style.minWidth = `${LEAST_LINE + INDENT * Math.min(scene.layout.levels.length, DEEPEST_INDENT)}px`;
    this.spacer.style.height = `${this.rows.length * OUTLINE_ROW_HEIGHT}px`;
    this.refresh();
  }

  /** Write all rows again: shape, selection or theme have changed. */
  refresh() {
    if (this.isIdle()) return;
    const hadFocus = this.element.contains(rootOf(this.element).activeElement);
    for (const row of this.built.values()) row.remove();
    this.built.clear();
    this.render();
    if (hadFocus) this.focus();
  }

  /** Nothing to show: hidden, or the tree has no shape yet. */
  isIdle() {
    return this.element.hidden || !this.rows || !this.scene.shape;
  }

  current() {
    return Math.max(0, this.rowOfNode[Math.max(0, this.scene.selected)]);
  }

  render() {
    if (this.isIdle()) return;
    const top = Math.floor(this.element.scrollTop / OUTLINE_ROW_HEIGHT) - ROWS_TO_SPARE;
    const from = Math.max(0, top);
    const visibleRows = Math.ceil(this.element.clientHeight / OUTLINE_ROW_HEIGHT);
    const to = Math.min(this.rows.length, top + visibleRows + 2 * ROWS_TO_SPARE);
    const wanted = new Set([this.current()]);
    for (let row = from; row < to; row++) wanted.add(row);
    for (const [row, element] of this.built) {
      if (wanted.has(row)) continue;
      element.remove();
      this.built.delete(row);
    }
    for (const row of [...wanted].sort((a, b) => a - b)) if (!this.built.has(row)) this.addRow(row);
  }

  /** @param {number} row */
  addRow(row) {
    const element = this.rowElement(this.rows[row], row);
    let next = null;
    for (const [other, sibling] of this.built) {
      if (other > row && (next === null || other < next.other)) next = { other, sibling };
    }
    this.spacer.insertBefore(element, next?.sibling ?? null);
    this.built.set(row, element);
  }

  /** @param {number} t @param {number} row */
  rowElement(t, row) {
    const { tree, shape, selected, theme } = this.scene;
    const element = textElement("div", "tv-line");
    element.dataset.node = String(t);
    element.style.top = `${row * OUTLINE_ROW_HEIGHT}px`;
    element.style.paddingInlineStart = `${8 + INDENT * Math.min(tree.depth[t], DEEPEST_INDENT)}px`;
    element.tabIndex = row === this.current() ? 0 : -1;
    describeItem(element, this.scene, t);
    element.classList.toggle("tv-line-gone", shape[t] === GHOST);
    element.setAttribute("aria-selected", String(t === selected));
    element.append(this.foldButton(t), this.branchElement(t));
    if (shape[t] !== INNER && !tree.isRegression) element.append(classSign(theme, tree.label[t]));
    element.append(this.predictionElement(t));
    element.append(textElement("span", "tv-quiet", tree.rowsText(t)));
    if (shape[t] === GHOST) element.append(textElement("span", "tv-quiet", say("(pruned)")));
    return element;
  }

  /** @param {number} t */
  branchElement(t) {
    const { tree } = this.scene;
    if (t === 0) return makeNamedText("span", "tv-line-reached", tree.reachedBy(0));
    return makeNamedText("span", "tv-line-reached", tree.featureName(tree.parent[t]), ` ${tree.branchText(t)}`);
  }

  /** The prediction, or the test with a question mark. @param {number} t */
  predictionElement(t) {
    const { tree, shape } = this.scene;
    if (!looksSplit(tree, shape, t)) return makeNamedText("strong", "", tree.prediction(t));
    const name = tree.featureName(t);
    return makeNamedText("strong", "", name, `${tree.testText(t).slice(name.length)}?`);
  }

  /** @param {number} t */
  foldButton(t) {
    const { tree, layout } = this.scene;
    const sign = textElement("span", "tv-line-fold");
    sign.setAttribute("aria-hidden", "true");
    if (!this.scene.hasBranches(t)) return sign;
    sign.dataset.fold = String(t);
    sign.textContent = layout.shown[tree.firstChild[t]] ? "▾" : "▸";
    return sign;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const { fold } = target.dataset;
    if (fold !== undefined) return this.on.fold(Number(fold));
    const line = /** @type {HTMLElement | null} */ (target.closest("[data-node]"));
    if (line) this.go(Number(line.dataset.node));
  }

  focus() {
    this.built.get(this.current())?.focus({ preventScroll: true });
  }

  /** @param {number} t */
  go(t) {
    this.on.select(t);
    this.reveal(t);
    this.built.get(this.rowOfNode[t])?.focus({ preventScroll: true });
  }

  /** @param {number} t */
  reveal(t) {
    if (this.isIdle() || t < 0 || this.rowOfNode[t] < 0) return;
    const top = this.rowOfNode[t] * OUTLINE_ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    const bottom = top + OUTLINE_ROW_HEIGHT;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    this.render();
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const { tree, layout } = this.scene;
    const row = this.current();
    const t = this.rows[row];
    const isOpen = tree.firstChild[t] >= 0 && layout.shown[tree.firstChild[t]] === 1;
    const targetRow = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      Home: 0,
      End: this.rows.length - 1,
      PageDown: row + 10,
      PageUp: row - 10,
    }[event.key];
    if (targetRow !== undefined) this.go(this.rows[Math.max(0, Math.min(this.rows.length - 1, targetRow))]);
    else if (event.key === "ArrowRight" && isOpen) this.go(tree.firstChild[t]);
    else if (event.key === "ArrowRight" && this.scene.hasBranches(t)) this.on.fold(t);
    else if (event.key === "ArrowLeft" && isOpen) this.on.fold(t);
    else if (event.key === "ArrowLeft") this.go(Math.max(0, tree.parent[t]));
    else return this.on.key(event);
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * A name and a text after it. The style sheet cuts the name first; the whole text is the tooltip.
 * @param {keyof HTMLElementTagNameMap} tag @param {string} className @param {string} name
 */
function makeNamedText(tag, className, name, word = "") {
  const title = visibleText(ellipsis(name + word, LONGEST_TITLE));
  const parts = [textElement("span", "tv-line-name", lineText(name)), textElement("span", "tv-line-word", lineText(word))];
  return makeElement(tag, `tv-line-words ${className}`, { title }, parts);
}

/** @param {string} text */
function lineText(text) {
  return visibleText(ellipsis(text, LONGEST_LINE));
}

/**
 * What a screen reader needs to locate a node: level, number among its siblings, folded or not.
 * @param {HTMLElement} element @param {Scene} scene @param {number} t
 */
function describeItem(element, scene, t) {
  const { tree, layout } = scene;
  const parent = tree.parent[t];
  element.setAttribute("role", "treeitem");
  element.setAttribute("aria-level", String(tree.depth[t] + 1));
  element.setAttribute("aria-setsize", String(parent < 0 ? 1 : tree.childCount[parent]));
  element.setAttribute("aria-posinset", String(parent < 0 ? 1 : t - tree.firstChild[parent] + 1));
  if (!scene.hasBranches(t)) element.removeAttribute("aria-expanded");
  else element.setAttribute("aria-expanded", String(layout.shown[tree.firstChild[t]] === 1));
}

/**
 * The one item that stands for the selected node, else for the root, with all that is said of it.
 * @param {HTMLElement} element @param {Scene} scene
 */
export function describeSelected(element, scene) {
  const t = Math.max(0, scene.selected);
  describeItem(element, scene, t);
  const spoken = listing([spokenNode(scene.tree, scene.shape, t, scene.sequence), rowShareText(scene.rowPath, t)].filter(Boolean));
  element.setAttribute("aria-label", spoken);
  element.setAttribute("aria-selected", String(t === scene.selected));
}
