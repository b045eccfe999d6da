// A bag whose balls are dragged in and out, or added and taken by buttons; the measures of its mixture follow at once.

/** @typedef {import("./bags.js").BagPicture & { counts: number[] }} PlayPicture */
/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {{ id: number, code: number }} Ball */
/** @typedef {{ id: number, x: number, y: number, isInside: boolean }} Held the ball that is being dragged */
/** @typedef {{ balls: Ball[], held: Held | null }} State */
/** @typedef {import("../canvas.js").Tools<Partial<State>>} PlayTools */
/** @typedef {{ jar: PicArea, state: State, tools: PlayTools }} Play */

import { ballSigns, countsText, drawBall, drawJar, jarInside, shownClasses } from "../balls.js";
import { putDragArea } from "../drag.js";
import { drawMeasures } from "../measures.js";
import { packedBalls } from "../model/impurities.js";
import { say } from "../../tree_view/messages.js";

const [MOST_OF_A_CLASS, PLAY_MARGIN, PLAY_CONTROLS] = [18, 28, 84];

/** @param {PictureCanvas} canvas @param {PlayPicture} picture @param {PlayTools} tools */
export function drawPlayBag(canvas, picture, tools) {
  const state = bagState(picture, tools.local);
  const parts = playParts(canvas);
  drawJar(canvas, "bag ", parts.jar, tools.theme.primary);
  drawJarBalls(canvas, picture, parts, state, tools);
  drawSources(canvas, picture, parts, state, tools);
  const counts = countsIn(picture, state);
  drawMeasures(canvas, picture.measures, counts, parts.measures, tools.theme);
  canvas.text("bag  counts", parts.jar.x + parts.jar.width / 2, parts.jar.y - 14, countsText(picture.classes, counts), { anchor: "middle", kind: "pic-title" });
}

/** The bag beside its measures where there is width for that, else above them. @param {PictureCanvas} pictureCanvas */
function playParts({ width, height }) {
  const isBeside = width > 1.2 * height || height < 460;
  const most = isBeside ? Math.min(width * 0.48, 460) : Math.min(width - 2 * PLAY_MARGIN, 460);
  const room = isBeside ? height : height * 0.56;
  const high = Math.min(room - PLAY_CONTROLS - 56, most * 0.9);
  const top = isBeside ? (height - high - PLAY_CONTROLS) / 2 : 46;
  const x = isBeside ? PLAY_MARGIN + Math.max(0, (width * 0.5 - most) / 2) : (width - most) / 2;
  const jar = { x, y: top, width: most, height: high };
  const left = isBeside ? jar.x + most + Math.min(48, width * 0.06) : jar.x;
  const below = isBeside ? 16 : jar.y + high + PLAY_CONTROLS;
  return { jar, measures: { x: left, y: below, width: Math.min(width - left - PLAY_MARGIN, 460), height: height - below - 16 } };
}

/**
 * The balls {id, code} in and outside the bag, as the reader has left them; `held` is the one being dragged.
 * @param {PlayPicture} picture @param {Partial<State>} local
 */
function bagState(picture, { balls, held = null }) {
  const first = shownClasses(picture.classes).flatMap((code) => Array(picture.counts[code]).fill(code));
  return { balls: balls ?? first.map((code, id) => ({ id, code })), held };
}

/**
 * Counts by class of the balls in the bag; one that is held outside it does not count.
 * @param {PlayPicture} picture @param {State} state
 */
function countsIn(picture, { balls, held }) {
  const inside = balls.filter(({ id }) => held?.id !== id || held.isInside);
  return picture.classes.map((_, code) => inside.filter((ball) => ball.code === code).length);
}

/**
 * @param {PictureCanvas} canvas @param {PlayPicture} picture @param {Pick<Play, "jar">} parts @param {State} state
 * @param {PlayTools} tools
 */
function drawJarBalls(canvas, picture, { jar }, state, tools) {
  const { balls, held } = state;
  const order = shownClasses(picture.classes);
  const resting = balls.filter(({ id }) => id !== held?.id || held.isInside).sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code) || a.id - b.id);
  const { radius, places } = packedBalls(resting.length, jarInside(jar), Math.max(24, jar.width / 14));
  const signs = ballSigns(picture.classes);
  resting.forEach((ball, k) => {
    if (ball.id !== held?.id) drawBall(canvas, `ball ${ball.id}`, places[k], radius, ball.code, signs);
    grabBall(canvas, ball, places[k], radius, { jar, state, tools });
  });
  const dragged = balls.find(({ id }) => id === held?.id);
  if (!dragged || !held) return;
  drawBall(canvas, `ball ${dragged.id}`, [held.x, held.y], Math.max(radius, 14), dragged.code, signs, { isHeld: true });
  grabBall(canvas, dragged, [held.x, held.y], radius, { jar, state, tools });
}

