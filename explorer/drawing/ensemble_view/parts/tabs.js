// The main picture, chosen by tabs: the fit over one feature, the regions over two, the rows and their weights, the members.

/** @typedef {import("../draw/stage_chart.js").ChartTheme} ChartTheme */
/** @typedef {import("../model/picture.js").Picture} Picture */

import { makeFitChart } from "../draw/fit_chart.js";
import { makeMemberCards } from "../draw/member_cards.js";
import { makeRegionMap } from "../draw/region_map.js";
import { makeRowDots } from "../draw/row_dots.js";
import { makeVoteChart } from "../draw/vote_chart.js";
import { classSign } from "../../charts/swatches.js";
import { makeElement } from "../../tree_view/dom.js";
import { ellipsis, visibleText } from "../../tree_view/format.js";
import { later } from "../../tree_view/later.js";
import { say } from "../../tree_view/messages.js";

const MOST_CLASS_NAMES = 10;
/** @typedef {{ onTab: (tab: string) => void, onRow: (row: number) => void, onMember: (m: number) => void }} Hooks */
/**
 * @typedef Chart what is common to the pictures of all tabs
 * @property {HTMLElement} element
 * @property {(picture: Picture) => void} set
 * @property {(theme: ChartTheme) => void} setTheme
 * @property {(stage: number) => void} setStage
 * @property {(row: number) => void} setRow
 * @property {(m: number) => void} [setMember]
 * @property {() => void} describe
 * @property {() => void} destroy
 */
/**
 * @typedef {{
 *   tab: string, name: (picture: Picture) => string, has: (picture: Picture) => unknown,
 *   make: (hooks: Hooks, picture: Picture) => Chart,
 * }} Tab
 */

/** @type {Tab[]} */
const TABS = [
  { tab: "fit", name: () => say("Fit"), has: ({ scatter, voteLine }) => scatter || voteLine, make: (hooks, { scatter }) => (scatter ? makeFitChart(hooks) : makeVoteChart(hooks)) },
  { tab: "regions", name: () => say("Regions"), has: ({ regions }) => regions, make: makeRegionMap },
  { tab: "rows", name: ({ weights }) => (weights?.areDrawn ? say("Rows drawn") : say("Row weights")), has: ({ weights }) => weights && !weights.isEven, make: makeRowDots },
  { tab: "members", name: () => say("Trees"), has: ({ members }) => members.n > 0, make: makeMemberCards },
];

/** @param {string} tab */
function tabNamed(tab) {
  return TABS.find((entry) => entry.tab === tab) ?? TABS[0];
}

/**
 * The pictures that can be drawn, in the order of their tabs; the trees tell more than weights that answer no error.
 * @param {Picture} picture
 */
function tabsOf(picture) {
  const tabs = TABS.filter(({ has }) => has(picture)).map(({ tab }) => tab);
  return picture.weights?.areDrawn || picture.hasNumericMembers ? [...tabs.filter((tab) => tab !== "rows"), ...tabs.filter((tab) => tab === "rows")] : tabs;
}

/** @param {Hooks} hooks */
export function makeTabs(hooks) {
  return new Tabs(hooks);
}

class Tabs {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.open = "";
    this.stage = 0;
    this.row = -1;
    this.member = -1;
    /** @type {ChartTheme} */
    this.theme = later();
    /** @type {Picture} */
    this.picture = later();
    /** @type {Map<string, Chart>} */
    this.charts = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.list = makeElement("div", "ev-tabs", { role: "tablist", "aria-label": say("Pictures of the ensemble") });
    this.list.addEventListener("keydown", (event) => this.keyDown(event));
    this.panel = makeElement("div", "ev-picture", { role: "tabpanel" });
    this.legend = makeElement("span", "ev-classes");
    this.method = makeElement("span", "ev-method");
    this.element = makeElement("div", "ev-main", {}, [makeElement("div", "ev-head", {}, [this.list, this.legend, this.method]), this.panel]);
  }

  /** @param {Picture} picture */
  set(picture) {
    for (const chart of this.charts.values()) chart.destroy();
    this.charts.clear();
    this.buttons.clear();
    this.picture = picture;
    this.method.textContent = picture.method;
    for (const tab of tabsOf(picture)) this.buttons.set(tab, this.button(tab));
    this.list.replaceChildren(...this.buttons.values());
    this.open = "";
    this.writeLegend();
  }

  /** @param {string} tab */
  button(tab) {
    const button = makeElement("button", "ev-tab", { type: "button", role: "tab", "data-tab": tab }, [tabNamed(tab).name(this.picture)]);
    button.addEventListener("click", () => this.hooks.onTab(tab));
    return button;
  }

  /** Open a picture, the first one if it has no such tab; each is made when it is first opened. @param {string} wanted */
  show(wanted) {
    const tab = this.buttons.has(wanted) ? wanted : (this.buttons.keys().next().value ?? "");
    if (tab === this.open) return;
    this.open = tab;
    for (const [name, button] of this.buttons) {
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    if (!tab) return;
    const chart = this.chartOf(tab);
    this.panel.replaceChildren(chart.element);
    this.panel.setAttribute("aria-label", tabNamed(tab).name(this.picture));
    chart.setRow(this.row);
    chart.setStage(this.stage);
    chart.describe();
  }

  /** @param {string} tab */
  chartOf(tab) {
    const kept = this.charts.get(tab);
    if (kept) return kept;
    const chart = tabNamed(tab).make(this.hooks, this.picture);
    chart.set(this.picture);
    if (this.theme) chart.setTheme(this.theme);
    chart.setMember?.(this.member);
    this.charts.set(tab, chart);
    return chart;
  }

  shown() {
    return this.charts.get(this.open) ?? null;
  }

  /** @param {number} stage */
  setStage(stage) {
    this.stage = stage;
    this.shown()?.setStage(stage);
  }

  /** @param {number} row */
  setRow(row) {
    this.row = row;
    this.shown()?.setRow(row);
  }

  /** @param {number} m */
  setMember(m) {
    this.member = m;
    this.charts.get("members")?.setMember?.(m);
  }

  /** The classes with their shapes and colours; those without room are left out, and named on hover. */
  writeLegend() {
    if (!this.theme || !this.picture) return;
    const names = this.picture.classes.slice(0, MOST_CLASS_NAMES).map((name) => visibleText(ellipsis(name, 24)));
    /** @type {(Node | string)[]} */
    const entries = names.map((name, code) => makeElement("span", "ev-class", { title: name }, [classSign(this.theme, code, 11), name]));
    if (this.picture.classes.length > names.length) entries.push(say("+{count} more", { count: this.picture.classes.length - names.length }));
    this.legend.replaceChildren(...entries);
    this.legend.title = this.picture.classes.map((name) => visibleText(name)).join(", ");
  }

  /** @param {ChartTheme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.writeLegend();
    for (const chart of this.charts.values()) chart.setTheme(theme);
  }

  describe() {
    this.shown()?.describe();
  }

  /** Arrow keys move between the tabs, as in every list of tabs. @param {KeyboardEvent} event */
  keyDown(event) {
    const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
    if (by === undefined) return;
    const names = [...this.buttons.keys()];
    const next = names[(names.indexOf(this.open) + by + names.length) % names.length];
    this.hooks.onTab(next);
    this.buttons.get(next)?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  destroy() {
    for (const chart of this.charts.values()) chart.destroy();
  }
}
