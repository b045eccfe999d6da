// The marks of a chart: lines, dots, rectangles, squares and texts at numbers of its axes.

/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../axes.js").Chart} PicChart */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

import { SVG_SPACE, makeElement } from "../../tree_view/dom.js";
import { mixColours, readableOn } from "../../charts/colours.js";

/** @typedef {number | string} Colour code of a class, or a name of the theme */
/** @typedef {{ key: string, mark: "line" | "dot" | "rect" | "square" | "text" }} Named */
/** @typedef {{ to?: number, hovers?: boolean, button?: string, pressed?: boolean, peek?: number, yields?: number }} Acts */
/**
 * @typedef {{
 *   points: number[][], colour: Colour, dash?: string, width?: number | null, opacity?: number, fill?: Colour, quick?: boolean,
 * }} LineMark
 */
/**
 * @typedef {{
 *   x: number, y: number, colour: Colour, r?: number, of?: string, size?: number, hollow?: boolean | "none" | "thick",
 *   ring?: boolean, sign?: string, dash?: string, opacity?: number, quick?: boolean, edge?: Colour, tip?: string,
 * }} DotMark
 */
/**
 * @typedef {{
 *   x: number[], y: number[], colour: Colour, opacity?: number, edge?: Colour, lines?: { text: string, kind?: string }[],
 *   round?: number, inset?: number, wide?: number,
 * }} RectMark
 */
/** @typedef {{ x: number, y: number, to: number, left: boolean, colour: Colour }} SquareMark */
/**
 * @typedef {{
 *   x: number, y: number, text: string, dx?: number, dy?: number, anchor?: string, kind?: string, colour?: Colour | null,
 *   most?: number | null,
 * }} TextMark
 */
/** @typedef {Named & Acts & Partial<AnyMark>} Mark as chart.py makes it: with the fields of its kind */
/** @typedef {LineMark & DotMark & RectMark & SquareMark & TextMark} AnyMark */
/** @typedef {(canvas: PictureCanvas, name: string, mark: AnyMark, chart: PicChart, theme: Theme) => SVGElement} DrawMark */
/** @typedef {DotMark & { to: number, button: string, pressed: boolean }} Pressed a dot with a button over it */
/** @typedef {{ left: number, top: number, half: number }} Kept */

/** @type {Record<Named["mark"], DrawMark>} */
const DRAW = { line: drawLine, dot: drawDot, rect: drawRect, square: drawSquare, text: drawText };
const [LINE_GAP, ROOMY_RECT, BUTTON] = [20, 6, 44];

/**
 * Draw marks into a chart {x, y, left, right, …}; only those that do something take the pointer.
 * @param {PictureCanvas} canvas @param {Mark[]} marks @param {PicChart} chart
 * @param {{ go: (to: number) => void, peek: (at: number | null) => void, key: string, theme: Theme }} tools
 */
export function drawMarks(canvas, marks, chart, { theme, go, peek, key }) {
  /** @type {Kept[]} */
  const kept = [];
  for (const mark of [...marks].sort((a, b) => layerOf(a) - layerOf(b))) {
    const name = `${key} ${mark.key}`;
    if (mark.yields !== undefined && !hasRoom(canvas, /** @type {AnyMark} */ (mark), chart, kept)) continue;
    const element = DRAW[mark.mark](canvas, name, /** @type {AnyMark} */ (mark), chart, theme);
    if (mark.button) putButton(canvas, name, /** @type {Pressed} */ (mark), chart, go);
    else if (mark.peek !== undefined) makePeekable(element, mark.peek, peek);
    else if (mark.to !== undefined && mark.mark !== "square") makePickable(element, mark.to, mark.hovers === true, go);
  }
}

/** Rectangles lie below all other marks; texts that yield come last. @param {Mark} mark */
function layerOf({ mark, yields = 0 }) {
  return mark === "rect" ? -1 : yields;
}

/**
 * Whether a text stands free of those kept so far; then it is kept too.
 * @param {PictureCanvas} canvas @param {TextMark} mark @param {PicChart} chart @param {Kept[]} kept
 */
