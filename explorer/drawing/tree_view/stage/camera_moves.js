// Moves of the camera by the reader and to a node that is to be seen.

import { panCamera, revealCamera, zoomCamera } from "../canvas/camera.js";
import { outlineOf } from "../canvas/paint.js";

const LARGE_TREE = 500; // nodes; painted in fewer pixels while it moves

export class CameraMoves {
  /** `moved` is called after a move of the reader's. */
  constructor(surface, moved) {
    [this.surface, this.scene, this.moved] = [surface, surface.scene, moved];
  }

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

  pan(dx, dy) {
    const { camera, frame } = this.scene;
    this.to(frame.mode === "right" ? panCamera(camera, frame, dy, dx) : panCamera(camera, frame, dx, dy));
  }

  /** About a pixel; without one about the selected node if it is in view, else about the middle. */
  zoomAt(factor, x, y) {
    const { camera, frame } = this.scene;
    const [px, py] = x === undefined ? this.middle() : [x, y];
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

  /** No further than needed to show a node. */
  reveal(t) {
    const { scene } = this;
    if (t < 0 || !this.surface.choices.isCanvas || scene.isFitted) return;
    const box = outlineOf(scene, t);
    const [along, deep] = scene.frame.mode === "right" ? ["y", "x"] : ["x", "y"];
    const half = { x: box.halfWidth, y: box.halfHeight };
    const camera = revealCamera(scene.camera, scene.frame, {
      alongLo: box[along] - half[along],
      alongHi: box[along] + half[along],
      depthLo: box[deep] - half[deep],
      depthHi: box[deep] + half[deep],
    }, 8);
    if (camera.alongShift !== scene.camera.alongShift || camera.depthShift !== scene.camera.depthShift) scene.moveTo(camera);
  }
}
