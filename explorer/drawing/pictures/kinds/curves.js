// Curves over one axis, a place on it that the reader drags, and the tree as large as the place says.

import { inPercent } from "../../tree_view/format.js";
import { linearScale, logScale, nearestOf } from "../../charts/scales.js";
import { dragAcross, drawAxes } from "../axes.js";
import { drawSmallTree } from "../pruning/small_tree.js";
import { putClasses } from "./pieces.js";

const [CURVES_EDGE, CURVES_TOP, NAMES_ROOM, WIDE_NAMES, MOST_DOTS] = [60, 84, 150, 620, 40];
const LOG_TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function drawCurves(canvas, picture, { theme, local, change }) {
  const position = Math.min(local.position ?? picture.shown, picture.x.length - 1);
  const { box, treeBox, below } = curveBoxes(canvas, picture);
  const reading = picture.readings[position] ?? `${picture.x_name} = ${picture.x[position]}`;
  canvas.text("title", 20, 28, picture.title || reading, { kind: "pic-title" });
  canvas.text("reading", 20, 54, picture.title && picture.readings.length ? reading : "", { kind: "pic-number" });
  const chart = drawAxes(canvas, "curves", box, curveAxes(picture, box));
  putLimit(canvas, picture, chart, theme);
  for (const [index, line] of picture.lines.entries()) putCurve(canvas, picture, { ...line, index, position }, chart, theme);
  putCurveMarks(canvas, picture, chart, theme);
  const at = chart.x(picture.x[position]);
  canvas.line("place", [[at, chart.top - 4], [at, chart.bottom]], { stroke: theme.text, "stroke-dasharray": "4 4", class: "pic-line pic-quick" });
  if (picture.tree) {
    const leaves = picture.tree.nodes.filter(({ number }) => position <= picture.leaf_until[number]);
    drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(leaves.map(({ number }) => number)) });
    putClasses(canvas, picture.classes, { x: treeBox.x, y: treeBox.y - 16, room: treeBox.width }, theme);
  }
  const places = picture.x.map((value) => chart.x(value));
  dragAcross(canvas, "drag", chart, chart.x, (value) => change({ position: nearestOf(places, chart.x(value)) }));
  if (picture.x.length < 2) return;
  canvas.slider("place slider", {
    x: chart.left - 6, y: below, width: chart.right - chart.left + 12, label: picture.x_name, max: picture.x.length - 1, value: position,
    said: reading, onInput: (value) => change({ position: value }),
  });
}

/** The curves beside the tree, or above it where the picture is high. */
function curveBoxes(canvas, { tree, lines }) {
  const isStacked = canvas.height > 0.85 * canvas.width && canvas.height > 460;
  const width = tree && !isStacked ? canvas.width * 0.58 : canvas.width;
  const height = tree && isStacked ? canvas.height * 0.6 : canvas.height;
  const right = width - (!tree && width >= WIDE_NAMES && lines.some(({ name }) => name) ? NAMES_ROOM : 24);
  const treeBox = isStacked
    ? { x: 12, y: height + 24, width: canvas.width - 24, height: canvas.height - height }
    : { x: width + 12, y: 76, width: canvas.width - width - 24, height: canvas.height - 94 };
  return { box: { left: CURVES_EDGE, right, top: CURVES_TOP, bottom: height - 72 }, treeBox, below: height - 32 };
}

function curveAxes({ x, x_name: title, y_name, is_log: isLog, has_shares: isShare, least, most }, { left, right, top, bottom }) {
  const ends = x.length > 1 ? [x[0], x.at(-1)] : [x[0] - 1, x[0] + 1];
  const ticks = LOG_TICKS.filter((tick) => tick <= ends[1]).map((at) => ({ at, text: String(at) }));
  const across = isLog ? { scale: logScale(ends, [left, right]), ticks } : { scale: linearScale(ends, [left, right]) };
  return { x: { ...across, title }, y: { scale: linearScale([least, most], [bottom, top]), isShare, title: y_name } };
}

