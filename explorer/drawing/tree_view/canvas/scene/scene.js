// Everything that the painters read, in one object: how it is set, and what follows from it for a node.

/** @typedef {import("../camera.js").Camera} Camera */
/** @typedef {import("./scene_fields.js").NodeMark} NodeMark */
/** @typedef {import("../../theme.js").Theme} Theme */
/** @typedef {import("../../model/payload.js").TreeData} TreeData */

import { alongLength, depthLength, fitCamera, keptInView } from "../camera.js";
import { OF_SPLITS, SIGNS } from "../badges.js";
import { branchesSay } from "../edges.js";
import { boxOf, DOT, makeMarks, SPREAD_UNTIL } from "../level_of_detail.js";
import { Fades } from "./fades.js";
import { barUnder } from "../icicle/bars.js";
import { THIN_BAR } from "../icicle/row_bar.js";
import { slotWidth } from "../label_space.js";
import { grownPart, layOut } from "../layout.js";
import { nodeUnder } from "../node_under.js";
import { drawnText, TextMeasure } from "../text_measure.js";
import { emptyTexts, SceneFields } from "./scene_fields.js";
import { readableOn } from "../../../charts/colours.js";
import { leafBarsRoom } from "../../../charts/target_bars.js";
import { makePaints } from "../node_style.js";
import { later } from "../../later.js";
import { NodeSet } from "../../model/node_set.js";
import { GHOST, INNER, LEAF } from "../../model/pruned_shape.js";
import { ShortNames } from "../../model/short_names.js";
import { shortTestsOf } from "../../model/short_tests.js";
import { percentText } from "../../format.js";
import { say } from "../../messages.js";

const MANY_NODES = 5000;
export const MANY_DOTS = 1000;
const BEND_ROOM = 40;
const [WIDEST_BOX, LEAST_BOX, LEAST_PADDING] = [320, 96, 8];
const WIDEST_BRANCH_TEXT = 130;
const LEAST_OF_CONDITION = 5; // characters, with the space and the ellipsis
const LEAST_OF_NAME = 3; // characters beside a whole number
const LEAST_OF_CLASS = 3; // letters of its own part

export class Scene extends SceneFields {
  /** @param {TreeData} tree */
  setTree(tree) {
    const n = tree.n;
    this.tree = tree;
    this.marks = makeMarks(n);
    this.fades = new Fades(n);
    this.fade = this.fades.values;
    this.repaints = new NodeSet(n);
    this.shape = later();
    this.bars = later();
    this.edgeBucket = new Uint16Array(n);
    this.edgeOrder = new Int32Array(n);
    this.dotOrder = new Int32Array(n);
    this.texts = emptyTexts(n);
    const { folded } = this;
    this.folded = new Set([...folded].filter((t) => t < n && tree.firstChild[t] >= 0));
    this.selected = this.hovered = this.focusMark = -1;
    this.matches = this.next = new Int32Array(0);
    this.rowPath = new Map();
    this.shortTests = shortTestsOf(tree);
    this.shortFeatures = new ShortNames(tree.features.map(({ name }) => drawnText(name)));
    this.shortClasses = new ShortNames(tree.classes.map(drawnText));
    this.cuts = new Map();
    this.everything = null;
    this.laidOutShape = null;
    this.stability = null;
    this.setNodeMarks([]);
    if (this.theme) this.paints = makePaints(tree, this.theme, this.enlarged > 1);
    this.applyFilter();
    this.relayout();
  }

  /** @param {TreeData} tree */
  static modeFor(tree) {
    return tree.n > MANY_NODES ? "icicle" : "down";
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.onPrimary = readableOn(theme.primary);
    this.textMeasure = new TextMeasure(this.context, theme.font);
    if (!this.tree) return;
    this.paints = makePaints(this.tree, theme, this.enlarged > 1);
    this.forgetWidths();
    this.needsPlacing = true;
  }

  /**
   * Set a shape in which these nodes have changed (by default, all of them may have): the fades start to move towards
   * it. The first time they are set at once.
   * @param {Uint8Array} shape @param {Iterable<number>} [changed]
   */
  setShape(shape, changed = shape.keys()) {
    const isFirst = this.shape === null;
    [this.shape, this.nodesLeft] = [shape, -1];
    if (isFirst) for (let t = 0; t < this.tree.n; t++) this.fades.put(t, shape[t] === GHOST ? 0 : 1);
    for (const t of isFirst ? [] : changed) {
      const opacity = shape[t] === GHOST ? 0 : 1;
      if (this.isFading(t)) this.fades.aim(t, opacity);
      else this.fades.put(t, opacity);
      this.repaints.add(t);
    }
    this.signNodes();
    this.showGrown();
  }

