// The small script of views and data components: it passes them to the library (view.js), or keeps them until that is
// mounted.

/** Called by Streamlit on mounting, and again when the data or the theme change. */
export default function loadComponent(component) {
  const loader = (globalThis.viewLoader ??= { waiting: new Map(), unmounts: new Map() });
  const root = component.parentElement;
  if (loader.mount) loader.unmounts.set(root, loader.mount(component));
  else loader.waiting.set(root, component);
  return () => {
    loader.waiting.delete(root);
    loader.unmounts.get(root)?.();
    loader.unmounts.delete(root);
  };
}