/** A level with its text: above the line where no curve comes, else below it. */
function putLimit(canvas, { limit, limit_text: text, lines }, chart, theme) {
  if (limit === null) return;
  const y = chart.y(limit);
  const isFree = lines.every(({ values }) => values.every((value) => value <= limit));
  canvas.line("limit", [[chart.left, y], [chart.right, y]], { stroke: theme.quiet, "stroke-dasharray": "2 5" });
  canvas.text("limit text", isFree ? chart.right - 6 : chart.left + 6, y + (isFree ? -8 : 17), text, { anchor: isFree ? "end" : "start", kind: "pic-small pic-halo" });
}

const LOOKS = {
  main: ({ primary }) => ({ stroke: primary }),
  quiet: ({ quiet }) => ({ stroke: quiet }),
  pale: ({ text }) => ({ stroke: text, "stroke-width": 1.2, opacity: 0.5, class: "pic-edge" }),
};

function putCurve(canvas, picture, { name, values, errors, look, index, position }, chart, theme) {
  const places = values.map((value, at) => [chart.x(picture.x[at]), chart.y(value)]);
  const { stroke, ...drawn } = LOOKS[look](theme);
  if (errors.length) {
    const edge = (sign) => places.map(([x], at) => [x, chart.y(values[at] + sign * errors[at])]);
    canvas.line(`band ${index}`, [...edge(1), ...edge(-1).reverse(), edge(1)[0]], { fill: stroke, stroke: "none", opacity: 0.17, class: "pic-edge" });
  }
  canvas.line(`line ${index}`, places, { stroke, ...drawn });
  if (look === "pale") return;
  if (places.length <= MOST_DOTS) places.forEach(([cx, cy], at) => canvas.put(`dot ${index} ${at}`, "circle", { cx, cy, r: 3, fill: stroke }));
  const [x, y] = places[position];
  canvas.put(`point ${index}`, "circle", { cx: x, cy: y, r: 6, fill: stroke, class: "pic-quick" });
  if (name) putCurveName(canvas, picture, { name, value: written(picture, values[position]), index }, { x, y, last: places.at(-1)[1] }, chart);
}

function written({ has_shares: isShare }, value) {
  return isShare ? inPercent((100 * value).toFixed(1)) : value.toFixed(3);
}

/** The name and the value at the end of the curve or, without room, at its point; the name alone where a reading has the values. */
function putCurveName(canvas, { tree, readings }, { name, value, index }, { x, y, last }, chart) {
  if (!tree && chart.right + NAMES_ROOM <= canvas.width) {
    canvas.text(`name ${index}`, chart.right + 10, last - 4, canvas.shortened(name, NAMES_ROOM - 12));
    canvas.text(`value ${index}`, chart.right + 10, last + 15, value, { kind: "pic-number" });
    return;
  }
  if (readings.length) {
    canvas.text(`name ${index}`, chart.right - 4, last - 10, name, { anchor: "end", kind: "pic-small pic-halo" });
    return;
  }
  const [anchor, away] = x > (chart.left + chart.right) / 2 ? ["end", -10] : ["start", 10];
  canvas.text(`value ${index}`, x + away, y + (y < chart.top + 24 ? 24 : -10), `${name} ${value}`, { anchor, kind: "pic-number pic-halo" });
}

function putCurveMarks(canvas, picture, chart, theme) {
  picture.marks.forEach(({ position, text }, index) => {
    const x = chart.x(picture.x[position]);
    const [y, isRight] = [CURVES_TOP - 36 + 20 * index, x > (chart.left + chart.right) / 2];
    canvas.line(`mark ${index}`, [[x, y - 12], [x, chart.bottom]], { stroke: theme.text }).style.strokeWidth = 1.5;
    canvas.text(`mark text ${index}`, x + (isRight ? -6 : 6), y, text, { anchor: isRight ? "end" : "start", kind: "pic-number pic-halo" });
  });
}
