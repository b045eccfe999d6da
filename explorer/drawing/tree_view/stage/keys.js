// Keys of the canvas and of the text: moving between nodes, zooming, folding, pruning by hand.

/** @typedef {import("./stage.js").Actions} Actions */
/** @typedef {import("./choices.js").Choices} Choices */
/** @typedef {import("../canvas/layout.js").Layout} Layout */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

/** @type {Record<"down" | "right", Record<string, string>>} */
const ARROWS = {
  down: { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after" },
  right: { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after" },
};
/** @type {Record<string, number>} */
const ZOOM_KEYS = { "+": 1.3, "=": 1.3, "-": 1 / 1.3, "−": 1 / 1.3 };
/** @type {Record<string, number>} */
const STEP_KEYS = { PageDown: 1, PageUp: -1 }; // of a presenter's remote control
/** @type {Record<string, string>} */
const HAND_KEYS = { Delete: "collapse", Backspace: "collapse", Insert: "restore", r: "restore" };

/**
 * The action of a key, [name, …values], or null.
 * @param {KeyboardEvent} event @param {Scene} scene @param {Choices} choices
 * @returns {[name: keyof Actions, ...values: unknown[]] | null}
 */
export function actionOfKey({ key, ctrlKey, metaKey, altKey }, scene, { mode, isCanvas, isHand }) {
  if (ctrlKey || metaKey || altKey || !scene.tree) return null;
  const { selected } = scene;
  const step = stepOfKey(key, scene.frame.mode);
  if (step !== undefined && mode !== "text") {
    const from = selected < 0 || !scene.layout.shown[selected] ? -1 : selected;
    return ["go", nodeAfterStep(scene.tree, scene.layout, from, step)];
  }
  if (key === "f") return ["whole"];
  if (STEP_KEYS[key] && scene.sequence) return ["turn", STEP_KEYS[key]];
  if (isCanvas && key === "0") return ["fit"];
  if (isCanvas && ZOOM_KEYS[key]) return ["zoom", ZOOM_KEYS[key]];
  if (key === "Escape") return ["hideTip"];
  if (key === "/") return ["find"];
  if (key === "c" || key === "Enter") return ["fold", selected];
  return isHand && HAND_KEYS[key] ? ["prune", selected, HAND_KEYS[key]] : null;
}

/**
 * The step of a key in a drawing mode: "parent", "child", "before", "after", "root", or undefined.
 * @param {string} key @param {string} mode @returns {string | undefined}
 */
export function stepOfKey(key, mode) {
  if (key === "Home") return "root";
  return (mode === "right" ? ARROWS.right : ARROWS.down)[key];
}

/**
 * The node one step away: siblings first, then other nodes of the same level. The same node where there is none.
 * @param {TreeData} tree @param {Layout} layout @param {number} t @param {string} step
 */
export function nodeAfterStep(tree, layout, t, step) {
  if (t < 0 || step === "root") return 0;
  if (step === "parent") return Math.max(0, tree.parent[t]);
  if (step === "child") return tree.firstChild[t] >= 0 && layout.shown[tree.firstChild[t]] ? tree.firstChild[t] : t;
  const level = layout.levels[tree.depth[t]];
  const at = level.indexOf(t) + (step === "after" ? 1 : -1);
  return at >= 0 && at < level.length ? level[at] : t;
}
