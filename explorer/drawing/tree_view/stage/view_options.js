// View options: which parts are shown, the size of the canvas, the legend, the saved picture, and the options that the
// reader chose (remembered while another page is open).

import { keptInView } from "../canvas/camera.js";
import { classSign } from "../model/node_facts.js";
import { meanRange } from "../canvas/node_style.js";
import { putText, setShown, textElement } from "../dom.js";
import { paintScene } from "../canvas/paint.js";
import { ellipsis, numberText, visibleText } from "../format.js";

const MOST_IN_LEGEND = 12;
const SHARPEST = 2;

/** Show the state of the stage in its parts. */
export function showViewOptions(stage) {
  const { scene, toolbar, mode, isHand, options } = stage;
  if (!scene.tree) return;
  const isText = mode === "text";
  stage.view.hidden = isText;
  stage.outline.element.hidden = !isText;
  if (isText) {
    stage.minimap.canvas.hidden = true;
    stage.status.hidden = true;
  }
  stage.area.classList.toggle("tv-by-hand", isHand);
  stage.hint.hidden = !isHand;
  toolbar.show({
    mode,
    isHand,
    showHand: options.showHand,
    isPruned: options.isPruned,
    isTrimmed: scene.isTrimmed,
    showIds: scene.showIds,
    filter: scene.filter,
    depthLimit: scene.depthLimit,
    maxDepth: scene.tree.maxDepth,
  });
}

/** Write how many nodes are drawn as fewer marks, if they are. */
export function showStatus({ scene, status }) {
  const { marks } = scene;
  const isMerged = marks.drawn < marks.seen * 0.98;
  const count = (number) => number.toLocaleString("en-US");
  const text = `${count(marks.seen)} nodes are drawn as ${count(marks.drawn)} marks; zoom in to see them`;
  putText(status, isMerged ? text : "");
  setShown(status, isMerged);
}

/** Measure the area. Not done in a frame, since measuring would lay the page out again. */
export function measureArea({ area, scene }) {
  scene.frame.width = area.clientWidth;
  scene.frame.height = area.clientHeight;
  scene.needsPlacing = true;
}

/** Give the canvas the size of its area, in fewer pixels while the reader drags. */
export function sizeCanvasTo({ canvas, scene, isBusy }) {
  scene.ratio = isBusy ? 1 : Math.min(SHARPEST, globalThis.devicePixelRatio || 1);
  const wide = Math.round(scene.frame.width * scene.ratio);
  const high = Math.round(scene.frame.height * scene.ratio);
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
}

/** The classes with their shapes and colours; for a numeric target the range of means. */
export function fillLegend(legend, { tree, theme, paints }) {
  legend.replaceChildren(textElement("span", "tv-quiet", visibleText(ellipsis(tree.target, 60))));
  if (tree.isRegression) return legend.append(...rangeLegend(tree, theme, paints));
  for (let k = 0; k < Math.min(tree.nClasses, MOST_IN_LEGEND); k++) {
    const entry = textElement("span", "tv-class-entry");
    entry.append(classSign(theme, k), textElement("span", "", visibleText(ellipsis(tree.classes[k], 40))));
    legend.append(entry);
  }
  if (tree.nClasses > MOST_IN_LEGEND) {
    legend.append(textElement("span", "tv-quiet", `and ${tree.nClasses - MOST_IN_LEGEND} more`));
  }
}

function rangeLegend(tree, theme, paints) {
  const scale = textElement("span", "tv-mean-scale");
  scale.style.background = `linear-gradient(to right, ${paints.leafFill.join(", ")})`;
  const [least, largest] = meanRange(tree, theme);
  const number = (value) => textElement("span", "tv-number", numberText(value, 2));
  return [number(least), scale, number(largest)];
}

/** Fold or unfold a node's branches; a depth limit that hid them is replaced by folded nodes. */
export function setFold(scene, t) {
  const { tree, folded, layout, depthLimit } = scene;
  const isShown = layout.shown[tree.firstChild[t]] === 1;
  if (isShown) return folded.add(t);
  folded.delete(t);
  if (tree.depth[t] < depthLimit) return undefined;
  for (const other of layout.levels[depthLimit] ?? []) {
    if (other !== t && tree.firstChild[other] >= 0) folded.add(other);
  }
  scene.depthLimit = Infinity;
  return undefined;
}

/** Save the visible picture as tree.png, at twice the resolution of CSS pixels. */
export function savePicture({ scene }) {
  if (!scene.shape) return;
  const canvas = document.createElement("canvas");
  const before = scene.ratio;
  scene.ratio = 2;
  canvas.width = scene.frame.width * scene.ratio;
  canvas.height = scene.frame.height * scene.ratio;
  paintScene(canvas.getContext("2d"), scene);
  scene.ratio = before;
  canvas.toBlob((blob) => offerFile(blob, "tree.png"));
}

function offerFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function toggleWhole(host) {
  const root = host.getRootNode();
  if (root.fullscreenElement) document.exitFullscreen();
  else host.requestFullscreen?.();
}

/** The view options that the reader chose, as a plain object. */
export function savedViewOptions({ scene, mode, hasChosenMode }) {
  return {
    camera: scene.isFitted ? null : { ...scene.camera },
    width: scene.frame.width,
    height: scene.frame.height,
    direction: mode,
    hasChosenMode,
    depthLimit: Number.isFinite(scene.depthLimit) ? scene.depthLimit : null,
    folded: [...scene.folded],
    filter: { ...scene.filter },
    isTrimmed: scene.isTrimmed,
    ids: scene.showIds,
  };
}

export function restoreViewOptions(stage, memory) {
  const { scene } = stage;
  stage.mode = memory.direction;
  stage.hasChosenMode = memory.hasChosenMode;
  scene.folded = new Set(memory.folded);
  scene.depthLimit = memory.depthLimit ?? Infinity;
  scene.filter = { ...memory.filter };
  scene.isTrimmed = memory.isTrimmed;
  scene.showIds = memory.ids;
}

/** Restore the remembered camera, if the area still has the same size. */
export function restoreCamera(scene, { camera, width, height }) {
  if (!camera || scene.frame.width !== width || scene.frame.height !== height) return;
  scene.camera = keptInView({ ...camera }, scene.frame);
  scene.isFitted = false;
}
