// The filter: which nodes keep their full colour, by rows, purity and predicted class. The others are dimmed.

import { iconButton, Popover } from "./popover.js";
import { makeElement, setShown, textElement } from "../dom.js";
import { ellipsis, visibleText } from "../format.js";
import { say } from "../messages.js";

/** @typedef {import("../canvas/scene/scene.js").Scene["filter"]} Filter `label` is a class code, −1 for any */

const LONGEST_CHOICE = 40;

/** No filter: every node keeps its colour. */
const NO_FILTER = { minRows: 0, minPurity: 0, label: -1 };

/** @param {Filter} filter */
function isFiltering({ minRows, minPurity, label }) {
  return minRows > 0 || minPurity > 0 || label >= 0;
}

export class FilterPanel {
  /** `report` gets the filter whenever the reader changes it. @param {HTMLElement} host @param {(filter: Filter) => void} report */
  constructor(host, report) {
    this.report = report;
    this.button = iconButton("filter", say("Filter: dim the other nodes"), () => {});
    this.popover = new Popover(host, this.button);
    this.minRows = this.field(say("Rows at least"), numberInput({ min: 0, step: 1 }));
    this.minPurity = this.field(say("Purity at least, %"), numberInput({ min: 0, max: 100, step: 5 }));
    this.label = this.field(say("Predicted class"), textElement("select", "tv-select"));
    const clear = makeElement("button", "tv-button", { type: "button" }, [say("Clear")]);
    clear.addEventListener("click", () => this.clear());
    this.popover.panel.append(clear);
    host.append(this.button);
  }

  /** @template {HTMLElement} Input @param {string} name @param {Input} input */
  field(name, input) {
    input.addEventListener("input", () => this.report(this.value()));
    this.popover.panel.append(makeElement("label", "tv-field", {}, [name, input]));
    return input;
  }

  /** @param {string[]} classes */
  setClasses(classes) {
    const choices = classes.map((name, code) => makeElement("option", "", { value: code }, [visibleText(ellipsis(name, LONGEST_CHOICE))]));
    this.label.replaceChildren(makeElement("option", "", { value: -1 }, [say("any")]), ...choices);
    setShown(/** @type {HTMLElement} */ (this.label.parentElement), classes.length > 0);
  }

  value() {
    return {
      minRows: Number(this.minRows.value) || 0,
      minPurity: (Number(this.minPurity.value) || 0) / 100,
      label: Number(this.label.value || -1),
    };
  }

  clear() {
    this.fill(NO_FILTER);
    this.report(this.value());
  }

  /** Show a filter that is in force; not while the reader types. @param {Filter} filter */
  show(filter) {
    this.button.setAttribute("aria-pressed", String(isFiltering(filter)));
    if (this.popover.panel.hidden) this.fill(filter);
  }

  /** @param {Filter} filter */
  fill({ minRows, minPurity, label }) {
    this.minRows.value = String(minRows || "");
    this.minPurity.value = String(minPurity ? Math.round(minPurity * 100) : "");
    this.label.value = String(label);
  }
}

/** @param {Record<string, number>} limits */
function numberInput(limits) {
  return makeElement("input", "tv-number-input", { type: "number", ...limits });
}
