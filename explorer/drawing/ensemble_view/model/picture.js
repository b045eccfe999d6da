// The picture of an ensemble and the row that is explained, as the view reads them; `payload.py` writes the bytes.
//
// *Stage* k = 0 … M (`nStages` = M) is the ensemble of the first k rounds. An array over the stages has M + 1 rows, one
// over the rounds has M: round r stands in row r − 1. Texts come from the reader's file: show them by textContent and
// fillText only.

/** @typedef {import("../../tree_view/model/split_payload.js").Numbers} Numbers */
/** @typedef {import("../../tree_view/model/split_payload.js").Payload} Payload */
/** @typedef {{ of: string, values: Numbers }} Curve */
/** @typedef {PictureData} Picture */
/** @typedef {RowData} ExplainedRow */
/** @typedef {ReturnType<typeof readScatter>} Scatter */
/** @typedef {ReturnType<typeof readVoteLine>} VoteLine */
/** @typedef {ReturnType<typeof readRegions>} Regions */
/** @typedef {ReturnType<typeof readWeights>} Weights */
/** @typedef {{ values: Numbers, start: number, link: string, actual: number | null, of_class: string }} RowSum */
/** @typedef {{ values: Numbers, outOfBag: Numbers | null, margin: Numbers | null, actual: number | null }} RowVotes */

import { splitPayload } from "../../tree_view/model/split_payload.js";
import { membersUpTo } from "./running_sum.js";

/** A picture or a row, by the kind in the header. @param {Uint8Array} bytes */
export function openRecord(bytes) {
  const record = splitPayload(bytes);
  return record.header.kind === "ensemble" ? new PictureData(record) : new RowData(record);
}

class PictureData {
  /** @param {Payload} payload */
  constructor({ header, arrays }) {
    this.kind = "ensemble";
    this.sig = header.sig;
    this.method = header.method;
    this.nStages = header.n_stages;
    this.size = header.n_stages + 1;
    /** @type {string[]} */
    this.classes = header.classes;
    this.isRegression = header.classes.length === 0;
    this.scoreName = header.score_name;
    this.isShare = header.is_share;
    this.isHigherBetter = header.higher_is_better;
    /** @type {Curve[]} */
    this.curves = header.curves.map((/** @type {string} */ of) => ({ of, values: arrays[`curve_${of}`] }));
    /** @type {{ of: string, value: number }[]} */
    this.baselines = header.baselines.map((/** @type {[string, number]} */ [of, value]) => ({ of, value }));
    /** @type {{ headings: string[], rounds: [stage: number, ...texts: string[]][] }} */
    this.facts = header.facts;
    this.hasNumericMembers = header.numeric_members;
    this.members = readMembers(header, arrays);
    /** @type {Scatter | null} */
    this.scatter = header.scatter && readScatter(header.scatter, arrays);
    /** @type {VoteLine | null} */
    this.voteLine = header.vote_line && readVoteLine(header, arrays);
    /** @type {Regions | null} */
    this.regions = header.regions && readRegions(header.regions, arrays);
    this.weights = arrays.weights ? readWeights(header, arrays) : null;
    this.margins = arrays.margin_edges ? readMargins(arrays) : null;
    this.best = bestStage(this);
    this.oneSe = -1; // the slider knows it: a stage has no standard error
  }

  /** The curve by which the best stage is chosen: that of the validation rows; null without such rows. */
  get mainCurve() {
    return this.curves.find(({ of }) => of === "validation") ?? null;
  }

  /** How many members the stage has. @param {number} stage */
  membersUpTo(stage) {
    return membersUpTo(this.members.stage, stage);
  }
}

/** One row under all members. */
class RowData {
  /** @param {Payload} payload */
  constructor({ header, arrays }) {
    this.kind = "row";
    this.sig = header.sig;
    this.row = header.row;
    this.label = header.label;
    /** @type {RowSum | null} */
    this.waterfall = header.waterfall && { ...header.waterfall, values: arrays.contributions };
    /** @type {RowVotes | null} */
    this.votes = header.votes && { ...header.votes, values: arrays.votes, outOfBag: arrays.out_of_bag ?? null, margin: arrays.row_margin ?? null };
  }
}

/**
 * The stage with the best score on validation rows, the first of equals; −1 without such rows.
 * @param {{ mainCurve: Curve | null, isHigherBetter: boolean }} picture
 */
export function bestStage({ mainCurve, isHigherBetter }) {
  if (!mainCurve) return -1;
  let best = -1;
  mainCurve.values.forEach((value, k) => {
    if (Number.isNaN(value)) return;
    if (best < 0 || (isHigherBetter ? value > mainCurve.values[best] : value < mainCurve.values[best])) best = k;
  });
  return best;
}

