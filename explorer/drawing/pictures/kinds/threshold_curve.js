// The rows of a numeric feature on a line, a threshold that can be moved, and above the line the gain of every threshold.

import { stairs } from "../../charts/lines.js";
import { linearScale, nearestOf } from "../../charts/scales.js";
import { say } from "../../tree_view/messages.js";
import { putDragArea } from "../drag.js";
import { putBall, putClasses } from "./pieces.js";

const [CUT_EDGE, SLIDER_HEIGHT, VALUES_HEIGHT, SIDES_HEIGHT, CUT_BALL] = [36, 38, 26, 34, 17];
const [MARKS_HEIGHT, MARK_LINE] = [40, 18];

export function drawThresholdCurve(canvas, picture, tools) {
  const [shownKey, { theme, local }] = [`cut ${picture.state}`, tools];
  const shown = Math.min(local[shownKey] ?? picture.shown, picture.cuts.length - 1);
  const choose = (cut) => cut !== shown && tools.change({ [shownKey]: cut });
  const stacks = stackedRows(picture.values);
  const frame = cutFrame(canvas, picture, Math.max(...stacks) + 1);
  const across = valueScale(picture.values, [CUT_EDGE + 26, canvas.width - CUT_EDGE]);
  const legend = putClasses(canvas, picture.classes, { x: CUT_EDGE, y: 28, room: canvas.width * 0.4 }, theme);
  const reading = picture.cuts[shown].reading;
  canvas.text("reading", canvas.width - CUT_EDGE, 28, canvas.shortened(reading, canvas.width - 2 * CUT_EDGE - legend, "pic-number"), { anchor: "end", kind: "pic-number" });
  const scaled = { ...frame, across };
  putSides(canvas, picture, picture.cuts[shown], scaled, theme);
  putThresholdLine(canvas, picture, shown, scaled, theme);
  if (picture.has_curve) putCurves(canvas, picture, shown, scaled, theme, choose);
  putValues(canvas, picture, stacks, scaled, theme);
  putThresholds(canvas, picture.cuts, shown, scaled);
  putMarks(canvas, picture.marks, scaled, theme);
  putDragging(canvas, picture, shown, scaled, theme, choose);
  canvas.slider("threshold", {
    x: CUT_EDGE + 10,
    y: canvas.height - SLIDER_HEIGHT + 6,
    width: canvas.width - 2 * CUT_EDGE - 10,
    label: say("Threshold of {feature}", { feature: picture.feature }),
    max: picture.cuts.length - 1,
    value: shown,
    said: reading,
    onInput: choose,
  });
}

/** How high each of the ascending values stands on equal ones: 0, 1, 2 … */
export function stackedRows(values) {
  return values.reduce((stacks, value, at) => [...stacks, at > 0 && value === values[at - 1] ? stacks[at - 1] + 1 : 0], []);
}

/** A linear scale from the values, with some room on both sides, to pixels. */
export function valueScale(values, places) {
  const [least, largest] = [values[0], values[values.length - 1]];
  const edge = (largest - least) * 0.05 || 1;
  return linearScale([least - edge, largest + edge], places);
}

/** The cut whose threshold is nearest to a place on the scale. */
export function nearestCut(cuts, across, x) {
  return nearestOf(cuts.map((cut) => across(cut.threshold)), x);
}

/** Which labels above places [x, y] do not cover one another: that of the first position, and then in order. */
export function withRoom(places, first, width, height = 17) {
  const kept = new Set([first]);
  places.forEach(([x, y], at) => {
    if ([...kept].every((other) => Math.abs(places[other][0] - x) >= width || Math.abs(places[other][1] - y) >= height)) kept.add(at);
  });
  return kept;
}

function cutFrame(canvas, picture, most) {
  const bottom = canvas.height - SLIDER_HEIGHT;
  const whole = bottom - VALUES_HEIGHT - (picture.marks.length ? MARKS_HEIGHT : 0) - SIDES_HEIGHT;
  const line = picture.has_curve ? whole : Math.min(whole, canvas.height * 0.62);
  const room = picture.has_curve ? Math.min(0.36 * line, 220) : line - 110;
  const radius = Math.max(4, Math.min(CUT_BALL * (picture.has_curve ? 1 : 1.6), room / (2 * most + 0.6)));
  const top = line - most * 2 * radius - (picture.has_curve ? 22 : 60);
  return { bottom, line, radius, ballsTop: top, curveTop: 78, curveBottom: top - 34 };
}

/** The two sides of the threshold, tinted, with what is said of the rows there. */
function putSides(canvas, picture, cut, { line, ballsTop, across }, theme) {
  const x = across(cut.threshold);
  const [left, right] = [CUT_EDGE, canvas.width - CUT_EDGE + 10];
  const sides = [["below", left, x - 2, cut.below], ["above", x + 2, right, cut.above]];
  for (const [name, from, to, text] of sides) {
    canvas.put(`side ${name}`, "rect", { x: from, y: ballsTop - 6, width: Math.max(to - from, 0), height: line - ballsTop + 6, rx: 5, fill: theme.panel, stroke: theme.border });
    const width = canvas.textWidth(text, "pic-small");
    const middle = Math.max(left + width / 2, Math.min(right - width / 2, (from + to) / 2));
    canvas.text(`side text ${name}`, middle, line + VALUES_HEIGHT + SIDES_HEIGHT - 14 + (picture.marks.length ? MARKS_HEIGHT : 0), text, { anchor: "middle", kind: "pic-small" });
  }
}

