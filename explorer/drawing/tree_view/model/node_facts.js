// All facts of one node: as a sentence for a screen reader, and as a tooltip.

/** @typedef {import("../canvas/level_of_detail.js").Box} Box */
/** @typedef {import("../canvas/level_of_detail.js").Rect} Rect */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("./payload.js").SequenceData} SequenceData */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("./payload.js").TreeData} TreeData */

/** @typedef {{ left: number, top: number }} Corner */

import { classSign } from "../../charts/swatches.js";
import { decimalText } from "./alpha_interval.js";
import { formulaTexts } from "../panel/weakest_link.js";
import { textElement } from "../dom.js";
import { GHOST, INNER, LEAF } from "./pruned_shape.js";
import { rowShareText } from "../canvas/row_path.js";
import { listing, say } from "../messages.js";
import { countText, ellipsis, numberText, percentText, rowsText, visibleText, weightText } from "../format.js";

const MOST_CLASSES = 12;
const LONGEST_FACT = 600;
const TIP_GAP = 12;
/** Pixels between a card and the edge of its view. */
const TIP_EDGE = 4;
/** So many square pixels of relatives may a card cover to be a pixel nearer to its node. */
const FAR_COST = 50;

/**
 * A node in one line for a screen reader.
 * @param {TreeData} tree @param {Uint8Array | null} shape @param {number} t @param {SequenceData | null} [sequence]
 */
export function spokenNode(tree, shape, t, sequence = null) {
  const state = shape ? shape[t] : tree.feature[t] >= 0 ? INNER : LEAF;
  const isSplit = tree.feature[t] >= 0 && !isUngrown(tree, shape, t, sequence);
  const parts = [
    isSplit ? say("splits on {test}", { test: visibleText(tree.testText(t)) }) : say("leaf"),
    say("predicts {prediction}", { prediction: visibleText(tree.prediction(t)) }),
    tree.rowsText(t),
    say("depth {depth}", { depth: tree.depth[t] }),
  ];
  if (t > 0) parts.push(say("reached by {condition}", { condition: visibleText(tree.reachedBy(t)) }));
  if (tree.isByHand(t) && !isUngrown(tree, shape, t, sequence)) parts.push(tree.isSplit(t) ? say("split chosen manually") : say("made a leaf manually"));
  if (state === GHOST) parts.push(say("pruned away"));
  if (state === LEAF && isSplit) parts.push(say("pruned to a leaf"));
  return listing(parts);
}

/**
 * Whether a node has not been split yet while the tree is grown: its split is not told before its step.
 * @param {TreeData} tree @param {Uint8Array | null} shape @param {number} t @param {SequenceData | null} sequence
 */
function isUngrown(tree, shape, t, sequence) {
  return sequence?.isGrowth === true && tree.feature[t] >= 0 && shape !== null && shape[t] !== INNER;
}

/**
 * The content of the tooltip, as [name, value] pairs.
 * @param {TreeData} tree @param {Uint8Array | null} shape @param {number} t @param {SequenceData | null} [sequence]
 */
export function factsOf(tree, shape, t, sequence = null) {
  const facts = [[say("reached by"), tree.reachedBy(t)], rowsFact(tree, t), predictionFact(tree, t)];
  facts.push([tree.impurityName, numberText(tree.impurity[t])], [say("depth"), String(tree.depth[t])]);
  if (tree.missing[t] > 0) facts.push([say("missing"), tree.countsRows ? rowsText(tree.missing[t]) : weightText(tree.missing[t])]);
  const waits = isUngrown(tree, shape, t, sequence);
  if (tree.isByHand(t) && tree.isSplit(t) && !waits) facts.push([say("split"), say("chosen manually")]);
  if (tree.stopReason(t) !== "") facts.push([say("not split"), tree.stopReason(t)]);
  if (waits) facts.push([say("now"), say("not split yet")]);
  else if (shape && shape[t] === GHOST) facts.push([say("now"), say("pruned away")]);
  else if (shape && shape[t] === LEAF && tree.feature[t] >= 0) facts.push([say("now"), say("pruned to a leaf")]);
  facts.push(...weakestLinkFacts(tree, sequence, t));
  return facts.map(([name, value]) => [name, visibleText(ellipsis(value, LONGEST_FACT))]);
}

/** @param {TreeData} tree @param {number} t */
function rowsFact(tree, t) {
  return [say("rows"), tree.countsRows ? countText(tree.weight[t]) : tree.rowsText(t)];
}

/** @param {TreeData} tree @param {number} t */
function predictionFact(tree, t) {
  if (!tree.isRegression || !tree.hasMeans) return [say("predicts"), tree.prediction(t)];
  return [say("predicts"), say("{mean} ± {sd}", { mean: tree.prediction(t), sd: numberText(tree.sd(t)) })];
}

