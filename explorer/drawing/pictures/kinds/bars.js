// Bars side by side, one number each; the best in the accent colour.

/** @typedef {import("./bars.js").Bar} BarRecord */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ label: string, value: number, text: string, is_best: boolean, is_out: boolean, parts: number[] }} Bar */
/**
 * @typedef {{
 *   bars: Bar[], most: number, title: string, mark: number | null, mark_text: string, part_names: string[], rows: string[],
 *   codes: number[], classes: string[], without: Bar[][], struck: number | null, is_sorted: boolean,
 * }} BarPicture as bars.py has it
 */

import { linearScale } from "../../charts/scales.js";
import { putClasses } from "./pieces.js";
import { putRowsOut } from "./rows_out.js";

const [WIDEST_BAR_ROW, BARS_TOP, BARS_BELOW] = [84, 64, 50];

/**
 * @param {PictureCanvas} canvas @param {BarPicture} picture
 * @param {import("../canvas.js").Tools<{ struck?: number | null }>} tools
 */
export function drawBars(canvas, picture, tools) {
  const { theme } = tools;
  const out = picture.rows.length ? putRowsOut(canvas, picture, tools) : null;
  const { bars, bottom, verdict } = out ?? { bars: picture.bars, bottom: null, verdict: "" };
  const height = canvas.height - (bottom ?? BARS_TOP) - BARS_BELOW;
  const row = Math.min(WIDEST_BAR_ROW, height / Math.max(bars.length, 1));
  const top = bottom ?? BARS_TOP + Math.max(0, (height - row * bars.length) * 0.3);
  const end = top + bars.length * row;
  const labels = Math.max(...bars.map((bar) => canvas.textWidth(bar.label)), 60);
  const left = Math.min(labels, canvas.width * (bottom ? 0.42 : 0.3)) + 28;
  const numbers = Math.max(...bars.map((bar) => canvas.textWidth(bar.text, "pic-number")), 40);
  const right = canvas.width - numbers - 32;
  const scale = linearScale([0, picture.most], [left, right]);
  const across = (/** @type {number} */ value) => scale(Math.min(Math.max(value, 0), picture.most));
  const names = picture.part_names;
  if (verdict) canvas.text("verdict", 24, end + 30, verdict, { kind: "pic-title" });
  else if (picture.title) canvas.text("title", left, top - (names.length ? 44 : 24), picture.title, { kind: "pic-title" });
  if (names.length) putClasses(canvas, names, { x: left, y: top - 14, room: canvas.width - left }, theme);
  canvas.line("bars axis", [[left, top], [left, end]], { class: "pic-axis" });
  if (picture.mark !== null) {
    const x = across(picture.mark);
    canvas.line("mark", [[x, top], [x, end]], { stroke: theme.text, "stroke-width": 1.5, "stroke-dasharray": "4 4" });
    canvas.text("mark text", x, end + 22, picture.mark_text, { anchor: "middle" });
  }
  bars.forEach((bar, index) => drawBar(canvas, bar, { y: top + index * row, row, left, across, theme }));
}

/**
 * A bar with its label to the left and its number to the right; its parts, if it has any, end to end, and in words below.
 * @param {PictureCanvas} canvas @param {Bar} bar
 * @param {{ y: number, row: number, left: number, across: (value: number) => number, theme: Theme }} place
 */
function drawBar(canvas, bar, { y, row, left, across, theme }) {
  const [middle, thick] = [y + row / 2, Math.min(row * 0.58, 44)];
  const fill = bar.is_best ? theme.primary : theme.quiet;
  const place = { x: left, y: middle - thick / 2, width: across(bar.value) - left, height: thick, rx: 4 };
  canvas.text(`label ${bar.label}`, left - 14, middle + 5, canvas.shortened(bar.label, left - 20), { anchor: "end" });
  const parts = bar.parts ?? [];
  if (!parts.length) canvas.put(`bar ${bar.label}`, "rect", { ...place, fill, opacity: bar.is_out ? 0.25 : bar.is_best ? 1 : 0.55 });
  let sum = 0;
  parts.forEach((part, code) => {
    const x = across(sum);
    sum += part;
    canvas.put(`part ${bar.label} ${code}`, "rect", { ...place, x, width: across(sum) - x, rx: 0, fill: theme.classes[code] });
  });
  if (parts.length) canvas.text(`parts ${bar.label}`, left, middle + thick / 2 + 17, parts.map((part) => part.toFixed(4)).join(" + "), { kind: "pic-small" });
  canvas.text(`number ${bar.label}`, across(bar.value) + 12, middle + 5, bar.text, { kind: "pic-number pic-over-line" });
}
