// The stage: toolbar, canvas, minimap, tooltip and text of one tree, and all actions of reader and page on them.
//
// One frame is drawn after a change, and further ones only while nodes fade; otherwise nothing runs.

import { keptInView, panCamera, revealCamera, zoomCamera } from "../canvas/camera.js";
import { cutsOf, MOST_CUTS } from "../canvas/badges.js";
import { handleKey } from "./keys.js";
import { describeSelected } from "./outline.js";
import { outlineOf, paintScene } from "../canvas/paint.js";
import { blendFrom } from "./blend.js";
import { buildParts, listenToView } from "./build.js";
import { hideTip } from "./pointer.js";
import { putText } from "../dom.js";
import { Scene } from "../canvas/scene.js";
import { nextMatch, nodesNamed } from "../model/search.js";
import { GHOST } from "../model/pruned_shape.js";
import { say, sayCount } from "../messages.js";
import { graphvizLimit, measureArea, setFold, showViewOptions, showStatus, savedViewOptions, sizeCanvasTo, restoreCamera, restoreViewOptions } from "./view_options.js";

const SHARP_AFTER = 120;
const NOTICE_STAYS = 8000;
const PRESENTED = 1.5;

export function makeStage(host, hooks) {
  return new Stage(host, hooks);
}

export class Stage {
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    this.mode = "down";
    this.options = { showHand: false, isPruned: false, isStandAlone: false, hasGraphviz: false };
    this.isHand = this.hasChosenMode = false;
    this.ghosts = this.cuts = null; // null: no choice of the reader's
    this.isDragging = false;
    this.isBusy = false;
    this.frameRequest = 0;
    buildParts(this);
    listenToView(this);
    this.scene = new Scene(this.context);
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.area);
  }

  setTree(tree) {
    const memory = this.pending ?? null;
    this.pending = null;
    const { scene } = this;
    if (memory === null) [scene.folded, scene.depthLimit] = [new Set(), Infinity];
    else restoreViewOptions(this, memory);
    scene.isTrimmed = this.trims();
    scene.setTree(tree);
    this.toolbar.setClasses(tree.classes);
    this.announce("");
    this.rows.clear();
    hideTip(this);
    if (memory === null && !this.hasChosenMode) this.mode = Scene.modeFor(tree);
    this.turn();
    measureArea(this);
    scene.fit();
    this.viewBefore = memory;
    this.isNewTree = true;
    this.legend.fill(scene);
    this.laidOut();
  }

  /** Text and Graphviz have no canvas; the scene keeps a direction for when it is shown again. */
  turn() {
    const isCanvas = this.mode !== "text" && this.mode !== "graphviz";
    this.scene.frame.mode = isCanvas ? this.mode : "down";
  }

  memory() {
    return savedViewOptions(this);
  }

  /** Restore what `memory` returned, once the next tree is set. */
  remember(memory) {
    this.pending = memory;
  }

  /** The shape after the nodes `changed`, and the nodes that are pruned next. */
  setShape(shape, changed, next) {
    const { scene } = this;
    scene.setShape(shape, changed);
    scene.next = next;
    if (this.isNewTree) this.layOutFirst();
    else if (scene.isTrimmed && !scene.isLaidOutFor(shape)) this.layOutKept();
    else if (!this.isDragging) showViewOptions(this);
    this.minimap.isStale = true;
    if (this.isNewTree) this.firstShape();
    else if (this.mode === "text") this.outline.refresh();
    if (!this.isNewTree && this.toolbar.search.value !== "") this.search(this.toolbar.search.value);
    this.isNewTree = false;
    this.draw();
  }

  firstShape() {
    this.outline.setScene(this.scene);
    this.search(this.toolbar.search.value);
    this.describe();
  }

  /** The pruning sequence of the tree, or null; the tooltip shows its numbers. */
  setSequence(sequence) {
    this.scene.sequence = sequence;
    this.rows.clear();
    this.scene.cuts = cutsOf(this.scene.tree, sequence);
    this.showCuts(this.cuts);
    hideTip(this);
  }

  setSelected(id, { reveal = false } = {}) {
    const { scene } = this;
    if (!scene.tree || (scene.selected === id && !reveal)) return;
    scene.selected = id < scene.tree.n ? id : -1;
    if (scene.selected >= 0) this.unfoldAbove(scene.selected);
    if (reveal) this.reveal(scene.selected);
    this.showMatches();
    this.describe();
    this.outline.refresh();
    if (reveal) this.outline.reveal(scene.selected);
    this.draw();
  }

  setOptions(options) {
    Object.assign(this.options, options);
    if (!this.options.showHand) this.isHand = false;
    this.rule.classList.toggle("tv-hidden", !this.options.isStandAlone);
    this.trim();
    showViewOptions(this);
  }

  setTheme(theme) {
    this.scene.setTheme(theme);
    this.minimap.isStale = true;
    if (!this.scene.tree) return;
    this.legend.fill(this.scene);
    this.outline.refresh();
    this.draw();
  }

  /** The decision path of one row: [node, share] of every node that it reaches. */
  setRowPath(rowPath) {
    if (!this.scene.tree) return;
    this.scene.rowPath = new Map(rowPath.filter(([t]) => t < this.scene.tree.n));
    hideTip(this);
    this.describe();
    this.draw();
  }

  setRule(text) {
    putText(this.rule, text);
  }

  /** Marks of single nodes from Python: [{node, kind: "near_tie", "held_out" or "ring", text}]. */
  setMarks(marks) {
    this.scene.setNodeMarks(marks);
    this.draw();
  }

  /** The layout and the pruned branches as Python has them (null: the reader's own choice); nothing is reported. */
  setView({ layout, ghosts }) {
    if (!this.scene.tree) return;
    if (ghosts !== null && ghosts !== undefined) this.setGhosts(ghosts);
    if (layout !== null && layout !== undefined && layout !== this.mode) this.setMode(layout);
  }

  /** Presenter mode: everything on the canvas is drawn larger and with more contrast. */
  setPresenter(isOn) {
    const enlarged = isOn ? PRESENTED : 1;
    this.host.closest(".tv-root")?.classList.toggle("tv-presenter", isOn);
    if (this.scene.enlarged === enlarged) return;
    this.scene.enlarged = enlarged;
    if (this.scene.theme) this.setTheme(this.scene.theme);
    if (!this.scene.tree) return;
    measureArea(this);
    this.fit();
  }

  /** A short notice about the last action, for every reader. */
  announce(text) {
    clearTimeout(this.noticeTimer);
    putText(this.notice, text);
    if (text !== "") this.noticeTimer = setTimeout(() => putText(this.notice, ""), NOTICE_STAYS);
  }

  setFocusMark(id) {
    if (this.scene.focusMark === id) return;
    this.scene.focusMark = id;
    this.draw();
  }

  busy(isBusy) {
    clearTimeout(this.sharpTimer);
    if (isBusy) this.isBusy = true;
    this.sharpTimer = setTimeout(() => {
      this.isBusy = false;
      this.draw();
    }, SHARP_AFTER);
  }

  /** The reader drags α: pruned branches stay in place until it is released; then the kept tree is laid out anew. */
  dragged(isDragging) {
    this.isDragging = isDragging;
    this.busy(isDragging);
    this.trim();
  }

  /** Whether only the kept tree is laid out now. */
  trims() {
    return !this.isDragging && !this.showsGhosts();
  }

  /** Whether pruned branches stay on the canvas; unless chosen otherwise, only while the reader prunes by hand. */
  showsGhosts() {
    return this.ghosts ?? (this.isHand || this.scene.sequence?.isGrowth === true);
  }

  showsCuts() {
    return this.scene.showsCuts;
  }

  /** Mark the nodes where best and 1-SE tree are cut; null: where they are few. */
  showCuts(isOn) {
    this.cuts = isOn;
    this.scene.showsCuts = isOn ?? this.scene.cuts.size <= MOST_CUTS;
    showViewOptions(this);
    this.draw();
  }

  chooseGhosts(isOn) {
    this.setGhosts(isOn);
    this.hooks.onCommand?.("ghosts", isOn);
  }

  setGhosts(isOn) {
    this.ghosts = isOn;
    this.trim();
    showViewOptions(this);
  }

  /** Lay out the kept tree alone, or all of the tree, if that has changed. */
  trim() {
    const { scene } = this;
    if (scene.isTrimmed === this.trims()) return;
    if (!this.isDragging) blendFrom(this);
    const anchor = scene.tree ? scene.anchor() : -1;
    scene.isTrimmed = !scene.isTrimmed;
    if (!scene.tree) return;
    this.layOutAround(anchor);
    if (scene.shape && this.toolbar.search.value !== "") this.search(this.toolbar.search.value);
    this.describe();
  }

  /** The first shape of a tree: the camera of before, if it is remembered, belongs to its layout. */
  layOutFirst() {
    const { scene } = this;
    measureArea(this); // the panel below has come since
    scene.relayout();
    scene.fit();
    if (this.viewBefore) restoreCamera(scene, this.viewBefore);
    this.laidOut();
  }

  /** The kept tree has changed, and it alone is shown. */
  layOutKept() {
    blendFrom(this);
    this.layOutAround(this.scene.anchor());
  }

  destroy() {
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.sharpTimer);
    clearTimeout(this.noticeTimer);
    this.observer.disconnect();
    this.legend.observer.disconnect();
    this.toolbar.destroy();
    this.scene.shape = null;
    this.host.replaceChildren();
  }

  draw() {
    if (this.frameRequest || !this.scene.shape) return;
    this.frameRequest = requestAnimationFrame(() => this.frame());
  }

  frame() {
    this.frameRequest = 0;
    const { scene } = this;
    if (!scene.shape || !scene.theme || scene.frame.width === 0) return;
    const started = performance.now();
    const isFading = scene.stepFades();
    const isMoving = this.rows.step(started) || isFading;
    if (this.mode !== "text" && this.mode !== "graphviz") {
      sizeCanvasTo(this);
      scene.isBusy = this.isBusy;
      paintScene(this.context, scene, this.pictures);
      this.rows.paint(this.context);
      this.minimap.paint(scene, isFading);
      showStatus(this);
    }
    scene.repaints.clear();
    this.hooks.onFrame?.(performance.now() - started);
    if (isMoving) this.draw();
  }

  resized() {
    const { scene } = this;
    const [width, height] = [scene.frame.width * scene.enlarged, scene.frame.height * scene.enlarged];
    if (!scene.tree || (Math.abs(this.area.clientWidth - width) < 0.5 && Math.abs(this.area.clientHeight - height) < 0.5)) return;
    measureArea(this);
    if (scene.isFitted) scene.fit();
    else scene.camera = keptInView(scene.camera, scene.frame);
    scene.needsPlacing = true;
    this.outline.render();
    this.draw();
  }

  setCamera(camera) {
    const { scene } = this;
    scene.camera = camera;
    scene.isFitted = false;
    scene.needsPlacing = true;
    hideTip(this);
    if (scene.tree.n > 500) this.busy(true);
    this.draw();
    this.hooks.onCameraMove?.();
  }

  pan(dx, dy) {
    const { camera, frame } = this.scene;
    this.setCamera(frame.mode === "right" ? panCamera(camera, frame, dy, dx) : panCamera(camera, frame, dx, dy));
  }

  zoomAt(factor, x, y) {
    const { camera, frame, selected, layout } = this.scene;
    const isAnchored = x === undefined && selected >= 0 && layout.shown[selected];
    const anchor = isAnchored ? outlineOf(this.scene, selected) : { x: frame.width / 2, y: frame.height / 2 };
    const isInside = anchor.x > 0 && anchor.y > 0 && anchor.x < frame.width && anchor.y < frame.height;
    const middle = isInside ? [anchor.x, anchor.y] : [frame.width / 2, frame.height / 2];
    const [px, py] = x === undefined ? middle : [x, y];
    const [along, deep] = frame.mode === "right" ? [py, px] : [px, py];
    this.setCamera(zoomCamera(camera, frame, factor, along, deep));
  }

  fit() {
    this.scene.fit();
    hideTip(this);
    this.draw();
    this.hooks.onCameraMove?.();
  }

  /** The reader picks a layout: it is shown at once and reported. */
  chooseLayout(mode) {
    const limit = mode === "graphviz" ? graphvizLimit(this.scene) : "";
    if (limit !== "") return this.announce(limit);
    this.setMode(mode);
    this.hooks.onCommand?.("layout", mode);
    return undefined;
  }

  setMode(mode) {
    const { scene } = this;
    this.mode = mode;
    this.hasChosenMode = true;
    this.turn();
    showViewOptions(this);
    measureArea(this);
    scene.fit();
    this.minimap.isStale = true;
    hideTip(this);
    this.outline.refresh();
    this.outline.reveal(scene.selected);
    this.draw();
  }

  setFilter(filter) {
    this.scene.filter = filter;
    this.scene.applyFilter();
    showViewOptions(this);
    this.draw();
  }

  setIds(isOn) {
    this.scene.showIds = isOn;
    this.scene.texts.width.fill(0);
    this.scene.needsPlacing = true;
    showViewOptions(this);
    this.draw();
  }

  setHandMode(isOn) {
    this.isHand = isOn && this.options.showHand;
    this.trim();
    showViewOptions(this);
  }

  /** Lay the tree out anew after a change; the anchor, a node, keeps its place. Without one the whole tree is shown. */
  relayout(change, anchor = -1) {
    change();
    this.scene.forgetLayout();
    this.layOutAround(anchor);
  }

  layOutAround(anchor) {
    this.scene.layOutAround(anchor);
    hideTip(this);
    this.laidOut();
    this.draw();
  }

  limitDepth(limit) {
    this.relayout(() => (this.scene.depthLimit = limit));
    this.describe();
  }

  laidOut() {
    this.minimap.isStale = true;
    showViewOptions(this);
    if (this.scene.shape) this.outline.setScene(this.scene);
  }

  /** Fold or unfold a node's branches, and say how many nodes that hides or shows. */
  fold(t) {
    const { scene } = this;
    if (t < 0 || !scene.hasBranches(t)) return;
    const before = scene.layout.hidden[t];
    if (t === 0 && before === 0) return this.announce(say("The root stays open: folding it would hide the whole tree."));
    this.relayout(() => setFold(scene, t), t);
    const hidden = scene.layout.hidden[t];
    if (scene.layout.shown[scene.tree.firstChild[t]]) this.announce(sayCount(before - hidden, "{n} node shown.", "{n} nodes shown."));
    else this.announce(sayCount(hidden, "+{n} node hidden; Enter shows it.", "+{n} nodes hidden; Enter shows them."));
    this.describe();
    return undefined;
  }

  unfoldAbove(t) {
    const { scene } = this;
    if (scene.layout.shown[t] || (scene.isTrimmed && scene.shape?.[t] === GHOST)) return;
    this.relayout(() => {
      if (scene.tree.depth[t] > scene.depthLimit) scene.depthLimit = Infinity;
      for (let node = scene.tree.parent[t]; node >= 0; node = scene.tree.parent[node]) scene.folded.delete(node);
    }, scene.anchor());
  }

  reveal(t) {
    const { scene } = this;
    if (t < 0 || this.mode === "text" || this.mode === "graphviz" || scene.isFitted) return;
    const box = outlineOf(scene, t);
    const [along, deep] = scene.frame.mode === "right" ? ["y", "x"] : ["x", "y"];
    const half = { x: box.halfWidth, y: box.halfHeight };
    const camera = revealCamera(scene.camera, scene.frame, {
      alongLo: box[along] - half[along],
      alongHi: box[along] + half[along],
      depthLo: box[deep] - half[deep],
      depthHi: box[deep] + half[deep],
    }, 8);
    if (camera.alongShift === scene.camera.alongShift && camera.depthShift === scene.camera.depthShift) return;
    scene.isFitted = false;
    scene.camera = camera;
    scene.needsPlacing = true;
  }

  keyDown(event) {
    if (handleKey(this, event)) event.preventDefault();
  }

  /** The reader selects a node: it is shown at once and reported. */
  choose(t) {
    this.setSelected(t);
    this.hooks.onSelect?.(t);
  }

  search(query) {
    const { scene } = this;
    scene.matches = nodesNamed(scene.tree, scene.shape, query, scene.isTrimmed || scene.sequence?.isGrowth);
    this.showMatches();
    this.draw();
  }

  stepMatch(step) {
    const t = nextMatch(this.scene.matches, this.scene.selected, step);
    if (t < 0) return;
    this.setSelected(t, { reveal: true });
    this.hooks.onSelect?.(t);
  }

  showMatches() {
    const { matches, selected } = this.scene;
    this.toolbar.showMatches(matches.indexOf(selected), matches.length);
  }

  /** Rewrite the one tree item that represents the selected node. */
  describe() {
    if (this.scene.shape) describeSelected(this.item, this.scene);
  }
}
