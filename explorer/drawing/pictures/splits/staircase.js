// The staircase that a regression tree of one feature predicts, and the tree below it in the same scale.

import { say, sayCount } from "../../tree_view/messages.js";
import { drawAxes } from "../axes.js";

const [STAIR_LEFT, STAIR_RIGHT, STAIR_TOP, STAIR_FOOT, PLOT_SHARE, TEXT_LEVEL] = [58, 24, 60, 52, 0.5, 24];

export function drawStaircase(canvas, picture, tools) {
  const splits = tools.local.splits ?? picture.shown;
  const bottom = canvas.height - STAIR_FOOT;
  const middle = STAIR_TOP + (bottom - STAIR_TOP) * PLOT_SHARE;
  const sides = { left: STAIR_LEFT, right: canvas.width - STAIR_RIGHT };
  const [y, x] = [picture.points.map((point) => point[1]), picture.points.map((point) => point[0])];
  const room = (Math.max(...y) - Math.min(...y)) * 0.1;
  const axes = {
    x: { low: Math.min(...x) - 0.5, high: Math.max(...x) + 0.5 },
    y: { low: Math.min(...y) - room, high: Math.max(...y) + room, title: picture.y_name },
  };
  const frame = drawAxes(canvas, "points", { ...sides, top: STAIR_TOP, bottom: middle - 24 }, axes);
  putStairs(canvas, picture, splits, frame, tools.theme);
  putStairTree(canvas, picture, splits, frame, [middle + 26, bottom - 22], tools.theme);
  putStairSlider(canvas, picture, splits, tools, frame);
}

/** The nodes drawn after so many splits, with whether each is a leaf then. */
export function stairsAfter(stairs, splits) {
  return stairs.map((stair, id) => ({ ...stair, id, isLeaf: stair.until === null || stair.until >= splits })).filter((stair) => stair.since <= splits);
}

function putStairs(canvas, picture, splits, frame, theme) {
  const drawn = stairsAfter(picture.stairs, splits);
  const leaves = drawn.filter((stair) => stair.isLeaf);
  picture.points.forEach(([x, y], i) => {
    const leaf = leaves.find(({ low, high }) => x > low && x <= high);
    const [place, mean] = [frame.x(x), frame.y(leaf.mean)];
    canvas.line(`residual ${i}`, [[place, frame.y(y)], [place, mean]], { stroke: theme.primary, "stroke-opacity": 0.5 });
    canvas.put(`point ${i}`, "circle", { cx: place, cy: frame.y(y), r: 6, fill: theme.text });
  });
  for (const { id, low, high, mean } of leaves) {
    canvas.line(`stair ${id}`, [[frame.x(low), frame.y(mean)], [frame.x(high), frame.y(mean)]], { stroke: theme.primary }).style.strokeWidth = 4;
  }
  const error = picture.squared_errors[splits].toFixed(2);
  const text = `${sayCount(leaves.length, "{n} leaf", "{n} leaves")} · ${say("sum of squared errors {error}", { error })}`;
  canvas.text("error", frame.right, 30, text, { anchor: "end", kind: "pic-title" });
}

function putStairTree(canvas, picture, splits, frame, [top, bottom], theme) {
  const deepest = Math.max(...picture.stairs.map(({ depth }) => depth), 1);
  const hasTexts = (bottom - top) / deepest >= TEXT_LEVEL;
  const drawn = stairsAfter(picture.stairs, splits);
  const placed = new Map(drawn.map((stair) => [stair.id, placeOf(stair, frame, top + ((bottom - top) * stair.depth) / deepest)]));
  for (const stair of drawn) {
    if (stair.parent < 0) continue;
    const [from, to] = [placed.get(stair.parent), placed.get(stair.id)];
    canvas.line(`branch ${stair.id}`, [from, [to[0], from[1]], to], { stroke: theme.quiet });
  }
  for (const stair of drawn) {
    const [x, y] = placed.get(stair.id);
    if (!stair.isLeaf) {
      const at = frame.x(stair.threshold);
      canvas.line(`cut ${stair.id}`, [[at, frame.top], [at, y]], { stroke: theme.quiet, "stroke-dasharray": "3 4", "stroke-opacity": 0.6 }).style.strokeWidth = 1.5;
    }
    canvas.put(`node ${stair.id}`, "circle", { cx: x, cy: y, r: stair.isLeaf ? 6 : 4, fill: stair.isLeaf ? theme.primary : theme.quiet });
    const text = stair.isLeaf ? stair.mean.toFixed(2) : `${picture.x_name} ≤ ${stair.threshold}`;
    if (hasTexts) canvas.text(`node text ${stair.id}`, x, stair.isLeaf ? y + 20 : y - 8, text, { anchor: "middle", kind: stair.isLeaf ? "pic-small" : "pic-number" });
  }
}

/** An inner node stands over its threshold, a leaf over the middle of its interval. */
function placeOf({ isLeaf, low, high, threshold }, frame, y) {
  return [frame.x(isLeaf ? (low + high) / 2 : threshold), y];
}

function putStairSlider(canvas, picture, splits, { change }, frame) {
  const most = picture.squared_errors.length - 1;
  if (most < 1) return;
  canvas.slider("splits", {
    x: frame.left, y: canvas.height - 30, width: frame.right - frame.left, label: say("Number of splits"), max: most, value: splits,
    said: sayCount(splits, "{n} split", "{n} splits"), onInput: (given) => change({ splits: given }),
  });
}
