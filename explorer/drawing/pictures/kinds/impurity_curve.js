// Measures against the share p of a class, for two classes: lines, a point that is dragged along them, and its balls.
//
// picture: {classes, n (balls), start (balls of the class counted), curves: [{measure, factor, label}], top (of the y
// axis)}

import { ballSigns, countsText, drawBall } from "../balls.js";
import { drawAxes, drawFunction, drawReadout } from "../axes.js";
import { putDragArea, putHandle } from "../drag.js";
import { measureColour, measureText } from "../measures.js";
import { impurityOf } from "../model/impurities.js";
import { listing, say } from "../../tree_view/messages.js";

const [CURVE_LEFT, CURVE_RIGHT, CURVE_ABOVE, CURVE_BELOW] = [64, 36, 132, 64];

export function drawImpurityCurve(canvas, picture, tools) {
  const count = tools.local.count ?? picture.start;
  const box = { left: CURVE_LEFT, right: canvas.width - CURVE_RIGHT, top: CURVE_ABOVE, bottom: canvas.height - CURVE_BELOW };
  const scales = drawAxes(canvas, "curve", box, curveAxes(picture));
  for (const curve of picture.curves) drawCurve(canvas, scales, curve, tools.theme);
  drawCurveNames(canvas, picture.curves, box, tools.theme);
  drawStrip(canvas, picture, box, count);
  drawPoint(canvas, picture, scales, box, count, tools);
}

function curveAxes({ classes, top }) {
  const quarters = ["0", "1/4", "1/2", "3/4", "1"].map((text, k) => ({ at: k / 4, text }));
  return {
    x: { low: 0, high: 1, title: say("p, the share of {class}", { class: classes[1] }), titleAt: "middle", away: 46, kind: "pic-label", ticks: quarters, hasLines: true },
    y: { low: 0, high: top, wanted: top > 0.6 ? 4 : 5 },
  };
}

/** The value of a curve at a share. */
function curveValue({ measure, factor }, p) {
  return factor * impurityOf(measure, [1 - p, p]);
}

function drawCurve(canvas, scales, curve, theme) {
  const stroke = measureColour(curve.measure, theme);
  drawFunction(canvas, `curve ${curve.measure}`, scales, (p) => curveValue(curve, p), { class: "pic-line pic-curve", stroke });
}

/** The names of the curves in a row above the plot, each after a piece of its line. */
function drawCurveNames(canvas, curves, { left, top }, theme) {
  let x = left;
  for (const { measure, label } of curves) {
    const colour = measureColour(measure, theme);
    canvas.line(`name line ${measure}`, [[x, top - 25], [x + 20, top - 25]], { class: "pic-line pic-curve", stroke: colour });
    canvas.text(`name ${measure}`, x + 28, top - 20, label, { fill: colour, kind: "pic-number" });
    x += 28 + canvas.textWidth(label, "pic-number") + 22;
  }
}

/** The balls in a row above the plot, those of the class that is counted first. */
function drawStrip(canvas, { classes, n }, { left, right }, count) {
  const step = Math.min((right - left) / n, 46);
  const start = (left + right - step * n) / 2;
  const radius = Math.min(step / 2.3, 17);
  const signs = ballSigns(classes);
  for (let k = 0; k < n; k++) drawBall(canvas, `ball ${k}`, [start + (k + 0.5) * step, 34], radius, k < count ? 1 : 0, signs);
  canvas.text("strip counts", (left + right) / 2, 80, countsText(classes, [n - count, count]), { anchor: "middle", kind: "pic-title" });
}

function drawPoint(canvas, picture, scales, box, count, tools) {
  const p = count / picture.n;
  const x = scales.x(p);
  canvas.line("point line", [[x, box.top], [x, box.bottom]], { class: "pic-line pic-guide", stroke: tools.theme.text });
  for (const curve of picture.curves) {
    const fill = measureColour(curve.measure, tools.theme);
    canvas.put(`point ${curve.measure}`, "circle", { cx: x, cy: scales.y(curveValue(curve, p)), r: 6, fill, stroke: tools.theme.background, "stroke-width": 2 });
  }
  canvas.put("point knob", "circle", { class: "pic-knob", cx: x, cy: box.bottom, r: 11, fill: tools.theme.primary, stroke: tools.theme.background });
  const lines = pointLines(picture, count, tools.theme);
  drawReadout(canvas, "point", x, box.top + 0.42 * (box.bottom - box.top), lines);
  putPointControls(canvas, picture, scales, box, { count, said: listing(lines.map((line) => line.text)) }, tools);
}

function pointLines({ curves, n }, count, theme) {
  const p = count / n;
  const values = curves.map((curve) => {
    const value = curveValue(curve, p);
    const text = curve.factor === 1 ? measureText(curve.measure, value) : value.toFixed(3);
    return { text: say("{name}: {value}", { name: curve.label, value: text }), fill: measureColour(curve.measure, theme) };
  });
  return [{ text: `p = ${count}/${n} = ${p.toFixed(3)}`, fill: null }, ...values];
}

/** The knob on the axis moves by keys; pressing anywhere in the plot moves the point there. */
function putPointControls(canvas, { classes, n }, scales, box, { count, said }, tools) {
  const to = (wanted) => tools.change({ count: Math.min(Math.max(Math.round(wanted), 0), n) });
  const onDrag = (x) => to(scales.x.invert(x) * n);
  putDragArea(canvas, "curve area", { x: box.left - 12, y: box.top, width: box.right - box.left + 24, height: box.bottom - box.top, onDrag, handle: "curve knob" });
  const label = say("Balls of class {class}", { class: classes[1] });
  putHandle(canvas, "curve knob", {
    x: scales.x(count / n), y: box.bottom, radius: 18, label, said, now: count, max: n, onDrag,
    onKey: (right, down) => to(count + right - down),
    onEnds: (isLast) => to(isLast ? n : 0),
  });
}
