// Points by one feature, a cut that is dragged, the means on its sides, and squared errors as squares.

import { say } from "../../tree_view/messages.js";
import { dragAcross, drawAxes } from "../axes.js";
import { nearestOf } from "../../charts/scales.js";

const [CUT_LEFT, CUT_RIGHT, CUT_TOP, CURVE_SHARE] = [58, 24, 40, 0.36];

export function drawCut(canvas, picture, tools) {
  const position = tools.local.cut ?? picture.shown;
  const cut = picture.cuts[position] ?? null;
  const hasCurve = picture.has_curve && picture.cuts.length > 0;
  const sliderRoom = cut ? 40 : 0;
  const bottom = canvas.height - sliderRoom - 24;
  const split = hasCurve ? bottom - (bottom - CUT_TOP) * CURVE_SHARE : bottom;
  const sides = { left: CUT_LEFT, right: canvas.width - CUT_RIGHT };
  const [xs, ys] = ranges(picture.points);
  const box = { ...sides, top: CUT_TOP + 14, bottom: split - (hasCurve ? 44 : 18) };
  const frame = drawAxes(canvas, "points", box, { x: { low: xs[0], high: xs[1], title: hasCurve ? "" : picture.x_name }, y: { low: ys[0], high: ys[1], title: picture.y_name } });
  putErrors(canvas, picture, cut, frame, tools.theme);
  const to = (value) => tools.change({ cut: nearestOf(picture.cuts.map(({ threshold }) => threshold), value) });
  if (hasCurve) putCurve(canvas, picture, position, { ...sides, top: split + 6, bottom }, frame.x, tools.theme);
  if (!cut) return;
  const low = hasCurve ? bottom : frame.bottom;
  canvas.line("cut", [[frame.x(cut.threshold), frame.top], [frame.x(cut.threshold), low]], { stroke: tools.theme.text, "stroke-dasharray": "5 4", class: "pic-line pic-quick" });
  dragAcross(canvas, "drag", { ...frame, bottom: low }, frame.x, to);
  putCutSlider(canvas, picture, position, tools, frame);
}

function ranges(points) {
  const [x, y] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const room = (Math.max(...y) - Math.min(...y)) * 0.12;
  return [[Math.min(...x) - 0.5, Math.max(...x) + 0.5], [Math.min(...y) - room, Math.max(...y) + room]];
}

/** The side of the square of a row: how far its y is from the mean of its side. */
export function errorOf([x, y], cut, mean) {
  return y - (cut ? (x <= cut.threshold ? cut.left_mean : cut.right_mean) : mean);
}

function putErrors(canvas, picture, cut, frame, theme) {
  picture.points.forEach((point, i) => {
    const [x, mean] = [frame.x(point[0]), frame.y(point[1] - errorOf(point, cut, picture.mean))];
    const [y, side] = [frame.y(point[1]), Math.abs(frame.y(point[1]) - mean)];
    const isRight = cut && point[0] > cut.threshold;
    const start = x + side > frame.right || (isRight && x - side > frame.left) ? x - side : x;
    canvas.put(`square ${i}`, "rect", { x: start, y: Math.min(y, mean), width: side, height: side, fill: theme.primary, "fill-opacity": 0.16, stroke: theme.primary, "stroke-opacity": 0.5 });
  });
  for (const [side, from, to, mean] of sidesOf(picture, cut, frame)) {
    canvas.line(`mean ${side}`, [[from, frame.y(mean)], [to, frame.y(mean)]], { stroke: theme.primary });
    const name = side === "left" ? "c₁" : side === "right" ? "c₂" : "ȳ";
    const [x, anchor] = side === "right" ? [to, "end"] : [from + 4, "start"];
    canvas.text(`mean text ${side}`, x, frame.y(mean) + (side === "right" ? 22 : -8), `${name} = ${mean.toFixed(2)}`, { anchor, kind: "pic-number" });
  }
  picture.points.forEach((point, i) => canvas.put(`point ${i}`, "circle", { cx: frame.x(point[0]), cy: frame.y(point[1]), r: 6, fill: theme.text }));
  const error = cut ? cut.squared_error : picture.squared_error;
  const text = say("Sum of squared errors = {error}", { error: error.toFixed(2) });
  if (picture.has_curve || !cut) canvas.text("error", frame.right, frame.top - 24, text, { anchor: "end", kind: "pic-title" });
}

function sidesOf(picture, cut, frame) {
  if (!cut) return [["all", frame.left, frame.right, picture.mean]];
  const at = frame.x(cut.threshold);
  return [["left", frame.left, at, cut.left_mean], ["right", at, frame.right, cut.right_mean]];
}

function putCurve(canvas, picture, position, box, scale, theme) {
  const sums = picture.cuts.map((cut) => cut.squared_error);
  const up = { low: 0, high: Math.max(...sums) * 1.25, title: say("Sum of squared errors m(s) by cut s") };
  const frame = drawAxes(canvas, "sums", box, { x: { scale }, y: up });
  const places = picture.cuts.map((cut) => [frame.x(cut.threshold), frame.y(cut.squared_error)]);
  canvas.line("curve", places, { stroke: theme.quiet });
  const lowest = sums.indexOf(Math.min(...sums));
  picture.cuts.forEach((cut, i) => {
    const [x, y] = places[i];
    const isShown = i === position;
    canvas.put(`sum ${i}`, "circle", { cx: x, cy: y, r: isShown ? 7 : 4, fill: i === picture.best ? theme.primary : theme.text });
    const isFalling = i === lowest || cut.squared_error > (sums[i + 1] ?? Infinity);
    const kind = isShown || i === picture.best ? "pic-number" : "pic-small";
    canvas.text(`sum text ${i}`, isFalling ? x + 6 : x - 6, y - 8, cut.squared_error.toFixed(2), { anchor: isFalling ? "start" : "end", kind });
  });
}

function putCutSlider(canvas, picture, position, { change }, frame) {
  canvas.slider("cut slider", {
    x: frame.left, y: canvas.height - 34, width: frame.right - frame.left, label: say("Cut"), max: picture.cuts.length - 1, value: position,
    said: `${picture.x_name} ≤ ${picture.cuts[position].threshold}`, onInput: (cut) => change({ cut }),
  });
}
