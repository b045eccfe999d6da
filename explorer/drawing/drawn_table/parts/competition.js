// The candidates of the selected node: the best split of each feature, and by how much the first leads.

/** @typedef {import("../model/tree_places.js").Answer} Answer */
/** @typedef {import("../model/tree_places.js").Row} Row */

import { makeElement, putText, setShown, textElement } from "../../tree_view/dom.js";
import { say } from "../../tree_view/messages.js";

export class CompetitionPart {
  constructor() {
    this.root = makeElement("div", "dt-competition");
    this.head = textElement("div", "dt-head");
    this.measure = textElement("div", "dt-measure");
    this.rows = ["x", "y"].map(() => barRow());
    this.lead = barRow("dt-lead");
    this.root.append(this.head, this.measure, ...this.rows.map((row) => row.root), this.lead.root);
  }

  /** @param {Answer | null} answer */
  draw(answer) {
    setShown(this.root, Boolean(answer));
    if (!answer) return;
    const { candidates, tree, selected } = answer;
    const points = tree.weight[selected];
    putText(this.head, selected ? say("Node {node}: {n} points", { node: selected, n: points }) : say("Root: {n} points", { n: points }));
    putText(this.measure, say("Best split of each feature, by {measure}", { measure: candidates.measure }));
    const most = Math.max(1e-12, ...candidates.rows.map((row) => row.score));
    this.rows.forEach((row, index) => fill(row, candidates.rows[index], most, candidates.chosen));
    const first = candidates.rows[0]?.score ?? 0;
    const share = candidates.lead !== null && first > 0 ? Math.min(1, candidates.lead / first) : 0;
    this.lead.bar.style.width = `${(100 * share).toFixed(1)}%`;
    putText(this.lead.name, say("Margin"));
    putText(this.lead.number, candidates.lead_text);
  }
}

function barRow(kind = "") {
  const root = makeElement("div", `dt-row ${kind}`);
  const name = textElement("span", "dt-name");
  const bar = makeElement("span", "dt-bar");
  const number = textElement("span", "dt-number");
  root.append(name, makeElement("span", "dt-track", { "aria-hidden": "true" }, [bar]), number);
  return { root, name, bar, number };
}

/** @param {ReturnType<typeof barRow>} parts @param {Row | undefined} row @param {number} most @param {string} chosen */
function fill({ root, name, bar, number }, row, most, chosen) {
  setShown(root, Boolean(row));
  if (!row) return;
  putText(name, row.text);
  putText(number, row.shown);
  bar.style.width = `${((100 * Math.max(row.score, 0)) / most).toFixed(1)}%`;
  root.classList.toggle("dt-chosen", row.feature === chosen);
  root.title = row.out;
}
