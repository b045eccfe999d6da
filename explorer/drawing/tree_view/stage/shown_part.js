// Which part of the tree is laid out: without what is folded, too deep, or pruned away and not shown.

/** @typedef {import("./choices.js").Choices} Choices */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */

import { GHOST } from "../model/pruned_shape.js";
import { say, sayCount } from "../messages.js";

export class ShownPart {
  /**
   * `on` has fade, before a layout that replaces another by itself, and laidOut.
   * @param {Scene} scene @param {Choices} choices @param {{ fade: () => void, laidOut: () => void }} on
   */
  constructor(scene, choices, on) {
    this.scene = scene;
    this.choices = choices;
    this.on = on;
    this.isDragging = false; // α: pruned branches stay in place until it is released
  }

  /** Whether only the kept tree is laid out now. */
  trims() {
    return !this.isDragging && !this.choices.showsGhosts(this.scene.sequence);
  }

  /** Lay out the kept tree alone, or all of the tree, if that has changed; returns whether it has. */
  trim() {
    const { scene } = this;
    if (scene.isTrimmed === this.trims()) return false;
    if (!this.isDragging) this.on.fade();
    const anchor = scene.tree ? scene.anchor() : -1;
    scene.isTrimmed = !scene.isTrimmed;
    if (scene.tree) this.layOutAround(anchor);
    return scene.tree !== null;
  }

  /** Lay out the kept tree, which has changed, if it alone is shown; returns whether it was. @param {Uint8Array} shape */
  follow(shape) {
    if (!this.scene.isTrimmed || this.scene.isLaidOutFor(shape)) return false;
    this.on.fade();
    this.layOutAround(this.scene.anchor());
    return true;
  }

  /** The anchor, a node, keeps its place; without one the whole tree is shown. @param {number} anchor */
  layOutAround(anchor) {
    this.scene.layOutAround(anchor);
    this.on.laidOut();
  }

  /** The same after folds or the depth limit have changed. @param {number} anchor */
  layOutAnew(anchor) {
    this.scene.forgetLayout();
    this.layOutAround(anchor);
  }

  /** @param {number} limit */
  limitDepth(limit) {
    this.scene.depthLimit = limit;
    this.layOutAnew(-1);
  }

  /** Fold or unfold a node's branches; returns in words what has come of it, "" of a node without branches. @param {number} t */
  fold(t) {
    const { scene } = this;
    if (t < 0 || !scene.hasBranches(t)) return "";
    const before = scene.layout.hidden[t];
    if (t === 0 && before === 0) return say("The root stays open: folding it would hide the whole tree.");
    setFold(scene, t);
    this.layOutAnew(t);
    const hidden = scene.layout.hidden[t];
    if (scene.layout.shown[scene.tree.firstChild[t]]) return sayCount(before - hidden, "{n} node shown.", "{n} nodes shown.");
    return sayCount(hidden, "+{n} node hidden; Enter shows it.", "+{n} nodes hidden; Enter shows them.");
  }

  /** @param {number} t */
  unfoldAbove(t) {
    const { scene } = this;
    if (scene.layout.shown[t] || (scene.isTrimmed && scene.shape?.[t] === GHOST)) return;
    if (scene.tree.depth[t] > scene.depthLimit) scene.depthLimit = Infinity;
    for (let node = scene.tree.parent[t]; node >= 0; node = scene.tree.parent[node]) scene.folded.delete(node);
    this.layOutAnew(scene.anchor());
  }
}

/**
 * Fold or unfold a node's branches; a depth limit that hid them is replaced by folded nodes.
 * @param {Scene} scene @param {number} t
 */
function setFold(scene, t) {
  const { tree, folded, layout, depthLimit } = scene;
  if (layout.shown[tree.firstChild[t]] === 1) folded.add(t);
  else {
    folded.delete(t);
    if (tree.depth[t] < depthLimit) return;
    for (const other of layout.levels[depthLimit] ?? []) {
      if (other !== t && tree.firstChild[other] >= 0) folded.add(other);
    }
    scene.depthLimit = Infinity;
  }
}
