// The fade from one layout of the tree to the next.

import { makeElement } from "../dom.js";

const BLEND = 220; // milliseconds

/** Fade from the picture as it is into the next one, unless the reader wants no motion. */
export function blendFrom(stage) {
  const { canvas, mode, scene, view } = stage;
  if (mode === "text" || mode === "graphviz" || canvas.width === 0 || stage.blending || !scene.shape) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const before = makeElement("canvas", "tv-blend", { width: canvas.width, height: canvas.height, "aria-hidden": "true" });
  before.getContext("2d").drawImage(canvas, 0, 0);
  view.append(before);
  stage.blending = before.animate([{ opacity: 1 }, { opacity: 0 }], { duration: BLEND, easing: "ease-in-out" });
  stage.blending.onfinish = stage.blending.oncancel = () => {
    before.remove();
    stage.blending = null;
  };
}
