// Axes of the curve: the coordinate of each position, and readable ticks.
//
// A *scale* is {kind, edges or centres, low, high, ticks: [{at, text}], title}, in units of the axis; the plot maps
// [low, high] to pixels. Against α a subtree holds from its edge to the next: its centre is the middle.

import { inPercent } from "../format.js";
import { say } from "../messages.js";
import { alphaText } from "../model/alpha_interval.js";

const FEW_POSITIONS = 12;
const FEW_LEAVES = 30;
const TICK_STEPS = [1, 2, 5, 10];
const DECADE_PARTS = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Against α: a short sequence gives each interval the same width, a long one has log10 α with the zeros left of it. */
export function alphaScale(alphas) {
  const zeros = alphas.findIndex((alpha) => alpha > 0);
  if (alphas.length <= FEW_POSITIONS || zeros < 0) return equalScale(alphas);
  const first = Math.log10(alphas[zeros]);
  const last = Math.log10(alphas[alphas.length - 1]);
  const margin = 0.06 * Math.max(last - first, 0.5);
  const edges = new Float64Array(alphas.length + 1);
  for (let k = 0; k < alphas.length; k++) edges[k] = k < zeros ? first - margin * (zeros - k) : Math.log10(alphas[k]);
  edges[alphas.length] = last + margin;
  const ticks = decadeTicks(first, last);
  if (zeros > 0) ticks.unshift({ at: edges[0], text: "0" });
  return steppedScale(edges, ticks, say("α (logarithmic)"));
}

function equalScale(alphas) {
  const edges = Float64Array.from({ length: alphas.length + 1 }, (_, k) => k);
  const ticks = Array.from(alphas, (_, k) => ({ at: k, text: alphaText({ alphas }, k) }));
  return steppedScale(edges, ticks, say("α (each step equally wide)"));
}

function steppedScale(edges, ticks, title) {
  const centres = new Float64Array(edges.length - 1);
  for (let k = 0; k < centres.length; k++) centres[k] = (edges[k] + edges[k + 1]) / 2;
  return { kind: "steps", edges, centres, low: edges[0], high: edges[edges.length - 1], ticks, title };
}

/** Against leaves, the root at the left; logarithmic for large trees. */
export function leafScale(leaves) {
  const most = leaves.reduce((a, b) => Math.max(a, b), 1);
  const isLog = most > FEW_LEAVES;
  const centres = Float64Array.from(leaves, (count) => (isLog ? Math.log10(count) : count));
  const high = isLog ? Math.log10(most) : Math.max(most, 2);
  const low = isLog ? 0 : 1;
  const room = 0.03 * (high - low);
  const ticks = isLog ? decadeTicks(low, high) : wholeTicks(most);
  return { kind: "points", centres, low: low - room, high: high + room, ticks, title: isLog ? say("leaves (logarithmic)") : say("leaves") };
}

function wholeTicks(most) {
  const step = most <= 12 ? 1 : most <= 20 ? 2 : 5;
  const values = [1];
  for (let value = step === 1 ? 2 : step; value <= most; value += step) values.push(value);
  return values.map((value) => ({ at: value, text: String(value) }));
}

/** Ticks of a logarithmic axis between two powers: decades, with 2 and 5 or more in between where they are few. */
export function decadeTicks(low, high) {
  let ticks = [];
  for (const parts of DECADE_PARTS) {
    ticks = partsOfDecades(parts, low, high);
    if (ticks.length >= 4) break;
  }
  return ticks;
}

function partsOfDecades(parts, low, high) {
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const part of parts) {
      const at = power + Math.log10(part);
      if (at >= low - 1e-9 && at <= high + 1e-9) ticks.push({ at, text: decadeText(part, power) });
    }
  }
  return ticks;
}

