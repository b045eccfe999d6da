// Two numeric features: what the stage predicts where, as coloured cells that fade where the vote is close, and the rows.

/** @typedef {import("../../charts/axes.js").Box} ChartBox */
/** @typedef {import("../../charts/frame.js").Frame} ChartFrame */
/** @typedef {import("./stage_chart.js").ChartHooks} ChartHooks */
/** @typedef {import("./stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */
/** @typedef {import("../../charts/chart_box.js").Size} Size */
/** @typedef {import("../model/picture.js").Regions} Regions */

import { drawFrame, drawTitle, makeFrame } from "../../charts/frame.js";
import { nearestPoint, pointIn } from "../../charts/chart_box.js";
import { StageChart } from "./stage_chart.js";
import { colourChannels, mixColours } from "../../charts/colours.js";
import { CLASS_SHAPES, traceShape } from "../../charts/shapes.js";
import { strokeDot } from "../../charts/strokes.js";
import { paintShapes } from "./fit_chart.js";
import { contextOf } from "../../tree_view/dom.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

/** @typedef {{ frame: ChartFrame, theme: ChartTheme, radius: number }} RegionPlot */

const [FULL, LEAST_TINT, MOST_TINT] = [255, 0.1, 0.62];

/** @param {ChartHooks} hooks */
export function makeRegionMap(hooks) {
  return new RegionMap(hooks);
}

/** @extends {StageChart<RegionPlot>} */
class RegionMap extends StageChart {
  /** @type {Regions} */
  regions = later();
  cells = document.createElement("canvas");
  image = new ImageData(1, 1);
  pixels = new Uint32Array(0);
  table = new Uint32Array(0);

  /** @param {ChartHooks} hooks */
  constructor(hooks) {
    super("ev-regions", hooks, { isStillAbove: true });
  }

