// Text for the canvas: widths are measured once, and what is cut once is kept.
//
// fit      the text, or as much of it as fits a width with an ellipsis; "" when not even one sign and it fit
// Control characters and line breaks are shown as signs, and no more of a name is ever measured than could fit a box.

import { ellipsis, visibleText } from "../format.js";

const LONGEST_DRAWN = 120;
const KEPT_TEXTS = 20000;

/** Measures and cuts texts in the fonts of one look; all sizes are those of an unmagnified box. */
export class Lettering {
  constructor(context, family) {
    this.context = context;
    this.fonts = {
      title: `600 13px ${family}`,
      answer: `500 12px ${family}`,
      small: `400 11px ${family}`,
      tag: `600 10px ${family}`,
    };
    this.widths = { title: new Map(), answer: new Map(), small: new Map(), tag: new Map() };
    this.cuts = new Map();
  }

  width(text, role) {
    const known = this.widths[role];
    let width = known.get(text);
    if (width === undefined) {
      this.context.font = this.fonts[role];
      width = this.context.measureText(text).width;
      if (known.size > KEPT_TEXTS) known.clear();
      known.set(text, width);
    }
    return width;
  }

  fit(text, role, most) {
    if (this.width(text, role) <= most) return text;
    const room = Math.floor(most / 3);
    const key = `${role}${room}\u0000${text}`;
    let cut = this.cuts.get(key);
    if (cut === undefined) {
      cut = this.cutTo(text, role, room * 3);
      if (this.cuts.size > KEPT_TEXTS) this.cuts.clear();
      this.cuts.set(key, cut);
    }
    return cut;
  }

  cutTo(text, role, most) {
    this.context.font = this.fonts[role];
    let [kept, tooLong] = [0, text.length];
    while (tooLong - kept > 1) {
      const middle = (kept + tooLong) >> 1;
      if (this.context.measureText(`${text.slice(0, middle)}…`).width <= most) kept = middle;
      else tooLong = middle;
    }
    const cut = ellipsis(text, kept + 1);
    return cut.length > 1 && this.width(cut, role) <= most ? cut : "";
  }
}

/** A reader's text as one line that can be drawn. */
export function drawnText(text) {
  return visibleText(text.length > LONGEST_DRAWN ? ellipsis(text, LONGEST_DRAWN) : text);
}
