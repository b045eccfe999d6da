// What is looked at, in one object that painters read: tree, layout, camera, look, shape and everything marked.
//
// fade     how open a node looks, 0 (pruned away) to 1; it follows the shape a share of the way per frame
// lit      1, or less for nodes that the filter leaves in the dark
// folded   ids whose branches are put away in this view only
// ways     the nodes that a row comes to, and with which part (see ways.js)
// trimmed  only what is left is laid out: without the pruned branches, and anew whenever α moves

import { fitCamera } from "./camera.js";
import { makeMarks, nodeUnder } from "./level_of_detail.js";
import { barUnder } from "./icicle.js";
import { layOut } from "./layout.js";
import { drawnText, Lettering } from "./text_measure.js";
import { makePaints, readableOn } from "./node_style.js";
import { GHOST, INNER, LEAF } from "../model/pruned_shape.js";
import { percentText, rowsText } from "../format.js";

const FADE_SHARE = 0.35;
const DIMMED = 0.22;
const MANY_NODES = 5000;
const SPREAD_UNTIL = 150;
const BEND_WISH = 40;
const WIDEST_BOX = 320;
const WIDEST_WORD = 130;

export class Scene {
  constructor(context) {
    this.context = context;
    this.tree = null;
    this.frame = { mode: "down", slots: 1, levels: 1, width: 0, height: 0 };
    this.ratio = 1;
    this.camera = null;
    this.isFitted = true;
    this.folded = new Set();
    this.depthLimit = Infinity;
    this.selected = this.hovered = this.focusMark = -1;
    this.next = new Int32Array(0);
    this.matches = new Int32Array(0);
    this.filter = { minRows: 0, minPurity: 0 };
    this.keeps = null;
    this.showIds = false;
    this.isTrimmed = false;
    this.ways = new Map();
    this.sequence = null;
    this.foldedShown = [];
    this.lit = (t) => (this.keeps === null || this.keeps[t] === 1 ? 1 : DIMMED);
    this.look = null;
  }

  setTree(tree) {
    const n = tree.n;
    this.tree = tree;
    this.marks = makeMarks(n);
    this.fade = new Float32Array(n).fill(1);
    this.shape = null;
    this.edgeBucket = new Uint16Array(n);
    this.edgeOrder = new Int32Array(n);
    this.dotOrder = new Int32Array(n);
    this.texts = { title: new Array(n), answer: new Array(n), branch: new Array(n), width: new Float32Array(n) };
    this.folded = new Set([...this.folded].filter((t) => t < n && tree.firstChild[t] >= 0));
    this.selected = this.hovered = this.focusMark = -1;
    this.matches = this.next = new Int32Array(0);
    this.ways = new Map();
    if (this.look) this.paints = makePaints(tree, this.look);
    this.applyFilter();
    this.relayout();
  }

  static modeFor(tree) {
    return tree.n > MANY_NODES ? "icicle" : "down";
  }

  setLook(look) {
    this.look = look;
    this.onPrimary = readableOn(look.primary);
    this.lettering = new Lettering(this.context, look.font);
    if (!this.tree) return;
    this.paints = makePaints(this.tree, look);
    this.texts.width.fill(0);
    this.needsPlacing = true;
  }

  /** New shape: the fades start to move towards it, or are there at once the first time. */
  setShape(shape) {
    const isFirst = this.shape === null;
    this.shape = shape;
    if (isFirst) for (let t = 0; t < this.tree.n; t++) this.fade[t] = shape[t] === GHOST ? 0 : 1;
  }

  /** Move all fades on by a frame; whether any is still on its way. */
  stepFades() {
    const { fade, shape } = this;
    let isMoving = false;
    for (let t = 0; t < fade.length; t++) {
      const target = shape[t] === GHOST ? 0 : 1;
      if (fade[t] === target) continue;
      const next = fade[t] + (target - fade[t]) * FADE_SHARE;
      fade[t] = Math.abs(target - next) < 0.02 ? target : next;
      isMoving ||= fade[t] !== target;
    }
    return isMoving;
  }

  relayout() {
    this.layout = layOut(this.tree, this.closedNodes(), this.depthLimit, this.isTrimmed ? this.shape : null);
    this.frame.slots = this.layout.slots;
    this.frame.levels = this.layout.levels.length;
    const isCut = (t) => this.hasBranches(t) && !this.layout.shown[this.tree.firstChild[t]];
    const isSomeHidden = this.layout.count < this.tree.n;
    this.foldedShown = isSomeHidden ? this.layout.levels.flatMap((level) => Array.from(level).filter(isCut)) : [];
    this.frame.hasSigns = this.foldedShown.length > 0;
    this.needsPlacing = true;
  }

  /** Whether there is anything below a node to fold or open: pruned branches only count while they are shown. */
  hasBranches(t) {
    if (this.tree.firstChild[t] < 0) return false;
    return !this.isTrimmed || this.shape === null || this.shape[t] === INNER;
  }

