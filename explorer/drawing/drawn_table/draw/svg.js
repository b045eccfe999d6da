// SVG elements that are kept from one drawing to the next, so that drawing again changes only what differs.

/** @typedef {Record<string, string | number | boolean | null>} Attributes */

import { SVG_SPACE } from "../../tree_view/dom.js";

/**
 * An element of a kind with attributes, within a parent.
 * @template {keyof SVGElementTagNameMap} Tag @param {Tag} tag @param {Attributes} [attributes] @param {Element | null} [parent]
 */
export function svgElement(tag, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG_SPACE, tag);
  putAttributes(element, attributes);
  parent?.append(element);
  return element;
}

/** Set the attributes that differ; null takes one away. @param {Element} element @param {Attributes} attributes */
export function putAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/**
 * As many children of a kind in a group as there are items; gives them.
 * @template {keyof SVGElementTagNameMap} Tag @param {Element} group @param {Tag} tag @param {number} count
 */
export function childrenOf(group, tag, count) {
  while (group.children.length > count) group.lastElementChild?.remove();
  while (group.children.length < count) svgElement(tag, {}, group);
  return /** @type {SVGElementTagNameMap[Tag][]} */ ([...group.children]);
}

/** A path through points [[x, y], …]. @param {number[][]} points */
export function pathThrough(points) {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
