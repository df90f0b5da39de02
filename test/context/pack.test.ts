import { describe, expect, test } from "bun:test";
import { countTokens } from "../../src/platform/tokens.ts";
import { makePack, PACK_FORMATS, PACK_MODES, type PackOptions } from "../../src/repo/context/pack.ts";
import { type Files, Project } from "../graph/support.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const FILES: Files = {
  "package.json": '{"name":"shop"}\n',
  "src/main.ts": 'import { load } from "./core";\nexport function main(): void {\n  load();\n}\n',
  "src/core.ts": `export function load(token = "${SECRET}"): number {\n  return 1;\n}\n`,
  "src/auth/login.ts": 'import { load } from "../core";\nexport function login(): void {\n  load();\n}\n',
  "test/core.test.ts": 'import { load } from "../src/core";\nexport const t = () => load();\n',
  "docs/guide.md": "# Guide\n\nHow to use it.\n",
  ".env": "PASSWORD=hunter2hunter2\n",
  "certs/server.key": "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n",
};
const base: PackOptions = { mode: "plan", format: "markdown", budgetTokens: 4000, maxFiles: 100 };

async function packs<T>(ask: (make: (options: Partial<PackOptions>) => ReturnType<typeof makePack>) => T): Promise<T> {
  using project = new Project(FILES);
  await project.index();
  return project.ask((graph) => ask((options) => makePack(graph, "shop", { ...base, ...options })));
}

const order = (text: string): string[] => [...text.matchAll(/^## (\S+) \(/gm)].map((match) => match[1] ?? "");

describe("a pack", () => {
  test("leads with the manifest and entry points, then what is most imported; tests and documents last", async () => {
    await packs((make) => {
      expect(order(make({}).text)).toEqual([
        "package.json",
        "src/main.ts",
        "src/core.ts",
        "src/auth/login.ts",
        "docs/guide.md",
        "test/core.test.ts",
      ]);
      expect(order(make({ mode: "security" }).text)[0]).toBe("src/auth/login.ts");
    });
  });

  test("is the same text every time", async () => {
    const once = await packs((make) => make({}).text);
    expect(await packs((make) => make({}).text)).toBe(once);
  });

  test("holds no secret: neither files that hold them nor credentials in a signature", async () => {
    await packs((make) => {
      const { text, secretFiles } = make({});
      for (const hidden of [SECRET, "hunter2", ".env", "server.key", "PRIVATE KEY"]) expect(text).not.toContain(hidden);
      expect(secretFiles).toBe(2);
      expect(text).toContain("2 for what they may hold");
    });
  });

  test("keeps its budget in every mode and form, and says what it left out", async () => {
    await packs((make) => {
      for (const mode of PACK_MODES)
        for (const format of PACK_FORMATS)
          for (const budgetTokens of [200, 260, 350, 800]) {
            const { text, files, leftOut } = make({ mode, format, budgetTokens, tokenMap: budgetTokens > 300 });
            expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
            expect(files + leftOut).toBe(6);
            if (leftOut > 0) expect(text).toContain(`${leftOut} files left out`);
            if (format === "json") expect((JSON.parse(text) as { files: unknown[] }).files).toHaveLength(files);
            if (format === "xml") expect(text.trim().endsWith("</pack>")).toBe(true);
          }
    });
  });

  test("of a change holds only what changed", async () => {
    await packs((make) => {
      const changed = [{ path: "src/core.ts", ranges: [[1, 1]] as const, isDeleted: false }];
      expect(order(make({ changed }).text)).toEqual(["src/core.ts"]);
    });
  });
});
