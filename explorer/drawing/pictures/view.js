// The pictures of lessons. A picture fills its element, and moves from its last state to the next.
//
// Data of a view:
//   view      its name on the page
//   step      the name of the step; what the reader did in a picture (`local`) ends with the step
//   picture   {kind, says, …}: what Python's records hold (see the .py files beside this one)
//   themes    {light, dark}: colours of classes and of the frame, as for the tree view
//   presenter whether everything is drawn larger
//   messages  the texts in the reader's language, by the English ones
// A kind is a function draw(canvas, picture, tools) in kinds/: see kinds/bars.js for a small one. Its tools:
//   theme     the colours in force (see theme.js)
//   local     what the reader did in this step; change({…}) adds to it and draws again
//   isStill   whether the reader's system asks for no motion
//   send      reports something to Python

import { makeCanvas } from "./canvas.js";
import { drawBags } from "./kinds/bags.js";
import { drawBars } from "./kinds/bars.js";
import { drawChart } from "./kinds/chart.js";
import { drawClassQuestions } from "./kinds/class_questions.js";
import { drawImpurityTriangle } from "./kinds/impurity_triangle.js";
import { drawTableRows } from "./kinds/table_rows.js";
import { drawRowGroups } from "./kinds/row_groups.js";
import { drawWeightFlow } from "./kinds/weight_flow.js";
import { drawLinkStrengths } from "./pruning/link_strengths.js";
import { drawValidationRows } from "./pruning/validation_rows.js";
import { drawTreeGallery } from "./kinds/tree_gallery.js";
import { makeElement } from "../tree_view/dom.js";
import { messagesKey } from "../tree_view/messages.js";
import { makeLibrary } from "../tree_view/mounting.js";
import { readTheme } from "../tree_view/theme.js";

/** @typedef {import("./canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ kind: string, says: string }} Picture with the fields of its record in Python */
/**
 * @typedef {{
 *   view: string, step: string, picture: Picture, themes: Parameters<typeof readTheme>[1], presenter: boolean,
 *   messages: Record<string, string> | null,
 * }} Data
 */
/** @typedef {(canvas: PictureCanvas, picture: any, tools: import("./canvas.js").Tools<any>) => void} Draw each has a record of its own */

/** @type {Record<string, Draw>} */
const KINDS = {
  bags: drawBags,
  bars: drawBars,
  chart: drawChart,
  class_questions: drawClassQuestions,
  impurity_triangle: drawImpurityTriangle,
  table_rows: drawTableRows,
  row_groups: drawRowGroups,
  weight_flow: drawWeightFlow,
  link_strengths: drawLinkStrengths,
  validation_rows: drawValidationRows,
  tree_gallery: drawTreeGallery,
};
const PRESENTED = 1.4;
const [ROOMY_WIDTH, ROOMY_HEIGHT, MOST_ENLARGED] = [900, 620, 1.35];
const pictureLibrary = makeLibrary({
  loader: "pictureLoader",
  views: "pictureViews",
  open: () => ({ sig: "" }),
  make: (parentElement, /** @type {Data} */ data) => new PictureView(parentElement, data),
  partFrame: "tv-root",
});

/** Called by Streamlit when the library is mounted. @param {Component<{ style: string }>} component */
export default function mountPictures(component) {
  pictureLibrary.mount(component);
}

class PictureView {
  /** @param {ShadowRoot} parentElement @param {Data} data */
  constructor(parentElement, data) {
    this.name = data.view;
    this.messagesKey = messagesKey(data.messages);
    /** @type {(state: Fields) => void} */
    this.report = () => {};
    /** @type {Fields} */
    this.local = {};
    this.number = 0;
    /** @type {Data | null} */
    this.data = null;
    this.root = makeElement("div", "tv-root pic-root");
    this.canvas = makeCanvas(this.root);
    parentElement.append(this.root);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
    (globalThis.pictureViews ??= new Map()).set(this.name, this);
  }

  /** @param {Data} data */
  update(data) {
    if (this.data?.step !== data.step || this.data?.picture.kind !== data.picture.kind) this.local = {};
    this.data = data;
    this.draw();
  }

  draw() {
    if (!this.data || !this.root.clientWidth) return;
    const { picture, presenter, themes } = this.data;
    const tools = {
      theme: readTheme(this.root, themes),
      local: this.local,
      isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
      change: (/** @type {Fields} */ fields) => this.change(fields),
      send: (/** @type {Fields} */ fields) => this.report({ number: Date.now() * 100 + (this.number++ % 100), ...fields }),
    };
    this.canvas.begin(picture.says, this.scale(presenter), tools.theme);
    KINDS[picture.kind](this.canvas, picture, tools);
    this.canvas.end();
  }

  /** Everything is drawn larger for an audience, and on a large stage. @param {boolean} presenter */
  scale(presenter) {
    const { clientWidth, clientHeight } = this.root;
    const room = Math.min(clientWidth / ROOMY_WIDTH, clientHeight / ROOMY_HEIGHT);
    return (presenter ? PRESENTED : 1) * Math.min(Math.max(room, 1), MOST_ENLARGED);
  }

  /** What the reader did in the picture; it is drawn at once. @param {Fields} fields */
  change(fields) {
    Object.assign(this.local, fields);
    this.draw();
  }

  showPayloads() {}

  placeParts() {}

  destroy() {
    this.observer.disconnect();
    if (globalThis.pictureViews?.get(this.name) === this) globalThis.pictureViews.delete(this.name);
  }
}
