// The stage: toolbar, surface, tooltip and text of one tree, and all actions of reader and page on them.
//
// What it shows stands in its parts: the scene has tree, camera and marks, `choices` what the reader chose of the view,
// `shown` which part of the tree is laid out.

/** @typedef {import("../canvas/camera.js").Camera} Camera */
/** @typedef {import("./choices.js").Memory} Memory */
/** @typedef {import("../canvas/scene/scene_fields.js").NodeMark} NodeMark */
/** @typedef {import("./choices.js").Options} Options */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../model/payload.js").Stability} Stability */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { keptInView } from "../canvas/camera.js";
import { cutsOf, MOST_CUTS } from "../canvas/badges.js";
import { makeElement, putText, rootOf, setShown } from "../dom.js";
import { Scene } from "../canvas/scene/scene.js";
import { later } from "../later.js";
import { INNER } from "../model/pruned_shape.js";
import { CameraMoves } from "./camera_moves.js";
import { Choices, graphvizLimit, restoreCamera, toolState } from "./choices.js";
import { Finder } from "./finder.js";
import { Foot } from "./foot.js";
import { actionOfKey } from "./keys.js";
import { Outline } from "./outline.js";
import { Pointer } from "./pointer.js";
import { ShownPart } from "./shown_part.js";
import { Surface } from "./surface.js";
import { Tip } from "./tip.js";
import { Toolbar } from "./toolbar.js";

/**
 * @typedef {{
 *   onSelect: (id: number) => void, onHand: (op: "collapse" | "restore", id: number) => void, onStep: (steps: number) => void,
 *   onFrame: (milliseconds: number) => void, onCameraMove: () => void, onCommand: (name: string, value: unknown) => void,
 * }} Hooks
 */
/** @typedef {ReturnType<Stage["actionsByName"]>} Actions what the reader does by tools, keys and pointer, by name */

const PRESENTED = 1.5;

