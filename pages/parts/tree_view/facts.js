// All numbers of one node: as words for a screen reader, and as a tooltip.

import { classColour, CLASS_SHAPES, shapeCorners } from "./look.js";
import { textElement, vectorPiece } from "./pieces.js";
import { GHOST, INNER, LEAF } from "./shape.js";
import { countText, ellipsis, numberText, percentText, rowsText, visibleText } from "./words.js";

const MOST_CLASSES = 12;
const LONGEST_FACT = 600;

/** A node in one spoken line. */
export function spokenNode(tree, shape, t) {
  const state = shape ? shape[t] : tree.feature[t] >= 0 ? INNER : LEAF;
  const test = tree.feature[t] >= 0 ? `test ${visibleText(tree.testText(t))}` : "leaf";
  const parts = [test, `answer ${visibleText(tree.answer(t))}`, rowsText(tree.weight[t]), `depth ${tree.depth[t]}`];
  if (t > 0) parts.push(`reached by ${visibleText(tree.reachedBy(t))}`);
  if (state === GHOST) parts.push("pruned away");
  if (state === LEAF && tree.feature[t] >= 0) parts.push("closed to a leaf");
  return parts.join(", ");
}

/** What the tooltip says, as [name, value] pairs. */
export function factsOf(tree, shape, t) {
  const facts = [["reached by", tree.reachedBy(t)], ["rows", countText(tree.weight[t])]];
  if (tree.isRegression) facts.push(["mean", `${tree.answer(t)} ± ${numberText(tree.sd(t))}`]);
  else facts.push(["answer", tree.answer(t)]);
  facts.push([tree.impurityName, numberText(tree.impurity[t])], ["depth", String(tree.depth[t])]);
  if (tree.missing[t] > 0) facts.push(["missing", rowsText(tree.missing[t])]);
  if (tree.stopReason(t) !== "") facts.push(["not split", tree.stopReason(t)]);
  if (shape && shape[t] === GHOST) facts.push(["now", "pruned away"]);
  if (shape && shape[t] === LEAF && tree.feature[t] >= 0) facts.push(["now", "closed to a leaf"]);
  return facts.map(([name, value]) => [name, visibleText(ellipsis(value, LONGEST_FACT))]);
}

/** A class shape as a small picture in the text. */
function shapeSign(kind, colour, size = 12) {
  const points = shapeCorners(kind).map((corner) => corner.join(",")).join(" ");
  const form = points ? ["polygon", { points, fill: colour }] : ["circle", { r: 1, fill: colour }];
  return vectorPiece(null, [form], { viewBox: "-1.3 -1.3 2.6 2.6", width: size, height: size });
}

export function classSign(look, k, size) {
  return shapeSign(CLASS_SHAPES[k % CLASS_SHAPES.length], classColour(look, k), size);
}

/** Fill the tooltip with a node. */
export function fillTip(tip, scene, t) {
  const { tree, shape, look } = scene;
  const title = tree.feature[t] >= 0 ? tree.testText(t) : tree.answer(t);
  const head = textElement("div", "tv-tip-head");
  head.append(textElement("strong", "", visibleText(ellipsis(title, LONGEST_FACT))));
  head.append(textElement("span", "tv-quiet", `#${t}`));
  const list = textElement("dl", "tv-tip-facts");
  for (const [name, value] of factsOf(tree, shape, t)) {
    list.append(textElement("dt", "", name), textElement("dd", "", value));
  }
  tip.replaceChildren(head, list);
  if (!tree.isRegression && tree.weight[t] > 0) tip.append(classTable(tree, look, t));
}

/** The classes in their order; of more than fit the heaviest ones. */
function listedClasses(tree, t) {
  const classes = tree.classes.map((_, k) => k);
  if (classes.length <= MOST_CLASSES) return classes;
  return classes.sort((a, b) => tree.classWeight(t, b) - tree.classWeight(t, a) || a - b).slice(0, MOST_CLASSES);
}

function classTable(tree, look, t) {
  const table = textElement("div", "tv-tip-classes");
  for (const k of listedClasses(tree, t)) {
    const weight = tree.classWeight(t, k);
    table.append(classSign(look, k), textElement("span", "tv-tip-class", visibleText(ellipsis(tree.classes[k], 60))));
    table.append(textElement("span", "tv-number", countText(weight)));
    table.append(textElement("span", "tv-number", percentText(weight / tree.weight[t])));
  }
  if (tree.nClasses > MOST_CLASSES) {
    table.append(textElement("span", "tv-tip-more tv-quiet", `and ${tree.nClasses - MOST_CLASSES} more`));
  }
  return table;
}

/** Put the tooltip beside a node, on the side that has room, whole inside the host. */
export function placeTip(tip, host, box, origin) {
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  const [x, y] = [origin.x + box.x, origin.y + box.y];
  const half = Math.min(box.halfWidth, host.clientWidth / 2);
  const right = x + half + 12;
  const left = right + width <= host.clientWidth ? right : x - half - 12 - width;
  const fits = left >= 0;
  const below = y + box.halfHeight + 12;
  const top = fits ? y - height / 2 : below + height <= host.clientHeight ? below : y - box.halfHeight - 12 - height;
  tip.style.left = `${Math.max(4, Math.min(fits ? left : x - width / 2, host.clientWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, Math.min(top, host.clientHeight - height - 4))}px`;
}