function putValues(canvas, picture, stacks, { line, radius, across }, theme) {
  let free = -Infinity;
  picture.values.forEach((value, at) => {
    const x = across(value);
    putBall(canvas, `${picture.feature} ${at}`, [x, line - 6 - radius - stacks[at] * 2 * radius], radius - 1, "", theme.classes[picture.codes[at]]);
    const half = canvas.textWidth(String(value), "pic-small") / 2;
    if (stacks[at] > 0 || x - half < free) return;
    free = x + half + 3;
    canvas.text(`value ${value}`, x, line + 18, String(value), { anchor: "middle", kind: "pic-small" });
  });
  canvas.line("value line", [[CUT_EDGE, line], [canvas.width - CUT_EDGE + 10, line]], { stroke: theme.quiet, "stroke-width": 1 });
}

/** The thresholds as numbers above the rows, as far as they have room beside the one in force. */
function putThresholds(canvas, cuts, shown, { ballsTop, across }) {
  const ends = cuts.map((cut) => [across(cut.threshold), canvas.textWidth(String(cut.threshold), "pic-number") / 2 + 3]);
  const free = (at, other) => Math.abs(ends[at][0] - ends[other][0]) > ends[at][1] + ends[other][1];
  let last = -1;
  cuts.forEach((cut, at) => {
    if (at !== shown && !(free(at, shown) && (last < 0 || free(at, last)))) return;
    last = at;
    canvas.text(`threshold ${at}`, ends[at][0], ballsTop - 14, String(cut.threshold), { anchor: "middle", kind: at === shown ? "pic-number pic-over-line" : "pic-small" });
  });
}

/** Other places for the threshold, their names below the values; a name that would touch another is a line lower. */
function putMarks(canvas, marks, { line, across }, theme) {
  let end = -Infinity;
  let level = 0;
  marks.forEach((mark, at) => {
    const [x, half] = [across(mark.value), canvas.textWidth(mark.text, "pic-small") / 2];
    level = x - half < end ? 1 - level : 0;
    end = x + half + 6;
    canvas.line(`mark ${at}`, [[x, line - 10], [x, line + 5]], { stroke: theme.primary });
    canvas.text(`mark text ${at}`, x, line + VALUES_HEIGHT + 12 + level * MARK_LINE, mark.text, { anchor: "middle", kind: "pic-small" });
  });
}

function putCurves(canvas, picture, shown, frame, theme, choose) {
  const { across, curveTop, curveBottom } = frame;
  const up = (height) => curveBottom - (Math.max(height, 0) / picture.most) * (curveBottom - curveTop);
  const distinct = [...new Set(picture.values)];
  const place = ([value, height]) => [across(value), up(height)];
  canvas.line("curve axis", [[CUT_EDGE, curveBottom], [canvas.width - CUT_EDGE + 10, curveBottom]], { stroke: theme.quiet, "stroke-width": 1 });
  const hasSecond = picture.cuts[0].second !== null;
  if (hasSecond) {
    canvas.line("second curve", stairs(distinct, picture.cuts.map((cut) => cut.second)).map(place), { stroke: theme.quiet, "stroke-dasharray": "5 4" });
  }
  canvas.line("first curve", stairs(distinct, picture.cuts.map((cut) => cut.height)).map(place), { stroke: theme.primary });
  picture.names.forEach((name, at) => putName(canvas, picture, name, at, theme));
  const places = picture.cuts.map((cut) => place([cut.threshold, cut.height]));
  const labelled = hasSecond ? new Set([shown]) : withRoom(places, shown, canvas.textWidth("0.000", "pic-number"));
  picture.cuts.forEach((cut, at) => {
    const [x, y] = places[at];
    const dot = canvas.put(`cut ${at}`, "circle", { cx: x, cy: y, r: at === shown ? 8 : 5.5, fill: cut.is_out ? theme.background : theme.primary, stroke: theme.primary, "stroke-width": 2, class: "pic-cut" });
    dot.onclick = () => choose(at);
    if (labelled.has(at)) canvas.text(`cut number ${at}`, x, y - 14, cut.height.toFixed(3), { anchor: "middle", kind: at === shown ? "pic-number pic-over-line" : "pic-small pic-over-line" });
  });
}

/** The name of a curve with a piece of its line, at the upper left. */
function putName(canvas, picture, name, at, theme) {
  if (picture.names.length < 2) return void canvas.text("curve name 0", CUT_EDGE, 54, name, { kind: "pic-small" });
  const y = 50 + at * 18;
  canvas.line(`curve key ${at}`, [[CUT_EDGE, y - 4], [CUT_EDGE + 24, y - 4]], { stroke: at ? theme.quiet : theme.primary, "stroke-dasharray": at ? "5 4" : "none" });
  canvas.text(`curve name ${at}`, CUT_EDGE + 30, y, name, { kind: "pic-small" });
}

function putThresholdLine(canvas, picture, shown, { line, ballsTop, curveTop, across }, theme) {
  const x = across(picture.cuts[shown].threshold);
  canvas.line("threshold", [[x, picture.has_curve ? curveTop : ballsTop - 8], [x, line + 6]], { stroke: theme.text, "stroke-width": 2 });
}

/** The rows, where the threshold is dragged, by the mouse or by touch, from cut to cut. */
function putDragging(canvas, picture, shown, { line, ballsTop, across }, theme, choose) {
  const x = across(picture.cuts[shown].threshold);
  canvas.put("grip", "rect", { x: x - 14, y: ballsTop - 10, width: 28, height: line - ballsTop + 18, rx: 8, fill: theme.text, opacity: 0.1 });
  const frame = { x: CUT_EDGE, y: ballsTop - 12, width: canvas.width - 2 * CUT_EDGE + 10, height: line - ballsTop + 24 };
  putDragArea(canvas, "drag", { ...frame, onDrag: (to) => choose(nearestCut(picture.cuts, across, to)) }).style.cursor = "ew-resize";
}
