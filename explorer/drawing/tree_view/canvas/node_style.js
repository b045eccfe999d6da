// The style of nodes: colours by class and purity (or mean), and readable text on every fill.
//
// theme    {dark, classes, means, range (null: the tree's own means), font, text, quiet, background, panel, border, primary}
// fill     the class colour mixed with the background: the purer the node, the more of the colour
// code     the index of a node's fill, so that thousands of dots are painted with few fills

/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

/** @typedef {ReturnType<typeof makePaints>} Paints */

import { classColour, contrastOf, mixColours, purityOf, readableOn } from "../../charts/colours.js";
import { CLASS_SHAPES } from "../../charts/shapes.js";

const PURITY_STEPS = 8;
const VISIBLE = 3; // WCAG 2.1, 1.4.11: contrast of graphics with what is next to them

/**
 * The means at the ends of the colour scale: those of all trees side by side, else the tree's own.
 * @param {TreeData} tree @param {Theme} theme
 */
export function meanRange(tree, theme) {
  return theme.range ?? tree.valueRange ?? [];
}

/** @param {TreeData} tree @param {Theme} theme @param {number} t */
function shareOfRange(tree, theme, t) {
  const [least, largest] = meanRange(tree, theme);
  return largest > least ? Math.max(0, Math.min(1, (tree.value[t] - least) / (largest - least))) : 0.5;
}

/**
 * A node's code: class · steps + purity step, or the step of its mean on the value range.
 * @param {TreeData} tree @param {Theme} theme @param {number} t
 */
function fillCode(tree, theme, t) {
  if (tree.isRegression) return Math.round(shareOfRange(tree, theme, t) * (2 * PURITY_STEPS - 1));
  const purity = tree.weight[t] > 0 ? purityOf(tree.share(t), tree.nClasses) : 0;
  return tree.label[t] * PURITY_STEPS + Math.round(purity * (PURITY_STEPS - 1));
}

/** @param {TreeData} tree @param {Theme} theme @param {number} weakest @param {number} strongest */
function fillTable(tree, theme, weakest, strongest) {
  const mixed = (/** @type {string} */ colour, /** @type {number} */ share) => mixColours(theme.background, colour, weakest + (strongest - weakest) * share);
  if (tree.isRegression) {
    const [least, largest] = theme.means;
    const shares = Array.from({ length: 2 * PURITY_STEPS }, (_, i) => i / (2 * PURITY_STEPS - 1));
    return shares.map((share) => mixColours(theme.background, mixColours(least, largest, share), strongest));
  }
  const steps = Array.from({ length: PURITY_STEPS }, (_, i) => i / (PURITY_STEPS - 1));
  return tree.classes.flatMap((_, k) => steps.map((share) => mixed(classColour(theme, k), share)));
}

/** @param {TreeData} tree @param {number} k */
export function shapeOfClass(tree, k) {
  return tree.isRegression ? "circle" : CLASS_SHAPES[k % CLASS_SHAPES.length];
}

/**
 * The outline of a fill: the fill, with as much of the text's colour as it takes to stand out from the background.
 * @param {string} fill @param {Theme} theme
 */
function outlineOfFill(fill, theme) {
  for (let share = 0.28; share < 1; share += 0.06) {
    const outline = mixColours(fill, theme.text, share);
    if (contrastOf(outline, theme.background) >= VISIBLE) return outline;
  }
  return theme.text;
}

/**
 * What is too small for an outline is filled with it, where the fill alone would hardly be seen.
 * @param {string} fill @param {string} outline @param {Theme} theme
 */
function markOfFill(fill, outline, theme) {
  return contrastOf(fill, theme.background) >= VISIBLE ? fill : outline;
}

/**
 * The colours of a tree in a theme: a code per node, and by code fills, texts, outlines and marks (for what has no
 * outline). A presenter's edges are stronger.
 * @param {TreeData} tree @param {Theme} theme
 */
export function makePaints(tree, theme, isPresented = false) {
  const code = new Uint16Array(tree.n);
  for (let t = 0; t < tree.n; t++) code[t] = fillCode(tree, theme, t);
  const leafFill = fillTable(tree, theme, 0.16, 1);
  const innerFill = fillTable(tree, theme, 0.08, 0.5);
  const [leafEdge, innerEdge] = [leafFill, innerFill].map((fills) => fills.map((fill) => outlineOfFill(fill, theme)));
  return {
    code,
    codes: leafFill.length,
    shapeOf: (/** @type {number} */ t) => shapeOfClass(tree, tree.isRegression ? 0 : tree.label[t]),
    shapeOfCode: (/** @type {number} */ c) => shapeOfClass(tree, Math.floor(c / PURITY_STEPS)),
    leafFill,
    innerFill,
    leafText: leafFill.map(readableOn),
    innerText: innerFill.map(readableOn),
    leafEdge,
    innerEdge,
    leafMark: leafFill.map((fill, c) => markOfFill(fill, leafEdge[c], theme)),
    innerMark: innerFill.map((fill, c) => markOfFill(fill, innerEdge[c], theme)),
    edge: mixColours(theme.quiet, theme.background, isPresented ? 0.15 : 0.42),
    ghost: mixColours(theme.quiet, theme.background, 0.5),
    ghostText: mixColours(theme.quiet, theme.background, 0.25),
  };
}
