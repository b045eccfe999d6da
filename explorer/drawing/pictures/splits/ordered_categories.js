// Categories sorted by the share of a class: a cut between two of them, against all groupings into two.

import { putDragSurface } from "../drag.js";
import { makeElement } from "../../tree_view/dom.js";
import { linearScale } from "../../charts/scales.js";
import { say } from "../../tree_view/messages.js";

const [ORDER_LABEL, ORDER_TOP, ORDER_FOOT, ORDER_EDGE, ORDER_ROW] = [190, 64, 92, 20, 62];

export function drawOrderedCategories(canvas, picture, tools) {
  const cut = tools.local.cut ?? picture.shown;
  const isSorted = tools.local.isSorted ?? picture.is_sorted;
  const [n, labels] = [picture.categories.length, Math.min(ORDER_LABEL, canvas.width * 0.3)];
  const row = Math.min(ORDER_ROW, (canvas.height - ORDER_TOP - ORDER_FOOT) / n);
  const area = { left: labels, right: labels + (canvas.width - labels) * 0.44, top: ORDER_TOP, row, n };
  canvas.text("title", ORDER_EDGE, 30, picture.title, { kind: "pic-title" });
  putCategoryShares(canvas, picture, isSorted, cut, area, tools.theme);
  if (isSorted) putCuts(canvas, picture, cut, area, tools);
  putGroupings(canvas, picture, cut, isSorted, tools.theme);
  putSortButton(canvas, isSorted, tools);
}

function putCategoryShares(canvas, { categories, code }, isSorted, cut, { left, right, top, row }, theme) {
  categories.forEach(({ label, rows, share, place }, index) => {
    const y = top + (isSorted ? index : place) * row;
    const long = share * (right - left);
    const opacity = isSorted && index > cut ? 1 : isSorted ? 0.55 : 0.8;
    canvas.text(`category ${label}`, left - 10, y + row * 0.6, canvas.shortened(label, left - 16), { anchor: "end" });
    canvas.put(`rest ${label}`, "rect", { x: left, y: y + row * 0.15, width: right - left, height: row * 0.7, rx: 3, fill: theme.panel });
    canvas.put(`share ${label}`, "rect", { x: left, y: y + row * 0.15, width: long, height: row * 0.7, rx: 3, fill: theme.classes[code], opacity });
    canvas.text(`share text ${label}`, right - 8, y + row * 0.62, `${(100 * share).toFixed(0)} % · ${rows}`, { anchor: "end", kind: "pic-small" });
  });
}

function putCuts(canvas, picture, cut, area, { theme, change }) {
  const { left, right, top, row, n } = area;
  const [near, far] = [right + 40, canvas.width - 70];
  const across = linearScale(spanOf(picture), [near, far]);
  const level = (index) => top + (index + 1) * row;
  canvas.text("cuts title", near, top - 12, say("Gini index after each cut"), { kind: "pic-small" });
  canvas.line("cuts", picture.cuts.map((value, i) => [across(value), level(i)]), { stroke: theme.quiet });
  picture.cuts.forEach((value, i) => {
    const isBest = i === picture.best;
    canvas.put(`cut dot ${i}`, "circle", { cx: across(value), cy: level(i), r: i === cut ? 7 : 4.5, fill: isBest ? theme.primary : theme.text });
    canvas.text(`cut text ${i}`, across(value) + 12, level(i) + 5, value.toFixed(4), { kind: isBest || i === cut ? "pic-number" : "pic-small" });
  });
  canvas.line("cut line", [[left - 8, level(cut)], [right + 16, level(cut)]], { stroke: theme.text, "stroke-dasharray": "5 4" });
  putDragSurface(canvas, "drag down", { x: 0, y: top, width: canvas.width, height: n * row }, (_, y) => {
    change({ cut: Math.max(0, Math.min(n - 2, Math.round((y - top) / row) - 1)) });
  });
  canvas.raise("drag down");
  canvas.slider("cut", {
    x: near, y: canvas.height - 30, width: Math.max(80, far - near), label: say("Cut"), max: n - 2, value: cut,
    said: picture.cuts[cut].toFixed(4), onInput: (given) => change({ cut: given }),
  });
}

function spanOf({ groupings }) {
  return [groupings[0], groupings[groupings.length - 1]];
}

/** Every grouping as a stroke on one axis; those that are cuts of the sorted categories stand out. */
function putGroupings(canvas, picture, cut, isSorted, theme) {
  const [left, right, y] = [ORDER_EDGE, canvas.width - ORDER_EDGE, canvas.height - 52];
  const across = linearScale(spanOf(picture), [left, right]);
  const strokes = picture.groupings.map((value) => `M${across(value).toFixed(1)} ${y - 8} V${y + 8}`).join(" ");
  canvas.put("groupings", "path", { class: "pic-strokes", d: strokes, stroke: theme.quiet, "stroke-width": 1, "stroke-opacity": 0.6, fill: "none" });
  canvas.text("groupings text", left, y - 16, say("All {n} groupings by their Gini index", { n: picture.groupings.length }), { kind: "pic-small" });
  picture.cuts.forEach((value, i) => {
    if (isSorted) canvas.put(`grouping ${i}`, "circle", { cx: across(value), cy: y, r: i === cut ? 7 : 4, fill: i === picture.best ? theme.primary : theme.text });
  });
}

function putSortButton(canvas, isSorted, { change }) {
  const width = 170;
  const button = canvas.control("sort", ORDER_EDGE, canvas.height - 36, width, () => makeElement("button", "tv-button pic-sort", { type: "button" }));
  button.textContent = isSorted ? say("In the table's order") : say("Sort by share");
  button.onclick = () => change({ isSorted: !isSorted });
}
