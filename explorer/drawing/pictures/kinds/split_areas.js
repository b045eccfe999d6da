// A split as areas: every branch is a column as wide as its share of the rows. Above, its classes as shares of its height;
// below, its entropy as the height, so that the area of all columns is the conditional entropy. Levelled, the columns
// leave a strip under the entropy before the split: the gain.
//
// picture: {classes, branches: [{label, counts, impurity}], before (entropy of the node), after (conditional entropy),
// has_entropy, is_level, asks (numbers are hidden), names: {before, after, gain}}

import { countsText, shownClasses } from "../balls.js";
import { linearScale } from "../../charts/scales.js";
import { mixColours, readableOn } from "../../charts/colours.js";
import { say } from "../../tree_view/messages.js";

const [AREAS_LEFT, AREAS_RIGHT, AREAS_TOP, AREAS_BELOW, AREAS_GAP] = [58, 28, 50, 84, 44];

export function drawSplitAreas(canvas, picture, tools) {
  const { theme, local } = tools;
  const isLevel = local.isLevel ?? picture.is_level;
  const columns = areaColumns(canvas, picture);
  const bottom = canvas.height - AREAS_BELOW;
  const whole = bottom - AREAS_TOP;
  const sharesBottom = picture.has_entropy ? AREAS_TOP + whole * 0.3 : bottom;
  drawAreaTitle(canvas, "shares title", AREAS_TOP - 18, say("Shares of the classes"));
  for (const column of columns) drawShares(canvas, picture.classes, column, { top: AREAS_TOP, bottom: sharesBottom }, theme);
  if (picture.has_entropy) {
    const height = linearScale([0, 1], [bottom, sharesBottom + AREAS_GAP + 18]);
    drawAreaTitle(canvas, "entropy title", sharesBottom + AREAS_GAP - 4, say("Entropy, in bits"));
    drawEntropies(canvas, picture, columns, { height, isLevel, theme });
    if (!picture.asks) putLevelButton(canvas, isLevel, tools);
  }
  for (const column of columns) drawColumnTexts(canvas, picture.classes, column, bottom, theme);
}

/** The branches with their places: {…branch, key, x, width, share, weight, total}. */
function areaColumns(canvas, { branches }) {
  const weights = branches.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const wide = canvas.width - AREAS_LEFT - AREAS_RIGHT;
  let x = AREAS_LEFT;
  return branches.map((branch, k) => {
    const column = { ...branch, key: k, x, width: (weights[k] / total) * wide, weight: weights[k], total };
    x += column.width;
    return column;
  });
}

function drawAreaTitle(canvas, key, y, text) {
  canvas.text(key, AREAS_LEFT, y, text, { kind: "pic-title" });
}

/** The classes of a branch from the bottom up; each block is as high as its share. */
function drawShares(canvas, classes, { key, x, width, counts, weight }, { top, bottom }, theme) {
  let y = bottom;
  for (const code of shownClasses(classes)) {
    const high = (counts[code] / weight) * (bottom - top);
    y -= high;
    const fill = theme.classes[code];
    canvas.put(`share ${key} ${code}`, "rect", { class: "pic-block", x, y, width, height: high, fill, stroke: theme.background });
    const text = high >= 22 && width >= 40 ? canvas.shortened(`${counts[code]} ${classes[code]}`, width - 8) : "";
    canvas.text(`share ${key} ${code} text`, x + width / 2, y + high / 2 + 5, text, { anchor: "middle", fill: readableOn(fill) });
  }
}

/** Under each column: its branch, its counts, and its share of the rows. */
function drawColumnTexts(canvas, classes, { key, x, width, label, counts, weight, total }, bottom, theme) {
  const middle = x + width / 2;
  const most = width - 6;
  canvas.text(`column ${key} label`, middle, bottom + 24, canvas.shortened(label, most, "pic-number"), { anchor: "middle", kind: "pic-number" });
  const said = countsText(classes, counts);
  const fits = canvas.textWidth(said, "pic-small") <= most;
  canvas.text(`column ${key} counts`, middle, bottom + 46, fits ? said : "", { anchor: "middle", kind: "pic-small", fill: theme.quiet });
  canvas.text(`column ${key} weight`, middle, bottom + 67, `${weight}/${total}`, { anchor: "middle", kind: "pic-small", fill: theme.quiet });
}

