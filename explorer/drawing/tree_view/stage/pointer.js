// What a pointer does on the canvas: select a node, fold or unfold it, prune it by hand, show its tooltip, pan and zoom.

/** @typedef {import("./stage.js").Actions} Actions */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("./surface.js").Surface} Surface */
/** @typedef {import("./tip.js").Tip} Tip */

import { foldSignOf } from "../canvas/paint.js";
import { rootOf } from "../dom.js";
import { INNER } from "../model/pruned_shape.js";
import { Gestures } from "./gestures.js";

export class Pointer {
  /**
   * `act` has choose, fold and prune of a node, pan, zoom and settle.
   * @param {Surface} surface @param {Tip} tip @param {Actions} act
   */
  constructor(surface, tip, act) {
    this.surface = surface;
    this.tip = tip;
    this.act = act;
    this.scene = surface.scene;
    this.choices = surface.choices;
    const { view } = surface;
    const inScene = (/** @type {number} */ length) => length / this.scene.enlarged;
    this.gestures = new Gestures(view, {
      tap: (x, y, event) => this.tap(inScene(x), inScene(y), event),
      double: (x, y) => this.doubleTap(inScene(x), inScene(y)),
      hover: (x, y) => this.hover(inScene(x), inScene(y)),
      leave: () => this.hover(NaN, NaN),
      pan: (dx, dy) => act.pan(inScene(dx), inScene(dy)),
      zoom: (factor, x, y) => act.zoom(factor, inScene(x), inScene(y)),
      end: () => act.settle(),
      isFocused: () => rootOf(view).activeElement === view,
    });
  }

  /**
   * On a fold sign it unfolds the node; in pruning mode it collapses or restores; else it selects.
   * @param {number} x @param {number} y @param {PointerEvent} event
   */
  tap(x, y, event) {
    const { scene } = this;
    if (!scene.tree) return undefined;
    this.surface.view.focus({ preventScroll: true });
    const sign = foldSignUnder(scene, x, y);
    if (sign >= 0) return this.act.fold(sign);
    const t = scene.nodeAt(x, y);
    if (t < 0) return this.tip.hide();
    if (this.choices.isHand) this.act.prune(t);
    else this.act.choose(t);
    if (event.pointerType !== "mouse") this.tip.show(t);
    return undefined;
  }

  /** @param {number} x @param {number} y */
  doubleTap(x, y) {
    if (this.choices.isHand || !this.scene.tree || foldSignUnder(this.scene, x, y) >= 0) return;
    this.act.fold(this.scene.nodeAt(x, y));
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    const { scene } = this;
    if (!scene.tree || !scene.shape) return;
    const t = Number.isNaN(x) ? -1 : scene.nodeAt(x, y);
    this.surface.view.style.cursor = t >= 0 ? this.cursorOn(t) : "";
    if (t === scene.hovered) return;
    scene.hovered = t;
    this.surface.draw();
    this.tip.follow(t);
  }

  /** @param {number} t */
  cursorOn(t) {
    if (!this.choices.isHand) return "pointer";
    return this.scene.tree.feature[t] < 0 ? "default" : this.scene.shape[t] === INNER ? "crosshair" : "copy";
  }
}

/** @param {Scene} scene @param {number} x @param {number} y */
function foldSignUnder(scene, x, y) {
  for (const t of scene.foldedShown) {
    const sign = foldSignOf(scene, t);
    if (Math.abs(x - sign.x) <= sign.halfWidth + 3 && Math.abs(y - sign.y) <= sign.halfHeight + 3) return t;
  }
  return -1;
}