  /** How many nodes are not pruned away: counted once for each shape. */
  countLeft() {
    const { nodesLeft, shape, tree } = this;
    if (shape === null) return tree.n;
    this.nodesLeft = nodesLeft >= 0 ? nodesLeft : shape.reduce((sum, state) => sum + (state === GHOST ? 0 : 1), 0);
    return this.nodesLeft;
  }

  /**
   * Whether a node fades: thin bars and the dots of a large tree change at once; it looks the same and is painted once.
   * @param {number} t
   */
  isFading(t) {
    const { camera, frame, layout } = this;
    if (camera === null) return true;
    if (frame.mode === "icicle") return camera.alongScale * (layout.hi[t] - layout.lo[t]) > THIN_BAR;
    return layout.count <= MANY_DOTS || boxOf(this, t).kind > DOT;
  }

  /** Whether the tree is being grown, with every node at its place in the full tree. */
  isGrowing() {
    return this.sequence?.isGrowth === true && !this.isTrimmed && this.shape !== null;
  }

  /** While the tree is grown, only what is grown is drawn. */
  showGrown() {
    const { layout, wholeLayout } = this;
    if (!this.isGrowing() && layout === wholeLayout) return;
    this.layout = this.isGrowing() ? grownPart(wholeLayout, this.shape) : wholeLayout;
    this.noteFolded();
    this.needsPlacing = true;
  }

  /** Advance all fades by a frame; returns whether any is still changing. */
  stepFades() {
    return this.fades.step(this.noteRepaint);
  }

  /** Take over the marks of single nodes that Python sends. @param {NodeMark[]} marks */
  setNodeMarks(marks) {
    this.ringed = new Set(marks.filter(({ kind }) => kind === "ring").map(({ node }) => node));
    this.nodeMarks = marks;
    this.signNodes();
  }

  /** The signs and notes in force: what is said of a split does not hold where it is pruned to a leaf. */
  signNodes() {
    [this.signs, this.notes] = [new Map(), new Map()];
    for (const { node, kind, text } of this.nodeMarks) {
      if (OF_SPLITS.has(kind) && this.shape && this.shape[node] !== INNER) continue;
      const [sign, before] = [SIGNS[kind], this.signs.get(node) ?? ""];
      if (sign && !before.includes(sign)) this.signs.set(node, before + sign);
      if (text) this.notes.set(node, [...(this.notes.get(node) ?? []), [sign, text]]);
    }
  }

  /** Folds or the depth limit have changed: no layout of before is of use. */
  forgetLayout() {
    this.everything = null;
  }

  /** Whether the layout shows the kept tree of this shape already. @param {Uint8Array} shape */
  isLaidOutFor(shape) {
    return this.laidOutShape !== null && this.laidOutShape.every((state, t) => state === shape[t]);
  }

  relayout() {
    const shape = this.isTrimmed ? this.shape : null;
    const { everything } = this;
    this.wholeLayout = (shape === null ? everything : null) ?? layOut(this.tree, this.nodesWithoutBranches(), this.depthLimit, shape);
    if (shape === null) this.everything = this.wholeLayout;
    this.layout = this.wholeLayout;
    this.laidOutShape = shape === null ? null : Uint8Array.from(shape);
    this.forgetWidths();
    this.frame.slots = this.layout.slots;
    this.frame.levels = this.layout.levels.length;
    this.noteFolded();
    this.needsPlacing = true;
    this.showGrown();
  }

  /** The nodes with branches that are folded away. */
  noteFolded() {
    const isCut = (/** @type {number} */ t) => this.hasBranches(t) && !this.layout.shown[this.tree.firstChild[t]];
    const isSomeHidden = this.layout.count < this.tree.n;
    this.foldedShown = isSomeHidden ? this.layout.levels.flatMap((level) => Array.from(level).filter(isCut)) : [];
    this.frame.hasSigns = this.foldedShown.length > 0;
    this.frame.barsRoom = this.tree.targetBars ? leafBarsRoom(this.tree.targetBars.sizes.length) : 0;
  }

  /**
   * Lay out anew so that the anchor, a node, keeps its place under the same zoom. Where nothing was zoomed, without an
   * anchor, and where no node would be in view, the whole tree is shown.
   * @param {number} anchor
   */
  layOutAround(anchor) {
    const before = anchor >= 0 && !this.isFitted && this.layout.shown[anchor] ? this.pixelOf(anchor) : null;
    this.relayout();
    let kept = anchor;
    while (kept > 0 && !this.layout.shown[kept]) kept = this.tree.parent[kept];
    if (before === null) return this.fit();
    const { along, deep } = this.pixelOf(kept);
    const { camera, frame } = this;
    const [alongShift, depthShift] = [camera.alongShift + before.along - along, camera.depthShift + before.deep - deep];
    this.camera = keptInView({ ...camera, alongShift, depthShift }, frame);
    return this.isInView(kept) ? undefined : this.fit();
  }

