import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Sandbox } from "../support/sandbox.ts";

const PATIENT = 60_000;
let sandbox: Sandbox;

interface Hit {
  readonly project?: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol: string | null;
  readonly why: readonly string[];
  readonly text: string;
}

beforeAll(async () => {
  sandbox = new Sandbox();
  sandbox.write({
    "src/http/router.ts":
      "/** Finds the handler of a request by its path. */\nexport class Router {\n  private routes: Route[] = [];\n\n  addRoute(path: string, handler: Handler) {\n    this.routes.push({ path, handler });\n  }\n}\n",
    "src/store/cache.py":
      'class LruCache:\n    """Forgets what nobody has asked for longest."""\n\n    def evict(self):\n        self.entries.popitem(last=False)\n',
    "src/store/disk.py":
      'def write_atomically(path, data):\n    """Writes beside the file, then renames."""\n    rename(path + ".part", path)\n',
    "README.md": "# Demo\n\nThe router finds handlers.\n",
  });
  expect((await sandbox.run(["index"])).code).toBe(0);
}, PATIENT);
afterAll(() => sandbox[Symbol.dispose]());

const hitsOf = async (...args: string[]): Promise<Hit[]> => {
  const run = await sandbox.run(["query", "--json", ...args]);
  expect(run.stderr).toBe("");
  expect(run.code).toBe(0);
  return (JSON.parse(run.stdout) as { hits: Hit[] }).hits;
};

describe("query", () => {
  test(
    "answers a question with places, code and reasons, from words and meaning",
    async () => {
      const [first] = await hitsOf("which handler gets a request");
      expect(first?.path).toBe("src/http/router.ts");
      expect(first?.why).toEqual(expect.arrayContaining(["lexical", "semantic"]));
      expect(first?.text).toContain("addRoute");
    },
    PATIENT,
  );

  test(
    "goes to where a name is defined",
    async () => {
      const [first] = await hitsOf("LruCache.evict");
      expect(first?.path).toBe("src/store/cache.py");
      expect(first?.why).toContain("definition");
      expect((await hitsOf("evict", "--mode", "symbol")).map((hit) => hit.path)).toEqual(["src/store/cache.py"]);
    },
    PATIENT,
  );

  test(
    "keeps to its budget",
    async () => {
      const run = await sandbox.run(["query", "cache and router and disk", "--budget", "120"]);
      expect(run.stdout.length / 4).toBeLessThan(220);
    },
    PATIENT,
  );

  test(
    "filters, several at once, and excludes",
    async () => {
      const paths = (hits: Hit[]): string[] => [...new Set(hits.map((hit) => hit.path))];
      expect(paths(await hitsOf("router", "--ext", "md"))).toEqual(["README.md"]);
      const python = paths(await hitsOf("write cache entries", "--lang", "python", "--path", "!disk"));
      expect(python).toEqual(["src/store/cache.py"]);
    },
    PATIENT,
  );

  test(
    "finds text that was written a moment ago, by meaning too",
    async () => {
      sandbox.write({
        "src/mail.ts": "export function sendMail(address: string) {\n  return smtp.deliver(address);\n}\n",
      });
      const [first] = await hitsOf("send an email", "--mode", "semantic");
      expect(first?.path).toBe("src/mail.ts");
    },
    PATIENT,
  );

  test(
    "asks a linked project too, and labels both",
    async () => {
      using other = new Sandbox({ name: "other" });
      other.write({ "lib/router.go": "package lib\n\n// Router finds handlers.\ntype Router struct{}\n" });
      const linked = { ...sandbox.env };
      expect((await sandbox.run(["index", other.root], { env: linked })).code).toBe(0);
      const hits = await hitsOf("Router", "--link", other.root);
      expect(new Set(hits.map((hit) => hit.project))).toEqual(new Set(["repo", "other"]));
    },
    PATIENT,
  );

  test.each([
    [["query", "--mode", "hybird", "x"], "did you mean 'hybrid'"],
    [["query", "x", "--lang", "pyhton"], "did you mean 'python'"],
    [["query", "x", "--budget", "none"], "--budget must be a whole number"],
    [["query", "  "], "the question is empty"],
    [["query", "x", "--link", "/nonexistent-folder"], "there is no folder"],
    [["grep", "("], "is no regular expression"],
    [["related", "src/http/router.ts"], "write FILE:LINE"],
    [["related", "src/http/router.ts:999"], "lines, not 999"],
  ])(
    "%j is refused in a sentence",
    async (args, message) => {
      const run = await sandbox.run(args);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(message);
      expect(run.stdout).toBe("");
    },
    PATIENT,
  );

  test(
    "nothing found is said, and is no failure",
    async () => {
      const run = await sandbox.run(["query", "zzqqxxyy"]);
      expect([run.code, run.stdout]).toEqual([0, "nothing found\n"]);
    },
    PATIENT,
  );
});

describe("grep and related", () => {
  test(
    "grep prints path, line and text, and fails as grep does when nothing matches",
    async () => {
      const found = await sandbox.run(["grep", "popitem\\("]);
      expect([found.code, found.stdout]).toEqual([
        0,
        "src/store/cache.py:5:        self.entries.popitem(last=False)\n",
      ]);
      expect((await sandbox.run(["grep", "POPITEM"])).code).toBe(1);
      expect((await sandbox.run(["grep", "-i", "POPITEM"])).code).toBe(0);
      expect((await sandbox.run(["grep", "-F", "popitem(last"])).code).toBe(0);
      expect((await sandbox.run(["grep", "popitem", "--file", "http"])).code).toBe(1);
    },
    PATIENT,
  );

  test(
    "related gives other places, never the one it was asked about",
    async () => {
      const run = await sandbox.run(["related", "src/store/cache.py:2", "--json"]);
      const { hits } = JSON.parse(run.stdout) as { hits: Hit[] };
      expect(hits.length).toBeGreaterThan(0);
      expect(hits.map((hit) => hit.path)).not.toContain("src/store/cache.py");
    },
    PATIENT,
  );
});
