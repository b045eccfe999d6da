// Error rate against leaves on a logarithmic axis; the size is dragged, and the tree beside it has that size.

import { putDragSurface } from "../drag.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { areaOf, drawAxes } from "../axes.js";
import { linearScale, logScale } from "../../charts/scales.js";
import { drawSmallTree } from "./small_tree.js";

const [SIZE_LEFT, SIZE_TICKS] = [56, [1, 2, 5, 10, 20, 50, 100, 200, 500]];
const [TICKS_BELOW, TITLE_WIDTH, LIMIT_WIDTH] = [18, 64, 190];

export function drawSizeCurve(canvas, picture, { theme, local, change }) {
  const position = local.position ?? picture.begin;
  const { box, treeBox, below } = sizeBoxes(canvas);
  const largest = picture.points[0].leaves;
  const highest = 1.08 * Math.max(...picture.points.map((point) => Math.max(point.training, picture.shows_validation ? point.mean + point.standard_error : 0)));
  const point = picture.points[position];
  canvas.text("title", 16, 28, sizeWords(point, picture.shows_validation), { kind: "pic-title" });
  const ticks = SIZE_TICKS.filter((tick) => tick <= largest).map((at) => ({ at, text: String(at) }));
  const chart = drawAxes(canvas, "axes", box, {
    x: { scale: logScale([1, largest], [box.left, box.right]), ticks, bounds: [box.left - 40, box.right - TITLE_WIDTH], title: say("leaves"), away: TICKS_BELOW },
    y: { scale: linearScale([0, highest], [box.bottom, box.top]), isDrawn: true, title: say("error rate") },
  });
  const place = ({ leaves }, value) => [chart.x(leaves), chart.y(value)];
  if (picture.shows_validation) drawValidationCurve(canvas, picture, place, theme);
  const training = picture.points.map((each) => place(each, each.training));
  canvas.line("training", training, { stroke: theme.quiet, "stroke-dasharray": "6 4", class: "pic-line" });
  const [x, y] = training[nearestSize(picture.points, largest ** 0.65)];
  canvas.text("training text", x - 8, y + 26, say("training rows"), { anchor: "end", kind: "pic-small pic-halo" });
  if (picture.best !== null) drawSizeMarks(canvas, picture, place, chart, theme);
  drawChosenSize(canvas, picture, point, place, chart, theme);
  const setPosition = (next) => change({ position: Math.min(Math.max(next, 0), picture.points.length - 1) });
  putDragSurface(canvas, "drag", areaOf(chart), (at) => setPosition(nearestSize(picture.points, chart.x.invert(at))));
  canvas.slider("size", {
    x: chart.left - 6,
    y: below,
    width: chart.right - chart.left + 12,
    label: say("Number of leaves"),
    max: picture.points.length - 1,
    value: picture.points.length - 1 - position,
    said: sizeWords(point, picture.shows_validation),
    onInput: (value) => setPosition(picture.points.length - 1 - value),
  });
  const leaves = picture.tree.nodes.filter(({ number }) => picture.leaf_from[number] <= position);
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(leaves.map(({ number }) => number)) });
}

/** The position of the subtree whose leaves are nearest to a number, as a ratio. */
export function nearestSize(points, leaves) {
  const ratios = points.map((point) => Math.abs(Math.log(point.leaves / leaves)));
  return ratios.indexOf(Math.min(...ratios));
}

function sizeBoxes(canvas) {
  const isStacked = canvas.height > 0.85 * canvas.width && canvas.height > 460;
  const [width, height] = isStacked ? [canvas.width, canvas.height * 0.62] : [canvas.width * 0.58, canvas.height];
  const box = { left: SIZE_LEFT, right: width - 20, top: 66, bottom: height - 74 };
  const treeBox = isStacked
    ? { x: 12, y: height, width: width - 24, height: canvas.height - height + 24 }
    : { x: width + 12, y: 52, width: canvas.width - width - 24, height: canvas.height - 70 };
  return { box, treeBox, below: height - 34 };
}

function sizeWords(point, showsValidation) {
  const leaves = sayCount(point.leaves, "{n} leaf", "{n} leaves");
  const fields = { leaves, training: point.training.toFixed(3), mean: point.mean.toFixed(3), error: point.standard_error.toFixed(4) };
  return showsValidation
    ? say("{leaves}: error {mean} ± {error}, training {training}", fields)
    : say("{leaves}: training error {training}", fields);
}

function drawValidationCurve(canvas, { points, others }, place, theme) {
  const upper = points.map((point) => place(point, point.mean + point.standard_error));
  const lower = points.map((point) => place(point, point.mean - point.standard_error));
  const outline = [...upper, ...lower.reverse(), upper[0]];
  canvas.line("ribbon", outline, { fill: theme.primary, stroke: "none", opacity: 0.16, class: "pic-edge" });
  others.forEach((means, index) => {
    const line = points.map((point, position) => place(point, means[position]));
    canvas.line(`other ${index}`, line, { stroke: theme.text, "stroke-width": 1.2, opacity: 0.5, class: "pic-edge" });
  });
  canvas.line("validation", points.map((point) => place(point, point.mean)), { stroke: theme.primary, class: "pic-line" });
}

function drawSizeMarks(canvas, { points, best, one_se }, place, chart, theme) {
  const limit = points[best].mean + points[best].standard_error;
  const y = place(points[best], limit)[1];
  if (one_se !== null) {
    canvas.line("limit", [[chart.left, y], [chart.right, y]], { stroke: theme.primary, "stroke-dasharray": "2 4", class: "pic-edge" });
    const text = say("best + 1 SE = {limit}", { limit: limit.toFixed(4) });
    const right = chart.right; // where the mark of the 1-SE tree does not stand
    const [x, anchor] = place(points[one_se], 0)[0] < chart.left + LIMIT_WIDTH ? [right, "end"] : [chart.left + 8, "start"];
    canvas.text("limit text", x, y + 18, text, { anchor, kind: "pic-small pic-halo" });
  }
  const marks = [["best", best, say("best")], ...(one_se === null ? [] : [["one se", one_se, say("1-SE")]])];
  for (const [key, position, text] of marks) {
    const [x, at] = place(points[position], points[position].mean);
    canvas.put(`${key} dot`, "circle", { cx: x, cy: at, r: 6, fill: theme.primary, stroke: theme.text, "stroke-width": 1.5 });
    canvas.text(`${key} text`, x, at + 26, say("{name}: {value}", { name: text, value: points[position].leaves }), { anchor: "middle", kind: "pic-number pic-halo" });
  }
}

function drawChosenSize(canvas, picture, point, place, chart, theme) {
  const [x, y] = place(point, picture.shows_validation ? point.mean : point.training);
  canvas.line("chosen", [[x, chart.top], [x, chart.bottom]], { stroke: theme.text, class: "pic-edge pic-instant" });
  canvas.put("chosen dot", "circle", { cx: x, cy: y, r: 4.5, fill: theme.text, class: "pic-instant" });
}