  /** The nodes whose branches are not laid out: folded ones, and pruned ones where only what is left is shown. */
  closedNodes() {
    if (!this.isTrimmed || this.shape === null) return this.folded;
    const closed = new Set(this.folded);
    for (let t = 0; t < this.tree.n; t++) if (this.shape[t] === LEAF) closed.add(t);
    return closed;
  }

  fit() {
    this.wishRoom();
    this.camera = fitCamera(this.frame);
    this.isFitted = true;
    this.needsPlacing = true;
  }

  /** From left to right the levels of a small tree stand as far apart as boxes and branch words want. */
  wishRoom() {
    const { frame, layout, lettering } = this;
    [frame.levelWish, frame.endWish] = [0, 0];
    if (frame.mode !== "right" || !lettering || layout.count > SPREAD_UNTIL) return;
    const widest = (level, width) => level.reduce((most, t) => Math.max(most, width(t)), 0);
    const boxes = layout.levels.map((level) => widest(level, (t) => this.naturalWidth(t)));
    for (let d = 1; d < boxes.length; d++) {
      const between = (boxes[d - 1] + boxes[d]) / 2 + widest(layout.levels[d], (t) => this.wordWidth(t));
      frame.levelWish = Math.max(frame.levelWish, between + BEND_WISH);
    }
    frame.endWish = Math.max(boxes[0], boxes[boxes.length - 1]);
  }

  applyFilter() {
    const { minRows, minPurity } = this.filter;
    this.keeps = minRows > 0 || minPurity > 0 ? keptNodes(this.tree, minRows, minPurity) : null;
  }

  isOffScreen(t) {
    const { marks, frame } = this;
    const [x, y] = [marks.x[t], marks.y[t]];
    const [dx, dy] = [marks.halfWidth[t] + 4, marks.halfHeight[t] + 4];
    return x + dx < 0 || y + dy < 0 || x - dx > frame.width || y - dy > frame.height;
  }

  nodeAt(x, y) {
    return this.frame.mode === "icicle" ? barUnder(this, x, y) : nodeUnder(this, x, y);
  }

  titleOf(t) {
    return (this.texts.title[t] ??= drawnText(this.tree.testText(t)));
  }

  answerOf(t) {
    return (this.texts.answer[t] ??= drawnText(this.tree.answer(t)));
  }

  branchText(t) {
    return (this.texts.branch[t] ??= drawnText(this.tree.branchWord(t)));
  }

  /** How wide a node's branch word would be, with its plate. */
  wordWidth(t) {
    return t === 0 ? 0 : Math.min(WIDEST_WORD, this.lettering.width(this.branchText(t), "small") + 16);
  }

  /** The test of a node in so much room: of a threshold the name is cut, never the value. */
  titleWithin(t, role, room) {
    const { lettering, tree } = this;
    const title = this.titleOf(t);
    if (tree.feature[t] < 0 || lettering.width(title, role) <= room) return lettering.fit(title, role, room);
    const name = tree.featureName(t);
    const value = drawnText(tree.testText(t).slice(name.length));
    const isThreshold = tree.features[tree.feature[t]].test === "threshold";
    const left = room - lettering.width(value, role);
    if (value === "" || (!isThreshold && left < room / 2)) return lettering.fit(title, role, room);
    const cut = lettering.fit(drawnText(name), role, left) || (left >= lettering.width("…", role) ? "…" : "");
    if (cut !== "") return cut + value;
    return lettering.fit(isThreshold ? `${drawnText(name)}${value.slice(0, 2)}…` : title, role, room); // no half numbers
  }

  rowsOf(t) {
    return rowsText(this.tree.weight[t]);
  }

  purityText(t) {
    if (this.tree.weight[t] === 0) return "no training rows";
    if (this.tree.isRegression) return `± ${Number(this.tree.sd(t).toPrecision(3))}`;
    const share = this.tree.share(t);
    return share === 1 ? "pure" : percentText(share);
  }

  /** How wide a node's box is where it has all the room it wants. */
  naturalWidth(t) {
    const { width } = this.texts;
    if (width[t] > 0) return width[t];
    const { lettering } = this;
    const sign = this.tree.isRegression ? 0 : 14;
    const answer = sign + lettering.width(this.answerOf(t), this.tree.feature[t] < 0 ? "title" : "answer");
    const title = this.tree.feature[t] < 0 ? 0 : lettering.width(this.titleOf(t), "title");
    const id = this.showIds ? lettering.width(`#${t} · `, "small") : 0;
    const rows = id + lettering.width(this.rowsOf(t), "small");
    width[t] = Math.max(96, Math.min(WIDEST_BOX, Math.max(answer, title, rows) + 24));
    return width[t];
  }
}

/** 1 for the nodes with enough rows and purity, and for every node above one of them. */
export function keptNodes(tree, minRows, minPurity) {
  const keeps = new Uint8Array(tree.n);
  for (let t = tree.n - 1; t >= 0; t--) {
    if (tree.weight[t] >= minRows && tree.share(t) >= minPurity) keeps[t] = 1;
    if (keeps[t] && t > 0) keeps[tree.parent[t]] = 1;
  }
  return keeps;
}
