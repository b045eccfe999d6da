// Gradient boosting on one feature: the fit of a stage through the points, its residuals as bars, and the loss.

import { stairsAround } from "../../../charts/lines.js";
import { linearScale } from "../../../charts/scales.js";
import { acrossValues } from "./boosting.js";
import { say } from "../../../tree_view/messages.js";

/** What a stage leaves: y minus its fit. */
export function residualsOf(picture, stage) {
  return picture.y.map((y, index) => y - picture.fits[stage][index]);
}

export function drawBoostedFit(canvas, picture, { theme, local, change }) {
  const stage = local.stage ?? picture.stage;
  const lossWidth = canvas.width > 620 ? 190 : 150;
  const [left, right] = [56, canvas.width - lossWidth - 20];
  const across = acrossValues(picture.x, left, right);
  const room = canvas.height - 54 - 56;
  const upper = { top: 54, bottom: 54 + room * 0.52 };
  const lower = { top: upper.bottom + 42, bottom: canvas.height - 62 };
  canvas.text("title", 24, 30, picture.title, { kind: "pic-title" });
  drawFit(canvas, picture, { stage, across, left, right, ...upper }, theme);
  drawResiduals(canvas, picture, { stage, across, left, right, ...lower }, theme);
  drawLosses(canvas, picture, { stage, left: right + 30, width: lossWidth - 40, change }, theme);
  const said = say("Stage {stage}", { stage });
  canvas.slider("stage", { x: left, y: canvas.height - 40, width: Math.min(240, right - left - 100), label: say("Stage"), max: picture.fits.length - 1, value: stage, said, onInput: (value) => change({ stage: value }) });
  canvas.text("stage", left + Math.min(240, right - left - 100) + 16, canvas.height - 24, said, { kind: "pic-number" });
}

function drawFit(canvas, picture, { stage, across, left, right, top, bottom }, theme) {
  const all = [...picture.y, ...picture.fits.slice(1).flat()];
  const [least, most] = [Math.min(...all) - 0.3, Math.max(...all) + 0.3];
  const scale = linearScale([least, most], [bottom, top]);
  const up = (value) => Math.min(scale(value), bottom);
  canvas.line("ground", [[left, bottom], [right, bottom]], { stroke: theme.quiet, "stroke-width": 1 });
  for (const value of [Math.ceil(least), Math.floor(most)]) canvas.text(`level ${value}`, left - 8, up(value) + 5, String(value), { anchor: "end", kind: "pic-small" });
  const fit = picture.fits[stage];
  const steps = stairsAround(picture.x, fit).map(([x, height]) => [across(x), up(height)]);
  canvas.line("fit", steps, { stroke: theme.primary });
  picture.x.forEach((value, index) => {
    canvas.line(`gap ${index}`, [[across(value), up(picture.y[index])], [across(value), up(fit[index])]], { stroke: theme.classes[1], "stroke-width": 2 });
    canvas.put(`point ${index}`, "circle", { cx: across(value), cy: up(picture.y[index]), r: 5, fill: theme.text });
    canvas.text(`value ${index}`, across(value), bottom + 18, String(value), { anchor: "middle", kind: "pic-small" });
  });
}

function drawResiduals(canvas, picture, { stage, across, left, right, top, bottom }, theme) {
  const residuals = residualsOf(picture, stage);
  const scale = Math.max(...residualsOf(picture, stage ? 1 : 0).map(Math.abs)); // of the first tree, so that bars shrink
  const [zero, half] = [(top + bottom) / 2, (bottom - top) / 2 - 6];
  const width = (across(1) - across(0)) * 0.5;
  canvas.text("residuals", left, top - 6, say("Residuals: what the next tree fits"), { kind: "pic-small" });
  canvas.line("zero", [[left, zero], [right, zero]], { stroke: theme.quiet, "stroke-width": 1 });
  residuals.forEach((residual, index) => {
    const height = (Math.abs(residual) / scale) * half;
    const x = across(picture.x[index]);
    canvas.put(`residual ${index}`, "rect", { x: x - width / 2, y: residual > 0 ? zero - height : zero, width, height, rx: 2, fill: theme.classes[1] });
    if (width > 16) canvas.text(`residual text ${index}`, x, residual > 0 ? zero - height - 5 : zero + height + 15, residual.toFixed(2), { anchor: "middle", kind: "pic-small" });
  });
  const next = picture.steps[stage];
  if (!picture.shows_next || !next) return;
  const steps = stairsAround(picture.x, next).map(([x, height]) => [across(x), zero - (height / scale) * half]);
  canvas.line("next", steps, { stroke: theme.text, "stroke-dasharray": "6 4" });
}

/** The squared loss of every stage but the start, whose loss is too large to compare. */
function drawLosses(canvas, picture, { stage, left, width, change }, theme) {
  const row = Math.min(46, (canvas.height - 130) / (picture.losses.length - 1));
  canvas.text("losses", left, 54, say("Squared loss"), { kind: "pic-small" });
  picture.losses.slice(1).forEach((loss, index) => {
    const y = 64 + index * row;
    const isReached = index < stage;
    const bar = canvas.put(`loss ${index}`, "rect", { x: left, y: y + row * 0.45, width: Math.max((loss / picture.losses[1]) * width, 2), height: row * 0.36, rx: 2, fill: index + 1 === stage ? theme.primary : theme.quiet, opacity: isReached ? 1 : 0.25 });
    bar.onclick = () => change({ stage: index + 1 });
    canvas.text(`loss text ${index}`, left, y + row * 0.36, isReached ? `${index + 1}: ${loss.toFixed(4)}` : `${index + 1}`, { kind: index + 1 === stage ? "pic-number" : "pic-small" });
  });
}
