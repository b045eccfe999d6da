// The style of nodes: colours by class and purity (or mean), one shape per class, readable text on every fill.
//
// theme    {dark, classes, means, range (null: the tree's own means), font, text, quiet, background, panel, border, primary}
// fill     the class colour mixed with the background: the purer the node, the more of the colour
// code     the index of a node's fill, so that thousands of dots are painted with few fills

const PURITY_STEPS = 8;
const NEAR_BLACK = "#0B0D10";
const PURE_BLACK = "#000000";
const READABLE = 4.5;
const VISIBLE = 3; // WCAG 2.1, 1.4.11: contrast of graphics with what is next to them
const PURE_WHITE = "#FFFFFF";

/** Shapes in class order, cycled; a saved SVG (`explorer/drawing/class_shapes.py`) has the same. */
export const CLASS_SHAPES = [
  "circle", "square", "triangle", "diamond", "triangle_down", "pentagon", "cross", "star", "hexagon", "plus",
];

/** [red, green, blue] of "#rgb", "#rrggbb", "#rrggbbaa" or "rgb(…)". */
export function colourChannels(text) {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim());
  if (!hex) return (text.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
  const digits = hex[1].length < 6 ? [...hex[1]].map((digit) => digit + digit).join("") : hex[1];
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
}

/** A colour with a share of another one in it. */
export function mixColours(colour, other, share) {
  const a = colourChannels(colour);
  const b = colourChannels(other);
  const hex = a.map((channel, i) => Math.round(channel + (b[i] - channel) * share).toString(16).padStart(2, "0"));
  return "#" + hex.join("");
}

/** Relative luminance as WCAG 2.1 defines it. */
function luminanceOf(colour) {
  const linear = colourChannels(colour).map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

export function contrastOf(first, second) {
  const a = luminanceOf(first);
  const b = luminanceOf(second);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Near-black or white, whichever has more contrast; where neither reaches 4.5 : 1, black, which then does. */
export function readableOn(fill) {
  const [dark, light] = [contrastOf(fill, NEAR_BLACK), contrastOf(fill, PURE_WHITE)];
  if (Math.max(dark, light) < READABLE) return PURE_BLACK;
  return dark >= light ? NEAR_BLACK : PURE_WHITE;
}

/** 0 when all classes are equally frequent or less, 1 when the node is pure. */
export function purityOf(share, nClasses) {
  const even = 1 / Math.max(2, nClasses);
  return Math.max(0, Math.min(1, (share - even) / (1 - even)));
}

/** The means at the ends of the colour scale: those of all trees side by side, else the tree's own. */
export function meanRange(tree, theme) {
  return theme.range ?? tree.valueRange;
}

function shareOfRange(tree, theme, t) {
  const [least, largest] = meanRange(tree, theme);
  return largest > least ? Math.max(0, Math.min(1, (tree.value[t] - least) / (largest - least))) : 0.5;
}

/** A node's code: class · steps + purity step, or the step of its mean on the value range. */
function fillCode(tree, theme, t) {
  if (tree.isRegression) return Math.round(shareOfRange(tree, theme, t) * (2 * PURITY_STEPS - 1));
  const purity = tree.weight[t] > 0 ? purityOf(tree.share(t), tree.nClasses) : 0;
  return tree.label[t] * PURITY_STEPS + Math.round(purity * (PURITY_STEPS - 1));
}

function fillTable(tree, theme, weakest, strongest) {
  const mixed = (colour, share) => mixColours(theme.background, colour, weakest + (strongest - weakest) * share);
  if (tree.isRegression) {
    const [least, largest] = theme.means;
    const shares = Array.from({ length: 2 * PURITY_STEPS }, (_, i) => i / (2 * PURITY_STEPS - 1));
    return shares.map((share) => mixColours(theme.background, mixColours(least, largest, share), strongest));
  }
  const steps = Array.from({ length: PURITY_STEPS }, (_, i) => i / (PURITY_STEPS - 1));
  return tree.classes.flatMap((_, k) => steps.map((share) => mixed(classColour(theme, k), share)));
}

export function classColour(theme, k) {
  return theme.classes[k % theme.classes.length];
}

export function shapeOfClass(tree, k) {
  return tree.isRegression ? "circle" : CLASS_SHAPES[k % CLASS_SHAPES.length];
}

/** The outline of a fill: the fill, with as much of the text's colour as it takes to stand out from the background. */
function outlineOfFill(fill, theme) {
  for (let share = 0.28; share < 1; share += 0.06) {
    const outline = mixColours(fill, theme.text, share);
    if (contrastOf(outline, theme.background) >= VISIBLE) return outline;
  }
  return theme.text;
}

/** What is too small for an outline is filled with it, where the fill alone would hardly be seen. */
function markOfFill(fill, outline, theme) {
  return contrastOf(fill, theme.background) >= VISIBLE ? fill : outline;
}

/**
 * The colours of a tree in a theme: a code per node, and by code fills, texts, outlines and marks (for what has no
 * outline). A presenter's edges are stronger.
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
    shapeOf: (t) => shapeOfClass(tree, tree.isRegression ? 0 : tree.label[t]),
    shapeOfCode: (c) => shapeOfClass(tree, Math.floor(c / PURITY_STEPS)),
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

function regularCorners(corners, turn, inner = 0) {
  const points = [];
  for (let i = 0; i < corners; i++) {
    const radius = inner > 0 && i % 2 === 1 ? inner : 1;
    const angle = turn + (2 * Math.PI * i) / corners;
    points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  return points;
}

function plusCorners(a) {
  return [[-a, -1], [a, -1], [a, -a], [1, -a], [1, a], [a, a], [a, 1], [-a, 1], [-a, a], [-1, a], [-1, -a], [-a, -a]];
}

function turnedCorners(corners, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return corners.map(([x, y]) => [cos * x - sin * y, sin * x + cos * y]);
}

const UPWARDS = -Math.PI / 2;
const SHAPE_CORNERS = {
  square: regularCorners(4, Math.PI / 4).map(([x, y]) => [x * 1.2, y * 1.2]),
  triangle: regularCorners(3, UPWARDS).map(([x, y]) => [x * 1.2, y * 1.2 + 0.15]),
  diamond: regularCorners(4, 0).map(([x, y]) => [x * 1.15, y * 1.15]),
  cross: turnedCorners(plusCorners(0.38), Math.PI / 4),
  star: regularCorners(10, UPWARDS, 0.48).map(([x, y]) => [x * 1.2, y * 1.2]),
  pentagon: regularCorners(5, UPWARDS).map(([x, y]) => [x * 1.08, y * 1.08]),
  triangle_down: regularCorners(3, -UPWARDS).map(([x, y]) => [x * 1.2, y * 1.2 - 0.15]),
  hexagon: regularCorners(6, 0).map(([x, y]) => [x * 1.05, y * 1.05]),
  plus: plusCorners(0.38),
};

/** The corners of a shape of radius 1 about the origin; none for the circle. */
export function shapeCorners(kind) {
  return SHAPE_CORNERS[kind] ?? [];
}

/** Add a class shape to the canvas' current path. */
export function traceShape(context, kind, x, y, radius) {
  const corners = SHAPE_CORNERS[kind];
  if (!corners) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  context.moveTo(x + corners[0][0] * radius, y + corners[0][1] * radius);
  for (let i = 1; i < corners.length; i++) context.lineTo(x + corners[i][0] * radius, y + corners[i][1] * radius);
  context.closePath();
}
