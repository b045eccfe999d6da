// A row that goes down several branches: bands as wide as the parts of its weight, beside the known rows of each branch.

/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { say } from "../../tree_view/messages.js";
import { readableOn } from "../../charts/colours.js";
import { putClasses } from "./pieces.js";

/** @typedef {{ label: string, stats: number[], text: string }} FlowBranch */
/**
 * @typedef {{
 *   source: string, code: number, branches: FlowBranch[], classes: string[], most: number, has_parts: boolean,
 *   mixed: number[], mixed_texts: string[], state: string,
 * }} Flow as weight_flow.py has it
 */
/** @typedef {{ weight: number, stats: number[] }} Known rows of a branch */

const THREAD = 3;
const [FLOW_EDGE, SOURCE_WIDTH, STRIP_HEIGHT, MIX_HEIGHT, LARGEST_UNIT] = [28, 22, 30, 96, 64];

/** @param {PictureCanvas} canvas @param {Flow} picture @param {import("../canvas.js").Tools<Record<string, number>>} tools */
export function drawWeightFlow(canvas, picture, tools) {
  const { theme } = tools;
  const known = picture.branches.map((branch, at) => knownWeight(picture, branch, at, tools.local));
  const parts = partsOf(known.map(({ weight }) => weight));
  const bottom = canvas.height - 12 - (picture.mixed.length ? MIX_HEIGHT : 0);
  putClasses(canvas, picture.classes, { x: FLOW_EDGE, y: 28, room: canvas.width - 2 * FLOW_EDGE }, theme);
  const slot = (bottom - 50) / picture.branches.length;
  const whole = Math.min(slot * picture.branches.length * 0.55, 260);
  const colour = picture.code < 0 ? theme.primary : theme.classes[picture.code];
  const sourceRoom = Math.min(canvas.width * 0.22, 170);
  const left = { x: FLOW_EDGE + sourceRoom, y: 50 + (bottom - 50 - whole) / 2 };
  canvas.put("source", "rect", { x: left.x - SOURCE_WIDTH, y: left.y, width: SOURCE_WIDTH, height: whole, rx: 4, fill: colour });
  canvas.text("source name", left.x - SOURCE_WIDTH - 8, left.y + whole / 2, canvas.shortened(picture.source, sourceRoom - SOURCE_WIDTH, "pic-number"), { anchor: "end", kind: "pic-number" });
  canvas.text("source weight", left.x - SOURCE_WIDTH - 8, left.y + whole / 2 + 20, canvas.shortened(say("weight 1"), sourceRoom - SOURCE_WIDTH, "pic-small"), { anchor: "end", kind: "pic-small" });
  const strip = stripPlace(canvas, left.x, known);
  let from = left.y + (picture.has_parts ? 0 : whole / picture.branches.length / 2);
  picture.branches.forEach((branch, at) => {
    const middle = 50 + slot * (at + 0.5);
    const height = picture.has_parts ? parts[at] * whole : THREAD;
    putBand(canvas, at, [left.x, from], [strip.x - 6, middle - height / 2], height, colour);
    from += picture.has_parts ? height : whole / picture.branches.length;
    putStrip(canvas, picture, at, { known: known[at], part: parts[at], total: totalOf(known), middle, colour, ...strip }, tools);
  });
  if (picture.mixed.length) putMixed(canvas, picture, bottom, theme);
}

/** The parts of a weight of 1, by the known weights of the branches; all 0 where nothing is known. @param {number[]} weights */
export function partsOf(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total > 0 ? weight / total : 0));
}

/** A number of rows as it is written: whole, or with two decimals. @param {number} weight */
export function rowsText(weight) {
  return Number.isInteger(weight) ? String(weight) : weight.toFixed(2);
}

