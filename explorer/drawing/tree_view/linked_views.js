// Views that are linked: a node chosen in one is chosen in the others, and on request they are looked at alike.

import { cameraLike } from "./canvas/camera.js";

/** The node of another tree that is reached by the same path of tests, word for word; −1 if there is none. */
export function counterpart(tree, t, other) {
  if (t < 0) return -1;
  const path = [];
  for (let node = t; node > 0; node = tree.parent[node]) path.unshift(node);
  let here = 0;
  for (const node of path) {
    if (other.feature[here] < 0 || other.featureName(here) !== tree.featureName(tree.parent[node])) return -1;
    const branches = Array.from({ length: other.childCount[here] }, (_, i) => other.firstChild[here] + i);
    here = branches.find((child) => other.branchWord(child) === tree.branchWord(node)) ?? -1;
    if (here < 0) return -1;
  }
  return here;
}

/** The views linked with one of them. */
export function linkedWith(view, views) {
  const group = view.data?.link?.group;
  if (!group) return [];
  return [...views].filter((other) => other !== view && other.tree && other.data.link?.group === group);
}

/** Look at a stage's tree as another stage is looked at. */
export function lookAlike(stage, leader) {
  if (leader.scene.isFitted) stage.fit();
  else stage.look(cameraLike(leader.scene.camera, leader.scene.frame, stage.scene.frame));
}
