// The stage: toolbar, canvas, minimap, tooltip and text of one tree, and all actions of reader and page on them.
//
// One frame is drawn after a change, and further ones only while nodes fade; otherwise nothing runs.

import { keptInView, panCamera, revealCamera, zoomCamera } from "../canvas/camera.js";
import { spokenNode } from "../model/node_facts.js";
import { handleKey } from "./keys.js";
import { describeItem } from "./outline.js";
import { outlineOf, paintScene } from "../canvas/paint.js";
import { buildParts, listenToView } from "./build.js";
import { hideTip } from "./pointer.js";
import { Scene } from "../canvas/scene.js";
import { nextMatch, nodesNamed } from "../model/search.js";
import { GHOST } from "../model/pruned_shape.js";
import { rowShareText } from "../canvas/row_path.js";
import { fillLegend, measureArea, setFold, showViewOptions, showStatus, savedViewOptions, sizeCanvasTo, restoreCamera, restoreViewOptions } from "./view_options.js";

const SHARP_AFTER = 160;

export function makeStage(host, hooks) {
  return new Stage(host, hooks);
}

class Stage {
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    this.mode = "down";
    this.options = { showHand: false, isPruned: false };
    this.isHand = this.hasChosenMode = false;
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
    scene.setTree(tree);
    hideTip(this);
    if (memory === null && !this.hasChosenMode) this.mode = Scene.modeFor(tree);
    scene.frame.mode = this.mode === "text" ? "down" : this.mode;
    measureArea(this);
    scene.fit();
    if (memory) restoreCamera(scene, memory);
    this.isNewTree = true;
    fillLegend(this.legend, scene);
    this.laidOut();
  }

  memory() {
    return savedViewOptions(this);
  }

  /** Restore what `memory` returned, once the next tree is set. */
  remember(memory) {
    this.pending = memory;
  }

  setShape(shape, next) {
    const { scene } = this;
    scene.setShape(shape);
    scene.next = next;
    if (scene.isTrimmed) this.relayout(() => {});
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
    showViewOptions(this);
  }

  setTheme(theme) {
    this.scene.setTheme(theme);
    this.minimap.isStale = true;
    if (!this.scene.tree) return;
    fillLegend(this.legend, this.scene);
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
    this.rule.textContent = text;
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

  destroy() {
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.sharpTimer);
    this.observer.disconnect();
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
    const isMoving = scene.stepFades();
    if (this.mode !== "text") {
      sizeCanvasTo(this);
      paintScene(this.context, scene);
      this.minimap.paint(scene, isMoving);
      showStatus(this);
    }
    this.hooks.onFrame?.(performance.now() - started);
    if (isMoving) this.draw();
  }

  resized() {
    const { scene } = this;
    const { width, height } = scene.frame;
    if (!scene.tree || (this.area.clientWidth === width && this.area.clientHeight === height)) return;
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

  setMode(mode) {
    const { scene } = this;
    this.mode = mode;
    this.hasChosenMode = true;
    scene.frame.mode = mode === "text" ? "down" : mode;
    scene.fit();
    this.minimap.isStale = true;
    hideTip(this);
    showViewOptions(this);
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

  setTrimmed(isOn) {
    this.relayout(() => (this.scene.isTrimmed = isOn));
    if (this.scene.shape) this.search(this.toolbar.search.value);
    this.describe();
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
    showViewOptions(this);
  }

  /** Change the layout, and keep the camera where it still makes sense. */
  relayout(change) {
    const { scene } = this;
    change();
    scene.relayout();
    if (scene.isFitted) scene.fit();
    else scene.camera = keptInView(scene.camera, scene.frame);
    hideTip(this);
    this.laidOut();
    this.draw();
  }

  laidOut() {
    this.minimap.isStale = true;
    showViewOptions(this);
    if (this.scene.shape) this.outline.setScene(this.scene);
  }

  fold(t) {
    if (t < 0 || !this.scene.hasBranches(t)) return;
    this.relayout(() => setFold(this.scene, t));
    this.describe();
  }

  unfoldAbove(t) {
    const { scene } = this;
    if (scene.layout.shown[t] || (scene.isTrimmed && scene.shape?.[t] === GHOST)) return;
    this.relayout(() => {
      if (scene.tree.depth[t] > scene.depthLimit) scene.depthLimit = Infinity;
      for (let node = scene.tree.parent[t]; node >= 0; node = scene.tree.parent[node]) scene.folded.delete(node);
    });
  }

  reveal(t) {
    const { scene } = this;
    if (t < 0 || this.mode === "text" || scene.isFitted) return;
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
    scene.matches = nodesNamed(scene.tree, scene.shape, query, scene.isTrimmed);
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
    const { scene, item } = this;
    const t = Math.max(0, scene.selected);
    if (!scene.shape) return;
    describeItem(item, scene, t);
    const spoken = [spokenNode(scene.tree, scene.shape, t), rowShareText(scene.rowPath, t)].filter(Boolean).join(", ");
    item.setAttribute("aria-label", spoken);
    item.setAttribute("aria-selected", String(t === scene.selected));
  }
}
