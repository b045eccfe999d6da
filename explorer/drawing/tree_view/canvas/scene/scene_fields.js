// What a scene holds: tree, layout, camera, theme, shape and all marks.
//
// fade     opacity of a node, 0 (pruned away) to 1; per frame it moves a share of the difference towards the shape
// repaints the nodes that look different than in the frame before
// lit      1, or less for nodes that the filter dims
// folded   ids of the nodes whose branches are hidden in this view only
// rowPath  the nodes that a row reaches, each with its share of the row (see row_path.js)
// trimmed  only the pruned tree is laid out, again whenever α changes
// isBusy   whether the reader is panning, zooming or dragging α
// enlarged how many CSS pixels one pixel of the scene has: more than 1 for presenters
// ringed, signs, notes   the nodes that Python marked, their signs, and per node [sign, text] of its marks
// stability                 how stable each node is under resampling, or null (see stability.js)

/** @typedef {import("../layout.js").Layout} Layout */
/** @typedef {import("../../model/payload.js").Stability} Stability */
/** @typedef {{ node: number, kind: string, text: string }} NodeMark kind: "near_tie", "held_out", "held_out_split", "greed" or "ring" */
/** @typedef {[sign: string, text: string]} Note */

import { later } from "../../later.js";
import { NodeSet } from "../../model/node_set.js";
import { ShortNames } from "../../model/short_names.js";
import { Fades } from "./fades.js";
import { makeMarks } from "../level_of_detail.js";

const DIMMED = 0.22;

export class SceneFields {
  /** @type {import("../../model/payload.js").TreeData} */
  tree = later();
  /** @type {import("../camera.js").Frame} */
  frame = { mode: "down", slots: 1, levels: 1, width: 0, height: 0 };
  ratio = 1;
  enlarged = 1;
  /** @type {import("../camera.js").Camera} */
  camera = later();
  isFitted = true;
  isBusy = false;
  needsPlacing = false;
  /** @type {import("../../theme.js").Theme} */
  theme = later();
  /** @type {import("../node_style.js").Paints} */
  paints = later();
  onPrimary = "";
  /** @type {import("../text_measure.js").TextMeasure} */
  textMeasure = later();

  /** @type {Set<number>} */
  folded = new Set();
  depthLimit = Infinity;
  isTrimmed = false;
  /** @type {Layout} */
  layout = later();
  /** @type {Layout} */
  wholeLayout = later();
  /** @type {Layout | null} */
  everything = null;
  /** @type {Uint8Array | null} */
  laidOutShape = null;
  /** @type {number[]} */
  foldedShown = [];
  marks = makeMarks(0);
  /** @type {import("../icicle/bars.js").Bars} */
  bars = later();
  /** @type {unknown[]} what the bars were placed for */
  barsKey = [];
  edgeBucket = new Uint16Array(0);
  edgeOrder = new Int32Array(0);
  dotOrder = new Int32Array(0);
  dotStart = new Int32Array(0);

  /** @type {import("../../model/payload.js").SequenceData | null} */
  sequence = null;
  /** @type {Uint8Array} */
  shape = later();
  nodesLeft = -1; // of the shape; −1: not counted yet
  fades = new Fades(0);
  fade = this.fades.values;
  repaints = new NodeSet(0);
  /** @type {Int32Array} */
  next = new Int32Array(0);

  selected = -1;
  hovered = -1;
  focusMark = -1;
  matches = new Int32Array(0);
  /** @type {import("../row_path.js").RowPath} */
  rowPath = new Map();
  filter = { minRows: 0, minPurity: 0, label: -1 };
  /** @type {Uint8Array | null} */
  keeps = null;
  showIds = false;
  /** @type {Map<number, string>} */
  cuts = new Map();
  showsCuts = false;
  /** @type {Stability | null} */
  stability = null;
  showsStability = true;
  /** @type {NodeMark[]} */
  nodeMarks = [];
  /** @type {Set<number>} */
  ringed = new Set();
  /** @type {Map<number, string>} */
  signs = new Map();
  /** @type {Map<number, Note[]>} */
  notes = new Map();

  texts = emptyTexts(0);
  /** @type {import("../../model/short_tests.js").ShortTests} */
  shortTests = later();
  shortFeatures = new ShortNames([]);
  shortClasses = new ShortNames([]);

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
  }

  /** @param {number} t */
  noteRepaint = (t) => this.repaints.add(t);

  /** @param {number} t */
  lit = (t) => (this.keeps === null || this.keeps[t] === 1 ? 1 : DIMMED);
}

/** What is written at the nodes, once it is asked for. @param {number} n */
export function emptyTexts(n) {
  /** @type {() => string[]} */
  const none = () => new Array(n);
  return { title: none(), prediction: none(), branch: none(), sign: none(), width: new Float32Array(n), leastWidth: new Float32Array(n) };
}
