// The upper limit of the error rate over the rows of a leaf: one curve a number of errors; the confidence is dragged.

import { putDragSurface } from "../drag.js";
import { inPercent } from "../../tree_view/format.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { drawAxisLines, plotScales } from "./axes.js";
import { upperLimit } from "./upper_limit_model.js";

const [LIMIT_LEFT, LIMIT_TICKS, PERCENT] = [64, [0, 0.25, 0.5, 0.75, 1], 100];

export function drawUpperLimits(canvas, picture, { theme, local, change }) {
  const confidence = local.confidence ?? picture.confidence;
  const chart = { x: LIMIT_LEFT, y: 72, width: canvas.width - LIMIT_LEFT - 110, height: canvas.height - 164 };
  const scales = plotScales(chart, { x: picture.most_rows, y: 1 });
  const rows = local.rows ?? null;
  canvas.text("title", 16, 28, say("Upper limit U(E, N) of the error rate, CF = {percent} %", { percent: Math.round(confidence * PERCENT) }), { kind: "pic-title" });
  drawAxisLines(canvas, chart, { theme, xTitle: say("rows N"), yTitle: "U(E, N)" });
  drawLimitTicks(canvas, picture, chart, scales);
  limitCurves(picture, confidence).forEach((curve, index) => drawLimitCurve(canvas, curve, index, scales, { theme, rows }));
  drawLimitDots(canvas, picture, confidence, scales, theme);
  if (rows !== null) {
    const x = scales.across(rows);
    canvas.line("rows", [[x, chart.y], [x, chart.y + chart.height]], { stroke: theme.quiet, class: "pic-edge pic-instant" });
  }
  const setRows = (x) => change({ rows: Math.min(Math.max(Math.round(scales.valueAt(x)), 1), picture.most_rows) });
  putDragSurface(canvas, "drag", chart, setRows, (place) => (place ? setRows(place[0]) : change({ rows: null })));
  drawConfidenceSlider(canvas, confidence, change, { x: chart.x, width: chart.width, y: canvas.height - 36 });
}

/** A slider for the confidence CF, from 1 to 99 per cent, its value beside it. */
export function drawConfidenceSlider(canvas, confidence, change, { x, y, width }) {
  const percent = Math.round(confidence * PERCENT);
  canvas.text("confidence", x, y - 6, say("Confidence CF: {percent} %", { percent }), { kind: "pic-small" });
  canvas.slider("confidence", {
    x: x - 6,
    y,
    width: width + 12,
    label: say("Confidence CF"),
    min: 1,
    max: 99,
    step: 1,
    value: percent,
    said: inPercent(percent),
    onInput: (value) => change({ confidence: value / PERCENT }),
  });
}

function limitCurves(picture, confidence) {
  const counts = Array.from({ length: picture.most_rows }, (_, index) => index + 1);
  return picture.errors.map((errors) => ({
    text: sayCount(errors, "{n} error", "{n} errors"),
    points: counts.filter((rows) => rows > errors).map((rows) => [rows, upperLimit(errors, rows, confidence, picture.table)]),
  }));
}

function drawLimitTicks(canvas, picture, chart, scales) {
  for (const value of LIMIT_TICKS) {
    canvas.text(`tick y ${value}`, chart.x - 8, scales.down(value) + 5, value.toFixed(2), { anchor: "end", kind: "pic-small" });
  }
  for (let rows = 5; rows <= picture.most_rows; rows += 5) {
    canvas.text(`tick x ${rows}`, scales.across(rows), chart.y + chart.height + 18, String(rows), { anchor: "middle", kind: "pic-small" });
  }
}

function drawLimitCurve(canvas, { text, points }, index, scales, { theme, rows }) {
  const stroke = theme.classes[index % theme.classes.length];
  const places = points.map(([n, limit]) => [scales.across(n), scales.down(limit)]);
  canvas.line(`curve ${index}`, places, { stroke, class: "pic-line pic-instant" });
  const [x, y] = places[places.length - 1];
  const at = points.find(([n]) => n === rows);
  const written = at ? say("{name}: {value}", { name: text, value: at[1].toFixed(3) }) : text;
  canvas.text(`curve text ${index}`, at ? scales.across(rows) + 8 : x + 8, at ? scales.down(at[1]) - 8 : y + 5, written, { kind: "pic-small pic-halo pic-instant" });
  if (at) canvas.put(`curve dot ${index}`, "circle", { cx: scales.across(rows), cy: scales.down(at[1]), r: 5, fill: stroke, class: "pic-instant" });
}

function drawLimitDots(canvas, picture, confidence, scales, theme) {
  picture.leaves.forEach(({ text, errors, rows }, index) => {
    const limit = upperLimit(errors, rows, confidence, picture.table);
    const [x, y] = [scales.across(rows), scales.down(limit)];
    const fill = theme.classes[picture.errors.indexOf(errors) % theme.classes.length];
    canvas.put(`leaf ${index}`, "circle", { cx: x, cy: y, r: 8, fill, stroke: theme.text, "stroke-width": 2, class: "pic-instant" });
    const written = say("{name}: {value}", { name: text, value: picture.shows_limits ? limit.toFixed(3) : "?" });
    canvas.text(`leaf text ${index}`, x + 13, y - 9, written, { kind: "pic-number pic-halo pic-instant" });
  });
}
