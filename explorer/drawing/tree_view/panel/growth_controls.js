// What the timeline of growing has beside the slider: the order of the splits, asking first, and splitting a chosen leaf; and
// the question of "Ask me first" where the page's own is not seen, in full screen and in a narrow window.

/** @typedef {import("../model/payload.js").SequenceData} SequenceData */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { classColour, readableOn } from "../../charts/colours.js";
import { makeElement, putText, setShown } from "../dom.js";
import { countText, numberText, visibleText } from "../format.js";
import { say } from "../messages.js";
import { LEAF } from "../model/pruned_shape.js";
import { shortTestsOf } from "../model/short_tests.js";

/** @typedef {[word: string, rows: string | number[]]} Branch its rows by class, or their mean in words */
/** @typedef {{ on: boolean, answered: number[], of: number, options: string[], branches: Branch[][], verdict: string }} Ask */
/** @typedef {{ order: string | null, ask: Ask | null, sentence: { step: number, text: string } | null }} Growth */
/** @typedef {{ onCommand: (name: string, value: unknown) => void }} Hooks */

/** @type {[string, () => string][]} */
const ORDERS = [
  ["depth_first", () => say("Depth-first")],
  ["breadth_first", () => say("Breadth-first")],
  ["best_first", () => say("Best-first")],
];
const IMPURITY_DIGITS = 3;
const MOST_DIGITS = 9; // keys that answer

/**
 * Whether a step is to be guessed: its split is not shown until the reader has answered.
 * @param {Ask | null} ask @param {SequenceData | null} sequence @param {number} position
 */
export function isOpenQuestion(ask, sequence, position) {
  return ask?.on === true && sequence !== null && sequence.isGrowth && position > 0 && !ask.answered.includes(position);
}

/**
 * Whether a step has been answered and another follows: the key → is then that of "Next step".
 * @param {Ask | null} ask @param {number} position @param {boolean} isLast
 */
export function offersNext(ask, position, isLast) {
  return ask?.on === true && ask.of === position && ask.verdict !== "" && !isLast;
}

/**
 * One sentence about a step of growing: `sentence` is Python's, {step, text}, for the step where the slider came to rest.
 * @param {TreeData} tree @param {SequenceData} sequence @param {number} position
 * @param {Partial<Growth>} [growth]
 */
export function growthSentence(tree, sequence, position, { ask = null, sentence = null } = {}) {
  const node = sequence.focus(position);
  if (isOpenQuestion(ask, sequence, position)) return say("Which feature splits node {node}?", { node });
  if (sentence && sentence.step === position) return sentence.text;
  const fields = (/** @type {number} */ at) => ({
    node: at,
    rows: tree.rowsText(at),
    impurity: tree.impurityName,
    value: numberText(tree.impurity[at], IMPURITY_DIGITS),
  });
  if (node < 0) return say("The root, before any split: {rows}, {impurity} {value}.", fields(0));
  return say("Node {node} splits on {test}: {rows}, {impurity} {value}.", { ...fields(node), test: visibleText(shortTestsOf(tree).test(node)) });
}

/**
 * Whether a node can be split next: it is a leaf now, and the full tree splits it.
 * @param {TreeData} tree @param {Uint8Array} shape @param {number} node
 */
export function canSplitNext(tree, shape, node) {
  return node >= 0 && node < tree.n && shape[node] === LEAF && tree.isSplit(node);
}

/** @param {Hooks} hooks */
export function makeGrowthControls(hooks) {
  return new GrowthControls(hooks);
}

