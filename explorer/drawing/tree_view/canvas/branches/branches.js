// The tree as nodes with edges, top-down or from left to right: edges first, then dots, then boxes.

/** @typedef {import("../level_of_detail.js").Rect} Rect */
/** @typedef {import("../scene/scene.js").Scene} Scene */

import { paintBox } from "../boxes.js";
import { paintDense, paintDots } from "../dots.js";
import { paintBranchTexts, paintEdges, paintPathEdges } from "../edges.js";
import { boxOf, DOT, placeAnew } from "../level_of_detail.js";
import { paintRowPath } from "../row_path.js";
import { barsHeight, LEAF_BAR_DROP, paintTargetBars } from "../../../charts/target_bars.js";
import { LEAF } from "../../model/pruned_shape.js";

const LEAF_BAR_WIDTH = 40;

/** Paint edges, dots and boxes of all levels that are in sight. @param {CanvasRenderingContext2D} context @param {Scene} scene */
export function paintBranches(context, scene) {
  placeAnew(scene);
  scene.marks.drawn = scene.marks.placed;
  paintDense(context, scene);
  paintEdges(context, scene);
  if (scene.rowPath.size > 0) paintRowPath(context, scene);
  else if (scene.selected >= 0) paintPathEdges(context, scene, scene.selected);
  paintBranchTexts(context, scene);
  paintDots(context, scene);
  paintBoxes(context, scene);
  if (scene.tree.targetBars) paintBarsOfLeaves(context, scene, scene.tree.targetBars);
}

/**
 * Below every leaf, or beside it, a small bar for each target; levels without room for them have none.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {import("../../../charts/target_bars.js").Bars} bars
 */
function paintBarsOfLeaves(context, scene, bars) {
  const { frame, layout, marks, shape, theme } = scene;
  const isRight = frame.mode === "right";
  const { scale } = marks;
  const height = barsHeight(bars.sizes.length, scale);
  layout.levels.forEach((level, depth) => {
    if (marks.dense[depth]) return;
    const boxes = Array.from(level, (t) => boxOf(scene, t));
    const room = roomBetween(boxes, isRight);
    if (room < (isRight ? height + LEAF_BAR_DROP : 8)) return;
    boxes.forEach((box, i) => {
      if (shape[level[i]] !== LEAF || scene.isOffScreen(level[i])) return;
      const left = box.x + box.halfWidth + LEAF_BAR_DROP;
      const width = isRight ? Math.min(LEAF_BAR_WIDTH * scale, frame.width - left - 3) : Math.max(2 * box.halfWidth, Math.min(LEAF_BAR_WIDTH * scale, room - 4));
      if (width <= 0) return;
      const place = isRight ? { left, top: box.y - height / 2 } : { left: box.x - width / 2, top: box.y + box.halfHeight + LEAF_BAR_DROP };
      paintTargetBars(context, bars, level[i], { ...place, width, scale }, theme);
    });
  });
}

/** The least distance between the middles of neighbours on a level. @param {Rect[]} boxes @param {boolean} isRight */
function roomBetween(boxes, isRight) {
  const along = boxes.map(({ x, y }) => (isRight ? y : x)).sort((a, b) => a - b);
  return along.slice(1).reduce((least, place, i) => Math.min(least, place - along[i]), Infinity);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
function paintBoxes(context, scene) {
  const { layout, marks } = scene;
  for (let depth = 0; depth < layout.levels.length; depth++) {
    if (marks.dense[depth] || marks.mosts[depth] === DOT) continue;
    const level = layout.levels[depth];
    for (let i = marks.from[depth]; i < marks.to[depth]; i++) {
      if (marks.kind[level[i]] > DOT && !scene.isOffScreen(level[i])) paintBox(context, scene, level[i]);
    }
  }
}
