// What every member predicts for one row: a cell per tree, in the colour of its class or mean; cells of trees for which the
// row was out of bag are outlined, those after the stage are faded.

import { makeChartBox } from "../draw/chart_box.js";
import { rangeOf } from "../model/staircase.js";
import { chartFont } from "../draw/frame.js";
import { mixColours } from "../../tree_view/canvas/node_style.js";
import { say } from "../../tree_view/messages.js";

const [LARGEST, LEAST, FADED_VOTE, HEAD] = [22, 5, 0.22, 20];

/** Columns and side of the square cells of n votes in a box. */
export function stripGrid(n, { width, height }) {
  for (let side = LARGEST; side > LEAST; side--) {
    const columns = Math.max(1, Math.floor(width / side));
    if (Math.ceil(n / columns) * side <= height) return { columns, side };
  }
  return { columns: Math.max(1, Math.floor(width / LEAST)), side: LEAST };
}

export function makeVoteStrip() {
  return new VoteStrip();
}

class VoteStrip {
  constructor() {
    this.stage = 0;
    this.chart = makeChartBox("ev-votes", {
      plan: (context, size, theme) => this.plan(context, size, theme),
      drawStill: (context, plot) => this.drawStill(context, plot),
      drawMoving: (context, plot) => this.drawMoving(context, plot),
    });
    this.element = this.chart.element;
  }

  set(picture, votes) {
    [this.picture, this.votes] = [picture, votes];
    this.range = rangeOf(votes.values);
    this.chart.redrawSoon();
  }

  plan(context, { width, height }, theme) {
    if (!this.votes) return null;
    const top = HEAD * theme.enlarged;
    return { ...stripGrid(this.votes.values.length, { width: width - 4, height: height - top - 4 }), top, theme };
  }

  drawStill(context, { theme }) {
    context.font = chartFont(theme);
    context.textBaseline = "middle";
    context.fillStyle = theme.quiet;
    const text = this.votes.outOfBag ? say("Votes, one cell per tree; outlined: out of bag") : say("Votes, one cell per tree");
    context.fillText(text, 2, 9 * theme.enlarged);
  }

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

  colourOf(value, theme) {
    if (!this.picture.isRegression) return theme.classes[value % theme.classes.length];
    const [least, largest] = this.range;
    return mixColours(theme.means[0], theme.means[1], largest > least ? (value - least) / (largest - least) : 0.5);
  }

  setTheme(theme) {
    this.chart.setTheme(theme);
  }

  setStage(stage) {
    this.stage = stage;
    this.chart.redrawMoving();
  }

  redrawSoon() {
    this.chart.redrawSoon();
  }

  destroy() {
    this.chart.destroy();
  }
}
