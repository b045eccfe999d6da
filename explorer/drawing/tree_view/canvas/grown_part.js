// While a tree is grown, what is not grown yet is not drawn, but keeps its place: the layout is that of the full tree, with
// fewer nodes on its levels, so that no node moves when another one is split.

import { GHOST } from "../model/pruned_shape.js";

/** The layout with only the nodes of a shape that are grown. */
export function grownPart(layout, shape) {
  const shown = layout.shown.map((isShown, t) => (isShown && shape[t] !== GHOST ? 1 : 0));
  const levels = layout.levels.map((level) => level.filter((t) => shown[t] === 1));
  return { ...layout, shown, levels, count: levels.reduce((sum, level) => sum + level.length, 0) };
}