export class Stage {
  /** @param {HTMLElement} host @param {Hooks} hooks */
  constructor(host, hooks) {
    host.classList.add("tv-stage");
    this.host = host;
    this.hooks = hooks;
    this.options = { showHand: false, isPruned: false, isStandAlone: false, hasGraphviz: false };
    this.isNewTree = false;
    /** @type {Memory | null} */
    this.viewBefore = null;
    this.choices = new Choices();
    this.actions = this.actionsByName();
    this.toolbar = new Toolbar(host, this.actions);
    this.foot = new Foot();
    this.surface = new Surface(this.choices, {
      painted: (scene) => this.foot.showMerged(scene),
      frame: hooks.onFrame,
      camera: (camera) => this.moves.to(camera),
    });
    this.scene = this.surface.scene;
    this.finder = new Finder(this.surface, this.toolbar);
    this.moves = new CameraMoves(this.surface, () => this.cameraMoved());
    this.frameBox = makeElement("div", "tv-frame", {}, [this.surface.area, this.foot.element]);
    this.rule = makeElement("p", "tv-rule tv-hidden", { "aria-live": "polite" });
    host.append(this.frameBox, this.rule);
    this.tip = new Tip(host, this.surface);
    this.pointer = new Pointer(this.surface, this.tip, this.actions);
    const key = (/** @type {KeyboardEvent} */ event) => this.keyDown(event);
    this.surface.view.addEventListener("keydown", key);
    this.outline = new Outline(this.surface.area, { select: this.actions.choose, fold: this.actions.fold, key });
    this.shown = new ShownPart(this.scene, this.choices, { fade: () => this.surface.fade(), laidOut: () => this.laidOut() });
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.surface.area);
  }

  /** What the reader does by tools, keys and pointer. */
  actionsByName() {
    return {
      layout: (/** @type {string} */ mode) => this.chooseLayout(mode),
      /** @param {number} factor @param {number} [x] @param {number} [y] */
      zoom: (factor, x, y) => this.moves.zoomAt(factor, x, y),
      pan: (/** @type {number} */ dx, /** @type {number} */ dy) => this.moves.pan(dx, dy),
      settle: () => this.surface.busy(false),
      fit: () => this.moves.fit(),
      depth: (/** @type {number} */ limit) => this.limitDepth(limit),
      find: () => this.toolbar.openSearch(),
      search: (/** @type {string} */ query) => this.finder.find(query),
      step: (/** @type {number} */ step) => this.stepMatch(step),
      filter: (/** @type {Scene["filter"]} */ filter) => this.setFilter(filter),
      ghosts: () => this.chooseGhosts(!this.choices.showsGhosts(this.scene.sequence)),
      ids: () => this.setIds(!this.scene.showIds),
      cuts: () => this.showCuts(!this.scene.showsCuts),
      stability: () => this.chooseStability(!this.scene.showsStability),
      hand: () => this.setHandMode(!this.choices.isHand),
      picture: () => this.surface.savePicture(),
      whole: () => this.toggleFullScreen(),
      turn: (/** @type {number} */ steps) => this.hooks.onStep(steps),
      hideTip: () => this.tip.hide(),
      choose: (/** @type {number} */ t) => this.choose(t),
      go: (/** @type {number} */ t) => this.go(t),
      fold: (/** @type {number} */ t) => this.fold(t),
      prune: (/** @type {number} */ t, wanted = null) => this.prune(t, wanted),
    };
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const action = actionOfKey(event, this.scene, this.choices);
    if (action === null) return;
    const [name, ...values] = action;
    /** @type {(...values: unknown[]) => void} */ (this.actions[name])(...values);
    event.preventDefault();
  }

  /**
   * Show another tree, with what `memory` returned when it was shown before (null: it was not).
   * @param {TreeData} tree @param {Memory | null} [memory]
   */
  setTree(tree, memory = null) {
    const { scene, choices } = this;
    if (memory === null) [scene.folded, scene.depthLimit] = [new Set(), Infinity];
    else choices.restore(scene, memory);
    scene.isTrimmed = this.shown.trims();
    scene.setTree(tree);
    this.toolbar.setClasses(tree.classes);
    this.foot.announce("");
    this.surface.rows.clear();
    if (memory === null && !choices.hasChosenMode) choices.mode = Scene.modeFor(tree);
    this.turn();
    this.surface.measure();
    scene.fit();
    [this.viewBefore, this.isNewTree] = [memory, true];
    this.foot.legend.fill(scene);
    this.laidOut();
  }

  /** Text and Graphviz have no canvas; the scene keeps a direction for when it is shown again. */
  turn() {
    this.scene.frame.mode = this.choices.isCanvas ? this.choices.mode : "down";
  }

  memory() {
    return this.choices.memory(this.scene);
  }

  /**
   * The shape after the nodes `changed`, and the nodes that are pruned next.
   * @param {Uint8Array} shape @param {Int32Array} changed @param {Int32Array} next
   */
  setShape(shape, changed, next) {
    const { scene, isNewTree } = this;
    scene.setShape(shape, changed);
    scene.next = next;
    this.surface.minimap.isStale = true;
    if (isNewTree) this.layOutFirst();
    else if (!this.shown.follow(shape) && !this.shown.isDragging) this.showState();
    this.isNewTree = false;
    this.surface.describe();
    if (!isNewTree && this.choices.mode === "text") this.outline.refresh();
    if (isNewTree) this.finder.find(this.toolbar.search.value);
    else this.finder.findAgain();
    this.surface.draw();
  }

  /** The first shape of a tree: the camera of before, if it is remembered, belongs to its layout. */
  layOutFirst() {
    this.surface.measure(); // the panel below has come since
    this.scene.relayout();
    this.scene.fit();
    if (this.viewBefore) restoreCamera(this.scene, this.viewBefore);
    this.laidOut();
  }

  laidOut() {
    this.surface.minimap.isStale = true;
    this.tip.hide();
    this.showState();
    if (this.scene.shape) this.outline.setScene(this.scene);
    this.surface.draw();
  }

  /** Show the state of the view in its parts. */
  showState() {
    const { scene, choices, host } = this;
    if (!scene.tree) return;
    const isGraphviz = choices.mode === "graphviz";
    setShown(this.frameBox, !isGraphviz);
    host.closest(".tv-root")?.classList.toggle("tv-graphviz", isGraphviz);
    this.surface.show(choices);
    setShown(this.outline.element, choices.mode === "text");
    if (!choices.isCanvas) this.foot.status.hidden = true;
    this.frameBox.classList.toggle("tv-by-hand", choices.isHand);
    this.toolbar.show(toolState(scene, choices, this.options));
    this.foot.showSigns(scene);
    this.foot.showStability(scene);
  }

  /** The pruning sequence of the tree, or null; the tooltip shows its numbers. @param {SequenceData | null} sequence */
  setSequence(sequence) {
    this.scene.sequence = sequence;
    this.surface.rows.clear();
    this.scene.cuts = cutsOf(this.scene.tree, sequence);
    this.showCuts(this.choices.cuts);
    this.tip.hide();
  }

  /** @param {number} id */
  setSelected(id, { reveal = false } = {}) {
    const { scene } = this;
    if (!scene.tree || (scene.selected === id && !reveal)) return;
    scene.selected = id < scene.tree.n ? id : -1;
    if (scene.selected >= 0) this.shown.unfoldAbove(scene.selected);
    if (reveal) this.moves.reveal(scene.selected);
    this.finder.show();
    this.surface.describe();
    this.outline.refresh();
    if (reveal) this.outline.reveal(scene.selected);
    this.surface.draw();
  }

  /** @param {Partial<Options>} options */
  setOptions(options) {
    Object.assign(this.options, options);
    if (!this.options.showHand) this.choices.isHand = false;
    this.rule.classList.toggle("tv-hidden", !this.options.isStandAlone);
    this.trim();
    this.showState();
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.scene.setTheme(theme);
    this.surface.minimap.isStale = true;
    if (!this.scene.tree) return;
    this.foot.legend.fill(this.scene);
    this.outline.refresh();
    this.surface.draw();
  }

  /** The decision path of one row: [node, share] of every node that it reaches. @param {[t: number, share: number][]} rowPath */
  setRowPath(rowPath) {
    if (!this.scene.tree) return;
    this.scene.rowPath = new Map(rowPath.filter(([t]) => t < this.scene.tree.n));
    this.tip.hide();
    this.surface.describe();
    this.surface.draw();
  }

  /** @param {string} text */
  setRule(text) {
    putText(this.rule, text);
  }

  /**
   * Marks of single nodes from Python: [{node, kind: "near_tie", "held_out", "held_out_split", "greed" or "ring", text}].
   * @param {NodeMark[]} marks
   */
  setMarks(marks) {
    this.scene.setNodeMarks(marks);
    this.foot.showSigns(this.scene);
    this.surface.draw();
  }

  /**
   * The layout and the pruned branches as Python has them (null: the reader's own choice); nothing is reported.
   * @param {{ layout: string | null, ghosts: boolean | null }} view
   */
  setView({ layout, ghosts }) {
    if (!this.scene.tree) return;
    if (ghosts !== null) this.setGhosts(ghosts);
    if (layout !== null && layout !== this.choices.mode) this.setMode(layout);
  }

  /** Presenter mode: everything on the canvas is drawn larger and with more contrast. @param {boolean} isOn */
  setPresenter(isOn) {
    const enlarged = isOn ? PRESENTED : 1;
    this.host.closest(".tv-root")?.classList.toggle("tv-presenter", isOn);
    if (this.scene.enlarged === enlarged) return;
    this.scene.enlarged = enlarged;
    if (this.scene.theme) this.setTheme(this.scene.theme);
    if (!this.scene.tree) return;
    this.surface.measure();
    this.moves.fit();
  }

  /** @param {number} id */
  setFocusMark(id) {
    if (this.scene.focusMark === id) return;
    this.scene.focusMark = id;
    this.surface.draw();
  }

  /**
   * The reader drags α: pruned branches stay in place until it is released; then the kept tree is laid out anew.
   * @param {boolean} isDragging
   */
  dragged(isDragging) {
    this.shown.isDragging = isDragging;
    this.surface.busy(isDragging);
    this.trim();
  }

  /** Mark the nodes where best and 1-SE tree are cut; null: where they are few. @param {boolean | null} isOn */
  showCuts(isOn) {
    this.choices.cuts = isOn;
    this.scene.showsCuts = isOn ?? this.scene.cuts.size <= MOST_CUTS;
    this.showState();
    this.surface.draw();
  }

  /**
   * How stable the nodes are: the layer over this tree, or null; `isOn` null leaves it shown or hidden as it is.
   * @param {Stability | null} stability @param {boolean | null} [isOn]
   */
  setStability(stability, isOn = null) {
    const { scene } = this;
    const wanted = isOn ?? scene.showsStability;
    if (scene.stability === stability && scene.showsStability === wanted) return;
    [scene.stability, scene.showsStability] = [stability, wanted];
    this.showState();
    this.surface.draw();
  }

  /** The reader shows or hides the layer: it is reported. @param {boolean} isOn */
  chooseStability(isOn) {
    this.setStability(this.scene.stability, isOn);
    this.hooks.onCommand("stability", isOn);
  }

  /** @param {boolean} isOn */
  chooseGhosts(isOn) {
    this.setGhosts(isOn);
    this.hooks.onCommand("ghosts", isOn);
  }

  /** @param {boolean} isOn */
  setGhosts(isOn) {
    this.choices.ghosts = isOn;
    this.trim();
    this.showState();
  }

  /** @param {boolean} isOn */
  setHandMode(isOn) {
    this.choices.isHand = isOn && this.options.showHand;
    this.trim();
    this.showState();
  }

  /** Show or leave out pruned branches, if that has changed. */
  trim() {
    if (!this.shown.trim()) return;
    this.finder.findAgain();
    this.surface.describe();
  }

  destroy() {
    for (const part of [this.surface, this.foot, this.toolbar]) part.destroy();
    this.tip.hide();
    this.observer.disconnect();
    this.scene.shape = later();
    this.host.replaceChildren();
  }

  resized() {
    const { scene } = this;
    if (!scene.tree || !this.surface.isResized()) return;
    this.surface.measure();
    if (scene.isFitted) scene.fit();
    else scene.camera = keptInView(scene.camera, scene.frame);
    this.outline.render();
    this.surface.draw();
  }

  cameraMoved() {
    this.tip.hide();
    this.hooks.onCameraMove();
  }

  /** The reader picks a layout: it is shown at once and reported. @param {string} mode */
  chooseLayout(mode) {
    const limit = mode === "graphviz" ? graphvizLimit(this.scene) : "";
    if (limit !== "") return this.foot.announce(limit);
    this.setMode(mode);
    this.hooks.onCommand("layout", mode);
    return undefined;
  }

  /** @param {string} mode */
  setMode(mode) {
    Object.assign(this.choices, { mode, hasChosenMode: true });
    this.turn();
    this.showState();
    this.surface.measure();
    this.scene.fit();
    this.surface.minimap.isStale = true;
    this.tip.hide();
    this.outline.refresh();
    this.outline.reveal(this.scene.selected);
    this.surface.draw();
  }

  /** @param {Scene["filter"]} filter */
  setFilter(filter) {
    this.scene.filter = filter;
    this.scene.applyFilter();
    this.showState();
    this.surface.draw();
  }

  /** @param {boolean} isOn */
  setIds(isOn) {
    this.scene.showIds = isOn;
    this.scene.texts.width.fill(0);
    this.scene.needsPlacing = true;
    this.showState();
    this.surface.draw();
  }

  /** @param {number} limit */
  limitDepth(limit) {
    this.shown.limitDepth(limit);
    this.surface.describe();
  }

  /** @param {number} t */
  fold(t) {
    const notice = this.shown.fold(t);
    if (notice === "") return;
    this.foot.announce(notice);
    this.surface.describe();
  }

  /**
   * Collapse a node that is split now, restore one that is not; a node that was never split is only selected.
   * @param {number} t @param {string | null} [wanted]
   */
  prune(t, wanted = null) {
    const { tree, shape } = this.scene;
    if (t < 0) return;
    const op = shape[t] === INNER ? "collapse" : "restore";
    if (tree.feature[t] < 0) this.choose(t);
    else if (wanted === null || wanted === op) this.hooks.onHand(op, t);
  }

  /** The reader selects a node: it is shown at once and reported. @param {number} t */
  choose(t) {
    this.setSelected(t);
    this.hooks.onSelect(t);
  }

  /** @param {number} t */
  go(t) {
    this.choose(t);
    this.moves.reveal(t);
  }

  /** @param {number} step */
  stepMatch(step) {
    const t = this.finder.next(step);
    if (t < 0) return;
    this.setSelected(t, { reveal: true });
    this.hooks.onSelect(t);
  }

  /** In full screen the tree must have the focus and be visible. */
  toggleFullScreen() {
    const whole = this.host.closest(".tv-root") ?? this.host;
    const root = rootOf(whole);
    const settle = () => {
      if (root.fullscreenElement !== whole) return;
      whole.scrollTop = 0;
      if (this.choices.mode === "text") this.outline.focus();
      else this.surface.view.focus({ preventScroll: true });
    };
    whole.addEventListener("fullscreenchange", settle, { once: true });
    if (root.fullscreenElement) document.exitFullscreen();
    else whole.requestFullscreen?.();
  }
}
