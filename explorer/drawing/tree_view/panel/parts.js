// Where on the page the parts of a view stand (curve, table, weakest link): components of their own register a place, and
// the view moves the element into it and goes on driving it. All of them run in one library, so this is a plain call.
//
// Places and views come and go in any order: a view looks for places when it gets a sequence, a place asks its view to
// look again. Without a view, a place is empty.

export const PART_NAMES = ["scores", "sequence", "weakest"];
/** @typedef {{ part: string, of: string, frame: HTMLElement }} Place */
/** @type {Map<ShadowRoot, Place>} */
const places = new Map();

/**
 * Register the place in `root` for a part of the view named `of`; `frame` is the element that takes the part.
 * @param {ShadowRoot} root @param {Pick<Place, "part" | "of">} place @param {HTMLElement} frame
 */
export function addPlace(root, { part, of }, frame) {
  places.delete(root);
  places.set(root, { part, of, frame });
}

/** The registered place in `root`, if any. @param {ShadowRoot} root */
export function placeIn(root) {
  return places.get(root) ?? null;
}

/** @param {ShadowRoot} root */
export function removePlace(root) {
  places.delete(root);
}

/** The element that takes a part of a view, the one registered last; null for none. @param {string} of @param {string} part */
export function frameFor(of, part) {
  let found = null;
  for (const place of places.values()) if (place.of === of && place.part === part) found = place.frame;
  return found;
}

/**
 * Put a part into a frame, or nowhere; returns whether it was moved.
 * @param {HTMLElement} element @param {HTMLElement | null} frame
 */
export function putPart(element, frame) {
  if (element.parentNode === frame) return false;
  if (frame === null) element.remove();
  else frame.replaceChildren(element);
  return true;
}
