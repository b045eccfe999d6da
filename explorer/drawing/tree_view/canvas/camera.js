// The camera: from world units (slots along, levels deep) to pixels, with a scale for either axis.
//
// camera   {alongScale, alongShift, depthScale, depthShift}: pixel = shift + scale · world
// mode     "down" (root on top), "right" (root at the left), "icicle" (bars by rows, root on top)
// frame    {mode, slots, levels, width, height, hasSigns}: the size of the tree and of the area that shows it; hasSigns
//          where folded nodes have a sign below them; from left to right also levelGap, the distance of the levels where
//          nothing limits it, and endBoxWidth, the widest box of the first or last level; top-down slotWidth, what the boxes
//          of a small tree need of a slot, and barsRoom, what the bars of several targets need below the last level
// natural  pixels per slot and per level at which boxes have their natural size

/** @typedef {{ alongScale: number, alongShift: number, depthScale: number, depthShift: number }} Camera */
/**
 * @typedef {{
 *   mode: string, slots: number, levels: number, width: number, height: number, hasSigns?: boolean, levelGap?: number,
 *   endBoxWidth?: number, slotWidth?: number, barsRoom?: number,
 * }} Frame
 */
/** @typedef {{ along: number, depth: number }} Scales natural ones */

/** @type {Record<string, Scales>} */
const NATURAL_SCALES = {
  down: { along: 192, depth: 136 },
  right: { along: 84, depth: 262 },
  icicle: { along: 1600, depth: 54 },
};
const LARGEST_FIT = 18 / 13; // a small tree on a large screen: tests in letters of 18 pixels and no larger
const DEEPEST_ZOOM = 3;
const HALF_BOX = 36; // half the height of a box at natural size
const HALF_WIDTH = 88;
/** @type {Record<string, number>} */
const LEAST_END_ROOM = { down: 20, right: 76 }; // half a box with one line of text

/** @param {Pick<Frame, "mode" | "levelGap" | "slotWidth">} frame */
export function naturalScale({ mode, levelGap = 0, slotWidth = 0 }) {
  const natural = NATURAL_SCALES[mode] ?? NATURAL_SCALES.down;
  if (mode === "down" && slotWidth > 0) return { along: Math.min(natural.along, slotWidth), depth: natural.depth };
  return mode === "right" && levelGap > natural.depth ? { along: natural.along, depth: levelGap } : natural;
}

/** @param {Frame} frame */
export function alongLength(frame) {
  return frame.mode === "right" ? frame.height : frame.width;
}

/** @param {Frame} frame */
export function depthLength(frame) {
  return frame.mode === "right" ? frame.width : frame.height;
}

/**
 * Breadth and depth of the whole tree in pixels; the depth is from the first level to the last, in the icicle to its end.
 * @param {Camera} camera @param {Frame} frame
 */
export function treeLengths(camera, frame) {
  const isIcicle = frame.mode === "icicle";
  const breadth = camera.alongScale * (isIcicle ? 1 : frame.slots);
  return [breadth, camera.depthScale * Math.max(1, frame.levels - (isIcicle ? 0 : 1))];
}

/**
 * The camera that shows the whole tree: nothing cut at the edge, nothing stretched beyond its natural size.
 * @param {Frame} frame
 */
export function fitCamera(frame) {
  return frame.mode === "icicle" ? fitIcicle(frame) : fitTree(frame);
}

/** @param {Frame} frame */
function fitIcicle({ width, height, levels }) {
  const depthScale = Math.min(NATURAL_SCALES.icicle.depth * 1.4, (height - 24) / levels);
  return { alongScale: width - 24, alongShift: 12, depthScale, depthShift: 12 };
}

