// What a pointer does on the stage: select a node, fold or unfold it, prune it by hand, and show its tooltip.

import { fillTip, placeTip } from "../model/node_facts.js";
import { foldSignOf, outlineOf } from "../canvas/paint.js";
import { INNER } from "../model/pruned_shape.js";

const TIP_PAUSE = 60;
const MOST_RELATIVES = 40;

/** A click or tap: on a fold sign it unfolds the node; in pruning mode it collapses or restores; else it selects. */
export function tapStage(stage, x, y, event) {
  const { scene, view } = stage;
  if (!scene.tree) return;
  view.focus({ preventScroll: true });
  const sign = foldSignUnder(scene, x, y);
  if (sign >= 0) return stage.fold(sign);
  const t = scene.nodeAt(x, y);
  if (t < 0) return hideTip(stage);
  if (stage.isHand) pruneNode(stage, t);
  else stage.choose(t);
  if (event.pointerType !== "mouse") showTip(stage, t);
}

/** Collapse a node that is split now, restore one that is not; a node that was never split is only selected. */
export function pruneNode(stage, t, wanted = null) {
  const { scene, hooks } = stage;
  if (t < 0 || scene.tree.feature[t] < 0) return t < 0 ? undefined : stage.choose(t);
  const op = scene.shape[t] === INNER ? "collapse" : "restore";
  if (wanted === null || wanted === op) hooks.onHand?.(op, t);
}

function foldSignUnder(scene, x, y) {
  for (const t of scene.foldedShown) {
    const sign = foldSignOf(scene, t);
    if (Math.abs(x - sign.x) <= sign.halfWidth + 3 && Math.abs(y - sign.y) <= sign.halfHeight + 3) return t;
  }
  return -1;
}

export function doubleTapStage(stage, x, y) {
  if (stage.isHand || !stage.scene.tree || foldSignUnder(stage.scene, x, y) >= 0) return;
  stage.fold(stage.scene.nodeAt(x, y));
}

export function hoverStage(stage, x, y) {
  const { scene } = stage;
  if (!scene.tree || !scene.shape) return;
  const t = Number.isNaN(x) ? -1 : scene.nodeAt(x, y);
  stage.view.style.cursor = t >= 0 ? handCursor(stage, t) : "";
  if (t === scene.hovered) return;
  scene.hovered = t;
  stage.draw();
  clearTimeout(stage.tipTimer);
  if (t < 0) hideTip(stage);
  else stage.tipTimer = setTimeout(() => showTip(stage, t), TIP_PAUSE);
}

function handCursor({ isHand, scene }, t) {
  if (!isHand) return "pointer";
  return scene.tree.feature[t] < 0 ? "default" : scene.shape[t] === INNER ? "crosshair" : "copy";
}

export function showTip(stage, t) {
  const { scene, tip, host, area } = stage;
  if (!scene.layout.shown[t] || stage.mode === "text" || stage.mode === "graphviz") return;
  fillTip(tip, scene, t);
  tip.hidden = false;
  const inHost = (node) => boxInHost(outlineOf(scene, node), scene.enlarged, area);
  placeTip(tip, host, inHost(t), relativesOf(scene, t).map(inHost));
}

function boxInHost({ x, y, halfWidth, halfHeight }, enlarged, { offsetLeft, offsetTop }) {
  const [left, top] = [x * enlarged + offsetLeft, y * enlarged + offsetTop];
  return { x: left, y: top, halfWidth: halfWidth * enlarged, halfHeight: halfHeight * enlarged };
}

/** Parent, siblings and children that are shown; of very many the first ones. */
export function relativesOf({ tree, layout }, t) {
  const childrenOf = (node) => Array.from({ length: Math.min(tree.childCount[node], MOST_RELATIVES) }, (_, i) => tree.firstChild[node] + i);
  const above = t > 0 ? [tree.parent[t], ...childrenOf(tree.parent[t])] : [];
  return [...above, ...childrenOf(t)].filter((node) => node !== t && layout.shown[node] === 1);
}

export function hideTip(stage) {
  clearTimeout(stage.tipTimer);
  stage.tip.hidden = true;
}
