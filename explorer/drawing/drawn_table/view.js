// A table that one draws: points that are moved by hand, while Python grows their tree.
//
// Data of the view:
//   view      its name on the page
//   version   changes where Python itself sets the drawing (a preset, a link): the view then takes over `drawing`
//   drawing   {points (as text), target, algorithm, depth (null: any)}
//   number    the number of the question that `answer` is about
//   answer    what Python made of it, as JSON: {tree, selected, candidates, curves, score, changed}, or {problem}
//   presets   [{name, title}]
//   themes, presenter, messages   as for the tree view
// A point follows the hand in the browser at once; the question to Python goes out when no other is under way.

import { makeElement, putText, rootOf, textElement } from "../tree_view/dom.js";
import { later } from "../tree_view/later.js";
import { messagesKey, say } from "../tree_view/messages.js";
import { makeLibrary } from "../tree_view/mounting.js";
import { readTheme } from "../tree_view/theme.js";
import { Plot } from "./draw/plot.js";
import { SmallTree } from "./draw/tree.js";
import { Exchange } from "./model/exchange.js";
import { History } from "./model/history.js";
import { converted, decoded, encoded, rangeOf, sprinkled, withPoint, withoutPoint } from "./model/points.js";
import { nodeAt, pathTo } from "./model/tree_places.js";
import { CompetitionPart } from "./parts/competition.js";
import { Hand } from "./parts/hand.js";
import { Toolbar } from "./parts/toolbar.js";

/** @typedef {import("../tree_view/theme.js").Theme} Theme */
/** @typedef {import("./model/points.js").Drawing} Drawing */
/** @typedef {import("./model/points.js").Place} Place */
/** @typedef {import("./model/tree_places.js").Answer} Answer */
/**
 * @typedef {{
 *   view: string, version: number | string, drawing: Omit<Drawing, "points"> & { points: string }, number: number, answer: string,
 *   presets: { name: string, title: string }[], themes: Parameters<typeof readTheme>[1], presenter: boolean,
 *   messages: Record<string, string> | null,
 * }} Data as described above
 */
/** @typedef {Answer & { problem?: string }} Answered */
/** @typedef {{ brush?: number | string, value?: number, snap?: boolean }} Tools */

const GRID = 50;
const PRESENTED = 1.3;
const drawnTableLibrary = makeLibrary({
  loader: "drawnTableLoader",
  views: "drawnTableViews",
  open: () => ({ sig: "" }),
  make: (parentElement, /** @type {Data} */ data) => new DrawnTableView(parentElement, data),
  partFrame: "tv-root",
});

/** Called by Streamlit when the library is mounted. @param {Component<{ style: string }>} component */
export default function mountDrawnTable(component) {
  drawnTableLibrary.mount(component);
}

class DrawnTableView {
  root = makeElement("div", "tv-root dt-root");
  plot = new Plot();
  tree = new SmallTree((path) => this.choose(path));
  competition = new CompetitionPart();
  sentence = makeElement("p", "dt-sentence", { role: "status", "aria-live": "polite" });
  score = textElement("p", "dt-score");

  /** @type {Data | undefined} */
  data = undefined;
  /** @type {Data["version"]} */
  version = "";
  /** @type {History<Drawing>} */
  history = later();
  /** @type {Answer | null} */
  answer = null;
  problem = "";
  /** @type {string | undefined} what an answer has said of a change */
  tipped = undefined;
  /** @type {number | string} code of a class, or "erase" */
  brush = 0;
  value = 50;
  snap = false;
  path = "";
  /** @type {string[]} paths of nodes */
  ringed = [];
  focused = 0;
  /** @type {Place} */
  cursor = { x: 500, y: 500 };
  isNewGesture = true;
  /** @type {Theme} */
  theme = later();
  /** @type {import("./model/points.js").Range} */
  range = [0, 0];
  /** @type {(state: Record<string, unknown>) => void} */
  report = () => {};

  /** @param {ShadowRoot} parentElement @param {Data} data */
  constructor(parentElement, data) {
    this.name = data.view;
    this.messagesKey = messagesKey(data.messages);
    this.exchange = new Exchange((question) => this.report(question));
    this.toolbar = new Toolbar(this.actions(), data.presets);
    const side = makeElement("div", "dt-side", {}, [this.sentence, this.score, this.competition.root, this.tree.host]);
    this.root.append(this.toolbar.root, makeElement("div", "dt-main", {}, [this.plot.host, side]));
    this.root.addEventListener("keydown", (event) => this.onUndoKey(event));
    parentElement.append(this.root);
    this.hand = new Hand(this.board());
    this.observer = new ResizeObserver(() => this.resized());
    for (const host of [this.plot.host, this.tree.host]) this.observer.observe(host);
    (globalThis.drawnTableViews ??= new Map()).set(this.name, this);
  }

