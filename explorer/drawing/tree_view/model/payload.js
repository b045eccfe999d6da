// The data that Python sends, and how the view reads them. `payload.py` in `explorer/drawing/tree_view/` writes them; a
// golden file checks both.
//
// Payloads have the layout that `split_payload.js` describes.
//
// kind "tree", header: sig, target, classes (texts; none for a numeric target), features [{name, test}], impurity (its
// name), branch_texts, stop_reasons, and has_means: false where a node predicts another number than the mean of its rows
// (boosting), whose standard deviation then says nothing of it, and counts_rows: false where amounts are weights. Arrays over the grown nodes, ids breadth-first: parent,
// first_child, child_count, depth, feature, branch_text (index into `branch_texts` of the branch into the node), weight, impurity, missing, stop,
// label (class codes) or value (means), stats (n · K class weights, or n · 3: W, mean, M2). Where a person decided a
// node, also by_hand (1 there) and plain (1 where the feature alone words the test). A tree for several targets has
// `target_bars` twice: in the header the parts of each target's bar, over the nodes the shares of all parts in turn;
// `target_names` of the header says whose they are.
//
// kind "sequence", header: sig, tree (sig of its tree), steps ("alpha", "steps" or "growth"), risk_name, score_name,
// is_share, is_higher_better, is_regression, how, baseline, best, one_se (−1: none), captions. Arrays over the positions: alphas,
// leaves, risks, collapsed, train, valid, valid_se, mean, se (the last five may be missing), focus. Arrays over the
// nodes: collapse (the position at which a node by itself becomes a leaf), risk, link_risk, link_leaves, own_train,
// own_valid, stop_valid. `pruned` [positions · nodes] replaces `collapse` where trees are not nested.
// Growing (steps "growth") has `leaves`, `focus` (the node that a step splits, −1 at step 0) and, over the nodes,
// `split_at`: the step that splits a node, from 1; 0 for a node that stays a leaf.
//
// kind "stability", header: sig, tree (sig of its tree), resamples. Arrays over the nodes: count (resamples that split
// alike) and share (NaN where no row leads to the node); over the nodes with a threshold: spread_node (their ids), least,
// largest, lower_quartile, median and upper_quartile of the thresholds.

/** @typedef {import("./split_payload.js").Numbers} Numbers */
/** @typedef {import("./split_payload.js").Payload} Payload */
/** @typedef {ReturnType<typeof stabilityData>} Stability */
/** @typedef {{ least: number, largest: number, median: number, lower: number, upper: number }} Spread of a node's thresholds */
/** @typedef {import("./pruned_shape.js").Hand} Hand */
/** @typedef {{ selected: number, position: number, hand: Hand }} State */
/**
 * @typedef {{ layout: string | null, ghosts: boolean | null, stability: boolean | null }} Shown what Python keeps of the
 *   picture: the layout, the pruned branches, and whether the layer is shown; null where the view may choose
 */
/**
 * @typedef Data the plain object that a view has as its data
 * @property {string} view its name on the page; camera and view options are remembered under it across page switches
 * @property {string} tree sig of the payload
 * @property {string | null} sequence likewise; null without a slider
 * @property {number} echo number of the last report that Python has processed
 * @property {string | null} [stability] sig of the payload with the stability of the tree's nodes
 * @property {State & Partial<Shown>} state the state in Python
 * @property {import("../canvas/scene/scene_fields.js").NodeMark[]} [marks]
 * @property {boolean} [presenter] whether everything is drawn larger
 * @property {string | null} [order] of growing: the order of the splits
 * @property {import("../panel/growth_controls.js").Ask | null} [ask] for guessing splits first; `options` and `verdict` are
 *   those of the step `of`
 * @property {string} [sentence] Python's about a step of growing
 * @property {number} [sentence_of] that step
 * @property {string} rule the rule of a node as text
 * @property {number} rule_of that node
 * @property {number[] | null} [range] least and largest mean of all trees side by side, which share one colour scale
 * @property {{ light: Palette, dark: Palette }} themes
 * @property {{ group: string, moves: boolean } | null} [link] views of one group select nodes together, and if `moves` pan
 *   and zoom together
 * @property {[t: number, share: number][]} row_path every node that one row reaches; none without a row
 * @property {boolean} by_hand whether nodes can be pruned by hand
 * @property {boolean} [takes_layout] whether the page hears of a chosen layout: only it can draw with Graphviz
 * @property {boolean} [bare] the tree is a picture among others: without toolbar, slider and minimap
 * @property {boolean} [shows_rule] on a page that stands alone: the rule of the selected node stands under the tree
 * @property {boolean} [parts_below] whether the parts stand below the view where the page has no place for them
 * @property {Record<string, string> | null} [messages] the texts in the reader's language, by the English ones
 */