/**
 * The weakest-link formula of a split node: its risk as a leaf, the risk and leaves of its branch, and its critical α.
 * @param {TreeData} tree @param {SequenceData | null} sequence @param {number} t
 */
function weakestLinkFacts(tree, sequence, t) {
  if (sequence?.kind !== "alpha" || !sequence.risk || !sequence.linkLeaves || tree.feature[t] < 0) return [];
  const { risk, linkRisk, linkLeaves } = sequence;
  const collapses = collapseFact(tree, sequence, t);
  if (linkLeaves[t] <= 1) return [["R(t)", decimalText(risk[t])], ...collapses];
  const alpha = (risk[t] - linkRisk[t]) / (linkLeaves[t] - 1);
  const texts = formulaTexts(risk[t], linkRisk[t], linkLeaves[t], alpha);
  const formula = `(${texts.risk} − ${texts.below}) / (${texts.leaves} − 1) = ${texts.alpha}`;
  const link = [["R(t)", texts.risk], ["|T_t|", texts.leaves], ["R(T_t)", texts.below], ["g(t)", formula]];
  return [...link, ...collapses];
}

/** @param {TreeData} tree @param {SequenceData} sequenceData @param {number} t */
function collapseFact(tree, { collapse, alphas, size }, t) {
  let first = size;
  for (let node = tree.parent[t]; node >= 0; node = tree.parent[node]) {
    if (tree.feature[node] >= 0) first = Math.min(first, collapse[node]);
  }
  const isAboveFirst = first < size && first < collapse[t];
  if (isAboveFirst) return [[say("pruned"), say("with a node above it, at α = {alpha}", { alpha: decimalText(alphas[first]) })]];
  return collapse[t] < size ? [[say("pruned"), say("at α = {alpha}", { alpha: decimalText(alphas[collapse[t]]) })]] : [];
}

/** Fill the tooltip with a node. @param {HTMLElement} tip @param {Scene} scene @param {number} t */
export function fillTip(tip, scene, t) {
  const { tree, shape, theme } = scene;
  const title = tree.feature[t] >= 0 && !isUngrown(tree, shape, t, scene.sequence) ? tree.testText(t) : tree.prediction(t);
  const head = textElement("div", "tv-tip-head");
  head.append(textElement("strong", "", visibleText(ellipsis(title, LONGEST_FACT))));
  head.append(textElement("span", "tv-tip-id tv-quiet", `#${t}`));
  const list = textElement("dl", "tv-tip-facts");
  const facts = [...signFacts(scene, t), ...factsOf(tree, shape, t, scene.sequence)];
  if (scene.rowPath.has(t)) facts.push([say("this row"), rowShareText(scene.rowPath, t)]);
  facts.push(...stabilityFacts(scene, t));
  for (const [name, value] of facts) {
    list.append(textElement("dt", "", name), textElement("dd", "", value));
  }
  tip.replaceChildren(head);
  if (!tree.isRegression && tree.weight[t] > 0) tip.append(classTable(tree, theme, t)); // first: what has no room is cut
  tip.append(list);
}

/** What the signs at a node mean; they stand first, as what has no room is cut. @param {Scene} scene @param {number} t */
function signFacts(scene, t) {
  const signs = scene.showsCuts ? scene.cuts.get(t) : undefined;
  const cuts = signs === undefined ? [] : [[signs, cutText(signs)]];
  const notes = (scene.notes.get(t) ?? []).map(([sign, text]) => [sign ?? say("note"), visibleText(ellipsis(text, LONGEST_FACT))]);
  return [...cuts, ...notes];
}

/** In how many resamples a node is split alike, and the spread of its threshold there. @param {Scene} scene @param {number} t */
export function stabilityFacts({ stability, showsStability }, t) {
  if (!stability || !showsStability || Number.isNaN(stability.share[t])) return [];
  const fields = { count: stability.count[t], all: stability.resamples, share: percentText(stability.share[t]) };
  const facts = [[say("resamples"), say("{count} of {all} ({share}) do the same here", fields)]];
  const spread = stability.spreads.get(t);
  if (!spread) return facts;
  const [least, lower, median, upper, largest] = /** @type {const} */ (["least", "lower", "median", "upper", "largest"]).map((name) => numberText(spread[name]));
  return [...facts, [say("thresholds"), say("{least} … {lower} [{median}] {upper} … {largest}", { least, lower, median, upper, largest })]];
}

/** What ★ and ◇ at a node mean. @param {string} signs */
function cutText(signs) {
  if (signs === "★◇") return say("a leaf of the best and of the 1-SE tree");
  return signs === "★" ? say("a leaf of the best tree") : say("a leaf of the 1-SE tree");
}

/** The classes in their order; where there are too many, the most frequent ones. @param {TreeData} tree @param {number} t */
function listedClasses(tree, t) {
  const classes = tree.classes.map((_, k) => k);
  if (classes.length <= MOST_CLASSES) return classes;
  return classes.sort((a, b) => tree.classWeight(t, b) - tree.classWeight(t, a) || a - b).slice(0, MOST_CLASSES);
}

