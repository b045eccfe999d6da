// Plays the sequence by the clock, about eight seconds for all of it.

const WHOLE_WALK = 8000;
const SHORTEST_STEP = 60;
const LONGEST_STEP = 900;

/** Time for one position, in milliseconds; a long sequence has less than a step's time for each. */
export function timePerPosition(size) {
  return Math.min(WHOLE_WALK / Math.max(size - 1, 1), LONGEST_STEP);
}

/** Time between two steps that are shown. */
export function timePerStep(size) {
  return Math.max(timePerPosition(size), SHORTEST_STEP);
}

/** The position after `elapsed` milliseconds; half a millisecond is tolerated, for timers that fire early. */
export function playedTo(start, elapsed, size) {
  return Math.min(start + Math.floor((elapsed + 0.5) / timePerPosition(size)), size - 1);
}

/** act: {at(), moveTo(position), ended()}; `ended` is for the end of the sequence, not for a stop. */
export function makePlayer(act, clock) {
  let [timer, started, start, size, isOn] = [0, 0, 0, 1, false];
  const stop = () => {
    clock.drop(timer);
    isOn = false;
  };
  const step = () => {
    const position = playedTo(start, clock.now() - started, size);
    act.moveTo(position);
    if (position < size - 1) {
      timer = clock.later(step, timePerStep(size));
      return;
    }
    stop();
    act.ended();
  };
  return {
    isOn: () => isOn,
    stop,
    /** Play from here; at the end, from the beginning. */
    play(positions) {
      [size, isOn, started] = [positions, true, clock.now()];
      start = act.at() >= size - 1 ? 0 : act.at();
      act.moveTo(start);
      timer = clock.later(step, timePerStep(size));
    },
  };
}