  /** A node's pixel along its level and on the axis of depth, without what boxes make room for. @param {number} t */
  pixelOf(t) {
    const { camera, frame, layout, tree } = this;
    const isIcicle = frame.mode === "icicle";
    const world = isIcicle ? (layout.lo[t] + layout.hi[t]) / 2 : layout.x[t];
    const deep = camera.depthShift + camera.depthScale * (tree.depth[t] + (isIcicle ? 0.5 : 0));
    return { along: camera.alongShift + camera.alongScale * world, deep };
  }

  /** @param {number} t */
  isInView(t) {
    const { along, deep } = this.pixelOf(t);
    return along >= 0 && deep >= 0 && along <= alongLength(this.frame) && deep <= depthLength(this.frame);
  }

  /** The node that stays where it is when the layout changes: the selected one if it is in view, else the most central. */
  anchor() {
    const { layout, selected, frame } = this;
    if (this.isFitted || !layout) return -1;
    if (selected >= 0 && layout.shown[selected] && this.isInView(selected)) return selected;
    let [nearest, least] = [-1, Infinity];
    for (let t = 0; t < this.tree.n; t++) {
      if (!layout.shown[t]) continue;
      const { along, deep } = this.pixelOf(t);
      const distance = Math.hypot(along - alongLength(frame) / 2, deep - depthLength(frame) / 2);
      if (distance < least) [nearest, least] = [t, distance];
    }
    return nearest;
  }

  /** Whether a node has branches to fold or unfold: pruned branches only count while they are shown. @param {number} t */
  hasBranches(t) {
    if (this.tree.firstChild[t] < 0) return false;
    return !(this.isTrimmed || this.isGrowing()) || this.shape === null || this.shape[t] === INNER;
  }

  /** The nodes whose branches are not laid out: folded ones, and leaves of the pruned tree where only that is shown. */
  nodesWithoutBranches() {
    if (!this.isTrimmed || this.shape === null) return this.folded;
    const hidden = new Set(this.folded);
    for (let t = 0; t < this.tree.n; t++) if (this.shape[t] === LEAF) hidden.add(t);
    return hidden;
  }

  /** Take a camera that shows another part of the tree. @param {Camera} camera */
  moveTo(camera) {
    [this.camera, this.isFitted, this.needsPlacing] = [camera, false, true];
  }

  fit() {
    this.measureLevels();
    this.camera = fitCamera(this.frame);
    this.isFitted = true;
    this.needsPlacing = true;
  }

  /** Of a small tree, from left to right the levels are as far apart, and top-down the slots as wide, as its words need. */
  measureLevels() {
    const { frame, layout, textMeasure } = this;
    [frame.levelGap, frame.endBoxWidth, frame.slotWidth] = [0, 0, 0];
    if (frame.mode === "down" && textMeasure && this.wholeLayout.count <= SPREAD_UNTIL) {
      frame.slotWidth = slotWidth(this.wholeLayout, (t) => Math.max(this.naturalWidth(t), this.branchTextWidth(t)));
    }
    if (frame.mode !== "right" || !textMeasure || layout.count > SPREAD_UNTIL) return;
    const widest = (/** @type {Int32Array} */ level, /** @type {(t: number) => number} */ width) => level.reduce((/** @type {number} */ most, /** @type {number} */ t) => Math.max(most, width(t)), 0);
    const boxes = layout.levels.map((level) => widest(level, (/** @type {number} */ t) => this.naturalWidth(t)));
    for (let d = 1; d < boxes.length; d++) {
      const between = (boxes[d - 1] + boxes[d]) / 2 + widest(layout.levels[d], (/** @type {number} */ t) => this.branchTextWidth(t));
      frame.levelGap = Math.max(frame.levelGap, between + BEND_ROOM);
    }
    frame.endBoxWidth = Math.max(boxes[0], boxes[boxes.length - 1]);
  }

  applyFilter() {
    const { minRows, minPurity, label } = this.filter;
    const isOn = minRows > 0 || minPurity > 0 || (label >= 0 && label < this.tree.nClasses);
    this.keeps = isOn ? keptNodes(this.tree, this.filter) : null;
  }