/** @param {Frame} frame */
function fitTree(frame) {
  const natural = naturalScale(frame);
  const along = alongLength(frame);
  const deep = depthLength(frame);
  const bars = frame.mode === "down" ? (frame.barsRoom ?? 0) : 0;
  const margin = alongMargin(frame);
  const room = endRoom(frame);
  const steps = Math.max(1, frame.levels - 1);
  const alongFit = Math.max(1e-3, (along - 2 * margin) / frame.slots);
  const depthFit = Math.max(1e-3, (deep - bars - 2 * room) / steps);
  const tall = (deep - (frame.hasSigns ? 40 : 24)) / (steps * natural.depth + 2 * halfAcross(frame) + bars);
  const large = Math.max(1, Math.min(LARGEST_FIT, alongFit / natural.along, tall));
  const widest = frame.mode === "down" ? NATURAL_SCALES.down.along : natural.along;
  const alongScale = Math.min(alongFit, widest * large);
  const stretch = Math.max(large, Math.min(LARGEST_FIT, tall));
  const depthScale = Math.min(large > 1 ? Infinity : depthFit, natural.depth * stretch);
  return {
    alongScale,
    depthScale,
    alongShift: (along - alongScale * frame.slots) / 2,
    depthShift: (deep - bars * stretch - depthScale * (frame.levels - 1)) / 2,
  };
}

/** Room kept free at both ends of the breadth, for boxes wider than a slot. @param {Frame} frame */
export function alongMargin(frame) {
  return frame.mode === "right" ? 12 : frame.width > 700 ? 44 : 12;
}

/** @param {Frame} frame */
function halfAcross(frame) {
  return frame.mode === "right" ? Math.max(HALF_WIDTH, (frame.endBoxWidth ?? 0) / 2) : HALF_BOX;
}

/**
 * Room kept free before the first and after the last level: half a box, or half a level where those are tighter.
 * @param {Frame} frame
 */
export function endRoom(frame) {
  const sign = frame.hasSigns ? 14 : 0;
  const least = Math.min(LEAST_END_ROOM[frame.mode] ?? 8, depthLength(frame) / 8);
  return Math.max(least, Math.min(halfAcross(frame) + 12, depthLength(frame) / frame.levels / 2)) + sign;
}

/**
 * How much larger than natural everything may be drawn: 1 until both axes have room for more.
 * @param {Camera} camera @param {Frame} frame
 */
export function magnification(camera, frame) {
  const natural = naturalScale(frame);
  const room = Math.min(camera.alongScale / natural.along, camera.depthScale / natural.depth);
  return frame.mode === "icicle" ? 1 : Math.max(1, Math.min(DEEPEST_ZOOM, room));
}

/**
 * Zoom about a point. The axis with less room takes the whole factor, the other only a part of it.
 * @param {Camera} camera @param {Frame} frame @param {number} factor @param {number} alongAt @param {number} depthAt
 */
export function zoomCamera(camera, frame, factor, alongAt, depthAt) {
  const natural = naturalScale(frame);
  const fit = fitCamera(frame);
  const alongFirst = camera.alongScale / natural.along <= camera.depthScale / natural.depth;
  const lesser = frame.mode === "icicle" ? 0.25 : 0.3;
  const alongScale = camera.alongScale * factor ** (alongFirst || frame.mode === "icicle" ? 1 : lesser);
  const depthScale = camera.depthScale * factor ** (alongFirst || frame.mode === "icicle" ? lesser : 1);
  return scaledAbout(camera, frame, {
    alongScale: heldWithin(alongScale, fit.alongScale * 0.6, largestAlong(frame, natural, fit)),
    depthScale: heldWithin(depthScale, fit.depthScale * 0.6, Math.max(natural.depth * DEEPEST_ZOOM, fit.depthScale)),
    alongAt,
    depthAt,
  });
}

/** @param {Frame} frame @param {Scales} natural @param {Camera} fit */
function largestAlong(frame, natural, fit) {
  if (frame.mode !== "icicle") return Math.max(natural.along * DEEPEST_ZOOM, fit.alongScale);
  return Math.max(4, frame.slots) * 120 + fit.alongScale * 4; // a leaf may become a readable bar
}

/**
 * @param {Camera} camera @param {Frame} frame
 * @param {{ alongScale: number, depthScale: number, alongAt: number, depthAt: number }} wanted
 */
function scaledAbout(camera, frame, { alongScale, depthScale, alongAt, depthAt }) {
  const alongWorld = (alongAt - camera.alongShift) / camera.alongScale;
  const depthWorld = (depthAt - camera.depthShift) / camera.depthScale;
  return keptInView({
    alongScale,
    depthScale,
    alongShift: alongAt - alongWorld * alongScale,
    depthShift: depthAt - depthWorld * depthScale,
  }, frame);
}

