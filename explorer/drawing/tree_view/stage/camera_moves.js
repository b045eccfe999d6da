// Moves of the camera by the reader and to a node that is to be seen.

/** @typedef {import("../canvas/camera.js").Camera} Camera */
/** @typedef {import("./surface.js").Surface} Surface */

import { panCamera, revealCamera, zoomCamera } from "../canvas/camera.js";
import { outlineOf } from "../canvas/paint.js";

const LARGE_TREE = 500; // nodes; painted in fewer pixels while it moves

export class CameraMoves {
  /** `moved` is called after a move of the reader's. @param {Surface} surface @param {() => void} moved */
  constructor(surface, moved) {
    this.surface = surface;
    this.scene = surface.scene;
    this.moved = moved;
  }

  /** @param {Camera} camera */
  to(camera) {
    this.scene.moveTo(camera);
    if (this.scene.tree.n > LARGE_TREE) this.surface.busy(true);
    this.surface.draw();
    this.moved();
  }

  fit() {
    this.scene.fit();
    this.surface.draw();
    this.moved();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { camera, frame } = this.scene;
    this.to(frame.mode === "right" ? panCamera(camera, frame, dy, dx) : panCamera(camera, frame, dx, dy));
  }

  /**
   * About a pixel; without one about the selected node if it is in view, else about the middle.
   * @param {number} factor @param {number} [x] @param {number} [y]
   */
  zoomAt(factor, x, y) {
    const { camera, frame } = this.scene;
    const [px, py] = x === undefined || y === undefined ? this.middle() : [x, y];
    const [along, deep] = frame.mode === "right" ? [py, px] : [px, py];
    this.to(zoomCamera(camera, frame, factor, along, deep));
  }

  middle() {
    const { frame: { width, height }, selected, layout } = this.scene;
    if (selected >= 0 && layout.shown[selected]) {
      const { x, y } = outlineOf(this.scene, selected);
      if (x > 0 && y > 0 && x < width && y < height) return [x, y];
    }
    return [width / 2, height / 2];
  }

  /** No further than needed to show a node. @param {number} t */
  reveal(t) {
    const { scene } = this;
    if (t < 0 || !this.surface.choices.isCanvas || scene.isFitted) return;
    const box = outlineOf(scene, t);
    const [across, down] = [[box.x - box.halfWidth, box.x + box.halfWidth], [box.y - box.halfHeight, box.y + box.halfHeight]];
    const [along, deep] = scene.frame.mode === "right" ? [down, across] : [across, down];
    const camera = revealCamera(scene.camera, scene.frame, { alongLo: along[0], alongHi: along[1], depthLo: deep[0], depthHi: deep[1] }, 8);
    if (camera.alongShift !== scene.camera.alongShift || camera.depthShift !== scene.camera.depthShift) scene.moveTo(camera);
  }
}
