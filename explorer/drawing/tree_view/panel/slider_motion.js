// Moving through the sequence: many wishes in, one step per frame out.
//
// A *wish* is noted at once and done in the next frame, the latest one only. A move is *settled* when the reader lets
// go: every run of moves ends in exactly one act.settle, also where it ends at the place it began.

const SETTLE_AFTER = 150;

/** The browser's frames and timers; tests bring their own. */
export function browserClock() {
  return {
    frame: (act) => requestAnimationFrame(act),
    dropFrame: (id) => cancelAnimationFrame(id),
    later: (act, wait) => setTimeout(act, wait),
    drop: (id) => clearTimeout(id),
    now: () => performance.now(),
  };
}

/** act: {move(position, dragging), settle(position)}. */
export function makeMover(act, clock = browserClock()) {
  let [at, wish, frame, timer, isOpen] = [0, -1, 0, 0, false];
  const apply = () => {
    frame = 0;
    const next = wish;
    wish = -1;
    if (next < 0 || next === at) return;
    [at, isOpen] = [next, true];
    act.move(at, true);
  };
  const forget = () => {
    if (frame) clock.dropFrame(frame);
    clock.drop(timer);
    [frame, wish] = [0, -1];
  };
  const settle = () => {
    if (frame) clock.dropFrame(frame);
    clock.drop(timer);
    apply();
    if (!isOpen) return;
    isOpen = false;
    act.settle(at);
  };
  return {
    at: () => at,
    wished: () => (wish < 0 ? at : wish),
    hasWish: () => wish >= 0,
    isOpen: () => isOpen,
    settle,
    forget,
    /** Note where to go; the next frame goes there. */
    want(position) {
      wish = position;
      clock.drop(timer);
      frame ||= clock.frame(apply);
    },
    settleSoon() {
      clock.drop(timer);
      timer = clock.later(settle, SETTLE_AFTER);
    },
    /** Go there now and stay. */
    jump(position) {
      forget();
      if (position !== at) act.move((at = position), false);
      else if (!isOpen) return;
      isOpen = false;
      act.settle(at);
    },
    /** Stand there without telling anybody; moves that are not settled yet will be, from there. */
    place(position) {
      if (frame) clock.dropFrame(frame);
      [frame, wish, at] = [0, -1, position];
    },
  };
}