/** @param {PictureCanvas} canvas @param {Ball} ball @param {number[]} place @param {number} radius @param {Play} play */
function grabBall(canvas, ball, [x, y], radius, { jar, state, tools }) {
  const area = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  const element = putDragArea(canvas, `grab ${ball.id}`, {
    ...area,
    onDrag: (toX, toY) => tools.change({ balls: state.balls, held: { id: ball.id, x: toX, y: toY, isInside: isIn(jar, toX, toY) } }),
    onEnd: () => letGo(state, tools),
  });
  element.classList.add("pic-grab");
}

/** @param {PicArea} picArea @param {number} atX @param {number} atY */
function isIn({ x, y, width, height }, atX, atY) {
  return atX > x && atX < x + width && atY > y - 30 && atY < y + height + 10;
}

/** A ball that was let go outside the bag is gone. @param {State} state @param {PlayTools} tools */
function letGo(state, tools) {
  const { held, balls } = bagStateNow(state, tools);
  const kept = held && !held.isInside ? balls.filter(({ id }) => id !== held.id) : balls;
  tools.change({ balls: kept, held: null });
}

/** @param {State} state @param {PlayTools} playTools @returns {State} */
function bagStateNow(state, { local }) {
  return { balls: local.balls ?? state.balls, held: local.held ?? null };
}

/**
 * Below the bag, for each class: one ball less, a ball to drag into the bag, one ball more.
 * @param {PictureCanvas} canvas @param {PlayPicture} picture @param {Pick<Play, "jar">} parts @param {State} state
 * @param {PlayTools} tools
 */
function drawSources(canvas, picture, { jar }, state, tools) {
  const order = shownClasses(picture.classes);
  const wide = jar.width / order.length;
  const y = jar.y + jar.height + 42;
  const counts = countsIn(picture, state);
  order.forEach((code, index) => {
    const x = jar.x + (index + 0.5) * wide;
    const name = picture.classes[code];
    const half = Math.min(wide / 2 - 19, 62);
    drawBall(canvas, `source ${code}`, [x, y], 16, code, ballSigns(picture.classes));
    putSource(canvas, code, [x, y], { jar, state, tools });
    canvas.button(`less ${code}`, { ...buttonAt(x - half, y), text: "−", label: say("Take one {class} out", { class: name }), isDisabled: counts[code] === 0, onPress: () => takeOne(code, state, tools) });
    canvas.button(`more ${code}`, { ...buttonAt(x + half, y), text: "+", label: say("Add one {class}", { class: name }), isDisabled: counts[code] >= MOST_OF_A_CLASS, onPress: () => addOne(code, state, tools) });
  });
}

/** @param {number} x @param {number} y */
function buttonAt(x, y) {
  return { x: x - 17, y: y - 17, width: 34, height: 34 };
}

/** @param {number} code @param {State} state @param {PlayTools} tools */
function addOne(code, state, tools) {
  const id = Math.max(...state.balls.map((ball) => ball.id), -1) + 1;
  tools.change({ balls: [...state.balls, { id, code }], held: null });
  return id;
}

/** @param {number} code @param {State} state @param {PlayTools} tools */
function takeOne(code, state, tools) {
  const last = state.balls.findLast((ball) => ball.code === code);
  tools.change({ balls: state.balls.filter((ball) => ball !== last), held: null });
}

/**
 * Pressing the ball below the bag makes a new one, which follows the pointer.
 * @param {PictureCanvas} canvas @param {number} code @param {number[]} place @param {Play} play
 */
function putSource(canvas, code, [x, y], { jar, state, tools }) {
  const element = putDragArea(canvas, `grab source ${code}`, {
    ...buttonAt(x, y),
    onDrag: (toX, toY) => {
      const now = bagStateNow(state, tools);
      const isFull = now.balls.filter((ball) => ball.code === code).length >= MOST_OF_A_CLASS;
      if (!now.held && isFull) return;
      const id = now.held?.id ?? addOne(code, now, tools);
      tools.change({ held: { id, x: toX, y: toY, isInside: isIn(jar, toX, toY) } });
    },
    onEnd: () => letGo(state, tools),
  });
  element.classList.add("pic-grab");
}
