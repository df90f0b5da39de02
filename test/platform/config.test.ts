import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CONFIG, loadConfig } from "../../src/platform/config.ts";

async function configured(toml: string, name = ".tokenix.toml") {
  const root = mkdtempSync(join(tmpdir(), "tokenix-config-"));
  writeFileSync(join(root, name), toml);
  return loadConfig(root);
}

test("without a file the defaults hold and nothing is said", async () => {
  const { config, problems, path } = await loadConfig(mkdtempSync(join(tmpdir(), "tokenix-config-")));
  expect(config).toEqual(DEFAULT_CONFIG);
  expect(problems).toEqual([]);
  expect(path).toBeUndefined();
});

test("every key of every section is read", async () => {
  const { config, problems } = await configured(
    `[hook]\nread_min_lines = 120\ngrep_min_words = 4\nonly = ["git"]\nexclude = ["git diff"]\n[index]\nmax_file_bytes = 2048\nignore = ["*.gen.ts"]\nmodel = "static"\n[languages]\n".tpl" = "html"\n[update]\ncheck = false\nmode = "notify"\n`,
    "tokenix.toml",
  );
  expect(problems).toEqual([]);
  expect(config).toEqual({
    hook: { readMinLines: 120, grepMinWords: 4, only: ["git"], exclude: ["git diff"] },
    index: { maxFileBytes: 2048, ignore: ["*.gen.ts"], model: "static" },
    languages: { tpl: "html" },
    update: { check: false, mode: "notify" },
  });
});

test("a misspelt key is named with the nearest one, and the rest still counts", async () => {
  const { config, problems } = await configured("[hook]\nread_min_line = 5\ngrep_min_words = 7\n[indx]\n");
  expect(config.hook.readMinLines).toBe(200);
  expect(config.hook.grepMinWords).toBe(7);
  expect(problems.join("\n")).toContain("hook.read_min_line (did you mean read_min_lines?)");
  expect(problems.join("\n")).toContain("unknown section indx (did you mean index?)");
});

test("a value of the wrong kind is named and the default used", async () => {
  const { config, problems } = await configured(
    '[hook]\nread_min_lines = "many"\nexclude = "git"\n[index]\nmax_file_bytes = -1\n',
  );
  expect(config).toEqual(DEFAULT_CONFIG);
  expect(problems).toHaveLength(3);
});

test("a file that is not TOML is named and changes nothing", async () => {
  const { config, problems } = await configured("[hook\n");
  expect(config).toEqual(DEFAULT_CONFIG);
  expect(problems[0]).toContain("not valid TOML");
});
