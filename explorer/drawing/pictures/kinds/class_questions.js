// Yes/no questions that name the class of a hidden ball, one class after the other, and balls drawn one by one: how many
// questions each takes, and their mean so far.

/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ classes: string[], counts: number[], order: number[], asks: boolean }} Questions `asks`: the numbers of questions are hidden */

import { ballSigns, drawBall } from "../balls.js";
import { say, sayCount } from "../../tree_view/messages.js";

const [QUESTION_HIGH, QUESTION_TOP, DRAWN_ROW] = [42, 40, 150];

/** @param {PictureCanvas} canvas @param {Questions} picture @param {import("../canvas.js").Tools<{ drawn?: number }>} tools */
export function drawClassQuestions(canvas, picture, tools) {
  const drawn = tools.local.drawn ?? (picture.asks ? 0 : picture.order.length);
  const last = drawn > 0 && drawn < picture.order.length ? picture.order[drawn - 1] : null;
  const places = questionPlaces(canvas, picture.classes.length);
  for (const [code] of picture.classes.entries()) drawAnswer(canvas, picture, places, code, last, tools.theme);
  for (let asked = 0; asked < picture.classes.length - 1; asked++) drawQuestion(canvas, picture, places, asked, last, tools.theme);
  drawDrawn(canvas, picture, drawn, tools);
}

/** How many questions name a class: the last two classes are told apart by one. @param {number} code @param {number} nClasses */
function questionsFor(code, nClasses) {
  return Math.min(code + 1, nClasses - 1);
}

/**
 * Places of the questions, on a slope to the right, and of the class that ends each branch.
 * @param {PictureCanvas} pictureCanvas @param {number} nClasses
 */
function questionPlaces({ width, height }, nClasses) {
  const rows = nClasses;
  const room = Math.min(height - QUESTION_TOP - DRAWN_ROW - 60, 400);
  const [stepX, stepY] = [Math.min(width / (rows + 1), 220), room / (rows - 1)];
  const left = (width - stepX * (rows - 1)) / 2;
  const questions = Array.from({ length: rows - 1 }, (_, k) => [left + (k + 0.5) * stepX, QUESTION_TOP + k * stepY]);
  const ends = questions.map(([x, y]) => [x - stepX / 2, y + stepY]);
  const [x, y] = questions[questions.length - 1];
  return { questions, ends: [...ends, [x + stepX / 2, y + stepY]] };
}

/**
 * The branch that ends in a class, with its balls and the number of questions to there.
 * @param {PictureCanvas} canvas @param {Questions} questions @param {ReturnType<typeof questionPlaces>} places
 * @param {number} code @param {number | null} last @param {Theme} theme
 */
function drawAnswer(canvas, { classes, counts, asks }, { questions, ends }, code, last, theme) {
  const from = questions[Math.min(code, questions.length - 1)];
  const [x, y] = ends[code];
  const isLast = last === code;
  const isNo = code === classes.length - 1;
  drawArm(canvas, `arm ${code}`, from, [x, y - 24], isNo ? say("no") : say("yes"), isLast, theme);
  const signs = ballSigns(classes);
  for (let k = 0; k < counts[code]; k++) {
    const place = [x + ((k % 2) - (Math.min(counts[code], 2) - 1) / 2) * 32, y + Math.floor(k / 2) * 32];
    drawBall(canvas, `ball ${code} ${k}`, place, 14, code, signs);
  }
  const n = questionsFor(code, classes.length);
  const text = asks ? "?" : sayCount(n, "{n} question", "{n} questions");
  const below = y + Math.ceil(counts[code] / 2) * 32 + 12;
  canvas.text(`questions ${code}`, x, below, text, { anchor: "middle", kind: isLast ? "pic-number" : "pic-label", fill: isLast ? theme.primary : null });
}

/**
 * @param {PictureCanvas} canvas @param {string} key @param {number[]} from @param {number[]} to @param {string} text
 * @param {boolean} isLast @param {Theme} theme
 */
function drawArm(canvas, key, [x, y], [toX, toY], text, isLast, theme) {
  const kind = isLast ? "pic-line pic-curve" : "pic-line";
  canvas.line(key, [[x, y + QUESTION_HIGH / 2], [toX, toY]], { class: kind, stroke: isLast ? theme.primary : theme.border });
  const side = toX < x ? "end" : "start";
  canvas.text(`${key} text`, (x + toX) / 2 + (toX < x ? -10 : 10), (y + QUESTION_HIGH / 2 + toY) / 2, text, { anchor: side, kind: "pic-small", fill: theme.quiet });
}

/**
 * @param {PictureCanvas} canvas @param {Questions} questions @param {ReturnType<typeof questionPlaces>} places
 * @param {number} asked @param {number | null} last @param {Theme} theme
 */
function drawQuestion(canvas, { classes }, { questions }, asked, last, theme) {
  const [x, y] = questions[asked];
  const isAsked = last !== null && last >= asked;
  if (asked + 1 < questions.length) {
    const [toX, toY] = questions[asked + 1];
    drawArm(canvas, `no ${asked}`, [x, y], [toX, toY - QUESTION_HIGH / 2], say("no"), isAsked && last > asked, theme);
  }
  const text = say("Is it {class}?", { class: classes[asked] });
  const width = canvas.textWidth(text, "pic-number") + 32;
  const box = { x: x - width / 2, y: y - QUESTION_HIGH / 2, width, height: QUESTION_HIGH, rx: 10 };
  canvas.put(`question ${asked}`, "rect", { ...box, fill: theme.panel, stroke: isAsked ? theme.primary : theme.border, "stroke-width": isAsked ? 2.5 : 1.5 });
  canvas.text(`question ${asked} text`, x, y + 5, text, { anchor: "middle", kind: "pic-number" });
}

/**
 * The balls drawn so far with the questions that each took, their mean, and the button that draws the next.
 * @param {PictureCanvas} canvas @param {Questions} questions @param {number} drawn
 * @param {import("../canvas.js").Tools<{ drawn?: number }>} tools
 */
function drawDrawn(canvas, { classes, order }, drawn, { theme, change }) {
  const step = Math.min((canvas.width - 60) / order.length, 56);
  const left = (canvas.width - step * order.length) / 2;
  const y = canvas.height - DRAWN_ROW + 56;
  const signs = ballSigns(classes);
  const shown = order.slice(0, drawn);
  shown.forEach((code, k) => {
    drawBall(canvas, `drawn ${k}`, [left + (k + 0.5) * step, y], 14, code, signs);
    canvas.text(`drawn ${k} questions`, left + (k + 0.5) * step, y + 36, String(questionsFor(code, classes.length)), { anchor: "middle", kind: "pic-number" });
  });
  const total = shown.reduce((sum, code) => sum + questionsFor(code, classes.length), 0);
  const mean = drawn > 0 ? say("mean: {total}/{n} = {mean} questions", { total, n: drawn, mean: (total / drawn).toFixed(3) }) : "";
  canvas.text("drawn mean", canvas.width / 2, y + 74, mean, { anchor: "middle", kind: "pic-value", fill: theme.primary });
  const isDone = drawn >= order.length;
  const text = isDone ? say("Draw again") : say("Draw a ball");
  const width = canvas.textWidth(text) + 36;
  canvas.button("draw", { x: (canvas.width - width) / 2, y: y - 58, width, text, onPress: () => change({ drawn: isDone ? 1 : drawn + 1 }) });
}
