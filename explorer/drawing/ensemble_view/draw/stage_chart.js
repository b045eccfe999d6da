// A chart of one stage of an ensemble.

/** @typedef {import("../model/picture.js").Picture} Picture */
/**
 * @typedef {import("../../tree_view/theme.js").Theme & Record<"up" | "down" | "bad" | "next" | "residual" | "drop", string>
 *   & { roots: string[] }} ChartTheme
 */
/** @typedef {{ onRow: (row: number) => void }} ChartHooks */
/**
 * @template Plot
 * @typedef {import("../../charts/chart_box.js").Acts<Plot, ChartTheme> & { pick: (event: MouseEvent) => void }} Own
 */

import { makeChartBox } from "../../charts/chart_box.js";
import { later } from "../../tree_view/later.js";

/**
 * A chart of one stage in which a row can be chosen: what the charts of fit, votes, regions and rows have in common. Its
 * own are `set(picture)`, the acts of the chart box, `pick(event)` for a click, and `describe()`.
 * @template Plot
 */
export class StageChart {
  /** @type {Picture} */
  picture = later();
  stage = 0;
  row = -1;

  /** @param {string} className @param {ChartHooks} hooks @param {{ isStillAbove?: boolean }} [options] */
  constructor(className, hooks, options) {
    this.hooks = hooks;
    const own = /** @type {Own<Plot>} */ (/** @type {unknown} */ (this));
    this.box = makeChartBox(className, own, options);
    this.element = this.box.element;
    this.element.addEventListener("click", (event) => own.pick(event));
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.box.setTheme(theme);
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.box.redrawMoving();
  }

  /** @param {number} row */
  setRow(row) {
    this.row = row;
    this.box.redrawMoving();
  }

  destroy() {
    this.box.destroy();
  }
}
