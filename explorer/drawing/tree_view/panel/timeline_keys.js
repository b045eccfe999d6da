// The keys of the timeline, of the strip with the focus and of a presenter's remote control.

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };

/** What a key does: {by} positions, {play} (or pause), {stop}; null for a key without an action. */
export function timelineAction(key, isPlaying) {
  if (key in STEPS) return { by: STEPS[key] };
  if (key === " ") return { play: true };
  return key === "Escape" && isPlaying ? { stop: true } : null;
}