/** @param {TreeData} tree @param {Theme} theme @param {number} t */
function classTable(tree, theme, t) {
  const table = textElement("div", "tv-tip-classes");
  for (const k of listedClasses(tree, t)) {
    const weight = tree.classWeight(t, k);
    table.append(classSign(theme, k), textElement("span", "tv-tip-class", visibleText(ellipsis(tree.classes[k], 60))));
    table.append(textElement("span", "tv-number", countText(weight)));
    table.append(textElement("span", "tv-number", percentText(weight / tree.weight[t])));
  }
  if (tree.nClasses > MOST_CLASSES) {
    table.append(textElement("span", "tv-tip-more tv-quiet", say("and {count} more", { count: tree.nClasses - MOST_CLASSES })));
  }
  return table;
}

/**
 * Position the tooltip beside a node; long names are cut where the whole text would not fit into the host.
 * @param {HTMLElement} tip @param {HTMLElement} host @param {Rect} node @param {Rect[]} relatives
 */
export function placeTip(tip, host, node, relatives) {
  const beside = Math.max(node.x, host.clientWidth - node.x) - node.halfWidth - TIP_GAP - TIP_EDGE;
  tip.style.maxWidth = `min(22rem, max(14rem, ${beside}px), 100% - ${2 * TIP_EDGE}px)`;
  tip.style.maxHeight = `${Math.max(160, Math.round(host.clientHeight * 0.8))}px`;
  tip.classList.remove("tv-tip-long", "tv-tip-cut");
  if (tip.scrollHeight > tip.clientHeight) tip.classList.add("tv-tip-long");
  if (tip.scrollHeight > tip.clientHeight) tip.classList.add("tv-tip-cut");
  const size = { width: tip.offsetWidth, height: tip.offsetHeight };
  const { left, top } = tipPlace(size, { width: host.clientWidth, height: host.clientHeight }, node, relatives);
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}

/**
 * The position that covers nothing of the node and least of its relatives, and is not far from the node; the side with
 * more room is tried first.
 * @param {Size} size @param {Size} room @param {Rect} node @param {Rect[]} relatives
 */
export function tipPlace(size, room, node, relatives) {
  const right = node.x + node.halfWidth + TIP_GAP;
  const left = node.x - node.halfWidth - TIP_GAP - size.width;
  const middle = { x: node.x - size.width / 2, y: node.y - size.height / 2 };
  const below = { left: middle.x, top: node.y + node.halfHeight + TIP_GAP };
  const above = { left: middle.x, top: node.y - node.halfHeight - TIP_GAP - size.height };
  const sides = node.x < room.width / 2 ? [right, left] : [left, right];
  const tops = [middle.y, node.y + node.halfHeight - size.height, node.y - node.halfHeight];
  const corners = [0, room.width].flatMap((corner) => [0, room.height].map((edge) => ({ left: corner, top: edge })));
  const tries = [...tops.flatMap((top) => sides.map((side) => ({ left: side, top }))), below, above, ...corners];
  let [best, least] = [heldInside(tries[0], size, room), Infinity];
  for (const spot of tries.map((corner) => heldInside(corner, size, room))) {
    const own = 1e4 * covered(spot, size, node) + FAR_COST * distance(spot, size, node);
    const cost = relatives.reduce((sum, box) => sum + covered(spot, size, box), own);
    if (cost < least) [best, least] = [spot, cost];
  }
  return best;
}

/** @param {Corner} corner @param {Size} size @param {Size} room */
function heldInside({ left, top }, size, room) {
  return {
    left: Math.max(TIP_EDGE, Math.min(left, room.width - size.width - TIP_EDGE)),
    top: Math.max(TIP_EDGE, Math.min(top, room.height - size.height - TIP_EDGE)),
  };
}

/** How many pixels lie between a box and a rectangle beyond the gap. @param {Corner} corner @param {Size} size @param {Rect} rect */
function distance({ left, top }, { width, height }, { x, y, halfWidth, halfHeight }) {
  const wide = Math.max(left - x, x - left - width) - halfWidth;
  const high = Math.max(top - y, y - top - height) - halfHeight;
  return Math.max(0, Math.hypot(Math.max(0, wide), Math.max(0, high)) - TIP_GAP);
}

/** How many square pixels of a box a rectangle covers. @param {Corner} corner @param {Size} size @param {Rect} rect */
function covered({ left, top }, { width, height }, { x, y, halfWidth, halfHeight }) {
  const wide = Math.min(left + width, x + halfWidth) - Math.max(left, x - halfWidth);
  const high = Math.min(top + height, y + halfHeight) - Math.max(top, y - halfHeight);
  return Math.max(0, wide) * Math.max(0, high);
}
