// Text for the canvas: widths and cut texts are computed once and cached.
//
// fit      the text, or as much of it as fits a width with an ellipsis; "" when not even one character fits with it
// Control characters and line breaks are shown as signs, and no more of a name is ever measured than could fit a box.

import { ellipsis, visibleText } from "../format.js";

const LONGEST_DRAWN = 120;
const MOST_CACHED_TEXTS = 20000;

/** Measures and cuts texts in the fonts of one theme; all sizes are those of an unmagnified box. */
export class TextMeasure {
  /** @param {CanvasRenderingContext2D} context @param {string} family */
  constructor(context, family) {
    this.context = context;
    /** @type {Record<string, string>} by role */
    this.fonts = {
      title: `600 13px ${family}`,
      prediction: `500 12px ${family}`,
      small: `400 11px ${family}`,
      tag: `600 10px ${family}`,
    };
    /** @type {Record<string, Map<string, number>>} */
    this.widths = { title: new Map(), prediction: new Map(), small: new Map(), tag: new Map() };
    /** @type {Map<string, string>} */
    this.cuts = new Map();
  }

  /** @param {string} text @param {string} role */
  width(text, role) {
    const widths = this.widths[role];
    let width = widths.get(text);
    if (width === undefined) {
      this.context.font = this.fonts[role];
      width = this.context.measureText(text).width;
      if (widths.size > MOST_CACHED_TEXTS) widths.clear();
      widths.set(text, width);
    }
    return width;
  }

  /** @param {string} text @param {string} role @param {number} most */
  fit(text, role, most) {
    if (this.width(text, role) <= most) return text;
    const room = Math.floor(most / 3);
    const key = `${role}${room}\u0000${text}`;
    let cut = this.cuts.get(key);
    if (cut === undefined) {
      cut = this.cutTo(text, role, room * 3);
      if (this.cuts.size > MOST_CACHED_TEXTS) this.cuts.clear();
      this.cuts.set(key, cut);
    }
    return cut;
  }

  /** @param {string} text @param {string} role @param {number} most */
  cutTo(text, role, most) {
    this.context.font = this.fonts[role];
    let [fitting, tooLong] = [0, text.length];
    while (tooLong - fitting > 1) {
      const middle = (fitting + tooLong) >> 1;
      if (this.context.measureText(`${text.slice(0, middle)}…`).width <= most) fitting = middle;
      else tooLong = middle;
    }
    const cut = ellipsis(text, fitting + 1);
    return cut.length > 1 && this.width(cut, role) <= most ? cut : "";
  }
}

/** A reader's text as one line that can be drawn. @param {string} text */
export function drawnText(text) {
  return visibleText(text.length > LONGEST_DRAWN ? ellipsis(text, LONGEST_DRAWN) : text);
}