/** @param {Camera} camera @param {Frame} frame @param {number} alongBy @param {number} depthBy */
export function panCamera(camera, frame, alongBy, depthBy) {
  const moved = { ...camera, alongShift: camera.alongShift + alongBy, depthShift: camera.depthShift + depthBy };
  return keptInView(moved, frame);
}

/** Keep a part of the tree inside the area, so that nobody gets lost. @param {Camera} camera @param {Frame} frame */
export function keptInView(camera, frame) {
  const [breadth] = treeLengths(camera, frame);
  const depth = camera.depthScale * frame.levels;
  const least = 60;
  return {
    ...camera,
    alongShift: heldWithin(camera.alongShift, least - breadth, alongLength(frame) - least),
    depthShift: heldWithin(camera.depthShift, least - depth, depthLength(frame) - least),
  };
}

/**
 * Move no further than needed to bring a stretch of pixels (lo..hi on either axis) inside with a margin.
 * @param {Camera} camera @param {Frame} frame
 * @param {{ alongLo: number, alongHi: number, depthLo: number, depthHi: number }} box
 */
export function revealCamera(camera, frame, box, margin = 24) {
  return {
    ...camera,
    alongShift: camera.alongShift + shiftIntoView(box.alongLo, box.alongHi, alongLength(frame), margin),
    depthShift: camera.depthShift + shiftIntoView(box.depthLo, box.depthHi, depthLength(frame), margin),
  };
}

/** @param {number} lo @param {number} hi @param {number} length @param {number} margin */
function shiftIntoView(lo, hi, length, margin) {
  if (hi - lo > length - 2 * margin) return length / 2 - (lo + hi) / 2;
  if (lo < margin) return margin - lo;
  if (hi > length - margin) return length - margin - hi;
  return 0;
}

/** The share of the tree's breadth and depth inside the area: 1 for all of it. @param {Camera} camera @param {Frame} frame */
export function visibleShare(camera, frame) {
  const [breadth, depth] = treeLengths(camera, frame);
  const along = coveredShare(camera.alongShift, breadth, alongLength(frame));
  return along * coveredShare(camera.depthShift, depth, depthLength(frame));
}

/** @param {number} start @param {number} length @param {number} screen */
function coveredShare(start, length, screen) {
  const seen = Math.min(start + length, screen) - Math.max(start, 0);
  return Math.max(0, Math.min(1, seen / Math.max(1e-9, length)));
}

/**
 * The camera whose centre looks at a point given as shares 0..1 of the tree's breadth and depth.
 * @param {Camera} camera @param {Frame} frame @param {number} alongShare @param {number} depthShare
 */
export function centredCamera(camera, frame, alongShare, depthShare) {
  const [breadth, depth] = treeLengths(camera, frame);
  return keptInView({
    ...camera,
    alongShift: alongLength(frame) / 2 - breadth * alongShare,
    depthShift: depthLength(frame) / 2 - depth * depthShare,
  }, frame);
}

/**
 * The same view of another tree: equal zoom relative to its fit, centred at the same share of either axis.
 * @param {Camera} camera @param {Frame} frame @param {Frame} other
 */
export function cameraLike(camera, frame, other) {
  const [fit, fitOfOther] = [fitCamera(frame), fitCamera(other)];
  const [breadth, depth] = treeLengths(camera, frame);
  const scaled = {
    ...fitOfOther,
    alongScale: (fitOfOther.alongScale * camera.alongScale) / fit.alongScale,
    depthScale: (fitOfOther.depthScale * camera.depthScale) / fit.depthScale,
  };
  const alongShare = (alongLength(frame) / 2 - camera.alongShift) / breadth;
  const depthShare = (depthLength(frame) / 2 - camera.depthShift) / depth;
  return centredCamera(scaled, other, alongShare, depthShare);
}

/** @param {number} value @param {number} least @param {number} most */
function heldWithin(value, least, most) {
  return Math.max(least, Math.min(most, value));
}
