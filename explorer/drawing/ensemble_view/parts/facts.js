// The stages as a table: ε, α, Z, … as the picture brings them; the round of the stage is lit, a click goes to it.

/** @typedef {import("../model/picture.js").Picture} Picture */

import { makeElement, textElement } from "../../tree_view/dom.js";
import { visibleText } from "../../tree_view/format.js";
import { makeFollower } from "../../tree_view/panel/slider_motion.js";
import { say } from "../../tree_view/messages.js";

/** @param {{ onJump: (stage: number) => void }} hooks */
export function makeFacts(hooks) {
  return new Facts(hooks);
}

class Facts {
  /** @param {{ onJump: (stage: number) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.stage = 0;
    /** @type {Map<number, HTMLTableRowElement>} by stage */
    this.lines = new Map();
    /** @type {HTMLElement | null} */
    this.lit = null;
    this.light = makeFollower(() => this.lightStage()); // the bold line lays out the table
    this.scroller = makeElement("div", "ev-facts-scroller", { tabindex: 0 });
    this.element = makeElement("section", "ev-part ev-facts", { "aria-label": say("Stage by stage") }, [makeElement("h4", "tv-title", {}, [say("Stage by stage")]), this.scroller]);
    this.scroller.addEventListener("click", (event) => this.pick(event));
    // Asked once and kept: asking at every stage would lay the page out at every frame.
    this.top = 0;
    this.height = 0;
    this.lineHeight = 0;
    this.scroller.addEventListener("scroll", () => (this.top = this.scroller.scrollTop));
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.scroller);
  }

  /** @param {Picture} picture */
  set(picture) {
    const { headings, rounds } = picture.facts;
    this.lines = new Map(rounds.map(([stage, ...texts]) => [stage, this.line(stage, texts)]));
    const head = makeElement("tr", "", {}, [say("stage"), ...headings.map((heading) => visibleText(heading))].map((text) => makeElement("th", "", { scope: "col" }, [text])));
    const body = makeElement("tbody", "", {}, [...this.lines.values()]);
    this.scroller.replaceChildren(makeElement("table", "ev-facts-table", {}, [makeElement("thead", "", {}, [head]), body]));
    this.lit = null;
    this.light.forget();
    this.setStage(this.stage);
  }

  /** @param {number} stage @param {string[]} texts */
  line(stage, texts) {
    const cells = texts.map((text) => textElement("td", "", visibleText(text)));
    return makeElement("tr", "", { "data-stage": stage }, [makeElement("th", "", { scope: "row" }, [String(stage)]), ...cells]);
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const line = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("tr[data-stage]"));
    if (line) this.hooks.onJump(Number(line.dataset.stage));
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.light.follow();
  }

  lightStage() {
    this.lit?.removeAttribute("aria-current");
    this.lit = this.lines.get(this.stage) ?? null;
    if (!this.lit) return;
    this.lit.setAttribute("aria-current", "true");
    this.keepInView();
  }

  measure() {
    this.height = this.scroller.clientHeight;
    this.lineHeight = this.lines.values().next().value?.offsetHeight ?? 0;
    this.keepInView();
  }

  /** Scroll the table, and nothing around it; the fixed heading is as high as a line. */
  keepInView() {
    const place = [...this.lines.keys()].indexOf(this.stage);
    if (place < 0 || !this.height || !this.lineHeight) return;
    const [from, to] = [place * this.lineHeight, (place + 2) * this.lineHeight - this.height];
    const top = Math.min(Math.max(this.top, to), from);
    if (Math.abs(top - this.top) > 1) this.scroller.scrollTop = this.top = top;
  }

  setTheme() {}

  setRow() {}

  describe() {
    this.light.catchUp();
  }

  redrawSoon() {
    this.measure();
  }

  destroy() {
    this.light.forget();
    this.observer.disconnect();
  }
}
