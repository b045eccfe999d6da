// The legend of the curve, in text: each line with its stroke, each mark with its sign and size.

import { curveLines } from "./curve_plot.js";
import { leavesText } from "../model/alpha_interval.js";
import { piece, putText, setShown, vectorPiece } from "../dom.js";
import { scoreText } from "../format.js";

/** Gives {element, setSequence, setLook, setPosition, setHand}. */
export function makeLegend() {
  const element = piece("div", "tv-legend");
  let [sequence, look, note, position, score] = [null, null, "", 0, null];
  const [mine, byHand] = [piece("span", ""), piece("span", "")];
  const handEntry = legendEntry("◆", byHand);
  const tellMine = () => {
    if (!sequence) return;
    putText(mine, `${score ? "this α" : "mine"}, ${leavesText(sequence.leaves[position])}`);
    if (score) putText(byHand, `by hand, ${leavesText(score.leaves)}`);
    setShown(handEntry, Number.isFinite(score?.valid ?? score?.train));
  };
  const rebuild = () => {
    if (!sequence || !look) return;
    tellMine();
    element.replaceChildren(...lineEntries(sequence, look), ...choiceEntries(sequence), legendEntry("○", mine), handEntry);
    if (note) element.append(piece("span", "", {}, [note]));
  };
  return {
    element,
    setSequence(given) {
      sequence = given;
      position = Math.min(position, sequence.size - 1);
      note = sequence.valid || sequence.mean ? "" : "No rows are held out: only training rows are scored.";
      rebuild();
    },
    setLook(given) {
      look = given;
      rebuild();
    },
    setPosition(given) {
      position = given;
      tellMine();
    },
    setHand(given) {
      score = given;
      tellMine();
    },
  };
}

function lineEntries(sequence, look) {
  const entries = curveLines(sequence).map(({ name, dash, tone, se }) =>
    legendEntry(strokeSwatch(look[tone], dash, se !== null), se ? `${name} ± 1 SE` : name),
  );
  if (!Number.isFinite(sequence.baseline)) return entries;
  const text = `baseline ${scoreText(sequence.baseline, sequence.isShare)}`;
  return [...entries, legendEntry(strokeSwatch(look.quiet, [6, 4], false), text)];
}

function choiceEntries(sequence) {
  const entries = [];
  if (sequence.best >= 0) entries.push(legendEntry("★", `best, ${leavesText(sequence.leaves[sequence.best])}`));
  if (sequence.oneSe >= 0) entries.push(legendEntry("◇", `1-SE, ${leavesText(sequence.leaves[sequence.oneSe])}`));
  return entries;
}

function legendEntry(sign, text) {
  const swatch = typeof sign === "string" ? piece("span", "tv-legend-sign", { "aria-hidden": "true" }, [sign]) : sign;
  return piece("span", "tv-legend-entry", {}, [swatch, text]);
}

function strokeSwatch(colour, dash, hasBand) {
  const stroke = { x1: 1, x2: 27, y1: 6, y2: 6, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash.join(" ") || null };
  if (dash[0] < 2) stroke["stroke-linecap"] = "round";
  const band = ["rect", { x: 0, y: 0, width: 28, height: 12, fill: colour, "fill-opacity": 0.16 }];
  return vectorPiece("tv-swatch", [...(hasBand ? [band] : []), ["line", stroke]], { viewBox: "0 0 28 12" });
}
