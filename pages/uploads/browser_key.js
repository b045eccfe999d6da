// The key by which this browser finds its uploads again, held in a cookie of this app's path alone.
//
// data: {name, key, seconds, pages, renewal}: the cookie and how long it lives, and the last parts of the app's addresses,
// without which the path is that of the app. The server sends another `renewal` now and then, which sets the cookie anew.

const KEY = /^[A-Za-z0-9_-]{43}$/;

/**
 * Called by Streamlit on mounting, and again when the data change.
 * @param {Component<{ name: string, key: string, seconds: number, pages: string[], renewal: number }>} component
 */
export default function handOverKey({ data, setTriggerValue }) {
  const held = cookie(data.name);
  const key = KEY.test(held) ? held : data.key;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${key}; Path=${basePath(location.pathname, data.pages)}; Max-Age=${data.seconds}; SameSite=Strict${secure}`;
  if (cookie(data.name) !== key) setTriggerValue("refused", true);
  else if (key !== data.key) setTriggerValue("found", key);
}

/** @param {string} name */
function cookie(name) {
  const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
  return pairs.find(([own]) => own === name)?.[1] ?? "";
}

/**
 * The path of the app: that of the page without the page's own part, and without a slash at its end.
 * @param {string} pathname @param {string[]} pages
 */
export function basePath(pathname, pages) {
  const parts = pathname.split("/").filter(Boolean);
  if (pages.includes(parts.at(-1) ?? "")) parts.pop();
  return `/${parts.join("/")}`;
}