/** @typedef {import("../theme.js").Palette} Palette */

import { rowsText, weightText } from "../format.js";
import { say } from "../messages.js";
import { splitPayload } from "./split_payload.js";

/** @type {Record<string, (payload: Payload) => TreeData | SequenceData | Stability>} */
const READERS = {
  tree: (payload) => new TreeData(payload),
  sequence: (payload) => new SequenceData(payload),
  stability: stabilityData,
};

/** A tree, a sequence or a layer over a tree, by the kind in the header. @param {Uint8Array} bytes */
export function openPayload(bytes) {
  const payload = splitPayload(bytes);
  return READERS[payload.header.kind](payload);
}

/** How stable the nodes of a tree are: `spreads` has the thresholds by node. @param {Payload} payload */
function stabilityData({ header, arrays }) {
  /** @type {Map<number, Spread>} */
  const spreads = new Map();
  arrays.spread_node.forEach((node, i) => {
    const [least, largest, median] = [arrays.least[i], arrays.largest[i], arrays.median[i]];
    spreads.set(node, { least, largest, median, lower: arrays.lower_quartile[i], upper: arrays.upper_quartile[i] });
  });
  return { sig: header.sig, tree: header.tree, resamples: header.resamples, count: arrays.count, share: arrays.share, spreads };
}

/** The grown tree, read-only. Its texts come from the reader's file: show them by textContent and fillText only. */
export class TreeData {
  /** @param {Payload} payload */
  constructor({ header, arrays }) {
    this.kind = "tree";
    this.sig = header.sig;
    this.target = header.target;
    /** @type {string[]} */
    this.classes = header.classes;
    this.nClasses = header.classes.length;
    this.isRegression = header.classes.length === 0;
    /** @type {{ name: string, test: string }[]} */
    this.features = header.features;
    this.impurityName = header.impurity;
    this.branchTexts = header.branch_texts;
    this.stopReasons = header.stop_reasons;
    this.hasMeans = header.has_means !== false;
    this.countsRows = header.counts_rows !== false;
    this.n = arrays.depth.length;
    this.parent = arrays.parent;
    this.firstChild = arrays.first_child;
    this.childCount = arrays.child_count;
    this.depth = arrays.depth;
    this.feature = arrays.feature;
    this.branchTextIndex = arrays.branch_text;
    this.weight = arrays.weight;
    this.impurity = arrays.impurity;
    this.missing = arrays.missing;
    this.stop = arrays.stop;
    this.label = arrays.label ?? null;
    this.value = arrays.value ?? null;
    this.stats = arrays.stats;
    this.byHand = arrays.by_hand ?? null;
    this.plain = arrays.plain ?? null;
    /** @type {import("../../charts/target_bars.js").Bars & { names: string[] } | null} */
    this.targetBars = header.target_bars ? { sizes: header.target_bars, names: header.target_names, shares: arrays.target_bars } : null;
    this.K = this.isRegression ? 3 : this.nClasses;
    this.maxDepth = this.depth[this.n - 1];
    this.valueRange = this.isRegression ? extent(this.value) : null;
  }

  /** @param {number} node */
  isSplit(node) {
    return this.feature[node] >= 0;
  }

  /** The rows at a node; their weight, where weights count no rows. @param {number} node */
  rowsText(node) {
    return this.countsRows ? rowsText(this.weight[node]) : weightText(this.weight[node]);
  }

  /** @param {number} node */
  featureName(node) {
    return this.isSplit(node) ? this.features[this.feature[node]].name : "";
  }

  /** The test as a heading: the feature alone where every value has a branch. @param {number} node */
  testText(node) {
    if (!this.isSplit(node)) return "";
    const { name, test } = this.features[this.feature[node]];
    const isPlain = this.plain ? this.plain[node] === 1 : test === "each_value" || test === "bins";
    if (isPlain) return name;
    return `${name} ${this.branchText(this.firstChild[node])}`;
  }