/** @param {any} header @param {Record<string, Numbers>} arrays */
function readMembers(header, arrays) {
  return {
    n: header.titles.length,
    /** @type {string[]} */
    titles: header.titles,
    /** @type {string[]} */
    tests: header.tests,
    /** @type {number[]} −1 where a tree is for all classes */
    ofClass: header.of_class,
    /** @type {string[]} */
    roots: header.roots,
    root: arrays.member_root ?? new Uint8Array(0),
    stage: arrays.member_stage ?? new Uint8Array(0),
    vote: arrays.member_vote ?? new Float64Array(0),
    leaves: arrays.member_leaves ?? new Uint8Array(0),
    first: arrays.thumb_first ?? new Uint8Array(1),
    x: arrays.thumb_x,
    y: arrays.thumb_y,
    parent: arrays.thumb_parent,
    code: arrays.thumb_code,
  };
}

/** Row k of an array with rows of a length. @param {Numbers} array @param {number} length */
function rowReader(array, length) {
  return (/** @type {number} */ k) => array.subarray(k * length, (k + 1) * length);
}

/** @param {any} about @param {Record<string, Numbers>} arrays */
function readScatter(about, arrays) {
  const [n, intervals] = [arrays.scatter_x.length, arrays.scatter_edges.length - 1];
  return {
    feature: about.feature,
    target: about.target,
    targetName: about.target_name,
    x: arrays.scatter_x,
    y: arrays.scatter_y,
    rows: arrays.scatter_rows ?? null,
    edges: arrays.scatter_edges,
    allFitted: arrays.scatter_fitted,
    allTargets: arrays.scatter_targets ?? null,
    fitted: rowReader(arrays.scatter_fitted, intervals),
    targets: arrays.scatter_targets ? rowReader(arrays.scatter_targets, n) : null,
    answers: arrays.scatter_answers ? rowReader(arrays.scatter_answers, intervals) : null,
  };
}

/** @param {any} header @param {Record<string, Numbers>} arrays */
function readVoteLine(header, arrays) {
  const intervals = arrays.line_edges.length - 1;
  const nClasses = header.classes.length;
  const votes = rowReader(arrays.line_votes, nClasses * intervals);
  return {
    feature: header.vote_line.feature,
    x: arrays.line_x,
    classOf: arrays.line_class,
    edges: arrays.line_edges,
    answers: rowReader(arrays.line_answers, intervals),
    /** The votes of a class in every interval. */
    votes: (/** @type {number} */ stage, /** @type {number} */ code) => votes(stage).subarray(code * intervals, (code + 1) * intervals),
  };
}

/** @param {any} about @param {Record<string, Numbers>} arrays */
function readRegions(about, arrays) {
  const cells = about.n_x * about.n_y;
  return {
    xFeature: about.x_feature,
    yFeature: about.y_feature,
    xRange: about.x_range,
    yRange: about.y_range,
    nX: about.n_x,
    nY: about.n_y,
    valueRange: about.value_range,
    codes: rowReader(arrays.region_codes, cells),
    certainty: arrays.region_certainty ? rowReader(arrays.region_certainty, cells) : null,
    x: arrays.region_x,
    y: arrays.region_y,
    values: arrays.region_values,
    rows: arrays.region_rows ?? null,
  };
}

/** @param {any} header @param {Record<string, Numbers>} arrays */
function readWeights(header, arrays) {
  const n = arrays.weight_rows.length;
  const [weights, wrong] = [rowReader(arrays.weights, n), rowReader(arrays.wrong, n)];
  return {
    n,
    isEven: isEven(arrays.weights, arrays.wrong),
    rows: arrays.weight_rows,
    /** @type {string[]} */
    labels: header.row_labels,
    ofClass: header.rows_of_class ?? [],
    areDrawn: header.rows_are_drawn ?? false,
    classOf: arrays.weight_class ?? new Uint8Array(n),
    /** The weights that the member of a stage was grown on; at stage 0 those that the first one will see. */
    weights: (/** @type {number} */ stage) => weights(Math.max(stage, 1) - 1),
    /** The rows that the member of a stage misclassifies; null at stage 0. */
    wrong: (/** @type {number} */ stage) => (stage === 0 ? null : wrong(stage - 1)),
  };
}

/**
 * Whether nothing can be seen of the weights: all are equal in all rounds, and no row is misclassified.
 * @param {Numbers} weights @param {Numbers} wrong
 */
function isEven(weights, wrong) {
  return weights.every((weight) => weight === weights[0]) && wrong.every((flag) => flag === 0);
}

/** @param {Record<string, Numbers>} arrays */
function readMargins(arrays) {
  const bins = arrays.margin_edges.length - 1;
  return { edges: arrays.margin_edges, bins, all: arrays.margin_counts, counts: rowReader(arrays.margin_counts, bins), mean: arrays.margin_mean };
}
