// The legend below the tree: the classes with their shapes and colours, all of them in one row that scrolls sideways, and
// for many classes a list to open; for a numeric target the range of the means.

import { Popover } from "./popover.js";
import { classSign } from "../model/node_facts.js";
import { meanRange } from "../canvas/node_style.js";
import { makeElement, setShown, textElement } from "../dom.js";
import { ellipsis, numberText, visibleText } from "../format.js";
import { sayCount } from "../messages.js";

const MOST_IN_ROW = 8;
const LONGEST_CLASS = 40;

export class ClassLegend {
  constructor(host) {
    this.element = textElement("div", "tv-legend-foot");
    this.row = textElement("div", "tv-classes");
    this.button = makeElement("button", "tv-all-classes", { type: "button" });
    this.element.append(this.row, this.button);
    host.append(this.element);
    this.list = new Popover(host, this.button, "tv-class-list tv-upwards");
  }

  fill({ tree, theme, paints }) {
    const isLong = tree.nClasses > MOST_IN_ROW;
    setShown(this.button, isLong);
    this.button.textContent = sayCount(tree.nClasses, "{n} class", "All {n} classes");
    this.row.replaceChildren(textElement("span", "tv-quiet", visibleText(ellipsis(tree.target, 60))));
    this.row.append(...(tree.isRegression ? meanScale(tree, theme, paints) : classEntries(tree, theme)));
    this.list.panel.replaceChildren(...(isLong ? classEntries(tree, theme) : []));
    if (!isLong) this.list.open(false);
  }
}

function classEntries(tree, theme) {
  return tree.classes.map((name, k) => {
    const text = textElement("span", "", visibleText(ellipsis(name, LONGEST_CLASS)));
    return makeElement("span", "tv-class-entry", { title: visibleText(name) }, [classSign(theme, k), text]);
  });
}

function meanScale(tree, theme, paints) {
  const scale = textElement("span", "tv-mean-scale");
  scale.style.background = `linear-gradient(to right, ${paints.leafFill.join(", ")})`;
  const [least, largest] = meanRange(tree, theme);
  const number = (value) => textElement("span", "tv-number", numberText(value, 2));
  return [number(least), scale, number(largest)];
}
