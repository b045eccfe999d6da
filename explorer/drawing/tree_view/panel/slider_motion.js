// Slider motion: many targets in, at most one step per frame out.
//
// A *target* is stored at once and reached in the next frame, the latest one only. A move is *settled* when the reader
// releases the slider: every run of moves ends in exactly one act.settle, also where it ends where it began.

/** @typedef {ReturnType<typeof browserClock>} Clock */

const SETTLE_AFTER = 150;
const FOLLOW_EVERY = 120;

/** The browser's frames and timers; tests bring their own. */
export function browserClock() {
  return {
    frame: (/** @type {() => void} */ act) => requestAnimationFrame(act),
    dropFrame: (/** @type {number} */ id) => cancelAnimationFrame(id),
    later: (/** @type {() => void} */ act, /** @type {number} */ wait) => setTimeout(act, wait),
    drop: (/** @type {number} */ id) => clearTimeout(id),
    now: () => performance.now(),
  };
}

/** @param {{ move: (position: number, dragging: boolean) => void, settle: (position: number) => void }} act */
export function makeSliderMotion(act, clock = browserClock()) {
  let [at, wanted, frame, timer, isUnsettled] = [0, -1, 0, 0, false];
  const apply = () => {
    frame = 0;
    const next = wanted;
    wanted = -1;
    if (next < 0 || next === at) return;
    [at, isUnsettled] = [next, true];
    act.move(at, true);
  };
  const forget = () => {
    if (frame) clock.dropFrame(frame);
    clock.drop(timer);
    [frame, wanted] = [0, -1];
  };
  const settle = () => {
    if (frame) clock.dropFrame(frame);
    clock.drop(timer);
    apply();
    if (!isUnsettled) return;
    isUnsettled = false;
    act.settle(at);
  };
  return {
    at: () => at,
    target: () => (wanted < 0 ? at : wanted),
    hasTarget: () => wanted >= 0,
    isUnsettled: () => isUnsettled,
    settle,
    forget,
    /** Set the target; the next frame moves there. @param {number} position */
    moveTo(position) {
      wanted = position;
      clock.drop(timer);
      frame ||= clock.frame(apply);
    },
    settleSoon() {
      clock.drop(timer);
      timer = clock.later(settle, SETTLE_AFTER);
    },
    /** Move there now, and settle. @param {number} position */
    jump(position) {
      forget();
      if (position !== at) act.move((at = position), false);
      else if (!isUnsettled) return;
      isUnsettled = false;
      act.settle(at);
    },
    /** Set the position without a report; moves that are not settled yet will be settled from there. @param {number} position */
    setPosition(position) {
      if (frame) clock.dropFrame(frame);
      [frame, wanted, at] = [0, -1, position];
    },
  };
}

/**
 * Texts that follow the position: nobody reads them while they run past, and each change lays the page out again. So
 * act(position) is called at once, but again only after a pause, with the latest position.
 * @param {(position: number) => void} act
 */
export function makeFollower(act, clock = browserClock()) {
  let [last, timer, wanted] = [-Infinity, 0, 0];
  const run = () => {
    [last, timer] = [clock.now(), 0];
    act(wanted);
  };
  return {
    follow(position = 0) {
      wanted = position;
      if (timer) return;
      const wait = last + FOLLOW_EVERY - clock.now();
      if (wait > 0) timer = clock.later(run, wait);
      else run();
    },
    /** Act now, if there is still something to follow. */
    catchUp() {
      if (!timer) return;
      clock.drop(timer);
      run();
    },
    forget() {
      clock.drop(timer);
      timer = 0;
    },
  };
}
