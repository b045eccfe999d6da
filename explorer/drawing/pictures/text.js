// Text in a picture: how wide it is, shortened to a width, and broken into lines, Chinese and Japanese between any signs.
//
// A *kind* of text is a class of styles/pictures.css; its size here is that of the style sheet.

import { contextOf } from "../tree_view/dom.js";
import { ellipsis, visibleText } from "../tree_view/format.js";

/** @type {Record<string, [size: number, weight: number]>} */
const TEXT_KINDS = {
  "pic-label": [15, 400],
  "pic-number": [15, 600],
  "pic-title": [17, 600],
  "pic-small": [13, 400],
  "pic-value": [20, 650],
  "pic-large": [28, 650],
};
const LONGEST_TEXT = 200;
const WORDS = new Intl.Segmenter("en", { granularity: "word" });
/** @type {Map<string, number>} */
const measured = new Map();
/** @type {CanvasRenderingContext2D | null} */
let measuring = null;

/** The width of a text of a kind, in units of the picture. @param {string} text */
export function textWidth(text, kind = "pic-label", family = "sans-serif") {
  const key = `${kind}\u0000${family}\u0000${text}`;
  const known = measured.get(key);
  if (known !== undefined) return known;
  if (measured.size > 5000) measured.clear();
  const width = measuredWidth(text, kind, family);
  measured.set(key, width);
  return width;
}

/** @param {string} text @param {string} kind @param {string} family */
function measuredWidth(text, kind, family) {
  const [size, weight] = TEXT_KINDS[kind] ?? TEXT_KINDS["pic-label"];
  measuring ??= contextOf(document.createElement("canvas"));
  measuring.font = `${weight} ${size}px ${family}`;
  return measuring.measureText(text).width;
}

/**
 * The text, or as much of it as fits `most` with an ellipsis. `width(text)` measures.
 * @param {string} text @param {number} most @param {(text: string) => number} width
 */
export function shortenedText(text, most, width) {
  const whole = visibleText(text.length > LONGEST_TEXT ? ellipsis(text, LONGEST_TEXT) : text);
  if (width(whole) <= most) return whole;
  let [fits, tooLong] = [1, whole.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (width(ellipsis(whole, middle)) <= most) fits = middle;
    else tooLong = middle;
  }
  return ellipsis(whole, fits);
}

/**
 * The lines of a text that are no wider than `most`, broken between words; a longer word is shortened.
 * @param {string} text @param {number} most @param {(text: string) => number} width
 */
export function brokenText(text, most, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const part of breakableParts(visibleText(text))) {
    if (line && width((line + part).trimEnd()) > most) {
      lines.push(line.trimEnd());
      line = part.trimStart();
    } else line += part;
  }
  if (line.trim()) lines.push(line.trimEnd());
  return lines.map((each) => shortenedText(each, most, width));
}

/** Words, each with the marks and spaces that follow it, so that no line begins with a mark. @param {string} text */
function breakableParts(text) {
  /** @type {string[]} */
  const parts = [];
  for (const { segment, isWordLike } of WORDS.segment(text)) {
    const begins = parts.length === 0 || (isWordLike && /[\s\u2e80-\u9fff\uff00-\uffef]$/u.test(parts[parts.length - 1]));
    const isCjk = isWordLike && /^[\u2e80-\u9fff]/u.test(segment);
    if (begins || isCjk) parts.push(segment);
    else parts[parts.length - 1] += segment;
  }
  return parts;
}
