// Every text that the view shows: written in English where it is used, shown in the language that Python has chosen.
//
// `say` and `sayCount` are this view's `message` and `plural` (explorer/messages): a template with named fields is its own
// key in the table that Python sends. Templates are literals, so that they can be listed (`templates` in __init__.py).

// A space beside a field that stands between two Chinese signs is left out, as in spacing.py of explorer/messages.
const FIELD = /((?<=[一-鿿]) )?\{(\w+)\}( (?=[一-鿿]))?/g;
const CHINESE_START = /^[一-鿿\u3000-〿＀-\uffef]/;
const CHINESE_END = /[一-鿿\u3000-〿＀-\uffef]$/;

/** @typedef {Record<string, unknown>} Fields what a template shows, by name */

/** @type {Record<string, string>} */
let translations = {};

/**
 * Take over the table English template → template; nothing is sent where the language is English.
 * @param {Record<string, string> | null | undefined} table
 */
export function useMessages(table) {
  translations = table ?? {};
}

/** Tables with the same texts have the same key. @param {Record<string, string> | null | undefined} table */
export function messagesKey(table) {
  return JSON.stringify(table ?? {});
}

/**
 * A template with its fields filled in: say("Node {node}", { node: 4 }).
 * @param {string} template @param {Fields} [fields]
 */
export function say(template, fields = {}) {
  const text = translations[template] ?? template;
  return text.replace(FIELD, (_, before = "", name, after = "") => {
    const value = String(fields[name]);
    return `${CHINESE_START.test(value) ? "" : before}${value}${CHINESE_END.test(value) ? "" : after}`;
  });
}

/**
 * The template for one, or the one for any other number; both may show {n}, with separators of thousands.
 * @param {number} n @param {string} one @param {string} many @param {Fields} [fields]
 */
export function sayCount(n, one, many, fields = {}) {
  return say(n === 1 ? one : many, { n: n.toLocaleString("en-US"), ...fields });
}

/** Texts within a sentence, one after another, with the marks of the language. @param {string[]} texts */
export function listing(texts) {
  return texts.join(say(", "));
}
