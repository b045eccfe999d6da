// Bars side by side, one number each; the best in the accent colour.

import { linearScale } from "../../charts/scales.js";
import { putClasses } from "./pieces.js";

const [WIDEST_BAR_ROW, BARS_TOP, BARS_BELOW] = [84, 64, 44];

export function drawBars(canvas, picture, { theme }) {
  const row = Math.min(WIDEST_BAR_ROW, (canvas.height - BARS_TOP - BARS_BELOW) / Math.max(picture.bars.length, 1));
  const top = BARS_TOP + Math.max(0, (canvas.height - BARS_TOP - BARS_BELOW - row * picture.bars.length) * 0.3);
  const labels = Math.max(...picture.bars.map((bar) => canvas.textWidth(bar.label)), 60);
  const left = Math.min(labels, canvas.width * 0.3) + 28;
  const numbers = Math.max(...picture.bars.map((bar) => canvas.textWidth(bar.text, "pic-number")), 40);
  const right = canvas.width - numbers - 32;
  const scale = linearScale([0, picture.most], [left, right]);
  const across = (value) => scale(Math.min(Math.max(value, 0), picture.most));
  const names = picture.part_names;
  if (picture.title) canvas.text("title", left, top - (names.length ? 44 : 24), picture.title, { kind: "pic-title" });
  if (names.length) putClasses(canvas, names, { x: left, y: top - 14, room: canvas.width - left }, theme);
  canvas.line("bars axis", [[left, top], [left, top + picture.bars.length * row]], { class: "pic-axis" });
  if (picture.mark !== null) {
    const [x, bottom] = [across(picture.mark), top + picture.bars.length * row];
    canvas.line("mark", [[x, top], [x, bottom]], { stroke: theme.text, "stroke-width": 1.5, "stroke-dasharray": "4 4" });
    canvas.text("mark text", x, bottom + 22, picture.mark_text, { anchor: "middle" });
  }
  picture.bars.forEach((bar, index) => drawBar(canvas, bar, { y: top + index * row, row, left, across, theme }));
}

/** A bar with its label to the left and its number to the right; its parts, if it has any, end to end, and in words below. */
export function drawBar(canvas, bar, { y, row, left, across, theme }) {
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
