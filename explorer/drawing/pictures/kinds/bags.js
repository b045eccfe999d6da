// Bags of balls side by side, with their counts and a number below each.

/** @typedef {import("../canvas.js").Area} PicArea */
/** @typedef {import("../canvas.js").PictureCanvas} PictureCanvas */
/** @typedef {import("../../tree_view/theme.js").Theme} Theme */

/** @typedef {{ label: string, counts: number[], name: string, text: string, unit: string, is_best: boolean }} Bag */
/** @typedef {{ classes: string[], bags: Bag[], measures: string[] }} BagPicture */

import { ballSigns, countsText, drawBall, drawJar, jarInside, shownClasses } from "../balls.js";
import { packedBalls } from "../model/impurities.js";
import { drawPlayBag } from "./play_bag.js";

const [BAG_GAP, BAG_TEXTS] = [28, 118];

/** @param {PictureCanvas} canvas @param {BagPicture} picture @param {import("./play_bag.js").PlayTools} tools */
export function drawBags(canvas, picture, tools) {
  if (picture.measures.length) return drawPlayBag(canvas, { ...picture, counts: picture.bags[0].counts }, tools);
  const { theme } = tools;
  const { bags, classes } = picture;
  const wide = Math.min((canvas.width - BAG_GAP * (bags.length + 1)) / bags.length, 320);
  const high = Math.min(canvas.height - BAG_TEXTS - 70, wide * 1.3);
  const left = (canvas.width - bags.length * wide - (bags.length - 1) * BAG_GAP) / 2;
  const top = Math.max(48, (canvas.height - high - BAG_TEXTS) * 0.45);
  const sizes = bags.map(({ counts }) => packedBalls(counts.reduce((sum, count) => sum + count, 0), jarInside({ x: 0, y: 0, width: wide, height: high }), 24).radius);
  bags.forEach((bag, index) => {
    const box = { x: left + index * (wide + BAG_GAP), y: top, width: wide, height: high };
    drawJar(canvas, `bag ${bag.name}`, box, bag.is_best ? theme.primary : theme.quiet);
    drawBallsIn(canvas, bag, classes, box, Math.min(...sizes));
    drawBagTexts(canvas, bag, classes, box, theme);
  });
}

/** @param {PictureCanvas} canvas @param {Bag} bag @param {string[]} classes @param {PicArea} box @param {number} most */
function drawBallsIn(canvas, bag, classes, box, most) {
  const codes = shownClasses(classes).flatMap((code) => Array(bag.counts[code]).fill(code));
  const { radius, places } = packedBalls(codes.length, jarInside(box), most);
  const signs = ballSigns(classes);
  places.forEach((place, k) => drawBall(canvas, bag.name ? `ball ${bag.name} ${k}` : `ball ${k}`, place, radius, codes[k], signs));
}

/** @param {PictureCanvas} canvas @param {Bag} bag @param {string[]} classes @param {PicArea} picArea @param {Theme} theme */
function drawBagTexts(canvas, bag, classes, { x, y, width, height }, theme) {
  const [middle, below] = [x + width / 2, y + height];
  canvas.text(`bag ${bag.name} label`, middle, y - 16, canvas.shortened(bag.label, width + 20, "pic-title"), { anchor: "middle", kind: "pic-title" });
  canvas.text(`bag ${bag.name} counts`, middle, below + 28, canvas.shortened(countsText(classes, bag.counts), width + 20), { anchor: "middle" });
  const fill = bag.is_best ? theme.primary : theme.text;
  if (bag.text) canvas.text(`bag ${bag.name} value`, middle, below + 66, bag.text, { anchor: "middle", kind: "pic-large", fill });
  if (bag.unit) canvas.text(`bag ${bag.name} unit`, middle, below + 90, bag.unit, { anchor: "middle", kind: "pic-small", fill: theme.quiet });
}
