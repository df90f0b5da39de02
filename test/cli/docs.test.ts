/** README.md and docs: what they link to is there. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md")),
];

/** A heading as the code host names its anchor. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link within the documentation leads to a file, and to a heading of it", () => {
  const broken: string[] = [];
  for (const page of PAGES)
    for (const [, link = ""] of readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(target)) broken.push(`${page}: ${link}`);
      else if (anchor && !anchors(readFileSync(target, "utf8")).includes(anchor)) broken.push(`${page}: ${link}`);
    }
  expect(broken).toEqual([]);
});

test("README leads to every page, itself or by the folder of agents", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const missing = PAGES.filter((page) => /^docs\/[^/]+$/.test(page) && !readme.includes(`(${page}`));
  expect(missing).toEqual([]);
});