  /** What the tools do. @returns {import("./parts/toolbar.js").Actions} */
  actions() {
    return {
      target: (target) => this.changeTarget(target),
      brush: (brush) => this.set({ brush }),
      value: (value) => this.set({ value }),
      algorithm: (algorithm) => this.change({ algorithm }),
      depth: (depth) => this.change({ depth: depth ? Number(depth) : null }),
      preset: (preset) => this.exchange.ask({ ...this.question(true), preset }),
      noise: () => this.change({ points: sprinkled(this.drawing.points, this.drawing.target, Math.random) }),
      undo: () => this.history.undo() && this.restored(),
      redo: () => this.history.redo() && this.restored(),
      clear: () => this.change({ points: [] }),
      snap: () => this.set({ snap: !this.snap }),
    };
  }

  /** What the hand works on. @returns {import("./parts/hand.js").Board} */
  board() {
    const view = this;
    return {
      plot: this.plot,
      points: () => this.drawing.points,
      target: () => this.drawing.target,
      brush: () => this.brush,
      grid: () => (this.snap ? GRID : 1),
      add: (place, isWhole = false) => this.add(place, isWhole),
      move: (index, place, isWhole = false) => this.move(index, place, isWhole),
      remove: (index) => this.remove(index),
      mark: (index, mark) => this.change({ points: withPoint(this.drawing.points, index, { mark }) }),
      pick: (mark) => this.set(this.drawing.target === "number" ? { value: mark } : { brush: mark }),
      drop: () => this.drop(),
      goTo: (index) => this.goTo(index),
      focus: (index) => (this.focused = index),
      showCursor: () => this.showCursor(),
      get cursor() {
        return view.cursor;
      },
      set cursor(place) {
        view.cursor = place;
      },
    };
  }

  get drawing() {
    return this.history.present;
  }

  /** @param {Data} data */
  update(data) {
    const isFirst = this.data === undefined;
    const isOwn = !isFirst && data.version === this.version && data.number === this.exchange.underWay;
    this.data = data;
    if (isFirst || data.version !== this.version) this.takeOver(data, isFirst);
    this.takeAnswer(JSON.parse(data.answer));
    if (isOwn && this.plot.isMeasured) this.drawAnswer(); // the points are drawn, and may have moved on
    else this.draw();
    this.exchange.answered(data.number);
  }

  /** A drawing that Python has set; what was drawn before can be had again by undoing. @param {Data} data @param {boolean} isFirst */
  takeOver({ version, drawing }, isFirst) {
    const taken = { ...drawing, points: decoded(drawing.points) };
    if (isFirst) this.history = new History(taken);
    else this.history.push(taken);
    this.version = version;
    this.path = "";
    this.ringed = [];
    this.focused = 0;
    this.fitBrush();
  }

  /** @param {Answered} answer */
  takeAnswer(answer) {
    this.problem = answer.problem ?? "";
    this.answer = answer.problem ? null : answer;
    if (!this.answer) {
      this.ringed = [];
      putText(this.sentence, this.problem);
    } else if (answer.changed.length) {
      this.ringed = answer.changed.map(({ node }) => pathTo(answer.tree, node));
      this.tipped = answer.changed[0].text;
    }
    if (this.answer) putText(this.sentence, this.tipped ?? say("Drag a point: a split that changes is ringed here and on the canvas."));
  }

  /** @param {boolean} isLast */
  question(isLast) {
    const { points, target, algorithm, depth } = this.drawing;
    return { points: encoded(points), target, algorithm, depth, path: this.path, last: isLast };
  }

  ask(isLast = true) {
    this.exchange.ask(this.question(isLast));
  }

  /** Change the drawing in one step that can be undone. @param {Partial<Drawing>} fields */
  change(fields, isLast = true, merges = false) {
    if (this.isNewGesture || isLast) this.ringed = [];
    this.history.push({ ...this.drawing, ...fields }, merges);
    this.draw();
    this.ask(isLast);
  }

  /** @param {Tools} fields */
  set(fields) {
    Object.assign(this, fields);
    this.drawTools();
  }

  /** @param {string} target */
  changeTarget(target) {
    const { points, target: before } = this.drawing;
    this.change({ target, points: converted(points, before, target), algorithm: target === "number" ? "CART" : this.drawing.algorithm });
    this.fitBrush();
    this.drawTools();
  }

