import assert from "node:assert/strict";
import test from "node:test";

import { basePath } from "../../pages/uploads/browser_key.js";

const PAGES = ["data", "grow", "predict"];

test("the cookie is for the app's own path, whichever page sets it and whatever prefix the app runs behind", () => {
  const expected = { "/": "/", "/grow": "/", "/grow/": "/", "/trees": "/trees", "/trees/": "/trees", "/trees/predict": "/trees", "/a/b/data": "/a/b" };
  for (const [pathname, path] of Object.entries(expected)) assert.equal(basePath(pathname, PAGES), path, pathname);
});
