// A chart of one stage of an ensemble.

import { makeChartBox } from "../../charts/chart_box.js";

/**
 * A chart of one stage in which a row can be chosen: what the charts of fit, votes, regions and rows have in common. Its
 * own are `set(picture)`, the acts of the chart box, `pick(event)` for a click, and `describe()`.
 */
export class StageChart {
  constructor(className, hooks, options) {
    this.hooks = hooks;
    [this.stage, this.row] = [0, -1];
    this.box = makeChartBox(className, this, options);
    this.element = this.box.element;
    this.element.addEventListener("click", (event) => this.pick(event));
  }

  setTheme(theme) {
    this.box.setTheme(theme);
  }

  setStage(stage) {
    this.stage = stage;
    this.box.redrawMoving();
  }

  setRow(row) {
    this.row = row;
    this.box.redrawMoving();
  }

  destroy() {
    this.box.destroy();
  }
}
