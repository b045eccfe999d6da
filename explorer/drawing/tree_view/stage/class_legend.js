// The legend below the tree: the classes with their shapes and colours in one row, and a list to open for many classes and
// for those without room, whose names are shortened first; for a numeric target the range of the means.

/** @typedef {import("../canvas/node_style.js").Paints} Paints */
/** @typedef {import("../canvas/scene/scene.js").Scene} Scene */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../model/payload.js").TreeData} TreeData */

import { Popover } from "./popover.js";
import { classSign } from "../../charts/swatches.js";
import { meanRange } from "../canvas/node_style.js";
import { makeElement, setShown, textElement } from "../dom.js";
import { ellipsis, numberText, visibleText } from "../format.js";
import { say, sayCount } from "../messages.js";

const MOST_IN_ROW = 8;
const LONGEST_CLASS = 40;

export class ClassLegend {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.element = textElement("div", "tv-legend-foot");
    this.row = textElement("div", "tv-classes");
    this.button = makeElement("button", "tv-all-classes", { type: "button" });
    this.element.append(this.row, this.button);
    host.append(this.element);
    this.list = new Popover(host, this.button, "tv-class-list tv-upwards");
    this.isLong = false;
    /** @type {HTMLElement[]} */
    this.entries = [];
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(host);
  }

  /** @param {Scene} scene */
  fill({ tree, theme, paints }) {
    const isLong = tree.nClasses > MOST_IN_ROW;
    this.isLong = isLong;
    this.row.replaceChildren(textElement("span", "tv-quiet", visibleText(ellipsis(tree.target, 60))));
    this.entries = tree.isRegression ? [] : classEntries(tree, theme);
    this.row.append(...(tree.isRegression ? meanScale(tree, theme, paints) : this.entries));
    this.list.panel.replaceChildren(...(tree.isRegression ? [] : classEntries(tree, theme)));
    this.button.textContent = sayCount(tree.nClasses, "{n} class", "All {n} classes");
    this.fit();
  }

  /** Shorter names where there is no room, then the last classes in the list only. */
  fit() {
    this.row.classList.remove("tv-classes-short");
    for (const entry of this.entries) setShown(entry, true);
    setShown(this.button, this.isLong);
    this.leaveOut();
    if (this.button.hidden) this.list.open(false);
  }

  leaveOut() {
    const isCut = () => this.row.scrollWidth > this.row.clientWidth + 1;
    this.row.classList.toggle("tv-classes-short", isCut());
    for (let k = this.entries.length - 1; k > 0 && isCut(); k--) {
      setShown(this.entries[k], false);
      setShown(this.button, true);
      if (!this.isLong) this.button.textContent = say("+{count} more", { count: this.entries.length - k });
    }
  }
}

/** @param {TreeData} tree @param {Theme} theme */
function classEntries(tree, theme) {
  return tree.classes.map((name, k) => {
    const text = textElement("span", "", visibleText(ellipsis(name, LONGEST_CLASS)));
    return makeElement("span", "tv-class-entry", { title: visibleText(name) }, [classSign(theme, k), text]);
  });
}

/** @param {TreeData} tree @param {Theme} theme @param {Paints} paints */
function meanScale(tree, theme, paints) {
  const scale = textElement("span", "tv-mean-scale");
  scale.style.background = `linear-gradient(to right, ${paints.leafFill.join(", ")})`;
  const [least, largest] = meanRange(tree, theme);
  const number = (/** @type {number} */ value) => textElement("span", "tv-number", numberText(value, 2));
  return [number(least), scale, number(largest)];
}
