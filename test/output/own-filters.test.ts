/** Filters that are not in the binary: the user's, and a repository's behind trust. */
import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyWithinBudget } from "../../src/output/filters/budget.ts";
import { openFilters } from "../../src/output/filters/find.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";
import { repositoryInputs, revoke, trust, trustedRoots, trustState } from "../../src/output/filters/trust.ts";
import { verifyFile } from "../../src/output/filters/verify.ts";

const toml = (name: string, match: string, more = "") =>
  `[filters.${name}]\ndescription = 'x'\nmatch_command = '${match}'\n${more}\n`;

class Place {
  readonly base = mkdtempSync(join(tmpdir(), "own-"));
  readonly root = join(this.base, "repo");
  readonly env = { TOKENIX_HOME: join(this.base, "home") };
  write(path: string, text: string): void {
    const full = join(this.base, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  async found(command: string) {
    const filter = (await openFilters(this.root, this.env)).find([command]);
    return filter && `${filter.tier} ${filter.name}`;
  }
  async problems() {
    return (await openFilters(this.root, this.env)).problems.join("\n");
  }
}

describe("a user's filters", () => {
  test("come before the bundled ones, and an edit is seen at once", async () => {
    const place = new Place();
    expect(await place.found("cargo test")).toBe("bundled cargo-test");
    place.write("home/filters/mine.toml", toml("mine", "^cargo\\s+test\\b"));
    expect(await place.found("cargo test")).toBe("user mine");
    expect(await place.found("cargo test")).toBe("user mine");
    place.write("home/filters/mine.toml", toml("mine", "^mytool\\b"));
    expect(await place.found("cargo test")).toBe("bundled cargo-test");
    expect(await place.found("mytool build")).toBe("user mine");
    rmSync(join(place.base, "home/filters/mine.toml"));
    expect(await place.found("mytool build")).toBeUndefined();
  });

  test("are loaded whole, from the files and from the index alike", async () => {
    const place = new Place();
    place.write("home/filters/mine.toml", toml("mine", "^mytool\\b", "max_lines = 7"));
    for (let round = 0; round < 2; round++) {
      const definition = await (await openFilters(place.root, place.env)).find(["mytool"])?.load();
      expect(definition?.max_lines).toBe(7);
    }
  });

  test("that are broken are named, and the others work", async () => {
    const place = new Place();
    place.write("home/filters/bad.toml", toml("bad", "^a\\b", "max_line = 3"));
    place.write("home/filters/worse.toml", "not toml at all [");
    place.write("home/filters/good.toml", toml("good", "^mytool\\b"));
    expect(await place.found("mytool")).toBe("user good");
    expect(await place.problems()).toContain(
      "bad.toml: filters.bad: unknown key 'max_line'; did you mean 'max_lines'?",
    );
    expect(await place.problems()).toContain("worse.toml: not TOML");
  });

  test("whose match_command may run away are not used; others run under a budget", async () => {
    const place = new Place();
    place.write("home/filters/evil.toml", toml("evil", "^(a+)+$"));
    place.write("home/filters/slow.toml", toml("slow", "^mytool\\b", "strip_lines_matching = ['^(a+)+$']"));
    expect(await place.found("aaaa")).toBeUndefined();
    expect(await place.problems()).toContain("filter 'evil' is not used: match_command");
    const found = (await openFilters(place.root, place.env)).find(["mytool"]);
    expect(found?.isUnproven).toBe(true);
    const definition = await found?.load();
    if (!definition) throw new Error("not loaded");
    const output = { command: "mytool", stdout: `${"a".repeat(40)}!\nb\n`, stderr: "", exitCode: 0 };
    const stopped = await applyWithinBudget(definition, output, { isUnproven: true, budgetMs: 300 });
    expect(stopped).toMatchObject({ problem: expect.stringContaining("took more than 300 ms") });
    const short = await applyWithinBudget(definition, { ...output, stdout: "aa\nb\nc\n" }, { isUnproven: true });
    expect(short).toMatchObject({ result: { text: "b\nc\n" } });
  });
});

describe("the compiled form of a folder", () => {
  /** Past this the times of a file tell an edit: until then nothing is kept. */
  const settled = () => Bun.sleep(150);
  const cacheOf = (place: Place) => join(place.env.TOKENIX_HOME, "cache");
  const cacheFile = (place: Place) => {
    const [name] = readdirSync(cacheOf(place)).filter((one) => one.startsWith("filters-"));
    return name && join(cacheOf(place), name);
  };
  const settledPlace = async () => {
    const place = new Place();
    place.write("home/filters/mine.toml", toml("mine", "^mytool\\b", "max_lines = 7"));
    await settled();
    expect(await place.found("mytool")).toBe("user mine");
    const cache = cacheFile(place);
    if (!cache) throw new Error("nothing was kept");
    return { place, cache };
  };

  test("is kept, owner-only, once the files are older than a tick of the file system", async () => {
    const { place, cache } = await settledPlace();
    if (process.platform !== "win32") expect(statSync(cache).mode & 0o777).toBe(0o600);
    const before = statSync(cache).mtimeMs;
    expect(await place.found("mytool")).toBe("user mine");
    expect(statSync(cache).mtimeMs).toBe(before);
    const definition = await (await openFilters(place.root, place.env)).find(["mytool"])?.load();
    expect(definition).toMatchObject({ max_lines: 7, strip_ansi: true });
  });

  test("is not used after an edit in place of the same length, its time of change put back", async () => {
    const { place } = await settledPlace();
    const path = join(place.base, "home/filters/mine.toml");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, toml("mine", "^mytulo\\b", "max_lines = 7"));
    utimesSync(path, atime, mtime);
    expect(await place.found("mytool")).toBeUndefined();
    expect(await place.found("mytulo")).toBe("user mine");
  });

  test("never outlives edits that follow each other within one tick", async () => {
    const place = new Place();
    place.write("home/filters/mine.toml", toml("mine", "^toolaa\\b"));
    await settled();
    for (let round = 0; round < 40; round++) {
      const tool = `tool${String.fromCharCode(97 + (round % 26))}${round % 2 ? "x" : "y"}`;
      place.write("home/filters/mine.toml", toml("mine", `^${tool}\\b`));
      expect(await place.found(tool)).toBe("user mine");
      place.write("home/filters/more.toml", toml("more", `^${tool}\\s+more\\b`));
      expect(await place.found(`${tool} more`)).toBe("user more");
      rmSync(join(place.base, "home/filters/more.toml"));
      expect(await place.found(`${tool} more`)).toBe("user mine");
    }
  });

  test("is gone with its folder", async () => {
    const { place } = await settledPlace();
    rmSync(join(place.base, "home/filters"), { recursive: true });
    expect(await place.found("mytool")).toBeUndefined();
  });

  test("is made anew when it is not, byte for byte, what was written", async () => {
    const { place, cache } = await settledPlace();
    const good = readFileSync(cache, "utf8");
    const behind = good.indexOf("\n") + 1;
    const withHash = (body: string) =>
      `${good.slice(0, behind).split(" ")[0]} ${Bun.hash(body).toString(16).padStart(16, "0")}\n${body}`;
    const [stamp = "", names = "", head = "", ...rest] = good.slice(behind).split("\n");
    const heads = ["null", "[]", "{}", "{", head.replace(/"definitions":\d+/, '"definitions":"x"')];
    const bad = [
      "",
      "\0".repeat(100),
      good.slice(0, good.length / 2),
      good.replace("max_lines", "max_limes"),
      good.replace("mytool", "rm -rf"),
      good.replace("tokenix-filters-", "tokenix-filters-9"),
      `${good}\n`,
      ...heads.map((one) => withHash([stamp, names, one, ...rest].join("\n"))),
      withHash([stamp, `${names}/other.toml`, head, ...rest].join("\n")),
    ];
    for (const text of bad) {
      writeFileSync(cache, text);
      expect(await place.found("mytool")).toBe("user mine");
      expect(readFileSync(cache, "utf8")).toBe(good);
    }
  });

  test("costs nothing but time where it can't be kept", async () => {
    const place = new Place();
    place.write("home/filters/mine.toml", toml("mine", "^mytool\\b"));
    place.write("home/cache", "a file in the place of the folder");
    await settled();
    expect(await place.found("mytool")).toBe("user mine");
  });
});

describe("a repository's filters", () => {
  test("do nothing before they are trusted, and nothing after an edit", async () => {
    const place = new Place();
    const path = "repo/.tokenix/filters/theirs.toml";
    place.write(path, toml("theirs", "^mytool\\b"));
    expect(await place.found("mytool")).toBeUndefined();
    expect(await place.problems()).toContain("1 filter file of this repository not trusted");
    trust(place.root, repositoryInputs(place.root), place.env);
    expect(await place.found("mytool")).toBe("repository theirs");
    place.write(path, toml("theirs", "^mytool\\b", "on_empty = 'all fine'"));
    expect(await place.found("mytool")).toBeUndefined();
    expect(trustState(place.root, place.env).changed.map((one) => one.path)).toEqual([".tokenix/filters/theirs.toml"]);
    place.write(path, toml("theirs", "^mytool\\b"));
    expect(await place.found("mytool")).toBe("repository theirs");
    expect(revoke(place.root, place.env)).toBe(1);
    expect(await place.found("mytool")).toBeUndefined();
    expect(trustedRoots(place.env)).toEqual([]);
  });

  test("that come later need trust of their own, and those trusted keep theirs", async () => {
    const place = new Place();
    place.write("repo/.tokenix/filters/a.toml", toml("a", "^atool\\b"));
    trust(place.root, repositoryInputs(place.root), place.env);
    place.write("repo/.tokenix/filters/b.toml", toml("b", "^btool\\b"));
    expect(await place.found("atool")).toBe("repository a");
    expect(await place.found("btool")).toBeUndefined();
  });

  test("come before the user's", async () => {
    const place = new Place();
    place.write("repo/.tokenix/filters/a.toml", toml("theirs", "^mytool\\b"));
    place.write("home/filters/a.toml", toml("mine", "^mytool\\b"));
    expect(await place.found("mytool")).toBe("user mine");
    trust(place.root, repositoryInputs(place.root), place.env);
    expect(await place.found("mytool")).toBe("repository theirs");
  });

  test("the gate covers every file that a clone could act through", () => {
    const place = new Place();
    const gated = [
      ".mcp.json",
      ".tokenix/egress-rules/e.toml",
      ".tokenix/filters/f.toml",
      ".tokenix/secret-rules/s.toml",
      ".vscode/mcp.json",
      "opencode.json",
    ];
    for (const path of [...gated, ".tokenix/filters/readme.md", "package.json"]) place.write(`repo/${path}`, "{}");
    expect(
      repositoryInputs(place.root)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(gated);
  });

  test("a link out of the tree never gains trust", () => {
    const place = new Place();
    place.write("outside.toml", toml("x", "^x\\b"));
    mkdirSync(join(place.root, ".tokenix/filters"), { recursive: true });
    symlinkSync(join(place.base, "outside.toml"), join(place.root, ".tokenix/filters/x.toml"));
    expect(repositoryInputs(place.root)).toEqual([]);
  });

  test("a trust file that is no such table trusts nothing", () => {
    const place = new Place();
    place.write("repo/.mcp.json", "{}");
    for (const text of ["", "[]", "null", '{"x": 3}', "{", '{"__proto__": {}}']) {
      place.write("home/trusted_filters.json", text);
      expect(trustState(place.root, place.env).trusted).toEqual([]);
    }
  });
});

describe("filter verify", () => {
  test("names what is wrong in a file and what a full set of cases lacks", () => {
    const place = new Place();
    place.write(
      "x.toml",
      `${toml("x", "^x\\b", "strip_lines_matching = ['noise']")}
[[tests.x]]
name = 'one'
command = 'x'
source = 's'
input = '''
noise
fact
'''
expected = '''
fact
'''
must_keep = ['fact', 'missing']
`,
    );
    const path = join(place.base, "x.toml");
    expect(verifyFile(path).problems).toEqual(["x: one: must_keep 'missing' is not even in the raw text"]);
    const all = verifyFile(path, true).problems.join("\n");
    expect(all).toContain("needs 2 or more");
    expect(all).toContain("has no failing case");
    expect(verifyFile(join(place.base, "nowhere.toml")).problems.length).toBe(1);
  });
  test("a pattern outside of the choice that may run away is a note, not a fault", () => {
    const place = new Place();
    place.write("y.toml", toml("y", "^y\\b", "strip_lines_matching = ['(a+)+$']"));
    const result = verifyFile(join(place.base, "y.toml"));
    expect(result.problems).toEqual([]);
    expect(result.remarks.join("\n")).toContain("runs under a time budget");
    expect(parseFilterToml(toml("y", "^y\\b")).filters.length).toBe(1);
  });
});
