// Watches one drag of a range input: given to the browser by dragging.py, called with the input, before the mouse goes
// down. globalThis.decisionTreeViews and ensembleViews map view keys to {position(), leafCount(), frameTimes, mountMs};
// the view's root carries data-settled, the position that Python has confirmed.
(input) => {
  const root = input.getRootNode();
  const views = ["decisionTreeViews", "ensembleViews"].flatMap((name) => [...(globalThis[name]?.values() ?? [])]);
  const view = views.find((own) => own.root?.getRootNode() === root) ?? views.at(-1);
  const watch = { frames: [], script: [], pressed: false, released: 0, settled: 0, follows: false, view };
  globalThis.dragWatch = watch;
  view.frameTimes.fill(-1);

  const settledAt = () => Number(root.querySelector("[data-settled]")?.dataset.settled ?? NaN);

  let last = 0;
  const look = (now) => {
    const gap = now - last;
    last = now;
    if (watch.pressed && !watch.released) watch.frames.push([gap, Number(input.value), view.leafCount()]);
    if (watch.released && settledAt() === Number(input.value)) watch.settled = performance.now();
    if (!watch.settled) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  const onRelease = () => {
    watch.released = performance.now();
    watch.script = Array.from(view.frameTimes).filter((time) => time >= 0);
    watch.follows = view.position() === Number(input.value);
  };
  addEventListener("pointerdown", () => (watch.pressed = true), { once: true, capture: true });
  addEventListener("pointerup", onRelease, { once: true, capture: true });
}
