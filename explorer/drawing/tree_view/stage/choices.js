// What the reader has chosen of the view beside what the scene holds, and what the tools show of it.

/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").SequenceData} SequenceData */

import { keptInView } from "../canvas/camera.js";
import { sayCount } from "../messages.js";

/** @typedef {ReturnType<Choices["memory"]>} Memory */
/** @typedef {{ showHand: boolean, isPruned: boolean, isStandAlone: boolean, hasGraphviz: boolean }} Options */
/** @typedef {ReturnType<typeof toolState>} ToolState */

const MOST_FOR_GRAPHVIZ = 200;

export class Choices {
  constructor() {
    this.mode = "down";
    this.hasChosenMode = false;
    this.isHand = false;
    this.ghosts = this.cuts = /** @type {boolean | null} */ (null); // null: no choice of the reader's
  }

  /** Text and Graphviz have no canvas. */
  get isCanvas() {
    return this.mode !== "text" && this.mode !== "graphviz";
  }

  /**
   * Whether pruned branches stay on the canvas; unless chosen otherwise, only while the reader prunes by hand.
   * @param {SequenceData | null} sequence
   */
  showsGhosts(sequence) {
    return this.ghosts ?? (this.isHand || sequence?.isGrowth === true);
  }

  /**
   * All choices as a plain object, those that the scene holds too: it is remembered while another page is open.
   * @param {Scene} scene
   */
  memory(scene) {
    return {
      camera: scene.isFitted ? null : { ...scene.camera },
      width: scene.frame.width,
      height: scene.frame.height,
      direction: this.mode,
      hasChosenMode: this.hasChosenMode,
      depthLimit: Number.isFinite(scene.depthLimit) ? scene.depthLimit : null,
      folded: [...scene.folded],
      filter: { ...scene.filter },
      ghosts: this.ghosts,
      cuts: this.cuts,
      ids: scene.showIds,
    };
  }

  /** @param {Scene} scene @param {Memory} memory */
  restore(scene, memory) {
    this.mode = memory.direction;
    this.hasChosenMode = memory.hasChosenMode;
    scene.folded = new Set(memory.folded);
    scene.depthLimit = memory.depthLimit ?? Infinity;
    scene.filter = { ...memory.filter };
    [this.ghosts, this.cuts] = [memory.ghosts, memory.cuts];
    scene.showIds = memory.ids;
  }
}

const SAME_HEIGHT = 0.15;

/**
 * Restore the remembered camera, if the area still is as wide and about as high: lines below the tree come later.
 * @param {Scene} scene @param {Pick<Memory, "camera" | "width" | "height">} memory
 */
export function restoreCamera(scene, { camera, width, height }) {
  const { frame } = scene;
  if (!camera || frame.width !== width || Math.abs(frame.height - height) > SAME_HEIGHT * height) return;
  scene.camera = keptInView({ ...camera }, scene.frame);
  scene.isFitted = false;
}

/** What the toolbar shows. @param {Scene} scene @param {Choices} choices @param {Options} options */
export function toolState(scene, choices, options) {
  return {
    ...options,
    mode: choices.mode,
    isHand: choices.isHand,
    showsGhosts: choices.showsGhosts(scene.sequence),
    hasCuts: scene.cuts.size > 0,
    showsCuts: scene.showsCuts,
    graphvizLimit: graphvizLimit(scene),
    hasStability: scene.stability !== null,
    showsStability: scene.showsStability,
    showIds: scene.showIds,
    filter: scene.filter,
    depthLimit: scene.depthLimit,
    maxDepth: scene.tree.maxDepth,
  };
}

/** Why Graphviz can't draw the tree; "" where it can. @param {Scene} scene */
export function graphvizLimit(scene) {
  const nodes = scene.countLeft();
  if (nodes <= MOST_FOR_GRAPHVIZ) return "";
  return sayCount(nodes, "Graphviz draws up to {most} nodes.", "Graphviz draws up to {most} nodes; this tree has {n}.", { most: MOST_FOR_GRAPHVIZ });
}
