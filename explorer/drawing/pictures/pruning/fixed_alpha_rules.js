// Rules of pruning with a fixed α side by side: the tree that each leaves, and its leaves as a staircase over α.

import { putDragSurface } from "../drag.js";
import { stairs } from "../../charts/lines.js";
import { say, sayCount } from "../../tree_view/messages.js";
import { areaOf, drawAxes } from "../axes.js";
import { rowsWithoutOverlap } from "../text.js";
import { drawSmallTree } from "./small_tree.js";

const [RULE_STEPS, STAIRS_SHARE, STAIRS_ROW] = [500, 0.2, 17];

export function drawFixedAlphaRules(canvas, picture, { theme, local, change }) {
  const alpha = local.alpha ?? picture.alpha;
  const setAlpha = (value) => !picture.asks && change({ alpha: Math.min(Math.max(value, picture.least), picture.most) });
  canvas.text("title", 16, 28, `α = ${alpha.toFixed(4)}`, { kind: "pic-title" });
  const width = canvas.width / picture.rules.length;
  picture.rules.forEach((rule, index) => {
    drawRule(canvas, picture, rule, { index, x: index * width, width, alpha, theme, setAlpha });
  });
  if (picture.asks) return;
  canvas.slider("alpha", {
    x: 16,
    y: canvas.height - 30,
    width: canvas.width - 32,
    label: say("α, the penalty per leaf"),
    max: RULE_STEPS,
    value: Math.round(((alpha - picture.least) / (picture.most - picture.least)) * RULE_STEPS),
    said: `α = ${alpha.toFixed(4)}`,
    onInput: (value) => setAlpha(picture.least + (value / RULE_STEPS) * (picture.most - picture.least)),
  });
}

/** The interval of α that holds it: the last one that begins at or below it. */
export function intervalAt(intervals, alpha) {
  return intervals.filter(({ begin }) => begin <= alpha + 1e-12).at(-1);
}

function drawRule(canvas, picture, rule, { index, x, width, alpha, theme, setAlpha }) {
  const now = intervalAt(rule.intervals, alpha);
  const leaves = sayCount(now.leaves, "{n} leaf", "{n} leaves");
  const height = Math.max(60, canvas.height * STAIRS_SHARE);
  const bottom = canvas.height - 104;
  const box = { left: x + 34, right: x + width - 28, top: bottom - height, bottom };
  canvas.text(`rule ${index}`, x + 16, 56, canvas.shortened(rule.title, width - 24), { kind: "pic-label" });
  canvas.text(`rule leaves ${index}`, x + 16, 80, leaves, { kind: "pic-number", fill: theme.primary });
  const treeBox = { x: x + 12, y: 92, width: width - 24, height: Math.min(box.top - 120, 420) };
  drawSmallTree(canvas, picture.tree, treeBox, { theme, leaves: new Set(now.pruned), name: `tree ${index}` });
  if (!picture.asks) drawStairs(canvas, picture, rule, box, { index, alpha, theme, setAlpha });
}

function drawStairs(canvas, picture, rule, box, { index, alpha, theme, setAlpha }) {
  const heights = rule.intervals.map(({ leaves }) => leaves);
  const edges = [...rule.intervals.map(({ begin }) => Math.max(begin, picture.least)), picture.most];
  const ticks = [...new Set(heights)].map((at) => ({ at, text: String(at) }));
  const key = `stairs ${index}`;
  const chart = drawAxes(canvas, key, box, {
    x: { low: picture.least, high: picture.most, ticks: [] },
    y: { low: 0, high: Math.max(...heights), ticks, hasLines: false, isDrawn: true, title: say("leaves over α") },
  });
  canvas.line(key, stairs(edges, heights).map(([x, y]) => [chart.x(x), chart.y(y)]), { stroke: theme.primary, class: "pic-line" });
  drawStairTexts(canvas, rule, chart, key);
  const at = chart.x(alpha);
  canvas.line(`${key} alpha`, [[at, box.top - 4], [at, box.bottom]], { stroke: theme.text, class: "pic-edge pic-instant" });
  putDragSurface(canvas, `${key} drag`, areaOf({ ...box, bottom: box.bottom + 10 }), (place) => setAlpha(chart.x.invert(place)));
}

function drawStairTexts(canvas, rule, chart, key) {
  const shown = rule.intervals.slice(1);
  const half = (text) => text.length * 3.7;
  const places = shown.map(({ begin, text }) => Math.min(chart.x(begin), chart.right + 26 - half(text)));
  const rows = rowsWithoutOverlap(places, shown.map(({ text }) => text));
  shown.forEach(({ text }, index) => {
    const y = chart.bottom + 18 + rows[index] * STAIRS_ROW;
    canvas.text(`${key} text ${index}`, places[index], y, text, { anchor: "middle", kind: "pic-small pic-halo" });
  });
}
