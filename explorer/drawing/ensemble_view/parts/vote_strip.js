// What every member predicts for one row: a cell per tree, in the colour of its class or mean; cells of trees for which the
// row was out of bag are outlined, those after the stage are faded.

/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../model/picture.js").RowVotes} RowVotes */

import { makeChartBox } from "../../charts/chart_box.js";
import { rangeOf } from "../model/staircase.js";
import { chartFont } from "../../charts/frame.js";
import { mixColours } from "../../charts/colours.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

/** @typedef {ReturnType<typeof stripGrid> & { top: number, theme: ChartTheme }} StripPlot */

const [LARGEST, LEAST, MOST_HEIGHT, FADED_VOTE, HEAD] = [22, 6, 88, 0.22, 20];

/**
 * Columns, side and lines of the square cells of n votes: as large as they can be on a few lines of a width.
 * @param {number} n @param {number} width
 */
export function stripGrid(n, width) {
  let side = LARGEST;
  const columnsOf = () => Math.max(1, Math.floor(width / side));
  while (side > LEAST && Math.ceil(n / columnsOf()) * side > MOST_HEIGHT) side -= 1;
  return { columns: columnsOf(), side, lines: Math.ceil(n / columnsOf()) };
}

export function makeVoteStrip() {
  return new VoteStrip();
}

class VoteStrip {
  constructor() {
    this.stage = 0;
    /** @type {ReturnType<typeof stripGrid> | null} */
    this.grid = null;
    /** @type {ChartTheme} */
    this.theme = later();
    /** @type {Picture} */
    this.picture = later();
    /** @type {RowVotes} */
    this.votes = later();
    this.range = [0, 1];
    this.chart = makeChartBox("ev-votes", this);
    this.element = this.chart.element;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.element);
  }

  /** @param {Picture} picture @param {RowVotes} votes */
  set(picture, votes) {
    this.picture = picture;
    this.votes = votes;
    this.range = rangeOf(votes.values);
    this.fit();
  }

  /** @param {CanvasRenderingContext2D} context @param {unknown} _ @param {ChartTheme} theme */
  plan(context, _, theme) {
    return this.votes && this.grid ? { ...this.grid, top: HEAD * theme.enlarged, theme } : null;
  }

  /** The strip is as high as its cells need; the width is that of the page. */
  fit() {
    const width = this.element.clientWidth;
    if (!this.votes || !this.theme || !width) return;
    this.grid = stripGrid(this.votes.values.length, width - 4);
    this.element.style.height = `${this.grid.lines * this.grid.side + HEAD * this.theme.enlarged + 4}px`;
    this.chart.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {StripPlot} plot */
  drawStill(context, { theme }) {
    context.font = chartFont(theme);
    context.textBaseline = "middle";
    context.fillStyle = theme.quiet;
    const text = this.votes.outOfBag ? say("Votes, one cell per tree; outlined: out of bag") : say("Votes, one cell per tree");
    context.fillText(text, 2, 9 * theme.enlarged);
  }

  /** @param {CanvasRenderingContext2D} context @param {StripPlot} plot */
  drawMoving(context, { columns, side, top, theme }) {
    const m = this.picture.membersUpTo(this.stage);
    const { values, outOfBag } = this.votes;
    const gap = side > 9 ? 2 : 1;
    for (let i = 0; i < values.length; i++) {
      const [x, y] = [2 + (i % columns) * side, top + 2 + Math.floor(i / columns) * side];
      context.globalAlpha = i < m ? 1 : FADED_VOTE;
      context.fillStyle = this.colourOf(values[i], theme);
      context.fillRect(x, y, side - gap, side - gap);
      if (!outOfBag?.[i]) continue;
      context.strokeStyle = theme.text;
      context.lineWidth = side > 9 ? 2 : 1;
      context.strokeRect(x + 1, y + 1, side - gap - 2, side - gap - 2);
    }
    context.globalAlpha = 1;
  }

  /** @param {number} value @param {ChartTheme} theme */
  colourOf(value, theme) {
    if (!this.picture.isRegression) return theme.classes[value % theme.classes.length];
    const [least, largest] = this.range;
    return mixColours(theme.means[0], theme.means[1], largest > least ? (value - least) / (largest - least) : 0.5);
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.chart.setTheme(theme);
    this.fit();
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.chart.redrawMoving();
  }

  redrawSoon() {
    this.fit();
  }

  destroy() {
    this.observer.disconnect();
    this.chart.destroy();
  }
}