  /** Whether a person chose the node's test, or made it a leaf. @param {number} node */
  isByHand(node) {
    return this.byHand !== null && this.byHand[node] === 1;
  }

  /** The text of the branch into a node, without the feature's name. @param {number} node */
  branchText(node) {
    return this.branchTexts[this.branchTextIndex[node]];
  }

  /** @param {number} node */
  reachedBy(node) {
    if (node === 0) return say("all rows");
    return `${this.featureName(this.parent[node])} ${this.branchText(node)}`;
  }

  /** @param {number} node */
  prediction(node) {
    return this.isRegression ? meanText(this.value[node]) : this.classes[this.label[node]];
  }

  /** @param {number} node */
  stopReason(node) {
    return this.isSplit(node) ? "" : this.stopReasons[this.stop[node]];
  }

  /** @param {number} node @param {number} code */
  classWeight(node, code) {
    return this.stats[node * this.K + code];
  }

  /** @param {number} node */
  sd(node) {
    const weight = this.stats[node * 3];
    return weight > 0 ? Math.sqrt(Math.max(this.stats[node * 3 + 2], 0) / weight) : 0;
  }

  /**
   * How pure a node is, 0 to 1: the share of its predicted class, or 1 − (its standard deviation / the root's).
   * @param {number} node
   */
  share(node) {
    if (!this.isRegression) return this.weight[node] > 0 ? this.classWeight(node, this.label[node]) / this.weight[node] : 1;
    const whole = this.sd(0);
    return whole > 0 ? Math.min(Math.max(1 - this.sd(node) / whole, 0), 1) : 1;
  }
}

/** The trees of a pruning sequence, from the full one at position 0; read-only. */
export class SequenceData {
  /** @param {Payload} payload */
  constructor({ header, arrays }) {
    this.header = header;
    this.sig = header.sig;
    this.tree = header.tree;
    this.kind = header.steps;
    this.riskName = header.risk_name;
    this.scoreName = header.score_name;
    this.isShare = header.is_share;
    this.isHigherBetter = header.is_higher_better;
    this.isRegression = header.is_regression;
    this.how = header.how;
    this.baseline = header.baseline;
    this.best = header.best;
    this.oneSe = header.one_se;
    this.size = arrays.leaves.length;
    this.alphas = arrays.alphas ?? null;
    this.leaves = arrays.leaves;
    this.risks = arrays.risks ?? null;
    this.collapsed = arrays.collapsed;
    this.train = arrays.train ?? null;
    this.valid = arrays.valid ?? null;
    this.validSe = arrays.valid_se ?? null;
    this.mean = arrays.mean ?? null;
    this.se = arrays.se ?? null;
    this.collapse = arrays.collapse ?? null;
    this.pruned = arrays.pruned ?? null;
    this.splitAt = arrays.split_at ?? null;
    this.risk = arrays.risk ?? null;
    this.linkRisk = arrays.link_risk ?? null;
    this.linkLeaves = arrays.link_leaves ?? null;
    this.ownTrain = arrays.own_train ?? null;
    this.ownValid = arrays.own_valid ?? null;
    this.stopValid = arrays.stop_valid ?? null;
    this.totalTrain = header.total_train ?? null;
    this.totalValid = header.total_valid ?? null;
    this.focusNodes = arrays.focus ?? null;
  }

  get isGrowth() {
    return this.kind === "growth";
  }

  /** Whether a node that the grown tree splits is a leaf at a position. @param {number} node @param {number} position */
  isPrunedAt(node, position) {
    if (this.splitAt) return this.splitAt[node] === 0 || this.splitAt[node] > position;
    if (this.pruned) return this.pruned[position * (this.pruned.length / this.size) + node] === 1;
    return this.collapse[node] <= position;
  }

  /** @param {number} position */
  caption(position) {
    return this.header.captions[position] ?? "";
  }

  /** @param {number} position */
  focus(position) {
    return this.focusNodes ? this.focusNodes[position] : -1;
  }
}

/** @param {Numbers} values */
function extent(values) {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  return [least, largest];
}

/** @param {number} value */
function meanText(value) {
  return String(Number((value === 0 ? 0 : value).toPrecision(4)));
}
