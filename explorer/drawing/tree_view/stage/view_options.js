// View options: which parts are shown, the size of the canvas, the saved picture, and the options that the reader chose
// (remembered while another page is open).

import { keptInView } from "../canvas/camera.js";
import { putText, setShown } from "../dom.js";
import { paintScene } from "../canvas/paint.js";
import { say, sayCount } from "../messages.js";

const MOST_FOR_GRAPHVIZ = 200;
const SHARPEST = 2;

/** Show the state of the stage in its parts. */
export function showViewOptions(stage) {
  const { scene, mode, isHand, host } = stage;
  if (!scene.tree) return;
  const isCanvas = mode !== "text" && mode !== "graphviz";
  setShown(stage.frameBox, mode !== "graphviz");
  host.closest(".tv-root")?.classList.toggle("tv-graphviz", mode === "graphviz");
  setShown(stage.view, isCanvas);
  setShown(stage.outline.element, mode === "text");
  if (!isCanvas) {
    stage.minimap.canvas.hidden = true;
    stage.status.hidden = true;
  }
  stage.frameBox.classList.toggle("tv-by-hand", isHand);
  setShown(stage.hint, isHand);
  stage.toolbar.show(toolState(stage));
  showStabilityKey(stage);
}

function toolState(stage) {
  const { scene, mode, isHand, options } = stage;
  return {
    mode,
    isHand,
    showHand: options.showHand,
    isPruned: options.isPruned,
    showsGhosts: stage.showsGhosts(),
    hasCuts: scene.cuts.size > 0,
    showsCuts: stage.showsCuts(),
    hasGraphviz: options.hasGraphviz,
    graphvizLimit: graphvizLimit(scene),
    hasStability: scene.stability !== null,
    showsStability: scene.showsStability,
    showIds: scene.showIds,
    filter: scene.filter,
    depthLimit: scene.depthLimit,
    maxDepth: scene.tree.maxDepth,
  };
}

/** Why Graphviz can't draw the tree; "" where it can. */
export function graphvizLimit(scene) {
  const nodes = scene.countLeft();
  if (nodes <= MOST_FOR_GRAPHVIZ) return "";
  return sayCount(nodes, "Graphviz draws up to {most} nodes.", "Graphviz draws up to {most} nodes; this tree has {n}.", { most: MOST_FOR_GRAPHVIZ });
}

/** Write how many nodes are drawn as fewer marks, if they are. */
export function showStatus({ scene, status, legend }) {
  const { marks } = scene;
  const isMerged = marks.drawn < marks.seen * 0.98;
  if (isMerged) {
    const [seen, drawn] = [marks.seen, marks.drawn].map((number) => number.toLocaleString("en-US"));
    putText(status, say("{seen} nodes as {drawn} marks: zoom in to see each", { seen, drawn }));
    if (status.title !== status.textContent) status.title = status.textContent;
  }
  if (status.hidden !== isMerged) return;
  setShown(status, isMerged);
  legend.fit(); // the classes stand beside it
}

/** How stable the nodes are: the layer over this tree, or null; `isOn` null leaves it shown or hidden as it is. */
export function setStability(stage, stability, isOn = null) {
  const { scene } = stage;
  const wanted = isOn ?? scene.showsStability;
  if (scene.stability === stability && scene.showsStability === wanted) return;
  [scene.stability, scene.showsStability] = [stability, wanted];
  showViewOptions(stage);
  stage.draw();
}

/** The reader shows or hides the layer: it is reported. */
export function chooseStability(stage, isOn) {
  setStability(stage, stage.scene.stability, isOn);
  stage.hooks.onCommand?.("stability", isOn);
}

function showStabilityKey({ stabilityKey, scene }) {
  const { stability, showsStability } = scene;
  const isShown = stability !== null && showsStability;
  setShown(stabilityKey, isShown);
  if (!isShown) return;
  const n = stability.resamples;
  const outline = sayCount(n, "Outline: share of {n} resample alike", "Outline: share of {n} resamples alike");
  putText(stabilityKey, stability.spreads.size > 0 ? `${outline}; ${say("box: thresholds")}` : outline);
  stabilityKey.title = say("A node's outline is filled clockwise to the share of the resamples whose trees split on the same feature at the same place. The box plot under a node shows the thresholds of these trees.");
}

/** Measure the area. Not done in a frame, since measuring would lay the page out again. */
export function measureArea({ area, scene }) {
  scene.frame.width = area.clientWidth / scene.enlarged;
  scene.frame.height = area.clientHeight / scene.enlarged;
  scene.needsPlacing = true;
}

/** Give the canvas the size of its area, in fewer pixels while the reader drags. */
export function sizeCanvasTo({ canvas, scene, isBusy }) {
  scene.ratio = scene.enlarged * (isBusy ? 1 : Math.min(SHARPEST, globalThis.devicePixelRatio || 1));
  const wide = Math.round(scene.frame.width * scene.ratio);
  const high = Math.round(scene.frame.height * scene.ratio);
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
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
export function savedViewOptions({ scene, mode, hasChosenMode, ghosts, cuts }) {
  return {
    camera: scene.isFitted ? null : { ...scene.camera },
    width: scene.frame.width,
    height: scene.frame.height,
    direction: mode,
    hasChosenMode,
    depthLimit: Number.isFinite(scene.depthLimit) ? scene.depthLimit : null,
    folded: [...scene.folded],
    filter: { ...scene.filter },
    ghosts,
    cuts,
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
  [stage.ghosts, stage.cuts] = [memory.ghosts, memory.cuts];
  scene.showIds = memory.ids;
}

/** Restore the remembered camera, if the area still has the same size. */
export function restoreCamera(scene, { camera, width, height }) {
  if (!camera || scene.frame.width !== width || scene.frame.height !== height) return;
  scene.camera = keptInView({ ...camera }, scene.frame);
  scene.isFitted = false;
}