  /** @param {number} t */
  isOffScreen(t) {
    const { marks, frame } = this;
    const [x, y] = [marks.x[t], marks.y[t]];
    const [dx, dy] = [marks.halfWidth[t] + 4, marks.halfHeight[t] + 4];
    return x + dx < 0 || y + dy < 0 || x - dx > frame.width || y - dy > frame.height;
  }

  /** @param {number} x @param {number} y */
  nodeAt(x, y) {
    return this.frame.mode === "icicle" ? barUnder(this, x, y) : nodeUnder(this, x, y);
  }

  /** @param {number} t */
  titleOf(t) {
    return (this.texts.title[t] ??= drawnText(this.shortTests.test(t)));
  }

  /** @param {number} t */
  predictionText(t) {
    return (this.texts.prediction[t] ??= drawnText(this.tree.prediction(t)));
  }

  /** @param {number} t */
  branchText(t) {
    return (this.texts.branch[t] ??= drawnText(this.shortTests.branch(t)));
  }

  /** The branch by the value that it has or has not: "= Sunny", "≠ Sunny". @param {number} t */
  branchByValue(t) {
    return drawnText(this.shortTests.branchByValue(t));
  }

  /** The branch text where there is room for one or two letters. @param {number} t */
  branchSign(t) {
    return (this.texts.sign[t] ??= drawnText(this.shortTests.branchSign(t)));
  }

  /** The width of a node's branch text with its plate. @param {number} t */
  branchTextWidth(t) {
    return t === 0 ? 0 : Math.min(WIDEST_BRANCH_TEXT, this.textMeasure.width(this.branchText(t), "small") + 16);
  }

  /**
   * The test of a node, cut to a width. Where the branches below say what it is compared with, the condition goes first;
   * else the feature's name is cut, then digits or values of a long list go, and the condition is the last to be left out.
   * @param {number} t @param {string} role @param {number} room
   */
  titleWithin(t, role, room) {
    const { textMeasure, tree } = this;
    const title = this.titleOf(t);
    const name = drawnText(tree.featureName(t));
    if (tree.feature[t] < 0 || textMeasure.width(title, role) <= room) return textMeasure.fit(title, role, room);
    const [whole, shortest] = [this.shortTests.condition(t), this.shortTests.shortestCondition(t)].map(drawnText);
    const isSaidBelow = branchesSay(this, t);
    const withName = (/** @type {string} */ condition, /** @type {number} */ least) => this.testWithin(name, condition, least, role, room);
    const kept = (isSaidBelow ? "" : withName(whole, LEAST_OF_NAME)) || withName(shortest, name.length);
    if (kept !== "") return kept;
    const cut = textMeasure.fit(title, role, room);
    const isNumber = tree.features[tree.feature[t]].test === "threshold"; // half a number says less than none
    if (!isNumber && cut.length > name.length + LEAST_OF_CONDITION) return cut;
    const conditionFirst = isSaidBelow ? "" : withName(whole, 1) || withName(shortest, 1);
    return conditionFirst || this.nameWithin(name, this.shortFeatures, role, room);
  }

  /**
   * A test whose name is cut beside a condition in whole; "" where fewer than so many characters of the name are left.
   * @param {string} name @param {string} condition @param {number} least @param {string} role @param {number} room
   */
  testWithin(name, condition, least, role, room) {
    const left = room - this.textMeasure.width(condition, role);
    const cut = condition === "" || left <= 0 ? "" : this.nameWithin(name, this.shortFeatures, role, left);
    return cut.replace("…", "").length >= Math.min(least, name.length) ? cut + condition : "";
  }

  /**
   * A node's prediction, cut to a width: "versicolor" or "vers…", since "…ver…" would say less; "" of hardly a letter.
   * @param {number} t @param {string} role @param {number} room
   */
  predictionWithin(t, role, room) {
    const text = this.predictionText(t);
    if (this.tree.isRegression) return this.textMeasure.fit(text, role, room);
    const cut = this.nameWithin(text, this.shortClasses, role, room);
    const short = this.shortClasses.of(text) ?? "";
    if (!cut.endsWith("…") || !short.startsWith("…") || cut === short) return cut;
    const own = this.textMeasure.fit(short.slice(1), role, room);
    return own.endsWith("…") && own.length <= LEAST_OF_CLASS ? "" : own;
  }

  /**
   * The role in which a node's prediction fits a width, the wanted one or a smaller: smaller before it is cut.
   * @param {number} t @param {string} wanted @param {number} room
   */
  predictionRole(t, wanted, room) {
    const { textMeasure, tree } = this;
    const whole = this.predictionText(t);
    const roles = wanted === "title" ? ["title", "prediction", "small"] : ["prediction", "small"];
    const short = tree.isRegression ? null : this.shortClasses.of(whole);
    for (const text of short === null ? [whole] : [whole, short]) {
      const role = roles.find((one) => textMeasure.width(text, one) <= room);
      if (role !== undefined) return role;
    }
    return "small";
  }

