import { afterAll, beforeAll, expect, test } from "bun:test";
import { nearest } from "../../src/platform/nearest.ts";
import { findSymbols } from "../../src/repo/context/symbols.ts";
import { type Project, project } from "../search/support.ts";

const FILES: Record<string, string> = {
  "src/cache.ts":
    "export function loadTokenCache() {}\nexport class TokenCache {}\nexport const tokencache = 1;\nexport const x_y = 2;\nexport const getÜber = 3;\n",
  "src/router.py":
    "def add_route(): pass\ndef addRoute(): pass\nclass RouterBase: pass\ndef a(): pass\ndef ab(): pass\n",
  "docs/guide.md": "# Loading the token cache\n\ntext\n\n## 100% of add_route\n\nmore\n",
  "style.css": ".btn-primary:hover { color: red; }\n.btn { color: blue; }\n",
};
let small: Project;
beforeAll(async () => {
  small = project(FILES);
  await small.index({ embed: false });
}, 60_000);
afterAll(() => small.remove());

/** The same by a walk over all names. */
function plain(names: readonly string[], name: string): string[] {
  const wanted = name.toLowerCase();
  const near = names
    .filter((one) => {
      const folded = one.toLowerCase();
      if (wanted.length < 3 || folded === wanted) return false;
      return folded.includes(wanted) || (folded.length >= 4 && wanted.includes(folded));
    })
    .slice(0, 5);
  const half = Math.floor(name.length / 2);
  const slips = names.filter(
    (one) =>
      Math.abs(one.length - name.length) <= 2 &&
      !near.includes(one) &&
      (one.slice(0, half).toLowerCase() === wanted.slice(0, half) ||
        one.toLowerCase().slice(-half) === wanted.slice(-half)),
  );
  const best = nearest(name, slips);
  return [...(best === undefined ? [] : [best]), ...near].slice(0, 5);
}

test("the names near a missing one are those that a walk over all names finds", () => {
  const store = small.open();
  const names = store.graph.symbolNames();
  expect(names.length).toBeGreaterThan(10);
  const asked =
    "token loadTokenCach loadTikenCache myTokenCacheStore addRoutes ad_route route outer b zz % _ btn getüber Über 100% RouterBose"
      .split(" ")
      .concat("the token", "Loading the token cach");
  for (const name of asked) {
    const found = findSymbols(store, name);
    if (found.symbols.length === 0) expect([name, ...found.near]).toEqual([name, ...plain(names, name)]);
  }
  expect(findSymbols(store, "loadTikenCache").near).toEqual(["loadTokenCache"]);
  expect(findSymbols(store, "token").near.length).toBe(4);
});

test("a slip in the second half is found among the names that begin alike", () => {
  const store = small.open();
  for (const name of ["loadTokenCache", "RouterBase", "add_route", "TokenCache"]) {
    const half = Math.ceil(name.length / 2);
    for (let at = half + 1; at <= name.length; at++) {
      const [before, behind] = [name.slice(0, at), name.slice(at)];
      const [one = "", two = ""] = behind;
      const slips = [`${before}x${behind}`, before + behind.slice(1), before + two + one + behind.slice(2)];
      if (one !== "") slips.push(`${before}X${behind.slice(1)}`);
      for (const slip of slips)
        if (slip !== name) expect([slip, ...store.graph.namesBeginningNear(slip)]).toContain(name);
    }
  }
  for (const short of ["", "a", "ab", "zz", "Über"]) expect(store.graph.namesBeginningNear(short)).toEqual([]);
  expect(store.graph.namesBeginningNear("nothingLikeThis")).toEqual([]);
});
