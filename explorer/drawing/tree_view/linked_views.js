// Linked views: a node selected in one is selected in the others, and on request they share pan and zoom.

/** @typedef {import("./model/payload.js").TreeData} TreeData */
/** @typedef {import("./stage/stage.js").Stage} Stage */
/** @typedef {{ data: { link?: { group: string, moves: boolean } | null } | null, tree: TreeData | null }} Linked */

import { cameraLike } from "./canvas/camera.js";

/**
 * The node of another tree with the same decision path, word for word; −1 if there is none.
 * @param {TreeData} tree @param {number} t @param {TreeData} other
 */
export function counterpart(tree, t, other) {
  if (t < 0) return -1;
  const path = [];
  for (let node = t; node > 0; node = tree.parent[node]) path.unshift(node);
  let match = 0;
  for (const node of path) {
    if (other.feature[match] < 0 || other.featureName(match) !== tree.featureName(tree.parent[node])) return -1;
    const branches = Array.from({ length: other.childCount[match] }, (_, i) => other.firstChild[match] + i);
    match = branches.find((child) => other.branchText(child) === tree.branchText(node)) ?? -1;
    if (match < 0) return -1;
  }
  return match;
}

/** The other views of a view's group. @template {Linked} View @param {View} view @param {Iterable<View>} views */
export function linkedWith(view, views) {
  const group = view.data?.link?.group;
  if (!group) return [];
  return [...views].filter((other) => other !== view && other.tree && other.data?.link?.group === group);
}

/** Give a stage the camera of another stage, adapted to its own tree. @param {Stage} stage @param {Stage} leader */
export function matchCamera(stage, leader) {
  if (leader.scene.isFitted) stage.moves.fit();
  else stage.moves.to(cameraLike(leader.scene.camera, leader.scene.frame, stage.scene.frame));
}
