// The small script of views and carriers: it hands them on to the library (view.js), or has them wait until that is there.

/** Called by Streamlit on mounting, and again when the data or the theme change. */
export default function enterByDoor(component) {
  const door = (globalThis.decisionTreeDoor ??= { waiting: new Map(), leave: new Map() });
  const root = component.parentElement;
  if (door.enter) door.leave.set(root, door.enter(component));
  else door.waiting.set(root, component);
  return () => {
    door.waiting.delete(root);
    door.leave.get(root)?.();
    door.leave.delete(root);
  };
}