  /** @param {Picture} picture */
  set(picture) {
    if (!picture.regions) return;
    this.picture = picture;
    this.regions = picture.regions;
    const { nX, nY } = this.regions;
    [this.cells.width, this.cells.height] = [nX, nY];
    this.image = new ImageData(nX, nY);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.box.redrawSoon();
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {ChartTheme} theme @returns {RegionPlot | null} */
  plan(context, { width, height }, theme) {
    if (!this.regions) return null;
    const { xRange, yRange } = this.regions;
    const frame = makeFrame(context, { left: 0, top: 0, right: width, bottom: height }, { x: xRange, y: yRange }, theme);
    this.table = this.picture.isRegression ? meanTable(theme) : classTable(theme, this.picture.classes.length);
    return { frame, theme, radius: this.regions.x.length > 400 ? 2.5 : 4 };
  }

  /** Axes and rows; they lie above the regions. @param {CanvasRenderingContext2D} context @param {RegionPlot} plot */
  drawStill(context, { frame, theme, radius }) {
    const { xFeature, yFeature, x, y } = this.regions;
    drawFrame(context, { ...frame, theme: { ...theme, grid: "transparent" } }, { xTitle: xFeature });
    context.fillStyle = theme.quiet;
    context.textAlign = "right";
    context.fillText(yFeature, frame.area.right, frame.box.top + 10 * theme.enlarged);
    context.textAlign = "left";
    for (let i = 0; i < x.length; i++) {
      context.beginPath();
      traceShape(context, this.picture.isRegression ? "circle" : CLASS_SHAPES[this.regions.values[i] % CLASS_SHAPES.length], frame.toX(x[i]), frame.toY(y[i]), radius);
      paintShapes(context, this.colourOf(i, theme), theme.background);
    }
  }

  /** @param {number} i @param {ChartTheme} theme */
  colourOf(i, theme) {
    const { values, valueRange } = this.regions;
    if (!this.picture.isRegression) return theme.classes[values[i] % theme.classes.length];
    const share = (values[i] - valueRange[0]) / (valueRange[1] - valueRange[0] || 1);
    return mixColours(theme.means[0], theme.means[1], Math.min(Math.max(share, 0), 1));
  }

  /** @param {CanvasRenderingContext2D} context @param {RegionPlot} plot */
  drawMoving(context, { frame, theme }) {
    const { area } = frame;
    this.paintCells();
    context.imageSmoothingEnabled = false;
    context.drawImage(this.cells, area.left, area.top, area.right - area.left, area.bottom - area.top);
    if (!this.picture.isRegression) this.drawBoundary(context, area, theme);
    const title = this.stage === 0 ? say("Before any tree: the same prediction everywhere") : say("What stage {stage} predicts", { stage: this.stage });
    drawTitle(context, frame, title);
    if (this.row >= 0) this.ringRow(context, frame, theme);
  }

  /** The cells of the stage as pixels of a small image; its first line is the top, the largest y. */
  paintCells() {
    const { nX, nY, certainty } = this.regions;
    const [codes, sure] = [this.regions.codes(this.stage), certainty?.(this.stage)];
    for (let line = 0; line < nY; line++) {
      const from = (nY - 1 - line) * nX;
      for (let column = 0; column < nX; column++) {
        const cell = from + column;
        this.pixels[line * nX + column] = this.table[this.picture.isRegression ? codes[cell] : codes[cell] * (FULL + 1) + (sure ? sure[cell] : FULL)];
      }
    }
    contextOf(this.cells).putImageData(this.image, 0, 0);
  }

  /**
   * Lines between cells of different classes.
   * @param {CanvasRenderingContext2D} context @param {ChartBox} area @param {ChartTheme} theme
   */
  drawBoundary(context, area, theme) {
    const { nX, nY } = this.regions;
    const codes = this.regions.codes(this.stage);
    const [wide, high] = [(area.right - area.left) / nX, (area.bottom - area.top) / nY];
    context.beginPath();
    for (let j = 0; j < nY; j++) {
      for (let i = 0; i < nX; i++) {
        const cell = j * nX + i;
        if (i + 1 < nX && codes[cell] !== codes[cell + 1]) {
          context.moveTo(area.left + (i + 1) * wide, area.bottom - j * high);
          context.lineTo(area.left + (i + 1) * wide, area.bottom - (j + 1) * high);
        }
        if (j + 1 < nY && codes[cell] !== codes[cell + nX]) {
          context.moveTo(area.left + i * wide, area.bottom - (j + 1) * high);
          context.lineTo(area.left + (i + 1) * wide, area.bottom - (j + 1) * high);
        }
      }
    }
    context.strokeStyle = theme.text;
    context.lineWidth = 1.5;
    context.lineCap = "square";
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context @param {ChartFrame} frame @param {ChartTheme} theme */
  ringRow(context, frame, theme) {
    const { x, y, rows } = this.regions;
    for (let i = 0; i < x.length; i++) {
      if ((rows ? rows[i] : i) === this.row) strokeDot(context, frame.toX(x[i]), frame.toY(y[i]), 9, theme.text, 2.5);
    }
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const plot = this.box.plot();
    if (!plot) return;
    const { x, y, rows } = this.regions;
    const i = nearestPoint(x.length, (k) => [plot.frame.toX(x[k]), plot.frame.toY(y[k])], pointIn(this.element, event));
    if (i >= 0) this.hooks.onRow(rows ? rows[i] : i);
  }

  describe() {
    const { xFeature, yFeature } = this.regions;
    this.box.describe(say("Regions over {x} and {y} at stage {stage} of {last}", { x: xFeature, y: yFeature, stage: this.stage, last: this.picture.nStages }));
  }
}

/**
 * Pixels by class and certainty: towards the background where the vote is close.
 * @param {ChartTheme} theme @param {number} nClasses
 */
function classTable(theme, nClasses) {
  const table = new Uint32Array(Math.max(nClasses, 1) * (FULL + 1));
  for (let code = 0; code < nClasses; code++) {
    for (let sure = 0; sure <= FULL; sure++) {
      const tint = LEAST_TINT + (MOST_TINT - LEAST_TINT) * (sure / FULL);
      table[code * (FULL + 1) + sure] = pixelOf(mixColours(theme.background, theme.classes[code % theme.classes.length], tint));
    }
  }
  return table;
}

/** @param {ChartTheme} theme */
function meanTable(theme) {
  return Uint32Array.from({ length: FULL + 1 }, (_, step) => pixelOf(mixColours(theme.means[0], theme.means[1], step / FULL)));
}

/** A colour as the 32 bits of a pixel, on machines that store the lowest byte first. @param {string} colour */
function pixelOf(colour) {
  const [red, green, blue] = colourChannels(colour);
  return (FULL << 24) | (blue << 16) | (green << 8) | red;
}