/** @param {Known[]} known */
function totalOf(known) {
  return known.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * The known rows of a branch: as given, or as many as the reader has set.
 * @param {Flow} picture @param {FlowBranch} branch @param {number} at @param {Record<string, number>} local
 */
function knownWeight(picture, branch, at, local) {
  const set = local[`known ${picture.state} ${at}`];
  const weight = set ?? branch.stats.reduce((sum, of) => sum + of, 0);
  return { weight, stats: set === undefined ? branch.stats : [set] };
}

/** @param {PictureCanvas} canvas @param {number} left @param {Known[]} known */
function stripPlace(canvas, left, known) {
  const x = left + Math.max(90, (canvas.width - left) * 0.24);
  const most = Math.max(...known.map(({ weight }) => weight)) + 1;
  return { x, unit: Math.min(LARGEST_UNIT, (canvas.width - FLOW_EDGE - x) / most) };
}

/**
 * @param {PictureCanvas} canvas @param {number} at @param {number[]} from @param {number[]} to @param {number} height
 * @param {string} fill
 */
function putBand(canvas, at, [x0, y0], [x1, y1], height, fill) {
  const middle = (x0 + x1) / 2;
  const points = [`M${x0} ${y0}`, `C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`, `L${x1} ${y1 + height}`, `C${middle} ${y1 + height} ${middle} ${y0 + height} ${x0} ${y0 + height}`, "Z"];
  canvas.put(`band ${at}`, "path", { d: points.join(" "), fill, opacity: 0.35 });
}

/**
 * A branch: its name, the part of the row, its known rows by class, and what is said of the part.
 * @param {PictureCanvas} canvas @param {Flow} picture @param {number} at
 * @param {{ known: Known, part: number, total: number, middle: number, colour: string, x: number, unit: number }} strip
 * @param {import("../canvas.js").Tools<Record<string, number>>} tools
 */
function putStrip(canvas, picture, at, { known, part, total, middle, colour, x, unit }, tools) {
  const branch = picture.branches[at];
  const [top, room] = [middle - STRIP_HEIGHT / 2, canvas.width - FLOW_EDGE - x];
  canvas.text(`branch ${at}`, x, top - 8, canvas.shortened(branch.label, room, "pic-number"), { kind: "pic-number" });
  const shown = picture.has_parts ? part : 0;
  canvas.put(`part ${at}`, "rect", { x, y: top, width: Math.max(shown * unit - 1, 0), height: STRIP_HEIGHT, fill: colour, stroke: tools.theme.text, "stroke-width": shown ? 1.5 : 0 });
  let from = x + shown * unit;
  branch.stats.forEach((_, code) => {
    const width = (known.stats[code] ?? 0) * unit;
    const fill = picture.classes.length ? tools.theme.classes[code] : tools.theme.quiet;
    canvas.put(`known ${at} ${code}`, "rect", { x: from, y: top, width: Math.max(width - 1, 0), height: STRIP_HEIGHT, fill, opacity: 0.85 });
    canvas.text(`known text ${at} ${code}`, from + width / 2, middle + 5, width > 22 ? rowsText(known.stats[code] ?? 0) : "", { anchor: "middle", kind: "pic-small", fill: readableOn(fill) });
    from += width;
  });
  const fraction = known.weight === total ? "1" : `${rowsText(known.weight)}/${rowsText(total)}`;
  const text = !picture.has_parts ? "" : branch.text && !picture.most ? branch.text : say("{fraction} of the row: {part}", { fraction, part: part.toFixed(3) });
  const wide = picture.most ? 150 : 0;
  canvas.text(`part text ${at}`, x + wide, top + STRIP_HEIGHT + 18, canvas.shortened(text, room - wide, "pic-small"), { kind: "pic-small" });
  if (picture.most) putKnownSlider(canvas, picture, at, known.weight, { x, y: top + STRIP_HEIGHT + 2 }, tools);
}

/**
 * @param {PictureCanvas} canvas @param {Flow} picture @param {number} at @param {number} weight
 * @param {{ x: number, y: number }} place @param {import("../canvas.js").Tools<Record<string, number>>} tools
 */
function putKnownSlider(canvas, picture, at, weight, { x, y }, tools) {
  const { label } = picture.branches[at];
  canvas.slider(`known ${at}`, {
    x,
    y,
    width: 130,
    label: say("Known rows of {branch}", { branch: label }),
    max: picture.most,
    value: weight,
    said: rowsText(weight),
    onInput: (value) => tools.change({ [`known ${picture.state} ${at}`]: value }),
  });
}

/**
 * The predicted shares of the classes as one bar.
 * @param {PictureCanvas} canvas @param {Flow} picture @param {number} top @param {Theme} theme
 */
function putMixed(canvas, picture, top, theme) {
  const width = canvas.width - 2 * FLOW_EDGE;
  let from = FLOW_EDGE;
  canvas.text("mixed name", FLOW_EDGE, top + 20, say("Prediction: the leaves, weighted by the parts"), { kind: "pic-small" });
  picture.mixed.forEach((share, code) => {
    const fill = theme.classes[code];
    canvas.put(`mixed ${code}`, "rect", { x: from, y: top + 32, width: Math.max(share * width - 1, 0), height: 38, fill });
    const text = picture.mixed_texts[code];
    canvas.text(`mixed text ${code}`, from + (share * width) / 2, top + 56, canvas.textWidth(text, "pic-number") < share * width ? text : "", { anchor: "middle", kind: "pic-number", fill: readableOn(fill) });
    from += share * width;
  });
}