function decadeText(part, power) {
  if (power >= -4 && power <= 5) return Number(`${part}e${power}`).toLocaleString("en-US", { maximumFractionDigits: 6 });
  const raised = [...String(Math.abs(power))].map((digit) => SUPERSCRIPTS[digit]).join("");
  return `${part === 1 ? "" : `${part}·`}10${power < 0 ? "⁻" : ""}${raised}`;
}

/** The y axis: round numbers around the values, [0, 1] kept for shares. */
export function scoreScale(least, largest, isShare) {
  const spread = largest - least || Math.max(Math.abs(largest) * 0.1, isShare ? 0.1 : 1e-9);
  let [low, high] = [least - 0.08 * spread, largest + 0.08 * spread];
  if (least === largest) [low, high] = [least - spread / 2, largest + spread / 2];
  if (isShare) [low, high] = [Math.max(low, -0.02), Math.min(high, 1.02)];
  else if (least >= 0) low = Math.max(low, -0.03 * spread);
  return { low, high, ticks: roundTicks(low, high, 5, isShare) };
}

/** Round numbers in a range, about `wanted` of them; shares as per cent. */
export function roundTicks(low, high, wanted, isShare) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * TICK_STEPS.find((multiple) => multiple * power >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    if (isShare && (k * step < -1e-9 || k * step > 1 + 1e-9)) continue;
    ticks.push({ at: k * step, text: scoreTick(k * step, step, isShare) });
  }
  return ticks;
}

function scoreTick(value, step, isShare) {
  const unit = isShare ? step * 100 : step;
  const decimals = Math.min(Math.max(-Math.floor(Math.log10(unit) + 1e-9), 0), 12);
  const shown = (isShare ? value * 100 : value) || 0;
  const text = shown.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return isShare ? inPercent(text) : text;
}

/** Ticks whose texts keep a gap between them and stay within [left, right]: the first of those that collide stays. */
export function spacedTicks(ticks, toPixel, widthOf, [left, right], gap) {
  const kept = [];
  let end = -Infinity;
  for (const { at, text } of ticks) {
    const [width, pixel] = [widthOf(text), toPixel(at)];
    const start = Math.min(Math.max(pixel - width / 2, left), right - width);
    if (start < end + gap || pixel < left - 1 || pixel > right + 1) continue;
    kept.push({ pixel, start, text });
    end = start + width;
  }
  return kept;
}

/** The position at a coordinate of the axis: the interval that contains it, or the nearest point. */
export function positionAt(scale, coordinate) {
  return scale.kind === "steps" ? intervalAt(scale.edges, coordinate) : nearestAt(scale.centres, coordinate);
}

function intervalAt(edges, coordinate) {
  let [first, after] = [0, edges.length - 1];
  while (after - first > 1) {
    const middle = (first + after) >> 1;
    if (edges[middle] <= coordinate) first = middle;
    else after = middle;
  }
  return first;
}

function nearestAt(centres, coordinate) {
  let best = 0;
  for (let k = 1; k < centres.length; k++) {
    if (Math.abs(centres[k] - coordinate) < Math.abs(centres[best] - coordinate)) best = k;
  }
  return best;
}

/** A line's points, at most four in a column of pixels (first, lowest, highest, last), so that it looks the same. */
export function thinnedLine(points) {
  const kept = [];
  let column = [];
  const flush = () => {
    if (column.length <= 4) kept.push(...column);
    else kept.push(...endsAndExtremes(column));
    column = [];
  };
  for (const point of points) {
    if (column.length && Math.floor(point[0]) !== Math.floor(column[0][0])) flush();
    column.push(point);
  }
  flush();
  return kept;
}

function endsAndExtremes(column) {
  let [low, high] = [0, 0];
  column.forEach((point, k) => {
    if (point[1] < column[low][1]) low = k;
    if (point[1] > column[high][1]) high = k;
  });
  const centres = new Set([0, Math.min(low, high), Math.max(low, high), column.length - 1]);
  return [...centres].map((k) => column[k]);
}