class GrowthControls {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.node = -1;
    const options = ORDERS.map(([value, text]) => makeElement("option", "", { value }, [text()]));
    this.order = makeElement("select", "tv-order", { "aria-label": say("Order of the splits"), title: say("Order of the splits") }, options);
    this.order.addEventListener("change", () => hooks.onCommand("order", this.order.value));
    this.ask = makeElement("button", "tv-push", { type: "button", "aria-pressed": "false" }, [say("Ask me first")]);
    this.ask.title = say("Guess the feature of each split before it is shown");
    this.ask.addEventListener("click", () => hooks.onCommand("ask", this.ask.getAttribute("aria-pressed") !== "true"));
    this.split = makeElement("button", "tv-push", { type: "button" }, [say("Split this node")]);
    this.split.addEventListener("click", () => this.node >= 0 && hooks.onCommand("split", this.node));
    this.element = makeElement("div", "tv-growth", { hidden: "" }, [this.ask, this.split]);
    this.setShown(false);
  }

  /** The order stands beside the slider, so that the sentence below it has room. @param {boolean} isShown */
  setShown(isShown) {
    setShown(this.element, isShown);
    setShown(this.order, isShown);
  }

  /** @param {Growth} growth */
  set({ order, ask }) {
    if (order) this.order.value = order;
    this.ask.setAttribute("aria-pressed", String(Boolean(ask?.on)));
  }

  /**
   * The node that the button splits next: the selected one, or −1 where that cannot be split now.
   * @param {number} node @param {boolean} isAtEnd
   */
  setNode(node, isAtEnd) {
    this.node = node;
    setShown(this.split, !isAtEnd);
    this.split.setAttribute("aria-disabled", String(node < 0));
    this.split.title = node < 0 ? say("Select an open leaf that the full tree splits: it is then split next") : say("Split node {node} next", { node });
  }
}

/** The answers, each with the rows of its branches, then whether one was right, and the way on. @param {Hooks & { onNext: () => void }} hooks */
export function makeQuestion(hooks) {
  return new Question(hooks);
}

class Question {
  /** @param {Hooks & { onNext: () => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {string[]} */
    this.options = [];
    /** @type {Theme | null} */
    this.theme = null;
    this.shown = "";
    this.verdict = makeElement("strong", "tv-verdict");
    this.answers = makeElement("div", "tv-answers");
    this.next = makeElement("button", "tv-push tv-next", { type: "button", title: say("Next step (→)") }, [say("Next step")]);
    this.next.addEventListener("click", () => hooks.onNext());
    this.element = makeElement("div", "tv-question", { hidden: "" }, [this.answers, this.verdict, this.next]);
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.shown = "";
  }

  /**
   * `ask` as the view has it, or null; its answers and its verdict are those of one step, `of`.
   * @param {Ask | null} ask @param {number} position @param {boolean} isLast
   */
  set(ask, position, isLast) {
    const here = ask?.on && ask.of === position ? ask : null;
    const { options, branches, verdict } = here ?? { options: [], branches: [], verdict: "" };
    const shown = JSON.stringify([options, branches]);
    if (shown !== this.shown) this.show(options, branches);
    this.shown = shown;
    putText(this.verdict, verdict);
    setShown(this.next, offersNext(ask, position, isLast));
    setShown(this.element, options.length > 0 || verdict !== "");
  }

  /** @param {string[]} options @param {Branch[][]} branches */
  show(options, branches) {
    this.options = options;
    this.answers.replaceChildren(...options.map((name, at) => this.answer(name, at, branches[at] ?? [])));
  }

  /** @param {string} name @param {number} at @param {Branch[]} branches */
  answer(name, at, branches) {
    const text = at < MOST_DIGITS ? `${at + 1} ${visibleText(name)}` : visibleText(name);
    const lines = branches.flatMap(([word, rows]) => [makeElement("span", "tv-branch-word", {}, [visibleText(word)]), this.rows(rows)]);
    const button = makeElement("button", "tv-push tv-answer", { type: "button", "aria-label": text }, [makeElement("strong", "", {}, [text]), ...lines]);
    button.addEventListener("click", () => this.hooks.onCommand("guess", name));
    return button;
  }

  /** The rows of a branch: a bar with a part for each class, or their mean in words. @param {string | number[]} rows */
  rows(rows) {
    if (typeof rows === "string") return makeElement("span", "tv-branch-word", {}, [rows]);
    const parts = rows.map((count, k) => [count, k]).filter(([count]) => count > 0).map(([count, k]) => this.part(count, k));
    return makeElement("span", "tv-branch-bar", {}, parts);
  }

  /** @param {number} count @param {number} k */
  part(count, k) {
    const part = makeElement("span", "", {}, [countText(count)]);
    const colour = this.theme ? classColour(this.theme, k) : "transparent";
    Object.assign(part.style, { flex: `${count} 1 0`, background: colour, color: this.theme ? readableOn(colour) : "inherit" });
    return part;
  }

  /** Give the answer of a digit; returns whether there is one. @param {string} key */
  key(key) {
    const name = /^[1-9]$/.test(key) ? this.options[Number(key) - 1] : undefined;
    if (name === undefined) return false;
    this.show([], []); // known again once Python has answered
    this.hooks.onCommand("guess", name);
    return true;
  }
}
