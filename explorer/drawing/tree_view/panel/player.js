// Plays the sequence by the clock: pruning in about eight seconds, growing slowly enough to read each split. And the keys
// of the timeline, of the strip with the focus and of a presenter's remote control.

/** @typedef {(positions: number) => number} Pace milliseconds for one position of so many */
/** @typedef {import("./slider_motion.js").Clock} Clock */
/** @typedef {{ by?: number, play?: boolean, stop?: boolean }} Action */

const WHOLE_WALK = 8000;
const SHORTEST_STEP = 60;
const LONGEST_STEP = 900;
const STEPS_TO_READ = 60;
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };

/** Time for one position of pruning, in milliseconds; a long sequence has less than a step's time for each. @param {number} size */
export function pruningPace(size) {
  return Math.min(WHOLE_WALK / Math.max(size - 1, 1), LONGEST_STEP);
}

/** Time for one step of growing: up to 60 steps can be read, larger trees take as long as 60 steps. @param {number} size */
export function growthPace(size) {
  return (LONGEST_STEP * STEPS_TO_READ) / Math.max(size - 1, STEPS_TO_READ);
}

/** Time between two steps that are shown. @param {number} size */
export function timePerStep(size, pace = pruningPace) {
  return Math.max(pace(size), SHORTEST_STEP);
}

/**
 * The position after `elapsed` milliseconds; half a millisecond is tolerated, for timers that fire early.
 * @param {number} start @param {number} elapsed @param {number} size
 */
export function playedTo(start, elapsed, size, pace = pruningPace) {
  return Math.min(start + Math.floor((elapsed + 0.5) / pace(size)), size - 1);
}

/**
 * act: {at(), moveTo(position), ended(), stopsAt?(position)}; `ended` is for the end of the sequence or a position to
 * stop at, not for a stop from outside.
 * @param {{ at: () => number, moveTo: (position: number) => void, ended: () => void, stopsAt?: (position: number) => boolean }} act
 * @param {Clock} clock
 */
export function makePlayer(act, clock) {
  let [timer, started, start, shown, size, pace, isOn] = [0, 0, 0, 0, 1, pruningPace, false];
  const stop = () => {
    clock.drop(timer);
    isOn = false;
  };
  /** Show a position, or the first one on the way at which to stop. */
  const show = (/** @type {number} */ from, /** @type {number} */ to) => {
    let position = from;
    while (position < to && !act.stopsAt?.(position)) position += 1;
    act.moveTo((shown = position));
    if (position < size - 1 && !act.stopsAt?.(position)) {
      timer = clock.later(step, timePerStep(size, pace));
      return;
    }
    stop();
    act.ended();
  };
  const step = () => show(Math.min(shown + 1, size - 1), playedTo(start, clock.now() - started, size, pace));
  return {
    isOn: () => isOn,
    stop,
    /** Play from here; at the end, from the beginning. @param {number} positions */
    play(positions, chosenPace = pruningPace) {
      [size, pace, isOn, started] = [positions, chosenPace, true, clock.now()];
      start = act.at() >= size - 1 ? 0 : act.at();
      show(start, start);
    },
  };
}

/**
 * What a key does: {by} positions, {play} (or pause), {stop}; null for a key without an action.
 * @param {string} key @param {boolean} isPlaying @returns {Action | null}
 */
export function timelineAction(key, isPlaying) {
  if (key in STEPS) return { by: STEPS[key] };
  if (key === " ") return { play: true };
  return key === "Escape" && isPlaying ? { stop: true } : null;
}