  fitBrush() {
    if (typeof this.brush === "number" && this.brush >= (Number(this.drawing.target) || 1)) this.brush = 0;
  }

  /** Add a point and give its index; unless it is `isWhole`, the hand goes on moving it. @param {Place} place @param {boolean} isWhole */
  add(place, isWhole) {
    const { points, target } = this.drawing;
    const mark = target === "number" ? this.value : typeof this.brush === "number" ? this.brush : 0;
    this.focused = points.length;
    this.change({ points: [...points, { ...place, mark }] }, isWhole);
    this.isNewGesture = false;
    if (isWhole) this.isNewGesture = true;
    return points.length;
  }

  /** @param {number} index @param {Place} place @param {boolean} isWhole */
  move(index, place, isWhole) {
    const points = withPoint(this.drawing.points, index, place);
    if (isWhole) {
      this.change({ points });
      this.plot.focusPoint(index);
      return;
    }
    if (this.isNewGesture) this.ringed = [];
    this.history.push({ ...this.drawing, points }, !this.isNewGesture);
    this.isNewGesture = false;
    this.plot.movePoint(index, place);
    this.ask(false);
  }

  drop() {
    this.isNewGesture = true;
    this.draw();
    this.ask();
  }

  /** @param {number} index */
  remove(index) {
    const hadFocus = this.plot.points.contains(rootOf(this.plot.svg).activeElement);
    this.focused = Math.max(0, Math.min(index, this.drawing.points.length - 2));
    this.change({ points: withoutPoint(this.drawing.points, index) });
    if (hadFocus) this.goTo(this.focused);
  }

  /** Put the focus on a point; without any on the canvas. @param {number} index */
  goTo(index) {
    if (!this.drawing.points.length) return this.plot.svg.focus();
    this.focused = index;
    this.drawPoints();
    this.plot.focusPoint(index);
  }

  /** @param {string} path */
  choose(path) {
    this.path = path;
    this.ask();
  }

  restored() {
    this.ringed = [];
    this.fitBrush();
    this.draw();
    this.ask();
  }

  /** @param {KeyboardEvent} event */
  onUndoKey(event) {
    if (!(event.ctrlKey || event.metaKey) || !["z", "y", "Z"].includes(event.key)) return;
    event.preventDefault();
    const isRedo = event.key === "y" || event.shiftKey;
    if (isRedo ? this.history.redo() : this.history.undo()) this.restored();
  }

  resized() {
    if (this.data) this.draw();
  }

  draw() {
    if (!this.data || !this.plot.measure(this.data.presenter)) return;
    const { presenter, themes } = this.data;
    this.theme = readTheme(this.root, themes);
    this.root.classList.toggle("dt-presented", presenter);
    this.root.style.setProperty("--dt-accent", this.theme.primary);
    this.range = rangeOf(this.drawing.points);
    this.drawAnswer();
    this.drawPoints();
    this.showCursor();
    this.drawTools();
  }

  /** What came from Python. */
  drawAnswer() {
    const { answer } = this;
    const ringed = answer ? this.ringed.map((path) => nodeAt(answer.tree, path)) : [];
    this.plot.drawAnswer(this.answer, ringed, this.theme, this.range);
    this.competition.draw(this.answer);
    this.tree.draw(this.answer, ringed, this.theme, this.range, this.data?.presenter ? PRESENTED : 1);
    putText(this.score, this.answer?.score ?? "");
  }

  drawPoints() {
    this.focused = Math.max(0, Math.min(this.focused, this.drawing.points.length - 1));
    this.plot.drawPoints(this.drawing, this.focused, this.theme, this.range, this.data?.presenter === true);
  }

  drawTools() {
    const { brush, value, snap, history } = this;
    this.toolbar.draw(this.drawing, { brush, value, snap, canUndo: history.past.length > 0, canRedo: history.future.length > 0 }, this.theme);
  }

  /** The cursor shows while the keys are on the canvas itself. */
  showCursor() {
    const isFocused = rootOf(this.plot.svg).activeElement === this.plot.svg && this.plot.svg.matches(":focus-visible");
    this.plot.drawCursor(isFocused ? this.cursor : null, this.theme?.text ?? "");
  }

  showPayloads() {}

  placeParts() {}

  destroy() {
    this.observer.disconnect();
    if (globalThis.drawnTableViews?.get(this.name) === this) globalThis.drawnTableViews.delete(this.name);
  }
}
