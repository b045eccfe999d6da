// Where zooming, and showing a node, move the camera of a scene.

import { revealCamera, zoomCamera } from "../canvas/camera.js";
import { outlineOf } from "../canvas/paint.js";

/** Zoomed about a pixel; without one about the selected node if it is in view, else about the middle. */
export function zoomedCamera(scene, factor, x, y) {
  const { camera, frame } = scene;
  const [px, py] = x === undefined ? middleOf(scene) : [x, y];
  const [along, deep] = frame.mode === "right" ? [py, px] : [px, py];
  return zoomCamera(camera, frame, factor, along, deep);
}

function middleOf(scene) {
  const { frame: { width, height }, selected, layout } = scene;
  if (selected >= 0 && layout.shown[selected]) {
    const { x, y } = outlineOf(scene, selected);
    if (x > 0 && y > 0 && x < width && y < height) return [x, y];
  }
  return [width / 2, height / 2];
}

/** Moved no further than needed to show a node. */
export function cameraOn(scene, t) {
  const box = outlineOf(scene, t);
  const [along, deep] = scene.frame.mode === "right" ? ["y", "x"] : ["x", "y"];
  const half = { x: box.halfWidth, y: box.halfHeight };
  return revealCamera(scene.camera, scene.frame, {
    alongLo: box[along] - half[along],
    alongHi: box[along] + half[along],
    depthLo: box[deep] - half[deep],
    depthHi: box[deep] + half[deep],
  }, 8);
}