function hasRoom(canvas, { x, y, dx = 0, dy = 0, text, kind = "pic-small" }, chart, kept) {
  const [left, top, half] = [chart.x(x) + dx, chart.y(y) + dy, canvas.textWidth(text, kind) / 2 + 2];
  if (kept.some((other) => Math.abs(other.left - left) < other.half + half && Math.abs(other.top - top) < 17)) return false;
  return kept.push({ left, top, half }) > 0;
}

/** @param {SVGElement} element @param {number} to @param {boolean} hovers @param {(to: number) => void} go */
function makePickable(element, to, hovers, go) {
  element.onclick = () => go(to);
  element.onpointerenter = hovers ? () => go(to) : null;
  Object.assign(element.style, { cursor: "pointer", pointerEvents: "auto" });
}

/**
 * A mark that shows something while the pointer is on it.
 * @param {SVGElement} element @param {number} at @param {(at: number | null) => void} peek
 */
function makePeekable(element, at, peek) {
  element.onpointerenter = () => peek(at);
  element.onpointerleave = () => peek(null);
  element.style.pointerEvents = "stroke";
}

/**
 * A button over a mark, so that keys reach it too.
 * @param {PictureCanvas} canvas @param {string} name @param {Pressed} mark @param {PicChart} chart
 * @param {(to: number) => void} go
 */
function putButton(canvas, name, { x, y, to, button, pressed }, chart, go) {
  const element = canvas.control(name, chart.x(x) - BUTTON / 2, chart.y(y) - BUTTON / 2, BUTTON, () => makeElement("button", "pic-flip", { type: "button" }), BUTTON);
  element.setAttribute("aria-pressed", String(pressed));
  element.setAttribute("aria-label", button);
  element.onclick = () => go(to);
}

/** A colour of the theme by its name; another text is a colour itself. @param {Theme} theme @param {string} name */
function namedColour(theme, name) {
  const named = /** @type {Record<string, unknown>} */ (theme)[name];
  return typeof named === "string" ? named : name;
}

/** A colour of the theme by its name, or that of a class. @param {Theme} theme @param {Colour} colour */
export function colourOf(theme, colour) {
  if (colour === "pale") return mixColours(theme.background, theme.primary, 0.3);
  return typeof colour === "number" ? theme.classes[colour % theme.classes.length] : namedColour(theme, colour);
}

/** @param {PictureCanvas} canvas @param {string} name @param {LineMark} mark @param {PicChart} chart @param {Theme} theme */
function drawLine(canvas, name, { points, colour, dash = "none", width = null, opacity = 1, fill, quick }, chart, theme) {
  const places = points.map(([x, y]) => [chart.x(x), chart.y(y)]);
  const look = { "stroke-dasharray": dash, opacity, class: `pic-mark ${width === null ? "pic-line" : "pic-edge"}${quick ? " pic-quick" : ""}` };
  const stroke = fill ? { fill: colourOf(theme, fill), stroke: "none" } : { stroke: colourOf(theme, colour), "stroke-width": width };
  return canvas.line(name, places, { ...look, ...stroke });
}

/** How long a length is in one unit of the axes named in `of`, at the most `r`. @param {DotMark} mark @param {PicChart} chart */
function radiusOf({ r = 6, of = "", size = 0.46 }, chart) {
  return Math.max(2, Math.min(r, ...[...of].map((axis) => size * Math.abs(axis === "x" ? chart.x(1) - chart.x(0) : chart.y(1) - chart.y(0)))));
}