function drawEntropies(canvas, picture, columns, { height, isLevel, theme }) {
  const { before, after, asks, names } = picture;
  const [left, right] = [AREAS_LEFT, canvas.width - AREAS_RIGHT];
  for (const [at, text] of [[0, "0"], [0.5, "0.5"], [1, "1"]]) {
    canvas.line(`bits ${text}`, [[left, height(at)], [right, height(at)]], { class: "pic-grid" });
    canvas.text(`bits ${text} text`, left - 10, height(at) + 4.5, text, { anchor: "end", kind: "pic-small", fill: theme.quiet });
  }
  const strip = { x: left, width: right - left, y: height(before), height: isLevel ? height(after) - height(before) : 0 };
  canvas.put("gain strip", "rect", { ...strip, class: "pic-strip", fill: theme.primary, opacity: isLevel ? 1 : 0 });
  for (const column of columns) drawEntropy(canvas, column, { height, level: isLevel ? after : column.impurity, isLevel, asks, theme });
  canvas.line("before", [[left, height(before)], [right, height(before)]], { class: "pic-line pic-dashed", stroke: theme.text });
  const above = Math.min(height(before), ...(isLevel ? [] : columns.map((column) => height(column.impurity)))) - 8;
  canvas.text("before text", right, above, `${names.before} = ${before.toFixed(3)}`, { anchor: "end", kind: "pic-number" });
  const middle = (left + right) / 2;
  const onStrip = readableOn(theme.primary);
  const isRoomy = strip.height >= 20;
  const gain = isLevel ? `${names.gain} = ${(before - after).toFixed(3)}` : "";
  canvas.text("gain text", isRoomy ? middle : left, isRoomy ? strip.y + strip.height / 2 + 6 : above, gain, { anchor: isRoomy ? "middle" : "start", kind: "pic-number", fill: isRoomy ? onStrip : theme.primary });
  canvas.text("after text", middle, height(after / 2) + 6, isLevel ? `${names.after} = ${after.toFixed(3)}` : "", { anchor: "middle", kind: "pic-number" });
}

/** A column as high as the entropy of its branch, with weight · entropy in it. */
function drawEntropy(canvas, { key, x, width, impurity, weight, total }, { height, level, isLevel, asks, theme }) {
  const [y, base] = [height(level), height(0)];
  const fill = mixColours(theme.background, theme.primary, 0.3);
  canvas.put(`entropy ${key}`, "rect", { class: "pic-block", x, y, width, height: base - y, fill, stroke: isLevel ? fill : theme.background });
  const value = asks || isLevel ? "" : impurity === 0 ? "0" : impurity.toFixed(3);
  const isHigh = base - y > 56;
  canvas.text(`entropy ${key} value`, x + width / 2, isHigh ? y + 28 : base - 30, value, { anchor: "middle", kind: "pic-value" });
  const entropyText = impurity === 0 ? "0" : impurity.toFixed(3);
  const lines = [`${weight}/${total} · ${entropyText}`, impurity === 0 ? "" : `= ${((weight / total) * impurity).toFixed(3)}`];
  lines.forEach((line, index) => {
    const fits = canvas.textWidth(line) <= width - 6 && !asks && !isLevel && (index === 0 || base - y > 92);
    const lineY = isHigh ? y + 54 + 23 * index : base - 8;
    canvas.text(`entropy ${key} line ${index}`, x + width / 2, lineY, fits ? line : "", { anchor: "middle" });
  });
}

function putLevelButton(canvas, isLevel, { change }) {
  const text = isLevel ? say("Show the columns") : say("Level the columns");
  const width = canvas.textWidth(text) + 32;
  canvas.button("level", { x: canvas.width - AREAS_RIGHT - width, y: 4, width, text, isPressed: isLevel, onPress: () => change({ isLevel: !isLevel }) });
}
