// Moving from node to node by keys: to the parent, the child or a neighbour; the drawing's direction turns the arrows.

const ARROWS = {
  down: { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after" },
  right: { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after" },
};

/** The step of a key in a drawing mode: "parent", "child", "before", "after", "root", or undefined. */
export function stepOfKey(key, mode) {
  if (key === "Home") return "root";
  return (mode === "right" ? ARROWS.right : ARROWS.down)[key];
}

/** The node one step away: siblings first, then other nodes of the same level. The same node where there is none. */
export function nodeAfterStep(tree, layout, t, step) {
  if (t < 0 || step === "root") return 0;
  if (step === "parent") return Math.max(0, tree.parent[t]);
  if (step === "child") return tree.firstChild[t] >= 0 && layout.shown[tree.firstChild[t]] ? tree.firstChild[t] : t;
  const level = layout.levels[tree.depth[t]];
  const at = level.indexOf(t) + (step === "after" ? 1 : -1);
  return at >= 0 && at < level.length ? level[at] : t;
}
