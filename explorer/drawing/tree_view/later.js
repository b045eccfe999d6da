// Fields that are set before they are read.

/**
 * Nothing yet, in the type of what the field will hold: null.
 * @template T @returns {T}
 */
export function later() {
  return /** @type {any} */ (null);
}