  /**
   * A name, cut to a width; of names that begin alike the part that differs is kept.
   * @param {string} name @param {ShortNames} shortNames @param {string} role @param {number} room
   */
  nameWithin(name, shortNames, role, room) {
    const { textMeasure } = this;
    const isWhole = textMeasure.width(name, role) <= room;
    return textMeasure.fit(isWhole ? name : (shortNames.of(name) ?? name), role, room);
  }

  /** @param {number} t */
  rowsOf(t) {
    return this.tree.rowsText(t);
  }

  /** @param {number} t */
  purityText(t) {
    if (this.tree.weight[t] === 0) return say("no training rows");
    if (!this.tree.hasMeans) return "";
    if (this.tree.isRegression) return `± ${Number(this.tree.sd(t).toPrecision(3))}`;
    const share = this.tree.share(t);
    return share === 1 ? say("pure") : percentText(share);
  }

  /**
   * Whether a node is a leaf of what is laid out: of the grown tree, or of the pruned one where only that is shown.
   * @param {number} t
   */
  isLeaf(t) {
    return this.tree.feature[t] < 0 || this.laidOutShape?.[t] === LEAF;
  }

  /** The width of a node's box where nothing limits it. @param {number} t */
  naturalWidth(t) {
    return Math.max(LEAST_BOX, this.wholeWidth(t));
  }

  /** The width of a box with all its words; the leaves of a level share the widest. @param {number} t */
  wholeWidth(t) {
    const { width } = this.texts;
    if (width[t] === 0) this.alike(t).forEach((one, _, all) => (width[one] = Math.max(...all.map((leaf) => this.ownWidth(leaf)))));
    return width[t];
  }

  /** @param {number} t */
  ownWidth(t) {
    const { textMeasure } = this;
    const isLeaf = this.isLeaf(t);
    const sign = this.tree.isRegression ? 0 : 14;
    const prediction = sign + textMeasure.width(this.predictionText(t), isLeaf ? "title" : "prediction");
    const title = isLeaf ? textMeasure.width(this.purityText(t), "small") : textMeasure.width(this.titleOf(t), "title");
    const id = this.showIds ? textMeasure.width(`#${t} · `, "small") : 0;
    const rows = id + textMeasure.width(this.rowsOf(t), "small");
    return Math.min(WIDEST_BOX, Math.max(prediction, title, rows) + 24);
  }

  /** The leaves of a leaf's level in a small tree, whose boxes are alike; another node alone. @param {number} t */
  alike(t) {
    if (!this.isLeaf(t) || !this.layout.shown[t] || this.layout.count > SPREAD_UNTIL) return [t];
    return Array.from(this.layout.levels[this.tree.depth[t]]).filter((one) => this.isLeaf(one));
  }

  /**
   * The width of a box with no more than its test or prediction, in the smallest letters; that of leaves is shared.
   * @param {number} t
   */
  wordWidth(t) {
    const least = this.texts.leastWidth;
    if (least[t] === 0) this.alike(t).forEach((one, _, all) => (least[one] = Math.max(...all.map((leaf) => this.ownWordWidth(leaf)))));
    return least[t];
  }

  /** @param {number} t */
  ownWordWidth(t) {
    const sign = this.tree.isRegression ? 0 : 14;
    const isLeaf = this.isLeaf(t);
    const text = isLeaf ? this.predictionText(t) : this.titleOf(t);
    return (isLeaf ? sign : 0) + this.textMeasure.width(text, "small") + LEAST_PADDING;
  }

  forgetWidths() {
    this.texts.width.fill(0);
    this.texts.leastWidth.fill(0);
  }
}

/**
 * 1 for every node with enough rows and purity that predicts the class (label −1: any), and for its ancestors.
 * @param {TreeData} tree @param {Scene["filter"]} filter
 */
export function keptNodes(tree, { minRows, minPurity, label }) {
  const keeps = new Uint8Array(tree.n);
  for (let t = tree.n - 1; t >= 0; t--) {
    const isOfClass = label < 0 || (tree.label !== null && tree.label[t] === label);
    if (isOfClass && tree.weight[t] >= minRows && tree.share(t) >= minPurity) keeps[t] = 1;
    if (keeps[t] && t > 0) keeps[tree.parent[t]] = 1;
  }
  return keeps;
}
