// The surface that the tree is painted on: area, canvas and minimap, and the frames.
//
// One frame is drawn after a change, and further ones only while something moves; otherwise nothing runs.

/** @typedef {import("../canvas/camera.js").Camera} Camera */
/** @typedef {import("./choices.js").Choices} Choices */

import { BranchPicture } from "../canvas/branches/picture.js";
import { IciclePicture } from "../canvas/icicle/picture.js";
import { Minimap } from "../canvas/minimap.js";
import { StretchedPainting } from "../canvas/offscreen/stretched.js";
import { paintScene } from "../canvas/paint.js";
import { Scene } from "../canvas/scene/scene.js";
import { contextOf, makeElement, setShown, textElement } from "../dom.js";
import { say } from "../messages.js";
import { describeSelected } from "./outline.js";
import { TravellingRows } from "./travelling_rows.js";

/**
 * @typedef {{
 *   painted: (scene: Scene) => void, frame: (milliseconds: number) => void, camera: (camera: Camera) => void,
 * }} Hooks after painting a scene, after a frame, and for a camera that the minimap asks for
 */

const SHARP_AFTER = 120;
const SHARPEST = 2;
const BLEND = 220; // milliseconds

export class Surface {
  /** @param {Choices} choices @param {Hooks} on */
  constructor(choices, on) {
    this.choices = choices;
    this.on = on;
    this.isBusy = false;
    this.frameRequest = 0;
    /** @type {Animation | null} */
    this.blending = null;
    this.canvas = makeElement("canvas", "tv-canvas", { "aria-hidden": "true" });
    this.item = makeElement("div", "tv-hidden", { id: `tv-item-${Math.random().toString(36).slice(2)}` });
    this.view = makeElement("div", "tv-view", {
      tabindex: 0,
      role: "tree",
      "aria-label": say("Decision tree. Arrow keys move between nodes, + and − zoom, 0 shows the whole tree."),
      "aria-activedescendant": this.item.id,
    }, [this.canvas, this.item]);
    this.view.addEventListener("focus", () => this.view.classList.add("tv-active"));
    this.view.addEventListener("blur", () => this.view.classList.remove("tv-active"));
    this.hint = textElement("div", "tv-hint", say("Click an internal node to make it a leaf; click a pruned node to restore it."));
    this.area = makeElement("div", "tv-area", {}, [this.view, this.hint]);
    this.context = contextOf(this.canvas, { alpha: false });
    this.scene = new Scene(this.context);
    const unseen = () => document.createElement("canvas");
    this.pictures = { icicle: new IciclePicture(unseen()), branches: new BranchPicture(unseen()), stretched: new StretchedPainting(unseen()) };
    this.rows = new TravellingRows(this);
    this.minimap = new Minimap(this.area, on.camera);
  }

  destroy() {
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.sharpTimer);
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
    if (this.choices.isCanvas) {
      this.sizeCanvas();
      scene.isBusy = this.isBusy;
      paintScene(this.context, scene, this.pictures);
      this.rows.paint(this.context);
      this.minimap.paint(scene, isFading);
      this.on.painted(scene);
    }
    scene.repaints.clear();
    this.on.frame(performance.now() - started);
    if (isMoving) this.draw();
  }

  /** Paint in fewer pixels while the reader moves something. @param {boolean} isBusy */
  busy(isBusy) {
    clearTimeout(this.sharpTimer);
    if (isBusy) this.isBusy = true;
    this.sharpTimer = setTimeout(() => {
      this.isBusy = false;
      this.draw();
    }, SHARP_AFTER);
  }

  /** Show what belongs to the layout chosen. @param {Choices} choices */
  show({ isCanvas, isHand }) {
    setShown(this.view, isCanvas);
    if (!isCanvas) this.minimap.canvas.hidden = true;
    setShown(this.hint, isHand);
  }

  /** Rewrite the one tree item that represents the selected node. */
  describe() {
    if (this.scene.shape) describeSelected(this.item, this.scene);
  }

  /** Measure the area. Not done in a frame, since measuring would lay the page out again. */
  measure() {
    const { area, scene } = this;
    scene.frame.width = area.clientWidth / scene.enlarged;
    scene.frame.height = area.clientHeight / scene.enlarged;
    scene.needsPlacing = true;
  }

  /** Whether the area has another size than when it was measured. */
  isResized() {
    const { area, scene: { frame, enlarged } } = this;
    return Math.abs(area.clientWidth - frame.width * enlarged) >= 0.5 || Math.abs(area.clientHeight - frame.height * enlarged) >= 0.5;
  }

  sizeCanvas() {
    const { canvas, scene } = this;
    scene.ratio = scene.enlarged * (this.isBusy ? 1 : Math.min(SHARPEST, globalThis.devicePixelRatio || 1));
    const [wide, high] = [scene.frame.width, scene.frame.height].map((length) => Math.round(length * scene.ratio));
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  }

  /** Fade from the picture as it is into the next one, unless the reader wants no motion. */
  fade() {
    const { canvas, scene } = this;
    if (!this.choices.isCanvas || canvas.width === 0 || this.blending || !scene.shape) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const before = makeElement("canvas", "tv-blend", { width: canvas.width, height: canvas.height, "aria-hidden": "true" });
    contextOf(before).drawImage(canvas, 0, 0);
    this.view.append(before);
    this.blending = before.animate([{ opacity: 1 }, { opacity: 0 }], { duration: BLEND, easing: "ease-in-out" });
    this.blending.onfinish = this.blending.oncancel = () => {
      before.remove();
      this.blending = null;
    };
  }

  /** Save the visible picture as tree.png, at twice the resolution of CSS pixels. */
  savePicture() {
    const { scene } = this;
    if (!scene.shape) return;
    const before = scene.ratio;
    scene.ratio = 2;
    const canvas = makeElement("canvas", "", { width: scene.frame.width * scene.ratio, height: scene.frame.height * scene.ratio });
    paintScene(contextOf(canvas), scene);
    scene.ratio = before;
    canvas.toBlob((blob) => blob && offerFile(blob, "tree.png"));
  }
}

/** @param {Blob} blob @param {string} name */
function offerFile(blob, name) {
  const link = makeElement("a", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
