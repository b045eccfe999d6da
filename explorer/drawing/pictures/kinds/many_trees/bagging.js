// Bagging: what bootstrap samples draw, and fits to noisy points.

import { stairsAround } from "../../../charts/lines.js";
import { linearScale } from "../../../charts/scales.js";
import { makeElement } from "../../../tree_view/dom.js";
import { listing, say } from "../../../tree_view/messages.js";

/** Rows as columns of dots, one dot a draw; rows that were not drawn are out of bag. */
export function drawDraws(canvas, picture, { theme, local, change }) {
  const n = picture.rows.length;
  const left = Math.min(canvas.width * 0.16, 110);
  const column = (canvas.width - left - 20) / n;
  const head = 78;
  const foot = picture.answers.length ? 92 : 46;
  const row = Math.min((canvas.height - head - foot) / picture.members.length, 130);
  const shown = local.row ?? -1;
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  picture.rows.forEach((name, index) => {
    const x = left + (index + 0.5) * column;
    if (index === shown) canvas.put("shown", "rect", { x: x - column / 2 + 1, y: 46, width: column - 2, height: head - 46 + picture.members.length * row + foot - 56, rx: 5, fill: theme.panel });
    canvas.text(`name ${name}`, x, 66, name, { anchor: "middle", kind: "pic-small" }).style.fill = theme.classes[picture.codes[index]];
  });
  picture.members.forEach((member, m) => drawMemberDraws(canvas, picture, { member, m, y: head + m * row, row, left, column }, theme));
  drawOutOfBag(canvas, picture, { y: head + picture.members.length * row + 22, left, column }, theme);
  const said = listing(picture.members.map((_, m) => (shown < 0 ? "" : picture.counts[m][shown])));
  canvas.slider("row", { x: left, y: canvas.height - 38, width: Math.min(260, canvas.width - left - 220), label: say("Row"), max: n - 1, value: Math.max(shown, 0), said: say("{name}: {value}", { name: picture.rows[Math.max(shown, 0)], value: said }), onInput: (value) => change({ row: value }) });
  if (shown >= 0) canvas.text("said", left + Math.min(260, canvas.width - left - 220) + 16, canvas.height - 22, say("{row} is drawn {counts} times", { row: picture.rows[shown], counts: said }), { kind: "pic-small" });
}

function drawMemberDraws(canvas, picture, { member, m, y, row, left, column }, theme) {
  const r = Math.min(column * 0.3, row / 8, 12);
  canvas.text(`member ${m}`, left - 14, y + row / 2 + 5, member, { anchor: "end", kind: "pic-small" });
  canvas.line(`floor ${m}`, [[left, y + row - 10], [left + column * picture.rows.length, y + row - 10]], { stroke: theme.border || theme.quiet, "stroke-width": 1 });
  picture.counts[m].forEach((count, index) => {
    const cx = left + (index + 0.5) * column;
    for (let time = 0; time < count; time++) {
      canvas.put(`draw ${m} ${index} ${time}`, "circle", { cx, cy: y + row - 12 - r - time * (2 * r + 3), r, fill: theme.classes[picture.codes[index]] });
    }
    if (!count) canvas.put(`out ${m} ${index}`, "circle", { cx, cy: y + row - 12 - r, r: r - 1, fill: "none", stroke: theme.text, "stroke-width": 1.5, "stroke-dasharray": "3 3" });
  });
}

function drawOutOfBag(canvas, picture, { y, left, column }, theme) {
  if (!picture.answers.length) return;
  canvas.text("answers", left - 14, y, say("out of bag"), { anchor: "end", kind: "pic-small" });
  picture.answers.forEach((answer, index) => {
    const x = left + (index + 0.5) * column;
    canvas.text(`answer ${index}`, x, y, answer, { anchor: "middle", kind: picture.wrong.includes(index) ? "pic-number" : "pic-small" });
    if (picture.wrong.includes(index)) canvas.put(`wrong ${index}`, "rect", { x: x - column / 2 + 3, y: y - 17, width: column - 6, height: 24, rx: 5, fill: "none", stroke: theme.text, "stroke-width": 2 });
  });
}

/** The number of the sample in which one point is on the other side. */
export function sampleWithFlipped(sample, point) {
  return sample ^ (1 << point);
}

export function drawNoisyFits(canvas, picture, { theme, local, change }) {
  const sample = local.sample ?? picture.sample;
  const y = picture.truth.map((value, index) => value + (sample & (1 << index) ? picture.noise : -picture.noise));
  const [left, right, top, bottom] = [56, canvas.width - 30, 66, canvas.height - 116];
  const all = [...picture.truth.map((value) => value + picture.noise), ...picture.truth.map((value) => value - picture.noise)];
  const [least, most] = [Math.min(...all) - 0.5, Math.max(...all) + 0.5];
  const across = linearScale([0.5, picture.x.length + 0.5], [left, right]);
  const up = linearScale([least, most], [bottom, top]);
  const steps = (fit) => stairsAround(picture.x, fit).map(([x, height]) => [across(x), up(height)]);
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  canvas.line("mean", steps(picture.mean), { stroke: theme.quiet, "stroke-width": 1.5, "stroke-dasharray": "2 4" });
  canvas.line("tree", steps(picture.fits[sample]), { stroke: theme.primary });
  if (picture.shows_bagged) canvas.line("bagged", steps(picture.bagged[sample]), { stroke: theme.classes[1] });
  picture.x.forEach((value, index) => drawNoisyPoint(canvas, picture, { value, index, y: y[index], sample, across, up, change }, theme));
  drawFitNames(canvas, picture, { left, y: canvas.height - 52 }, theme);
}

function drawNoisyPoint(canvas, picture, { value, index, y, sample, across, up, change }, theme) {
  const x = across(value);
  canvas.put(`truth ${index}`, "rect", { x: x - 18, y: up(picture.truth[index]) - 1.5, width: 36, height: 3, fill: theme.text, opacity: 0.7 });
  canvas.line(`noise ${index}`, [[x, up(picture.truth[index] + picture.noise)], [x, up(picture.truth[index] - picture.noise)]], { stroke: theme.quiet, "stroke-width": 1 });
  canvas.put(`point ${index}`, "circle", { cx: x, cy: up(y), r: 8, fill: theme.text });
  const button = canvas.control(`flip ${index}`, x - 22, up(picture.truth[index]) - 22, 44, () => makeElement("button", "pic-flip", { type: "button" }));
  button.style.height = `${44 * canvas.scale}px`;
  const isAbove = Boolean(sample & (1 << index));
  button.setAttribute("aria-pressed", String(isAbove));
  button.setAttribute("aria-label", say("Point {x}: above the truth", { x: value }));
  button.onclick = () => change({ sample: sampleWithFlipped(sample, index) });
  canvas.text(`value ${index}`, x, canvas.height - 92, `x = ${value}`, { anchor: "middle", kind: "pic-small" });
}

function drawFitNames(canvas, picture, { left, y }, theme) {
  const names = [[theme.primary, say("one tree")], ...(picture.shows_bagged ? [[theme.classes[1], say("mean of all bootstrap trees")]] : []), [theme.quiet, say("mean of one tree over all samples")]];
  names.forEach(([colour, name], index) => {
    const line = y + index * 20 - 20;
    canvas.line(`key ${index}`, [[left, line], [left + 22, line]], { stroke: colour });
    canvas.text(`key name ${index}`, left + 28, line + 5, name, { kind: "pic-small" });
  });
  canvas.text("flip", left, 52, say("Press a point to flip its noise"), { kind: "pic-small" });
}