/** @param {PictureCanvas} canvas @param {string} name @param {DotMark} mark @param {PicChart} chart @param {Theme} theme */
function drawDot(canvas, name, mark, chart, theme) {
  const [cx, cy, r, colour] = [chart.x(mark.x), chart.y(mark.y), radiusOf(mark, chart), colourOf(theme, mark.colour)];
  const { hollow, ring, sign, dash, opacity = 1, quick } = mark;
  if (ring !== undefined) canvas.put(`${name} ring`, "circle", { cx, cy, r: r + 4, fill: "none", stroke: theme.text, "stroke-width": 2, opacity: ring ? 1 : 0, class: "pic-mark" });
  const fill = hollow === "none" ? "none" : hollow ? theme.background : colour;
  const stroke = mark.edge ? { stroke: colourOf(theme, mark.edge), "stroke-width": 2 } : hollow ? { stroke: colour, "stroke-width": dash ? 1.5 : hollow === "thick" ? 3 : 2 } : { stroke: "none" };
  const element = canvas.put(name, "circle", { cx, cy, r, fill, opacity, "stroke-dasharray": dash ?? null, ...stroke, class: quick ? "pic-mark pic-quick" : "pic-mark" });
  if (mark.tip) putTip(element, mark.tip);
  if (sign) canvas.text(`${name} sign`, cx, cy + 5, sign, { anchor: "middle", kind: "pic-number pic-mark", fill: hollow ? null : readableOn(colour) });
  return element;
}

/** Words that the browser shows beside the pointer. @param {SVGElement} element @param {string} words */
function putTip(element, words) {
  const tip = element.firstChild ?? element.appendChild(document.createElementNS(SVG_SPACE, "title"));
  tip.textContent = words;
  element.style.pointerEvents = "auto";
}

/** @param {PictureCanvas} canvas @param {string} name @param {RectMark} mark @param {PicChart} chart @param {Theme} theme */
function drawRect(canvas, name, { x: [x0, x1], y: [y0, y1], colour, opacity = 1, edge, lines = [], round = 3, inset = 0, wide }, chart, theme) {
  const [left, right] = [chart.x(x0), chart.x(x1)].sort((a, b) => a - b);
  const [top, bottom] = [chart.y(y0), chart.y(y1)].sort((a, b) => a - b);
  const [middle, most] = [(left + right) / 2, wide ?? Infinity];
  const box = { x: Math.max(left + inset, middle - most / 2), y: top + inset, width: Math.max(Math.min(right - left - 2 * inset, most), 0), height: Math.max(bottom - top - 2 * inset, 0), rx: round };
  const fill = colour === "none" ? "transparent" : colourOf(theme, colour);
  const element = canvas.put(name, "rect", { ...box, fill, opacity, stroke: edge ? colourOf(theme, edge) : "none", "stroke-width": 2, class: "pic-mark" });
  const shown = lines.filter(({ text, kind = "pic-label" }) => canvas.textWidth(text, kind) + ROOMY_RECT <= box.width && (bottom - top) >= 18);
  const high = Math.max(0, Math.floor((bottom - top - 4) / LINE_GAP));
  shown.slice(0, high || shown.length).forEach(({ text, kind = "pic-label" }, at, all) => {
    const place = (top + bottom) / 2 + 5 + (at - (all.length - 1) / 2) * LINE_GAP;
    canvas.text(`${name} ${at}`, middle, place, text, { anchor: "middle", kind: `${kind} pic-mark`, fill: opacity > 0.6 && colour !== "none" ? readableOn(fill) : null });
  });
  return element;
}

/** @param {PictureCanvas} canvas @param {string} name @param {SquareMark} mark @param {PicChart} chart @param {Theme} theme */
function drawSquare(canvas, name, { x, y, to, left, colour }, chart, theme) {
  const [at, from, end] = [chart.x(x), chart.y(y), chart.y(to)];
  const side = Math.abs(from - end);
  const start = at + side > chart.right || (left && at - side > chart.left) ? at - side : at;
  const fill = colourOf(theme, colour);
  return canvas.put(name, "rect", { x: start, y: Math.min(from, end), width: side, height: side, fill, "fill-opacity": 0.16, stroke: fill, "stroke-opacity": 0.5, class: "pic-mark" });
}

/** @param {PictureCanvas} canvas @param {string} name @param {TextMark} mark @param {PicChart} chart @param {Theme} theme */
function drawText(canvas, name, { x, y, text, dx = 0, dy = 0, anchor = "middle", kind = "pic-small", colour = null, most = null }, chart, theme) {
  const words = most ? canvas.shortened(text, most, kind) : text;
  return canvas.text(name, chart.x(x) + dx, chart.y(y) + dy, words, { anchor, kind: `${kind} pic-mark pic-halo`, fill: colour === null ? null : colourOf(theme, colour) });
}
