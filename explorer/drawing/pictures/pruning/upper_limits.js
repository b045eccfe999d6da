// The upper limit of the error rate over the rows of a leaf: one curve a number of errors; the confidence is dragged.

import { putDragSurface } from "../drag.js";
import { inPercent } from "../../tree_view/format.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { areaOf, drawAxes } from "../axes.js";
import { upperLimit } from "./upper_limit_model.js";

const [LIMIT_LEFT, PERCENT] = [64, 100];

export function drawUpperLimits(canvas, picture, { theme, local, change }) {
  const confidence = local.confidence ?? picture.confidence;
  const box = { left: LIMIT_LEFT, right: canvas.width - 110, top: 72, bottom: canvas.height - 92 };
  const rows = local.rows ?? null;
  canvas.text("title", 16, 28, say("Upper limit U(E, N) of the error rate, CF = {percent} %", { percent: Math.round(confidence * PERCENT) }), { kind: "pic-title" });
  const chart = drawAxes(canvas, "axes", box, {
    x: { low: 0, high: picture.most_rows, title: say("rows N"), away: -8, kind: "pic-small pic-halo pic-quiet" },
    y: { low: 0, high: 1, wanted: 5, isDrawn: true, title: "U(E, N)" },
  });
  limitCurves(picture, confidence).forEach((curve, index) => drawLimitCurve(canvas, curve, index, chart, { theme, rows }));
  drawLimitDots(canvas, picture, confidence, chart, theme);
  if (rows !== null) {
    const x = chart.x(rows);
    canvas.line("rows", [[x, chart.top], [x, chart.bottom]], { stroke: theme.quiet, class: "pic-edge pic-instant" });
  }
  const setRows = (x) => change({ rows: Math.min(Math.max(Math.round(chart.x.invert(x)), 1), picture.most_rows) });
  putDragSurface(canvas, "drag", areaOf(chart), setRows, (place) => (place ? setRows(place[0]) : change({ rows: null })));
  drawConfidenceSlider(canvas, confidence, change, { x: chart.left, width: chart.right - chart.left, y: canvas.height - 36 });
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

function drawLimitCurve(canvas, { text, points }, index, chart, { theme, rows }) {
  const stroke = theme.classes[index % theme.classes.length];
  const places = points.map(([n, limit]) => [chart.x(n), chart.y(limit)]);
  canvas.line(`curve ${index}`, places, { stroke, class: "pic-line pic-instant" });
  const [x, y] = places[places.length - 1];
  const at = points.find(([n]) => n === rows);
  const written = at ? say("{name}: {value}", { name: text, value: at[1].toFixed(3) }) : text;
  canvas.text(`curve text ${index}`, at ? chart.x(rows) + 8 : x + 8, at ? chart.y(at[1]) - 8 : y + 5, written, { kind: "pic-small pic-halo pic-instant" });
  if (at) canvas.put(`curve dot ${index}`, "circle", { cx: chart.x(rows), cy: chart.y(at[1]), r: 5, fill: stroke, class: "pic-instant" });
}

function drawLimitDots(canvas, picture, confidence, chart, theme) {
  picture.leaves.forEach(({ text, errors, rows }, index) => {
    const limit = upperLimit(errors, rows, confidence, picture.table);
    const [x, y] = [chart.x(rows), chart.y(limit)];
    const fill = theme.classes[picture.errors.indexOf(errors) % theme.classes.length];
    canvas.put(`leaf ${index}`, "circle", { cx: x, cy: y, r: 8, fill, stroke: theme.text, "stroke-width": 2, class: "pic-instant" });
    const written = say("{name}: {value}", { name: text, value: picture.shows_limits ? limit.toFixed(3) : "?" });
    canvas.text(`leaf text ${index}`, x + 13, y - 9, written, { kind: "pic-number pic-halo pic-instant" });
  });
}
